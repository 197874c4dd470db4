// Decides as the program does, from the rule base alone.
//
// A row is an array with one value per feature: a number, the index of a category's label, a text
// (a category without label), or null for a missing value.
import {isMissing} from './words.js';

export const OTHERWISE = -1;

// The strength of the prior of probabilities, in rows.
const PRIOR_ROWS = 1;

function trapezoid([a, b, c, d], x) {
  const from = a === null ? -Infinity : a;
  const to = d === null ? Infinity : d;
  if (!(x >= from) || (x >= to && to < Infinity)) return 0;
  if (b !== null && x < b) return (x - from) / (b - from);
  if (c !== null && x > c) return (to - x) / (to - c);
  return 1;
}

export function membership(label, index, value) {
  if (label.kind === 'missing') return isMissing(value) ? 1 : 0;
  if (label.kind === 'category') return value === index ? 1 : 0;
  return isMissing(value) ? 0 : trapezoid(label.shape, value);
}

const negLog = (x) => (x >= 1 ? 0 : x <= 0 ? Infinity : -Math.log(x));

// T-norms of two or more degrees by their generators.
function archimedean({name, lambda}, degrees) {
  const scale = name === 'aczel-alsina'
    ? Math.max(0, ...degrees.map(negLog).filter((x) => x < Infinity)) || 1
    : 1;
  const generators = {
    'lukasiewicz': (x) => 1 - Math.min(1, Math.max(0, x)),
    'hamacher': (x) => (x >= 1 ? 0 : x <= 0 ? Infinity : (1 - x) / x),
    'aczel-alsina': (x) => (negLog(x) / scale) ** lambda,
  };
  const inverses = {
    'lukasiewicz': (y) => (y >= 1 ? 0 : 1 - y),
    'hamacher': (y) => 1 / (1 + y),
    'aczel-alsina': (y) => Math.exp(-scale * y ** (1 / lambda)),
  };
  let sum = 0;
  for (const x of degrees) sum += generators[name](x);
  return sum === Infinity ? 0 : inverses[name](sum);
}

function conjunction(tnorm, degrees) {
  if (tnorm.name === 'product') return degrees.reduce((all, x) => all * x, 1);
  if (tnorm.name === 'minimum' || degrees.length === 1) return Math.min(...degrees);
  return archimedean(tnorm, degrees);
}

// exp(x_c) / sum_k exp(x_k)
export function softmax(scores) {
  const most = Math.max(...scores);
  const shares = scores.map((score) => Math.exp(score - most));
  const all = shares.reduce((sum, share) => sum + share, 0);
  return shares.map((share) => share / all);
}

// The class with the lowest expected cost or, with a threshold, the positive class from it on.
function cheapest(policy, probabilities) {
  const {positive, threshold, costs} = policy;
  const limited = threshold !== null;
  if (limited && probabilities[positive] >= threshold) return positive;
  let best = -1;
  let least = 0;
  probabilities.forEach((probability, d) => {
    if (limited && d === positive) return;
    const cost = costs
      ? probabilities.reduce((sum, share, c) => sum + share * costs[c * probabilities.length + d], 0)
      : -probability;
    if (best < 0 || cost < least) [best, least] = [d, cost];
  });
  return best;
}

// The class with the largest sum of score and offset. Of equals, class `first` wins, then the one
// with the lowest index.
function largest(scores, {offsets, first}) {
  let best = first;
  scores.forEach((score, c) => {
    if (score + offsets[c] > scores[best] + offsets[best]) best = c;
  });
  return best;
}

export class Engine {
  constructor(model) {
    this.model = model;
    this.additive = model.semantics === 'additive';
    this.rules = model.rules;
    this.classCount = model.classes.length;
    this.byRule = [OTHERWISE, ...this.rules.keys()].map((rule) => this.probabilitiesOfRule(rule));
  }

  degree([feature, label], row) {
    return membership(this.model.features[feature].labels[label], label, row[feature]);
  }

  truth(rule, row) {
    const result = conjunction(this.model.tnorm, rule.if.map((condition) => this.degree(condition, row)));
    return this.model.root === 1 ? result : result ** (1 / this.model.root);
  }

  score(rule, row) {
    return rule.weight * this.truth(rule, row);
  }

  scores(row) {
    return this.rules.map((rule) => this.score(rule, row));
  }

  // Additive rules: the bias and the scores of each class.
  sums(scores) {
    const sums = this.model.biases.slice();
    this.rules.forEach((rule, r) => {
      sums[rule.then] += scores[r];
    });
    return sums;
  }

  // Whether the class follows from the largest of some functions that are linear in the scores.
  get decidedByLines() {
    return !this.additive || this.model.policy.offsets !== undefined;
  }

  // The sums that are compared.
  comparedSums(scores) {
    const {offsets} = this.model.policy;
    return this.sums(scores).map((sum, c) => sum + (offsets ? offsets[c] : 0));
  }

  // The strongest rule of one class, or of all; the first of equals.
  strongest(scores, then) {
    const best = {predicted: then === undefined ? this.model.else.then : then, rule: OTHERWISE, score: 0};
    for (let r = 0; r < scores.length; ++r) {
      if (then !== undefined && this.rules[r].then !== then) continue;
      if (scores[r] > best.score) Object.assign(best, {predicted: this.rules[r].then, rule: r, score: scores[r]});
    }
    return best;
  }

  decideByScores(scores) {
    if (!this.additive) return this.strongest(scores);
    const {policy} = this.model;
    const sums = this.sums(scores);
    return this.strongest(scores, policy.offsets ? largest(sums, policy) : cheapest(policy, softmax(sums)));
  }

  decide(row) {
    return this.decideByScores(this.scores(row));
  }

  // Fractions of the classes among the training rows of a rule, shrunk towards the base rates.
  probabilitiesOfRule(rule) {
    const {trainingRows} = rule < 0 ? this.model.else : this.rules[rule];
    const rows = trainingRows.reduce((sum, count) => sum + count, 0);
    return this.model.baseRates.map((rate, c) => (trainingRows[c] + PRIOR_ROWS * rate) / (rows + PRIOR_ROWS));
  }

  probabilities(scores, decision) {
    return this.additive ? softmax(this.sums(scores)) : this.byRule[decision.rule + 1];
  }

  // Whether a case is left to a person: it is unclear, or no rule applies to it.
  refers(scores, probabilities) {
    const {refer} = this.model.policy;
    return refer > 0 && (Math.max(...probabilities) < refer || !scores.some((score) => score > 0));
  }

  // The decision and everything that led to it.
  explain(row) {
    const scores = this.scores(row);
    const decision = this.decideByScores(scores);
    const runnerUp = {rule: OTHERWISE, score: 0};
    scores.forEach((score, r) => {
      if (this.rules[r].then === decision.predicted || score <= runnerUp.score) return;
      Object.assign(runnerUp, {rule: r, score});
    });
    const probabilities = this.probabilities(scores, decision);
    return {
      ...decision,
      scores,
      probabilities,
      referred: this.refers(scores, probabilities),
      runnerUp: runnerUp.rule < 0 ? null : runnerUp,
    };
  }
}

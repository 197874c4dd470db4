// Decides as the program does, from the rule base alone.
//
// A row is an array with one value per feature: a number, the index of a category's label, a text
// (a category without label), or null for a missing value.
import {isMissing} from './words.js';

export const OTHERWISE = -1;

// By how much a predicted class is raised above the next, and which fraction of its former share it
// also keeps.
const LEAD = 1e-9;
const ORDER = 1e-3;

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

// Shares that sum to 1, with that of `predicted` strictly the largest.
function favour(shares, predicted) {
  let other = 0;
  shares.forEach((share, c) => {
    if (c !== predicted) other = Math.max(other, share);
  });
  const share = shares[predicted];
  const raised = shares.slice();
  raised[predicted] = Math.max(share, other * (1 + LEAD + ORDER * share));
  return normalised(raised);
}

function normalised(shares) {
  const total = shares.reduce((sum, share) => sum + share, 0);
  return shares.map((share) => share / total);
}

export class Engine {
  constructor(model) {
    this.model = model;
    this.additive = model.semantics === 'additive';
    this.rules = model.rules;
    this.classCount = model.classes.length;
    this.byRule = [OTHERWISE, ...this.rules.keys()].map((rule) => this.sharesOfRule(rule));
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

  // Sums of the scores by class.
  sums(scores) {
    const sums = new Array(this.classCount).fill(0);
    this.rules.forEach((rule, r) => {
      sums[rule.then] += scores[r];
    });
    return sums;
  }

  // The strongest rule of one class, or of all; the first of equals.
  strongest(scores, then) {
    const best = {predicted: this.model.else.then, rule: OTHERWISE, score: 0};
    for (let r = 0; r < scores.length; ++r) {
      if (then !== undefined && this.rules[r].then !== then) continue;
      if (scores[r] > best.score) Object.assign(best, {predicted: this.rules[r].then, rule: r, score: scores[r]});
    }
    return best;
  }

  decideByScores(scores) {
    if (!this.additive) return this.strongest(scores);
    const winner = this.winner(this.sums(scores));
    return winner < 0 ? {predicted: this.model.else.then, rule: OTHERWISE, score: 0} : this.strongest(scores, winner);
  }

  // The class with the largest sum, the first of equals; -1 if none is positive.
  winner(sums) {
    let best = -1;
    let top = 0;
    sums.forEach((sum, c) => {
      if (sum > top) [top, best] = [sum, c];
    });
    return best;
  }

  decide(row) {
    return this.decideByScores(this.scores(row));
  }

  // The training rows of the deciding rule by class, with Laplace's correction.
  sharesOfRule(rule) {
    const decider = rule < 0 ? this.model.else : this.rules[rule];
    const shares = new Array(this.classCount).fill(1);
    const add = (counts) => counts.forEach((count, c) => {
      shares[c] += count;
    });
    add(decider.decides);
    // If ELSE decided no training row, the classes are as likely as among all rows.
    if (rule < 0 && decider.decides.every((count) => count === 0)) this.rules.forEach((other) => add(other.decides));
    return favour(normalised(shares), decider.then);
  }

  probabilities(scores, decision) {
    if (!this.additive || decision.rule < 0) return this.byRule[decision.rule + 1];
    return favour(normalised(this.sums(scores)), decision.predicted);
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
    return {
      ...decision,
      scores,
      probabilities: this.probabilities(scores, decision),
      runnerUp: runnerUp.rule < 0 ? null : runnerUp,
    };
  }
}

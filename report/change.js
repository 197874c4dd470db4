// The smallest change of one feature that changes the decision, all else being equal.
//
// As a function of one number, the class can change only at a corner of its labels and where two
// scores cross. With the product (root 1), scores are linear between corners, so all crossings are
// found; otherwise, and for costs that depend on both classes, each interval between corners is
// sampled at 64 points.
import {isMissing} from './words.js';

const SAMPLES = 64;
const MAX_LINES = 200;
const TOLERANCE = 0.001; // of the feature's scale, for a shorter number

const midpoint = (a, b) => (Math.abs(a) < 1e300 && Math.abs(b) < 1e300 ? (a + b) / 2 : a / 2 + b / 2);
const ascending = (a, b) => a - b;

class Search {
  constructor(engine, row, feature) {
    this.engine = engine;
    this.row = row.slice();
    this.feature = feature;
    this.from = row[feature];
    this.scores = engine.scores(row);
    this.present = engine.decideByScores(this.scores).predicted;
    this.moving = [];
    engine.rules.forEach((rule, r) => {
      if (rule.if.some(([f]) => f === feature)) this.moving.push(r);
    });
    // A rule that another condition makes false stays false for any value of this feature.
    this.live = this.moving.filter((r) => engine.rules[r].if.every(
      (condition) => condition[0] === feature || engine.degree(condition, row) > 0));
    const {spread, trained: [low, high]} = engine.model.features[feature];
    this.scale = spread > 0 ? spread : high > low ? high - low : 1;
    if (!Number.isFinite(this.scale)) this.scale = 1;
  }

  scoresAt(value) {
    this.row[this.feature] = value;
    for (const r of this.live) this.scores[r] = this.engine.score(this.engine.rules[r], this.row);
    return this.scores;
  }

  decideAt(value) {
    return this.engine.decideByScores(this.scoresAt(value));
  }

  changed(value) {
    return this.decideAt(value).predicted !== this.present;
  }

  // Corners of the labels that rules read, ascending, and one place beyond on each side.
  corners() {
    const found = new Set();
    for (const r of this.moving) {
      for (const [feature, index] of this.engine.rules[r].if) {
        const label = this.engine.model.features[feature].labels[index];
        if (feature !== this.feature || label.kind !== 'range') continue;
        for (const x of label.shape) if (x !== null) found.add(x);
      }
    }
    const sorted = [...found].sort(ascending);
    if (sorted.length === 0) return sorted;
    const beyond = (x, sign) => x + sign * Math.max(this.scale, Math.abs(x) * 1e-3);
    return [beyond(sorted[0], -1), ...sorted, beyond(sorted[sorted.length - 1], 1)].filter(Number.isFinite);
  }

  // The linear functions between corners that can become the largest: sums of classes with their
  // offsets, or the scores of the rules that change and the best of those that do not.
  linesAt(value) {
    const scores = this.scoresAt(value);
    if (this.engine.additive) return this.engine.comparedSums(scores);
    const still = new Array(this.engine.classCount).fill(0);
    const moving = new Set(this.moving);
    this.engine.rules.forEach((rule, r) => {
      if (!moving.has(r)) still[rule.then] = Math.max(still[rule.then], scores[r]);
    });
    return [...this.moving.map((r) => scores[r]), ...still];
  }

  addCrossings(left, right, places) {
    const x1 = left + (right - left) * 0.25;
    const x2 = left + (right - left) * 0.75;
    const y1 = this.linesAt(x1);
    const y2 = this.linesAt(x2);
    for (let i = 0; i < y1.length; ++i) {
      for (let j = 0; j < i; ++j) {
        const d1 = y1[i] - y1[j];
        const d2 = y2[i] - y2[j];
        if (d1 === d2) continue;
        const x = x1 + (x2 - x1) * (d1 / (d1 - d2));
        if (x > left && x < right) places.push(x);
      }
    }
  }

  // Points between which the class does not change, as far as can be known; ascending.
  places() {
    const corners = this.corners();
    const places = corners.slice();
    const {tnorm, root} = this.engine.model;
    const lines = this.engine.classCount + (this.engine.additive ? 0 : this.moving.length);
    const linear = tnorm.name === 'product' && root === 1 && this.engine.decidedByLines && lines <= MAX_LINES;
    for (let i = 1; i < corners.length; ++i) {
      const width = corners[i] - corners[i - 1];
      if (!Number.isFinite(width)) continue;
      if (linear) this.addCrossings(corners[i - 1], corners[i], places);
      else for (let k = 1; k < SAMPLES; ++k) places.push(corners[i - 1] + width * k / SAMPLES);
    }
    return places.sort(ascending);
  }

  // `places` lead away from the current value. Tries each of them, and the midpoint before it.
  firstChange(places) {
    let before = this.from;
    for (const place of places) {
      for (const x of [midpoint(before, place), place]) {
        if (this.changed(x)) return this.finish(this.edge(before, x));
        before = x;
      }
    }
    return null;
  }

  // The changed value nearest to the border between `same` and `other`.
  edge(same, other) {
    for (let i = 0; i < 200; ++i) {
      const middle = midpoint(same, other);
      if (middle === same || middle === other) break;
      if (this.changed(middle)) other = middle;
      else same = middle;
    }
    return other;
  }

  finish(edge) {
    const to = this.shorten(edge);
    const decision = this.decideAt(to);
    return {to, distance: Math.abs(to - this.from) / this.scale, predicted: decision.predicted, rule: decision.rule};
  }

  // The number with the fewest decimals that is only just beyond `edge` and still changes the class.
  shorten(edge) {
    const sign = edge > this.from ? 1 : -1;
    const slack = TOLERANCE * this.scale;
    const largest = Math.max(Math.abs(edge), slack);
    if (!(largest > 0)) return edge;
    const top = Math.floor(Math.log10(largest)) + 1;
    for (let power = top; power >= top - 17; --power) {
      const steps = edge / Number(`1e${power}`);
      if (!(Math.abs(steps) < 1e18)) break;
      const count = BigInt(sign > 0 ? Math.ceil(steps) : Math.floor(steps));
      const x = Number(`${count}e${power}`);
      const excess = sign * (x - edge);
      if (excess >= 0 && excess <= slack && this.changed(x)) return x;
    }
    return edge;
  }

  nearest() {
    if (!this.live.length) return null;
    const places = this.places();
    const up = this.firstChange(places.filter((x) => x > this.from));
    const down = this.firstChange(places.filter((x) => x < this.from).reverse());
    if (!up || !down) return up || down;
    return up.distance <= down.distance ? up : down;
  }
}

// All other categories are equally distant: the first that changes the class is returned.
function categoryChange(engine, row, feature, present) {
  const other = row.slice();
  for (const [index, label] of engine.model.features[feature].labels.entries()) {
    if (label.kind !== 'category') continue;
    other[feature] = index;
    const {predicted, rule} = engine.decide(other);
    if (predicted !== present) return {to: index, distance: 1, predicted, rule};
  }
  return null;
}

// The smallest change of each feature that has one, nearest first. A missing value has no distance to
// another.
export function changes(engine, row) {
  const present = engine.decide(row).predicted;
  const found = [];
  engine.model.features.forEach((feature, f) => {
    if (isMissing(row[f])) return;
    const change = feature.type === 'numeric'
      ? new Search(engine, row, f).nearest()
      : categoryChange(engine, row, f, present);
    if (change) found.push({feature: f, ...change});
  });
  return found.sort((a, b) => a.distance - b.distance);
}

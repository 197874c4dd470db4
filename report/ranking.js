// Rows ranked by their probability of a class: confusion at any threshold, areas, calibration.

const BINS = 10;

// The ratio of two counts; null if there is nothing to divide by.
export const ratio = (part, all) => (all > 0 ? part / all : null);

export class Ranking {
  // Parallel arrays: probability of the class, whether the row is of it, and the weight of the row.
  constructor(chances, events, weights) {
    Object.assign(this, {chances, events, weights});
    const order = Uint32Array.from(chances.keys()).sort((i, j) => chances[j] - chances[i]);
    this.thresholds = []; // distinct probabilities, descending
    this.hits = [];       // events with a probability of at least the threshold
    this.alarms = [];     // other rows, likewise
    let hits = 0;
    let alarms = 0;
    for (let k = 0; k < order.length; ++k) {
      const i = order[k];
      if (events[i]) hits += weights[i];
      else alarms += weights[i];
      if (k + 1 < order.length && chances[order[k + 1]] === chances[i]) continue;
      this.thresholds.push(chances[i]);
      this.hits.push(hits);
      this.alarms.push(alarms);
    }
    this.positives = hits;
    this.negatives = alarms;
  }

  // The confusion matrix if rows from this probability on are positive.
  at(threshold) {
    let low = 0;
    let high = this.thresholds.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.thresholds[middle] >= threshold) low = middle + 1;
      else high = middle;
    }
    const hits = low ? this.hits[low - 1] : 0;
    const alarms = low ? this.alarms[low - 1] : 0;
    return {hits, alarms, misses: this.positives - hits, rest: this.negatives - alarms};
  }

  // True positives minus false positives at the exchange rate of the threshold, per row.
  netBenefit(threshold) {
    const {hits, alarms} = this.at(threshold);
    return (hits - alarms * threshold / (1 - threshold)) / (this.positives + this.negatives);
  }

  // The net benefit of calling every row positive.
  benefitOfAll(threshold) {
    return (this.positives - this.negatives * threshold / (1 - threshold)) / (this.positives + this.negatives);
  }

  areaUnderRoc() {
    let area = 0;
    this.hits.forEach((hits, k) => {
      const [before, start] = k ? [this.hits[k - 1], this.alarms[k - 1]] : [0, 0];
      area += (this.alarms[k] - start) * (hits + before) / 2;
    });
    return area / (this.positives * this.negatives);
  }

  // Precision at each threshold, weighted by the sensitivity that it adds.
  averagePrecision() {
    let sum = 0;
    this.hits.forEach((hits, k) => {
      sum += (hits - (k ? this.hits[k - 1] : 0)) * hits / (hits + this.alarms[k]);
    });
    return sum / this.positives;
  }

  // Bins by floor(10 p), p = 1 into the last one: [{rows, mean, observed}], without empty bins.
  calibration() {
    const bins = Array.from({length: BINS}, () => ({rows: 0, mean: 0, observed: 0}));
    for (let i = 0; i < this.chances.length; ++i) {
      const bin = bins[Math.min(BINS - 1, Math.floor(BINS * this.chances[i]))];
      bin.rows += this.weights[i];
      bin.mean += this.weights[i] * this.chances[i];
      bin.observed += this.weights[i] * this.events[i];
    }
    return bins.filter(({rows}) => rows > 0).map(({rows, mean, observed}) => ({rows, mean: mean / rows, observed: observed / rows}));
  }

  calibrationError() {
    const all = this.positives + this.negatives;
    return this.calibration().reduce((sum, {rows, mean, observed}) => sum + rows / all * Math.abs(mean - observed), 0);
  }
}

// Curves of a ranking: ROC, precision and recall, calibration, net benefit.
import {h, svg} from './dom.js';
import {percent} from './words.js';

const SIZE = {width: 300, height: 262};
const PLOT = {left: 70, right: 14, top: 12, bottom: 50};
const STEPS = 99; // of the curve of net benefit

// A square of shares: the place of (x, y) in the picture. `low` is at the bottom.
class Plot {
  constructor(low, high, along = 1) {
    Object.assign(this, {low, high, along});
    this.width = SIZE.width - PLOT.left - PLOT.right;
    this.height = SIZE.height - PLOT.top - PLOT.bottom;
  }

  x(share) {
    return PLOT.left + share / this.along * this.width;
  }

  y(share) {
    return PLOT.top + (this.high - Math.min(this.high, Math.max(this.low, share))) / (this.high - this.low) * this.height;
  }

  // Points that are less than half a pixel apart are left out.
  path(points) {
    const kept = [];
    let before = null;
    points.forEach(([x, y], k) => {
      const place = [this.x(x), this.y(y)];
      const far = !before || Math.abs(place[0] - before[0]) + Math.abs(place[1] - before[1]) >= 0.5;
      if (!far && k < points.length - 1) return;
      kept.push(`${place[0].toFixed(1)},${place[1].toFixed(1)}`);
      before = place;
    });
    return kept.join(' ');
  }

  line(points, kind) {
    return svg('polyline', {class: kind, points: this.path(points)});
  }

  frame(xTitle, yTitle, write) {
    const [left, right] = [this.x(0), this.x(this.along)];
    const levels = [0, 0.25, 0.5, 0.75, 1].map((share) => share * this.high);
    return [
      levels.map((level) => svg('line', {class: 'grid', x1: left, x2: right, y1: this.y(level), y2: this.y(level)})),
      levels.filter((_, k) => k % 2 === 0).map((level) => svg('text', {class: 'tick', x: left - 6, y: this.y(level) + 4, 'text-anchor': 'end'}, write(level))),
      [0, 0.5, 1].map((share) => svg('text', {class: 'tick', x: this.x(share * this.along), y: SIZE.height - PLOT.bottom + 18, 'text-anchor': ['start', 'middle', 'end'][2 * share]}, percent(share * this.along))),
      svg('text', {class: 'tick axis-title', x: (left + right) / 2, y: SIZE.height - 10, 'text-anchor': 'middle'}, xTitle),
      svg('text', {class: 'tick axis-title', transform: `translate(16 ${SIZE.height / 2 - 15}) rotate(-90)`, 'text-anchor': 'middle'}, yTitle),
    ];
  }
}

// A picture with its title and a sentence below; `at` moves its mark.
function picture(title, text, plot, xTitle, yTitle, shapes, place, write = percent) {
  const mark = place && svg('circle', {class: 'mark', r: 5});
  const drawing = svg('svg', {viewBox: `0 0 ${SIZE.width} ${SIZE.height}`, class: 'chart', role: 'img', 'aria-label': `${title}. ${text}`},
    plot.frame(xTitle, yTitle, write), shapes, mark);
  const at = (threshold) => {
    if (!place) return;
    const [x, y] = place(threshold);
    mark.setAttribute('visibility', x === null || y === null ? 'hidden' : 'visible');
    if (x === null || y === null) return;
    mark.setAttribute('cx', plot.x(x).toFixed(1));
    mark.setAttribute('cy', plot.y(y).toFixed(1));
  };
  return {element: h('figure', {class: 'curve-box'}, h('h3', {}, title), drawing, h('figcaption', {class: 'note'}, text)), at};
}

export function rocCurve(ranking) {
  const plot = new Plot(0, 1);
  const points = [[0, 0], ...ranking.hits.map((hits, k) => [ranking.alarms[k] / ranking.negatives, hits / ranking.positives])];
  return picture('ROC curve', `Area under the curve: ${ranking.areaUnderRoc().toFixed(3)}; 0.5 is chance, 1 is perfect.`, plot, 'false-positive rate', 'sensitivity',
    [plot.line([[0, 0], [1, 1]], 'reference'), plot.line(points, 'result')], (threshold) => {
      const {hits, alarms} = ranking.at(threshold);
      return [alarms / ranking.negatives, hits / ranking.positives];
    });
}

export function precisionCurve(ranking) {
  const plot = new Plot(0, 1);
  const points = [];
  ranking.hits.forEach((hits, k) => {
    const precision = hits / (hits + ranking.alarms[k]);
    points.push([k ? ranking.hits[k - 1] / ranking.positives : 0, precision], [hits / ranking.positives, precision]);
  });
  const share = ranking.positives / (ranking.positives + ranking.negatives);
  return picture('Precision and recall', `Average precision: ${ranking.averagePrecision().toFixed(3)}; ${share.toFixed(3)} is chance.`, plot, 'recall (sensitivity)', 'precision (PPV)',
    [plot.line([[0, share], [1, share]], 'reference'), plot.line(points, 'result')], (threshold) => {
      const {hits, alarms} = ranking.at(threshold);
      return [hits / ranking.positives, hits + alarms > 0 ? hits / (hits + alarms) : null];
    });
}

export function calibrationCurve(ranking) {
  const plot = new Plot(0, 1);
  const bins = ranking.calibration();
  const most = Math.max(...bins.map(({rows}) => rows));
  const dots = bins.map(({rows, mean, observed}) => svg('circle', {class: 'dot', cx: plot.x(mean).toFixed(1), cy: plot.y(observed).toFixed(1), r: (2.5 + 4.5 * Math.sqrt(rows / most)).toFixed(1)}));
  return picture('Calibration', `On the diagonal, probabilities are right. Mean distance: ${ranking.calibrationError().toFixed(3)}. Larger dots are more rows.`, plot, 'mean probability', 'observed share',
    [plot.line([[0, 0], [1, 1]], 'reference'), dots], null);
}

// From treating none (0) to treating all rows.
export function benefitCurve(ranking) {
  const share = ranking.positives / (ranking.positives + ranking.negatives);
  // Thresholds far above the share of positives are of no use.
  const along = [0.1, 0.2, 0.5].find((end) => end >= 4 * share) || 1;
  const plot = new Plot(-share / 3, share, along);
  const steps = Array.from({length: STEPS}, (_, k) => along * (k + 1) / (STEPS + 1));
  const inside = (y) => y >= plot.low;
  const all = steps.map((t) => [t, ranking.benefitOfAll(t)]).filter(([, y]) => inside(y));
  return picture('Net benefit', 'Above both dashed lines, deciding by the model is better than calling every case or no case positive.', plot, 'threshold', 'net benefit',
    [plot.line([[0, 0], [along, 0]], 'reference'), plot.line([[0, share], ...all], 'reference'), plot.line([[0, share], ...steps.map((t) => [t, ranking.netBenefit(t)])], 'result')],
    (threshold) => [threshold > along ? null : threshold, ranking.netBenefit(threshold)], (level) => (level === 0 ? '0' : level.toFixed(share < 0.1 ? 3 : 2)));
}

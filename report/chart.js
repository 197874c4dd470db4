// A feature's labels as curves over the histogram of its values, coloured by class.
import {h, name, svg} from './dom.js';
import {counted, meaning, plain} from './words.js';

const WIDTH = 400;
const HEIGHT = 180;
const PAD = {left: 8, right: 8, top: 26, bottom: 24};
const COLOURS = 7; // all other classes share one

// The class that the curves and the scorecard are about: that of the policy or, of two classes, the
// rarer one.
export function classOfInterest({policy, classes, baseRates}) {
  if (policy.positive >= 0) return policy.positive;
  return classes.length === 2 && baseRates[0] >= baseRates[1] ? 1 : 0;
}

// The class of interest has the strong colour and, of two classes, the other a pale one. If there are
// many classes, those that rules predict and then the most frequent ones get colours.
export function classColours(model) {
  const {classes, policy} = model;
  const {positive} = policy;
  if (classes.length === 2 && positive >= 0) return classes.map((_, c) => (c === positive ? 'k1' : 'k-pale'));
  const parts = [model.else, ...model.rules];
  const counts = classes.map((_, c) => parts.reduce((sum, rule) => sum + rule.trainingRows[c] + rule.here[c], 0));
  const order = [...counts.keys()];
  const given = new Set(parts.map((rule) => rule.then));
  if (counts.length > COLOURS) order.sort((a, b) => given.has(b) - given.has(a) || counts[b] - counts[a]);
  const chosen = order.filter((c) => c !== positive).slice(0, positive >= 0 ? COLOURS - 1 : COLOURS);
  const places = [...Array(COLOURS).keys()].filter((place) => positive < 0 || place !== 1);
  const colours = new Array(counts.length).fill('k-other');
  if (positive >= 0) colours[positive] = 'k1';
  chosen.forEach((c, i) => {
    colours[c] = `k${places[i]}`;
  });
  return colours;
}

export const swatch = (colour) => h('span', {class: `swatch ${colour}`, 'aria-hidden': 'true'});

export function legend(model, colours) {
  const coloured = model.classes.map((text, c) => [text, colours[c]]).filter(([, colour]) => colour !== 'k-other');
  const items = coloured.map(([text, colour]) => h('li', {}, swatch(colour), name(text)));
  if (coloured.length < model.classes.length) items.push(h('li', {}, swatch('k-other'), 'other classes'));
  return h('ul', {class: 'legend', 'aria-label': 'Colours of the classes'}, items);
}

// The position of `x` between `from` and `to` in [0, 1]; their difference may overflow.
const share = (x, from, to) =>
  (Number.isFinite(to - from) ? (x - from) / (to - from) : (x / 2 - from / 2) / (to / 2 - from / 2));

// Ticks at round numbers.
function ticks(from, to) {
  const raw = to / 5 - from / 5;
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 5, 10].map((m) => m * power).find((s) => s >= raw);
  const first = Math.ceil(from / step);
  const found = new Set();
  // At most six fit. A loop up to `to` would not end if numbers are so large that adding the step
  // changes nothing.
  for (let i = 0; i <= 5; ++i) found.add(Number(((first + i) * step).toPrecision(12)));
  return [...found].filter((x) => x >= from && x <= to);
}

// Bars of one feature: columns of stacked classes, each {counts: [class], x, width}.
function bars(columns, colours) {
  const highest = Math.max(1, ...columns.map(({counts}) => counts.reduce((a, b) => a + b, 0)));
  const unit = (HEIGHT - PAD.top - PAD.bottom) / highest;
  const shapes = [];
  for (const {counts, x, width} of columns) {
    let y = HEIGHT - PAD.bottom;
    counts.forEach((count, c) => {
      if (count === 0) return;
      y -= count * unit;
      shapes.push(svg('rect', {
        class: `bar ${colours[c] || 'k-other'}`,
        x: x.toFixed(2), y: y.toFixed(2), width: Math.max(0.5, width).toFixed(2), height: (count * unit).toFixed(2),
      }));
    });
  }
  return shapes;
}

function frame(title, description, ...parts) {
  const axis = HEIGHT - PAD.bottom;
  return svg('svg', {viewBox: `0 0 ${WIDTH} ${HEIGHT}`, class: 'chart', role: 'img', 'aria-label': `${title}. ${description}`},
    parts, svg('line', {class: 'axis', x1: PAD.left, x2: WIDTH - PAD.right, y1: axis, y2: axis}));
}

const shortened = (text, most) => (text.length > most ? `${text.slice(0, most - 1)}…` : text);

// The centre of a text such that the picture does not cut it, if characters are at most `width` wide.
function within(middle, text, width) {
  const half = Math.min(WIDTH / 2, text.length * width / 2);
  return Math.min(WIDTH - half, Math.max(half, middle)).toFixed(1);
}

// Corners of a label within the picture, as [value, membership].
function outline([a, b, c, d], from, to) {
  const points = [];
  if (a === null) points.push([from, 1]);
  else points.push([Math.min(from, a), 0], [a, 0], [b, 1]);
  if (d === null) points.push([to, 1]);
  else points.push([c, 1], [d, 0], [Math.max(to, d), 0]);
  return points;
}

export function numberChart(feature, used, colours) {
  const {from, to, counts} = feature.histogram;
  if (counts.length === 0) return h('p', {class: 'note'}, 'All values are missing in this data.');
  const place = (x) => PAD.left + share(x, from, to) * (WIDTH - PAD.left - PAD.right);
  const height = (degree) => HEIGHT - PAD.bottom - degree * (HEIGHT - PAD.top - PAD.bottom);
  const binCount = counts[0].length;
  const step = (WIDTH - PAD.left - PAD.right) / binCount;
  const columns = Array.from({length: binCount}, (_, bin) => ({
    counts: counts.map((bins) => bins[bin]), x: PAD.left + bin * step + 0.5, width: step - 1,
  }));
  const ranges = feature.labels.map((label, v) => ({label, v})).filter(({label}) => label.kind === 'range');
  const curves = ranges.map(({label, v}, i) => {
    const points = outline(label.shape, from, to).map(([x, y]) => `${place(x).toFixed(2)},${height(y).toFixed(2)}`);
    return svg('polyline', {class: `curve line${i % 3}${used.has(v) ? '' : ' unused'}`, points: points.join(' ')});
  });
  const texts = ranges.map(({label, v}, i) => {
    const [, b, c] = label.shape;
    const left = b === null ? from : Math.min(to, Math.max(from, b));
    const right = c === null ? to : Math.min(to, Math.max(from, c));
    const text = shortened(label.name, 18);
    return svg('text', {class: `curve-name${used.has(v) ? '' : ' unused'}`, x: within(place(left / 2 + right / 2), text, 8), y: i % 2 ? 9 : 21, 'text-anchor': 'middle'}, text);
  });
  const marks = ticks(from, to).map((x) => svg('text', {class: 'tick', x: within(place(x), plain(x), 7), y: HEIGHT - 7, 'text-anchor': 'middle'}, plain(x)));
  const description = ranges.map(({label}) => `${label.name}: ${meaning(label)}`).join('; ');
  return frame(`Histogram of ${feature.name} with its labels`, description, bars(columns, colours), curves, texts, marks);
}

export function categoryChart(feature, used, colours) {
  const shown = feature.labels.map((label, v) => ({label, v})).filter(({label}) => label.kind === 'category');
  const total = ({v}) => feature.counts.reduce((sum, rows) => sum + rows[v], 0);
  const most = Math.max(1, ...shown.map(total));
  return h('ul', {class: 'categories'}, shown.map((entry) => h('li', {class: used.has(entry.v) ? '' : 'unused'},
    h('span', {class: 'category-name'}, name(entry.label.name)),
    h('span', {class: 'stack', 'aria-hidden': 'true'}, feature.counts.map((rows, c) => h('span', {
      class: `part ${colours[c] || 'k-other'}`, style: {width: `${100 * rows[entry.v] / most}%`},
    }))),
    h('span', {class: 'category-count'}, counted(total(entry), 'row')))));
}

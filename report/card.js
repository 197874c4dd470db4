// A scorecard: tick what is true, add the points, read the risk.
import {byId, className, h, replace} from './dom.js';
import {rough} from './words.js';

const MOST_TOTALS = 40;
const NEGLIGIBLE = 0.005; // totals with risks below this, or above 1 minus this, share a line

const pointText = (points) => `${points < 0 ? '−' : '+'}${Math.abs(points)}`;
const totalText = (points) => (points < 0 ? `−${-points}` : String(points));
const noun = (points) => (Math.abs(points) === 1 ? 'point' : 'points');

export class PointScale {
  constructor(model) {
    const {positive, offsets, first} = model.policy;
    const other = 1 - positive;
    Object.assign(this, {positive, other, first, scale: model.natsPerPoint});
    this.start = model.biases[positive] - model.biases[other];
    this.shift = offsets[positive] - offsets[other];
    const points = model.rules.map((rule) => rule.points);
    this.low = points.reduce((sum, x) => sum + Math.min(0, x), 0);
    this.high = points.reduce((sum, x) => sum + Math.max(0, x), 0);
  }

  risk(total) {
    return 1 / (1 + Math.exp(-(this.start + this.scale * total)));
  }

  // The class that is predicted.
  predicted(total) {
    const lead = this.start + this.scale * total + this.shift;
    if (lead === 0) return this.first;
    return lead > 0 ? this.positive : this.other;
  }

  // Ranges of totals with their risk, ascending: [{from, to, risk}]; `from` is null on the first line
  // and `to` on the last if they stand for all smaller or larger totals.
  lines() {
    const step = Math.max(1, Math.ceil((this.high - this.low + 1) / 1000));
    const found = [];
    for (let total = this.low; total <= this.high; total += step) found.push({from: total, to: total, risk: this.risk(total)});
    const sure = ({risk}) => risk < NEGLIGIBLE || risk > 1 - NEGLIGIBLE;
    const inner = found.filter((line, i) => !sure(line) || (found[i + 1] && !sure(found[i + 1]) && line.risk < 0.5) || (found[i - 1] && !sure(found[i - 1]) && line.risk > 0.5));
    const some = inner.length ? inner : found.slice(0, 1);
    if (some[0].from > this.low) some[0].from = null;
    if (some[some.length - 1].to < this.high) some[some.length - 1].to = null;
    const every = Math.ceil(some.length / MOST_TOTALS);
    return some.filter((_, i) => i % every === 0 || i === some.length - 1);
  }
}

function lineText({from, to}) {
  if (from === null) return `${totalText(to)} or less`;
  if (to === null) return `${totalText(from)} or more`;
  return totalText(from);
}

function riskTable(model, scale) {
  const lines = scale.lines();
  const inRange = (total, {from, to}) => (from === null || total >= from) && (to === null || total <= to);
  const body = lines.map((line) => h('tr', {'data-risk': line.risk}, h('th', {scope: 'row'}, lineText(line)),
    h('td', {}, rough(line.risk)), h('td', {}, className(model, scale.predicted(line.from === null ? line.to : line.from)))));
  const table = h('table', {class: 'risks'}, h('caption', {}, 'From points to risk'),
    h('thead', {}, h('tr', {}, h('th', {scope: 'col'}, 'points'), h('th', {scope: 'col'}, 'risk'), h('th', {scope: 'col'}, 'decision'))),
    h('tbody', {}, body));
  const mark = (total) => lines.forEach((line, i) => {
    if (inRange(total, line)) body[i].setAttribute('aria-current', 'true');
    else body[i].removeAttribute('aria-current');
  });
  return {table, mark};
}

// `describe`: the conditions of a rule, as elements.
export function scorecard(model, describe) {
  const scale = new PointScale(model);
  const {table, mark} = riskTable(model, scale);
  const result = h('p', {id: 'score', class: 'score', role: 'status'});
  const boxes = model.rules.map((_, r) => h('input', {type: 'checkbox', id: `tick-${r}`, on: {change: () => refresh()}}));
  const refresh = () => {
    const total = model.rules.reduce((sum, rule, r) => sum + (boxes[r].checked ? rule.points : 0), 0);
    const risk = scale.risk(total);
    Object.assign(result.dataset, {total, risk});
    replace(result, h('strong', {}, `${totalText(total)} ${noun(total)}`), ': the risk of ', className(model, scale.positive), ' is ', h('strong', {}, rough(risk)),
      '; decision: ', className(model, scale.predicted(total)));
    mark(total);
  };
  const clear = () => {
    boxes.forEach((box) => {
      box.checked = false;
    });
    refresh();
    byId('tick-0').focus();
  };
  refresh();
  return h('div', {class: 'scorecard'},
    h('div', {class: 'ticks'}, h('h3', {}, 'Scorecard for ', className(model, scale.positive)),
      h('p', {class: 'note'}, 'Tick what is true of the case. The points add up to its risk.'),
      h('ul', {}, model.rules.map((rule, r) => h('li', {}, h('label', {}, boxes[r], h('span', {class: 'tick-text'}, describe(rule)), h('span', {class: 'points'}, pointText(rule.points)))))),
      result,
      h('button', {type: 'button', id: 'untick', on: {click: clear}}, 'Clear')),
    table);
}

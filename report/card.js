// A scorecard: tick what is true, add the points, read the risk.
import {byId, className, h, replace} from './dom.js';
import {rough} from './words.js';

const MOST_TOTALS = 40; // lines of the table
const MOST_SUMS = 4000;
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
    this.points = model.rules.map((rule) => rule.points);
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

  // The totals of all choices of rules, ascending; of very many, some.
  totals() {
    let found = new Set([0]);
    for (const points of this.points) {
      found = new Set([...found, ...[...found].map((total) => total + points)]);
      if (found.size > MOST_SUMS) return this.evenTotals();
    }
    return [...found].sort((a, b) => a - b);
  }

  evenTotals() {
    const low = this.points.reduce((sum, x) => sum + Math.min(0, x), 0);
    const high = this.points.reduce((sum, x) => sum + Math.max(0, x), 0);
    return Array.from({length: MOST_TOTALS}, (_, k) => Math.round(low + (high - low) * k / (MOST_TOTALS - 1)));
  }

  // Ranges of totals with their risk, ascending: [{from, to, risk}]; `from` is null on the first line
  // and `to` on the last if they stand for all smaller or larger totals.
  lines() {
    const found = this.totals().map((total) => ({from: total, to: total, risk: this.risk(total)}));
    // The last of the negligible risks and the first of the nearly certain ones stand for the others.
    const first = Math.max(0, found.filter(({risk}) => risk < NEGLIGIBLE).length - 1);
    const last = found.length - Math.max(1, found.filter(({risk}) => risk > 1 - NEGLIGIBLE).length);
    const some = found.slice(first, last + 1);
    if (first > 0) some[0].from = null;
    if (last < found.length - 1) some[some.length - 1].to = null;
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

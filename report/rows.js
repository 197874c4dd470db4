// The rows of the data and how the rules decide them.
import {swatch} from './chart.js';
import {byId, h, name, replace} from './dom.js';
import {counted, grouped, isMissing, plain, valueText} from './words.js';

const PER_PAGE = 25;
const MOST_KEPT = 4e6; // probabilities

const kindOf = (extra, number) => [extra && 'extra', number && 'number'].filter(Boolean).join(' ') || null;

// The rows on the page, by index.
export class Data {
  constructor(model) {
    this.model = model;
    const {columns, truth, numbers, shown} = model.rows;
    Object.assign(this, {columns, truth, numbers, shown});
    this.count = numbers ? numbers.length : model.data.rows;
    this.weights = new Float64Array(this.count).fill(1);
  }

  row(index) {
    return this.columns.map((column) => column[index]);
  }

  numberOf(index) {
    return this.numbers ? this.numbers[index] : index + 1;
  }

  indexOf(number) {
    if (this.numbers) return this.numbers.indexOf(number);
    return Number.isInteger(number) && number >= 1 && number <= this.count ? number - 1 : -1;
  }
}

export class Rows {
  constructor(section, model, engine, colours, data, open) {
    Object.assign(this, {section, model, engine, colours, data, open});
    const classes = model.classes.length;
    const keep = engine.additive && data.count * classes <= MOST_KEPT;
    this.chances = keep ? new Float64Array(data.count * classes) : null;
    this.decisions = Array.from({length: data.count}, (_, i) => {
      const scores = engine.scores(data.row(i));
      const decision = engine.decideByScores(scores);
      const probabilities = engine.probabilities(scores, decision);
      if (keep) this.chances.set(probabilities, i * classes);
      return {...decision, probability: probabilities[decision.predicted], referred: engine.refers(scores, probabilities)};
    });
    this.weightSample(model.rows.kinds);
    this.page = 0;
    this.sort = null;
    this.build();
    this.refresh();
  }

  // A sample has more rows of rare kinds than its size; weights make up for that.
  weightSample(all) {
    if (!all) return;
    const kindOfRow = (i) => 2 * (this.decisions[i].rule + 1) + (this.right(i) === 0 ? 1 : 0);
    const held = new Array(all.length).fill(0);
    for (let i = 0; i < this.data.count; ++i) ++held[kindOfRow(i)];
    for (let i = 0; i < this.data.count; ++i) this.data.weights[i] = all[kindOfRow(i)] / held[kindOfRow(i)];
  }

  // The probability of class `c` for a row.
  chance(index, c) {
    const {engine} = this;
    if (!engine.additive) return engine.byRule[this.decisions[index].rule + 1][c];
    if (this.chances) return this.chances[index * this.model.classes.length + c];
    return engine.probabilities(engine.scores(this.data.row(index)))[c];
  }

  // 1: right, 0: wrong, null: the class is not known.
  right(index) {
    const truth = this.data.truth ? this.data.truth[index] : -1;
    return truth < 0 ? null : Number(truth === this.decisions[index].predicted);
  }

  build() {
    const {model} = this;
    const change = () => {
      this.page = 0;
      this.refresh();
    };
    const select = (id, label, entries) => h('label', {}, label, ' ', h('select', {id, on: {change}}, entries.map(([value, text]) => h('option', {value}, text))));
    const rules = [['', 'all'], ...model.rules.map((rule, r) => [r, `rule ${r + 1} → ${model.classes[rule.then]}`]), [-1, `ELSE → ${model.classes[model.else.then]}`]];
    const held = this.data.count < model.data.rows
      ? `The page shows ${grouped(this.data.count)} of ${grouped(model.data.rows)} rows: a random sample with right and wrong decisions of every rule. The counts of the rules, the summary and the histograms refer to all rows.`
      : h('span', {class: 'screen'}, 'Choose a row to open it in What if and see why it was decided this way.');
    replace(this.section, h('h2', {id: 'rows-title', tabindex: '-1'}, 'The rows'), h('p', {class: 'explain'}, held),
      h('div', {class: 'bar-of-tools', role: 'group', 'aria-label': 'Which rows'},
        this.data.truth && select('filter-right', 'Show', [['', 'all rows'], ['0', 'wrong ones'], ['1', 'right ones']]),
        select('filter-rule', 'decided by', rules),
        model.policy.refer > 0 && select('filter-referred', 'referred', [['', 'yes or no'], ['1', 'yes'], ['0', 'no']]),
        select('filter-class', 'as', [['', 'any class'], ...model.classes.map((text, c) => [c, text])]),
        h('button', {type: 'button', id: 'filter-none', on: {click: () => this.clear()}}, 'Show all')),
      h('div', {class: 'scroll', tabindex: '0', role: 'region', 'aria-label': 'Table of the rows'}, h('table', {class: 'rows'}, h('thead', {}, h('tr', {id: 'rows-head'})), h('tbody', {id: 'rows-body'}))),
      h('div', {class: 'bar-of-tools pages', role: 'group', 'aria-label': 'Pages'},
        h('button', {type: 'button', id: 'page-previous', on: {click: () => this.turn(-1)}}, 'Previous'),
        h('span', {id: 'page-text', role: 'status'}),
        h('button', {type: 'button', id: 'page-next', on: {click: () => this.turn(1)}}, 'Next')));
  }

  columns() {
    const {model, data} = this;
    const list = [
      {title: 'row', value: (i) => data.numberOf(i), cell: (i) => h('button', {type: 'button', class: 'open', 'aria-label': `Row ${data.numberOf(i)}: open in What if`, on: {click: () => this.open(i)}}, grouped(data.numberOf(i))), fixed: true},
      ...data.shown.map(({name: title, values}) => ({title, value: (i) => values[i], cell: (i) => (isMissing(values[i]) ? h('span', {class: 'note'}, '–') : name(typeof values[i] === 'number' ? plain(values[i]) : values[i]))})),
      {title: 'decided as', value: (i) => model.classes[this.decisions[i].predicted], cell: (i) => [swatch(this.colours[this.decisions[i].predicted]), name(model.classes[this.decisions[i].predicted])], fixed: true},
    ];
    if (data.truth) {
      list.push({title: model.target, value: (i) => (data.truth[i] < 0 ? null : model.classes[data.truth[i]]), cell: (i) => (data.truth[i] < 0 ? h('span', {class: 'note'}, 'unknown') : name(model.classes[data.truth[i]]))},
        {title: 'right', value: (i) => this.right(i), cell: (i) => ({1: 'right', 0: h('strong', {class: 'wrong-word'}, 'wrong')}[this.right(i)] || '–'), fixed: true});
    }
    list.push({title: this.engine.additive ? 'strongest rule' : 'rule', value: (i) => this.decisions[i].rule, cell: (i) => (this.decisions[i].rule < 0 ? 'ELSE' : String(this.decisions[i].rule + 1)), fixed: true},
      {title: 'probability', value: (i) => this.decisions[i].probability, cell: (i) => `${(100 * this.decisions[i].probability).toFixed(1)} %`, fixed: true});
    if (model.policy.refer > 0) {
      list.push({title: 'referred', value: (i) => Number(this.decisions[i].referred), cell: (i) => (this.decisions[i].referred ? 'to a person' : '–'), fixed: true});
    }
    model.features.forEach((feature, f) => list.push({
      title: feature.name, extra: true, number: feature.type === 'numeric', value: (i) => (feature.type === 'numeric' || isMissing(data.columns[f][i]) ? data.columns[f][i] : valueText(feature, data.columns[f][i])),
      cell: (i) => (isMissing(data.columns[f][i]) ? h('span', {class: 'note'}, '–') : name(valueText(feature, data.columns[f][i]))),
    }));
    return list;
  }

  chosen() {
    const value = (id) => (byId(id) ? byId(id).value : '');
    const right = value('filter-right');
    const rule = value('filter-rule');
    const then = value('filter-class');
    const referred = value('filter-referred');
    const list = [];
    for (let i = 0; i < this.data.count; ++i) {
      if (right !== '' && this.right(i) !== Number(right)) continue;
      if (rule !== '' && this.decisions[i].rule !== Number(rule)) continue;
      if (referred !== '' && this.decisions[i].referred !== (referred === '1')) continue;
      if (then !== '' && this.decisions[i].predicted !== Number(then)) continue;
      list.push(i);
    }
    return this.sorted(list);
  }

  sorted(list) {
    if (!this.sort) return list;
    const {value} = this.columns()[this.sort.column];
    const order = (a, b) => (typeof a === 'number' && typeof b === 'number' ? a - b : String(a).localeCompare(String(b)));
    return list.sort((i, j) => {
      const [a, b] = [value(i), value(j)];
      if (isMissing(a) || isMissing(b)) return isMissing(a) - isMissing(b) || i - j;
      return this.sort.sign * order(a, b) || i - j;
    });
  }

  sortBy(column) {
    const again = this.sort && this.sort.column === column;
    this.sort = again && this.sort.sign < 0 ? null : {column, sign: again ? -1 : 1};
    this.page = 0;
    this.refresh();
    byId('rows-head').querySelectorAll('button')[column].focus();
  }

  refresh() {
    const columns = this.columns();
    const list = this.chosen();
    const pages = Math.max(1, Math.ceil(list.length / PER_PAGE));
    this.page = Math.min(this.page, pages - 1);
    const first = this.page * PER_PAGE;
    const some = list.slice(first, first + PER_PAGE);
    const direction = (k) => (this.sort && this.sort.column === k ? (this.sort.sign > 0 ? 'ascending' : 'descending') : 'none');
    replace(byId('rows-head'), columns.map(({title, fixed, extra, number}, k) => h('th', {scope: 'col', 'aria-sort': direction(k), class: kindOf(extra, number)},
      h('button', {type: 'button', class: 'sort', on: {click: () => this.sortBy(k)}}, fixed ? title : name(title), h('span', {class: 'arrow', 'aria-hidden': 'true'}, {ascending: ' ↑', descending: ' ↓', none: ' ↕'}[direction(k)])))));
    replace(byId('rows-body'), some.map((i) => h('tr', {'data-index': i, class: this.right(i) === 0 ? 'wrong' : '', on: {click: (event) => event.target.closest('button') || this.open(i)}},
      columns.map(({cell, extra, number}, k) => h(k ? 'td' : 'th', {scope: k ? null : 'row', class: kindOf(extra, number)}, cell(i))))));
    byId('page-text').textContent = list.length ? `${grouped(first + 1)}–${grouped(first + some.length)} of ${counted(list.length, 'row')}` : 'No such row.';
    byId('page-previous').disabled = this.page === 0;
    byId('page-next').disabled = this.page >= pages - 1;
  }

  turn(by) {
    this.page += by;
    this.refresh();
  }

  clear() {
    for (const id of ['filter-right', 'filter-rule', 'filter-class', 'filter-referred']) if (byId(id)) byId(id).value = '';
    this.page = 0;
    this.refresh();
  }

  onlyRule(rule) {
    this.clear();
    byId('filter-rule').value = String(rule);
    this.refresh();
  }

  get rule() {
    const {value} = byId('filter-rule');
    return value === '' ? null : Number(value);
  }
}

// One case that can be changed: what decides it, and what would change that.
import {changes} from './change.js';
import {swatch} from './chart.js';
import {byId, h, name, replace} from './dom.js';
import {OTHERWISE, membership} from './engine.js';
import {degree, isMissing, plain, ruleName, valueText} from './words.js';

// A slider's step: that of the data, but no more than a thousand or so in all.
function stepOf(feature) {
  const thousandth = feature.high / 1000 - feature.low / 1000;
  const own = Number(`1e-${feature.decimals}`);
  if (!(thousandth > own)) return own;
  return Number(`1e${Math.floor(Math.log10(thousandth)) + 1}`);
}

export class WhatIf {
  constructor(section, model, engine, colours, data) {
    Object.assign(this, {section, model, engine, colours, data});
    this.inputs = [];
    this.history = [];
    this.build();
    this.takeTypical();
  }

  // ---- The case ---------------------------------------------------------------------------------

  typical() {
    return this.model.features.map((feature) => feature.typical);
  }

  takeTypical() {
    this.start(this.typical(), 'A typical case: the middle value of each number, the most frequent category.');
  }

  takeRow(index) {
    const number = this.data.numberOf(index);
    byId('row-number').value = number;
    this.rowIndex = index;
    this.start(this.data.row(index), `Row ${number} of the data.`);
  }

  start(row, origin) {
    this.row = row.slice();
    this.startRow = row.slice();
    this.origin = origin;
    this.history = [];
    this.refreshInputs();
    this.refresh();
  }

  set(feature, value) {
    this.row[feature] = value;
    this.refresh();
  }

  // A change by a button can be taken back.
  apply(change) {
    this.history.push(this.row.slice());
    this.row[change.feature] = change.to;
    this.refreshInputs();
    this.refresh();
    byId('decision').focus({preventScroll: false});
  }

  undo() {
    if (!this.history.length) return;
    this.row = this.history.pop();
    this.refreshInputs();
    this.refresh();
  }

  // ---- Inputs -----------------------------------------------------------------------------------

  build() {
    const {model} = this;
    const rowInput = h('input', {id: 'row-number', type: 'number', min: 1, max: model.data.rows, step: 1, inputmode: 'numeric', on: {change: () => this.askRow()}});
    replace(this.section, h('h2', {id: 'whatif-title'}, 'What if'),
      h('p', {class: 'explain'}, 'Start from a row of the data or a typical case, change what you like, and see what decides and why.'),
      h('div', {class: 'bar-of-tools', role: 'group', 'aria-label': 'Where to start'},
        h('button', {type: 'button', id: 'typical', on: {click: () => this.takeTypical()}}, 'Typical case'),
        h('label', {}, 'Row ', rowInput),
        h('button', {type: 'button', id: 'take-row', on: {click: () => this.askRow()}}, 'Take'),
        h('button', {type: 'button', id: 'previous-row', 'aria-label': 'Previous row', on: {click: () => this.step(-1)}}, '‹'),
        h('button', {type: 'button', id: 'next-row', 'aria-label': 'Next row', on: {click: () => this.step(1)}}, '›'),
        h('button', {type: 'button', id: 'undo', on: {click: () => this.undo()}}, 'Undo'),
        h('button', {type: 'button', id: 'reset', on: {click: () => this.start(this.startRow, this.origin)}}, 'Reset')),
      h('p', {id: 'origin', class: 'note', role: 'status'}),
      h('div', {class: 'whatif'},
        h('div', {id: 'decision', class: 'decision', tabindex: '-1', role: 'status', 'aria-live': 'polite'}),
        h('div', {class: 'answer'}, h('div', {id: 'details'}), h('div', {id: 'changes', class: 'changes'})),
        h('div', {class: 'inputs', role: 'group', 'aria-label': 'The case'}, model.features.map((feature, f) => this.input(feature, f))),
        h('div', {class: 'strengths'}, h('h3', {}, 'How strong each rule is'), h('ol', {id: 'strengths'}))));
  }

  askRow() {
    const number = Number(byId('row-number').value);
    const index = this.data.indexOf(number);
    if (index >= 0) return this.takeRow(index);
    byId('origin').textContent = Number.isInteger(number) && number >= 1 && number <= this.model.data.rows
      ? `Row ${number} is not among the rows that this page holds.`
      : `There is no row ${byId('row-number').value}: give a number from 1 to ${this.model.data.rows}.`;
  }

  step(by) {
    const count = this.data.count;
    if (!count) return;
    const next = this.rowIndex === undefined ? 0 : (this.rowIndex + by + count) % count;
    this.takeRow(next);
  }

  input(feature, f) {
    const id = `input-${f}`;
    const memberships = h('p', {class: 'memberships', id: `${id}-memberships`});
    const entry = {memberships};
    this.inputs[f] = entry;
    const missing = h('input', {type: 'checkbox', id: `${id}-missing`, 'aria-labelledby': `${id}-label ${id}-missing-label`, on: {change: () => this.toggleMissing(f)}});
    entry.missing = missing;
    const controls = feature.type === 'numeric' ? this.numberControls(feature, f, entry, id) : this.categoryControls(feature, f, entry, id);
    return h('div', {class: 'input'}, h('label', {id: `${id}-label`, for: id}, name(feature.name)),
      h('div', {class: 'controls'}, controls,
        h('label', {class: 'missing'}, missing, h('span', {id: `${id}-missing-label`}, 'missing'))),
      memberships);
  }

  numberControls(feature, f, entry, id) {
    const step = stepOf(feature);
    const read = (text) => {
      const value = Number(text);
      if (text.trim() !== '' && Number.isFinite(value)) this.setNumber(f, value);
    };
    entry.slider = h('input', {type: 'range', id: `${id}-slider`, min: feature.low, max: feature.high, step, 'aria-labelledby': `${id}-label`,
      on: {input: () => read(entry.slider.value)}});
    entry.number = h('input', {type: 'number', id, step: 'any', inputmode: 'decimal', 'aria-describedby': `${id}-memberships`,
      on: {input: () => read(entry.number.value), change: () => this.refreshInput(f)}});
    return [entry.slider, entry.number];
  }

  setNumber(f, value) {
    const entry = this.inputs[f];
    entry.missing.checked = false;
    entry.last = value;
    if (document.activeElement !== entry.number) entry.number.value = plain(value);
    if (document.activeElement !== entry.slider) entry.slider.value = value;
    this.set(f, value);
  }

  categoryControls(feature, f, entry, id) {
    entry.select = h('select', {id, 'aria-describedby': `${id}-memberships`, on: {change: () => {
      entry.missing.checked = false;
      const chosen = entry.select.value;
      this.set(f, chosen === 'other' ? entry.other : Number(chosen));
      this.refreshInput(f);
    }}});
    feature.labels.forEach((label, v) => {
      if (label.kind === 'category') entry.select.append(h('option', {value: v}, label.name === '' ? '(empty)' : label.name));
    });
    entry.other = 'another value';
    entry.otherOption = h('option', {value: 'other'}, 'another value');
    entry.select.append(entry.otherOption);
    return [entry.select];
  }

  toggleMissing(f) {
    const entry = this.inputs[f];
    const feature = this.model.features[f];
    if (entry.missing.checked) {
      entry.last = this.row[f];
      this.set(f, null);
    } else {
      const fallback = isMissing(feature.typical) ? (feature.type === 'numeric' ? feature.low : 'another value') : feature.typical;
      this.set(f, isMissing(entry.last) ? fallback : entry.last);
    }
    this.refreshInput(f);
  }

  refreshInputs() {
    this.model.features.forEach((_, f) => this.refreshInput(f));
  }

  refreshInput(f) {
    const entry = this.inputs[f];
    const value = this.row[f];
    entry.missing.checked = isMissing(value);
    if (!isMissing(value)) entry.last = value;
    if (entry.number) {
      entry.number.value = isMissing(value) ? '' : plain(value);
      if (!isMissing(value)) entry.slider.value = value;
    } else if (typeof value === 'string') {
      entry.other = value;
      entry.otherOption.textContent = value === '' ? '(empty)' : value;
      entry.select.value = 'other';
    } else {
      entry.select.value = isMissing(value) ? '' : String(value);
    }
  }

  // ---- Answers ----------------------------------------------------------------------------------

  refresh() {
    const answer = this.engine.explain(this.row);
    this.answer = answer;
    byId('origin').textContent = this.origin;
    byId('undo').disabled = this.history.length === 0;
    this.showDecision(answer);
    this.showMemberships();
    this.showStrengths(answer);
    this.showChanges(answer);
  }

  showDecision(answer) {
    const {model} = this;
    const box = byId('decision');
    box.dataset.class = model.classes[answer.predicted];
    box.dataset.rule = answer.rule + 1;
    box.dataset.probability = answer.probabilities[answer.predicted];
    const short = answer.rule === OTHERWISE ? 'by Else' : `by rule ${answer.rule + 1}`;
    replace(box, swatch(this.colours[answer.predicted]), name(model.classes[answer.predicted]),
      h('span', {class: 'short'}, ` ${(100 * answer.probabilities[answer.predicted]).toFixed(1)} % · ${short}`));
    const how = answer.rule === OTHERWISE ? 'Decided by Else: no rule is true of this case.'
      : [this.engine.additive ? 'Strongest for it: ' : 'Decided by ', h('a', {href: `#rule-${answer.rule + 1}`}, ruleName(answer.rule)), ` with a score of ${answer.score.toFixed(3)}.`];
    const second = answer.runnerUp
      ? ['Runner-up: ', h('a', {href: `#rule-${answer.runnerUp.rule + 1}`}, ruleName(answer.runnerUp.rule)), ' for ', name(model.classes[model.rules[answer.runnerUp.rule].then]), ` with a score of ${answer.runnerUp.score.toFixed(3)}.`]
      : 'No rule of another class is true of this case.';
    const order = [...answer.probabilities.keys()].sort((a, b) => answer.probabilities[b] - answer.probabilities[a]).slice(0, 5);
    replace(byId('details'), h('h3', {}, 'Why'), h('p', {}, how), h('p', {}, second),
      h('ul', {class: 'chances', 'aria-label': 'Probabilities'}, order.map((c) => h('li', {},
        h('span', {class: 'chance-name'}, name(model.classes[c])),
        h('span', {class: 'stack', 'aria-hidden': 'true'}, h('span', {class: `part ${this.colours[c]}`, style: {width: `${100 * answer.probabilities[c]}%`}})),
        h('span', {class: 'chance'}, `${(100 * answer.probabilities[c]).toFixed(1)} %`)))));
  }

  showMemberships() {
    this.model.features.forEach((feature, f) => {
      const value = this.row[f];
      const parts = feature.labels
        .map((label, v) => [label, membership(label, v, value)])
        .filter(([label, share]) => feature.type === 'numeric' || share > 0 || label.kind === 'missing')
        .filter(([label, share]) => label.kind !== 'missing' || share > 0);
      const some = parts.some(([, share]) => share > 0);
      replace(this.inputs[f].memberships, some
        ? parts.map(([label, share], k) => [k ? ' · ' : '', h('span', {class: share > 0 ? '' : 'unused'}, name(label.name), ` ${degree(share)}`)])
        : 'no label is true');
    });
  }

  showStrengths(answer) {
    const {model} = this;
    replace(byId('strengths'), model.rules.map((rule, r) => {
      const score = answer.scores[r];
      const state = r === answer.rule ? 'decides' : answer.runnerUp && r === answer.runnerUp.rule ? 'second' : score > 0 ? '' : 'silent';
      return h('li', {class: `strength ${state}`, 'data-rule': r + 1, 'data-score': score},
        h('div', {class: 'strength-head'}, h('span', {}, `Rule ${r + 1} → `, name(model.classes[rule.then])),
          h('span', {class: 'number'}, score.toFixed(3), state === 'decides' && !this.engine.additive ? ' decides' : state === 'second' ? ' runner-up' : '')),
        h('div', {class: 'stack', 'aria-hidden': 'true'}, h('span', {class: `part ${this.colours[rule.then]}`, style: {width: `${100 * score}%`}})),
        h('p', {class: 'parts'}, rule.if.map(([f, v], k) => [k ? ' and ' : '', name(model.features[f].name), ' is ', name(model.features[f].labels[v].name),
          ` ${degree(this.engine.degree([f, v], this.row))}`]), ` · weight ${rule.weight.toPrecision(2).replace(/\.?0+$/, '')}`));
    }));
  }

  showChanges(answer) {
    const {model} = this;
    const found = changes(this.engine, this.row);
    this.found = found;
    const entry = (change, k) => {
      const feature = model.features[change.feature];
      return h('li', {class: k ? '' : 'nearest'},
        h('span', {}, name(feature.name), ' from ', name(valueText(feature, this.row[change.feature])), ' to ', h('strong', {}, name(valueText(feature, change.to))),
          ' gives ', swatch(this.colours[change.predicted]), name(model.classes[change.predicted]), ` (${change.rule < 0 ? 'Else' : ruleName(change.rule)})`),
        h('button', {type: 'button', class: 'apply', 'data-feature': change.feature, 'data-to': change.to, 'data-class': model.classes[change.predicted],
          'aria-label': `Apply: ${feature.name} to ${valueText(feature, change.to)}`, on: {click: () => this.apply(change)}}, 'Apply'));
    };
    replace(byId('changes'), h('h3', {}, 'What would change it'),
      found.length ? [h('p', {class: 'note'}, 'The smallest change of one value, all else equal; nearest first.'), h('ol', {}, found.slice(0, 6).map(entry)),
        found.length > 6 && h('details', {}, h('summary', {}, `${found.length - 6} more`), h('ol', {}, found.slice(6).map((change, k) => entry(change, k + 6))))]
        : h('p', {class: 'note'}, `No change of a single value would give another class than ${model.classes[answer.predicted]}.`));
  }
}

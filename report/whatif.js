// One case that can be changed: what decides it, and what would change that.
import {changes} from './change.js';
import {swatch} from './chart.js';
import {byId, h, name, replace} from './dom.js';
import {effects} from './effects.js';
import {OTHERWISE, membership} from './engine.js';
import {reasonForClass} from './reasons.js';
import {counted, degree, exactly, isMissing, listed, percent, plain, ruleName, scoreText, total, valueText, weightText} from './words.js';

// A slider's step: that of the data, but at most about a thousand steps in all.
function stepOf(feature) {
  const thousandth = feature.high / 1000 - feature.low / 1000;
  const precision = Number(`1e-${feature.decimals}`);
  if (!(thousandth > precision)) return precision;
  return Number(`1e${Math.floor(Math.log10(thousandth)) + 1}`);
}

const truthText = (label, share) => (label.kind === 'range' ? degree(share) : share > 0 ? 'yes' : 'no');

export class WhatIf {
  constructor(section, model, engine, colours, data) {
    Object.assign(this, {section, model, engine, colours, data});
    this.largest = Math.max(1, ...model.rules.map(({weight}) => weight)); // of all scores
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
    this.rowIndex = undefined;
    byId('row-number').value = '';
    this.start(this.typical());
  }

  takeRow(index) {
    this.rowIndex = index;
    byId('row-number').value = this.data.numberOf(index);
    this.start(this.data.row(index));
  }

  start(row) {
    this.row = row.slice();
    this.startRow = row.slice();
    this.settled = row.slice();
    this.history = [];
    this.refreshInputs();
    this.refresh();
  }

  set(feature, value) {
    this.row[feature] = value;
    this.refresh();
  }

  // All changes so far can be undone together.
  settle() {
    if (this.row.every((value, f) => Object.is(value, this.settled[f]))) return;
    this.history.push(this.settled);
    this.settled = this.row.slice();
    byId('undo').disabled = false;
  }

  apply(change) {
    this.settle();
    this.row[change.feature] = change.to;
    this.settle();
    this.refreshInputs();
    this.refresh();
    byId('decision').focus();
  }

  undo() {
    this.settle();
    if (!this.history.length) return;
    this.row = this.history.pop();
    this.settled = this.row.slice();
    this.refreshInputs();
    this.refresh();
    // A disabled button must not keep the focus.
    if (!this.history.length) byId('decision').focus({preventScroll: true});
  }

  // Where the case comes from, its true class, and what was changed.
  origin() {
    const {model, data} = this;
    const parts = [];
    if (this.rowIndex === undefined) {
      parts.push('A typical case: the median of each number, the most frequent category.');
    } else {
      parts.push(`Row ${data.numberOf(this.rowIndex)} of the data`);
      data.shown.forEach(({name: title, values}) => parts.push(', ', name(title), ' ', name(isMissing(values[this.rowIndex]) ? 'missing' : String(values[this.rowIndex]))));
      parts.push('.');
      const truth = data.truth ? data.truth[this.rowIndex] : -1;
      if (truth >= 0) {
        const right = truth === this.engine.decide(this.startRow).predicted;
        parts.push(' In the data, ', name(model.target), ' is ', name(model.classes[truth]), ': decided ', right ? 'rightly.' : h('strong', {class: 'wrong-word'}, 'wrongly.'));
      }
    }
    const changed = model.features.map((_, f) => f).filter((f) => !Object.is(this.row[f], this.startRow[f]));
    if (changed.length) {
      const text = (f, row) => name(valueText(model.features[f], row[f]));
      parts.push(' Changed: ', listed(changed.map((f) => [name(model.features[f].name), ' from ', text(f, this.startRow), ' to ', text(f, this.row)])), '.');
    }
    return parts;
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
        h('button', {type: 'button', id: 'reset', on: {click: () => this.start(this.startRow)}}, 'Reset')),
      h('p', {id: 'origin', class: 'note', role: 'status'}),
      h('div', {class: 'whatif'},
        h('div', {id: 'decision', class: 'decision', tabindex: '-1', role: 'status', 'aria-live': 'polite'}),
        h('div', {class: 'answer'}, h('div', {id: 'details'}), h('div', {id: 'changes', class: 'changes'})),
        h('div', {class: 'inputs', role: 'group', 'aria-label': 'The case'}, model.features.map((feature, f) => this.input(feature, f))),
        h('div', {class: 'strengths'}, h('h3', {}, 'How strong each rule is'), h('div', {id: 'strengths'}))));
  }

  askRow() {
    const number = Number(byId('row-number').value);
    const index = this.data.indexOf(number);
    if (index >= 0) return this.takeRow(index);
    byId('origin').textContent = Number.isInteger(number) && number >= 1 && number <= this.model.data.rows
      ? `Row ${number} is not among the rows on this page.`
      : `There is no such row: give a number from 1 to ${this.model.data.rows}.`;
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
      memberships, entry.hint);
  }

  // A text field: a browser's number field silently reads "97,5" as 975.
  numberControls(feature, f, entry, id) {
    entry.hint = h('p', {class: 'hint', id: `${id}-hint`, role: 'status'});
    const settle = () => {
      this.settle();
      this.refreshInput(f);
    };
    entry.slider = h('input', {type: 'range', id: `${id}-slider`, min: feature.low, max: feature.high, step: stepOf(feature), 'aria-labelledby': `${id}-label`,
      on: {input: () => this.setNumber(f, Number(entry.slider.value)), change: settle}});
    entry.number = h('input', {type: 'text', id, inputmode: 'decimal', autocomplete: 'off', spellcheck: 'false', 'aria-describedby': `${id}-memberships ${id}-hint`,
      on: {input: () => this.readNumber(f), change: settle}});
    return [entry.slider, entry.number];
  }

  readNumber(f) {
    const entry = this.inputs[f];
    const text = entry.number.value.trim().replace(',', '.');
    const value = Number(text);
    const valid = text !== '' && Number.isFinite(value);
    entry.number.setAttribute('aria-invalid', String(!valid));
    if (valid) return this.setNumber(f, value);
    replace(entry.hint, `Not a number: ${valueText(this.model.features[f], this.row[f])} is used.`);
  }

  setNumber(f, value) {
    const entry = this.inputs[f];
    entry.missing.checked = false;
    entry.last = value;
    if (document.activeElement !== entry.number) entry.number.value = plain(value);
    if (document.activeElement !== entry.slider) entry.slider.value = value;
    this.set(f, value);
    this.showRange(f);
  }

  showRange(f) {
    const {low, high} = this.model.features[f];
    const value = this.row[f];
    const outside = !isMissing(value) && (value < low || value > high);
    replace(this.inputs[f].hint, outside ? `Outside the data, which ranges from ${plain(low)} to ${plain(high)}.` : '');
  }

  categoryControls(feature, f, entry, id) {
    entry.select = h('select', {id, 'aria-describedby': `${id}-memberships`, on: {change: () => {
      entry.missing.checked = false;
      const chosen = entry.select.value;
      this.set(f, chosen === 'other' ? entry.other : Number(chosen));
      this.settle();
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
    this.settle();
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
      entry.number.removeAttribute('aria-invalid');
      this.showRange(f);
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
    replace(byId('origin'), this.origin());
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
    box.dataset.probabilities = answer.probabilities.join(' ');
    box.dataset.referred = answer.referred;
    const short = this.engine.additive ? '' : answer.rule === OTHERWISE ? ' · by ELSE' : ` · by rule ${answer.rule + 1}`;
    replace(box, swatch(this.colours[answer.predicted]), name(model.classes[answer.predicted]),
      h('span', {class: 'short'}, ` ${percent(answer.probabilities[answer.predicted], 1)}${short}`, answer.referred && h('strong', {class: 'wrong-word'}, ' · refer to a person')));
    replace(byId('details'), h('h3', {}, 'Why'), this.reasons(answer), this.whyThisClass(answer), this.chances(answer));
  }

  ruleLink(rule) {
    return h('a', {href: `#rule-${rule + 1}`}, ruleName(rule));
  }

  reasons(answer) {
    const {model} = this;
    if (this.engine.additive) return effects(model, this.engine, answer, (rule) => this.ruleLink(rule));
    if (answer.rule === OTHERWISE) return h('p', {}, 'Decided by ELSE: no rule is true of this case.');
    const second = answer.runnerUp
      ? ['Strongest rule for another class: ', this.ruleLink(answer.runnerUp.rule), ' for ', name(model.classes[model.rules[answer.runnerUp.rule].then]), ` with a score of ${scoreText(answer.runnerUp.score)}.`]
      : 'No rule of another class is true of this case.';
    return [h('p', {}, 'Decided by ', this.ruleLink(answer.rule), ` with the largest score, ${scoreText(answer.score)}.`), h('p', {}, second)];
  }

  // Where the policy of decisions matters.
  whyThisClass(answer) {
    const {model} = this;
    const reason = reasonForClass(model, answer.probabilities, answer.predicted);
    const why = Math.max(...answer.probabilities) < model.policy.refer ? `no class has a probability of ${exactly(model.policy.refer)}` : 'no rule applies to it';
    return [reason && h('p', {}, 'Decided as ', name(model.classes[answer.predicted]), ' although another class is more probable: ', reason, '.'),
      answer.referred && h('p', {}, `This case is referred to a person: ${why}.`)];
  }

  // The probabilities and their origin.
  chances(answer) {
    const {model} = this;
    const most = 5;
    const order = [...answer.probabilities.keys()].sort((a, b) => answer.probabilities[b] - answer.probabilities[a]);
    const bar = (c) => h('li', {}, h('span', {class: 'chance-name'}, name(model.classes[c])),
      h('span', {class: 'stack', 'aria-hidden': 'true'}, h('span', {class: `part ${this.colours[c]}`, style: {width: `${100 * answer.probabilities[c]}%`}})),
      h('span', {class: 'chance'}, percent(answer.probabilities[c], 1)));
    const rest = order.slice(most);
    return [h('ul', {class: 'chances', 'aria-label': 'Probabilities'}, order.slice(0, most).map(bar),
      rest.length > 0 && h('li', {}, h('span', {}, rest.length === 1 ? '1 other class' : `${rest.length} other classes`), h('span', {}),
        h('span', {class: 'chance'}, percent(total(rest.map((c) => answer.probabilities[c])), 1)))),
    h('p', {class: 'note'}, this.originOfProbabilities(answer))];
  }

  originOfProbabilities(answer) {
    if (this.engine.additive) return 'The probabilities follow from the sum.';
    const {model} = this;
    const decider = answer.rule < 0 ? model.else : model.rules[answer.rule];
    const rows = total(decider.trainingRows);
    const who = ruleName(answer.rule);
    if (!model.hasCounts) return 'The model has no counts of training rows, so all classes are equally probable.';
    if (rows === 0) return `${who} decided no training row; the probabilities are those of all training rows.`;
    return [`The probabilities come from the ${counted(rows, 'training row')} that ${who} decided, ${plain(Number(decider.trainingRows[decider.then].toPrecision(6)))} of them `, name(model.classes[decider.then]),
      `, and one row of average composition. They are the same for every case that ${who} decides.`];
  }

  showMemberships() {
    this.model.features.forEach((feature, f) => {
      const value = this.row[f];
      const parts = feature.labels
        .map((label, v) => [label, membership(label, v, value)])
        .filter(([label, share]) => feature.type === 'numeric' || share > 0 || label.kind === 'missing')
        .filter(([label, share]) => label.kind !== 'missing' || share > 0);
      const some = parts.some(([, share]) => share > 0);
      // A category has no degrees.
      const plainly = some && feature.type !== 'numeric';
      replace(this.inputs[f].memberships, plainly ? '' : some
        ? parts.map(([label, share], k) => [k ? ' · ' : '', h('span', {class: share > 0 ? '' : 'unused'}, name(label.name), ` ${degree(share)}`)])
        : isMissing(value) ? 'no condition on it is true' : 'no rule knows this value');
    });
  }

  // The strongest first; rules that are not true at all are collapsed.
  showStrengths(answer) {
    const order = this.model.rules.map((_, r) => r).sort((a, b) => answer.scores[b] - answer.scores[a] || a - b);
    const speaking = order.filter((r) => answer.scores[r] > 0);
    const silent = order.filter((r) => answer.scores[r] <= 0);
    const open = byId('silent') !== null && byId('silent').open;
    replace(byId('strengths'), speaking.length > 0 && h('ol', {}, speaking.map((r) => this.strength(answer, r))),
      silent.length > 0 && h('details', {id: 'silent', open},
        h('summary', {}, `${counted(silent.length, 'rule')} that ${silent.length === 1 ? 'is' : 'are'} not true of this case`),
        h('ol', {}, silent.map((r) => this.strength(answer, r)))));
  }

  strength(answer, r) {
    const {model} = this;
    const rule = model.rules[r];
    const score = answer.scores[r];
    const state = r === answer.rule && !this.engine.additive ? 'decides' : score > 0 ? '' : 'silent';
    const parts = rule.if.map(([f, v]) => [name(model.features[f].name), ' is ', name(model.features[f].labels[v].name),
      `: ${truthText(model.features[f].labels[v], this.engine.degree([f, v], this.row))}`]);
    return h('li', {class: `strength ${state}`, 'data-rule': r + 1, 'data-score': score},
      h('div', {class: 'strength-head'}, h('span', {}, `Rule ${r + 1} → `, name(model.classes[rule.then])),
        h('span', {class: 'number'}, scoreText(score), state === 'decides' ? ' decides' : '')),
      h('div', {class: 'stack', 'aria-hidden': 'true'}, h('span', {class: `part ${this.colours[rule.then]}`, style: {width: `${100 * score / this.largest}%`}})),
      h('p', {class: 'parts'}, listed(parts), `. Together ${degree(this.engine.truth(rule, this.row))}, times weight ${weightText(rule.weight)} = ${scoreText(score)}`));
  }

  // The value at the precision of the data, if that is coarser, such as whole years.
  inForm(feature, change) {
    if (feature.type !== 'numeric') return null;
    const scale = 10 ** feature.decimals;
    const up = change.to > this.row[change.feature];
    const coarse = Number(((up ? Math.ceil(change.to * scale) : Math.floor(change.to * scale)) / scale).toFixed(feature.decimals));
    if (coarse === change.to) return null;
    const row = this.row.slice();
    row[change.feature] = coarse;
    return this.engine.decide(row).predicted === change.predicted ? coarse : null;
  }

  change(change, k) {
    const {model} = this;
    const feature = model.features[change.feature];
    const coarse = this.inForm(feature, change);
    return h('li', {class: k ? '' : 'nearest'},
      h('span', {}, name(feature.name), ' from ', name(valueText(feature, this.row[change.feature])), ' to ', h('strong', {}, name(valueText(feature, change.to))),
        coarse === null ? '' : ` (at the precision of the data: ${plain(coarse)})`,
        ' gives ', swatch(this.colours[change.predicted]), name(model.classes[change.predicted]),
        this.engine.additive ? '' : ` (${ruleName(change.rule)})`),
      h('button', {type: 'button', class: 'apply', 'data-feature': change.feature, 'data-to': change.to, 'data-class': model.classes[change.predicted],
        'aria-label': `Apply: ${feature.name} to ${valueText(feature, change.to)}`, on: {click: () => this.apply(change)}}, 'Apply'));
  }

  showChanges(answer) {
    const {model} = this;
    const found = changes(this.engine, this.row);
    this.found = found;
    const most = 6;
    const missing = model.features.filter((_, f) => isMissing(this.row[f]));
    replace(byId('changes'), h('h3', {}, 'What would change it'),
      found.length > 0 ? [h('p', {class: 'note'}, 'For each value, the smallest change that gives another class, all else being equal; nearest first. The page does not check whether such a case can occur.'),
        h('ol', {}, found.slice(0, most).map((change, k) => this.change(change, k))),
        found.length > most && h('details', {}, h('summary', {}, `${found.length - most} more`), h('ol', {}, found.slice(most).map((change, k) => this.change(change, k + most))))]
        : h('p', {class: 'note'}, 'No change of a single known value would give another class than ', name(model.classes[answer.predicted]), '.'),
      missing.length > 0 && h('p', {class: 'note'}, listed(missing.map((feature) => name(feature.name))), missing.length === 1 ? ' is missing; supplying it might change the class.' : ' are missing; supplying them might change the class.'));
  }
}

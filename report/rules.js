// The rules as cards, grouped by class.
import {swatch} from './chart.js';
import {byId, h, name, replace} from './dom.js';
import {counted, grouped, meaning, percent, total, weightText} from './words.js';

// "IF age is low AND glucose is high", each condition with the meaning of its label.
export function conditionsOf(model, rule) {
  return rule.if.map(([f, v], k) => {
    const feature = model.features[f];
    const label = feature.labels[v];
    return h('li', {}, h('span', {class: 'word'}, k ? 'and' : 'if'), ' ', name(feature.name), ' is ', name(label.name, 'label'),
      label.kind === 'range' && h('span', {class: 'meaning'}, meaning(label)));
  });
}

// The number of rows of this data that a rule decides, and that it decides rightly.
function record(rule) {
  const known = total(rule.here.slice(0, -1));
  return {all: total(rule.here), known, right: rule.here[rule.then]};
}

// A rule may be true of a row that another rule decides, so both counts are shown.
function facts(model, rule, index) {
  const {all, known, right} = record(rule);
  const covered = total(rule.coversHere);
  const items = [];
  if (index >= 0) {
    const ofClass = model.data.known > 0 ? [`, ${grouped(rule.coversHere[rule.then])} of them `, name(model.classes[rule.then])] : '';
    items.push(h('li', {}, `true of ${counted(covered, 'row')}`, ofClass));
  }
  const verb = index >= 0 && model.semantics === 'additive' ? 'strongest in' : 'decides';
  const share = percent(model.data.rows ? all / model.data.rows : 0);
  items.push(h('li', {}, `${verb} ${counted(all, 'row')} (${share})`));
  if (known > 0) items.push(h('li', {}, `right on ${grouped(right)} of ${grouped(known)} (${percent(right / known)})`));
  return items;
}

function meter(rule) {
  const {known, right} = record(rule);
  if (!known) return null;
  return h('div', {class: 'meter', 'aria-hidden': 'true'}, h('span', {style: {width: `${100 * right / known}%`}}));
}

function showText(model, all, index) {
  const additive = index >= 0 && model.semantics === 'additive';
  if (!all) return additive ? 'Strongest in no row here' : 'It decides no row here';
  return `Show ${all === 1 ? 'the row' : 'the rows'} ${additive ? 'it is strongest in' : 'it decides'}`;
}

function card(model, rule, index, select) {
  const title = index < 0 ? 'ELSE' : `Rule ${index + 1}`;
  const {all} = record(rule);
  return h('article', {class: 'card', id: `rule-${index + 1}`, 'aria-labelledby': `rule-title-${index + 1}`},
    h('h4', {id: `rule-title-${index + 1}`}, title),
    index < 0 ? h('p', {class: 'conditions'}, 'where no rule is true') : h('ul', {class: 'conditions'}, conditionsOf(model, rule)),
    h('p', {class: 'then'}, h('span', {class: 'word'}, 'then'), ' ', name(model.classes[rule.then])),
    h('ul', {class: 'facts'}, h('li', {}, meter(rule)), facts(model, rule, index), index >= 0 && h('li', {}, `weight ${weightText(rule.weight)}`)),
    h('button', {type: 'button', class: 'select', 'data-rule': index, 'aria-pressed': 'false', disabled: all === 0, on: {click: () => select(index)}},
      showText(model, all, index)));
}

export function showRules(section, model, colours, select) {
  const groups = model.classes.map((text, c) => {
    const rules = model.rules.map((rule, r) => [rule, r]).filter(([rule]) => rule.then === c);
    if (!rules.length) return null;
    return h('div', {class: 'group', style: {'--cards': rules.length}}, h('h3', {}, swatch(colours[c]), name(text)),
      h('div', {class: 'cards'}, rules.map(([rule, r]) => card(model, rule, r, select))));
  });
  replace(section, h('h2', {id: 'rules-title'}, 'The rules'),
    h('p', {class: 'explain'}, model.semantics === 'additive'
      ? 'A rule is true of a case to some degree. Its score is its weight times its truth. The scores are added by class, and the class with the largest sum is predicted.'
      : 'A rule is true of a case to some degree. The rule with the largest score, its weight times its truth, decides alone; if none is true, ELSE decides. Judge a rule by the rows that it decides: one with a small weight decides only where no stronger rule is true, so do not read it in isolation.'),
    h('div', {class: 'groups'}, groups,
      h('div', {class: 'group', style: {'--cards': 1}}, h('h3', {}, 'All other cases'), h('div', {class: 'cards'}, card(model, model.else, -1, select)))));
}

export function markRule(index) {
  for (const button of document.querySelectorAll('#rules button.select')) {
    const chosen = Number(button.getAttribute('data-rule')) === index;
    button.setAttribute('aria-pressed', String(chosen));
    byId(`rule-${button.getAttribute('data-rule') * 1 + 1}`).classList.toggle('chosen', chosen);
  }
}

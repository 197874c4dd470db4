// The rules as cards, grouped by class.
import {swatch} from './chart.js';
import {byId, h, name, replace} from './dom.js';
import {counted, meaning, percent} from './words.js';

// "IF age is low AND glucose is high", each condition with what its label means.
export function conditionsOf(model, rule) {
  return rule.if.map(([f, v], k) => {
    const feature = model.features[f];
    const label = feature.labels[v];
    return h('li', {}, h('span', {class: 'word'}, k ? 'and' : 'if'), ' ', name(feature.name), ' is ', name(label.name, 'label'),
      label.kind === 'range' && h('span', {class: 'meaning'}, meaning(label)));
  });
}

// How many rows of this data a rule decides and how many of them rightly.
function record(model, rule) {
  const known = rule.here.slice(0, -1).reduce((a, b) => a + b, 0);
  const all = known + rule.here[rule.here.length - 1];
  return {all, known, right: rule.here[rule.then]};
}

function facts(model, rule) {
  const {all, known, right} = record(model, rule);
  const items = [h('li', {}, `decides ${counted(all, 'row')} (${percent(model.data.rows ? all / model.data.rows : 0)})`)];
  if (known) items.push(h('li', {}, `right on ${right} of ${known} (${percent(right / known)})`));
  return items;
}

function meter(model, rule) {
  const {known, right} = record(model, rule);
  if (!known) return null;
  return h('div', {class: 'meter', 'aria-hidden': 'true'}, h('span', {style: {width: `${100 * right / known}%`}}));
}

function card(model, rule, index, select) {
  const title = index < 0 ? 'Else' : `Rule ${index + 1}`;
  const {all} = record(model, rule);
  return h('article', {class: 'card', id: `rule-${index + 1}`, 'aria-labelledby': `rule-title-${index + 1}`},
    h('h4', {id: `rule-title-${index + 1}`}, title),
    index < 0 ? h('p', {class: 'conditions'}, 'where no rule is true') : h('ul', {class: 'conditions'}, conditionsOf(model, rule)),
    h('p', {class: 'then'}, h('span', {class: 'word'}, 'then'), ' ', name(model.classes[rule.then])),
    h('ul', {class: 'facts'}, h('li', {}, meter(model, rule)), facts(model, rule), index >= 0 && h('li', {}, `weight ${rule.weight.toPrecision(2).replace(/\.?0+$/, '')}`)),
    h('button', {type: 'button', class: 'select', 'data-rule': index, 'aria-pressed': 'false', disabled: all === 0, on: {click: () => select(index)}},
      all ? `Show ${all === 1 ? 'the row' : 'the rows'} it decides` : 'It decides no row here'));
}

export function showRules(section, model, colours, select) {
  const groups = model.classes.map((text, c) => {
    const own = model.rules.map((rule, r) => [rule, r]).filter(([rule]) => rule.then === c);
    if (!own.length) return null;
    return h('div', {class: 'group'}, h('h3', {}, swatch(colours[c]), name(text)),
      h('div', {class: 'cards'}, own.map(([rule, r]) => card(model, rule, r, select))));
  });
  replace(section, h('h2', {id: 'rules-title'}, 'The rules'),
    h('p', {class: 'explain'}, model.semantics === 'additive'
      ? 'Each rule that is true of a case speaks for its class, the more the truer it is and the larger its weight. The class with the largest sum is given.'
      : 'A rule is true of a case to some degree. The rule with the largest score, its weight times its truth, decides alone. Where none is true, Else does.'),
    groups,
    h('div', {class: 'group'}, h('h3', {}, 'All other cases'), h('div', {class: 'cards'}, card(model, model.else, -1, select))));
}

export function markRule(index) {
  for (const button of document.querySelectorAll('#rules button.select')) {
    const chosen = Number(button.getAttribute('data-rule')) === index;
    button.setAttribute('aria-pressed', String(chosen));
    byId(`rule-${button.getAttribute('data-rule') * 1 + 1}`).classList.toggle('chosen', chosen);
  }
}

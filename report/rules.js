// The rules as cards, grouped by class.
import {scorecard} from './card.js';
import {classOfInterest, swatch} from './chart.js';
import {byId, className, h, name, replace} from './dom.js';
import {softmax} from './engine.js';
import {reasonForClass} from './reasons.js';
import {counted, grouped, lift, meaning, percent, plain, rough, signed, total, weightText} from './words.js';

// "IF age is low AND glucose is high", each condition with the meaning of its label.
export function conditionsOf(model, rule, tag = 'li') {
  return rule.if.map(([f, v], k) => {
    const feature = model.features[f];
    const label = feature.labels[v];
    return h(tag, {}, h('span', {class: 'word'}, k ? 'and' : 'if'), ' ', name(feature.name), ' is ', name(label.name, 'label'),
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
  const verb = model.semantics !== 'additive' ? 'decides' : index >= 0 ? 'strongest in' : 'no rule for the class in';
  const share = percent(model.data.rows ? all / model.data.rows : 0);
  items.push(h('li', {}, `${verb} ${counted(all, 'row')} (${share})`));
  if (known > 0) items.push(h('li', {}, `right on ${grouped(right)} of ${grouped(known)} (${percent(right / known)})`));
  return items;
}

// The rate of correct decisions as a bar, for models without counts of training rows.
function meter(rule) {
  const {known, right} = record(rule);
  if (!known) return null;
  return h('div', {class: 'meter', 'aria-hidden': 'true'}, h('span', {style: {width: `${100 * right / known}%`}}));
}

// The probability of the class after THEN, with a mark at the base rate.
function chanceBar(probability, rate, colour) {
  return h('div', {class: 'meter chance-bar', 'aria-hidden': 'true'}, h('span', {class: `part ${colour}`, style: {width: `${100 * probability}%`}}),
    h('span', {class: 'base-mark', style: {left: `${100 * rate}%`}}));
}

// "ill: 14 % of such cases, 3.1 times the average (4.6 %); a miss counts as 20 false alarms"
function chance(model, engine, rule, index, colours) {
  if (!model.hasCounts) return meter(rule);
  const additive = model.semantics === 'additive';
  const probabilities = additive && index < 0 ? softmax(model.biases) : engine.byRule[index + 1];
  const rate = model.baseRates[rule.then];
  const probability = probabilities[rule.then];
  const reason = additive && index >= 0 ? null : reasonForClass(model, probabilities, rule.then);
  const where = !additive ? ' of such cases' : index < 0 ? ' before any rule' : ` of the training rows for which it is ${model.natsPerPoint ? 'true' : 'at least half true'}`;
  const bar = chanceBar(probability, rate, colours[rule.then]);
  return [!additive && bar,
    h('p', {class: 'chance-text', 'data-probability': probability}, className(model, rule.then), `: ${rough(probability)}${where}, ${lift(probability, rate)} (${rough(rate)})`,
      reason && ['; ', reason], '.'), additive && bar];
}

// The weight of an additive rule as a signed effect on the class of interest or, of many classes, on
// its own.
function effectText(model, rule, largest, colour) {
  const two = model.classes.length === 2;
  const target = two ? classOfInterest(model) : rule.then;
  const effect = rule.then === target ? rule.weight : -rule.weight;
  const width = `${50 * rule.weight / largest}%`;
  const odds = ` (odds times ${plain(Number(Math.exp(effect).toPrecision(2)))})`;
  return [h('p', {class: 'effect', 'data-effect': effect}, model.natsPerPoint
    ? [h('strong', {}, `${rule.points < 0 ? '−' : '+'}${counted(Math.abs(rule.points), 'point')}`), ': ', signed(effect)]
    : h('strong', {}, signed(effect)), ' for ', className(model, target), h('span', {class: 'note'}, odds)),
  h('div', {class: `effect-bar ${effect < 0 ? 'down' : 'up'}`, 'aria-hidden': 'true'}, h('span', {class: `part ${colour}`, style: {width}}))];
}

function showText(model, all, index) {
  const additive = model.semantics === 'additive';
  if (!all) return additive ? 'No such row here' : 'It decides no row here';
  const rows = `Show ${all === 1 ? 'the row' : 'the rows'}`;
  return additive ? `${rows} ${index >= 0 ? 'it is strongest in' : 'without a rule for the class'}` : `${rows} it decides`;
}

function card(model, engine, colours, rule, index, select) {
  const additive = model.semantics === 'additive';
  const title = index >= 0 ? `Rule ${index + 1}` : additive ? 'Start' : 'ELSE';
  const {all} = record(rule);
  const largest = Math.max(...model.rules.map(({weight}) => weight));
  const start = additive ? 'before any rule' : 'where no rule is true';
  return h('article', {class: 'card', id: `rule-${index + 1}`, 'aria-labelledby': `rule-title-${index + 1}`},
    h('h4', {id: `rule-title-${index + 1}`}, title),
    index < 0 ? h('p', {class: 'conditions'}, start) : h('ul', {class: 'conditions'}, conditionsOf(model, rule)),
    h('p', {class: 'then'}, h('span', {class: 'word'}, 'then'), ' ', name(model.classes[rule.then])),
    additive && index >= 0 && effectText(model, rule, largest, colours[rule.then]),
    chance(model, engine, rule, index, colours),
    h('ul', {class: 'facts'}, facts(model, rule, index), index >= 0 && !additive && h('li', {}, `weight ${weightText(rule.weight)}`)),
    h('button', {type: 'button', class: 'select', 'data-rule': index, 'aria-pressed': 'false', disabled: all === 0, on: {click: () => select(index)}},
      showText(model, all, index)));
}

function explanation(model) {
  const average = model.hasCounts ? ' The mark on a bar is the average: the share of the class in all training rows.' : '';
  if (model.semantics === 'additive') {
    return `A rule is true of a case to some degree. Its effect, times this degree, is added to the start value of its class; the sums give the probabilities.${average}`;
  }
  return `A rule is true of a case to some degree. The rule with the largest score, its weight times its truth, decides alone; if none is true, ELSE decides. Judge a rule by the rows that it decides: one with a small weight decides only where no stronger rule is true, so do not read it in isolation.${average}`;
}

export function showRules(section, model, engine, colours, select) {
  const {positive} = model.policy;
  const order = [...model.classes.keys()].sort((a, b) => (b === positive) - (a === positive) || a - b);
  const groups = order.map((c) => {
    const rules = model.rules.map((rule, r) => [rule, r]).filter(([rule]) => rule.then === c);
    if (!rules.length) return null;
    return h('div', {class: 'group', style: {'--cards': rules.length}}, h('h3', {}, swatch(colours[c]), className(model, c)),
      h('div', {class: 'cards'}, rules.map(([rule, r]) => card(model, engine, colours, rule, r, select))));
  });
  const last = model.semantics === 'additive' ? 'All cases' : 'All other cases';
  replace(section, h('h2', {id: 'rules-title'}, 'The rules'),
    h('p', {class: 'explain'}, explanation(model)),
    model.natsPerPoint && model.rules.length > 0 && scorecard(model, (rule) => conditionsOf(model, rule, 'span')),
    h('div', {class: 'groups'}, groups,
      h('div', {class: 'group', style: {'--cards': 1}}, h('h3', {}, last), h('div', {class: 'cards'}, card(model, engine, colours, model.else, -1, select)))));
}

export function markRule(index) {
  for (const button of document.querySelectorAll('#rules button.select')) {
    const chosen = Number(button.getAttribute('data-rule')) === index;
    button.setAttribute('aria-pressed', String(chosen));
    byId(`rule-${button.getAttribute('data-rule') * 1 + 1}`).classList.toggle('chosen', chosen);
  }
}

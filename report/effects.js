// Additive rules: the sum that gives the probability of a case.
import {classOfInterest} from './chart.js';
import {className, h, name} from './dom.js';
import {counted, fine, signed} from './words.js';

const MOST = 5; // classes whose sum is shown

const conditionText = (model, rule) => rule.if.map(([f, v], k) => [k ? ' and ' : '', name(model.features[f].name), ' is ', name(model.features[f].labels[v].name)]);

const line = (text, effect, kind, note) => h('li', {class: kind, 'data-effect': effect},
  h('span', {}, text), h('span', {class: 'number'}, signed(effect), note));

// With two classes: the effects on the log-odds of the class of interest.
function twoClasses(model, answer, link) {
  const c = classOfInterest(model);
  const sign = (rule) => (rule.then === c ? 1 : -1);
  const start = model.biases[c] - model.biases[1 - c];
  const active = model.rules.map((rule, r) => [rule, r]).filter(([, r]) => answer.scores[r] > 0)
    .sort(([, a], [, b]) => answer.scores[b] - answer.scores[a]);
  const all = active.reduce((sum, [rule, r]) => sum + sign(rule) * answer.scores[r], start);
  const points = active.reduce((sum, [rule]) => sum + (rule.points || 0), 0);
  return [h('p', {class: 'note'}, 'Each rule that applies raises (+) or lowers (−) the log-odds of ', className(model, c), '.'),
    h('ol', {class: 'effects'}, line('start', start, 'start'),
      active.map(([rule, r]) => line([link(r), ': ', conditionText(model, rule)], sign(rule) * answer.scores[r], '', rule.points ? ` (${rule.points < 0 ? '−' : '+'}${Math.abs(rule.points)})` : '')),
      line(['sum', model.natsPerPoint ? `, ${points < 0 ? '−' : ''}${counted(Math.abs(points), 'point')}` : ''], all, 'sum')),
    h('p', {}, 'This sum is a probability of ', h('strong', {}, fine(answer.probabilities[c])), ' for ', className(model, c), '.')];
}

function oneOfMany(model, answer, c, sum, link) {
  const active = model.rules.map((_, r) => r).filter((r) => model.rules[r].then === c && answer.scores[r] > 0);
  return h('li', {'data-effect': sum}, h('span', {}, className(model, c), `: start ${signed(model.biases[c])}`, active.map((r) => [', ', link(r), ` ${signed(answer.scores[r])}`])),
    h('span', {class: 'number'}, `${signed(sum)} → ${fine(answer.probabilities[c])}`));
}

export function effects(model, engine, answer, link) {
  if (model.classes.length === 2) return twoClasses(model, answer, link);
  const sums = engine.sums(answer.scores);
  const order = [...sums.keys()].sort((a, b) => sums[b] - sums[a]);
  return [h('p', {class: 'note'}, 'The rules add up by class; the sums, compared with each other, give the probabilities.'),
    h('ol', {class: 'effects'}, order.slice(0, MOST).map((c) => oneOfMany(model, answer, c, sums[c], link)))];
}

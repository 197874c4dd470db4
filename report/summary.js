// What is predicted, from which columns, how well, and how the model was trained.
import {className, h, name, replace} from './dom.js';
import {policyTexts} from './reasons.js';
import {counted, fine, grouped, listed, percent} from './words.js';

const figure = (value, caption, note) => h('div', {class: 'figure'},
  h('div', {class: 'value'}, value), h('div', {class: 'caption'}, caption), note && h('div', {class: 'note'}, note));

// With more classes, the matrix would push the rules out of sight.
const MANY_CLASSES = 10;

const ofHundred = (percent) => `${percent.toFixed(1)} %`;

// Of a model without rules, accuracy says nothing.
function accuracyFigures({data, validation, rules, target, classes}) {
  const figures = [];
  if (!rules.length) return figures;
  if (validation.folds) {
    const spread = `cross-validation with ${validation.folds} folds, ± ${validation.deviation.toFixed(1)} between folds`;
    figures.push(data.same
      ? figure(ofHundred(validation.accuracy), 'right on unseen rows', spread)
      : figure(ofHundred(validation.accuracy), 'right if the rules are learned again', `from this data, with the same settings; ${spread}`));
  }
  if (data.hasTarget && data.known > 0) {
    const part = data.known < data.rows ? `of ${grouped(data.known)} rows whose class the model knows; ` : '';
    const sizes = data.confusion.map((counts) => counts.reduce((a, b) => a + b, 0));
    const largest = sizes.indexOf(Math.max(...sizes));
    figures.push(figure(ofHundred(data.accuracy), 'right on this data', [part, (data.same ? 'the training rows: expect less on new ones' : data.heldOut ? 'not used for training: a fair test' : 'perhaps rows of the training'),
      '; always predicting ', className({target, classes}, largest), ` would be right on ${ofHundred(100 * sizes[largest] / data.known)}`]));
  }
  return figures;
}

function referralFigure({data}) {
  if (!data.referred) return null;
  const {rows, restKnown, restRight} = data.referred;
  return figure(percent(data.rows ? rows / data.rows : 0, 1), 'referred to a person',
    restKnown > 0 && `error on the rest: ${percent((restKnown - restRight) / restKnown, 1)}`);
}

// As a word of a command line.
const quoted = (text) => (/^[\w./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`);

// What is missing, and which commands to try.
function noRules(model, engine) {
  const {training, baseRates, classes} = model;
  const data = quoted(training.data || 'DATA.csv');
  const shares = classes.slice(0, 6).map((text, c) => [name(text), ` ${fine(baseRates[c])}`]);
  const commands = training.optionsForRules.map((options) => `frr train ${data} ${options}`);
  const rates = engine.byRule[0];
  return h('div', {class: 'missing-rules'}, h('h2', {}, 'This model has no rules'),
    h('p', {}, 'In training, no rule was worth its price, so every case gets the same answer: ', name(classes[model.else.then]), ` (probability ${fine(rates[model.else.then])}).`),
    model.hasCounts && h('p', {}, 'Classes in the training rows: ', listed(shares), '.'),
    h('p', {}, 'Accuracy would only repeat the share of the most frequent class. Commands to try:'),
    h('ul', {}, commands.map((text) => h('li', {}, h('code', {}, name(text))))));
}

function goodNews({data, rules}) {
  if (!data.heldOut || !rules.length) return null;
  return h('p', {class: 'good'}, 'These rows were not used for training: the figures below are a fair test. ',
    h('span', {class: 'note'}, 'The page knows the complete training table by its counts, not a part of it.'));
}

function unknownNote({rows, known, unknown}) {
  const names = unknown.map(([text, count]) => [name(text), ` (${counted(count, 'row')})`]);
  return [counted(rows - known, 'row'), ' without a class that the model knows: shown, but not counted as right or wrong.',
    names.length > 0 && [' Among them ', listed(names), '. Is the spelling different in the model?']];
}

function notes({data, validation, training, target}) {
  const items = [];
  if (!data.hasTarget) {
    items.push(['This data has no column ', name(target), ', so the page cannot say how often the rules are right.']);
  } else if (data.known < data.rows) {
    items.push(unknownNote(data));
  }
  if (!validation.folds && validation.whyNot) items.push([validation.whyNot]);
  if (training.stoppedEarly) items.push(['Training was stopped by its time limit.']);
  training.notes.forEach((note) => items.push([note]));
  return items.length ? h('ul', {class: 'notes'}, items.map((parts) => h('li', {}, parts))) : null;
}

function confusion({classes, data, rules}) {
  if (!data.hasTarget || data.known === 0 || !rules.length) return null;
  const most = Math.max(1, ...data.confusion.flat());
  const cell = (count, truth, predicted) => h('td', {
    class: !count ? 'none' : truth === predicted ? 'right' : 'wrong',
    style: {'--share': count / most},
  }, count ? grouped(count) : '·');
  const table = h('div', {class: 'scroll', tabindex: '0', role: 'region', 'aria-label': 'Confusion matrix'},
    h('table', {class: 'confusion'},
      h('caption', {}, 'How the rows of this data were decided, by their class. Right decisions are on the diagonal.'),
      h('thead', {}, h('tr', {}, h('th', {scope: 'col'}, 'class ↓ decided as →'), classes.map((text) => h('th', {scope: 'col'}, name(text))), h('th', {scope: 'col'}, 'right'))),
      h('tbody', {}, data.confusion.map((counts, truth) => {
        const all = counts.reduce((a, b) => a + b, 0);
        return h('tr', {}, h('th', {scope: 'row'}, name(classes[truth])), counts.map((count, predicted) => cell(count, truth, predicted)),
          h('td', {}, all ? `${(100 * counts[truth] / all).toFixed(0)} %` : '–'));
      }))));
  if (classes.length <= MANY_CLASSES) return table;
  return h('details', {class: 'making'}, h('summary', {}, `How the rows of each of the ${classes.length} classes were decided`), table);
}

function making(model) {
  const {training} = model;
  const facts = [
    ['Learned from', [name(training.data || 'unknown'), training.rows ? `, ${counted(training.rows, 'row')}` : '']],
    model.model && ['Model', [name(model.model), model.modelDate ? `, of ${model.modelDate}` : '']],
    ['Made by', [`FRR ${training.version || '(unknown version)'}`]],
    ['This page', [[model.made, `by FRR ${model.program}`].filter(Boolean).join(', ')]],
    ['Decision', [model.semantics === 'additive'
      ? 'the effects of all rules and a start value are added by class; softmax makes probabilities of the sums'
      : 'the rule with the largest score (weight times truth) decides; if none is true, ELSE']],
    ['AND', [model.tnorm.name + (model.tnorm.name === 'aczel-alsina' ? ` (${model.tnorm.lambda})` : '') +
      (model.root === 1 ? '' : `, root ${model.root}`)]],
  ].filter(Boolean);
  return h('details', {class: 'making'}, h('summary', {}, 'Date and settings of the training'),
    h('dl', {}, facts.map(([term, text]) => [h('dt', {}, term), h('dd', {}, text)])),
    training.settings.length > 0 && [
      h('h2', {}, 'Training settings'),
      h('dl', {class: 'settings'}, training.settings.map(([term, text]) => h('div', {}, h('dt', {}, name(term)), h('dd', {}, name(text)))))]);
}

export function showSummary(section, model, engine) {
  const {data, rules, classes} = model;
  const conditions = rules.reduce((sum, rule) => sum + rule.if.length, 0);
  const used = model.features.length;
  const list = classes.length <= 6
    ? [': ', classes.map((text, c) => [c ? (c === classes.length - 1 ? ' or ' : ', ') : '', name(text)])] : '';
  replace(section,
    h('p', {class: 'kicker'}, 'The rules that decide'),
    h('h1', {id: 'title'}, name(model.target)),
    h('p', {class: 'lead'}, `Each case gets one of ${classes.length} classes`, list, rules.length ? `, by ${counted(rules.length, 'rule')} that ${rules.length === 1 ? 'reads' : 'read'} ${used} of ${counted(model.allFeatures, 'column')}.` : '.'),
    rules.length ? null : noRules(model, engine),
    goodNews(model),
    h('div', {class: 'figures'}, accuracyFigures(model), referralFigure(model),
      figure(grouped(rules.length), rules.length === 1 ? 'rule' : 'rules', `${counted(conditions, 'condition')} in all`),
      figure(grouped(data.rows), data.rows === 1 ? 'row' : 'rows', name(data.name))),
    policyTexts(model).map((text) => h('p', {class: 'policy'}, text)),
    notes(model), confusion(model), making(model));
}

// The meaning of the words in the rules: labels over the histogram of the data.
import {categoryChart, legend, numberChart} from './chart.js';
import {h, name, replace} from './dom.js';
import {counted, meaning} from './words.js';

export function usedLabels(model, feature) {
  const used = new Set();
  model.rules.forEach((rule) => rule.if.forEach(([f, v]) => f === feature && used.add(v)));
  return used;
}

function labelList(feature, used) {
  const shown = feature.labels.map((label, v) => [label, v]).filter(([label]) => feature.type === 'numeric' || label.kind === 'missing');
  return shown.length ? h('dl', {class: 'labels'}, shown.map(([label, v]) => h('div', {class: used.has(v) ? '' : 'unused'},
    h('dt', {}, name(label.name)), h('dd', {}, meaning(label))))) : null;
}

export function showVocabulary(section, model, colours) {
  replace(section, h('h2', {id: 'vocabulary-title'}, 'The vocabulary'),
    h('p', {class: 'explain'}, 'What the words in the rules mean. "From 118 on, surely from 131" means: not at all up to 118, fully from 131 on, and in between to a degree that rises linearly, as the curves show. Words and curves in grey occur in no rule. The bars count the rows of this data (values beyond the picture at its ends), coloured by ',
      model.data.hasTarget ? 'their class.' : 'their predicted class.'),
    legend(model, colours),
    h('div', {class: 'features'}, model.features.map((feature, f) => {
      const used = usedLabels(model, f);
      return h('article', {class: 'feature'}, h('h3', {}, name(feature.name)),
        feature.type === 'numeric' ? numberChart(feature, used, colours) : categoryChart(feature, used, colours),
        labelList(feature, used),
        feature.missing ? h('p', {class: 'note'}, `Missing in ${counted(feature.missing, 'row')}.`) : null);
    })));
}

// Decisions and probabilities by group of rows.
import {byId, h, name, replace} from './dom.js';
import {membership} from './engine.js';
import {ratio} from './ranking.js';
import {fine, grouped, isMissing, listed, plain} from './words.js';

const MOST_GROUPS = 12;  // the others are merged
const MOST_VALUES = 200; // of a column that is shown with the rows
const COMPARED_ROWS = 10; // a rate of fewer rows is left out of the gaps

const MEASURES = [
  {key: 'called', title: 'called positive', part: (g) => [g.hits + g.alarms, g.rows]},
  {key: 'sensitivity', title: 'sensitivity (TPR)', part: (g) => [g.hits, g.events]},
  {key: 'alarms', title: 'false alarms (FPR)', part: (g) => [g.alarms, g.rows - g.events]},
  {key: 'ppv', title: 'PPV', part: (g) => [g.hits, g.hits + g.alarms]},
  {key: 'mean', title: 'mean probability', part: (g) => [g.chance, g.rows]},
  {key: 'observed', title: 'observed share', part: (g) => [g.events, g.rows]},
];

const shareOf = (measure, group) => ratio(...measure.part(group));

// The label with the largest degree, the first of equals; -1: none.
function labelOf(feature, value) {
  let best = -1;
  let most = 0;
  feature.labels.forEach((label, v) => {
    const degree = membership(label, v, value);
    if (degree > most) [best, most] = [v, degree];
  });
  return best;
}

export class Groups {
  constructor(evidence) {
    this.evidence = evidence;
    this.columns = [...this.features(), ...this.shownColumns()];
    this.column = Math.max(0, this.columns.findIndex(({categorical}) => categorical));
    this.cache = new Map();
  }

  features() {
    const {model, data} = this.evidence;
    return model.features.map((feature, f) => {
      const labelName = (value) => {
        if (typeof value === 'string') return value;
        const v = labelOf(feature, value);
        return v < 0 ? (isMissing(value) ? 'missing' : 'no label') : feature.labels[v].name;
      };
      // Ranges are listed in their order, categories by their number of rows.
      const categorical = feature.type !== 'numeric';
      const places = categorical ? null : feature.labels.map((label) => label.name);
      return {title: feature.name, categorical, places, of: (i) => labelName(data.columns[f][i])};
    });
  }

  // Columns with few distinct values.
  shownColumns() {
    const {data} = this.evidence;
    return data.shown.map(({name: title, values}) => ({
      title, categorical: true,
      of: (i) => (isMissing(values[i]) ? 'missing' : typeof values[i] === 'number' ? plain(values[i]) : values[i]),
      count: new Set(values).size,
    })).filter(({count}) => count <= MOST_VALUES);
  }

  build() {
    if (!this.columns.length) return null;
    const select = h('select', {id: 'group-column', on: {change: () => {
      this.column = Number(byId('group-column').value);
      this.refresh();
    }}}, this.columns.map(({title}, k) => h('option', {value: k, selected: k === this.column}, title === '' ? '(empty)' : title)));
    return h('div', {class: 'by-group'}, h('h3', {}, 'By group'),
      h('div', {class: 'bar-of-tools', role: 'group', 'aria-label': 'Which groups'}, h('label', {}, 'Compare the groups of ', select)),
      h('div', {class: 'scroll', tabindex: '0', role: 'region', 'aria-label': 'Table of the groups'},
        h('table', {class: 'group-table'}, h('caption', {}, 'At the threshold above.'),
          h('thead', {}, h('tr', {}, h('th', {scope: 'col'}, 'group'), h('th', {scope: 'col'}, 'rows'), MEASURES.map(({title}) => h('th', {scope: 'col'}, title)))),
          h('tbody', {id: 'group-body'}))),
      h('p', {id: 'group-gaps', class: 'note'}));
  }

  // The group of each row, and the names of the groups, most rows first.
  partition() {
    if (this.cache.has(this.column)) return this.cache.get(this.column);
    const {known, weights} = this.evidence;
    const {of, places: fixed} = this.columns[this.column];
    const names = known.map(of);
    const rows = new Map();
    names.forEach((text, k) => rows.set(text, (rows.get(text) || 0) + weights[k]));
    const order = [...rows.keys()].sort((a, b) => rows.get(b) - rows.get(a));
    const merged = order.length > MOST_GROUPS;
    const kept = merged ? order.slice(0, MOST_GROUPS - 1) : order;
    if (fixed) kept.sort((a, b) => fixed.indexOf(a) - fixed.indexOf(b));
    const places = new Map(kept.map((text, k) => [text, k]));
    const found = {
      titles: merged ? [...kept, `${order.length - kept.length} others`] : kept,
      of: names.map((text) => (places.has(text) ? places.get(text) : kept.length)),
    };
    this.cache.set(this.column, found);
    return found;
  }

  counts({titles, of}) {
    const {chances, events, weights, threshold} = this.evidence;
    const groups = titles.map(() => ({rows: 0, events: 0, hits: 0, alarms: 0, chance: 0}));
    of.forEach((g, k) => {
      const group = groups[g];
      const weight = weights[k];
      const called = chances[k] >= threshold;
      group.rows += weight;
      group.chance += weight * chances[k];
      if (events[k]) group.events += weight;
      if (called && events[k]) group.hits += weight;
      if (called && !events[k]) group.alarms += weight;
    });
    return groups;
  }

  refresh() {
    if (!this.columns.length) return;
    const partition = this.partition();
    const groups = this.counts(partition);
    const cell = (measure, group) => {
      const share = shareOf(measure, group);
      return h('td', {'data-measure': measure.key}, share === null ? '–' : fine(share));
    };
    replace(byId('group-body'), groups.map((group, g) => h('tr', {}, h('th', {scope: 'row'}, name(partition.titles[g])),
      h('td', {}, grouped(group.rows)), MEASURES.map((measure) => cell(measure, group)))));
    replace(byId('group-gaps'), this.gaps(partition.titles, groups));
  }

  // The largest difference of each measure, and of probabilities from what was observed.
  gaps(titles, groups) {
    const found = [];
    for (const measure of MEASURES.slice(0, 4)) {
      const shares = groups.map((group, g) => ({g, share: shareOf(measure, group), all: measure.part(group)[1]}))
        .filter(({share, all}) => share !== null && all >= COMPARED_ROWS).sort((a, b) => a.share - b.share);
      if (shares.length < 2) continue;
      const [low, high] = [shares[0], shares[shares.length - 1]];
      found.push([measure.title, ` ${(100 * (high.share - low.share)).toFixed(1)} points`, high.share > low.share && [' (', name(titles[high.g]), ' above ', name(titles[low.g]), ')']]);
    }
    const off = groups.map((group, g) => ({g, gap: ratio(group.chance, group.rows) - ratio(group.events, group.rows), rows: group.rows}))
      .filter(({rows}) => rows >= COMPARED_ROWS).sort((a, b) => Math.abs(b.gap) - Math.abs(a.gap));
    if (off.length) {
      found.push([`probability ${off[0].gap < 0 ? 'below' : 'above'} the observed share`, ` ${(100 * Math.abs(off[0].gap)).toFixed(1)} points`, [' (', name(titles[off[0].g]), ')']]);
    }
    if (!found.length) return 'The groups are too small to be compared.';
    return ['Largest gaps: ', listed(found), `. Rates of fewer than ${COMPARED_ROWS} rows are not compared.`];
  }
}

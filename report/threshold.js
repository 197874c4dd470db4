// Evidence from rows of known class: curves, and what each threshold does.
import {classOfInterest} from './chart.js';
import {benefitCurve, calibrationCurve, precisionCurve, rocCurve} from './curves.js';
import {byId, className, h, replace} from './dom.js';
import {Groups} from './groups.js';
import {Ranking, ratio} from './ranking.js';
import {thresholdOf} from './reasons.js';
import {counted, exactly, fine, grouped} from './words.js';

const STEP = 0.005;
const HALF = 0.5;

export const shareText = (share) => (share === null ? '–' : fine(share));

// Text of a percentage; null unless it is above 0 and below 100.
function readPercent(text) {
  const value = Number(text.trim().replace('%', '').replace(',', '.')) / 100;
  return text.trim() !== '' && value > 0 && value < 1 ? value : null;
}

export class Evidence {
  // `rows`: decided rows, with their probabilities.
  constructor(section, model, data, rows) {
    Object.assign(this, {section, model, data, rows});
    this.known = [...Array(data.count).keys()].filter((i) => data.truth && data.truth[i] >= 0);
    this.available = this.known.length > 0 && model.rules.length > 0;
    section.hidden = !this.available;
    if (!this.available) return;
    this.weights = Float64Array.from(this.known, (i) => data.weights[i]);
    this.groups = new Groups(this);
    this.build();
    this.chooseClass(classOfInterest(model));
  }

  build() {
    const {model, data} = this;
    const many = model.classes.length > 2;
    const classes = h('select', {id: 'evidence-class', on: {change: () => this.chooseClass(Number(byId('evidence-class').value))}},
      model.classes.map((text, c) => h('option', {value: c}, text === '' ? '(empty)' : text)));
    const part = data.count < model.data.rows ? ` Computed from the ${grouped(data.count)} rows on this page, a sample that is weighted so that it stands for all ${grouped(model.data.rows)}.` : '';
    replace(this.section, h('h2', {id: 'evidence-title'}, 'The evidence'),
      h('p', {class: 'explain'}, this.dataText(), part),
      many && h('div', {class: 'bar-of-tools', role: 'group', 'aria-label': 'Which class'}, h('label', {}, 'Class, against all others', classes)),
      h('div', {id: 'evidence-body'}));
  }

  dataText() {
    const {same, heldOut} = this.model.data;
    if (heldOut) return 'These rows were not used for training: the figures below are a fair test.';
    if (same) return 'These are the training rows: expect worse figures on new ones.';
    return 'How well the probabilities separate and describe the rows of this data.';
  }

  chooseClass(c) {
    this.positive = c;
    const {data, rows} = this;
    if (byId('evidence-class')) byId('evidence-class').value = c;
    this.chances = Float64Array.from(this.known, (i) => rows.chance(i, c));
    this.events = Uint8Array.from(this.known, (i) => Number(data.truth[i] === c));
    this.ranking = new Ranking(this.chances, this.events, this.weights);
    const {positives, negatives} = this.ranking;
    const body = byId('evidence-body');
    if (positives === 0 || negatives === 0) {
      return replace(body, h('p', {class: 'note'}, `There is nothing to compare: ${positives ? 'all' : 'none'} of these rows are `, this.className(), '.'));
    }
    this.pictures = [rocCurve, precisionCurve, calibrationCurve, benefitCurve].map((draw) => draw(this.ranking));
    this.start = thresholdOf(this.model, c);
    replace(body, h('div', {class: 'curves'}, this.pictures.map(({element}) => element)), this.thresholdPart(), this.groups.build());
    this.setThreshold(this.start === null ? HALF : this.start);
  }

  className() {
    return className(this.model, this.positive);
  }

  thresholdPart() {
    const slider = h('input', {type: 'range', id: 'threshold', min: STEP, max: 1 - STEP, step: STEP, 'aria-labelledby': 'threshold-label', on: {input: () => this.setThreshold(Number(slider.value))}});
    const field = h('input', {type: 'text', id: 'threshold-number', inputmode: 'decimal', autocomplete: 'off', 'aria-labelledby': 'threshold-label threshold-unit',
      on: {input: () => this.readThreshold(), change: () => this.showThreshold()}});
    return h('div', {class: 'threshold'}, h('h3', {}, 'What a threshold does'),
      h('div', {class: 'controls'}, h('label', {id: 'threshold-label', for: 'threshold-number'}, 'Call a case ', this.className(), ' if its probability is at least'),
        slider, field, h('span', {id: 'threshold-unit'}, '%'),
        this.start !== null && h('button', {type: 'button', id: 'threshold-reset', on: {click: () => this.setThreshold(this.start)}}, `As the model decides: ${exactly(this.start)}`)),
      h('div', {id: 'threshold-result'}),
      h('p', {id: 'threshold-status', class: 'screen-reader', role: 'status'}));
  }

  readThreshold() {
    const field = byId('threshold-number');
    const value = readPercent(field.value);
    field.setAttribute('aria-invalid', String(value === null));
    if (value !== null) this.setThreshold(value);
  }

  setThreshold(threshold) {
    this.threshold = threshold;
    if (document.activeElement !== byId('threshold')) byId('threshold').value = threshold;
    if (document.activeElement !== byId('threshold-number')) this.showThreshold();
    byId('threshold').setAttribute('aria-valuetext', exactly(threshold));
    this.pictures.forEach(({at}) => at(threshold));
    this.showResult();
    this.groups.refresh();
  }

  showThreshold() {
    const field = byId('threshold-number');
    field.value = exactly(this.threshold).replace(' %', '');
    field.removeAttribute('aria-invalid');
  }

  showResult() {
    const {ranking, threshold} = this;
    const {hits, alarms, misses, rest} = ranking.at(threshold);
    const number = (count, kind, id) => h('td', {class: kind, id}, grouped(count));
    const matrix = h('div', {class: 'scroll', tabindex: '0', role: 'region', 'aria-label': 'Confusion matrix at this threshold'},
      h('table', {class: 'confusion live'},
        h('thead', {}, h('tr', {}, h('td', {}), h('th', {scope: 'col'}, 'called ', this.className()), h('th', {scope: 'col'}, 'called not'))),
        h('tbody', {}, h('tr', {}, h('th', {scope: 'row'}, 'is ', this.className()), number(hits, 'right', 'live-hits'), number(misses, 'wrong', 'live-misses')),
          h('tr', {}, h('th', {scope: 'row'}, 'is not'), number(alarms, 'wrong', 'live-alarms'), number(rest, 'right', 'live-rest')))));
    replace(byId('threshold-result'), matrix, h('dl', {class: 'rates'}, this.rates(hits, alarms, misses, rest)));
    byId('threshold-status').textContent = `${counted(hits, 'hit')}, ${counted(misses, 'miss').replace('misss', 'misses')}, ${counted(alarms, 'false alarm')}`;
  }

  rates(hits, alarms, misses, rest) {
    const {ranking, threshold} = this;
    const benefit = ranking.netBenefit(threshold);
    const all = ranking.benefitOfAll(threshold);
    const digits = (value) => value.toFixed(4).replace('-', '−');
    const rows = [
      ['sensitivity', shareText(ratio(hits, hits + misses)), 'of the cases are found'],
      ['specificity', shareText(ratio(rest, rest + alarms)), 'of the others are spared'],
      ['PPV', shareText(ratio(hits, hits + alarms)), 'of those called are cases'],
      ['NPV', shareText(ratio(rest, rest + misses)), 'of those not called are not cases'],
      ['net benefit', digits(benefit), `calling all: ${digits(all)}, calling none: 0`],
    ];
    return rows.map(([term, value, note]) => h('div', {}, h('dt', {}, term), h('dd', {}, h('strong', {'data-measure': term}, value), ' ', h('span', {class: 'note'}, note))));
  }
}

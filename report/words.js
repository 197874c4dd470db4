// Numbers and labels in words.

export const isMissing = (value) => value === null || value === undefined;

// The fewest digits that read back as the same number; no exponent in the everyday range.
export function plain(number) {
  if (number === 0) return '0';
  const text = String(number);
  const size = Math.abs(number);
  if (!text.includes('e') || size < 1e-5 || size >= 1e21) return text;
  const [digits, exponent] = text.split('e');
  const places = (digits.split('.')[1] || '').length - Number(exponent);
  return number.toFixed(Math.min(100, Math.max(0, places)));
}

export const grouped = (count) => Math.round(count).toString().replace(/\B(?=(\d{3})+$)/g, ',');

export const counted = (count, noun) =>
  `${grouped(count)} ${noun}${count === 1 ? '' : 's'}`;

export const percent = (share, digits = 0) => `${(100 * share).toFixed(digits)} %`;

// A share that is not exactly 0 or 1 is never shown as 0% or 100%.
export function degree(share) {
  if (share > 0 && share < 0.005) return 'below 1 %';
  if (share < 1 && share > 0.995) return 'above 99 %';
  return percent(share);
}

// With one decimal; a share that is not exactly 0 or 1 is never shown as 0 or 100 %.
export function fine(share) {
  if (share > 0 && share < 0.0005) return 'below 0.1 %';
  if (share < 1 && share > 0.9995) return 'above 99.9 %';
  return percent(share, 1);
}

// A share that someone set, with all its digits.
export const exactly = (share) => `${plain(Number((100 * share).toPrecision(4)))} %`;

// A share as in "14 % of the rows": one decimal only where it matters.
export const rough = (share) => (share < 0.0995 ? fine(share) : degree(share));

// "+1.2", "−0.04"
export function signed(number) {
  const size = Math.abs(number);
  const digits = size >= 0.095 || size === 0 ? 1 : Math.min(20, -Math.floor(Math.log10(size)));
  return `${number < 0 ? '−' : '+'}${size.toFixed(digits)}`;
}

// How often a probability is as large as the average: "3.1 times the average".
export function lift(probability, rate) {
  if (!(rate > 0)) return '';
  const times = probability / rate;
  if (times < 0.095) return 'less than a tenth of the average';
  if (times >= 0.95 && times < 1.05) return 'about the average';
  return `${times >= 9.95 ? grouped(times) : times.toFixed(1)} times the average`;
}

// What a label means: "from 118 on, surely from 131".
export function meaning(label) {
  if (label.kind === 'missing') return 'no value is known';
  if (label.kind === 'category') return 'exactly this value';
  const [a, b, c, d] = label.shown;
  const openLeft = a === null;
  const openRight = d === null;
  if (openLeft && openRight) return 'any number';
  if (openLeft) return c === d ? `below ${d}` : `up to ${d}, surely up to ${c}`;
  if (openRight) return a === b ? `from ${a} on` : `from ${a} on, surely from ${b}`;
  if (a === d) return 'no number';
  // A crisp border belongs to the label on its right: from there on, and below.
  const whole = `from ${a} to ${c === d ? 'below ' : ''}${d}`;
  if (a === b) return c === d ? whole : `${whole}, surely up to ${c}`;
  if (c === d) return `${whole}, surely from ${b}`;
  return b === c ? `${whole}, surely at ${b}` : `${whole}, surely from ${b} to ${c}`;
}

// Three decimals, or two significant digits if these would be zeros.
export function scoreText(number) {
  if (number === 0 || Math.abs(number) >= 0.01) return number.toFixed(3);
  return number.toFixed(Math.min(20, 1 - Math.floor(Math.log10(Math.abs(number)))));
}

// The weight of a rule: two digits, without trailing zeros.
export const weightText = (weight) => plain(Number(weight.toPrecision(2)));

export const total = (counts) => counts.reduce((sum, count) => sum + count, 0);

// "a, b and c"
export const listed = (items) => items.flatMap((item, k) => [k === 0 ? '' : k === items.length - 1 ? ' and ' : ', ', item]);

export const ruleName = (rule) => (rule < 0 ? 'ELSE' : `rule ${rule + 1}`);

// A value of a row as text.
export function valueText(feature, value) {
  if (isMissing(value)) return 'missing';
  if (feature.type === 'numeric') return plain(value);
  return typeof value === 'string' ? value : feature.labels[value].name;
}

// Why a class is predicted that is not the most probable one, and what the policy of decisions is.
import {className} from './dom.js';
import {exactly, plain} from './words.js';

const times = (number) => plain(Number(number.toPrecision(3)));

// The cost of missing the class of interest and of a false alarm, if there are two classes.
export function errorCosts({policy, classes}) {
  if (!policy.costs || classes.length !== 2 || policy.positive < 0) return null;
  const other = 1 - policy.positive;
  return {miss: policy.costs[2 * policy.positive + other], alarm: policy.costs[2 * other + policy.positive]};
}

export function costText(model) {
  const costs = errorCosts(model);
  if (!costs) return 'this class has the lowest expected cost';
  const ratio = costs.miss / costs.alarm;
  if (ratio === 1) return 'all errors cost the same';
  return ratio > 1 ? `a miss counts as ${times(ratio)} false alarms` : `a false alarm counts as ${times(1 / ratio)} misses`;
}

// The probability of class `c` from which the model predicts it, if there is one; null otherwise.
export function thresholdOf(model, c) {
  const {policy, classes} = model;
  if (policy.threshold !== null) {
    if (c === policy.positive) return policy.threshold;
    return classes.length === 2 ? 1 - policy.threshold : null;
  }
  if (classes.length !== 2) return null;
  if (!policy.costs) return 0.5;
  const miss = policy.costs[2 * c + 1 - c];
  const alarm = policy.costs[2 * (1 - c) + c];
  return alarm / (alarm + miss);
}

// The parts of a sentence; null if `then` is the most probable class.
export function reasonForClass(model, probabilities, then) {
  if (probabilities[then] >= Math.max(...probabilities)) return null;
  const {policy} = model;
  if (policy.threshold !== null) {
    return [className(model, policy.positive), ` is predicted ${then === policy.positive ? '' : 'only '}from a probability of ${exactly(policy.threshold)} on`];
  }
  return policy.costs ? costText(model) : null;
}

// What the policy does, as paragraphs.
export function policyTexts(model) {
  const {policy} = model;
  const texts = [];
  if (policy.threshold !== null) {
    const {target} = policy;
    texts.push([className(model, policy.positive), ` is predicted from a probability of ${exactly(policy.threshold)} on`,
      target && `, chosen for a ${target.measure} of ${exactly(target.wanted)} (reached in cross-validation: ${exactly(target.reached)})`, '.']);
  } else if (errorCosts(model)) {
    const text = costText(model);
    texts.push([`${text[0].toUpperCase()}${text.slice(1)}, so `, className(model, policy.positive),
      ` is predicted from a probability of ${exactly(thresholdOf(model, policy.positive))} on.`]);
  } else if (policy.costs) {
    texts.push(['The class with the lowest expected cost is predicted.']);
  }
  if (policy.refer > 0) {
    texts.push([`A case is referred to a person if no class has a probability of ${exactly(policy.refer)}, or if no rule applies to it.`]);
  }
  return texts;
}

import { EXIT_CODES, inOrder } from '../exit-codes.js';
import { failuresOf } from '../measure/outcome.js';
import { splitAtComparison } from '../measure/thresholds.js';
import { count, measured, percent } from './numbers.js';

/**
 * @import { Verdict } from '../measure/verdict.js'
 * @import { Reason } from '../exit-codes.js'
 * @import { Result } from './types.js'
 *
 * @typedef {object} OutcomeText
 * @property {'passed' | 'failed'} status
 * @property {string} headline what decided, in one sentence
 * @property {string} details the other facts, in sentences; may be empty
 */

/** Whether the figures can be trusted, in a word. @type {Record<Verdict['status'], 'sound' | 'doubtful' | 'void'>} */
const MEASUREMENTS = { valid: 'sound', suspect: 'doubtful', invalid: 'void' };

/**
 * @param {Pick<Result, 'verdict'>} result
 * @returns {'sound' | 'doubtful' | 'void'}
 */
export function measurementOf({ verdict }) {
  return MEASUREMENTS[verdict.status];
}

/**
 * Whether the run did what was asked of it, as the exit code has it.
 *
 * @param {Result} result
 * @returns {OutcomeText}
 */
export function outcomeOf(result) {
  // the command `report` judges thresholds alone
  const reasons = inOrder([...failuresOf(result), ...(result.exit?.reasons ?? [])]);
  const facts = [...reasons.flatMap((reason) => sentencesOf(reason, result)), ...positiveFacts(result, reasons)];
  const [headline, ...details] = facts.map((fact) => `${fact}.`);
  return { status: reasons.length > 0 ? 'failed' : 'passed', headline, details: details.join(' ') };
}

/** @type {(reason: Reason, result: Result) => string[]} */
function sentencesOf(reason, result) {
  if (reason === 'threshold') return failedThresholds(result);
  return [reason === 'errors' ? errorsOf(result) : sentence(EXIT_CODES[reason].about)];
}

/** @type {(result: Result) => string[]} */
function failedThresholds({ thresholds = [] }) {
  return thresholds
    .filter(({ passed }) => !passed)
    .map((threshold) => {
      const { left } = splitAtComparison(threshold.expression);
      const [was, is] = left.endsWith('s') ? ['were', 'are'] : ['was', 'is'];
      const value = threshold.actual === null ? `${was} not measured` : `${is} ${measured(threshold)}`;
      return `${left} ${value}; the threshold is ${threshold.expression}`;
    });
}

/** @type {(result: Result) => string} */
function errorsOf({ errors, iterations, requests }) {
  if (requests.answered === 0) return 'No request was answered';
  const { failed, started } = iterations;
  if (failed === 0)
    return `${count(errors.count)} ${errors.count === 1 ? 'error' : 'errors'}, in no measured iteration`;
  return `${count(failed)} of ${count(started)} iterations failed (${percent(failed / started)})`;
}

/** @type {(result: Result, reasons: Reason[]) => string[]} */
function positiveFacts(result, reasons) {
  const { thresholds = [], errors, iterations } = result;
  const passed = thresholds.filter((one) => one.passed).length;
  const ofThresholds =
    thresholds.length > 0 ? [`${count(passed)} of ${count(thresholds.length)} thresholds passed`] : [];
  if (reasons.includes('errors')) return ofThresholds;
  const ofErrors =
    errors.count > 0 ? errorsOf(result) : `${count(iterations.completed)} iterations completed without errors`;
  return [ofErrors, ...ofThresholds];
}

/** @type {(text: string) => string} */
function sentence(text) {
  return `${text[0].toUpperCase()}${text.slice(1)}`;
}

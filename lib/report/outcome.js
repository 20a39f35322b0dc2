import { EXIT_CODES, inOrder } from '../exit-codes.js';
import { failuresOf } from '../measure/outcome.js';
import { fewValuesOf } from '../measure/judge-thresholds.js';
import { splitAtComparison } from '../measure/thresholds.js';
import { valuesNeeded } from '../quantile.js';
import { count, counted, measured, percent } from './numbers.js';
import { unsupportedPercentiles } from './supported.js';

/**
 * @import { Judgement } from '../measure/thresholds.js'
 * @import { Verdict } from '../measure/verdict.js'
 * @import { Reason } from '../exit-codes.js'
 * @import { Result } from './types.js'
 *
 * @typedef {object} OutcomeText
 * @property {'passed' | 'failed'} status
 * @property {string} headline what decided, in one sentence
 * @property {string} details the other facts, in sentences; may be empty
 */

/** How far the figures can be trusted, in a word. @type {Record<Verdict['status'], 'sound' | 'doubtful' | 'void'>} */
const MEASUREMENTS = { valid: 'sound', suspect: 'doubtful', invalid: 'void' };

/**
 * @param {Pick<Result, 'verdict'>} result
 * @returns {'sound' | 'doubtful' | 'void'}
 */
export function measurementOf({ verdict }) {
  // a word that this version does not know is no reason to trust the figures
  return Object.hasOwn(MEASUREMENTS, verdict.status) ? MEASUREMENTS[verdict.status] : 'void';
}

/**
 * Notes about the figures: the reasons of the verdict, and which percentiles too few values cannot support.
 *
 * @param {Pick<Result, 'verdict' | 'main'>} result
 * @returns {string[]} sentences; a sound measurement may have some
 */
export function measurementNotes({ verdict, main }) {
  const missing = unsupportedPercentiles({ main });
  const last = missing.at(-1);
  if (last === undefined) return verdict.reasons;
  const needed = count(valuesNeeded(Number(last.slice(1)) / 100));
  return [
    ...verdict.reasons,
    `too few values for ${listed(missing)}: ${last} needs ${needed} iterations, this run has ${count(main.histogram.count)}`,
  ];
}

/**
 * The measured value of a threshold, with a note if it is a percentile of too few values.
 *
 * @param {Judgement} threshold
 * @param {Result} result
 * @returns {string}
 */
export function thresholdText(threshold, result) {
  const few = fewValuesOf(threshold, result);
  return few
    ? `${measured(threshold)} (of ${count(few.count)} values; ${few.label} needs ${count(few.needed)})`
    : measured(threshold);
}

/** @type {(names: string[]) => string} */
function listed(names) {
  return names.length > 1 ? `${names.slice(0, -1).join(', ')} and ${names.at(-1)}` : names.join();
}

/**
 * Why a run failed, the deciding reason first.
 *
 * @param {Result} result
 * @returns {Reason[]} none if it passed
 */
export function reasonsOf(result) {
  // the command `report` judges thresholds alone
  return inOrder([...failuresOf(result), ...(result.exit?.reasons ?? [])]);
}

/**
 * The outcome of a run, which agrees with the exit code.
 *
 * @param {Result} result
 * @returns {OutcomeText}
 */
export function outcomeOf(result) {
  const reasons = reasonsOf(result);
  const facts = [...reasons.flatMap((reason) => sentencesOf(reason, result)), ...positiveFacts(result, reasons)];
  const [headline, ...others] = facts.map((fact) => `${fact}.`);
  const details = others.map((fact) => (FIGURE.test(fact) ? sentence(fact) : fact)).join(' ');
  return { status: reasons.length > 0 ? 'failed' : 'passed', headline, details };
}

/** A sentence that begins with a figure that is a word; p95 and names of operations and metrics stay as they are. */
const FIGURE = /^(errors|checks|mean|median|rate|count|min|max|stddev) (is|are|was|were) /;

/** @type {(reason: Reason, result: Result) => string[]} */
function sentencesOf(reason, result) {
  if (reason === 'threshold') return failedThresholds(result);
  const regressions = (result.baseline?.limits ?? []).flatMap(({ problem }) => problem ?? []);
  if (reason === 'regression' && regressions.length > 0) return regressions;
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
  if (failed === 0) return `${counted(errors.count, 'error')}, in no measured iteration`;
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
    errors.count > 0 ? errorsOf(result) : `${counted(iterations.completed, 'iteration')} completed without errors`;
  return [ofErrors, ...ofThresholds];
}

/** @type {(text: string) => string} */
function sentence(text) {
  return `${text[0].toUpperCase()}${text.slice(1)}`;
}

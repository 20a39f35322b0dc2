import { count, counted, ms, rate } from '../../../core/ground/decimal.js';
import { inUnitOfRate } from '../../../core/ground/units.js';
import { statusOfOutcome } from '../../../core/measure/outcome.js';
import { fileOf, machineTexts, targetText, toolText } from '../../../core/report/rows.js';

/** A search for the capacity of a service in words, as text, Markdown, page and card print it. */

/** @import { Capacity, CapacityStep } from '../capacity.js' */
/** @import { Verdict } from '../../../core/measure/outcome.js' */

/**
 * @typedef {object} StepRow a step in words
 * @property {string} load
 * @property {string} throughput
 * @property {string} p50
 * @property {string} p95
 * @property {string} p99
 * @property {string} errors
 * @property {CapacityStep['outcome']['status']} status
 * @property {string} note the role of the step, or why it did not pass
 */

/** The columns of a table of steps, beside verdict and note. */
export const STEP_HEAD = ['load', 'throughput', 'p50, ms', 'p95', 'p99', 'errors'];

/** @type {(step: CapacityStep, by: Capacity['by']) => StepRow} */
export function stepRow({ load, role, outcome, iterations, responseTime, errors }, by) {
  const { median, p95, p99 } = responseTime;
  return {
    load: loadText(load.rate ?? load.virtualUsers, by),
    throughput: `${rate(iterations.completedRate)}/s`,
    p50: ms(median),
    p95: ms(p95),
    p99: ms(p99),
    errors: count(errors.count),
    status: outcome.status,
    note: [...(role === 'search' ? [] : [ROLES[role]]), ...outcome.reasons.map(({ message }) => message)].join('; '),
  };
}

const ROLES = { settling: 'lets the service recover', confirmation: 'repeated' };

/** A load in words: `485/s`, `3/h`, `8 virtual users`. @type {(load: number, by: Capacity['by']) => string} */
export function loadText(load, by) {
  if (by === 'users') return counted(load, 'virtual user');
  const { value, unit } = inUnitOfRate(load);
  // The product of a rate and a unit may be a little off a whole number.
  const exact = Number(value.toPrecision(12));
  return `${Number.isInteger(exact) ? count(exact) : rate(exact)}/${unit}`;
}

/**
 * An interval of loads in words: `473 to 522/s`; `from 473/s` if its end is not known.
 * @type {(interval: { low: number, high: number | null }, by: Capacity['by']) => string}
 */
export function intervalText({ low, high }, by) {
  const text = (/** @type {number} */ value) => (by === 'rate' && value < 100 ? rate(value) : count(value));
  const unit = by === 'rate' ? '/s' : '';
  return high === null ? `from ${text(low)}${unit}` : `${text(low)} to ${text(high)}${unit}`;
}

/** What was searched for, and where, in a line. @type {(capacity: Capacity) => string} */
export function headText({ by, within, run }) {
  const what = by === 'rate' ? 'highest arrival rate' : 'highest number of virtual users';
  const file = run ? fileOf(run.flow.source) : '';
  const flow = run ? `${file && ` of ${file}`}${targetText(run)}` : '';
  return `${what}${flow}, within ${percentText(within)}`;
}

/** Writes a precision: `5 %`. @type {(share: number) => string} */
export function percentText(share) {
  return `${Number((share * 100).toPrecision(3))} %`;
}

/** Date, version and machine. @type {(capacity: Capacity) => [date: string, tool: string, ...machine: string[]]} */
export function aboutText({ startedAt, tool, loadGenerators = [] }) {
  const date = `${startedAt.slice(0, 10)} ${startedAt.slice(11, 19)} UTC`;
  return [date, toolText({ tool }), ...machineTexts({ loadGenerators })];
}

/** What else was found, in sentences. @type {(capacity: Capacity) => string[]} */
export function remarksOf({ by, conclusion, scalability }) {
  const { knee, load } = conclusion;
  const kneeText = knee === null || knee === load ? [] : [`response times rise from ${loadText(knee, by)} on`];
  return [...kneeText, ...(scalability ? scalabilityText(scalability) : [])];
}

/** @type {(scalability: NonNullable<Capacity['scalability']>) => string[]} */
function scalabilityText({ fits, message, rate: one, contention, coherence }) {
  if (!fits || !one || !contention || !coherence) return [message];
  const parts = [
    `${rate(one.value)} ± ${rate(one.error)}/s of one virtual user`,
    `contention ${significant(contention)}`,
    `coherence ${significant(coherence)}`,
  ];
  return [`Universal Scalability Law: ${parts.join(', ')} (standard errors)`, message];
}

/** @type {(estimated: { value: number, error: number }) => string} */
function significant({ value, error }) {
  return `${Number(value.toPrecision(2))} ± ${Number(error.toPrecision(2))}`;
}

/** @type {(capacity: Capacity) => string} */
export function titleText(capacity) {
  return capacity.conclusion.load === null ? 'capacity' : `capacity: ${heldText(capacity)}`;
}

/** The load that holds, and whether it may be more. @type {(capacity: Capacity) => string} */
export function heldText({ by, conclusion: { code, load, interval } }) {
  const isLeast = code === 'atLeast' || interval.high === null;
  return load === null ? '-' : `${isLeast ? 'at least ' : ''}${loadText(load, by)}`;
}

/** The word of each outcome, and the status that gives its band a color. */
const OUTCOMES = /** @type {const} */ ({
  found: { status: 'passed', word: '✓ found' },
  atLeast: { status: 'undecided', word: '? at least' },
  none: { status: 'failed', word: '✗ none' },
  imprecise: { status: 'undecided', word: '? not precise' },
  unrecovered: { status: 'undecided', word: '? not recovered' },
});

/** @type {(capacity: Capacity) => { status: Verdict, word: string }} */
export function outcomeOfCapacity({ conclusion, outcome }) {
  return statusOfOutcome(outcome) === 'failed' ? { status: 'failed', word: '✗ failed' } : OUTCOMES[conclusion.code];
}

/** @typedef {ReturnType<typeof pointsOf>[0]} LoadPoint */

/**
 * Returns what charts draw: the steps in the order of their loads, without those that let the service recover, and
 * without a load of 0, for which their logarithmic axes have no place.
 * @param {CapacityStep[]} steps
 */
export function pointsOf(steps) {
  return steps
    .filter(({ role }) => role !== 'settling')
    .map(({ load, outcome: { status }, iterations, responseTime: { median, p95, p99 }, errors: { share } }) => ({
      load: load.rate ?? load.virtualUsers,
      status,
      iterations,
      responseTime: { median, p95, p99 },
      errors: { share },
    }))
    .filter(({ load }) => load > 0)
    .sort((a, b) => a.load - b.load);
}

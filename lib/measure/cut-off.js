import { makeError } from '../ground/errors.js';
import { writeMs } from '../ground/units.js';
import { MAX_SAMPLES } from './samples.js';
import { TRANSACTIONS } from './transactions.js';

/** @import { Stats } from '../contracts/stats.js' */
/** @import { ErrorSample, OperationSummary } from '../contracts/summaries.js' */
/** @import { Histogram } from './histogram.js' */
/** @import { Recorder } from './recorder.js' */

const CODE = 'E_OVERDUE';
const KIND = 'timeout';
/**
 * A cut off iteration that is older than this percentile of the completed ones is not ordinary: the end of a run cuts
 * off iterations of any age, but of a server that answers few that are so old.
 */
const ORDINARY_PERCENTILE = 99;

/** @typedef {{ count: number, errors: number, overdue?: number }} Countable an operation, a scenario or a group */

/**
 * Counts what the end of the run cut off, in three sets, each a part of the one before:
 *
 *     cancelled   iterations that were running at the end, of any age
 *     cut off     those of them that were not ordinary: older than 99 % of the completed ones
 *     overdue     those of them that had run longer than the slowest completed one: they are errors, as a server that
 *                 does not answer has failed, even if no timeout has expired
 *
 * Requests outside of `main`, as in a teardown, are overdue if they had waited longer than the slowest answered one of
 * their operation.
 *
 * @param {Stats} stats its iterations, errors, operations, scenarios and groups are changed; those of the recorder have
 *   the same order
 * @param {Pick<Recorder, 'operations' | 'scenarios' | 'groups'>} recorder
 * @param {{ cancelled: Histogram, serviceTime: Histogram }} times of `main`: of cancelled iterations until they were
 *   cut off, and of completed ones
 */
export function countCutOff(stats, recorder, { cancelled, serviceTime }) {
  const { iterations, operations } = stats;
  const { slowest } = iterations;
  const overdueInMain = cancelled.countAbove(slowest);
  const samples = recorder.operations.cancelled().flatMap((cut, i) => overdueIn(operations[i], cut, slowest));
  for (const { key } of TRANSACTIONS)
    for (const [i, cut] of recorder[key].cancelled().entries()) {
      const overdue = cut.countAbove(slowest);
      if (overdue > 0) addTo(/** @type {Countable} */ (stats[key]?.[i]), overdue, { isInCount: false });
    }
  // The others waited for a hook when they were cut off, and not for the response of an operation.
  const others = overdueInMain - countIn(samples, 'main');
  if (others > 0) samples.push(sampleOf({ phase: 'main', name: '' }, others, slowestText(slowest)));
  iterations.overdue = overdueInMain + countIn(samples, 'beforeMain');
  iterations.cutOff = notOrdinary(stats, { cancelled, serviceTime }) - overdueInMain;
  stats.errors = withSamples(stats.errors, samples);
}

/** @type {(operation: OperationSummary, cut: Histogram, slowest: number) => ErrorSample[]} */
function overdueIn(operation, cut, slowest) {
  // The operations beyond the first 1,000, which are added up, count as those of `main`.
  const isMainOperation = operation.phase === 'main' || operation.other === true;
  const ownSlowest = operation.times.serviceTime.max ?? 0;
  const overdue = cut.countAbove(isMainOperation ? slowest : ownSlowest);
  if (overdue === 0) return [];
  addTo(operation, overdue, { isInCount: true });
  return [sampleOf(operation, overdue, isMainOperation ? slowestText(slowest) : answeredText(ownSlowest))];
}

/**
 * Adds overdue ones to the figures of a row. `isInCount`: its count has them already, as that of an operation has every
 * request that was sent.
 * @type {(one: Countable, overdue: number, options: { isInCount: boolean }) => void}
 */
function addTo(one, overdue, { isInCount }) {
  one.overdue = overdue;
  one.errors += overdue;
  if (!isInCount) one.count += overdue;
}

/**
 * @type {(operation: { phase?: string, name: string, protocol?: string }, count: number, than: string) => ErrorSample}
 */
function sampleOf({ phase: own, name, protocol }, count, than) {
  const { message } = makeError(CODE, { what: protocol === 'measure' ? 'result' : 'complete response', than });
  const phase = own || 'main';
  const place = name === '' ? { path: `flow.${phase}` } : { operation: name };
  return { message, phase, kind: KIND, code: CODE, ...place, count, firstIndex: null };
}

/** @type {(ms: number) => string} */
function slowestText(ms) {
  return ms > 0 ? `it had run longer than the slowest completed iteration (${timeText(ms)})` : 'no iteration completed';
}

/** @type {(ms: number) => string} */
function answeredText(ms) {
  return ms > 0
    ? `it had waited longer than the slowest answered one of its operation (${timeText(ms)})`
    : 'none of its operation was answered';
}

/** @type {(ms: number) => string} */
function timeText(ms) {
  return writeMs(Math.max(1, Math.round(ms)));
}

/**
 * Counts the iterations of which the end of the run shows that the server had stopped answering, overdue ones as well:
 * they were older than 99 % of the completed ones, or they are more than all that have ended.
 * @type {(stats: Stats, times: { cancelled: Histogram, serviceTime: Histogram }) => number}
 */
function notOrdinary({ iterations: { completed, failed } }, { cancelled, serviceTime }) {
  if (cancelled.count > completed + failed) return cancelled.count;
  return cancelled.countAbove(serviceTime.valueAt(ORDINARY_PERCENTILE) ?? 0);
}

/** @type {(samples: ErrorSample[], phase?: string) => number} */
function countIn(samples, phase) {
  return samples.reduce((sum, sample) => sum + (phase === undefined || sample.phase === phase ? sample.count : 0), 0);
}

/** @type {(errors: Stats['errors'], samples: ErrorSample[]) => Stats['errors']} */
function withSamples(errors, samples) {
  const overdue = countIn(samples);
  if (overdue === 0) return { ...errors, overdue };
  // The largest of both; recorded errors keep half of the places, if they are as many.
  const recorded = errors.details.slice(0, Math.max(MAX_SAMPLES / 2, MAX_SAMPLES - samples.length));
  const largest = samples.toSorted(byCount).slice(0, MAX_SAMPLES - recorded.length);
  return {
    ...errors,
    count: errors.count + overdue,
    overdue,
    kinds: { ...errors.kinds, [KIND]: (errors.kinds[KIND] ?? 0) + overdue },
    details: [...recorded, ...largest].sort(byCount),
  };
}

/** @type {(a: ErrorSample, b: ErrorSample) => number} */
function byCount(a, b) {
  return b.count - a.count;
}

/** The recorded errors, for a sum that counts the cut off anew. @type {(errors: Stats['errors']) => Stats['errors']} */
export function withoutOverdue({ overdue = 0, ...errors }) {
  if (overdue === 0) return errors;
  const rest = errors.kinds[KIND] - overdue;
  const { [KIND]: _all, ...others } = errors.kinds;
  return {
    ...errors,
    count: errors.count - overdue,
    kinds: rest > 0 ? { ...others, [KIND]: rest } : others,
    details: errors.details.filter(({ code }) => code !== CODE),
  };
}

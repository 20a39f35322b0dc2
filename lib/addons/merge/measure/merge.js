import { COUNTERS, OFFERED_FIGURES, isOpen, plannedMsOf, valueAt } from '../../../core/measure/figures.js';
import { addConfidence } from '../../../core/measure/confidence.js';
import { mergedGenerators } from './load-generators.js';
import { commonInterval, shifted } from './common-points.js';
import { lackingOf, startsOf } from './lacking.js';
import { mergeLoads } from './merge-loads.js';
import { Recorder } from '../../../core/measure/recorder.js';
import { Series } from '../../../core/measure/series.js';
import { pointsOf, stateOf } from '../../../core/measure/state.js';
import { addAddresses, summarize } from '../../../core/measure/summary.js';
import { isNamed } from '../../../core/measure/tags.js';
import { addSenders } from '../../../core/measure/thread.js';
import { CHECKS } from '../../../core/measure/threshold-figures.js';
import { addCounts } from '../../../core/transport/traffic.js';
import { TRANSACTIONS, transactionsIn } from '../../../core/measure/transactions.js';
import { keptReasons, missingIn, note } from '../../../core/measure/validity.js';
import { RECENT_MS } from '../../../core/measure/windows.js';

/** @import { TransportTotals } from '../../../core/contracts/connection.js' */
/** @import { Note, Stats } from '../../../core/contracts/stats.js' */
/** @import { Labels } from '../../../core/contracts/summaries.js' */
/** @import { WholePlan } from './lacking.js' */
/** @import { KeptPoint } from '../../../core/measure/series.js' */
/** @import { RunContext } from '../../../core/measure/summary.js' */
/** @import { Threshold } from '../../../core/measure/thresholds.js' */

/**
 * @typedef {object} MergeOptions
 * @property {string[]} [missing] descriptions of what the sum lacks
 * @property {boolean} [isOver] false for states of runs that have not ended
 * @property {number} [expectedInterval] ms, of all runs: adds `main.corrected`
 * @property {(number | null)[]} [offsets] when each result began, ms since the first one did; null: not known; default:
 *   all at the same time
 * @property {WholePlan} [whole] the results are shards of one run
 * @property {RunContext['precision']} [precision] that the sum shall reach
 * @property {(sum: { recorder: Recorder, traffic: TransportTotals }) => void} [onSum] gets what the sum is made of
 */

/**
 * Merges results (at least one, with counts, as in the JSON format) as if their load had been one run: counts and
 * histograms add up exactly, and simultaneous intervals become one. Operations are matched by phase and name. The
 * thresholds are applied to the sum.
 * @throws {Error} the counts of a histogram cannot be read
 * @type {(results: Stats[], thresholds?: Threshold[], options?: MergeOptions) => Stats}
 */
export function mergeStats(results, thresholds, options) {
  const steps = merging(results, thresholds, options);
  let step = steps.next();
  while (!step.done) step = steps.next();
  return step.value;
}

/**
 * Like {@link mergeStats}, in several turns of the event loop: one result with 2,000 operations takes more than a
 * second.
 * @param {Parameters<typeof mergeStats>} parameters
 * @returns {Promise<Stats>}
 */
export async function mergeStatsInTurns(...parameters) {
  const steps = merging(...parameters);
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
    await new Promise((resolve) => setImmediate(resolve));
  }
}

/** @type {(...parameters: Parameters<typeof mergeStats>) => Generator<undefined, Stats>} yields after each result */
function* merging(results, thresholds = [], options = {}) {
  const { isOver = true, expectedInterval, precision, offsets: begun = results.map(() => 0) } = options;
  // A result whose beginning is not known is added as if it had been the first.
  const offsets = begun.map((offset) => offset ?? 0);
  const interval = commonInterval(results);
  const recorder = new Recorder({ interval });
  try {
    for (const [i, stats] of results.entries()) {
      const state = stateOf(stats);
      recorder.add({ ...state, points: shifted(state.points, offsets[i], interval) });
      yield;
    }
    const doubts = [skewDoubt(offsets, results), unknownStarts(begun, results)].flatMap((text) =>
      text === null ? [] : [note('skew', text)],
    );
    const context = contextOf(results, { ...options, offsets, doubts });
    options.onSum?.({ recorder, traffic: /** @type {TransportTotals} */ (context.traffic) });
    const loadGenerators = mergedGenerators(results, begun);
    const loads = mergeLoads(results, { ...context, isOver, withCounts: true }, { offsets, whole: options.whole });
    const sum = summarize(recorder, {
      ...{ ...context, isOver, thresholds, expectedInterval, loadGenerators, precision, addConfidence },
      ...(loads && { loads }),
    });
    sum.loadGenerator.startSkew = skewOf(begun);
    const exports = results.flatMap((one) => one.exports ?? []);
    return exports.length > 0 ? { ...sum, exports } : sum;
  } finally {
    recorder.close();
  }
}

/**
 * The whole points of results, as those of their sum; `offsets`: when each began, ms since the first one did.
 * @throws {Error} counts cannot be read
 * @type {(results: Stats[], offsets: number[]) => KeptPoint[]}
 */
export function pointsOfSum(results, offsets) {
  const interval = commonInterval(results);
  const series = new Series({ interval });
  for (const [i, stats] of results.entries())
    for (const point of shifted(pointsOf(stats), offsets[i], interval)) series.add(point);
  return series.wholePoints();
}

/**
 * @type {(results: Stats[], options: MergeOptions & { offsets: number[], doubts: Note[] }) => Omit<RunContext,
 *   'isOver'>}
 */
function contextOf(results, { missing = [], offsets, doubts, whole }) {
  const sum = (/** @type {(stats: Stats) => number} */ value) => results.reduce((total, one) => total + value(one), 0);
  const latest = (/** @type {(stats: Stats) => number} */ value) =>
    Math.max(...results.map((one, i) => offsets[i] + value(one)));
  const lists = OFFERED_FIGURES.flatMap(({ lists: own = [] }) => own);
  const transport = COUNTERS.filter(({ source }) => source === 'transport');
  const lacking = lackingOf(results, whole);
  const { peakRate } = lacking;
  return {
    ...namesOf(results),
    elapsedMs: latest(({ totalElapsed }) => totalElapsed),
    measuredMs: latest(({ measuredElapsed }) => measuredElapsed),
    // A shard that was cut reports no more: nothing waits for it.
    reportedMs: Math.min(
      ...results.map((one, i) => (whole?.cut.has(whole.shards[i]) ? Infinity : offsets[i] + one.measuredElapsed)),
    ),
    missing: [...new Set([...missing, ...lacking.sentences, ...results.flatMap(missingIn)])],
    doubts: [...doubts, ...keptReasons(results)],
    planned: results.some(isOpen) ? sum(startsOf) : null,
    // A shard that began later than the others has late iterations; it does not lengthen the plan of the whole run.
    plannedMs: whole ? Math.max(...results.map(plannedMsOf)) : latest(plannedMsOf),
    ...(lacking.askedMs !== undefined && { askedMs: lacking.askedMs }),
    missingLoad: lacking.iterations,
    ...(peakRate !== undefined && { peakRate }),
    loadGenerator: addSenders(
      results.map((one, i) => (whole?.cut.has(whole.shards[i]) ? lastStateOf(one) : one.loadGenerator)),
    ),
    server: null,
    sharesLoop: false,
    isRamped: results.some(({ ramped }) => ramped),
    workers: sum(({ loadGenerator }) => loadGenerator.workers),
    pacing: pacingOf(results),
    pipelining: Math.max(...results.map(({ loadGenerator }) => loadGenerator.pipelining ?? 1)),
    ...startGapOf(results),
    warmup: warmUpOf(results),
    addresses: addAddresses(results.flatMap(({ requests }) => requests.addresses ?? [])),
    logged: results.flatMap(({ log }) => log?.files ?? []),
    failedThresholds: results.flatMap(({ thresholds = [] }) => thresholds),
    traffic: /** @type {any} */ ({
      ...Object.fromEntries(transport.map(({ key, path }) => [key, sum((stats) => valueAt(stats, path) ?? 0)])),
      ...Object.fromEntries(
        lists.map(({ key, path, by }) => [
          key,
          addCounts(
            results.flatMap((one) => valueAt(one, path) ?? []),
            by,
          ),
        ]),
      ),
    }),
  };
}

/**
 * Returns the load generator of a shard that was cut: its last state may be of the moment in which it was killed or
 * suspended, and an event loop without CPU was not busy.
 * @type {(stats: Stats) => Stats['loadGenerator']}
 */
function lastStateOf({ loadGenerator, measuredElapsed }) {
  const busy = measuredElapsed > 0 ? loadGenerator.cpuTime / measuredElapsed : 0;
  return { ...loadGenerator, eventLoopUtilization: Math.min(loadGenerator.eventLoopUtilization, busy) };
}

/** @type {(results: Stats[]) => RunContext['warmup']} */
function warmUpOf(results) {
  const warmups = results.flatMap(({ warmup }) => warmup ?? []);
  if (warmups.length === 0) return null;
  return {
    iterations: warmups.reduce((total, { iterations }) => total + iterations, 0),
    errors: warmups.reduce((total, { errors }) => total + errors, 0),
  };
}

/** The least one; closed runs have none. @type {(results: Stats[]) => Pick<RunContext, 'startGap'>} */
function startGapOf(results) {
  const gaps = results.flatMap(({ loadGenerator }) => loadGenerator.startGap ?? []);
  return gaps.length > 0 ? { startGap: Math.min(...gaps) } : {};
}

/** @type {(results: Stats[]) => RunContext['pacing'] | null} */
function pacingOf(results) {
  const [first, ...others] = new Set(results.map(({ loadGenerator }) => loadGenerator.pacing ?? null));
  return others.length > 0 ? 'mixed' : first;
}

/**
 * The titles and the labels of all results, and the whole time.
 * @type {(results: Stats[]) => Pick<RunContext, 'title' | 'label' | 'startedAt' | 'measuredAt' | 'endedAt' |
 *   'percentiles'>}
 */
function namesOf(results) {
  const starts = results.flatMap(({ startedAt }) => startedAt ?? []).sort();
  const measured = results.flatMap(({ measuredAt }) => measuredAt ?? []).sort();
  const ends = results.flatMap(({ endedAt }) => endedAt ?? []).sort();
  return {
    title: allOf(results.map(({ title }) => title)),
    label: allOf(results.map(({ label }) => label)),
    startedAt: starts[0],
    measuredAt: measured[0],
    endedAt: ends.at(-1),
    percentiles: results.flatMap(({ percentiles = [] }) => percentiles.map(({ percentile }) => percentile)),
  };
}

/** Different names, in an order of their own. @type {(names: (string | undefined)[]) => string | undefined} */
function allOf(names) {
  const known = [...new Set(names.filter((name) => name !== undefined))].sort();
  return known.length === 0 ? undefined : known.join(', ');
}

/**
 * Returns the figures of a part of a run that goes on, with counts, that thresholds and limits of errors need. Adding
 * these up takes the same time however long a run is, and however many operations it has: 0.5 ms for a part of 10
 * minutes instead of 5 (its series, mostly).
 * @type {(stats: Stats, thresholds: Threshold[]) => Stats}
 */
export function judgedPart(stats, thresholds) {
  const { operations, series, checks, exemplars: _examples, ...rest } = stats;
  const names = new Set(thresholds.flatMap(({ operation }) => operation ?? []));
  /** @typedef {{ name: string, labels?: Labels }} Row */
  const isJudged = (/** @type {Row} */ one) => names.has(one.name) || [...names].some((name) => isNamed(one, name));
  const ofAll = thresholds.flatMap(({ operation, limits }) => (operation === null && limits ? limits.key : []));
  const latest = pointsNeeded(series.interval, thresholds);
  const judged = {
    ...rest,
    operations: operations.filter((one) => isJudged(one) || ofAll.some((key) => key in one)),
    exemplars: { slowest: [], failed: [] },
    series: { ...series, points: latest === 0 ? [] : series.points.slice(-latest) },
    ...(checks && thresholds.some(({ figure }) => figure === CHECKS) && { checks }),
  };
  for (const { key } of TRANSACTIONS)
    if (judged[key]) Object.assign(judged, { [key]: transactionsIn(judged, key).filter(isJudged) });
  return judged;
}

/** Points at the end of the series. @type {(interval: number, thresholds: Threshold[]) => number} */
function pointsNeeded(interval, thresholds) {
  const longestMs = Math.max(0, ...thresholds.map(({ overMs }) => overMs ?? 0));
  return longestMs === 0 ? 0 : Math.ceil((longestMs + RECENT_MS) / interval) + 1;
}

/**
 * From here on: whether results that are added up were measured at the same time, and when each of them began.
 *
 * @typedef {Pick<Stats, 'measuredAt' | 'measuredElapsed'>} Measured
 * @typedef {{ from: number, to: number }} Span ms
 */

/** Wall clocks of different machines are taken to agree within this time, ms. */
const CLOCKS_AGREE_MS = 100;
/** The starts may differ by this part of the run, and by this time: else it was not the load of the whole run. */
const MAX_SKEW = 0.01;
const MAX_SKEW_MS = 1000;

/**
 * Returns the spans in which results were measured, by the wall clocks of their machines; null if a result has no time.
 * @type {(results: Measured[]) => (Span | null)[]}
 */
export function spansOf(results) {
  return results.map(({ measuredAt = '', measuredElapsed }) => {
    const from = Date.parse(measuredAt);
    return Number.isNaN(from) ? null : { from, to: from + measuredElapsed };
  });
}

/** Returns the ms between the known starts; null: none is. @type {(starts: (number | null)[]) => number | null} */
export function skewOf(starts) {
  const known = starts.filter((start) => start !== null);
  return known.length === 0 ? null : Math.max(...known) - Math.min(...known);
}

/**
 * Finds two spans that have no common time, even if the clocks of their machines differ by as much as is assumed: the
 * index of the one that ended first, and of the one that began last.
 * @type {(spans: (Span | null)[]) => { earlier: number, later: number } | null}
 */
export function findApart(spans) {
  const ends = spans.map((span) => span?.to ?? Infinity);
  const starts = spans.map((span) => span?.from ?? -Infinity);
  const earlier = ends.indexOf(Math.min(...ends));
  const later = starts.indexOf(Math.max(...starts));
  return starts[later] - ends[earlier] > CLOCKS_AGREE_MS ? { earlier, later } : null;
}

/**
 * Returns when each result began, ms since the first one, without the times in which nothing was measured; null if that
 * is not known.
 * @type {(spans: (Span | null)[]) => (number | null)[]}
 */
export function offsetsOf(spans) {
  /** @type {(number | null)[]} */
  const offsets = spans.map(() => null);
  const known = spans.flatMap((span, i) => (span ? { ...span, i } : [])).sort((a, b) => a.from - b.from);
  let idle = known[0]?.from ?? 0;
  let end = -Infinity;
  for (const { from, to, i } of known) {
    if (from > end && end > -Infinity) idle += from - end;
    end = Math.max(end, to);
    offsets[i] = from - idle;
  }
  return offsets;
}

/**
 * Explains why the figures of results that began at different times are suspect.
 * @type {(offsets: number[], results: { measuredElapsed: number }[]) => string | null}
 */
export function skewDoubt(offsets, results) {
  const skew = skewOf(offsets) ?? 0;
  const longest = Math.max(...results.map(({ measuredElapsed }) => measuredElapsed));
  const most = Math.min(MAX_SKEW_MS, Math.max(CLOCKS_AGREE_MS, MAX_SKEW * longest));
  if (skew <= most) return null;
  const ends = results.map(({ measuredElapsed }, i) => offsets[i] + measuredElapsed);
  const together = Math.min(...ends) - Math.max(...offsets);
  if (together < MAX_SKEW * longest)
    return 'skew: the parts did not run at the same time, so the whole load was never sent';
  const whole = Math.max(...ends) - Math.min(...offsets);
  return `skew: the parts started ${seconds(skew)} apart, so only ${seconds(together)} of ${seconds(whole)} had the whole load`;
}

/**
 * Results whose starts are not known may be of different times, as if the load of each had been all of it.
 * @type {(begun: (number | null)[], results: Pick<Stats, 'iterations'>[]) => string | null}
 */
function unknownStarts(begun, results) {
  const unknown = begun.filter((offset, i) => offset === null && results[i].iterations.started > 0).length;
  if (unknown === 0 || results.length === 1) return null;
  const parts = unknown === results.length ? 'the parts' : `${unknown} of the ${results.length} parts`;
  return `skew: it is not known when ${parts} started, so they may not have run at the same time`;
}

/** @type {(ms: number) => string} */
function seconds(ms) {
  return `${(ms / 1000).toFixed(ms < 10_000 ? 2 : 1)} s`;
}

import { addAddresses } from './addresses.js';
import { COUNTERS, plannedMsOf } from './figures.js';
import { Recorder } from './recorder.js';
import { stateOf } from './state.js';
import { planMissing } from './missing.js';
import { summarize } from './summary.js';
import { addSenders } from './thread.js';
import { skewDoubt } from './together.js';
import { valueAt } from './value-at.js';

/**
 * @import { Point } from './point-maker.js'
 * @import { RunContext } from './summary.js'
 * @import { Stats } from './types.js'
 * @import { Threshold } from './thresholds.js'
 *
 * @typedef {object} MergeOptions
 * @property {string[]} [missing] descriptions of what the sum lacks
 * @property {boolean} [isOver] false for states of runs that have not ended
 * @property {number} [expectedInterval] ms, of all runs: adds `main.corrected`
 * @property {number[]} [offsets] when each result began, ms since the first one did; default: all at the same time
 * @property {WholePlan} [whole] the results are shards of one run
 *
 * @typedef {object} WholePlan the plan of a run whose shards may lack some of it
 * @property {number} of shards
 * @property {Set<Stats>} [cut] results of shards that were lost
 * @property {boolean} [isCounted] the run has a number of iterations: without one, and without a rate, none are planned
 */

/**
 * Merges results as if their load had been one run: counts and histograms add up exactly, and what happened at the same time
 * becomes one interval. Operations are matched by phase and name.
 *
 * @param {Stats[]} results at least one, with counts, as in the JSON format
 * @param {Threshold[]} [thresholds] applied to the sum
 * @param {MergeOptions} [options]
 * @returns {Stats}
 * @throws {Error} the counts of a histogram cannot be read
 */
export function mergeStats(results, thresholds, options) {
  const steps = merging(results, thresholds, options);
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

/**
 * Like {@link mergeStats}, in several turns of the event loop: one result with 2,000 operations takes more than a second.
 *
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

/** @type {(...parameters: Parameters<typeof mergeStats>) => Generator<undefined, Stats>} */
function* merging(results, thresholds = [], options = {}) {
  const { isOver = true, expectedInterval, offsets = results.map(() => 0) } = options;
  const interval = Math.max(...results.map(({ series }) => series.interval));
  const recorder = new Recorder({ interval });
  try {
    for (const [i, stats] of results.entries()) {
      const state = stateOf(stats);
      recorder.add({ ...state, points: shifted(state.points, Math.round(offsets[i] / interval) * interval) });
      yield;
    }
    const context = contextOf(results, { ...options, offsets });
    return summarize(recorder, { ...context, isOver, thresholds, expectedInterval });
  } finally {
    recorder.close();
  }
}

/** Counts of an interval cannot be divided, so points move by whole intervals. @type {(points: Point[], ms: number) => Point[]} */
function shifted(points, ms) {
  return ms === 0 ? points : points.map((point) => ({ ...point, from: point.from + ms, to: point.to + ms }));
}

/** @type {(results: Stats[], options: MergeOptions & { offsets: number[] }) => Omit<RunContext, 'isOver'>} */
function contextOf(results, { missing = [], offsets, whole }) {
  const sum = (/** @type {(stats: Stats) => number} */ value) => results.reduce((total, one) => total + value(one), 0);
  const latest = (/** @type {(stats: Stats) => number} */ value) =>
    Math.max(...results.map((one, i) => offsets[i] + value(one)));
  const transport = COUNTERS.filter(({ source }) => source === 'transport');
  const doubt = skewDoubt(offsets, results);
  const missingLoad = sum(({ iterations }) => iterations.missing ?? 0) + lostLoadOf(results, whole);
  const lacks = missingLoad > 0 ? [planMissing(missingLoad, sum(plannedOf) + missingLoad)] : [];
  return {
    ...namesOf(results),
    elapsedMs: latest(({ totalElapsed }) => totalElapsed),
    measuredMs: latest(({ measuredElapsed }) => measuredElapsed),
    reportedMs: Math.min(
      ...results.map((one, i) => (whole?.cut?.has(one) ? Infinity : offsets[i] + one.measuredElapsed)),
    ),
    missing: [...new Set([...missing, ...lacks, ...results.flatMap(({ verdict }) => verdict.missing ?? [])])],
    doubts: doubt === null ? [] : [doubt],
    planned: results.some(({ client }) => client.rate) ? sum(plannedOf) : null,
    plannedMs: latest(plannedMsOf),
    ...(whole && { askedMs: Math.max(...results.map(plannedMsOf)) }),
    missingLoad,
    ...(results.some(({ client }) => client.rate?.peak !== undefined) && {
      peakRate: sum(({ client }) => client.rate?.peak ?? client.rate?.asked ?? 0),
    }),
    client: addSenders(results.map(({ client }) => client)),
    server: null,
    sharesLoop: false,
    isRamped: results.some(({ ramped }) => ramped),
    workers: sum(({ client }) => client.workers),
    pacing: pacingOf(results),
    warmup: warmUpOf(results),
    addresses: addAddresses(results.flatMap(({ requests }) => requests.addresses ?? [])),
    logged: results.flatMap(({ log }) => log?.files ?? []),
    failedThresholds: results.flatMap(({ thresholds = [] }) => thresholds),
    traffic: Object.fromEntries(transport.map(({ name, path }) => [name, sum((stats) => valueAt(stats, path) ?? 0)])),
  };
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

/**
 * The planned iterations that are in no result: shards have equal parts of a run, so each that is lost would have had as many
 * as the others have on average.
 *
 * @type {(results: Stats[], whole: WholePlan | undefined) => number}
 */
function lostLoadOf(results, whole) {
  if (!whole) return 0;
  const { of, cut = new Set(), isCounted = false } = whole;
  const isPlanned = isCounted || results.some(({ client }) => client.rate !== null);
  const complete = results.filter((one) => !cut.has(one));
  if (!isPlanned || complete.length === 0) return 0;
  const sum = (/** @type {Stats[]} */ some) => some.reduce((total, one) => total + plannedOf(one), 0);
  return Math.max(0, Math.round((of * sum(complete)) / complete.length) - sum(results));
}

/** @type {(results: Stats[]) => RunContext['pacing']} */
function pacingOf(results) {
  const [first, ...others] = new Set(results.map(({ client }) => client.pacing ?? null));
  return others.length > 0 ? 'mixed' : first;
}

/** The title of the first result that has one, and the whole time. @type {(results: Stats[]) => Pick<RunContext, 'title' | 'startedAt' | 'measuredAt' | 'endedAt' | 'percentiles'>} */
function namesOf(results) {
  const starts = results.flatMap(({ startedAt }) => startedAt ?? []).sort();
  const measured = results.flatMap(({ measuredAt }) => measuredAt ?? []).sort();
  const ends = results.flatMap(({ endedAt }) => endedAt ?? []).sort();
  return {
    title: results.find(({ title }) => title !== undefined)?.title,
    startedAt: starts[0],
    measuredAt: measured[0],
    endedAt: ends.at(-1),
    percentiles: results.flatMap(({ percentiles = [] }) => percentiles.map(({ percentile }) => percentile)),
  };
}

/** In a closed run the planned iterations are the started ones. @type {(stats: Stats) => number} */
function plannedOf({ iterations }) {
  return iterations.started + iterations.dropped;
}

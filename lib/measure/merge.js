import { COUNTERS } from './figures.js';
import { Recorder } from './recorder.js';
import { stateOf } from './state.js';
import { summarize } from './summary.js';
import { addSenders } from './thread.js';
import { valueAt } from './value-at.js';

/**
 * @import { RunContext } from './summary.js'
 * @import { Stats } from './types.js'
 * @import { Threshold } from './thresholds.js'
 */

/**
 * Merges results as if their load had been one run: counts and histograms add up exactly, and equal seconds of all runs
 * become one. Operations are matched by phase and name.
 *
 * @param {Stats[]} results at least one, with counts, as in the JSON format
 * @param {Threshold[]} [thresholds] applied to the sum
 * @param {{ missing?: string[], isOver?: boolean, expectedInterval?: number }} [options] missing: descriptions of what the sum
 *   lacks; isOver: false for states of runs that have not ended; expectedInterval: ms, of all runs: adds `main.corrected`
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
function* merging(results, thresholds = [], { missing = [], isOver = true, expectedInterval } = {}) {
  const recorder = new Recorder({ interval: Math.max(...results.map(({ series }) => series.interval)) });
  try {
    for (const stats of results) {
      recorder.add(stateOf(stats));
      yield;
    }
    return summarize(recorder, { ...contextOf(results, missing), isOver, thresholds, expectedInterval });
  } finally {
    recorder.close();
  }
}

/** @type {(results: Stats[], missing: string[]) => Omit<RunContext, 'isOver'>} */
function contextOf(results, missing) {
  const sum = (/** @type {(stats: Stats) => number} */ value) => results.reduce((total, one) => total + value(one), 0);
  const transport = COUNTERS.filter(({ source }) => source === 'transport');
  const warmups = results.flatMap(({ warmup }) => warmup ?? []);
  return {
    ...namesOf(results),
    elapsedMs: Math.max(...results.map(({ totalElapsed }) => totalElapsed)),
    measuredMs: Math.max(...results.map(({ measuredElapsed }) => measuredElapsed)),
    missing: [...new Set([...missing, ...results.flatMap(({ verdict }) => verdict.missing ?? [])])],
    planned: results.some(({ client }) => client.rate) ? sum(plannedOf) : null,
    plannedMs: Math.max(...results.map(plannedMsOf)),
    client: addSenders(results.map(({ client }) => client)),
    server: null,
    sharesLoop: false,
    workers: sum(({ client }) => client.workers),
    warmup:
      warmups.length > 0
        ? {
            iterations: warmups.reduce((total, { iterations }) => total + iterations, 0),
            errors: warmups.reduce((total, { errors }) => total + errors, 0),
          }
        : null,
    traffic: Object.fromEntries(transport.map(({ name, path }) => [name, sum((stats) => valueAt(stats, path) ?? 0)])),
  };
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

/** The time in which the iterations of an open run were due. @type {(stats: Stats) => number} */
function plannedMsOf({ client, iterations, measuredElapsed }) {
  return client.rate?.reached ? (1000 * iterations.started) / client.rate.reached : measuredElapsed;
}

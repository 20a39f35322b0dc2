import { isOpen, plannedMsOf } from '../../../core/measure/figures.js';
import { lackingOf, startsOf, wholeOfLoad } from '../../../core/measure/incomplete.js';
import { Recorder } from '../../../core/measure/recorder.js';
import { LOAD_TIMES, commonInterval, shifted, stateOfLoad } from '../../../core/measure/state.js';
import { summarize } from '../../../core/measure/summary.js';
import { note } from '../../../core/measure/validity.js';

/** @import { Note, Stats, Validity } from '../../../core/contracts/stats.js' */
/** @import { LoadSummary } from '../../../core/contracts/summaries.js' */
/** @import { WholePlan } from '../../../core/measure/incomplete.js' */
/** @import { RunContext } from '../../../core/measure/summary.js' */

/**
 * The figures of each load of a run with several: a load is a part of a run, and its figures are those of a run. The
 * result has those that differ from load to load. `merge` turns each into the state of a recorder again, and adds up
 * those of the same name.
 */

/** The times that every load has; others only with values. */
const ALWAYS = ['responseTime', 'serviceTime'];

/** Reasons against the figures that belong to one load; the others are of the load generator. */
const OWN_REASONS = ['accounting', 'bunchedStarts', 'loadGeneratorInFigures', 'missedRate'];
/** The reasons among these that the figures of the whole run may hide. */
const HIDDEN_REASONS = ['bunchedStarts', 'missedRate'];

/**
 * Returns the figures of a load from the result of a run that would have had this load alone.
 * @type {(stats: Stats, load: { name: string, startAfter?: number }) => LoadSummary} startAfter: undefined if it never
 *   started
 */
export function loadSummaryOf(stats, { name: load, startAfter }) {
  const { iterations, virtualUsers, main, series, loadGenerator, measuredElapsed, operations } = stats;
  const { startDelay, spacing } = loadGenerator;
  const times = Object.entries(LOAD_TIMES).flatMap(([name, key]) => {
    const summary = /** @type {any} */ (main)[key];
    return summary && (ALWAYS.includes(name) || summary.count > 0) ? [[name, summary]] : [];
  });
  return {
    name: load,
    phase: 'main',
    labels: { load },
    ...(startAfter !== undefined && { startAfter }),
    measuredElapsed,
    count: iterations.completed + iterations.failed,
    errors: iterations.failed,
    rate: iterations.completedRate,
    iterations,
    virtualUsers,
    times: Object.fromEntries(times),
    ...(operations.some(({ times: { cancelled } }) => cancelled) && { operations }),
    ...(isOpen(stats) && startDelay && spacing && { startDelay, spacing }),
    series: { interval: series.interval, points: series.points.map(({ bytes: _all, ...point }) => point) },
    validity: ownValidity(stats.validity),
  };
}

/** @type {(validity: Validity) => LoadSummary['validity']} */
function ownValidity({ reasons: all }) {
  const reasons = all.filter(({ code }) => OWN_REASONS.includes(code));
  const isWrong = reasons.some(({ code }) => code === 'accounting');
  return { status: isWrong ? 'invalid' : reasons.length > 0 ? 'suspect' : 'valid', reasons };
}

/** Lists doubts about single loads that are doubts about the run. @type {(loads: LoadSummary[]) => Note[]} */
export function doubtsOfLoads(loads) {
  return loads.flatMap(({ name, validity }) =>
    validity.reasons
      .filter(({ code }) => HIDDEN_REASONS.includes(code))
      .map(({ code, message }) => note(/** @type {any} */ (code), `${name}: ${message}`)),
  );
}

/**
 * @typedef {{ load: LoadSummary, offset: number }} LoadPart a load of a result, which began `offset` ms after the
 *   first result
 */

/**
 * Adds up the loads of several results, by name; undefined if the results have none. `offsets`: when each result began,
 * ms since the first one did. With `whole`, they are shards of one run.
 * @throws {Error} the counts of a histogram cannot be read
 * @type {(results: Stats[], context: RunContext, options: { offsets: number[], whole?: WholePlan }) => LoadSummary[] |
 *   undefined}
 */
export function mergeLoads(results, context, { offsets, whole }) {
  const names = [...new Set(results.flatMap(({ loads = [] }) => loads.map(({ name }) => name)))];
  if (names.length === 0) return undefined;
  return names.map((name) => {
    const parts = results.flatMap(({ loads = [] }, i) =>
      loads.filter((one) => one.name === name).map((load) => ({ load, offset: offsets[i] })),
    );
    return sumOf(parts, { name, context, whole: wholeOfLoad(results, whole, name) });
  });
}

/** @type {(parts: LoadPart[], about: { name: string, context: RunContext, whole?: WholePlan }) => LoadSummary} */
function sumOf(parts, { name, context, whole }) {
  const loads = parts.map(({ load }) => load);
  const interval = commonInterval(loads);
  const recorder = new Recorder({ interval });
  try {
    for (const { load, offset } of parts) {
      const state = stateOfLoad(load, `loads.${name}`);
      recorder.add({ ...state, points: shifted(state.points, offset, interval) });
    }
    const started = parts.filter(({ load }) => load.measuredElapsed > 0 || startsOf(/** @type {any} */ (load)) > 0);
    // The start of a load that waits for a time, not for another load, is known in advance.
    const expected = parts.filter(({ load }) => load.startAfter !== undefined);
    const startAfter = firstStart(started) ?? firstStart(expected);
    const { iterations, askedMs, peakRate } = lackingOf(/** @type {any[]} */ (loads), whole);
    const stats = summarize(recorder, {
      ...contextOfLoad(context),
      missingLoad: iterations,
      ...(askedMs !== undefined && { askedMs }),
      ...(peakRate !== undefined && { peakRate }),
      measuredMs: spanOf(started, ({ measuredElapsed }) => measuredElapsed),
      planned: loads.some(isOpen) ? loads.reduce((sum, load) => sum + startsOf(/** @type {any} */ (load)), 0) : null,
      // A shard that began later than the others has late iterations; it does not lengthen the plan of the whole run.
      plannedMs: whole ? Math.max(...loads.map(plannedMsOf)) : spanOf(started, plannedMsOf),
    });
    return loadSummaryOf(stats, { name, startAfter });
  } finally {
    recorder.close();
  }
}

/** Returns when a load first started, ms after the first result. @type {(parts: LoadPart[]) => number | undefined} */
function firstStart(parts) {
  return parts.length > 0 ? Math.min(...parts.map(startOf)) : undefined;
}

/** @type {(part: LoadPart) => number} */
function startOf({ load: { startAfter = 0 }, offset }) {
  return offset + startAfter;
}

/**
 * Returns the time from the first start of a load to its last end in any result, ms. `lengthOf` returns its length in
 * one result.
 * @type {(started: LoadPart[], lengthOf: (load: LoadSummary) => number) => number} started: without those in which it
 *   never started
 */
function spanOf(started, lengthOf) {
  const end = Math.max(...started.map((part) => startOf(part) + lengthOf(part.load)));
  return started.length > 0 ? end - Math.min(...started.map(startOf)) : 0;
}

/**
 * Returns the context of a load: that of its run, without the parts that are measured of the whole run alone. It is
 * ramped, so that the steadiness of a sum is not judged; a run that knows the load says whether it is.
 * @type {(context: Pick<RunContext, 'isOver' | 'withCounts' | 'measuredMs' | 'loadGenerator' | 'workers' | 'pacing' |
 *   'pipelining' | 'startGap'>) => RunContext}
 */
export function contextOfLoad({
  isOver,
  withCounts,
  measuredMs,
  loadGenerator,
  workers,
  pacing,
  pipelining,
  startGap,
}) {
  return {
    ...{ isOver, withCounts, elapsedMs: measuredMs, measuredMs, loadGenerator, workers, pacing, pipelining, startGap },
    ...{ planned: null, server: null, sharesLoop: false, warmup: null, traffic: {}, isRamped: true },
  };
}

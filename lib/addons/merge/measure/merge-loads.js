import { isOpen, plannedMsOf } from '../../../core/measure/figures.js';
import { Recorder } from '../../../core/measure/recorder.js';
import { stateOfLoad } from '../../../core/measure/state.js';
import { summarize } from '../../../core/measure/summary.js';
import { contextOfLoad, loadSummaryOf } from '../../loads/measure/loads.js';
import { commonInterval, shifted } from './common-points.js';
import { lackingOf, startsOf, wholeOfLoad } from './lacking.js';

/** @import { Stats } from '../../../core/contracts/stats.js' */
/** @import { LoadSummary } from '../../../core/contracts/summaries.js' */
/** @import { RunContext } from '../../../core/measure/summary.js' */
/** @import { WholePlan } from './lacking.js' */

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

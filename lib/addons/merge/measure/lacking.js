import { grouped } from '../../../core/ground/decimal.js';
import { plannedMsOf } from '../../../core/measure/figures.js';

/** @import { Stats } from '../../../core/contracts/stats.js' */
/** @import { PlannedLoad } from '../../../core/run/types.js' */

/**
 * Counts the planned iterations of lost or stopped shards that are in no result, by the plan of the whole run.
 *
 * @typedef {object} WholePlan the plan of a run whose shards may lack some of it
 * @property {PlannedLoad} load
 * @property {number[]} shards number of the shard that each result is of, or a part of it
 * @property {Set<number>} cut shards that ended before the run was to end
 * @property {number} users virtual users that ran until the end
 */

/**
 * @typedef {{ iterations: number, isCounted: boolean }} Missing planned iterations that are in no result; not counted:
 *   the plan of a shard that was cut has no number
 */

/**
 * Returns the plan of one of several loads, of which these results have a part.
 * @type {(results: Stats[], whole: WholePlan | undefined, name: string) => WholePlan | undefined}
 */
export function wholeOfLoad(results, whole, name) {
  const loads = whole?.load.loads;
  // Results of other programs may have any name.
  if (whole === undefined || loads === undefined || !Object.hasOwn(loads, name)) return undefined;
  const shards = whole.shards.filter((_, i) => results[i].loads?.some((one) => one.name === name));
  return { ...whole, load: loads[name], shards };
}

/**
 * Returns the part of a plan that is in no result, by the options of the run: also if no shard has reached its end.
 * `askedMs` is the time in which all were to be due, `peakRate` the highest rate of a ramp.
 * @type {(results: Stats[], whole: WholePlan | undefined) => Missing & { askedMs?: number, peakRate?: number,
 *   sentences: string[] }}
 */
export function lackingOf(results, whole) {
  const plan = whole ?? NO_PLAN;
  const askedMs = whole && askedMsOf(results, completeOf(results, whole), whole.load);
  const peakRate = whole?.load.peakRate ?? peakRateOf(results);
  const { iterations, isCounted } = whole?.load.loads
    ? missingInAll(results, whole)
    : missingOf(results, plan, askedMs);
  // Only a plan has shards that were cut, so it exists if they are not counted.
  const sentences = isCounted
    ? planMissing(iterations, startsIn(results) + iterations)
    : usersMissing(/** @type {WholePlan} */ (whole));
  return {
    ...(askedMs !== undefined && { askedMs }),
    ...(peakRate !== undefined && { peakRate }),
    ...{ iterations, isCounted, sentences },
  };
}

/** Results without a plan say what they lack. @type {Pick<WholePlan, 'shards' | 'cut'> & { load: null }} */
const NO_PLAN = { load: null, shards: [], cut: new Set() };

/** @type {(results: Stats[], plan: Pick<WholePlan, 'shards' | 'cut'>) => Stats[]} those of shards that were not cut */
function completeOf(results, { shards, cut }) {
  return results.filter((_, i) => !cut.has(shards[i]));
}

/** @type {(results: Stats[], plan: WholePlan | typeof NO_PLAN, askedMs?: number) => Missing} */
function missingOf(results, plan, askedMs = 0) {
  const { load, shards, cut } = plan;
  let iterations = completeOf(results, plan).reduce((sum, one) => sum + (one.iterations.missing ?? 0), 0);
  for (const number of cut) {
    const planned = load?.count(number, askedMs) ?? null;
    if (planned === null) return { iterations, isCounted: false };
    iterations += Math.max(0, planned - startsIn(results.filter((_, i) => shards[i] === number)));
  }
  return { iterations, isCounted: true };
}

/** Adds up what several loads lack, each of its own plan. @type {(results: Stats[], whole: WholePlan) => Missing} */
function missingInAll(results, whole) {
  const each = Object.keys(whole.load.loads ?? {}).map((name) => {
    const parts = results.flatMap(({ loads = [] }) => loads.filter((one) => one.name === name));
    return lackingOf(/** @type {any[]} */ (parts), wholeOfLoad(results, whole, name));
  });
  return {
    iterations: each.reduce((sum, one) => sum + one.iterations, 0),
    isCounted: each.every(({ isCounted }) => isCounted),
  };
}

/** @type {(results: Stats[], complete: Stats[], load: PlannedLoad) => number} ms in which all iterations are due */
function askedMsOf(results, complete, { ms }) {
  if (complete.length === 0 && ms < Infinity) return ms;
  const longest = Math.max(...(complete.length > 0 ? complete : results).map(plannedMsOf));
  // If a shard has nearly reached the end, the plan holds: only its last iteration was due a little before that of
  // another shard. Otherwise all shards ended early, by a limit or a stop, and nothing was asked for after that.
  return longest > ms - Math.min(NEARLY_MS, ms * NEARLY) ? Math.max(ms, longest) : longest;
}

/** A shard that ended this much before its plan, ms and as a part of it, has reached the end. */
const NEARLY_MS = 1000;
const NEARLY = 0.05;

/** The highest rate of all together; undefined: none has a ramp. @type {(results: Stats[]) => number | undefined} */
function peakRateOf(results) {
  const rates = results.map(({ iterations }) => iterations);
  if (rates.every(({ peakRate }) => peakRate === undefined)) return undefined;
  return rates.reduce((sum, { peakRate, plannedRate = 0 }) => sum + (peakRate ?? plannedRate), 0);
}

/** @type {(results: Stats[]) => number} */
function startsIn(results) {
  return results.reduce((sum, one) => sum + startsOf(one), 0);
}

/** Iterations that started, or were due: a closed run plans those that it starts. @type {(stats: Stats) => number} */
export function startsOf({ iterations }) {
  return iterations.started + iterations.dropped;
}

/** @type {(whole: WholePlan) => string[]} */
function usersMissing({ load, users }) {
  const all = load.users({ number: 1, of: 1 });
  if (users >= all) return [];
  return [
    `${grouped(users)} of ${grouped(all)} virtual users ran until the end: those of shards that were lost or stopped are missing`,
  ];
}

/** @type {(missing: number, planned: number) => string[]} iterations */
function planMissing(missing, planned) {
  if (missing === 0) return [];
  return [
    `${grouped(missing)} of ${grouped(planned)} planned iterations are missing: shards that were lost or stopped did not start or report them`,
  ];
}

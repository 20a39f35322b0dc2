import { counted, grouped } from '../ground/decimal.js';
import { plannedMsOf } from './figures.js';
import { judgeCut } from './validity.js';

/** @import { Stats } from '../contracts/stats.js' */

/**
 * What a result lacks. The first half counts, for a merge, the planned iterations of lost or stopped shards that are in
 * no result, by the plan of the whole run. The second half has the sentences about all that may be missing, which the
 * validity of a result has with the code `incomplete`.
 */

/**
 * @typedef {object} PlannedLoad what the options of a run ask for, of which each shard has a part
 * @property {number} ms until when its iterations are due; Infinity if only a number of them, or a stop, ends it
 * @property {(shard: number, ms: number) => number | null} count iterations of a shard that are due by then; null: only
 *   a time ends the run, so they have no number
 * @property {(part: { number: number, of: number }) => number} users virtual users of a shard, or of a part of one
 * @property {number} [peakRate] the highest rate of a ramp, iterations per second
 * @property {Record<string, PlannedLoad>} [loads] those of several, by name, each from its own start on; then they
 *   have the numbers
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

/**
 * Results without a plan lack what each of them says that it lacks.
 * @type {Pick<WholePlan, 'shards' | 'cut'> & { load: null }}
 */
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

/**
 * Converts the last known state of a run without an end to a result: running iterations and requests `inFlight` (sent
 * and not answered) count as cancelled, so that the counters balance, and the validity names the lacks.
 * @type {(stats: Stats, known: { inFlight: number, missing: string[] }) => Stats}
 */
export function cutShort(stats, { inFlight, missing }) {
  const { iterations, loads, requests, validity } = stats;
  const running = runningOf(iterations);
  return {
    ...stats,
    iterations: { ...iterations, cancelled: iterations.cancelled + running },
    ...(loads && {
      loads: loads.map((load) => {
        const { iterations: own } = load;
        return { ...load, iterations: { ...own, cancelled: own.cancelled + runningOf(own) } };
      }),
    }),
    requests: {
      ...requests,
      count: requests.count + inFlight,
      sent: requests.sent + inFlight,
      cancelled: requests.cancelled + inFlight,
    },
    validity: judgeCut(validity, { running, missing }),
  };
}

/** @type {(iterations: Stats['iterations']) => number} */
function runningOf({ started, completed, failed, cancelled }) {
  return started - completed - failed - cancelled;
}

/**
 * Descriptions of what an incomplete result lacks, for its validity.
 *
 * @typedef {{ afterMain: unknown[], after: unknown[] }} Teardown operations of a flow
 */

export const ABORTED = 'aborted: running iterations were cancelled without a grace period';
export const AFTER_CUT = 'teardown incomplete: after was cut off by its time limit';

/** @type {(teardown: Teardown, cancelled: number) => string[]} cancelled: iterations */
export function teardownIncomplete({ afterMain, after }, cancelled) {
  const parts = [
    afterMain.length > 0 && cancelled > 0 && `afterMain of ${counted(cancelled, 'iteration')}`,
    after.length > 0 && 'after',
  ].filter(Boolean);
  return parts.length > 0 ? [`teardown incomplete: ${parts.join(' and ')} did not finish`] : [];
}

/** @type {(name: string, silentMs: number) => string} name of the worker; silentMs: since its last report */
export function workerLost(name, silentMs) {
  return `${name} was lost: its requests of the last ${seconds(silentMs)} s are not counted`;
}

/**
 * Agents that were lost for the same reason, in one sentence.
 * @param {string[]} names
 * @param {string} reason
 * @param {{ fromMs: number, toMs: number, openMs: number } | null} until fromMs and toMs: the first and the last time
 *   until which one of them is counted, ms since the start of the measured iterations; openMs: how long they may have
 *   gone on after that; null: nothing of them is counted
 * @returns {string}
 */
export function agentsLost(names, reason, until) {
  const are = names.length === 1 ? 'was' : 'were';
  return `${agentsNamed(names)} ${are} lost: ${reason}; ${countedUntil(until, names.length === 1 ? 'it' : 'they')}`;
}

/** @type {(until: { fromMs: number, toMs: number, openMs: number } | null, who: 'it' | 'they') => string} */
function countedUntil(until, who) {
  if (until === null) return `nothing of ${who === 'it' ? 'it' : 'them'} is counted`;
  const [from, to] = [seconds(until.fromMs), seconds(until.toMs)];
  const text = from === to ? `counted until ${to} s` : `counted until ${from} to ${to} s`;
  return until.openMs < 50 ? text : `${text}; ${who} may have gone on for up to ${seconds(until.openMs)} s`;
}

/** Names in a sentence, before the number of the others. */
const MOST_NAMED = 5;

/** @type {(names: string[]) => string} `agent a`, `agents a, b`, `400 agents: a, b, c, d, e and 395 others` */
function agentsNamed(names) {
  if (names.length === 1) return `agent ${names[0]}`;
  if (names.length <= MOST_NAMED) return `agents ${names.join(', ')}`;
  return `${grouped(names.length)} agents (${names.slice(0, MOST_NAMED).join(', ')} and ${grouped(names.length - MOST_NAMED)} others)`;
}

/** @type {(name: string, why: string) => string} name of a result; why: its run ended early */
export function partStopped(name, why) {
  return `${name} was stopped before its end (${why}); its load is missing from then on`;
}

/**
 * @param {string} name of the agent that was to run a part of the load of a lost one
 * @param {string} reason
 * @param {{ owner: string, isLost: boolean }} part owner: name of the lost agent; isLost: the other one was lost, too
 * @returns {string}
 */
export function takenPartLost(name, reason, { owner, isLost }) {
  return `agent ${name} ${isLost ? 'was lost with' : 'did not take over'} a part of the load of ${owner}: ${reason}`;
}

/** @type {(names: string[], fromMs: number) => string} completes the sentence about the agent whose load it was */
export function loadTakenOver(names, fromMs) {
  return `from ${seconds(fromMs)} s on its load was run by ${names.join(', ')}`;
}

/** @type {(missing: number, planned: number) => string[]} iterations */
function planMissing(missing, planned) {
  if (missing === 0) return [];
  return [
    `${grouped(missing)} of ${grouped(planned)} planned iterations are missing: shards that were lost or stopped did not start or report them`,
  ];
}

/** @type {(silentMs: number) => string} since the last report */
export function lastKnownState(silentMs) {
  return `last known state: ${seconds(silentMs)} s before the end of the run; later requests are not counted`;
}

/** @type {(ms: number) => string} of the measured part of a run that goes on */
export function stateSoFar(ms) {
  return `the run had not ended: this is its state after ${seconds(ms)} s`;
}

/** @type {(ms: number) => string} */
function seconds(ms) {
  return (ms / 1000).toFixed(1);
}

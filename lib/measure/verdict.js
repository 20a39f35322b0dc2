import { grouped } from '../decimal.js';
import { ERRORS } from '../errors.js';
import { systemError } from '../system-errors.js';

/**
 * @import { ClientFigures, Stats } from './types.js'
 *
 * @typedef {object} Verdict whether the figures can be trusted
 * @property {'valid' | 'suspect' | 'invalid'} status
 * @property {string[]} reasons as sentences
 * @property {string[]} [missing] the reasons that say what the result lacks, if it lacks something
 *
 * @typedef {object} VerdictInput
 * @property {string[]} notes of the client
 * @property {boolean} sharesLoop client and server ran in one thread
 * @property {string[]} [missing] what the result lacks: the last counts of a worker, a teardown
 * @property {{ errors: string[], area: number, busyTime: number } | null} accounting null before the end. `errors`: of the
 *   accounting check; `area`: running iterations summed over time, ms; `busyTime`: sum of their durations, ms
 */

const MIN_MS = 1000;
/** iterations of all, and of each virtual user, from which on figures can be judged */
const FEWEST = 10;
const FEWEST_OF_USER = 2;
const BUSY = 0.95;
const STALL_MS = 1000;
const MAX_ERRORS = 0.001;
const MAX_MISSED = 0.01;
const MAX_DEVIATION = 0.05;

/**
 * Decides whether the load generator was the bottleneck. A run of less than a second is mostly start-up: only exhausted
 * resources count.
 *
 * @param {Pick<Stats, 'iterations' | 'main' | 'errors'>} stats
 * @param {ClientFigures} client
 * @param {number} measuredMs
 * @returns {{ saturated: boolean, notes: string[] }}
 */
export function judgeClient(stats, client, measuredMs) {
  const isLongEnough = measuredMs >= MIN_MS;
  const notes = [
    ...exhaustion(stats.errors),
    ...stall(client, isLongEnough),
    ...(isLongEnough ? [...saturation(client), ...slowness(stats, client), ...missedRate(stats, client)] : []),
  ];
  return { saturated: notes.length > 0, notes };
}

/** @type {(client: ClientFigures, isLongEnough: boolean) => string[]} */
function stall({ delay, standstill }, isLongEnough) {
  const stillMs = Math.max(delay.max, standstill.longest);
  if (standstill.spared === 0 && (stillMs < STALL_MS || !isLongEnough)) return [];
  const spared = standstill.spared > 0 ? `; ${standstill.spared} timeouts that expired meanwhile were postponed` : '';
  return [
    `the load generator stalled for ${(stillMs / 1000).toFixed(1)} s: it was suspended, or a hook blocked it; response times include the stall${spared}`,
  ];
}

/**
 * The event loop had no time left for more requests.
 *
 * @param {number} utilization 0 to 1
 * @returns {boolean}
 */
export function isBusy(utilization) {
  return utilization > BUSY;
}

/** @type {(client: ClientFigures) => string[]} */
function saturation({ utilization, workers }) {
  if (!isBusy(utilization)) return [];
  const remedy =
    workers > 1 ? 'use fewer hooks, or another machine' : 'use more cores (--workers), fewer hooks, or another machine';
  return [`the load generator was saturated: its event loop was busy ${percent(utilization)} of the time; ${remedy}`];
}

/** @type {(stats: Pick<Stats, 'main'>, client: ClientFigures) => string[]} */
function slowness({ main }, { delay }) {
  const { median } = main.serviceTime;
  if (median === null || delay.mean <= median || delay.mean <= 1) return [];
  return [
    `the load generator was slow: the mean delay of its event loop was ${delay.mean.toFixed(1)} ms, more than the median service time`,
  ];
}

/** @type {(stats: Pick<Stats, 'iterations'>, client: ClientFigures) => string[]} */
function missedRate({ iterations }, { rate, startDelay, utilization }) {
  if (rate === null || rate.reached >= rate.asked * (1 - MAX_MISSED)) return [];
  // if every lane was busy, the server was slow or there were too few lanes
  const isLate = startDelay.median !== null && startDelay.median > 1;
  if (iterations.late > 0 && !isLate && !isBusy(utilization)) return [];
  return [
    `the load generator missed the rate: ${rate.reached.toFixed(1)} of ${rate.asked.toFixed(1)} iterations per second started, although virtual users were free`,
  ];
}

/**
 * Counts the errors of an exhausted client, which do not mean that the target is unreachable.
 *
 * @param {Stats['errors']} errors
 * @returns {number}
 */
export function countExhaustion({ samples }) {
  return samples.reduce((sum, { code, count }) => sum + (isExhaustion(code) ? count : 0), 0);
}

/** @type {(code: string) => boolean} */
function isExhaustion(code) {
  return exhaustedBy(code) !== null;
}

/** @type {(errors: Stats['errors']) => string[]} */
function exhaustion({ samples }) {
  const codes = new Set(samples.map(({ code }) => code));
  return [...codes].flatMap((code) => {
    const found = exhaustedBy(code);
    return found ? [`the load generator ran out of ${found.what} (${code}): ${found.remedy}`] : [];
  });
}

/** The resource that ran out on this machine, judging by an error code. @type {(code: string) => { what: string, remedy?: string } | null} */
function exhaustedBy(code) {
  const ofSystem = systemError(code);
  if (ofSystem?.exhausted) return { what: ofSystem.exhausted, remedy: ofSystem.remedy };
  const own = Object.hasOwn(ERRORS, code) ? ERRORS[code] : undefined;
  return own?.exhausted ? { what: own.exhausted, remedy: own.cure } : null;
}

/**
 * Decides whether the figures can be trusted, and gives the reasons against it.
 *
 * @param {Pick<Stats, 'iterations' | 'errors' | 'requests'>} stats
 * @param {VerdictInput} input
 * @returns {Verdict}
 */
export function judge(
  { iterations, errors, requests: { connections } },
  { notes, sharesLoop, missing = [], accounting },
) {
  const reasons = [...notes, ...missing];
  if (sharesLoop)
    reasons.push(
      'client and server shared an event loop and waited for each other: pass the flow as a file, without functions, or use a server in its own process',
    );
  if (errors.count > iterations.started * MAX_ERRORS)
    reasons.push(`errors: ${grouped(errors.count)} in ${iterationsText(iterations.started)}`);
  if (iterations.cancelled > 0) reasons.push(stillRunning(iterations.cancelled));
  if (iterations.dropped > 0) reasons.push(neverStarted(iterations.dropped, notes.length > 0));
  if (connections.reached < connections.asked)
    reasons.push(
      `connections: ${grouped(connections.reached)} of ${grouped(connections.asked)} ever received a response`,
    );
  const lacks = missing.length > 0 ? { missing } : {};
  if (!accounting) return { status: reasons.length > 0 ? 'suspect' : 'valid', reasons, ...lacks };
  const few = tooFew(iterations, connections);
  if (few) reasons.push(few);
  const { area, busyTime } = accounting;
  // Little's law, mean concurrency = rate x mean time, multiplied by the length of the run
  if (iterations.cancelled === 0 && Math.abs(area - busyTime) > Math.max(area, busyTime) * MAX_DEVIATION) {
    reasons.push(
      `Little's law: ${area.toFixed(0)} ms of running iterations, but their durations add up to ${busyTime.toFixed(0)} ms`,
    );
  }
  return {
    status: accounting.errors.length > 0 ? 'invalid' : reasons.length > 0 ? 'suspect' : 'valid',
    reasons: [...accounting.errors, ...reasons],
    ...lacks,
  };
}

/** @type {(iterations: Stats['iterations'], connections: Stats['requests']['connections']) => string | null} */
function tooFew({ started }, { asked }) {
  if (started >= FEWEST && started >= FEWEST_OF_USER * asked) return null;
  const usersText = asked > 1 ? ` of ${grouped(asked)} virtual users` : '';
  return `too short to judge: ${iterationsText(started)}${usersText}; run more of them, such as -n 1000 or -t 10s`;
}

/**
 * The verdict on the last known state of a run whose end was not seen.
 *
 * @param {Verdict} verdict on that state
 * @param {{ running: number, missing: string[] }} known iterations that had not ended; what the result lacks
 * @returns {Verdict}
 */
export function judgeCut({ status, reasons }, { running, missing }) {
  return {
    status: status === 'invalid' ? 'invalid' : 'suspect',
    reasons: [...reasons, ...(running > 0 ? [stillRunning(running)] : []), ...missing],
    missing,
  };
}

/** @type {(running: number) => string} */
function stillRunning(running) {
  return `cancelled: ${iterationsText(running)} ${running === 1 ? 'was' : 'were'} still running when the run ended`;
}

/** More virtual users help if the load generator is not the limit. @type {(dropped: number, isClientLimit: boolean) => string} */
function neverStarted(dropped, isClientLimit) {
  const remedy = isClientLimit ? '' : '; use more virtual users (-c), or a lower rate';
  return `dropped: ${iterationsText(dropped)} ${dropped === 1 ? 'was' : 'were'} due, but never started${remedy}`;
}

/** @type {(iterations: number) => string} */
function iterationsText(iterations) {
  return `${grouped(iterations)} ${iterations === 1 ? 'iteration' : 'iterations'}`;
}

/** @type {(share: number) => string} */
function percent(share) {
  return `${Math.round(share * 100)} %`;
}

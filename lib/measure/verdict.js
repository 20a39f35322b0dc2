import { grouped } from '../ground/decimal.js';
import { ERRORS } from '../ground/errors.js';
import { systemError } from '../ground/system-errors.js';
import { ratedMs } from './figures.js';
import { doubtOfFigures } from './judge-figures.js';
import { MAX_DROPPED, droppedShare } from './outcome.js';

/**
 * @import { JudgedFigure } from './judge-figures.js'
 * @import { Steadiness } from './steadiness.js'
 * @import { ClientFigures, Stats } from './types.js'
 *
 * @typedef {object} Verdict whether the figures can be trusted
 * @property {typeof VERDICTS[number]} status
 * @property {string[]} reasons as sentences
 * @property {string[]} [remarks] what could not be judged, which is no reason for doubt
 * @property {string[]} [missing] the reasons that say what the result lacks, if it lacks something
 * @property {JudgedFigure[]} [figures] at the end: the part of each that may be the load generator's
 *
 * @typedef {object} VerdictInput
 * @property {string[]} notes of the client
 * @property {boolean} sharesLoop client and server ran in one thread
 * @property {Steadiness} [steadiness]
 * @property {JudgedFigure[]} [figures]
 * @property {string[]} [missing] what the result lacks: the last counts of a worker, a teardown
 * @property {{ errors: string[], area: number, busyTime: number } | null} accounting null before the end. `errors`:
 *   of the accounting check; `area`: running iterations summed over time, ms; `busyTime`: sum of their durations, ms
 */

/** How far the figures can be trusted, in a word. */
export const VERDICTS = /** @type {const} */ (['sound', 'doubtful', 'void']);

const MIN_MS = 1000;
/** iterations of all, and of each virtual user, from which on figures can be judged: five are above p95 then */
const FEWEST = 100;
const FEWEST_OF_USER = 2;
/** shortest run that advice proposes, s */
const ADVISED_S = 10;
const BUSY = 0.95;
/** the share of a closed run that may be lost to stops */
const MOST_STOPPED = 0.1;
const MAX_MISSED = 0.01;
const MAX_DEVIATION = 0.05;
/** an event loop that is busier has too little left for more virtual users */
const FREE = 0.6;
/** median delay of starts, ms, that is longer than what timers take */
const LATE_MS = 5;
/** part of a service time by which starts may be shifted without an effect on its queue */
const FELT = 0.5;
/** virtual users advised beyond the mean number that the rate keeps busy */
const HEADROOM = 1.25;

/**
 * Decides whether the load generator was the bottleneck. A run of less than a second is mostly start-up: only exhausted
 * resources count.
 *
 * @param {Pick<Stats, 'iterations' | 'errors'>} stats
 * @param {ClientFigures} client
 * @param {number} measuredMs
 * @returns {{ saturated: boolean, notes: string[] }}
 */
export function judgeClient(stats, client, measuredMs) {
  const isLongEnough = measuredMs >= MIN_MS;
  const notes = [
    ...exhaustion(stats.errors),
    ...spared(client),
    ...(isLongEnough ? [...saturation(client), ...stopped(client, measuredMs), ...missedRate(stats, client)] : []),
  ];
  return { saturated: notes.length > 0, notes };
}

/** @type {(client: ClientFigures) => string[]} */
function spared({ standstill }) {
  if (standstill.spared === 0) return [];
  const seconds = (standstill.longest / 1000).toFixed(1);
  return [
    `the load generator stalled for ${seconds} s; timeouts that expired meanwhile were postponed: ${grouped(standstill.spared)}`,
  ];
}

/**
 * A closed run sends nothing during a stop, so its rates are too low.
 * @type {(client: ClientFigures, measuredMs: number) => string[]}
 */
function stopped({ rate, stops, workers }, measuredMs) {
  if (rate !== null || !stops) return [];
  const lostMs = (stops.suspended.total + stops.noCpu.total) / workers;
  if (lostMs < measuredMs * MOST_STOPPED) return [];
  return [
    `the load generator stopped for ${percent(lostMs / measuredMs)} of the time, and rates include that: it was suspended, or other processes or a limit left it no CPU`,
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

/**
 * If every virtual user was busy, the service was slow, or there were too few of them.
 * @type {(stats: Pick<Stats, 'iterations'>, client: ClientFigures) => string[]}
 */
function missedRate({ iterations }, { rate, startDelay, utilization }) {
  // a service that never answers keeps all of them
  if (rate === null || iterations.completed === 0 || rate.reached >= rate.asked * (1 - MAX_MISSED)) return [];
  const isLate = startDelay.median !== null && startDelay.median > LATE_MS;
  if (!isLate && !isBusy(utilization)) return [];
  const how = isLate ? `, half of them more than ${startDelay.median?.toFixed(0)} ms late` : '';
  return [
    `the load generator missed the rate: ${rate.reached.toFixed(1)} of ${rate.asked.toFixed(1)} iterations per second started${how}`,
  ];
}

/**
 * Counts the errors of an exhausted client, which do not mean that the target is unreachable.
 * @type {(errors: Stats['errors']) => number}
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

/**
 * The resource that ran out on this machine, judging by an error code.
 * @type {(code: string) => { what: string, remedy?: string } | null}
 */
function exhaustedBy(code) {
  const ofSystem = systemError(code);
  if (ofSystem?.exhausted) return { what: ofSystem.exhausted, remedy: ofSystem.remedy };
  const own = Object.hasOwn(ERRORS, code) ? ERRORS[code] : undefined;
  return own?.exhausted ? { what: own.exhausted, remedy: own.cure } : null;
}

/**
 * Decides whether the figures can be trusted, and gives the reasons against it. Errors of the service and iterations
 * without an answer are the outcome of the run, not a fault of the measurement.
 *
 * @param {Pick<Stats, 'iterations' | 'requests' | 'client' | 'main' | 'measuredElapsed'>} stats
 * @param {VerdictInput} input
 * @returns {Verdict}
 */
export function judge(stats, { notes, sharesLoop, missing = [], steadiness, figures = [], accounting }) {
  const doubt = doubtOfFigures(figures, stats.client);
  const reasons = [
    ...notes,
    ...(doubt === null ? [] : [doubt]),
    ...missing,
    ...(sharesLoop ? [SHARED_LOOP] : []),
    ...lacking(stats, notes.length > 0),
    ...bunches(stats),
  ];
  const details = { ...(missing.length > 0 && { missing }), ...(figures.length > 0 && { figures }) };
  if (!accounting) return { status: reasons.length > 0 ? 'doubtful' : 'sound', reasons, ...details };
  const atEnd = judgeAtEnd(stats, { steadiness, accounting });
  reasons.push(...atEnd.reasons);
  return {
    status: accounting.errors.length > 0 ? 'void' : reasons.length > 0 ? 'doubtful' : 'sound',
    reasons: [...accounting.errors, ...reasons],
    ...(atEnd.remarks.length > 0 && { remarks: atEnd.remarks }),
    ...details,
  };
}

/**
 * What can be judged when the run is over.
 * @type {(stats: Parameters<typeof judge>[0], input: { steadiness: VerdictInput['steadiness'], accounting:
 *   NonNullable<VerdictInput['accounting']> }) => { reasons: string[], remarks: string[] }}
 */
function judgeAtEnd(stats, { steadiness, accounting }) {
  const { cancelled, completed } = stats.iterations;
  const short = tooFew(stats);
  const reasons = [short, steadiness?.doubt ?? null].filter((reason) => reason !== null);
  const remark = short === null && completed > 0 ? (steadiness?.remark ?? null) : null;
  return {
    reasons: [...reasons, ...(cancelled === 0 ? littlesLaw(accounting) : [])],
    remarks: remark === null ? [] : [remark],
  };
}

/**
 * Little's law, mean concurrency = rate x mean time, multiplied by the length of the run.
 * @type {(accounting: { area: number, busyTime: number }) => string[]}
 */
function littlesLaw({ area, busyTime }) {
  if (Math.abs(area - busyTime) <= Math.max(area, busyTime) * MAX_DEVIATION) return [];
  return [
    `Little's law: ${area.toFixed(0)} ms of running iterations, but their durations add up to ${busyTime.toFixed(0)} ms`,
  ];
}

const SHARED_LOOP =
  'client and server shared an event loop and waited for each other: pass the flow as a file, without functions, or use a server in its own process';

/**
 * What the run was meant to do and did not.
 * @type {(stats: Pick<Stats, 'iterations' | 'requests' | 'client' | 'measuredElapsed'>, isClientLimit: boolean) =>
 *   string[]}
 */
function lacking(stats, isClientLimit) {
  const { iterations, requests } = stats;
  const { asked, reached } = requests.connections;
  return [
    ...unreadMessages(requests),
    ...(iterations.cancelled > 0 ? [stillRunning(iterations.cancelled)] : []),
    ...(droppedShare(stats) > MAX_DROPPED ? [neverStarted(stats, isClientLimit)] : []),
    // if none did, the outcome says so
    ...(reached > 0 && reached < asked
      ? [`connections: ${grouped(reached)} of ${grouped(asked)} ever received a response`]
      : []),
  ];
}

/**
 * Iterations that start together make a service queue that has time for each of them. If it takes much longer for one
 * than they are apart from their plan, it does not feel that.
 *
 * @type {(stats: Pick<Stats, 'client' | 'main'>) => string[]}
 */
function bunches({ client: { rate, spacing, pacing }, main }) {
  if (rate === null || !spacing || spacing.count < FEWEST) return [];
  const gapMs = 1000 / rate.asked;
  const awayMs = /** @type {number} */ (spacing.p95);
  if (awayMs <= gapMs || awayMs <= (main.serviceTime.median ?? 0) * FELT) return [];
  const remedy = pacing === 'timer' ? 'use --pacing thread' : 'use a lower rate, or more cores (--workers)';
  return [
    `iterations started in bunches: one of 20 was ${awayMs.toFixed(2)} ms or more from its distance of ${gapMs.toFixed(2)} ms to the one before; the service may have queued because of that: ${remedy}`,
  ];
}

/**
 * A message that is taken as the answer to another one makes all times after it too short.
 *
 * @type {(requests: Stats['requests']) => string[]}
 */
function unreadMessages({ greetingsUnread = 0, messagesSurplus = 0 }) {
  const greetings = `greetings: ${grouped(greetingsUnread)} unread ${greetingsUnread === 1 ? 'message' : 'messages'} before the first one was sent on a WebSocket; one that arrives later is taken as an answer: read it first, { ws: '…', expect: 1 }, or write match`;
  const surplus = `messages: ${grouped(messagesSurplus)} more than the operations of a WebSocket expected; times may be those of other answers: write match, or expect as many as the server sends`;
  return [...(greetingsUnread > 0 ? [greetings] : []), ...(messagesSurplus > 0 ? [surplus] : [])];
}

/** @type {(stats: Pick<Stats, 'iterations' | 'requests' | 'client' | 'measuredElapsed'>) => string | null} */
function tooFew(stats) {
  const { iterations, requests, measuredElapsed } = stats;
  const { completed } = iterations;
  const { asked } = requests.connections;
  const needed = Math.max(FEWEST, FEWEST_OF_USER * asked);
  if (completed === 0 || (completed >= needed && measuredElapsed >= MIN_MS)) return null;
  const usersText = asked > 1 ? ` of ${grouped(asked)} virtual users` : '';
  const seconds = Math.ceil(((needed / completed) * ratedMs(stats) * HEADROOM) / 1000);
  return `too short to judge: ${iterationsText(completed)}${usersText} in ${(measuredElapsed / 1000).toFixed(2)} s; run it for longer, such as -t ${Math.max(ADVISED_S, seconds)}s`;
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
    status: status === 'void' ? 'void' : 'doubtful',
    reasons: [...reasons, ...(running > 0 ? [stillRunning(running)] : []), ...missing],
    missing,
  };
}

/**
 * @param {Verdict} verdict
 * @param {string[]} doubts more reasons against the figures
 * @returns {Verdict}
 */
export function withDoubts(verdict, doubts) {
  const { status, reasons } = verdict;
  return { ...verdict, status: status === 'void' ? 'void' : 'doubtful', reasons: [...reasons, ...doubts] };
}

/** @type {(running: number) => string} */
function stillRunning(running) {
  return `cancelled: ${iterationsText(running)} ${running === 1 ? 'was' : 'were'} still running when the run ended`;
}

/** @type {(stats: Pick<Stats, 'iterations' | 'requests' | 'client'>, isClientLimit: boolean) => string} */
function neverStarted(stats, isClientLimit) {
  const { dropped } = stats.iterations;
  const remedy = isClientLimit ? '' : remedyOfDropped(stats);
  return `dropped: ${iterationsText(dropped)} ${dropped === 1 ? 'was' : 'were'} due, but never started${remedy}`;
}

/**
 * By Little's law, a rate keeps rate x mean duration virtual users busy. More of them help if that is more than there
 * are, and if the event loop has time for them.
 *
 * @type {(stats: Pick<Stats, 'iterations' | 'requests' | 'client'>) => string}
 */
function remedyOfDropped({ iterations, requests, client: { rate, utilization, workers } }) {
  const { completed, failed, busyTime } = iterations;
  if (completed === 0 || rate === null) return '';
  if (utilization > FREE) {
    const cores = workers > 1 ? 'another machine' : 'more cores (--workers)';
    return `; the event loop was busy ${percent(utilization)} of the time: use ${cores}, or a lower rate`;
  }
  const meanMs = busyTime / (completed + failed);
  const needed = Math.ceil((((rate.peak ?? rate.asked) * meanMs) / 1000) * HEADROOM);
  if (needed <= requests.connections.asked) return '; use a lower rate';
  return `; iterations took ${meanMs.toFixed(meanMs < 10 ? 1 : 0)} ms on average: at that time, the ${rate.peak === undefined ? '' : 'highest '}rate needs about ${grouped(needed)} virtual users (-c ${needed})`;
}

/** @type {(iterations: number) => string} */
function iterationsText(iterations) {
  return `${grouped(iterations)} ${iterations === 1 ? 'iteration' : 'iterations'}`;
}

/** @type {(share: number) => string} */
function percent(share) {
  return `${Math.round(share * 100)} %`;
}

import { readCount, readRate } from '../../core/ground/units.js';
import { BY_SEARCH } from '../../core/run/options/layers.js';
import { rate as rateOption } from '../../core/run/options/row.js';

/** @import { Stats } from '../../core/contracts/stats.js' */
/** @import { Layer } from '../../core/run/options/types.js' */
/** @import { NextStep } from './types.js' */

/**
 * The run of a step: which load it has, for how long, and with how many virtual users, so that its figures are more
 * than chance and nothing but the service limits it.
 *
 * @typedef {object} StepLoad run options of a step; times in ms
 * @property {number} [rate]
 * @property {number} limit virtual users
 * @property {number} duration
 * @property {number} warmup
 * @property {number} [grace] for iterations that run when warm-up and step end, unless an option says otherwise
 *
 * @typedef {object} LoadOptions
 * @property {'rate' | 'users'} by
 * @property {number} stepMs the shortest step
 * @property {number} settleMs warm-up before each step
 * @property {number} [mostUsers] virtual users
 * @property {number} [maxDurationMs] of the search
 *
 * @typedef {object} KnownTimes
 * @property {number | null} meanMs time of an iteration, in the highest load that held
 * @property {number} boundMs the highest bound of a threshold on times; 0 without one
 * @property {number} needed iterations of a step
 * @property {number} [pauseMs] of an iteration, beside the time of its requests
 */

/** Load of the first step, unless one is given: iterations per second, or virtual users. */
export const FIRST_LOADS = { rate: 20, users: 1 };
/** Defaults of the length of a step, and of the precision, as a share. */
export const STEP_MS = 10_000;
export const WITHIN = 0.05;
/** Reports whether a precision is valid. @type {(given: unknown) => boolean} */
export const isShare = (given) => typeof given === 'number' && given > 0 && given < 1;
/** Run options that say how much load there is, and for how long: the search decides that. */
export const SET_BY_SEARCH = [
  'iterations',
  'duration',
  'forever',
  'precision',
  'maxDuration',
  'rate',
  'stages',
  'rampUp',
  'ratePerUser',
  'maxRequestsPerUser',
  'maxRequests',
  'shard',
  'startAt',
  'runId',
  'prealloc',
  'expectedInterval',
];

/** Grace at most: an overloaded step has more running iterations than it is worth to wait for. */
const GRACE_MS = 5000;
const LEAST_GRACE_MS = 1000;

/**
 * The layers of the run options of a step.
 * @param {StepLoad} load
 * @param {Layer[]} given weakest first
 * @returns {Layer[]}
 */
export function stepLayers({ grace = GRACE_MS, ...load }, given) {
  return [
    { name: BY_SEARCH, options: { gracefulStop: grace } },
    ...given.map(withFewerWorkers),
    { name: BY_SEARCH, options: load, resets: [...SET_BY_SEARCH, 'limit', 'warmup'] },
  ];
}

/** A step may have fewer virtual users than there are workers. @type {(layer: Layer) => Layer} */
export function withFewerWorkers(layer) {
  return { ...layer, adapts: [...(layer.adapts ?? []), 'workers'] };
}

/** Returns NaN for a load that no run can have. @type {(given: string | number, by: LoadOptions['by']) => number} */
export function readLoad(given, by) {
  const load = by === 'users' ? readCount(given) : readRate(given);
  return rateOption.check(load) ? load : NaN;
}

/** A step takes at most this many times its shortest length for the iterations that it needs. */
const LONGEST_NEEDED = 10;

/** Returns the lowest rate whose steps have enough iterations. @type {(needed: number, stepMs: number) => number} */
export function leastRate(needed, stepMs) {
  return Number(((1000 * needed) / (LONGEST_NEEDED * stepMs)).toPrecision(3));
}

/** Iterations that show whether a backlog grows, and on which p99 is more than chance. */
const FEWEST = 500;
/** The wanted length of a step is at most this many times the shortest. */
const LONGEST = 3;
/**
 * Steps are this many times as long as the pauses of an iteration, if LONGEST_NEEDED allows it: first the number of
 * iterations that pause has to reach its level.
 */
const PAUSES = 4;
/** A step of fewer pauses would measure the start only. */
const FEWEST_PAUSES = 3;
/** Shorter ones are within the spare virtual users. */
const LEAST_PAUSE_MS = 100;

/**
 * Returns how long an iteration takes beside its requests, ms: its pauses, and the phases before and after `main`.
 * @type {(stats: Pick<Stats, 'iterations' | 'main'>) => number}
 */
export function pauseOf({ iterations: { completed, failed, cancelled, busyTime }, main }) {
  const { serviceTime, failed: failedTimes, cancelled: cancelledTimes } = main;
  const requestsMs = [serviceTime, failedTimes, cancelledTimes].reduce(
    (sum, times) => sum + (times?.count ?? 0) * (times?.mean ?? 0),
    0,
  );
  // If none has ended, those that were cancelled show how long at least
  const pauseMs = (busyTime - requestsMs) / Math.max(1, completed + failed || cancelled);
  return pauseMs < LEAST_PAUSE_MS ? 0 : pauseMs;
}

/**
 * Virtual users suffice for iterations that take the bound of a threshold, within LEAST_MS and MOST_MS, or TIMES their
 * mean time if that is longer; SPARE is a factor for more of them.
 */
const LEAST_MS = 250;
const MOST_MS = 10_000;
const TIMES = 4;
const SPARE = 1.5;
const FEWEST_USERS = 20;
/** Systems of today allow no more open files, unless they are configured to. */
export const MOST_USERS = 10_000;

/** @type {(next: NextStep, options: LoadOptions, known: KnownTimes) => StepLoad} */
export function stepLoadOf(next, options, known) {
  const { load } = next;
  const { by, stepMs, settleMs: warmup, mostUsers, maxDurationMs = Infinity } = options;
  if (by === 'users') return { limit: load, duration: lengthOfUsers(next, { stepMs }, known), warmup };
  const duration = Math.min(lengthOf(next, { stepMs, ...known }), maxDurationMs - warmup);
  const rateOfStep = { rate: load, limit: mostUsers ?? usersFor(load, known) };
  return { ...rateOfStep, duration: Math.max(duration, shortestOf(next, { stepMs, ...known })), warmup };
}

/**
 * The grace of a step: at most half of the time that the search has left, because a service that hangs takes it twice,
 * after the warm-up and at the end; at least as long as a threshold allows.
 * @type {(spareMs: number, boundMs: number) => number} ms
 */
export function graceOf(spareMs, boundMs) {
  return Math.min(GRACE_MS, Math.max(LEAST_GRACE_MS, boundMs, spareMs / 2));
}

/**
 * The length of a step at a rate, ms: a low rate takes longer for as many iterations, and so does a step close to the
 * answer.
 * @type {(next: Pick<NextStep, 'load' | 'isFine'> & Partial<NextStep>, options: { stepMs: number, needed: number,
 *   pauseMs?: number }) => number}
 */
export function lengthOf(next, { stepMs, needed, pauseMs }) {
  const { load, isFine = false } = next;
  const wantedMs = Math.min(LONGEST * stepMs, Math.max(stepMs, msFor(FEWEST, load)) * (isFine ? 2 : 1));
  return Math.max(wantedMs, shortestOf(next, { stepMs, needed, pauseMs }));
}

/**
 * The shortest length of a step at a rate, ms. One that lets the service recover needs no figures.
 * @type {(next: Pick<NextStep, 'load'> & Partial<NextStep>, options: { stepMs: number, needed: number, pauseMs?: number
 *   }) => number}
 */
export function shortestOf({ load, role }, { stepMs, needed, pauseMs }) {
  const leastMs = leastFor(pauseMs, stepMs);
  return role === 'settling' ? leastMs : Math.max(leastMs, msFor(needed, load));
}

/** Returns the shortest `stepMs` whose longest steps have room for pauses, ms. @type {(pauseMs: number) => number} */
export function stepForPauses(pauseMs) {
  return Math.ceil((FEWEST_PAUSES * pauseMs) / LONGEST_NEEDED / 1000) * 1000;
}

/** The length of a step whose iterations pause, ms. @type {(pauseMs: number | undefined, stepMs: number) => number} */
function leastFor(pauseMs = 0, stepMs) {
  return Math.max(stepMs, Math.min(LONGEST_NEEDED * stepMs, Math.ceil((PAUSES * pauseMs) / 1000) * 1000));
}

/** Whole seconds, in ms. @type {(iterations: number, perSecond: number) => number} */
function msFor(iterations, perSecond) {
  return Math.ceil(iterations / perSecond) * 1000;
}

/**
 * The length of a step of virtual users, ms, by the time of their iterations.
 * @type {(next: NextStep, options: { stepMs: number }, known: KnownTimes) => number}
 */
function lengthOfUsers({ load, role }, { stepMs }, { meanMs, needed, pauseMs = 0 }) {
  const leastMs = leastFor(pauseMs, stepMs);
  if (meanMs === null || role === 'settling') return leastMs;
  return Math.max(leastMs, Math.min(LONGEST_NEEDED * stepMs, msFor(needed, (1000 * load) / (meanMs + pauseMs))));
}

/**
 * Virtual users for a rate by Little's law, so that they limit nothing: as many as run at a time if each takes as long
 * as a threshold allows, and pauses.
 * @type {(rate: number, known: Pick<KnownTimes, 'meanMs' | 'boundMs' | 'pauseMs'>) => number}
 */
export function usersFor(rate, { meanMs, boundMs, pauseMs = 0 }) {
  const ms = Math.max(LEAST_MS, Math.min(MOST_MS, boundMs), TIMES * (meanMs ?? 0)) + pauseMs;
  const users = Math.ceil((SPARE * rate * ms) / 1000);
  return Math.min(MOST_USERS, Math.max(FEWEST_USERS, users));
}

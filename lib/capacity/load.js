/** @import { Layer } from '../run/options/types.js' */
/** @import { NextStep } from './types.js' */

/**
 * @typedef {object} StepLoad of a run; times in ms
 * @property {number} [rate]
 * @property {number} limit virtual users
 * @property {number} duration
 * @property {number} warmup
 *
 * @typedef {object} LoadOptions
 * @property {'rate' | 'concurrency'} by
 * @property {number} stepMs the shortest step
 * @property {number} settleMs before it
 * @property {number} [mostUsers] virtual users
 *
 * @typedef {object} KnownTimes
 * @property {number | null} meanMs time of an iteration, in the highest load that held
 * @property {number} boundMs the highest bound of a threshold on times; 0 without one
 */

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

/** An overloaded step has more running iterations than it is worth to wait for. */
const GRACE = '5s';
const NAME = 'the search';

/**
 * The layers of the run options of a step.
 * @param {StepLoad} load
 * @param {Layer[]} given weakest first
 * @returns {Layer[]}
 */
export function stepLayers(load, given) {
  return [
    { name: NAME, options: { gracefulStop: GRACE } },
    ...given.map(withFewerWorkers),
    { name: NAME, options: { ...load }, resets: [...SET_BY_SEARCH, 'limit', 'warmup'] },
  ];
}

/** A step may have fewer virtual users than there are workers. @type {(layer: Layer) => Layer} */
export function withFewerWorkers(layer) {
  return { ...layer, adapts: [...(layer.adapts ?? []), 'workers'] };
}

/** Iterations that show whether a backlog grows, and on which p99 is more than chance. */
const FEWEST = 500;
const LONGEST = 3;
/** Virtual users for times up to this multiple of the mean, and up to this time. */
const TIMES = 4;
const LEAST_MS = 250;
const MOST_MS = 10_000;
const SPARE = 1.5;
const FEWEST_USERS = 20;
/** No system of today has files for more without being asked to. */
const MOST_USERS = 10_000;

/**
 * The load of the run that performs a step.
 * @type {(next: Pick<NextStep, 'load' | 'isFine'>, options: LoadOptions, known: KnownTimes) => StepLoad}
 */
export function stepLoadOf(next, options, known) {
  const { load } = next;
  const { by, stepMs, settleMs, mostUsers } = options;
  if (by === 'concurrency') return { limit: load, duration: stepMs, warmup: settleMs };
  return {
    rate: load,
    limit: mostUsers ?? usersFor(load, known),
    duration: lengthOf(next, { stepMs }),
    warmup: settleMs,
  };
}

/**
 * The length of a step at a rate, ms: a low rate takes longer for as many iterations, and so does a step close to the
 * answer.
 * @type {(next: Pick<NextStep, 'load' | 'isFine'>, options: { stepMs: number }) => number}
 */
export function lengthOf({ load, isFine = false }, { stepMs }) {
  const neededMs = Math.ceil(FEWEST / load) * 1000;
  return Math.min(LONGEST * stepMs, Math.max(stepMs, neededMs) * (isFine ? 2 : 1));
}

/**
 * Virtual users for a rate by Little's law, so that they limit nothing: as many as run at a time if each takes as long
 * as a threshold allows.
 * @type {(rate: number, known: KnownTimes) => number}
 */
export function usersFor(rate, { meanMs, boundMs }) {
  const ms = Math.max(LEAST_MS, Math.min(MOST_MS, boundMs), TIMES * (meanMs ?? 0));
  const users = Math.ceil((SPARE * rate * ms) / 1000);
  return Math.min(MOST_USERS, Math.max(FEWEST_USERS, users));
}

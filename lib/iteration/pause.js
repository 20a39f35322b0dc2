import { makeError } from '../errors.js';
import { typeName } from '../text/format-value.js';
import { readMsRange } from '../units.js';
import { HookChain, bindFunction } from './hook-chain.js';

/**
 * @import { Step } from '../flow/types.js'
 * @import { Clock } from '../run/clock.js'
 * @import { Env } from './env.js'
 * @import { Lane } from './lane.js'
 *
 * @typedef {[from: number, to: number]} Range ms
 */

/**
 * Calls the function that returns the pause of an operation.
 *
 * @param {(env: Env) => unknown} fn
 * @param {Step} step
 * @param {Env} env
 * @param {Lane} lane
 * @param {{ clock: Pick<Clock, 'now'>, timeoutMs: number }} context
 * @returns {Range | Promise<Range>} rejects, or throws at once, if it fails or returns no pause
 */
export function askPause(fn, step, env, lane, context) {
  const where = `${step.where}.pause`;
  /** @type {Range} */
  let range = [0, 0];
  const call = bindFunction(where, fn, (_, result) => {
    range = readPause(result, where, fn);
  });
  const pending = new HookChain([call], context).call(env, lane, step.timeoutMs);
  return pending === null ? range : pending.then(() => range);
}

/** Nothing is no pause. @type {(given: unknown, where: string, fn: Function) => Range} */
function readPause(given, where, fn) {
  const range = given === undefined || given === null ? NO_PAUSE : readMsRange(given);
  if (range) return range;
  const reason = `returned ${typeName(given)}: return milliseconds, '2s', or two of them: [500, 2000]`;
  throw Object.assign(makeError('E_VALUE', { place: where, reason }), { returnedBy: fn });
}

/** @type {Range} */
const NO_PAUSE = [0, 0];

/**
 * Think time, evenly distributed within a range.
 *
 * @param {[from: number, to: number]} range ms
 * @param {() => number} random 0 to 1
 * @returns {number} ms
 */
export function pauseBetween([from, to], random) {
  return from + random() * (to - from);
}

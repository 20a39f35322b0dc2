import { makeError } from '../errors.js';
import { typeName } from '../text/format-value.js';
import { readThinkTime } from '../think-time.js';
import { HookChain, bindFunction } from './hook-chain.js';

/**
 * @import { Step } from '../flow/types.js'
 * @import { ThinkTime } from '../think-time.js'
 * @import { Clock } from '../run/clock.js'
 * @import { Env } from './env.js'
 * @import { Lane } from './lane.js'
 */

/**
 * Calls the function that returns the pause of an operation.
 *
 * @param {(env: Env) => unknown} fn
 * @param {Step} step
 * @param {Env} env
 * @param {Lane} lane
 * @param {{ clock: Pick<Clock, 'now'>, timeoutMs: number }} context
 * @returns {ThinkTime | Promise<ThinkTime>} rejects, or throws at once, if it fails or returns no pause
 */
export function askPause(fn, step, env, lane, context) {
  const where = `${step.where}.pause`;
  /** @type {ThinkTime} */
  let range = [0, 0];
  const call = bindFunction(where, fn, (_, result) => {
    range = readPause(result, where, fn);
  });
  const pending = new HookChain([call], context).call(env, lane, step.timeoutMs);
  return pending === null ? range : pending.then(() => range);
}

/** Nothing is no pause. @type {(given: unknown, where: string, fn: Function) => ThinkTime} */
function readPause(given, where, fn) {
  const range = given === undefined || given === null ? NO_PAUSE : readThinkTime(given);
  if (range) return range;
  const reason = `returned ${typeName(given)}: return milliseconds, '2s', two of them: [500, 2000], or { mean: 2000, dev: 500 }`;
  throw Object.assign(makeError('E_VALUE', { place: where, reason }), { returnedBy: fn });
}

/** @type {ThinkTime} */
const NO_PAUSE = [0, 0];

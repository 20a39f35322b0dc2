import { makeError } from '../errors.js';
import { typeName } from '../text/format-value.js';
import { HookChain, bindFunction } from './hook-chain.js';

/**
 * @import { Step } from '../flow/types.js'
 * @import { Clock } from '../run/clock.js'
 * @import { Env } from './env.js'
 * @import { Lane } from './lane.js'
 */

/** Asks the functions of a step whether and how often it is performed. */
export class StepControl {
  #step;
  #context;

  /**
   * @param {Pick<Step, 'where' | 'timeoutMs' | 'control'>} step
   * @param {{ clock: Pick<Clock, 'now'>, timeoutMs: number }} context
   */
  constructor(step, context) {
    this.#step = step;
    this.#context = context;
  }

  /**
   * Called before each time that the step could be performed.
   *
   * @param {Env} env
   * @param {Lane} lane
   * @param {number} round how often it was performed
   * @param {number} rounds what the last call returned
   * @returns {number | Promise<number>} how often it is performed in all: `round` if it is not performed again. Rejects, or throws
   *   at once, if a function fails
   */
  decide(env, lane, round, rounds) {
    const { when, repeat } = /** @type {NonNullable<Step['control']>} */ (this.#step.control);
    const all =
      round > 0 ? rounds : this.#ask('repeat', repeat, env, lane, (result) => this.#readRounds(result, repeat));
    const ifTrue = (/** @type {number} */ most) =>
      when === null ? most : this.#ask('when', when, env, lane, (result) => (result ? most : round));
    return all instanceof Promise ? all.then(ifTrue) : ifTrue(all);
  }

  /** @type {(key: string, given: number | ((env: Env) => unknown), env: Env, lane: Lane, read: (result: unknown) => number) => number | Promise<number>} */
  #ask(key, given, env, lane, read) {
    if (typeof given === 'number') return given;
    const { where, timeoutMs } = this.#step;
    let answer = 0;
    const call = bindFunction(`${where}.${key}`, given, (_, result) => {
      answer = read(result);
    });
    const pending = new HookChain([call], this.#context).call(env, lane, timeoutMs);
    return pending === null ? answer : pending.then(() => answer);
  }

  /** @type {(result: unknown, fn: unknown) => number} */
  #readRounds(result, fn) {
    if (Number.isSafeInteger(result) && /** @type {number} */ (result) >= 0) return /** @type {number} */ (result);
    const reason = `returned ${typeName(result)}: return a whole number from 0`;
    throw Object.assign(makeError('E_VALUE', { place: `${this.#step.where}.repeat`, reason }), { returnedBy: fn });
  }
}

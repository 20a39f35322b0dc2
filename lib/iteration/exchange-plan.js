import { capturingOf } from './capturing.js';
import { expectationOf, messagesCheckOf } from './expectation.js';
import { blaming } from './failure.js';
import { logging } from './logging.js';
import { MIDDLEWARE } from './session/index.js';
import { tracing } from './trace.js';

/**
 * @import { Feeders } from '../flow/data/feeders.js'
 * @import { Rules, Step } from '../flow/types.js'
 * @import { OperationRecorder } from '../measure/operations.js'
 * @import { Recorder } from '../measure/recorder.js'
 * @import { Clock } from '../run/clock.js'
 * @import { Log } from './logging.js'
 * @import { Middleware, SessionOptions } from './session/index.js'
 * @import { Send, Trace } from './trace.js'
 *
 * @typedef {object} ExchangeOptions
 * @property {Clock} clock
 * @property {Recorder} recorder
 * @property {number} timeoutMs of an operation that has no timeout of its own; 0: no limit
 * @property {number} connectTimeoutMs
 * @property {Record<string, any>} runCtx
 * @property {Record<string, any>} vars the variables of the run, without a prototype
 * @property {Feeders | null} feeders of the flow
 * @property {() => void} stop ends the run gracefully, for hooks
 * @property {() => number} origin instant from which the times of examples count
 * @property {Trace} [trace] called with every request and its response
 * @property {Log} [log] gets every request
 * @property {OnResponse} [onResponse] called with the response of every operation; not set if there is no listener
 *
 * @typedef {ExchangeOptions & SessionOptions} ExchangeContext
 *
 * @typedef {(step: Step, index: number | undefined, status: number, ms: number, bytes: number) => void} OnResponse index: of
 *   the iteration, undefined in before and after; bytes: of the body as it was received
 *
 * @typedef {object} BoundMiddleware that of one set of rules
 * @property {NonNullable<Middleware['before']>[]} before
 * @property {NonNullable<Middleware['after']>[]} after
 */

/** The decisions that all exchanges of a step have in common, made before the run. */
export class ExchangePlan {
  /** for the rules of the step, once it is performed @type {BoundMiddleware | null} */
  #middleware = null;
  /** @type {Send} */
  send;

  /**
   * @param {Step} step
   * @param {ExchangeContext} context
   * @param {OperationRecorder} operation
   */
  constructor(step, context, operation) {
    this.step = step;
    this.context = context;
    this.operation = operation;
    this.send = sendOf(step, context);
    this.expectation = expectationOf(step, context.recorder);
    this.capturing = capturingOf(step);
    /** of a WebSocket: its connection finds out that a message is not the expected one */
    this.messages = step.webSocket === null ? null : messagesCheckOf(step, context.recorder);
  }

  /**
   * @param {Rules} rules those of the step, unless a before-hook changed them
   * @returns {BoundMiddleware}
   */
  middlewareFor(rules) {
    return rules === this.step ? (this.#middleware ??= this.#select(rules)) : this.#select(rules);
  }

  /** @type {(rules: Rules) => BoundMiddleware} */
  #select(rules) {
    const needed = MIDDLEWARE.filter((entry) => entry.needed(rules));
    // a hook may have put anything into env
    const where = `${this.step.where}.env`;
    return {
      before: needed.flatMap(({ before }) => (before ? [blaming(where, before)] : [])),
      after: needed.flatMap(({ after }) => (after ? [blaming(where, after)] : [])),
    };
  }
}

/** Decided before the run: a log costs nothing where there is none. @type {(step: Step, context: ExchangeContext) => Send} */
function sendOf(step, { clock, trace, log }) {
  if (trace) return tracing(step, clock, trace);
  if (log) return logging(step, log);
  return (request, connection, receiver) => connection.send(request, step.needs, receiver);
}

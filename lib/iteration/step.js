import { isTeardown } from '../phases.js';
import { withValues } from './computed-step.js';
import { ExchangePlan } from './exchange-plan.js';
import { blaming } from './failure.js';
import { HookedStep } from './hooked-step.js';

/**
 * @import { Request, Rules, Step } from '../flow/types.js'
 * @import { WebSocketUse } from '../flow/web-socket/types.js'
 * @import { OperationRecorder } from '../measure/operations.js'
 * @import { Departure } from './all.js'
 * @import { Response } from '../transport/types.js'
 * @import { Env } from './env.js'
 * @import { ExchangeContext } from './exchange-plan.js'
 * @import { Lane } from './lane.js'
 * @import { RequestedStep } from './requested-steps.js'
 *
 * @typedef {{ statusCode: number, rules?: Rules, response?: Response }} StepResult the status that counts; the rules if a hook
 *   may have changed them, and then the response. Without hooks it is the response
 *
 * @typedef {object} StepReceiver gets the end of a step: one of the three is called, once, perhaps at once
 * @property {(result: StepResult) => void} onResponse
 * @property {(error: any, response?: { statusCode: number | null }, failed?: RequestedStep) => void} onError there is no response, or it is not
 *   as expected; failed: what a function has requested
 * @property {(departure: Departure) => void} onDeparture hooks left the operation or the iteration
 *
 * @typedef {(env: Env, lane: Lane, rendered: Request | null, receiver: StepReceiver) => void} PerformStep
 */

/**
 * Binds a step to its run: values, before-hooks, exchange, after-hooks. A step without hooks is just its exchange.
 *
 * @param {Step} step
 * @param {ExchangeContext} context
 * @param {OperationRecorder} operation
 * @returns {PerformStep}
 */
export function prepareStep(step, context, operation) {
  const sent = prepareSent(step, context, operation);
  const perform = step.webSocket === null ? sent : preparePart(step, step.webSocket, sent);
  return step.values.length === 0 ? perform : withValues(step, context, perform);
}

/**
 * A part of a WebSocket operation that may have nothing to do: the handshake of a connection that was kept open, and in
 * a teardown the close of one that is closed.
 *
 * @type {(step: Step, use: WebSocketUse, perform: PerformStep) => PerformStep}
 */
function preparePart({ phase }, { key, kind, keeps }, perform) {
  const skipsIf = { connect: keeps ? true : null, close: isTeardown(phase) ? false : null, message: null }[kind];
  if (skipsIf === null) return perform;
  return (env, lane, rendered, receiver) => {
    if (lane.hasOpenSocket(key) === skipsIf) receiver.onResponse(DONE);
    else perform(env, lane, rendered, receiver);
  };
}

/** @type {StepResult} */
const DONE = { statusCode: 101 };

/** The step without the functions that return its values. @type {typeof prepareStep} */
function prepareSent(step, context, operation) {
  const plan = new ExchangePlan(step, context, operation);
  const render = blaming(`${step.where}.env`, step.render);
  if (step.beforeHooks.length > 0 || step.afterHooks.length > 0) {
    const hooked = new HookedStep(step, context, { plan, render });
    return (env, lane, rendered, receiver) => hooked.perform(env, lane, rendered, receiver);
  }
  return (env, lane, rendered, receiver) => {
    let request = rendered ?? step.request;
    if (request === null) {
      try {
        request = render(env);
      } catch (error) {
        receiver.onError(error);
        return;
      }
    }
    lane.exchange.start(plan, request, env, step, receiver);
  };
}

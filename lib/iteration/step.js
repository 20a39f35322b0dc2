import { createRequire } from 'node:module';

import { factsOf } from '../ground/phases.js';
import { ExchangePlan } from './exchange-plan.js';
import { withErrorPlace } from './failure.js';

/** @import { OperationRecorder } from '../contracts/recorders.js' */
/** @import { Request } from '../contracts/request.js' */
/** @import { Response } from '../contracts/response.js' */
/** @import { HeldConnection, Operation, RequestedOperation, Rules, Step } from '../contracts/step.js' */
/** @import { All, Departure } from './all.js' */
/** @import { ExchangeContext } from './exchange-plan.js' */
/** @import { Env, PhaseContext } from './iteration.js' */
/** @import { Lane } from './lane.js' */

const requireHere = createRequire(import.meta.url);

/** Most flows have no hooks. @type {() => typeof import('./hooked-step.js')} */
const loadHooks = () => requireHere('./hooked-step.js');
/** @type {() => typeof import('./step-functions.js')} */
const loadStepFunctions = () => requireHere('./step-functions.js');

/**
 * @typedef {{ statusCode: number, rules?: Rules, response?: Response, value?: unknown }} StepResult the status that
 *   counts; the rules if a hook may have changed them, and then the response. Without hooks it is the response; of a
 *   measured call it has a value
 *
 * @typedef {object} StepReceiver gets the end of a step: one of the three is called, once, perhaps at once
 * @property {(result: StepResult) => void} onResponse
 * @property {(error: any, response?: { statusCode: number | null }, failed?: RequestedStep) => void} onError there is
 *   no response, or it is not as expected; failed: what a function has requested
 * @property {(departure: Departure) => void} onDeparture hooks left the operation or the iteration
 */

/** @typedef {(env: Env, lane: Lane, rendered: Request | null, receiver: StepReceiver) => void} PerformStep */

/**
 * Binds a step to its run: values, before-hooks, exchange, after-hooks. A step without hooks is just its exchange.
 * @type {(step: Step, context: ExchangeContext, operation: OperationRecorder) => PerformStep}
 */
export function prepareStep(step, context, operation) {
  const sent = prepareSent(step, context, operation);
  const perform = step.held === null ? sent : unlessHeld(step.held, sent);
  return step.values.length === 0 ? perform : loadStepFunctions().withValues(step, context, perform);
}

/**
 * Wraps a step that has nothing to do if the connection that it shares is open, or closed.
 * @type {(held: HeldConnection, perform: PerformStep) => PerformStep}
 */
function unlessHeld({ key, skipsIf }, perform) {
  if (skipsIf === null) return perform;
  return (env, lane, rendered, receiver) => {
    if (lane.isOpen(key) === (skipsIf === 'open')) receiver.onResponse(DONE);
    else perform(env, lane, rendered, receiver);
  };
}

/** @type {StepResult} */
const DONE = { statusCode: 101 };

/** Prepares the step without the functions that return its values. @type {typeof prepareStep} */
function prepareSent(step, context, operation) {
  const plan = new ExchangePlan(step, context, operation);
  const render = withErrorPlace(`${step.where}.env`, step.render);
  if (step.beforeHooks.length > 0 || step.afterHooks.length > 0) {
    const hooked = new (loadHooks().HookedStep)(step, context, { plan, render });
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

/** @typedef {{ step: Step, operation: OperationRecorder, perform: PerformStep }} RequestedStep */

/** Operations that stay compiled. */
const MOST_STEPS = 100;

/** The operation that the function of an iteration requests at the moment. @type {WeakMap<object, Operation>} */
const GIVEN = new WeakMap();
/** The response that it has received. @type {WeakMap<object, RequestedResponse>} */
const RECEIVED = new WeakMap();

/**
 * The operations that a function requests. Those that differ in the values of their requests alone are compiled once:
 * their URL, header fields and body are values from code.
 */
export class RequestedSteps {
  #caller;
  #context;
  /** Steps by the keys of their shapes, the most recently used last. @type {Map<string, RequestedStep>} */
  #steps = new Map();

  /**
   * @param {Step & { call: NonNullable<Step['call']> }} caller the function
   * @param {PhaseContext} context
   */
  constructor(caller, context) {
    this.#caller = caller;
    this.#context = context;
  }

  /**
   * Returns the step of a given operation. The request that is rendered next for `env` has the values of this
   * operation. Throws E_REQUEST_FIELD.
   * @throws {Error} E_REQUEST_FIELD
   * @type {(given: unknown, env: Env) => RequestedStep}
   */
  stepOf(given, env) {
    const requested = this.#caller.call.read(given);
    const { key, operation } = requested;
    const step = this.#steps.get(key) ?? this.#prepare(requested);
    this.#steps.delete(key);
    this.#steps.set(key, step);
    if (this.#steps.size > MOST_STEPS) this.#steps.delete(/** @type {string} */ (this.#steps.keys().next().value));
    GIVEN.set(env, operation);
    RECEIVED.delete(env);
    return step;
  }

  /** @type {(env: Env) => RequestedResponse | undefined} */
  receivedBy(env) {
    return RECEIVED.get(env);
  }

  /** @type {(requested: RequestedOperation) => RequestedStep} */
  #prepare({ compile }) {
    const step = { ...compile(valueOf, keepResponse), caller: this.#caller };
    const operation = this.#context.recorder.operations.named(step.name, step.phase, factsOf(step));
    return { step, operation, perform: prepareStep(step, this.#context, operation) };
  }
}

/** @type {(env: object, key: string) => unknown} */
function valueOf(env, key) {
  return GIVEN.get(env)?.[key];
}

/** @type {(all: All) => void} */
function keepResponse(all) {
  if (all.response) RECEIVED.set(all.env, new RequestedResponse(all));
}

/** A response as functions get it. */
export class RequestedResponse {
  /** @param {All} all */
  constructor({ response, body }) {
    this.status = response.statusCode;
    this.statusCode = response.statusCode;
    this.headers = response.headers;
    this.body = body;
  }

  /** The body as JSON. @returns {any} throws a SyntaxError if it is not JSON */
  get json() {
    return typeof this.body === 'string' ? JSON.parse(this.body) : this.body;
  }
}

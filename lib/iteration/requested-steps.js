import { prepareStep } from './step.js';

/**
 * @import { RequestedOperation } from '../flow/function-step.js'
 * @import { Operation, Step } from '../flow/types.js'
 * @import { OperationRecorder } from '../measure/operations.js'
 * @import { All } from './all.js'
 * @import { Env } from './env.js'
 * @import { PhaseContext } from './phase.js'
 * @import { PerformStep } from './step.js'
 *
 * @typedef {object} RequestedStep
 * @property {Step} step
 * @property {OperationRecorder} operation
 * @property {PerformStep} perform
 */

/** Operations that stay compiled. */
const MOST_STEPS = 100;

/** The operation that the function of an iteration requests at the moment. @type {WeakMap<object, Operation>} */
const GIVEN = new WeakMap();
/** The response that it has received. @type {WeakMap<object, RequestedResponse>} */
const RECEIVED = new WeakMap();

/**
 * The operations that a function requests. Those that differ in the values of their requests alone are compiled once: their
 * URL, header fields and body are values from code.
 */
export class RequestedSteps {
  #caller;
  #context;
  /** by the keys of their shapes, the most recently used last @type {Map<string, RequestedStep>} */
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
   * @param {unknown} given
   * @param {Env} env of the iteration: the request that is rendered next for it has the values of this operation
   * @returns {RequestedStep}
   * @throws {Error} E_REQUEST_FIELD
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
    const operation = this.#context.recorder.operations.named(step.name, step.phase);
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

import { makeError } from '../ground/errors.js';
import { factsOf } from '../ground/phases.js';
import { THINK_TIMES, readThinkTime } from '../ground/units.js';
import { typeName } from '../text/format-value.js';
import { All } from './all.js';
import { HookChain, bindFunction } from './hooked-step.js';
import { withoutMark } from './response-reader.js';
import { prepareStep } from './step.js';

/** @import { Clock } from '../contracts/clock.js' */
/** @import { OperationRecorder } from '../contracts/recorders.js' */
/** @import { NamedValue, Operation, RequestedOperation, Step } from '../contracts/step.js' */
/** @import { ThinkTimeMs } from '../ground/units.js' */
/** @import { BoundHook } from './hooked-step.js' */
/** @import { Env, PhaseContext } from './iteration.js' */
/** @import { Lane } from './lane.js' */
/** @import { PerformStep } from './step.js' */

/**
 * The functions of a flow that decide about a step: values of its request, `when`, `repeat` and `pause`, and the
 * operations that a function in a phase requests. It is loaded only by flows that have one of these.
 */

/**
 * Calls the functions that return values of a step's request, once for each request, before its before-hooks. `perform`
 * is the rest of the step.
 * @type {(step: Step, context: { clock: Pick<Clock, 'now'>, timeoutMs: number }, perform: PerformStep) => PerformStep}
 */
export function withValues(step, context, perform) {
  const functions = new HookChain(step.values.map(bindValue), context);
  return (env, lane, rendered, receiver) => {
    env.values = [];
    const fail = (/** @type {unknown} */ error) => {
      lane.readClock();
      receiver.onError(error);
    };
    let pending;
    try {
      pending = functions.call(env, lane, step.timeoutMs);
    } catch (error) {
      fail(error);
      return;
    }
    const go = () => {
      lane.readClock();
      perform(env, lane, rendered, receiver);
    };
    if (pending === null) go();
    else pending.then(go, fail);
  };
}

/** @type {(value: NamedValue, at: number) => BoundHook<Env>} */
function bindValue({ where, call, take }, at) {
  return bindFunction(where, call, (/** @type {Env} */ env, result) => {
    env.values[at] = take(result);
  });
}

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

  /** From the start of one time to that of the next, ms; 0: at once. */
  get everyMs() {
    return this.#step.control?.everyMs ?? 0;
  }

  /**
   * Returns how often a step is performed in all: `round`, the number of times until now, if it is not performed again.
   * It is called before each time that the step could be performed; `rounds` is the result of the last call. Rejects,
   * or throws at once, if a function fails.
   * @type {(env: Env, lane: Lane, round: number, rounds: number) => number | Promise<number>}
   */
  decide(env, lane, round, rounds) {
    const { when, repeat } = /** @type {NonNullable<Step['control']>} */ (this.#step.control);
    const all =
      round > 0 ? rounds : this.#ask('repeat', repeat, env, lane, (result) => this.#readRounds(result, repeat));
    const ifTrue = (/** @type {number} */ most) =>
      when === null ? most : this.#ask('when', when, env, lane, (result) => (result ? most : round));
    return all instanceof Promise ? all.then(ifTrue) : ifTrue(all);
  }

  /**
   * @type {(key: string, given: number | ((env: Env) => unknown), env: Env, lane: Lane, read: (result: unknown) =>
   *   number) => number | Promise<number>}
   */
  #ask(key, given, env, lane, read) {
    if (typeof given === 'number') return given;
    const { where, timeoutMs } = this.#step;
    return answerOf(given, { where: `${where}.${key}`, timeoutMs, read }, env, lane, this.#context);
  }

  /** @type {(result: unknown, fn: unknown) => number} */
  #readRounds(result, fn) {
    if (Number.isSafeInteger(result) && /** @type {number} */ (result) >= 0) return /** @type {number} */ (result);
    const reason = `returned ${typeName(result)}: return a whole number from 0`;
    throw Object.assign(makeError('E_VALUE', { place: `${this.#step.where}.repeat`, reason }), { returnedBy: fn });
  }
}

/**
 * Calls the function that returns the pause of an operation. Rejects, or throws at once, if that fails.
 * @type {(fn: (env: Env) => unknown, step: Step, env: Env, lane: Lane, context: { clock: Pick<Clock, 'now'>, timeoutMs:
 *   number }) => ThinkTimeMs | Promise<ThinkTimeMs>}
 */
export function askPause(fn, step, env, lane, context) {
  const where = `${step.where}.pause`;
  const read = (/** @type {unknown} */ result) => readPause(result, where, fn);
  return answerOf(fn, { where, timeoutMs: step.timeoutMs, read }, env, lane, context);
}

/** Reads a pause. Nothing is no pause. @type {(given: unknown, where: string, fn: Function) => ThinkTimeMs} */
function readPause(given, where, fn) {
  const range = given === undefined || given === null ? NO_PAUSE : readThinkTime(given);
  if (range) return range;
  const reason = `returned ${typeName(given)}: return ${THINK_TIMES}`;
  throw Object.assign(makeError('E_VALUE', { place: where, reason }), { returnedBy: fn });
}

/** @type {ThinkTimeMs} */
const NO_PAUSE = [0, 0];

/**
 * Calls a function of the flow, and returns what `read` makes of its result, or the promise of that.
 * @type {(fn: (env: Env) => unknown, how: { where: string, timeoutMs: number | null, read: (result: unknown) => any },
 *   env: Env, lane: Lane, context: { clock: Pick<Clock, 'now'>, timeoutMs: number }) => any}
 */
function answerOf(fn, { where, timeoutMs, read }, env, lane, context) {
  /** @type {unknown} */
  let answer;
  const call = bindFunction(where, fn, (_, result) => {
    answer = read(result);
  });
  const pending = new HookChain([call], context).call(env, lane, timeoutMs);
  return pending === null ? answer : pending.then(() => answer);
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

  /** @throws {Error} E_REQUEST_FIELD @type {(given: unknown, env: Env) => RequestedStep} */
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
    const step = compile(valueOf, keepResponse);
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
  const { env, ...received } = All.outcomeOf(all);
  if (received.response) RECEIVED.set(env, new RequestedResponse(received));
}

/** A response as functions get it. */
export class RequestedResponse {
  #isValue;

  /** @param {Omit<ReturnType<typeof All.outcomeOf>, 'env'>} received */
  constructor({ response, body, isValue }) {
    this.#isValue = isValue;
    this.status = response.statusCode;
    this.statusCode = response.statusCode;
    this.headers = response.headers;
    this.body = body;
  }

  /**
   * The value of the body as JSON, which hooks may have parsed already.
   * @returns {any}
   * @throws {SyntaxError} it is not JSON
   */
  get json() {
    const { body } = this;
    const isText = !this.#isValue && (typeof body === 'string' || Buffer.isBuffer(body));
    return isText ? JSON.parse(withoutMark(String(body))) : body;
  }
}

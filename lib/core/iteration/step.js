import { createRequire } from 'node:module';

import { makeError } from '../ground/errors.js';
import { sendOn, tracing } from './exchange-record.js';
import { isErrorStatus, withErrorPlace } from './failure.js';
import { MIDDLEWARE } from './session/index.js';

/** @import { Clock } from '../contracts/clock.js' */
/** @import { Capture, Mismatch, NamedCheck, Received } from '../contracts/expectation.js' */
/** @import { CheckRecorder, JudgedLimits, OperationRecorder, Recorder } from '../contracts/recorders.js' */
/** @import { Request } from '../contracts/request.js' */
/** @import { Kept, Response } from '../contracts/response.js' */
/** @import { Feeders, HeldConnection, Rules, Scope, Step } from '../contracts/step.js' */
/** @import { CheckPlace } from '../contracts/summaries.js' */
/** @import { Departure } from './all.js' */
/** @import { Send, Trace } from './exchange-record.js' */
/** @import { Env } from './iteration.js' */
/** @import { Lane } from './lane.js' */
/** @import { ResponseReader } from './response-reader.js' */
/** @import { Middleware, SessionOptions } from './session/index.js' */
/** @import { RequestedStep } from './step-functions.js' */
/** @import { ReadingPlan } from './types.js' */

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

/** @type {(step: Step, context: ExchangeContext, operation: OperationRecorder) => PerformStep} */
export function prepareStep(step, context, operation) {
  return step.live === undefined ? prepareFixed(step, context, operation) : prepareLive(step, context, operation);
}

/** @type {typeof prepareStep} */
function prepareFixed(step, context, operation) {
  const sent = prepareSent(step, context, operation);
  const perform = step.held === null ? sent : unlessNothingToDo(step.held, sent);
  return step.values.length === 0 ? perform : loadStepFunctions().withValues(step, context, perform);
}

/** It is prepared again if its operation has changed. @type {typeof prepareStep} */
function prepareLive(step, context, operation) {
  let { live } = step;
  let perform = prepareFixed(step, context, operation);
  return (env, lane, _, receiver) => {
    if (live?.isStale()) {
      try {
        const renewed = live.renewed();
        perform = prepareFixed(renewed, context, operation);
        ({ live } = renewed);
      } catch (error) {
        receiver.onError(error);
        return;
      }
      lane.readClock();
    }
    perform(env, lane, null, receiver);
  };
}

/** It may be open or closed already. @type {(held: HeldConnection, perform: PerformStep) => PerformStep} */
function unlessNothingToDo({ key, skipsIf }, perform) {
  if (skipsIf === null) return perform;
  return (env, lane, rendered, receiver) => {
    if (lane.isOpen(key) === (skipsIf === 'open')) receiver.onResponse(NOTHING_DONE);
    else perform(env, lane, rendered, receiver);
  };
}

/** As if a WebSocket had just been opened. @type {StepResult} */
const NOTHING_DONE = { statusCode: 101 };

/** Prepares the hooks and the exchange of a step. @type {typeof prepareStep} */
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

/**
 * @typedef {object} ExchangeOptions
 * @property {Clock} clock
 * @property {Recorder} recorder
 * @property {number} timeoutMs of an operation that has no timeout of its own; 0: no limit
 * @property {number} connectTimeoutMs
 * @property {Record<string, any>} runCtx
 * @property {Record<string, any>} vars the variables of the run, without a prototype
 * @property {Feeders | null} feeders of the flow
 * @property {() => void} stop ends the run gracefully, for hooks
 * @property {RunEnding} [ending] of the run, or of its load: what ends early is not requested again after it
 * @property {JudgedLimits[]} [limits] those that readers judge
 * @property {() => number} origin instant from which the times of examples count
 * @property {Trace} [trace] called with every request and its response
 * @property {{ senderOf: (step: Step, send: Send) => Send }} [log] sends and logs every request
 * @property {((send: Send) => Send)[]} [senders] what else acts on every request
 * @property {OnResponse} [onResponse] called with the response of every operation; not set if there is no listener
 */

/** @typedef {{ readonly isOver: boolean, onStop: (listener: () => void) => () => void }} RunEnding */
/** @typedef {ExchangeOptions & SessionOptions} ExchangeContext */

/**
 * @typedef {(step: Step, index: number | undefined, status: number, ms: number, bytes: number) => void} OnResponse
 *   index: of the iteration, undefined in before and after; bytes: of the body as it was received
 *
 * @typedef {object} BoundMiddleware that of one set of rules
 * @property {NonNullable<Middleware['before']>[]} before
 * @property {NonNullable<Middleware['after']>[]} after
 * @property {NonNullable<Middleware['after']>[]} afterPlain those that act on plain responses
 */

/** The decisions that all exchanges of a step have in common, made before the run. */
export class ExchangePlan {
  /** The middleware for the rules of the step, once it is performed. @type {BoundMiddleware | null} */
  middleware = null;
  /** How the response is read as it arrives; null: it is kept. @type {ReadingPlan | null} */
  reading;
  /** The parts of a response that are needed. */
  needs;
  /** It sends a logged or traced request; null: requests are neither. @type {Send | null} */
  send;

  /** @param {Step} step @param {ExchangeContext} context @param {OperationRecorder} operation */
  constructor(step, context, operation) {
    this.step = step;
    this.context = context;
    this.operation = operation;
    this.reading = /** @type {ReadingPlan | null} */ (step.reader?.plan(step, context, operation) ?? null);
    this.needs = keptOf(step, context);
    /** Its exchange may take longer by this time, ms. */
    this.readingMs = step.reader?.forMs ?? 0;
    this.send = sendOf(step, this.needs, context);
    this.expectation = withFault(step, expectationOf(step, context.recorder));
    this.capturing = capturingOf(step);
    this.connectionCheck = connectionCheckOf(step, context.recorder);
  }

  /** The middleware for the rules of the step, or of its before-hooks. @type {(rules: Rules) => BoundMiddleware} */
  middlewareFor(rules) {
    return rules === this.step ? (this.middleware ??= this.#select(rules)) : this.#select(rules);
  }

  /** @type {(rules: Rules) => BoundMiddleware} */
  #select(rules) {
    const needed = MIDDLEWARE.filter((entry) => entry.needed(rules));
    // A hook may have put anything into env.
    const where = `${this.step.where}.env`;
    /** @type {(entries: Middleware[]) => BoundMiddleware['after']} */
    const bind = (entries) => entries.flatMap(({ after }) => (after ? [withErrorPlace(where, after)] : []));
    return {
      before: needed.flatMap(({ before }) => (before ? [withErrorPlace(where, before)] : [])),
      after: bind(needed),
      afterPlain: bind(needed.filter(({ readsPlain }) => readsPlain)),
    };
  }
}

/** @type {(step: Step, context: ExchangeContext) => Kept} */
function keptOf({ reader, needs }, { trace }) {
  if (reader !== null) return 'reader';
  return trace ? 'body' : needs;
}

/**
 * Creates the send function. This is decided before the run: a log costs nothing where there is none.
 * @type {(step: Step, needs: Kept, context: ExchangeContext) => Send | null}
 */
function sendOf(step, needs, { clock, trace, log, senders = [] }) {
  const { faultOfSent } = step;
  if (!log && !trace && senders.length === 0 && !faultOfSent) return null;
  /** @type {Send} */
  const plain = (request, connection, exchange, receiver = exchange, named = undefined) =>
    sendOn(connection, request, exchange.faultOfSent === null ? needs : 'body', receiver, named);
  const logged = log ? log.senderOf(step, plain) : plain;
  const traced = trace ? tracing(step, clock, trace, logged) : logged;
  const send = senders.reduce((inner, sender) => sender(inner), traced);
  if (!faultOfSent) return send;
  return (request, connection, exchange, ...rest) => {
    exchange.faultOfSent = faultOfSent(request);
    send(request, connection, exchange, ...rest);
  };
}

/** @typedef {Pick<Step, 'checks' | 'where' | 'name' | 'phase' | 'scenario' | 'group' | 'tags'>} CheckedStep */
/** @typedef {(received: Received, scope: Scope) => Error | null} CheckResponse null if the response is as expected */

/**
 * Joins the checks of an operation; null if there are none. All of them are evaluated and counted. The error is that of
 * the first check that fails.
 * @type {(step: CheckedStep, recorder: Pick<Recorder, 'checks'>) => CheckResponse | null}
 */
export function expectationOf(step, recorder) {
  const { checks, where } = step;
  if (checks.length === 0) return null;
  const all = checks.map((check) => ({
    parts: check.parts,
    counter: recorder.checks.add(placeOf(check, step)),
  }));
  // A hook may have put anything into env, which tokens read.
  return withErrorPlace(`${where}.expect`, (/** @type {Received} */ received, /** @type {Scope} */ scope) => {
    /** @type {PlacedMismatch | null} */
    let first = null;
    let failures = 0;
    for (const { parts, counter } of all) {
      const mismatch = mismatchOf(parts, received, scope);
      if (mismatch === null) counter.passes++;
      else {
        counter.fail(scope.index, messageOf(mismatch));
        first ??= mismatch;
        failures++;
      }
    }
    return first === null ? null : errorOf(first, received.statusCode, failures - 1);
  });
}

/** @type {(step: Pick<Step, 'fault'>, expectation: CheckResponse | null) => CheckResponse | null} */
function withFault({ fault }, expectation) {
  if (fault === null) return expectation;
  return (received, scope) => {
    const failure = expectation === null ? null : expectation(received, scope);
    // A reader finds the faults in what it reads.
    return (received.reading === null ? fault(received) : null) ?? failure;
  };
}

/**
 * Returns the check that the connection makes, as that of the messages of a WebSocket.
 * @type {(step: CheckedStep, recorder: Pick<Recorder, 'checks'>) => { code: string, counter: CheckRecorder } | null}
 */
function connectionCheckOf(step, recorder) {
  const check = step.checks.find(({ failsWith }) => failsWith !== undefined);
  if (check?.failsWith === undefined) return null;
  return { code: check.failsWith, counter: recorder.checks.add(placeOf(check, step)) };
}

/** @type {(check: NamedCheck, step: CheckedStep) => CheckPlace} */
function placeOf({ name, where }, { name: operation, phase, scenario, group, tags }) {
  return {
    ...{ name, path: where, operation, phase },
    ...(scenario && { scenario: scenario.name }),
    ...((group || tags) && { labels: { ...(group && { group }), ...tags } }),
  };
}

/** @typedef {Mismatch & { where: string }} PlacedMismatch */

/** @type {(parts: NamedCheck['parts'], received: Received, scope: Scope) => PlacedMismatch | null} */
function mismatchOf(parts, received, scope) {
  for (const { where, check } of parts) {
    const mismatch = check(received, scope);
    if (mismatch !== null) return { where, ...mismatch };
  }
  return null;
}

/** @type {(mismatch: Mismatch) => string} */
function messageOf({ expected, received }) {
  return `expected ${expected}, received ${received}`;
}

/** @type {(mismatch: PlacedMismatch, status: number, others: number) => Error} */
function errorOf(mismatch, status, others) {
  return makeError('E_EXPECT', {
    where: mismatch.where,
    mismatch: messageOf(mismatch),
    status: mismatch.received === String(status) || status === 0 ? '' : ` with status ${status}`,
    others: others === 0 ? '' : `; ${others} more ${others === 1 ? 'check' : 'checks'} of this response failed`,
  });
}

/**
 * @typedef {(received: ResponseReader[], env: Pick<Env, 'vars'>) => Error | null} Capturing of a response, or of each
 *   message
 */

/**
 * Joins the captures of an operation; null if there are none. All values that the response has are captured, also after
 * one that is missing: a teardown may need them. The error is that of the first value that is missing, unless the
 * status is an error by itself.
 * @type {(step: Pick<Step, 'captures' | 'acceptsStatus'>) => Capturing | null}
 */
function capturingOf(step) {
  const { captures } = step;
  if (captures.length === 0) return null;
  return (received, { vars }) => {
    /** @type {Capture | null} */
    let missing = null;
    for (const capture of captures) {
      const value = capture.reader === null ? firstOf(received, capture.read) : takenOf(received, capture);
      if (value !== undefined) vars[capture.name] = value;
      else if (capture.fallback !== null) vars[capture.name] = capture.fallback.value;
      else missing ??= capture;
    }
    return missing === null ? null : captureError(missing, received, step);
  };
}

/** @type {(missing: Capture, received: ResponseReader[], step: Pick<Step, 'acceptsStatus'>) => Error | null} */
function captureError({ where, explain }, received, step) {
  const last = received.at(-1);
  const status = last?.statusCode ?? 0;
  if (isErrorStatus(status, step)) return null;
  return makeError('E_CAPTURE', {
    where,
    reason: last ? explain(last) : 'no message was received',
    status: status === 0 ? '' : `, with status ${status}`,
  });
}

/** A reader captures values as they arrive. @type {(received: ResponseReader[], capture: Capture) => unknown} */
function takenOf([{ reading }], { name }) {
  return reading?.captured.get(name);
}

/** @type {(received: ResponseReader[], read: Capture['read']) => unknown} */
function firstOf(received, read) {
  for (const one of received) {
    const value = read(one);
    if (value !== undefined) return value;
  }
  return undefined;
}

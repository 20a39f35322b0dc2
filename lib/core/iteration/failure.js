import { ERRORS, isOurs, makeError } from '../ground/errors.js';
import { systemError } from '../ground/system-errors.js';
import { missingCredentials } from '../http/proxy.js';
import { messageOf } from '../text/error-text.js';
import { hidingSecretsOf, maskText } from '../text/mask.js';
import { secretsOf } from './secrets.js';

/** @import { Connection } from '../contracts/connection.js' */
/** @import { Request } from '../contracts/request.js' */
/** @import { Response } from '../contracts/response.js' */
/** @import { Step } from '../contracts/step.js' */
/** @import { Exemplar } from '../contracts/summaries.js' */
/** @import { Phase } from '../ground/phases.js' */
/** @import { Endpoint } from '../http/endpoint.js' */
/** @import { BoundStep, Env, PhaseContext } from './iteration.js' */
/** @import { Lane } from './lane.js' */
/** @import { StepResult } from './step.js' */

/**
 * Failures during a run are data: each has a kind and a code ({@link classify}), counts for its operation, and may
 * become a sample ({@link reportFailure}), whose texts hide the secrets of the iteration.
 *
 * @typedef {{ kind: string, code: string }} Failure kind: a key of KINDS in errors.js, or `cancelled`
 */

/** Classifies an error of an exchange or a hook. @type {(error: any) => Failure} */
export function classify(error) {
  if (isOurs(error) && error.kind) return { kind: error.kind, code: groupCodeOf(error) ?? error.code };
  const first = firstOf(error);
  const code = typeof first?.code === 'string' ? first.code : 'E_UNKNOWN';
  const kind = systemError(code)?.kind ?? 'protocol';
  if (kind !== 'dns' && first?.syscall === 'connect') return { kind: 'connect', code };
  return { kind, code };
}

const CODE = /^[\w.-]{1,64}$/;

/** The code by which an error is grouped, if its row names one. @type {(error: any) => string | undefined} */
function groupCodeOf(error) {
  try {
    const codes = ERRORS[error.code].codesOf?.(error) ?? [];
    return /** @type {string | undefined} */ (codes.find((one) => typeof one === 'string' && CODE.test(one)));
  } catch {
    // A thrown value may throw when it is read.
    return undefined;
  }
}

/** The first error of an AggregateError, which has no `syscall` of its own. @type {(error: any) => any} */
function firstOf(error) {
  const first = Array.isArray(error?.errors) ? error.errors[0] : undefined;
  return first?.code === undefined ? error : first;
}

/**
 * Returns E_HOOK for whatever a hook (`where`: `flow.main[0].afterHooks[1]`) threw, or a value that it has changed. An
 * error of ours (a timeout, a bad return value, a failed exchange) is returned itself.
 * @type {(cause: unknown, where: string) => Error}
 */
export function hookError(cause, where) {
  if (isOurs(cause)) return cause;
  return makeError('E_HOOK', { hook: where, reason: messageOf(cause) }, { cause });
}

/** @type {(cause: unknown, origin: NodeJS.UncaughtExceptionOrigin) => Error} */
export function uncaughtError(cause, origin) {
  const cure =
    origin === 'unhandledRejection'
      ? 'a promise was rejected that nothing awaits: await it in the hook, or catch its error'
      : 'it was thrown after the hook had returned: catch it there, or return a promise and reject it';
  const message = messageOf(cause);
  const [, reason = message] = NO_ERROR.exec(message) ?? [];
  return makeError('E_UNCAUGHT', { reason, cure }, { cause });
}

/** The message of Node for a promise that was rejected with anything else than an error. */
const NO_ERROR = /^This error originated either by throwing .* with the reason "(.*)"\.$/s;

/**
 * Wraps a function once, before the run, so that its errors name a place.
 * @template {(a: any, b: any, c: any) => any} F
 * @param {string} where
 * @param {F} fn takes up to three arguments: rest parameters would allocate an array per call
 * @returns {F} throws {@link hookError}
 */
export function withErrorPlace(where, fn) {
  /** @type {(a: any, b: any, c: any) => any} */
  const wrapped = (a, b, c) => {
    try {
      return fn(a, b, c);
    } catch (cause) {
      throw hookError(cause, where);
    }
  };
  return /** @type {F} */ (wrapped);
}

/** @type {(status: number, endpoint: Endpoint) => Error} */
export function statusError(status, { proxy }) {
  return status === 407 && proxy !== null ? missingCredentials(proxy) : makeError('E_STATUS', { status });
}

/** `expect` may allow it. @type {(status: number, step: Pick<Step, 'acceptsStatus'>) => boolean} */
export function isErrorStatus(status, { acceptsStatus }) {
  return status >= 400 && acceptsStatus?.(status) !== true;
}

/** Describes a failure, with a known remedy. It never throws. @type {(error: unknown, code: string) => string} */
export function describe(error, code) {
  const message = maskText(messageOf(error));
  const remedy =
    code === 'ECONNREFUSED' && namesOnlyIpv6Loopback(message)
      ? 'is the server running there? if it only listens on IPv4, try 127.0.0.1'
      : systemError(code)?.remedy;
  return remedy ? `${message}; ${remedy}` : message;
}

/** `connect ECONNREFUSED ::1:8000` without an IPv4 address. @type {(message: string) => boolean} */
function namesOnlyIpv6Loopback(message) {
  return / ::1:\d+/.test(message) && !/\d\.\d+\.\d+\.\d/.test(message);
}

/** RFC 9110 9.2.2, except TRACE */
const IDEMPOTENT = new Set(['GET', 'HEAD', 'PUT', 'DELETE', 'OPTIONS']);

/**
 * Decides whether a request that failed is sent once more, on a new connection: the server closed a kept-alive
 * connection before the first byte of a response, and the method is idempotent; or a server says that it has not
 * processed it. A request is sent again once. Requests that a connection left out when it ended are
 * sent again until their time limit: such a connection has served other requests.
 * @type {(request: Pick<Request, 'method'>, connection: Pick<Connection, 'wasReused' | 'sawBytes'>, error: any,
 *   wasRetried: boolean) => boolean}
 */
export function mayRetry({ method }, { wasReused, sawBytes }, error, wasRetried) {
  if (error?.isLeftOut === true) return true;
  if (wasRetried) return false;
  if (error?.isUnprocessed === true) return true;
  return wasReused && !sawBytes && IDEMPOTENT.has(method) && ERRORS[error?.code]?.isOfClose === true;
}

/**
 * @typedef {object} FailedOperation
 * @property {Pick<BoundStep, 'step' | 'operation'>} failed the step, or what it has requested if it is a function
 * @property {Phase} phase
 * @property {string} code see {@link classify}
 * @property {number | null} status
 * @property {FailedResult} [result] what is known of the response
 *
 * @typedef {StepResult | { statusCode: number | null, times?: [ms: number, leastMs: number] }} FailedResult
 *   times: of the response of an earlier exchange, see {@link pastResult}
 */

/** @type {(error: any, operation: FailedOperation, run: { context: PhaseContext, lane: Lane, env: Env }) => void} */
export function reportFailure(
  error,
  { failed: { step, operation }, phase, code, status, result },
  { context, lane, env },
) {
  const { recorder, origin, onError } = context;
  const response = result && responseOf(result);
  const times = result && timesOf(result, lane.exchange);
  if (operation !== null) operation.errors++;
  if (operation !== null && times !== undefined) operation.answeredWithError(...times);
  if (lane.iteration.noteError()) recorder.iterations.furtherErrors++;
  const secrets = () => [...lane.exchange.secrets(response), ...secretsOf({ env })];
  hidingSecretsOf({ secrets }, () => {
    if (recorder.exemplars.accepts(code, { path: step.where, operation: step.name })) {
      const hasExchange = lane.exchange.concerns(response, error);
      const exemplar = exemplarOf(step, lane, { now: lane.now, origin: origin(), status, hasExchange });
      recorder.exemplars.addFailed({ ...exemplar, code, error: describe(error, code) });
    }
    const exchange = () => lane.exchange.linesOf(response, error, describe(error, code));
    onError(error, phase, step, lane.iteration.index, exchange);
  });
  // Listeners of the run need time.
  lane.readClock();
}

/** @type {(result: FailedResult, exchange: Lane['exchange']) => FailedResult} */
export function pastResult(result, exchange) {
  return { statusCode: result.statusCode, times: timesOf(result, exchange) };
}

/** @type {(result: FailedResult, exchange: Lane['exchange']) => [ms: number, leastMs: number] | undefined} */
function timesOf(result, exchange) {
  if ('times' in result) return result.times;
  return responseOf(result) && exchange.lastTimes;
}

/**
 * Returns the response in a result: a property of it if there are hooks, which have `rules`, or itself, with `headers`.
 * Other results have a status alone.
 * @type {(result: FailedResult) => Response | undefined}
 */
function responseOf(result) {
  if ('rules' in result) return result.response;
  return 'headers' in result ? /** @type {Response} */ (result) : undefined;
}

/**
 * Describes the last exchange of a lane as an example of a slow or failed request. Times count from the instant
 * `origin`. An operation that failed before its request has no times but that of its failure.
 * @type {(step: Step, lane: Lane, about: { now: number, origin: number, status: number | null, hasExchange?: boolean })
 *   => Exemplar} hasExchange: false: it failed before its request
 */
export function exemplarOf(step, lane, { now, origin, status, hasExchange = true }) {
  const { connectedAt, sentAt, firstByteAt, wasReused } = hasExchange ? lane.lastExchange : NO_EXCHANGE;
  const { trace } = lane.exchange;
  const startedAt = hasExchange ? lane.exchange.startedAt : now;
  const { due } = lane.iteration;
  const since = (/** @type {number} */ at) => (at > 0 ? at - origin : null);
  return {
    index: lane.iteration.index ?? null,
    operation: step.name,
    path: step.where,
    // A measured call has none.
    status: status || null,
    serviceTime: now - startedAt,
    reused: wasReused,
    ...(!Number.isNaN(due) && { due: due - origin }),
    started: startedAt - origin,
    connected: since(connectedAt),
    sent: since(sentAt),
    firstByte: since(firstByteAt),
    ended: now - origin,
    ...(trace !== null && hasExchange && { trace: trace.summary() }),
  };
}

const NO_EXCHANGE = { connectedAt: 0, sentAt: 0, firstByteAt: 0, wasReused: false };

import { isOurs, makeError } from '../errors.js';
import { missingCredentials } from '../proxy.js';
import { maskText } from '../text/mask.js';
import { messageOf } from '../text/message-of.js';
import { systemError } from '../system-errors.js';

/**
 * @import { Endpoint } from '../endpoint.js'
 * @import { Step } from '../flow/types.js'
 *
 * @typedef {object} Failure
 * @property {string} kind a key of KINDS in errors.js, or `cancelled`
 * @property {string} code
 */

/**
 * Classifies an error of an exchange or a hook.
 *
 * @param {any} error
 * @returns {Failure}
 */
export function classify(error) {
  if (isOurs(error) && error.kind) return { kind: error.kind, code: codeOfHook(error) ?? error.code };
  const first = firstOf(error);
  const code = typeof first?.code === 'string' ? first.code : 'E_UNKNOWN';
  const kind = systemError(code)?.kind ?? 'protocol';
  if (kind !== 'dns' && first?.syscall === 'connect') return { kind: 'connect', code };
  return { kind, code };
}

/** The code of what a hook threw names its group. @type {(error: any) => string | undefined} */
function codeOfHook({ code, cause }) {
  const own = code === 'E_HOOK' ? propertyOf(cause, 'code') : undefined;
  return typeof own === 'string' && CODE.test(own) ? own : undefined;
}

const CODE = /^[\w.-]{1,64}$/;

/** A thrown value may throw when it is read. @type {(value: any, name: string) => unknown} */
function propertyOf(value, name) {
  try {
    return value?.[name];
  } catch {
    return undefined;
  }
}

/** The first error of an AggregateError, such as that of a connect to several addresses. @type {(error: any) => any} */
function firstOf(error) {
  return error?.code === undefined && Array.isArray(error?.errors) ? error.errors[0] : error;
}

/**
 * The error of a hook, or of something that a hook has changed.
 *
 * @param {unknown} cause whatever was thrown
 * @param {string} where `flow.main[0].afterHooks[1]`
 * @returns {Error} E_HOOK with the cause; an error of ours (a timeout, a bad return value, a failed exchange) is unchanged
 */
export function hookError(cause, where) {
  if (isOurs(cause)) return cause;
  return makeError('E_HOOK', { hook: where, reason: messageOf(cause) }, { cause });
}

/**
 * The error of a flow that nothing caught: it was thrown in a timer or a listener, or a promise was rejected.
 *
 * @param {unknown} cause whatever was thrown
 * @param {NodeJS.UncaughtExceptionOrigin} origin
 * @returns {Error} E_UNCAUGHT with the cause
 */
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
 *
 * @template {(a: any, b: any, c: any) => any} F
 * @param {string} where
 * @param {F} fn takes up to three arguments: rest parameters would allocate an array per call
 * @returns {F} throws {@link hookError}
 */
export function blaming(where, fn) {
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

/**
 * The error of a response whose status is one.
 *
 * @param {number} status
 * @param {Endpoint} endpoint that the last request was sent to
 * @returns {Error} E_STATUS; E_PROXY_AUTH if a proxy asks for credentials
 */
export function statusError(status, { proxy }) {
  return status === 407 && proxy !== null ? missingCredentials(proxy) : makeError('E_STATUS', { status });
}

/**
 * Reports whether a status is an error: 400 or more, unless `expect` of the operation allows it.
 *
 * @param {number} status
 * @param {Pick<Step, 'acceptsStatus'>} step
 * @returns {boolean}
 */
export function isErrorStatus(status, { acceptsStatus }) {
  return status >= 400 && acceptsStatus?.(status) !== true;
}

/**
 * The message of a failure, with a remedy if one is known. Never throws, for any `error`.
 *
 * @param {unknown} error
 * @param {string} code
 * @returns {string}
 */
export function describe(error, code) {
  const message = maskText(messageOf(error));
  const remedy =
    code === 'ECONNREFUSED' && namesOnlyIpv6(message)
      ? 'is the server running there? if it only listens on IPv4, try 127.0.0.1'
      : systemError(code)?.remedy;
  return remedy ? `${message}; ${remedy}` : message;
}

/** `connect ECONNREFUSED ::1:8000` without an IPv4 address. @type {(message: string) => boolean} */
function namesOnlyIpv6(message) {
  return message.includes('::') && !/\d\.\d+\.\d+\.\d/.test(message);
}

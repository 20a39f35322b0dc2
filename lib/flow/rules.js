import { readMs, readThinkTime } from '../ground/units.js';
import { parsesJson } from './bodies/index.js';

/** @import { Needs } from '../contracts/response.js' */
/** @import { Operation, Rules, Scope } from '../contracts/step.js' */

/**
 * Returns the rules of an operation: everything about it except its request. A before-hook can change them for its own
 * request. `headers` include the defaults.
 * @type {(operation: Operation, method: string, headers: Record<string, unknown>) => Rules}
 */
export function rulesOf(operation, method, headers) {
  const followsAll = operation.followAllRedirects === true;
  const follows = followsAll || (operation.followRedirect !== false && (method === 'GET' || method === 'HEAD'));
  const asBuffer = operation.encoding === null;
  return {
    parsesJson: parsesJson(operation),
    hasCookies: operation.jar !== false,
    asBuffer,
    encoding: asBuffer ? 'utf8' : (operation.encoding ?? 'utf8'),
    decodes: operation.gzip ?? !asBuffer,
    mayFollow: typeof operation.followRedirect === 'function' ? operation.followRedirect : null,
    sendsReferer: operation.removeRefererHeader !== true,
    keepsRequest: false,
    maxRedirects: follows ? (operation.maxRedirects ?? 10) : 0,
    timeoutMs: operation.timeout === undefined ? null : readMs(operation.timeout),
    pauseMs: pauseOf(operation.pause),
    credentials: null,
    runSecrets: null,
    hasCredentials:
      operation.aws !== undefined || decidesCredentials(operation.auth) || authorizationIn(headers) !== undefined,
  };
}

/** @type {(pause: unknown) => Rules['pauseMs']} */
function pauseOf(pause) {
  if (typeof pause === 'function') return /** @type {(scope: Scope) => unknown} */ (pause);
  return pause === undefined ? null : readThinkTime(pause);
}

/**
 * Reports whether `auth` says which credentials are sent, or when; otherwise, those of the run apply.
 * @type {(auth: any) => boolean}
 */
export function decidesCredentials(auth) {
  return (
    auth !== undefined && ((auth.bearer ?? auth.user ?? auth.username) !== undefined || auth.sendImmediately === false)
  );
}

/**
 * Returns the Authorization field that is sent: the last one, in any case of letters.
 * @type {(headers: any) => unknown}
 */
export function authorizationIn(headers) {
  let found;
  for (const name in headers) {
    if (name.length === 13 && name.toLowerCase() === 'authorization') found = headers[name];
  }
  return found;
}

/**
 * Returns the parts of a response that several readers need: each includes those before it.
 * @type {(all: Needs[]) => Needs}
 */
export function mostOf(all) {
  if (all.includes('body')) return 'body';
  return all.includes('head') ? 'head' : 'status';
}

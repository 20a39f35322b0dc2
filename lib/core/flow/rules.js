import { createRequire } from 'node:module';

import { nearestOrAll } from '../ground/problems.js';
import { readMs, readThinkTime } from '../ground/units.js';
import { hasCredentials } from './auth.js';
import { parsesJson } from './bodies/index.js';
import { signatureOf } from './readers.js';

/** @import { Hook } from '../contracts/hooks.js' */
/** @import { Needs } from '../contracts/response.js' */
/** @import { NamedHook, Operation, Rules, Scope } from '../contracts/step.js' */
/** @import { Problems } from '../ground/types.js' */
/** @import { CompiledRequest } from './types.js' */

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
    // 1.2.4 dropped the mark for this spelling only, not for 'utf-8' or by default.
    dropsMark: operation.encoding === 'utf8',
    decodes: operation.gzip ?? !asBuffer,
    mayFollow: typeof operation.followRedirect === 'function' ? operation.followRedirect : null,
    sendsReferer: operation.removeRefererHeader !== true,
    keepsRequest: false,
    maxRedirects: follows ? (operation.maxRedirects ?? 10) : 0,
    timeoutMs: operation.timeout === undefined ? null : readMs(operation.timeout),
    pauseMs: pauseOf(operation.pause),
    credentials: null,
    runSecrets: null,
    resend: null,
    retry: null,
    hasCredentials:
      signatureOf(operation) !== undefined ||
      decidesCredentials(operation.auth) ||
      authorizationIn(headers) !== undefined,
  };
}

/** @type {(operation: Operation, request: CompiledRequest, headers: Record<string, unknown>) => Rules} */
export function rulesOfRequest(operation, request, headers) {
  const { method, credentials, runSecrets, resend = null, retry } = request;
  return { ...rulesOf(operation, method, headers), credentials, runSecrets, resend, retry };
}

/** @type {(pause: unknown) => Rules['pauseMs']} */
function pauseOf(pause) {
  if (typeof pause === 'function') return /** @type {(scope: Scope) => unknown} */ (pause);
  return pause === undefined ? null : readThinkTime(pause);
}

/** Reports whether `auth`, not the run, decides which credentials are sent, or when. @type {(auth: any) => boolean} */
export function decidesCredentials(auth) {
  return hasCredentials(auth) || auth?.sendImmediately === false;
}

/** The Authorization field that is sent: the last one, in any case of letters. @type {(headers: any) => unknown} */
export function authorizationIn(headers) {
  let found;
  for (const name in headers) {
    // Each changed request asks this of all its headers: a length is compared faster than a text.
    if (name.length === 13 && name.toLowerCase() === 'authorization') found = headers[name];
  }
  return found;
}

/** The need that includes all others: a body includes the head, a head the status. @type {(all: Needs[]) => Needs} */
export function mostOf(all) {
  if (all.includes('body')) return 'body';
  return all.includes('head') ? 'head' : 'status';
}

const requireHere = createRequire(import.meta.url);

/** Most flows have no hooks. @type {() => typeof import('../hooks/index.js')} */
const loadHooks = () => requireHere('../hooks/index.js');

/** Reports what is no hook. @type {(hooks: unknown, path: string, problems: Problems) => NamedHook[]} */
export function resolveHooks(hooks, path, problems) {
  if (!Array.isArray(hooks) || hooks.length === 0) return [];
  const { HOOKS } = loadHooks();
  const names = HOOKS.map(({ name }) => name);
  /** @type {(hook: unknown, i: number) => NamedHook[]} */
  const named = (hook, i) => {
    const where = `${path}[${i}]`;
    if (isAbsent(hook)) return [];
    if (typeof hook === 'function') return [{ where, hook: /** @type {Hook} */ (hook), reads: 'body' }];
    const entry = HOOKS.find(({ name }) => name === hook);
    if (entry) return [{ where, hook: entry.hook, entry, reads: entry.reads ?? 'body' }];
    if (typeof hook === 'string') problems.add(where, `unknown hook '${hook}'${nearestOrAll(hook, names)}`);
    else problems.add(where, 'expected the name of a hook or a function');
    return [];
  };
  return hooks.flatMap(named);
}

/** `isVerbose && print` in a list of hooks is no hook if the condition is false. @type {(hook: unknown) => boolean} */
function isAbsent(hook) {
  return hook === undefined || hook === null || hook === false;
}

/** The parts of a response that hooks read. @type {(hooks: NamedHook[]) => Needs} */
export function needsOf(hooks) {
  return mostOf(hooks.map(({ reads }) => reads));
}

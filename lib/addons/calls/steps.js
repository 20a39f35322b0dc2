import { maskText } from '../../core/text/mask.js';
import { compileCaptures } from '../../core/flow/captures/index.js';
import { CHECKS } from '../../core/flow/checks/index.js';
import { checksOf } from '../../core/flow/checks/property.js';
import { NO_HOOKS } from '../../core/flow/operation-compiler.js';
import { isObject } from '../../core/flow/record.js';
import { mostOf, rulesOf } from '../../core/flow/rules.js';
import { hasToken } from '../../core/flow/tokens/index.js';
import { nearestOrAll } from '../../core/ground/problems.js';

/** @import { Request } from '../../core/contracts/request.js' */
/** @import { Operation, Scope, Step } from '../../core/contracts/step.js' */
/** @import { Endpoint } from '../../core/http/endpoint.js' */
/** @import { OperationCompiler } from '../../core/flow/operation-compiler.js' */
/** @import { OfferedProtocol } from '../../core/flow/protocols/types.js' */

/** The name of the client, which the endpoint of all calls has. */
const CLIENT = 'call';

/** Where calls lead: the flow knows, with clients of its own. @type {Endpoint} */
export const NOWHERE = {
  key: CLIENT,
  origin: '',
  protocol: 'call:',
  host: '',
  hostname: '',
  port: 0,
  tls: {},
  client: CLIENT,
  label: 'the client of the flow',
  way: {},
  proxy: null,
};

/** @type {string[]} */
const NO_FIELDS = [];

/**
 * Compiles a measured call. Its request has the function in place of bytes, and its response a value in place of a
 * body. Hooks of the flow are for requests: the function does what they could do.
 * @type {(compiler: OperationCompiler) => Step[]}
 */
export function callSteps(compiler) {
  const { valid } = compiler;
  const name = maskText(String(valid.measure));
  const call = /** @type {(scope: any) => unknown} */ (valid.run);
  return [stepOfCall(compiler, name, (env) => ({ endpoint: NOWHERE, task: { kind: 'call', call, env } }))];
}

/**
 * Compiles a step whose request is a call: `render` returns where it leads, and the call; path: default: the name.
 * @type {(compiler: OperationCompiler, name: string, render: (scope: Scope) => Pick<Request, 'endpoint' | 'task'> &
 *   { path?: string }) => Step}
 */
export function stepOfCall(compiler, name, render) {
  const { valid, place, run } = compiler;
  const { checks, reads } = checksOf(valid, { ...place, folder: run.folder });
  const { captures, reads: captured } = compileCaptures(valid, place);
  /** @type {(scope: Scope) => Request} */
  const request = (env) => ({
    path: name,
    ...render(env),
    method: 'CALL',
    fields: NO_FIELDS,
    extra: null,
    body: null,
    isForeign: false,
  });
  const rules = {
    ...rulesOf(valid, 'CALL', {}),
    hasCookies: false,
    decodes: false,
    maxRedirects: 0,
    hasCredentials: true,
  };
  // A call has only these parts of a compiled request.
  return compiler.stepOf(/** @type {any} */ ({ origin: undefined, proxy: null, render: request }), rules, {
    name,
    request: null,
    bodyCost: { isShared: true, held: 0, copied: 0 },
    closesConnection: false,
    ...NO_HOOKS,
    beforeHooks: [],
    afterHooks: [],
    checks,
    captures,
    needs: mostOf([...reads, ...captured]),
  });
}

/** Characters of the name of a call. */
const LONGEST_NAME = 200;
/** The properties that a call has a use for. */
export const SHARED = ['group', 'tags', 'when', 'repeat', 'weight', 'timeout', 'pause', 'expect', 'capture'];
const PROPERTIES = ['measure', 'run', ...SHARED];
export const CHECKS_OF_VALUES = ['name', 'json', 'schema', 'within'];

/** Refuses the name of a call. @type {(name: string) => { reason: string }[]} */
export function refuseName(name) {
  if (name.trim() === '') return [{ reason: 'is empty: name the call, as its row in the results' }];
  if (name.length > LONGEST_NAME) return [{ reason: `has ${name.length} characters: at most ${LONGEST_NAME}` }];
  return hasToken(name) ? [{ reason: 'has a token, and tokens are not replaced in the name of a call' }] : [];
}

/** Refuses what does not fit together in a measured call. @type {OfferedProtocol['refuse']} */
export function refuseOperation(operation) {
  const given = Object.keys(operation).filter((key) => operation[key] !== undefined);
  const foreign = given.filter((key) => !PROPERTIES.includes(key)).map((key) => ({ key, reason: foreignToCall(key) }));
  if (typeof operation.run !== 'function')
    foreign.push({
      key: 'measure',
      reason: 'needs run, the function that makes the call: run: async ({ vuCtx }) => …',
    });
  return [...foreign, ...refuseReading(operation, CHECKS_OF_VALUES)];
}

/**
 * Refuses checks and captures that do not read a value. `checks`: those that do.
 * @type {(operation: Operation, checks: string[]) => { key: string, reason: string }[]}
 */
export function refuseReading({ expect, capture }, checks) {
  const foreign = unknownChecks(expect).map((name) => ({
    key: 'expect',
    reason: `has the unknown check ${name}${nearestOrAll(name, checks)}`,
  }));
  if ([expect ?? []].flat().some((one) => !hasOnly(one, [...checks, ...unknownChecks(one)]))) {
    const names = checks.filter((name) => name !== 'name');
    const reason = `checks the value that a call returns: write ${names.slice(0, -1).join(', ')} or ${names.at(-1)}`;
    foreign.push({ key: 'expect', reason });
  }
  if (Object.values(capture ?? {}).some((one) => typeof one !== 'string' && one?.json === undefined))
    foreign.push({ key: 'capture', reason: "reads the value that a call returns: write a JSONPath, such as '$.id'" });
  return foreign;
}

/** @type {(key: string) => string} */
function foreignToCall(key) {
  if (key === 'name') return 'is the value of measure here';
  const remedy = key === 'beforeHooks' || key === 'afterHooks' ? ', and write it into run' : '';
  return `has no meaning for a measured call: remove it${remedy}`;
}

/** @type {(expect: any) => string[]} */
function unknownChecks(expect) {
  const names = [expect ?? []].flat().flatMap((one) => (isObject(one) ? Object.keys(one) : []));
  return names.filter((name) => name !== 'name' && !CHECKS.some((check) => check.name === name));
}

/** @type {(value: unknown, names: string[]) => boolean} */
function hasOnly(value, names) {
  return typeof value !== 'object' || value === null || Object.keys(value).every((key) => names.includes(key));
}

/** A text, a number (gRPC), `cause` (fetch) or a class marks an error. @type {(cause: unknown) => unknown[]} */
export function codesOfCall(cause) {
  const [code, name, inner] = ['code', 'name', 'cause'].map((key) => propertyOf(cause, key));
  // The numbers of such a DOMException are historical.
  const isOfPlatform = name === 'AbortError' || name === 'TimeoutError';
  return [
    Number.isInteger(code) && !isOfPlatform ? String(code) : code,
    propertyOf(inner, 'code'),
    name === 'Error' ? undefined : name,
  ];
}

/** Reads a property. A thrown value may throw when it is read. @type {(value: any, name: string) => unknown} */
function propertyOf(value, name) {
  try {
    return value?.[name];
  } catch {
    return undefined;
  }
}

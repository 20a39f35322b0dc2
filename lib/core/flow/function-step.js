import { makeError } from '../ground/errors.js';
import { createProblems } from '../ground/problems.js';
import { typeName } from '../text/format-value.js';
import { maskText } from '../text/mask.js';
import { BODIES, BODY_PARTS, isNamedByBody } from './bodies/index.js';
import { compileOperation } from './operation-compiler.js';
import { refuseBodies, refuseProperty } from './operation.js';
import { METHOD_OF } from './properties.js';
import { HTTP, PROTOCOLS, protocolOf } from './protocols/index.js';
import { isObject, isRecord } from './record.js';
import { nameOf } from './request.js';
import { rulesOf } from './rules.js';
import { hasToken } from './tokens/index.js';

/** @import { FunctionCall, Operation, Step } from '../contracts/step.js' */
/** @import { FunctionEntry } from './normalize.js' */
/** @import { CompilerContext, Sequence } from './types.js' */

/** Names that come from the URLs of operations without a name; others share one. */
const MOST_NAMES = 20;

/**
 * @type {(entry: FunctionEntry, where: string, opIndex: number, sequence: Sequence, context: CompilerContext) => Step}
 */
export function compileFunction({ call }, where, opIndex, sequence, context) {
  // A copy: what later operations capture is not known here.
  const known = { ...sequence, names: sequence.names.fork() };
  const read = createReader(where, opIndex, known, context);
  return {
    where,
    name: maskText(call.name ? `${call.name} (function)` : 'function'),
    origin: undefined,
    proxy: null,
    phase: sequence.phase,
    opIndex,
    scenario: sequence.scenario,
    choice: null,
    control: null,
    rounds: Infinity,
    group: null,
    tags: null,
    call: { fn: call, read, isOperation, protocols: PROTOCOLS.filter(({ isCode }) => isCode) },
    request: null,
    render: hasNoRequest,
    closesConnection: false,
    bodyCost: { isShared: true, held: 0, copied: 0 },
    options: hasNoRequest,
    renderOptions: hasNoRequest,
    values: [],
    variables: [],
    beforeHooks: [],
    afterHooks: [],
    checks: [],
    captures: [],
    acceptsStatus: null,
    fault: null,
    needs: 'status',
    isImplied: false,
    held: null,
    userPart: null,
    reader: null,
    protocol: HTTP,
    ...rulesOf({}, 'GET', {}),
  };
}

/**
 * Creates the function that checks an operation which the function requests. Its `key` tells which compiled step it can
 * share: the caller compiles one for each key, with `compile`. That step reads what varies, as URL and body, by
 * `valueOf` from the operation at hand, and its last after-hook, `keep`, hands over the response.
 * @type {(where: string, opIndex: number, sequence: Sequence, context: CompilerContext) => FunctionCall['read']}
 */
function createReader(where, opIndex, sequence, context) {
  /** @type {Set<string>} */
  const names = new Set();
  /** @type {(operation: Operation) => string} */
  const nameFor = (operation) => {
    const name = nameOf(operation);
    if (names.size >= MOST_NAMES && !names.has(name)) return commonNameOf(operation);
    names.add(name);
    return name;
  };
  return (given) => {
    const operation = readRequested(given, where);
    const isCall = protocolOf(operation).isCode === true;
    const ownName = () => (isNamedByBody(operation) ? undefined : nameFor(operation));
    const { name = isCall ? nameOf(operation) : ownName() } = operation;
    const { key, varying } = shapeOf(operation, name);
    return {
      operation,
      key,
      compile(valueOf, keep) {
        if (isCall) {
          // All calls of a name are one operation, each with a function of its own, which the scope of the step has.
          const run = (/** @type {any} */ scope) => /** @type {Function} */ (valueOf(scope.env, 'run'))(scope);
          return compileRequested({ ...operation, run }, placeOf(operation, where), opIndex, sequence, context);
        }
        const values = varying.map((one) => [one, (/** @type {unknown} */ scope) => valueOf(scope, one)]);
        const afterHooks = [...(operation.afterHooks ?? []), keep];
        const shared = { ...operation, ...Object.fromEntries(values), ...(name && { name }), afterHooks };
        return compileRequested(shared, placeOf(operation, where), opIndex, sequence, context);
      },
    };
  };
}

/** The part of the function that performs an operation. @type {(operation: Operation, where: string) => string} */
function placeOf(operation, where) {
  const { isCode, key } = protocolOf(operation);
  return `${where}.${isCode ? key : 'request'}`;
}

/**
 * Compiles an operation during the run. Its captures are not known to the tokens of other operations.
 * @throws {Error} E_REQUEST_FIELD with the first problem
 * @type {(operation: Operation, where: string, opIndex: number, sequence: Sequence, context: CompilerContext) => Step}
 */
function compileRequested(operation, where, opIndex, sequence, context) {
  const problems = createProblems('E_FLOW');
  const place = { operation, where, choice: null, hasOrigin: false };
  const [step] = compileOperation(place, opIndex, sequence, { ...context, problems, siblings: undefined });
  const [first] = problems.list;
  if (first) throw makeError('E_REQUEST_FIELD', { place: first.path, reason: first.reason });
  return step;
}

/** @type {() => never} */
function hasNoRequest() {
  throw new Error('a function has no request of its own');
}

/**
 * @typedef {object} OperationShape what operations have in common that differ in the values of their requests alone
 * @property {string} key the same for all of them
 * @property {string[]} varying the properties that differ
 */

const URL_KEYS = [...Object.keys(METHOD_OF), 'uri', 'url'];
/** Properties whose value is taken from each call. */
const VARYING = new Set([
  ...[...URL_KEYS, 'headers', 'qs', ...Object.keys(BODY_PARTS)],
  ...BODIES.flatMap(({ name, isFixed = false }) => (isFixed ? [] : name)),
]);
/** The function of a measured call, which each call has anew. */
const CALLED = 'run';
/** Why a function cannot request an operation with a property. @type {Record<string, string>} */
const REFUSED = {
  ...Object.fromEntries(
    ['when', 'repeat', 'weight', 'oneOf'].map((key) => [key, 'is for operations of a phase: write it in JavaScript']),
  ),
  group: 'is for operations of a phase',
  pause: 'is for operations of a phase: call pause() of the function',
  ...Object.fromEntries(
    PROTOCOLS.flatMap(({ key, refusals }) => (refusals.function === undefined ? [] : [[key, refusals.function]])),
  ),
};

/** Numbers that tell functions, Buffers and Maps apart. @type {WeakMap<object, number>} */
const IDENTITIES = new WeakMap();
let identities = 0;

/** Tokens are not replaced. @throws {Error} E_REQUEST_FIELD @type {(given: unknown, where: string) => Operation} */
function readRequested(given, where) {
  const operation = typeof given === 'string' || given instanceof URL ? { get: given } : given;
  const at = isObject(operation) ? placeOf(operation, where) : `${where}.request`;
  const refuse = (/** @type {string} */ key, /** @type {string} */ reason) => {
    // The name of a call is the first argument of measure().
    const place = key === '' || key === 'measure' ? at : `${at}.${key}`;
    throw makeError('E_REQUEST_FIELD', { place, reason });
  };
  if (!isObject(operation)) refuse('', `expected an operation such as { get: '/items' }, got ${typeName(operation)}`);
  const checked = /** @type {Operation} */ (operation);
  for (const [key, value] of Object.entries(checked)) {
    if (Object.hasOwn(REFUSED, key)) refuse(key, REFUSED[key]);
    for (const { at = '', reason } of refuseProperty(key, value, checked)) refuse(key + at, reason);
    if (URL_KEYS.includes(key) && hasToken(String(value)))
      refuse(key, 'has a token, and tokens are not replaced in what functions request: write `/items/${index}`');
  }
  const twoBodies = refuseBodies(checked);
  if (twoBodies) refuse('', twoBodies);
  return checked;
}

/** Returns the shape of a checked operation. @type {(operation: Operation, name?: string) => OperationShape} */
function shapeOf(operation, name = '') {
  const keys = Object.keys(operation).filter((key) => operation[key] !== undefined && key !== 'name');
  const varying = keys.filter((key) => isVarying(key, operation));
  const fixed = keys.filter((key) => !varying.includes(key)).map((key) => `${key}=${identityOf(operation[key])}`);
  return { key: [JSON.stringify(name), ...varying, ...fixed].join(' '), varying };
}

/** Tells an operation from other values that a function may return. @type {(value: unknown) => boolean} */
function isOperation(value) {
  try {
    return isObject(value) && Object.keys(METHOD_OF).some((key) => typeof value[key] === 'string');
  } catch {
    // A Proxy or getter of the user may throw
    return false;
  }
}

/** The name of operations whose URLs are too many. @type {(operation: Operation) => string} */
function commonNameOf(operation) {
  const key = Object.keys(METHOD_OF).find((one) => operation[one] !== undefined);
  const method = key === undefined ? String(operation.method ?? 'GET').toUpperCase() : METHOD_OF[key];
  return `${method} (function)`;
}

/** @type {(key: string, operation: Operation) => boolean} */
function isVarying(key, operation) {
  const value = operation[key];
  if (key === CALLED) return true;
  if (!VARYING.has(key) || typeof value === 'function') return false;
  if (key === 'json') return value !== true;
  // Files are read when the operation is compiled
  return !(key === 'body' && isObject(value) && 'file' in value);
}

/** Equal for equal values; functions, Buffers and Maps equal themselves alone. @type {(value: any) => string} */
function identityOf(value) {
  if (value instanceof RegExp || value instanceof URL) return String(value);
  if (value instanceof Date) return `Date ${value.getTime()}`;
  if (typeof value === 'function' || Buffer.isBuffer(value) || (isObject(value) && !isRecord(value)))
    return `${typeof value} ${numberOf(value)}`;
  if (Array.isArray(value)) return `[${value.map(identityOf).join(',')}]`;
  if (!isObject(value)) return JSON.stringify(value) ?? String(value);
  const entries = Object.entries(value).map(([key, item]) => `${JSON.stringify(key)}:${identityOf(item)}`);
  return `{${entries.join(',')}}`;
}

/** @type {(value: object) => number} */
function numberOf(value) {
  const number = IDENTITIES.get(value) ?? ++identities;
  IDENTITIES.set(value, number);
  return number;
}

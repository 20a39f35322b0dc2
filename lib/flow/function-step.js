import { makeError } from '../errors.js';
import { createProblems } from '../problems.js';
import { maskText } from '../text/mask.js';
import { compileSteps } from './compile-step.js';
import { nameOf } from './operation-name.js';
import { commonNameOf, isOperation, readRequested, shapeOf } from './requested-operation.js';
import { rulesOf } from './rules.js';

/**
 * @import { Hook } from '../hooks/types.js'
 * @import { FunctionEntry } from './function-entry.js'
 * @import { CompileContext } from './operation-context.js'
 * @import { Operation, Phase, Step } from './types.js'
 *
 * @typedef {object} FunctionCall
 * @property {(scope: any) => unknown} call
 * @property {(given: unknown) => RequestedOperation} read checks an operation that the function requests; throws E_REQUEST_FIELD
 * @property {(value: unknown) => boolean} isOperation whether a value that it returned is an operation
 *
 * @typedef {object} RequestedOperation
 * @property {Operation} operation
 * @property {string} key the same for operations that differ in the values of their requests alone
 * @property {(valueOf: (scope: any, key: string) => unknown, keep: Hook) => Step} compile compiles it for all operations with
 *   this key. `valueOf` returns the values of a request, `keep` gets its response; throws E_REQUEST_FIELD
 */

/** Names that come from the URLs of operations without a name; others share one. */
const MOST_NAMES = 20;

/**
 * Compiles a function in a phase. The operations that it requests are compiled during the run, as if they stood in its place.
 *
 * @param {FunctionEntry} entry
 * @param {string} where
 * @param {Phase} phase
 * @param {number} opIndex
 * @param {CompileContext} context
 * @returns {Step}
 */
export function compileFunction({ call }, where, phase, opIndex, context) {
  /** @type {Set<string>} */
  const names = new Set();
  /** @type {(operation: Operation) => string} */
  const nameFor = (operation) => {
    const name = nameOf(operation);
    if (names.size >= MOST_NAMES && !names.has(name)) return commonNameOf(operation);
    names.add(name);
    return name;
  };
  /** @type {FunctionCall['read']} */
  const read = (given) => {
    const operation = readRequested(given, where);
    const { name = nameFor(operation) } = operation;
    const { key, varying } = shapeOf(operation, name);
    return {
      operation,
      key,
      compile(valueOf, keep) {
        const values = varying.map((one) => [one, (/** @type {unknown} */ scope) => valueOf(scope, one)]);
        const afterHooks = [...(operation.afterHooks ?? []), keep];
        const template = { ...operation, ...Object.fromEntries(values), name, afterHooks };
        return compileRequested(template, where, phase, opIndex, context);
      },
    };
  };
  return {
    where,
    name: maskText(call.name ? `${call.name} (function)` : 'function'),
    origin: undefined,
    proxy: null,
    phase,
    opIndex,
    scenario: context.scenario,
    choice: null,
    control: null,
    rounds: Infinity,
    group: null,
    call: { call, read, isOperation },
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
    needs: 'status',
    webSocket: null,
    ...rulesOf({}, 'GET', {}),
  };
}

/** @type {(operation: Operation, where: string, phase: Phase, opIndex: number, context: CompileContext) => Step} */
function compileRequested(operation, where, phase, opIndex, context) {
  const problems = createProblems('E_FLOW');
  const place = { operation, where: `${where}.request`, choice: null, hasOrigin: false };
  const [step] = compileSteps(place, phase, opIndex, {
    ...context,
    siblings: undefined,
    problems,
    names: context.names.fork(),
  });
  const [first] = problems.list;
  if (first) throw makeError('E_REQUEST_FIELD', { place: first.path, reason: first.reason });
  return step;
}

/** @returns {never} */
function hasNoRequest() {
  throw new Error('a function has no request of its own');
}

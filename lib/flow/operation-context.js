import { makeError } from '../errors.js';
import { createProblems } from '../problems.js';
import { withArguments } from './arguments.js';
import { checkOperation } from './operation.js';
import { methodAndUrl } from './request.js';
import { resolveHooks } from './resolve-hooks.js';
import { ValueSlot } from './value-slot.js';
import { compileTemplate, compileWholeValue, markTokens, wordsIn } from './template.js';
import { ValueList, withSlots } from './values.js';

/**
 * @import { Problems } from '../problems.js'
 * @import { Constants } from './arguments.js'
 * @import { HookOptionsContext, SharedContext } from './hook-options.js'
 * @import { Names } from './names.js'
 * @import { PlacedOperation } from './one-of.js'
 * @import { RequestContext } from './request.js'
 * @import { NamedHook, Operation, Phase, RawFlow, Scenario, Step } from './types.js'
 * @import { OpenSockets } from './web-socket/steps.js'
 *
 * @typedef {object} CompileContext
 * @property {SharedContext} shared
 * @property {{ beforeHooks: NamedHook[], afterHooks: NamedHook[] }} around
 * @property {RawFlow} flow
 * @property {Constants} args
 * @property {Problems} problems
 * @property {Names} names those of the operation's place
 * @property {Scenario | null} scenario
 * @property {OpenSockets} sockets opened before
 *
 * @typedef {ReturnType<typeof operationContext>} OperationContext what an operation is compiled with
 */

/**
 * Prepares an operation: checks it, replaces its functions by slots, and joins it with what the flow and the run define for all.
 *
 * @param {PlacedOperation} placed
 * @param {Phase} phase
 * @param {number} opIndex
 * @param {CompileContext} context
 */
export function operationContext({ operation: written, where, choice, hasOrigin }, phase, opIndex, context) {
  const { shared, around, flow, args, problems, names } = context;
  const operation = withArguments(written, args, { path: where, problems });
  const values = new ValueList(where);
  const slotted = withSlots(operation, values);
  const valid = withoutBroken(slotted, where, problems);
  /** @type {RequestContext['mark']} */
  const mark = (text, key, place) => markTokens(text, { problems, path: `${where}.${key}`, place, names, values });
  const quiet = quietTemplates(names, values);
  /** @type {RequestContext['complain']} */
  const complain = (key, reason) => problems.add(`${where}.${key}`, reason);
  const moreHeaders = valid.headers instanceof ValueSlot ? valid.headers : null;
  const ownHeaders = moreHeaders ? {} : valid.headers;
  const usable = {
    headers: withoutOthers(shared.headers, names),
    cookies: shared.cookies && withoutOthers(shared.cookies, names),
  };
  const computed = values.addHeaders(flow.computedHeaders, [shared.headers, ownHeaders]);
  const defaults = { ...usable.headers, ...computed };
  const headers = markValues({ ...defaults, ...ownHeaders }, (text, name) => mark(text, `headers.${name}`));
  const beforeHooks = [...around.beforeHooks, ...resolveHooks(operation.beforeHooks, `${where}.beforeHooks`, problems)];
  const afterHooks = [...resolveHooks(operation.afterHooks, `${where}.afterHooks`, problems), ...around.afterHooks];
  return {
    /** as the flow has it, arguments not replaced: results of other arguments have the same names */
    written,
    /** of the operation, with slots in place of functions */
    valid,
    where,
    choice,
    hasOrigin,
    scenario: context.scenario,
    phase,
    opIndex,
    problems,
    names,
    values,
    complain,
    mark,
    headers,
    /** what its request is compiled with */
    ofRequest: {
      ...shared,
      headers,
      moreHeaders,
      cookies: usable.cookies,
      where,
      mark,
      complain,
      refuse: refusing(where),
    },
    /** what hooks get of the request is made from this */
    ofHooks: {
      operation: slotted,
      headers: { ...defaults, ...(moreHeaders ? {} : slotted.headers) },
      moreHeaders,
      ...quiet,
      shared,
      where,
      hooks: beforeHooks.map((hook) => hook.where),
    },
    beforeHooks,
    afterHooks,
    needs: needsOf(afterHooks),
  };
}

/**
 * Reports invalid properties and returns the operation without them, so the rest can still be checked.
 * @type {(operation: Operation, where: string, problems: Problems) => Operation}
 */
function withoutBroken(operation, where, problems) {
  const before = problems.list.length;
  const broken = checkOperation(operation, where, problems);
  if (problems.list.length === before) return operation;
  const valid = Object.fromEntries(Object.entries(operation).filter(([key]) => !broken.has(key)));
  return methodAndUrl(valid).url === '' ? { ...valid, url: NOWHERE } : valid;
}

/** stands for a URL that is missing or invalid, so that this is reported once */
const NOWHERE = 'http://localhost/';

/**
 * Removes default fields with tokens that have no value at this place of the flow, but at another one.
 * @type {<T>(fields: Record<string, T>, names: Names) => Record<string, T>}
 */
function withoutOthers(fields, names) {
  const isOfOthers = (/** @type {unknown} */ value) =>
    typeof value === 'string' && wordsIn(value).some((word) => names.isElsewhere(word));
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => !isOfOthers(value)));
}

/** Compiles text whose problems are reported elsewhere. @type {(names: Names, values: ValueList) => Pick<HookOptionsContext, 'template' | 'jsonValue'>} */
function quietTemplates(names, values) {
  const quiet = () => ({ problems: createProblems('E_FLOW'), path: '', names, values });
  const template = (/** @type {string} */ text) => compileTemplate(markTokens(text, quiet()));
  return {
    template,
    jsonValue: (text) =>
      compileWholeValue(markTokens(JSON.stringify(text), { ...quiet(), place: 'json' })) ?? template(text),
  };
}

/** Refuses a value during the run. @type {(where: string) => RequestContext['refuse']} */
function refusing(where) {
  return (key, reason) => {
    throw makeError('E_REQUEST_FIELD', { place: `${where}.${key}`, reason });
  };
}

/** @type {(values: Record<string, unknown>, mark: (text: string, name: string) => string) => Record<string, unknown>} */
function markValues(values, mark) {
  /** @type {(value: unknown, name: string) => unknown} */
  const one = (value, name) =>
    typeof value === 'string' ? mark(value, name) : Array.isArray(value) ? value.map((v) => one(v, name)) : value;
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, one(value, name)]));
}

/** @type {(hooks: NamedHook[]) => Step['needs']} */
function needsOf(hooks) {
  if (hooks.length === 0) return 'status';
  return hooks.every(({ reads }) => reads === 'head') ? 'head' : 'body';
}

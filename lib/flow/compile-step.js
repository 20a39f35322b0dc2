import { makeError } from '../ground/errors.js';
import { createProblems, nearestOrAll } from '../ground/problems.js';
import { refuseLikelySeconds } from '../ground/units.js';
import { HOOKS } from '../hooks/index.js';
import { hasWrittenSecret, isSecretName, readsEnvironment } from '../text/mask.js';
import { withArguments } from './arguments.js';
import { compileCaptures } from './captures/capture.js';
import { compileChecks } from './checks/expect.js';
import { controlOf } from './control.js';
import { hookOptions } from './hook-options.js';
import { checkOperation, refuseProperty } from './operation.js';
import { PROPERTIES } from './properties.js';
import { HTTP } from './protocols/http.js';
import { protocolOf } from './protocols/index.js';
import { compileRequest, methodAndUrl, nameOf, stepName } from './request.js';
import { mostOf, rulesOf } from './rules.js';
import { settleOperation } from './settle-operation.js';
import { compileTemplate, compileWholeValue, markTokens, sourcesIn, wordsIn } from './template.js';
import { ValueSlot } from './value-slot.js';
import { ValueList, withSlots } from './values.js';

/**
 * @import { Problems } from '../ground/problems.js'
 * @import { Constants } from './arguments.js'
 * @import { PlacedOperation } from './compile.js'
 * @import { HookOptionsContext, SharedContext } from './hook-options.js'
 * @import { Names } from './names.js'
 * @import { CompiledRequest, RequestContext } from './request.js'
 * @import { SiblingSteps } from './sibling-steps.js'
 * @import { MarkContext } from './template.js'
 * @import { NamedHook, Operation, Phase, RawFlow, Rules, Scenario, Step } from './types.js'
 */

/**
 * Compiles an operation to the steps of its protocol: one for a request.
 * @type {(placed: PlacedOperation, phase: Phase, opIndex: number, context: CompileContext) => Step[]}
 */
export function compileSteps(placed, phase, opIndex, context) {
  const { problems, siblings } = context;
  const shared = siblings?.stepOf(placed, phase, opIndex, context);
  if (shared) return [shared];
  const before = problems.list.length + problems.own.length;
  const ofOperation = operationContext(placed, phase, opIndex, context);
  const steps = ofOperation.protocol.compile(ofOperation);
  ofOperation.values.close();
  const question = refuseLikelySeconds(ofOperation.valid.timeout);
  if (question !== undefined) context.shared.notice?.(`${ofOperation.where}.timeout: ${question}`);
  if (problems.list.length + problems.own.length === before) siblings?.add(placed.operation, steps);
  return steps;
}

/** The step of an operation that is one request. @type {(context: OperationContext) => Step} */
function requestStep(context) {
  const { valid, protocol, where, phase, opIndex, headers, mark, complain, values, beforeHooks, afterHooks, problems } =
    context;
  const { written, scenario, choice, hasOrigin } = context;
  const request = context.compileRequest();
  const { checks, reads, acceptsStatus } = compileChecks(valid, {
    where,
    mark,
    complain,
    folder: context.folder,
  });
  const { captures, reads: captured } = compileCaptures(valid, { where, complain });
  const rules = {
    ...rulesOf(valid, request.method, headers),
    keepsRequest: afterHooks.length > 0,
    credentials: request.credentials,
    ofRun: request.ofRun,
  };
  return {
    where,
    name: nameOf({ ...written, name: valid.name }, { hasOrigin }),
    origin: request.origin,
    proxy: request.proxy,
    phase,
    opIndex,
    scenario,
    choice,
    ...controlOf(valid, context),
    call: null,
    request: request.isConstant && problems.list.length === 0 ? request.render({}) : null,
    render: request.render,
    bodyCost: request.bodyCost,
    closesConnection: request.closesConnection,
    ...context.hookOptions(request, rules),
    values: values.list,
    beforeHooks,
    afterHooks,
    checks,
    acceptsStatus,
    captures,
    variables: [...values.variables],
    needs: mostOf([context.needs, ...reads, ...captured]),
    isImplied: false,
    held: null,
    protocol,
    ...rules,
  };
}

/**
 * @typedef {object} CompileContext
 * @property {SharedContext} shared
 * @property {{ beforeHooks: NamedHook[], afterHooks: NamedHook[] }} around
 * @property {RawFlow} flow
 * @property {Constants} args
 * @property {Problems} problems
 * @property {Names} names those of the operation's place
 * @property {Scenario | null} scenario
 * @property {Map<string, string>} opened where each connection that operations share is opened, by its key
 * @property {SiblingSteps} [siblings] of the flow; undefined: the operation is requested by a function
 *
 * @typedef {object} StepMethods
 * @property {() => Step} requestStep the step of an operation that is one request
 * @property {() => CompiledRequest} compileRequest
 * @property {(request: CompiledRequest, rules: Rules) => ReturnType<typeof hookOptions>} hookOptions
 * @property {typeof refuseProperty} refuseProperty
 * @property {(what: string) => string} nameOf the name of a step that does a part of it
 *
 * @typedef {Omit<ReturnType<typeof prepareOperation>, 'requestContext' | 'hookContext'>} PreparedOperation
 * @typedef {Omit<PlacedOperation, 'operation'> & { phase: Phase, opIndex: number, folder?: string } &
 *   Pick<CompileContext, 'scenario' | 'problems' | 'names' | 'opened'>} OperationPlace
 * @typedef {PreparedOperation & OperationPlace & StepMethods} OperationContext what an operation is compiled with
 */

/**
 * What the steps of an operation are compiled with.
 * @type {(placed: PlacedOperation, phase: Phase, opIndex: number, context: CompileContext) => OperationContext}
 */
function operationContext(placed, phase, opIndex, flowContext) {
  const { where, choice, hasOrigin } = placed;
  const { scenario, problems, names, opened, shared } = flowContext;
  const { requestContext, hookContext, ...prepared } = prepareOperation(placed, flowContext);
  /** @type {OperationContext} */
  const context = {
    ...{ where, choice, hasOrigin, phase, opIndex, scenario, problems, names, opened, folder: shared.folder },
    ...prepared,
    requestStep: () => requestStep(context),
    compileRequest: () => compileRequest(prepared.valid, requestContext),
    hookOptions: (request, rules) => hookOptions({ ...hookContext, request, rules }),
    refuseProperty,
    nameOf: (what) => stepName(what, methodAndUrl(prepared.written).url),
  };
  return context;
}

/**
 * Prepares an operation: checks it, replaces its functions by slots, and joins it with what the flow and the run define
 * for all.
 *
 * @param {PlacedOperation} placed
 * @param {CompileContext} flowContext
 */
function prepareOperation({ operation: given, where }, { shared, around, flow, args, problems, names }) {
  const { known, own } = splitOwn(settled(given, where, problems));
  const operation = withArguments(known, args, { path: where, problems });
  const values = new ValueList(where);
  const slotted = withSlots(operation, values);
  const beforeHooks = [...around.beforeHooks, ...resolveHooks(operation.beforeHooks, `${where}.beforeHooks`, problems)];
  const protocol = protocolOf(operation);
  const isNew = protocol !== HTTP;
  const hooksMaySetUrl = protocol.urlKey === null && beforeHooks.some(({ entry }) => entry === undefined);
  const checked = withoutBroken({ ...slotted, ...own }, problems, { where, hooksMaySetUrl });
  // without its own property, which was refused, it is any request
  const { expand = (/** @type {Operation} */ same) => same } = protocolOf(checked);
  const valid = expand(checked);
  const mark = markerOf(where, { problems, names, values, isNew, hooksMayReplace: hooksMaySetUrl });
  const complain = (/** @type {string} */ key, /** @type {string} */ reason) => problems.add(`${where}.${key}`, reason);
  const moreHeaders = valid.headers instanceof ValueSlot ? valid.headers : null;
  const ownHeaders = moreHeaders ? {} : valid.headers;
  const computed = values.addHeaders(flow.computedHeaders, [shared.headers, ownHeaders]);
  const defaults = { ...withoutOthers(shared.headers, names), ...computed };
  const headers = markValues({ ...defaults, ...ownHeaders }, (text, name) => mark(text, `headers.${name}`));
  const afterHooks = [...resolveHooks(operation.afterHooks, `${where}.afterHooks`, problems), ...around.afterHooks];
  /** what its request is compiled with @type {RequestContext} */
  const requestContext = {
    ...shared,
    hooksMaySetUrl,
    headers,
    moreHeaders,
    cookies: shared.cookies && withoutOthers(shared.cookies, names),
    runFields: secretsAmong(defaults, ownHeaders),
    sourceOf: (marked) => sourceOf(marked, values),
    where,
    mark,
    complain,
    refuse: refusing(where),
  };
  return {
    /** as the flow has it, arguments not replaced: results of other arguments have the same names */
    written: expand(known),
    /** of the operation, with slots in place of functions */
    valid,
    values,
    complain,
    mark,
    headers,
    beforeHooks,
    afterHooks,
    needs: needsOf(afterHooks),
    protocol: protocolOf(checked),
    requestContext,
    hookContext: {
      operation: expand({ ...slotted, ...own }),
      headers: { ...defaults, ...(moreHeaders ? {} : slotted.headers) },
      moreHeaders,
      ...quietTemplates(names, values),
      shared,
      where,
      hooks: beforeHooks.map((hook) => hook.where),
    },
  };
}

/** @type {(written: Operation, where: string, problems: Problems) => Operation} */
function settled(written, where, problems) {
  return settleOperation(written, (key, remark) =>
    problems.ignore(`${where}.${key}`, `has no effect: ${remark}`, remark),
  );
}

/**
 * Separates the properties of users, which are neither read nor changed: hooks get them.
 * @type {(operation: Operation) => { known: Operation, own: Operation }}
 */
function splitOwn(operation) {
  const own = Object.entries(operation).filter(([key]) => !Object.hasOwn(PROPERTIES, key));
  if (own.length === 0) return { known: operation, own: {} };
  const known = Object.entries(operation).filter(([key]) => Object.hasOwn(PROPERTIES, key));
  return { known: Object.fromEntries(known), own: Object.fromEntries(own) };
}

/** @type {(where: string, context: Omit<MarkContext, 'path' | 'place'>) => RequestContext['mark']} */
function markerOf(where, context) {
  return (text, key, place) => markTokens(text, { ...context, path: `${where}.${key}`, place });
}

/**
 * Reports invalid properties and returns the operation without them, so the rest can still be checked.
 * @type {(operation: Operation, problems: Problems, context: { where: string, hooksMaySetUrl: boolean }) => Operation}
 */
function withoutBroken(operation, problems, { where, hooksMaySetUrl }) {
  const before = problems.list.length;
  const broken = checkOperation(operation, where, problems, { hooksMaySetUrl });
  const entries = Object.entries(operation).filter(([key]) => !broken.has(key) && Object.hasOwn(PROPERTIES, key));
  const valid = Object.fromEntries(entries);
  if (problems.list.length === before) return valid;
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

/**
 * The names of default fields with secrets, unless the operation has the field itself.
 * @type {(defaults: Record<string, unknown>, own?: Record<string, unknown>) => string[]}
 */
function secretsAmong(defaults, own = {}) {
  const owned = new Set(Object.keys(own).map((name) => name.toLowerCase()));
  const isSecret = (/** @type {unknown} */ value) => hasWrittenSecret(String(value)) || readsEnvironment(String(value));
  return Object.entries(defaults).flatMap(([name, value]) =>
    (isSecretName(name) || [value].flat().some(isSecret)) && !owned.has(name.toLowerCase()) ? [name] : [],
  );
}

/** @type {(marked: string, values: ValueList) => ReturnType<RequestContext['sourceOf']>} */
function sourceOf(marked, { list }) {
  const sources = sourcesIn(marked);
  if (sources.includes('variable')) return 'variable';
  return sources.some((source) => typeof source === 'number' && list[source].isOfCode) ? 'code' : 'text';
}

/**
 * Compiles text whose problems are reported elsewhere.
 * @type {(names: Names, values: ValueList) => Pick<HookOptionsContext, 'template' | 'jsonValue'>}
 */
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

/**
 * @type {(values: Record<string, unknown>, mark: (text: string, name: string) => string) => Record<string, unknown>}
 */
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

/** @type {string[]} */
const NAMES = HOOKS.map(({ name }) => name);

/**
 * Finds the built-in hooks of a list by their names, and reports what is no hook.
 * @type {(hooks: unknown, path: string, problems: Problems) => NamedHook[]}
 */
export function resolveHooks(hooks, path, problems) {
  if (!Array.isArray(hooks)) return [];
  return hooks.flatMap((hook, i) => {
    const where = `${path}[${i}]`;
    if (isAbsent(hook)) return [];
    if (typeof hook === 'function') return [{ where, hook }];
    const entry = HOOKS.find(({ name }) => name === hook);
    if (entry) return [{ where, hook: entry.hook, entry, reads: entry.reads }];
    if (typeof hook === 'string') problems.add(where, `unknown hook '${hook}'${nearestOrAll(hook, NAMES)}`);
    else problems.add(where, 'expected the name of a hook or a function');
    return [];
  });
}

/** `isVerbose && print` in a list of hooks is no hook if the condition is false. @type {(hook: unknown) => boolean} */
function isAbsent(hook) {
  return hook === undefined || hook === null || hook === false;
}

import { createEndpoints } from '../endpoint.js';
import { HOOKS } from '../hooks/index.js';
import { PHASES } from '../phases.js';
import { makeError } from '../errors.js';
import { createProblems } from '../problems.js';
import { TLS_PROPERTIES } from '../tls-properties.js';
import { formatValue } from '../text/format-value.js';
import { withArguments } from './arguments.js';
import { compileChecks } from './checks/compile-checks.js';
import { hookOptions } from './hook-options.js';
import { normalize } from './normalize.js';
import { readEntry } from './one-of.js';
import { nameOf } from './operation-name.js';
import { checkOperation } from './operation.js';
import { compileRequest, methodAndUrl } from './request.js';
import { rulesOf } from './rules.js';
import { Slot } from './slot.js';
import { compileTemplate, hasBuiltInTokens, markTokens } from './template.js';
import { createTlsReader } from './tls.js';
import { splitUnixSocket } from './unix-socket.js';
import { ValueList, withSlots } from './values.js';
import { webSocketSteps } from './web-socket/steps.js';

/**
 * @import { Problems } from '../problems.js'
 * @import { ProxySettings } from '../proxy-choice.js'
 * @import { SharedContext } from './hook-options.js'
 * @import { RequestContext } from './request.js'
 * @import { PlacedOperation } from './one-of.js'
 * @import { Template } from './template.js'
 * @import { CompiledFlow, NamedHook, Operation, Phase, RawFlow, Step } from './types.js'
 * @import { OpenSockets } from './web-socket/steps.js'
 *
 * @typedef {object} CompileOptions run options; `baseUrl` and `headers` of the flow itself are among them
 * @property {string} [baseUrl]
 * @property {Record<string, unknown>} [headers] defaults for every operation
 * @property {number} [maxBodyMemory] bytes: no file of a body is larger
 * @property {string} [user]
 * @property {string} [password]
 * @property {boolean} [insecure] certificates are not verified; the other options of TLS are among these, too
 * @property {Record<string, string>} [cookies]
 * @property {string} [socketPath]
 * @property {boolean} [keepAlive]
 * @property {ProxySettings} [proxies]
 * @property {number} [seed] of choices by weight
 * @property {Record<string, unknown>} [args] values of `#{ARG.name}`
 */

/**
 * Reads a flow: resolves its shortcuts, and compiles it once its options are known.
 *
 * @param {unknown} raw a URL, an operation, an array of them, or an object of phases
 * @param {{ folder?: string }} [place] folder: of relative paths of files; default: the working directory
 * @returns {{ flow: RawFlow, compile: (options: CompileOptions) => CompiledFlow }} compile throws E_FLOW with all problems
 * @throws {Error} E_NO_MAIN
 */
export function readFlow(raw, { folder } = {}) {
  const problems = createProblems('E_FLOW');
  const flow = normalize(raw, problems);
  return {
    flow,
    compile(options) {
      const all = createProblems('E_FLOW');
      all.list.push(...problems.list);
      const compiled = compile(flow, { ...options, folder }, all);
      all.throwIfAny();
      return compiled;
    },
  };
}

/**
 * Compiles operations to steps. Everything that does not depend on an iteration is computed here.
 *
 * @param {RawFlow} flow
 * @param {CompileOptions & { folder?: string }} options
 * @param {Problems} problems
 * @returns {CompiledFlow}
 */
function compile(flow, options, problems) {
  const { seed = 1, args = {} } = options;
  const shared = {
    baseUrl: withArguments(options.baseUrl, args, { path: 'baseUrl', problems }),
    headers: withArguments(options.headers ?? {}, args, { path: 'headers', problems }),
    maxBodyMemory: options.maxBodyMemory,
    folder: options.folder,
    user: options.user,
    password: options.password,
    cookies: withArguments(options.cookies, args, { path: 'cookies', problems }),
    socketPath: options.socketPath,
    keepAlive: options.keepAlive,
    tlsOf: createTlsReader(tlsDefaults(options), options.folder),
    endpointOf: createEndpoints(options.proxies),
  };
  checkBaseUrl(shared.baseUrl, problems);
  const around = {
    beforeHooks: resolveHooks(flow.beforeEach, 'flow.beforeEach', problems),
    afterHooks: resolveHooks(flow.afterEach, 'flow.afterEach', problems),
  };
  /** WebSockets are opened once per run, or in an iteration */
  const sockets = { once: new Map(), iteration: new Map() };
  return /** @type {CompiledFlow} */ (
    Object.fromEntries(
      PHASES.map((phase) => [
        phase,
        flow.phases[phase].flatMap((entry, opIndex) => {
          const context = { shared, around, flow, args, problems, sockets };
          const placed = entry ? readEntry(entry, `flow.${phase}[${opIndex}]`, { seed, problems }) : [];
          return placed.flatMap((operation) => compileSteps(operation, phase, opIndex, context));
        }),
      ]),
    )
  );
}

/**
 * @typedef {object} CompileContext
 * @property {SharedContext} shared
 * @property {{ beforeHooks: NamedHook[], afterHooks: NamedHook[] }} around
 * @property {RawFlow} flow
 * @property {Record<string, unknown>} args
 * @property {Problems} problems
 * @property {{ once: OpenSockets, iteration: OpenSockets }} sockets
 *
 * @typedef {ReturnType<typeof contextOf>} OperationContext what an operation is compiled with
 */

/** @type {(placed: PlacedOperation, phase: Phase, opIndex: number, context: CompileContext) => Step[]} */
function compileSteps(placed, phase, opIndex, context) {
  const ofOperation = contextOf(placed, phase, opIndex, context);
  const { once, iteration } = context.sockets;
  const steps =
    ofOperation.valid.ws === undefined
      ? [compileStep(ofOperation)]
      : webSocketSteps(ofOperation, runsOnce(phase) ? once : iteration);
  ofOperation.values.close();
  return steps;
}

/**
 * @param {PlacedOperation} placed
 * @param {Phase} phase
 * @param {number} opIndex
 * @param {CompileContext} context
 */
function contextOf({ operation: written, where, choice, hasOrigin }, phase, opIndex, context) {
  const { shared, around, flow, args, problems } = context;
  const operation = withArguments(written, args, { path: where, problems });
  const values = new ValueList(where, flow.tokens);
  const slotted = withSlots(operation, values);
  const valid = withoutBroken(slotted, where, problems);
  const mark = createMarker({ where, phase, problems, values });
  /** @type {RequestContext['complain']} */
  const complain = (key, reason) => problems.add(`${where}.${key}`, reason);
  const moreHeaders = valid.headers instanceof Slot ? valid.headers : null;
  const ownHeaders = moreHeaders ? {} : valid.headers;
  const usable = runsOnce(phase)
    ? { headers: withoutTokens(shared.headers), cookies: withoutTokens(shared.cookies ?? {}) }
    : shared;
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
    phase,
    opIndex,
    problems,
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
      template: (/** @type {string} */ text) => quietTemplate(text, values),
      shared,
      where,
      hooks: beforeHooks.map((hook) => hook.where),
    },
    beforeHooks,
    afterHooks,
    needs: needsOf(afterHooks),
  };
}

/** @type {(context: OperationContext) => Step} */
function compileStep(context) {
  const { valid, where, phase, opIndex, headers, mark, complain, values, beforeHooks, afterHooks, problems } = context;
  const { written, choice, hasOrigin } = context;
  const request = compileRequest(valid, context.ofRequest);
  const { checks, reads } = compileChecks(valid, { where, mark, complain });
  const rules = {
    ...rulesOf(valid, request.method, headers),
    keepsRequest: afterHooks.length > 0,
    credentials: request.credentials,
  };
  return {
    where,
    name: nameOf({ ...written, name: valid.name }, { hasOrigin }),
    origin: request.origin,
    proxy: request.proxy,
    phase,
    opIndex,
    choice,
    request: request.isConstant && problems.list.length === 0 ? request.render({}) : null,
    render: request.render,
    bodyCost: request.bodyCost,
    closesConnection: request.closesConnection,
    ...hookOptions({ ...context.ofHooks, request, rules }),
    values: values.list,
    beforeHooks,
    afterHooks,
    checks,
    needs: mostOf([context.needs, ...reads]),
    webSocket: null,
    ...rules,
  };
}

/**
 * Replaces the tokens in texts of an operation by marks. Operations that run once have no INDEX.
 *
 * @param {{ where: string, phase: Phase, problems: Problems, values: ValueList }} operation
 * @returns {RequestContext['mark']}
 */
function createMarker({ where, phase, problems, values }) {
  return (text, key, place) => {
    const path = `${where}.${key}`;
    const marked = markTokens(text, { problems, path, place, values });
    if (runsOnce(phase) && hasBuiltInTokens(marked))
      problems.add(path, `${phase} runs once and has no #{INDEX}: use ${phase}Main`);
    return marked;
  };
}

/** @type {(phase: Phase) => boolean} */
function runsOnce(phase) {
  return phase === 'before' || phase === 'after';
}

/** @type {(options: Record<string, any>) => Record<string, unknown>} */
function tlsDefaults(options) {
  const given = Object.keys(TLS_PROPERTIES).filter((key) => options[key] !== undefined);
  return {
    ...Object.fromEntries(given.map((key) => [key, options[key]])),
    ...(options.insecure && { rejectUnauthorized: false }),
  };
}

/** Removes default fields with tokens outside of iterations. @type {<T>(headers: Record<string, T>) => Record<string, T>} */
function withoutTokens(headers) {
  return Object.fromEntries(
    Object.entries(headers).filter(([, value]) => typeof value !== 'string' || !hasBuiltInTokens(quietMarks(value))),
  );
}

/** Text whose problems are reported elsewhere. @type {(text: string, values?: ValueList) => string} */
function quietMarks(text, values) {
  return markTokens(text, { problems: createProblems('E_FLOW'), path: '', values });
}

/** @type {(text: string, values: ValueList) => Template} */
function quietTemplate(text, values) {
  return compileTemplate(quietMarks(text, values));
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

/**
 * @param {unknown} hooks
 * @param {string} path
 * @param {Problems} problems
 * @returns {NamedHook[]}
 */
function resolveHooks(hooks, path, problems) {
  if (!Array.isArray(hooks)) return [];
  return hooks.flatMap((hook, i) => {
    const where = `${path}[${i}]`;
    if (typeof hook === 'function') return [{ where, hook }];
    const entry = HOOKS.find(({ name }) => name === hook);
    if (entry) return [{ where, hook: entry.hook, entry, reads: entry.reads }];
    if (typeof hook === 'string')
      problems.unknown(
        where,
        `hook '${hook}'`,
        hook,
        HOOKS.map(({ name }) => name),
      );
    else problems.add(where, 'expected the name of a hook or a function');
    return [];
  });
}

/**
 * Reports invalid properties and returns the operation without them, so the rest can still be checked.
 * @type {(operation: Operation, where: string, problems: Problems) => Operation}
 */
function withoutBroken(operation, where, problems) {
  const before = problems.list.length;
  checkOperation(operation, where, problems);
  if (problems.list.length === before) return operation;
  const broken = new Set(problems.list.slice(before).map(({ path }) => path));
  const valid = Object.fromEntries(Object.entries(operation).filter(([key]) => !broken.has(`${where}.${key}`)));
  return methodAndUrl(valid).url === '' ? { ...valid, url: NOWHERE } : valid;
}

/** stands for a URL that is missing or invalid, so that this is reported once */
const NOWHERE = 'http://localhost/';

/** @type {(hooks: NamedHook[]) => Step['needs']} */
function needsOf(hooks) {
  if (hooks.length === 0) return 'status';
  return hooks.every(({ reads }) => reads === 'head') ? 'head' : 'body';
}

/** Each includes those before it. @type {(all: Step['needs'][]) => Step['needs']} */
function mostOf(all) {
  if (all.includes('body')) return 'body';
  return all.includes('head') ? 'head' : 'status';
}

/** @type {(baseUrl: string | undefined, problems: Problems) => void} */
function checkBaseUrl(baseUrl, problems) {
  if (baseUrl === undefined) return;
  if (splitUnixSocket(baseUrl)) return;
  if (!/^(http|ws)s?:\/\/[^/]/i.test(baseUrl) || !URL.canParse(baseUrl)) {
    problems.add('baseUrl', `${formatValue(baseUrl)} is not an http://, https://, ws://, wss:// or unix: URL`);
  }
}

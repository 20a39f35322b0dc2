import { makeError } from '../errors.js';
import { HOOKS } from '../hooks/index.js';
import { createProblems } from '../problems.js';
import { createEndpoints } from './endpoints.js';
import { PHASES } from './normalize.js';
import { checkOperation } from './operation.js';
import { compileRequest } from './request.js';
import { compileTemplate, markTokens, renderTemplate } from './template.js';
import { splitUnixSocket } from './unix-socket.js';

/**
 * @import { Problems } from '../problems.js'
 * @import { RequestContext } from './request.js'
 * @import { CompiledFlow, NamedHook, Operation, Phase, RawFlow, Request, Scope, Step } from './types.js'
 *
 * @typedef {object} CompileOptions
 * @property {string} [baseUrl] wins over the flow's
 * @property {Record<string, unknown>} [headers] defaults for every operation, over the flow's
 * @property {string} [user]
 * @property {string} [password]
 * @property {boolean} [insecure] certificates are not verified
 */

/**
 * Makes steps of operations; what can be known before the run is known after this.
 *
 * @param {RawFlow} flow
 * @param {CompileOptions} options
 * @param {Problems} problems
 * @returns {CompiledFlow}
 */
export function compile(flow, options, problems) {
  const shared = {
    baseUrl: options.baseUrl ?? flow.baseUrl,
    headers: { ...flow.headers, ...options.headers },
    user: options.user,
    password: options.password,
    tls: options.insecure ? { rejectUnauthorized: false } : {},
    endpointOf: createEndpoints(),
  };
  checkBaseUrl(shared.baseUrl, problems);
  const around = {
    beforeHooks: resolveHooks(flow.beforeEach, 'flow.beforeEach', problems),
    afterHooks: resolveHooks(flow.afterEach, 'flow.afterEach', problems),
  };
  return /** @type {CompiledFlow} */ (
    Object.fromEntries(
      PHASES.map((phase) => [
        phase,
        flow.phases[phase].flatMap((operation, opIndex) =>
          operation ? [compileStep(operation, phase, opIndex, { shared, around, problems })] : [],
        ),
      ]),
    )
  );
}

/**
 * @typedef {Omit<RequestContext, 'mark' | 'complain'>} SharedContext
 *
 * @param {Operation} operation
 * @param {Phase} phase
 * @param {number} opIndex
 * @param {{ shared: SharedContext, around: { beforeHooks: NamedHook[], afterHooks: NamedHook[] }, problems: Problems }} context
 * @returns {Step}
 */
function compileStep(operation, phase, opIndex, { shared, around, problems }) {
  const where = `flow.${phase}[${opIndex}]`;
  checkOperation(operation, where, problems);
  const hasIndex = phase !== 'before' && phase !== 'after';
  /** @type {RequestContext['mark']} */
  const mark = (text, key, isUrl = false) => {
    const path = `${where}.${key}`;
    const marked = markTokens(text, { problems, path, isUrl });
    if (marked !== text && !hasIndex) problems.add(path, `${phase} runs once and has no #{INDEX}: use ${phase}Main`);
    return marked;
  };
  /** @type {RequestContext['complain']} */
  const complain = (key, reason) => problems.add(`${where}.${key}`, reason);
  const defaults = hasIndex ? shared.headers : withoutTokens(shared.headers);
  const headers = markValues({ ...defaults, ...operation.headers }, (text, name) => mark(text, `headers.${name}`));
  const request = compileRequest({ ...operation, headers }, { ...shared, headers: {}, mark, complain });
  const beforeHooks = [...around.beforeHooks, ...resolveHooks(operation.beforeHooks, `${where}.beforeHooks`, problems)];
  const afterHooks = [...resolveHooks(operation.afterHooks, `${where}.afterHooks`, problems), ...around.afterHooks];
  const followsAll = operation.followAllRedirects === true;
  const follows = followsAll || (operation.followRedirect !== false && /^(GET|HEAD)$/.test(request.method));
  const asBuffer = operation.encoding === null;
  return {
    where,
    name: operation.name ?? `${request.method} ${(splitUnixSocket(request.url)?.url ?? request.url).replace(/^https?:\/\/[^/?#]*/, '') || '/'}`,
    origin: request.origin,
    phase,
    opIndex,
    request: request.isConstant && problems.list.length === 0 ? request.render({}) : null,
    render: request.render,
    options: optionsForHooks(operation, request, { ...defaults, ...operation.headers }, hasIndex),
    renderOptions: (options) => renderChanged(options, operation, shared, where),
    beforeHooks,
    afterHooks,
    wants: wantsOf(afterHooks),
    parsesJson: operation.json !== undefined,
    hasCookies: operation.jar !== false,
    asBuffer,
    encoding: asBuffer ? 'utf8' : (operation.encoding ?? 'utf8'),
    decodes: operation.gzip ?? !asBuffer,
    maxRedirects: follows ? (operation.maxRedirects ?? 10) : 0,
    followsAll,
    timeoutMs: operation.timeout ?? null,
    hasCredentials: operation.auth !== undefined || Object.keys(headers).some((name) => name.toLowerCase() === 'authorization'),
  };
}

/**
 * What hooks see as `all.requestOptions`: the operation with its tokens replaced, private to the iteration.
 *
 * @param {Operation} operation
 * @param {{ method: string, key: string, uri: import('./template.js').Template }} request
 * @param {Record<string, unknown>} headers
 * @param {boolean} hasIndex
 * @returns {(scope: Scope) => Operation}
 */
function optionsForHooks(operation, { method, key, uri }, headers, hasIndex) {
  const { qs, form, formData, json, body, ...rest } = operation;
  const copied = { headers, ...(qs && { qs }), ...(form && { form }), ...(formData && { formData }), ...(json !== undefined && { json }) };
  /** @type {(text: string) => (scope: Scope) => string} */
  const template = (text) => {
    const compiled = hasIndex ? quietTemplate(text) : text;
    return (scope) => renderTemplate(compiled, scope);
  };
  /** @type {ReturnType<typeof copier> | undefined} */
  let copy;
  const bodyOf = typeof body === 'string' ? template(body) : () => body;
  return (scope) => {
    copy ??= copier(copied, template);
    const options = { ...rest, ...copy(scope), method, uri: renderTemplate(uri, scope) };
    if (key in rest) options[key] = options.uri;
    if (body !== undefined) options.body = bodyOf(scope);
    return options;
  };
}

/** A template of text whose problems have been said already. @type {(text: string) => import('./template.js').Template} */
function quietTemplate(text) {
  return compileTemplate(markTokens(text, { problems: createProblems('E_FLOW'), path: '' }));
}

/**
 * A function that makes a deep copy with tokens replaced in every text, keys too; Buffers and streams stay as they are.
 *
 * @param {any} value
 * @param {(text: string) => (scope: Scope) => string} template
 * @returns {(scope: Scope) => any}
 */
function copier(value, template) {
  if (typeof value === 'string') return template(value);
  if (Array.isArray(value)) {
    const items = value.map((item) => copier(item, template));
    return (scope) => items.map((item) => item(scope));
  }
  if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype) return () => value;
  const entries = Object.entries(value).map(([key, item]) => ({ key: template(key), item: copier(item, template) }));
  return (scope) => Object.fromEntries(entries.map(({ key, item }) => [key(scope), item(scope)]));
}

/**
 * The request that a before-hook made of `all.requestOptions`; no tokens are replaced any more.
 *
 * @param {Operation} options
 * @param {Operation} operation
 * @param {SharedContext} shared
 * @param {string} where
 * @returns {Request}
 * @throws {Error} E_REQUEST_FIELD
 */
function renderChanged(options, operation, shared, where) {
  const { get: _g, head: _h, put: _p, post: _o, patch: _a, del: _d, delete: _e, options: _t, ...sent } = options;
  const request = compileRequest(sent, {
    ...shared,
    headers: {},
    mark: (text) => text,
    complain: (key, reason) => {
      throw makeError('E_REQUEST_FIELD', { place: `${where}.${key}`, reason });
    },
  });
  return request.render({});
}

/** Default fields that carry a token are left out where there is no iteration. @type {(headers: Record<string, unknown>) => Record<string, unknown>} */
function withoutTokens(headers) {
  return Object.fromEntries(Object.entries(headers).filter(([, value]) => typeof value !== 'string' || typeof quietTemplate(value) === 'string'));
}

/** @type {(values: Record<string, unknown>, mark: (text: string, name: string) => string) => Record<string, unknown>} */
function markValues(values, mark) {
  /** @type {(value: unknown, name: string) => unknown} */
  const one = (value, name) => (typeof value === 'string' ? mark(value, name) : Array.isArray(value) ? value.map((v) => one(v, name)) : value);
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
    if (entry) return [{ where, hook: entry.hook, wants: entry.wants }];
    if (typeof hook === 'string') problems.unknown(where, `hook '${hook}'`, hook, HOOKS.map(({ name }) => name));
    else problems.add(where, 'expected the name of a hook or a function');
    return [];
  });
}

/** @type {(hooks: NamedHook[]) => Step['wants']} */
function wantsOf(hooks) {
  if (hooks.length === 0) return 'status';
  return hooks.every(({ wants }) => wants === 'head') ? 'head' : 'body';
}

/** @type {(baseUrl: string | undefined, problems: Problems) => void} */
function checkBaseUrl(baseUrl, problems) {
  if (baseUrl === undefined) return;
  if (splitUnixSocket(String(baseUrl))) return;
  if (!/^https?:\/\/[^/]/i.test(String(baseUrl)) || !URL.canParse(baseUrl)) {
    problems.add('baseUrl', `${JSON.stringify(baseUrl)} is no http://, https:// or unix: URL`);
  }
}

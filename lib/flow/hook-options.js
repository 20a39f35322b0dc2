import { makeError } from '../errors.js';
import { createProblems } from '../problems.js';
import { refuseValue } from './operation.js';
import { compileRequest, refuseField } from './request.js';
import { compileTemplate, markTokens, renderTemplate } from './template.js';

/**
 * @import { CompiledRequest, RequestContext } from './request.js'
 * @import { Template } from './template.js'
 * @import { Operation, Request, Scope } from './types.js'
 *
 * @typedef {Omit<RequestContext, 'where' | 'mark' | 'complain'>} SharedContext
 *
 * @typedef {object} HookOptionsContext
 * @property {Operation} operation
 * @property {CompiledRequest} request
 * @property {Record<string, unknown>} headers of the operation, with the defaults
 * @property {boolean} hasIndex there are tokens to replace
 * @property {SharedContext} shared
 * @property {string} where
 */

/** What a hook may change from within, where it does not show from without. */
const NESTED = ['json', 'form', 'formData', 'qs', 'auth'];

/**
 * What hooks see as `all.requestOptions`, private to the iteration, and the request that becomes of it.
 *
 * @param {HookOptionsContext} context
 * @returns {{ options: (scope: Scope) => Operation, renderOptions: (options: Operation, scope: Scope) => Request }}
 */
export function hookOptions(context) {
  const { operation, shared, where } = context;
  /** made when the first hook has changed something @type {ReturnType<typeof prepareWithHeaders> | undefined} */
  let withHeaders;
  return {
    options: prepareOptions(context),
    renderOptions: (options, scope) =>
      (withHeaders ??= prepareWithHeaders(context))(options, scope) ?? renderChanged(options, operation, shared, where),
  };
}

/** A template of text whose problems have been said already. @type {(text: string) => Template} */
export function quietTemplate(text) {
  return compileTemplate(markTokens(text, { problems: createProblems('E_FLOW'), path: '' }));
}

/**
 * The operation with its tokens replaced.
 *
 * @param {HookOptionsContext} context
 * @returns {(scope: Scope) => Operation}
 */
function prepareOptions({ operation, request: { method, key, uri }, headers, hasIndex }) {
  const { qs, form, formData, json, body, ...rest } = operation;
  const copied = {
    headers,
    ...(qs && { qs }),
    ...(form && { form }),
    ...(formData && { formData }),
    ...(json !== undefined && { json }),
  };
  /** @type {(text: string) => Template} */
  const template = hasIndex ? quietTemplate : (text) => text;
  /** all keys in their order, so that copying it is all the making there is @type {Operation} */
  const blank = { ...rest, ...copied, method, uri: '', ...(body !== undefined && { body }) };
  /** made when a hook first looks @type {{ name: string, copy: (scope: Scope) => any }[] | undefined} */
  let nested;
  const bodyOf = typeof body === 'string' ? template(body) : null;
  return (scope) => {
    nested ??= Object.entries(copied).map(([name, value]) => ({ name, copy: copier(value, template) }));
    const options = { ...blank };
    for (const { name, copy } of nested) options[name] = copy(scope);
    options.uri = renderTemplate(uri, scope);
    if (key in rest) options[key] = options.uri;
    if (bodyOf !== null) options.body = renderTemplate(bodyOf, scope);
    return options;
  };
}

/**
 * A function that makes a deep copy with tokens replaced in every text, keys too; Buffers and streams stay as they are.
 *
 * @param {any} value
 * @param {(text: string) => Template} template
 * @returns {(scope: Scope) => any}
 */
function copier(value, template) {
  if (typeof value === 'string') {
    const compiled = template(value);
    return (scope) => renderTemplate(compiled, scope);
  }
  if (Array.isArray(value)) {
    const items = value.map((item) => copier(item, template));
    return (scope) => items.map((item) => item(scope));
  }
  if (!isPlain(value)) return () => value;
  if (Object.entries(value).every(([key, item]) => isConstant(key, template) && isConstant(item, template)))
    return () => ({ ...value });
  const entries = Object.entries(value).map(([key, item]) => ({ key: template(key), item: copier(item, template) }));
  return (scope) => Object.fromEntries(entries.map(({ key, item }) => [renderTemplate(key, scope), item(scope)]));
}

/** @type {(value: unknown, template: (text: string) => Template) => boolean} */
function isConstant(value, template) {
  return typeof value === 'string' ? typeof template(value) === 'string' : typeof value !== 'object' || value === null;
}

/** @type {(value: unknown) => boolean} */
function isPlain(value) {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}

/**
 * The usual change: nothing but headers, as useEtag makes it. The step's request is taken, with other fields; everything
 * else is left to {@link renderChanged}.
 *
 * @param {HookOptionsContext} context
 * @returns {(options: Operation, scope: Scope) => Request | null}
 */
function prepareWithHeaders({ operation, request, headers, hasIndex }) {
  const { method, key, uri } = request;
  const isFixed = Object.values(headers).every(
    (value) => typeof value === 'string' && (!hasIndex || typeof quietTemplate(value) === 'string'),
  );
  if (
    !isFixed ||
    NESTED.some((name) => isPlain(operation[name]) || Array.isArray(operation[name])) ||
    typeof operation.body === 'object'
  )
    return () => null;
  /** @type {Operation} */
  const untouched = { ...operation, headers, method, uri: null };
  const count = Object.keys(untouched).length;

  return (options, scope) => {
    const address = renderTemplate(uri, scope);
    let seen = 0;
    for (const name in options) {
      seen++;
      if (name === 'headers') continue;
      const expected = name === 'uri' || name === key ? address : untouched[name];
      if (options[name] !== expected) return null;
    }
    if (seen !== count) return null;
    const base = request.render(scope);
    const fields = overwritten(base.fields, headers, options.headers);
    return fields && { ...base, fields };
  };
}

/** Null where it is not as simple as it looks. @type {(fields: string[], from: Record<string, unknown>, to: Record<string, unknown>) => string[] | null} */
function overwritten(fields, from, to) {
  if (typeof to !== 'object' || to === null) return null;
  for (const name in from) if (!(name in to)) return null;
  let changed = fields;
  for (const name in to) {
    const value = to[name];
    if (value === from[name]) continue;
    const lower = name.toLowerCase();
    if (typeof value !== 'string' || refuseField(name, value) || lower === 'content-length') return null;
    const at = changed.findIndex((field, i) => i % 2 === 0 && field.toLowerCase() === lower);
    changed = at < 0 ? [...changed, name, value] : changed.with(at + 1, value);
  }
  return changed;
}

/**
 * The request that before-hooks made of `all.requestOptions`; no tokens are replaced any more.
 *
 * @param {Operation} options
 * @param {Operation} operation
 * @param {SharedContext} shared
 * @param {string} where
 * @returns {Request}
 * @throws {Error} E_REQUEST_FIELD
 */
function renderChanged(options, operation, shared, where) {
  /** @type {(key: string, reason: string) => never} */
  const complain = (key, reason) => {
    throw makeError('E_REQUEST_FIELD', { place: `${where}.${key}`, reason });
  };
  const { get: _g, head: _h, put: _p, post: _o, patch: _a, del: _d, delete: _e, options: _t, ...sent } = options;
  for (const [key, value] of Object.entries(sent)) {
    const reason = refuseValue(key, value);
    if (reason) complain(key, reason);
  }
  const request = compileRequest(sent, {
    ...shared,
    where,
    headers: sent.headers ?? {},
    mark: (text) => text,
    complain,
  });
  return request.render({});
}

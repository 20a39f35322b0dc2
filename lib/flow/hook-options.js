import { basicCredentials } from '../http/field-values.js';
import { BODIES } from './bodies/index.js';
import { compileChanged } from './changed-request.js';
import { PROPERTIES } from './properties.js';
import { protocolOf } from './protocols/index.js';
import { isContainer, isCyclic } from './record.js';
import { isFramingField, refuseField } from './request-fields.js';
import { authorizationIn } from './rules.js';
import { renderTemplate } from './template.js';
import { copier } from './value-slot.js';

/**
 * @import { CompiledRequest, RequestContext } from './request.js'
 * @import { ValueSlot } from './value-slot.js'
 * @import { Template } from './template.js'
 * @import { Changed, Operation, Rules, Scope, Shown } from './types.js'
 *
 * @typedef {Omit<RequestContext, 'where' | 'mark' | 'complain' | 'refuse' | 'moreHeaders' | 'isForeign' | 'sourceOf'
 *   | 'runFields'>} SharedContext
 *
 * @typedef {object} HookOptionsContext
 * @property {Operation} operation
 * @property {CompiledRequest} request
 * @property {Rules} rules of the operation
 * @property {Record<string, unknown>} headers of the operation, with the defaults
 * @property {ValueSlot | null} moreHeaders those that a function returns
 * @property {(text: string) => Template} template replaces the tokens of a text whose problems have been reported
 * @property {(text: string) => string | ((scope: Scope) => unknown)} jsonValue the same within JSON, where a token
 *   alone is a value
 * @property {SharedContext} shared
 * @property {string} where
 * @property {string[]} hooks the locations of the hooks that may change them
 */

/** Properties a hook can mutate in place, so comparing references is not enough; hooks get copies. */
const MUTABLE = [...BODIES.map(({ name }) => name), 'qs', 'auth', 'cookies'];

/** @type {(operation: Operation) => string[]} */
function mutableIn(operation) {
  const { mutable } = protocolOf(operation);
  return mutable.length === 0 ? MUTABLE : [...MUTABLE, ...mutable];
}

/**
 * Prepares `all.requestOptions`, a private copy for hooks, and its conversion to a request.
 *
 * @param {HookOptionsContext} given
 * @returns {{ options: (scope: Scope) => Operation, renderOptions: (options: Operation, scope: Scope, shown: Shown)
 *   => Changed }}
 */
export function hookOptions(given) {
  const context = { ...given, operation: withFrozenLists(given.operation) };
  /** created when a hook first changes something @type {ReturnType<typeof prepareWithHeaders> | undefined} */
  let withHeaders;
  return {
    options: prepareOptions(context),
    renderOptions: (options, scope, shown) =>
      (withHeaders ??= prepareWithHeaders(context))(options, scope, shown) ??
      compileChanged(options, scope, shown, context),
  };
}

const FROZEN = ['expect', 'capture'];

/**
 * Replaces lists (of hooks, of certificates) by frozen copies, and `expect` and `capture` with everything in them.
 * @type {(operation: Operation) => Operation}
 */
function withFrozenLists(operation) {
  const mutable = mutableIn(operation);
  return Object.fromEntries(
    Object.entries(operation).map(([key, value]) => {
      if (mutable.includes(key)) return [key, value];
      if (FROZEN.includes(key)) return [key, frozenCopy(value)];
      const isOurs = Object.hasOwn(PROPERTIES, key);
      return [key, isOurs && Array.isArray(value) ? Object.freeze([...value]) : value];
    }),
  );
}

/** @type {(value: any) => any} */
function frozenCopy(value) {
  // what contains itself is refused elsewhere
  if (!isContainer(value) || isCyclic(value)) return value;
  if (Array.isArray(value)) return Object.freeze(value.map(frozenCopy));
  return Object.freeze(Object.fromEntries(Object.entries(value).map(([key, item]) => [key, frozenCopy(item)])));
}

/**
 * The operation with its tokens replaced. Its headers include the credentials of the run or of `env.user`, unless the
 * operation has its own.
 * @type {(context: HookOptionsContext) => (scope: Scope) => Operation}
 */
function prepareOptions(context) {
  const { operation, request, rules, headers, moreHeaders, template, jsonValue } = context;
  const { method, key, uri } = request;
  /** @type {Operation} */
  const copied = { headers };
  /** @type {Operation} */
  const rest = {};
  const mutable = mutableIn(operation);
  for (const [name, value] of Object.entries(operation)) {
    if (!mutable.includes(name)) rest[name] = value;
    else if (value !== undefined) copied[name] = value;
  }
  const credentials = credentialsWriter();
  /** all keys in their order, so that options are created by a plain copy @type {Operation} */
  const blank = { ...rest, ...copied, method, uri: '' };
  /** created when a hook first reads the options @type {{ name: string, copy: (scope: Scope) => any }[] | undefined} */
  let nested;
  return (scope) => {
    nested ??= Object.entries(copied).map(([name, value]) => ({
      name,
      copy: copier(value, template, holdsJson(operation, name) ? jsonValue : template),
    }));
    const options = { ...blank };
    for (const { name, copy } of nested) options[name] = copy(scope);
    if (moreHeaders) Object.assign(options.headers, /** @type {any} */ (scope.values)[moreHeaders.at]);
    options.uri = renderTemplate(uri, scope);
    if (key in rest) options[key] = options.uri;
    if (!rules.hasCredentials && scope.user) options.headers.Authorization = credentials(scope);
    return options;
  };
}

/** @type {(operation: Operation, name: string) => boolean} */
function holdsJson({ json }, name) {
  return name === 'json' || (name === 'body' && json === true);
}

/** Encodes the same credentials once. */
function credentialsWriter() {
  /** @type {unknown} */
  let user;
  /** @type {unknown} */
  let password;
  let written = '';
  return (/** @type {Scope} */ scope) => {
    if (scope.user !== user || scope.password !== password) {
      written = basicCredentials(`${scope.user}:${scope.password ?? ''}`);
      ({ user, password } = scope);
    }
    return written;
  };
}

/**
 * The fast path for the usual change: only header values, as in useEtag. It reuses the step's request with other
 * fields; {@link compileChanged} handles every other change.
 * @type {(context: HookOptionsContext) => (options: Operation, scope: Scope, shown: Shown) => Changed | null}
 */
function prepareWithHeaders({ operation, request, rules, headers, moreHeaders, template, shared: { user, password } }) {
  const { method, key, uri } = request;
  const isFixed = Object.values(headers).every(
    (value) => typeof value === 'string' && typeof template(value) === 'string',
  );
  if (
    !isFixed ||
    moreHeaders ||
    mutableIn(operation).some((name) => typeof operation[name] === 'object' && operation[name] !== null)
  )
    return () => null;
  /** @type {Operation} */
  const untouched = { ...operation, headers, method, uri: null };
  const count = Object.keys(untouched).length;
  const shownHeaders =
    user === undefined || rules.hasCredentials
      ? headers
      : { ...headers, Authorization: basicCredentials(`${user}:${password ?? ''}`) };
  const withCredentials = { ...rules, hasCredentials: true };

  return (options, scope, shown) => {
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
    const fields = overwritten(base.fields, shownHeaders, options.headers);
    if (!fields) return null;
    const isOfHook = !rules.hasCredentials && authorizationIn(options.headers) !== shown.authorization;
    return { request: { ...base, fields }, rules: isOfHook ? withCredentials : null };
  };
}

/**
 * Replaces changed header values. Null if more changed; the caller then compiles the request from scratch.
 * @type {(fields: string[], from: Record<string, unknown>, to: Record<string, unknown>) => string[] | null}
 */
function overwritten(fields, from, to) {
  if (typeof to !== 'object' || to === null) return null;
  for (const name in from) if (!(name in to)) return null;
  let changed = fields;
  for (const name in to) {
    const value = to[name];
    if (value === from[name]) continue;
    const lower = name.toLowerCase();
    if (typeof value !== 'string' || refuseField(name, value) || isFramingField(lower) || lower === 'cookie')
      return null;
    const at = changed.findIndex((field, i) => i % 2 === 0 && field.toLowerCase() === lower);
    changed = at < 0 ? [...changed, name, value] : changed.with(at + 1, value);
  }
  return changed;
}

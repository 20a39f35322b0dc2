import { basicCredentials, fieldAt } from '../http/field-values.js';
import { BODIES, BODY_PARTS, isSentAsJson } from './bodies/index.js';
import { compileChanged } from './changed-request.js';
import { PROPERTIES } from './properties.js';
import { protocolOf } from './protocols/index.js';
import { isContainer, isCyclic } from './record.js';
import { isFramingField, refuseField } from './request-fields.js';
import { authorizationIn } from './rules.js';
import { renderTemplate } from './template.js';
import { copier } from './placeholder.js';

/** @import { HookInput, CompiledRequest } from './types.js' */
/** @import { Changed, Operation, Rules, Scope, Shown } from '../contracts/step.js' */
/** @import { OperationCompiler } from './operation-compiler.js' */

/** Properties that a hook can change in place, so that comparing references does not show it: hooks get copies. */
const MUTABLE = [...BODIES.map(({ name }) => name), ...Object.keys(BODY_PARTS), 'qs', 'auth', 'cookies'];

/** @type {(operation: Operation) => string[]} */
function mutableIn(operation) {
  const { mutable } = protocolOf(operation);
  return mutable.length === 0 ? MUTABLE : [...MUTABLE, ...mutable];
}

/**
 * Prepares `all.requestOptions`, a private copy for hooks, and its conversion to a request.
 * @type {(compiler: OperationCompiler, request: CompiledRequest, rules: Rules) => { options: (scope: Scope) =>
 *   Operation, renderOptions: (options: Operation, scope: Scope, shown: Shown) => Changed }}
 */
export function hookOptions(compiler, request, rules) {
  const { given, givenHeaders: headers } = compiler;
  /** @type {HookInput} */
  const input = { compiler, operation: withFrozenValues(given), headers, request, rules };
  /** Created when a hook first changes something. @type {ReturnType<typeof prepareWithHeaders> | undefined} */
  let withHeaders;
  return {
    options: prepareOptions(input),
    renderOptions: (options, scope, shown) =>
      (withHeaders ??= prepareWithHeaders(input))(options, scope, shown) ??
      compileChanged(options, scope, shown, input),
  };
}

/**
 * Replaces the other lists and objects, such as hooks, `expect` and `aws`, by frozen copies: all requests share them,
 * and a change in place would have no effect. The user's own properties stay as they are.
 * @type {(operation: Operation) => Operation}
 */
function withFrozenValues(operation) {
  const kept = mutableIn(operation);
  const isKept = (/** @type {string} */ key) => kept.includes(key) || !Object.hasOwn(PROPERTIES, key);
  return Object.fromEntries(
    Object.entries(operation).map(([key, value]) => [key, isKept(key) ? value : frozenCopy(value)]),
  );
}

/** @type {(value: any) => any} */
function frozenCopy(value) {
  // A value that contains itself is refused elsewhere.
  if (!isContainer(value) || isCyclic(value)) return value;
  if (Array.isArray(value)) return Object.freeze(value.map(frozenCopy));
  return Object.freeze(Object.fromEntries(Object.entries(value).map(([key, item]) => [key, frozenCopy(item)])));
}

/**
 * Returns the function that makes the options for the hooks of one request: the operation with its tokens replaced.
 * Their headers include the credentials of the run or of `env.user`, unless the operation has its own.
 * @type {(input: HookInput) => (scope: Scope) => Operation}
 */
function prepareOptions({ compiler, operation, headers, request, rules }) {
  const moreHeaders = compiler.moreHeaders?.reader();
  const template = (/** @type {string} */ text) => compiler.template(text);
  const jsonValue = (/** @type {string} */ text) => compiler.jsonValue(text);
  const { method, key, uri } = request;
  /** Values that hooks may change in place, so that each request has a copy. @type {Operation} */
  const copied = { headers };
  /** Values that all requests share. @type {Operation} */
  const rest = {};
  const mutable = mutableIn(operation);
  for (const [name, value] of Object.entries(operation)) {
    if (!mutable.includes(name)) rest[name] = value;
    else if (value !== undefined) copied[name] = value;
  }
  const credentials = credentialsWriter();
  /** All keys in their order, so that options are created by a plain copy. @type {Operation} */
  const blank = { ...rest, ...copied, method, uri: '' };
  /** Compiled when a hook first reads it. @type {{ name: string, copy: (scope: Scope) => any }[] | undefined} */
  let nested;
  return (scope) => {
    nested ??= Object.entries(copied).map(([name, value]) => ({
      name,
      copy: copier(value, template, isSentAsJson(name, operation) ? jsonValue : template),
    }));
    const options = { ...blank };
    for (const { name, copy } of nested) options[name] = copy(scope);
    if (moreHeaders) Object.assign(options.headers, moreHeaders(scope));
    options.uri = renderTemplate(uri, scope);
    if (key in rest) options[key] = options.uri;
    if (!rules.hasCredentials && scope.user) options.headers.Authorization = credentials(scope);
    return options;
  };
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
 * fields, and returns null if anything else changed: {@link compileChanged} handles that.
 * @type {(input: HookInput) => (options: Operation, scope: Scope, shown: Shown) => Changed | null}
 */
function prepareWithHeaders({ compiler, operation, headers, request, rules }) {
  const { method, key, uri } = request;
  const { user, password } = compiler.run;
  const isFixed = Object.values(headers).every(
    (value) => typeof value === 'string' && typeof compiler.template(value) === 'string',
  );
  if (
    !isFixed ||
    compiler.moreHeaders ||
    mutableIn(operation).some((name) => typeof operation[name] === 'object' && operation[name] !== null)
  )
    return () => null;
  /** @type {Operation} */
  const untouched = { ...operation, headers, method, uri: null };
  const count = Object.keys(untouched).length;
  // Hooks see the credentials of the run; middleware writes those of the iteration when the request is sent, unless a
  // hook has set the field.
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
    const isHookAuthorization = !rules.hasCredentials && authorizationIn(options.headers) !== shown.authorization;
    return { request: { ...base, fields }, rules: isHookAuthorization ? withCredentials : null };
  };
}

/** @type {(fields: string[], from: Record<string, unknown>, to: Record<string, unknown>) => string[] | null} */
function overwritten(fields, from, to) {
  if (typeof to !== 'object' || to === null) return null;
  for (const name in from) if (!Object.hasOwn(to, name)) return null;
  let changed = fields;
  for (const name in to) {
    const value = to[name];
    if (value === from[name]) continue;
    const lower = name.toLowerCase();
    // Framing has to be checked with the body, and cookies are joined with those of the operation and the run.
    if (typeof value !== 'string' || refuseField(name, value) || isFramingField(lower) || lower === 'cookie')
      return null;
    const at = fieldAt(changed, lower);
    changed = at < 0 ? [...changed, name, value] : changed.with(at + 1, value);
  }
  return changed;
}

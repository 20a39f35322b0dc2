import { TLS_PROPERTIES } from '../http/tls-properties.js';
import { ORIGIN } from '../http/schemes.js';
import { splitUnixSocket } from '../http/url-parts.js';
import { anyText } from '../text/format-value.js';
import { maskText } from '../text/mask.js';
import { compileCredentials, hasCredentials } from './auth.js';
import { compileBody } from './bodies/index.js';
import { METHOD_KEYS, METHOD_OF } from './properties.js';
import { protocolOf } from './protocols/index.js';
import { signatureOf } from './readers.js';
import { closesConnection, compileFields, framedBody, isFramingField, refuseFraming } from './request-fields.js';
import { compileUrl } from './request-url.js';
import { compileRetry } from './retries.js';
import { renderTemplate } from './template.js';
import { Placeholder } from './placeholder.js';
import { TOKEN } from './tokens/index.js';

/** @import { BodyCost, Request } from '../contracts/request.js' */
/** @import { Operation, Scope } from '../contracts/step.js' */
/** @import { Complain } from '../ground/types.js' */
/** @import { Endpoint } from '../http/endpoint.js' */
/** @import { BodyTemplate } from './bodies/types.js' */
/** @import { Place, RequestInput } from './types.js' */

/** @typedef {ReturnType<typeof compileFields>} CompiledFields */

/**
 * Compiles the request of an operation: `render` makes that of an iteration. A URL may be known only then (`locate`).
 * It is foreign if a value of the run, such as a captured one, chose its origin: credentials of the run are not sent
 * there.
 * @param {Operation} operation
 * @param {RequestInput} input
 */
export function compileRequest(operation, input) {
  const { run, place, headers } = input;
  const { complain, refuse } = place;
  const { method, key, url } = methodAndUrl(operation);
  const context = { key, operation, tls: tlsOptions(operation, input), input };
  const { endpoint, path, route, uri, userinfo, locate } = compileUrl(url, context);
  const body = bodyOf(operation, input);
  const { content } = body;
  const runSecrets = { fields: runFieldsOf(operation, input), origins: run.origins };
  const { fields, fieldsOf } = fieldsWith(operation, input, { body, userinfo, isLocated: locate !== null });
  const isFramedByUser = Boolean(input.moreHeaders) || Object.keys(headers).some(isFramingField);
  const sign = signerOf(operation, place);
  const isConstant =
    sign === null && !locate && typeof path === 'string' && Array.isArray(fields) && typeof content !== 'function';
  if (isFramedByUser) checkFraming(fields, content, complain);

  /** @type {(scope: Scope) => Request} */
  const render = (scope) => {
    const to = locate
      ? locate(scope)
      : { endpoint: /** @type {Endpoint} */ (endpoint), path: renderTemplate(path, scope), isForeign: false };
    const request = {
      endpoint: to.endpoint,
      method,
      path: to.path,
      fields: fieldsOf(scope, to.isForeign),
      extra: null,
      body: typeof content === 'function' ? content(scope) : content,
      isForeign: to.isForeign,
    };
    // The signature has the hash of the body itself, not of its chunks.
    const signed = sign === null ? request : sign(request, scope);
    return isFramedByUser ? framed(signed, refuse) : signed;
  };
  return {
    method,
    key,
    url,
    uri,
    route: route === undefined ? undefined : { method, path: route },
    origin: endpoint?.socketPath === undefined ? endpoint?.origin : `unix:${endpoint.socketPath}`,
    proxy: endpoint?.proxy ?? null,
    version: endpoint?.version,
    render,
    isConstant,
    credentials: compileCredentials(operation.auth, userinfo, place),
    runSecrets,
    name: body.name,
    resend: body.resend,
    retry: compileRetry(operation, run.retries),
    bodyCost: costOf(body),
    closesConnection: closesConnection(operation, input),
  };
}

/** @type {(operation: Operation, place: Place) => ((request: Request, scope: Scope) => Request) | null} */
function signerOf(operation, place) {
  const signature = signatureOf(operation);
  return signature ? signature.compile(operation[signature.name], place) : null;
}

/** @type {(operation: Operation, input: RequestInput) => BodyTemplate} */
function bodyOf(operation, { run, headers, place: { mark, complain, refuse } }) {
  return compileBody(operation, {
    ...{ mark, complain, refuse, operation },
    maxBytes: run.maxBodyMemory,
    folder: run.folder,
    isJson: operation.json === true,
    givenType: contentTypeIn(headers),
  });
}

/**
 * Returns the header fields of an operation, and a function for those of one request, which follow from the body that a
 * function has returned, if there is one; a foreign origin does not get the credentials of the run.
 * @param {Operation} operation
 * @param {RequestInput} input
 * @param {{ body: BodyTemplate, userinfo: string | null, isLocated: boolean }} request isLocated: its origin may be
 *   foreign
 */
function fieldsWith(operation, input, { body, userinfo, isLocated }) {
  const own = fieldsByBody(operation, input, { body, userinfo });
  const foreign = isLocated ? fieldsByBody(operation, withoutRun(input), { body, userinfo }) : own;
  /** @type {(scope: Scope, isForeign: boolean) => string[]} */
  const fieldsOf = (scope, isForeign) => {
    const fields = (isForeign ? foreign : own).of(scope);
    return Array.isArray(fields) ? fields : fields(scope);
  };
  return { fields: own.fields, fieldsOf };
}

/**
 * Compiles the header fields with the body of the operation, without it, and with each type that a function gives it.
 * @param {Operation} operation
 * @param {RequestInput} input
 * @param {{ body: BodyTemplate, userinfo: string | null }} derived
 * @returns {{ fields: CompiledFields, of: (scope: Scope) => CompiledFields }}
 */
function fieldsByBody(operation, input, { body, userinfo }) {
  const { isGiven, typeOf } = body;
  const fields = compileFields(operation, input, { body, userinfo });
  if (!isGiven) return { fields, of: () => fields };
  // `json` also asks for JSON in the response, which a request without a body does not.
  const bare = compileFields({ ...operation, json: undefined }, input, { body: { contentType: null }, userinfo });
  /** @type {Map<string | null, CompiledFields>} */
  const byType = new Map([[body.contentType, fields]]);
  return {
    fields,
    of(scope) {
      if (!isGiven(scope)) return bare;
      const contentType = typeOf?.(scope) ?? null;
      const known = byType.get(contentType);
      if (known) return known;
      const typed = compileFields(operation, input, { body: { ...body, contentType }, userinfo });
      byType.set(contentType, typed);
      return typed;
    },
  };
}

/** @type {(fields: ReturnType<typeof compileFields>, content: BodyTemplate['content'], complain: Complain) => void} */
function checkFraming(fields, content, complain) {
  if (!Array.isArray(fields) || typeof content === 'function') return;
  const problem = refuseFraming(fields, content);
  if (problem) complain(problem.key, problem.reason);
}

/** They are in lower case. @type {(operation: Operation, input: RequestInput) => Set<string>} */
function runFieldsOf({ auth, cookies, jar }, { runFields, user, headers, cookies: runCookies = {} }) {
  const names = Object.keys(headers).map((name) => name.toLowerCase());
  const found = new Set(runFields.map((name) => name.toLowerCase()));
  if (user !== undefined && !hasCredentials(auth) && !names.includes('authorization')) found.add('authorization');
  const sendsCookies = Object.keys(runCookies).length > 0 && jar !== false;
  // A field with cookies of the operation counts as its own, also if those of the run are in it.
  if (cookies !== undefined) found.delete('cookie');
  else if (sendsCookies && !names.includes('cookie')) found.add('cookie');
  return found;
}

/** @type {(input: RequestInput) => RequestInput} */
function withoutRun(input) {
  const { headers, runFields, place } = input;
  return {
    ...input,
    user: undefined,
    password: undefined,
    cookies: undefined,
    headers: Object.fromEntries(Object.entries(headers).filter(([name]) => !runFields.includes(name))),
    place: { ...place, complain() {} },
  };
}

/** @type {(request: Request, refuse: Place['refuse']) => Request} */
function framed(request, refuse) {
  const problem = refuseFraming(request.fields, request.body);
  if (problem) refuse(problem.key, problem.reason);
  return { ...request, body: framedBody(request.fields, request.body) };
}

/** @type {(headers: Record<string, unknown>) => string | undefined} */
function contentTypeIn(headers) {
  const name = Object.keys(headers).findLast((one) => one.toLowerCase() === 'content-type');
  return name !== undefined && typeof headers[name] === 'string' ? headers[name] : undefined;
}

/** @type {(operation: Operation) => { method: string, key: string, url: string | Placeholder }} */
export function methodAndUrl(operation) {
  for (const key of Object.keys(METHOD_OF)) {
    if (operation[key] !== undefined) return { method: METHOD_OF[key], key, url: urlIn(operation[key]) };
  }
  const { urlKey } = protocolOf(operation);
  if (urlKey !== null) return { method: 'GET', key: urlKey, url: urlIn(operation[urlKey]) };
  const key = operation.uri === undefined ? 'url' : 'uri';
  return { method: anyText(operation.method ?? 'GET').toUpperCase(), key, url: urlIn(operation[key] ?? '') };
}

/** The value may be invalid, which is refused elsewhere. @type {(value: unknown) => string | Placeholder} */
function urlIn(value) {
  return value instanceof Placeholder ? value : anyText(value);
}

/** As ORIGIN, also with tokens: `http://#{args.host}:8000`. */
const WRITTEN_ORIGIN = new RegExp(`${ORIGIN.source}(?:${TOKEN.source}[^/?#]*)*`, 'i');

/** `GET /items`; `what` is its method or task. @type {(what: string, url: string | Placeholder) => string} */
export function stepName(what, url) {
  if (url instanceof Placeholder) return `${what} (function)`;
  const path = (splitUnixSocket(url)?.url ?? url).replace(WRITTEN_ORIGIN, '');
  return maskText(`${what} ${path || '/'}`);
}

/** Properties of operations that tls.connect gets. */
const TLS_KEYS = new Set([...Object.keys(TLS_PROPERTIES), 'rejectUnauthorized']);

/** @type {(operation: Operation, input: RequestInput) => Record<string, unknown>} */
function tlsOptions(operation, { run, place }) {
  /** @type {Record<string, unknown>} */
  const given = {};
  for (const key of Object.keys(operation)) {
    if (TLS_KEYS.has(key) && operation[key] !== undefined) given[key] = operation[key];
  }
  if (operation.strictSSL !== undefined && given.rejectUnauthorized === undefined)
    given.rejectUnauthorized = operation.strictSSL;
  return run.tlsOf(given, place.complain);
}

/** @type {(body: BodyTemplate) => BodyCost} */
function costOf({ content, copied = 0 }) {
  const isShared = typeof content !== 'function';
  return { isShared, held: isShared ? (content?.length ?? 0) : copied, copied };
}

/**
 * Names an operation in results, with secrets masked: its `name`, or method and path, `GET /items/#{INDEX}`, with the
 * origin of its URL if `hasOrigin`; empty if these are no texts, which is refused elsewhere.
 * @type {(operation: Operation, options?: { hasOrigin?: boolean }) => string}
 */
export function nameOf(operation, { hasOrigin = false } = {}) {
  if (typeof operation.name === 'string') return maskText(operation.name);
  const own = protocolOf(operation).nameOf?.(operation);
  if (own !== undefined) return maskText(own);
  if (!METHOD_KEYS.every((key) => isText(operation[key]) || isFunctionOfUrl(operation, key))) return '';
  const { method, key, url } = methodAndUrl(operation);
  if (url instanceof Placeholder || isFunctionOfUrl(operation, key)) return `${method} (function)`;
  return hasOrigin ? maskText(`${method} ${url}`) : stepName(method, url);
}

/** @type {(operation: Operation, key: string) => boolean} */
function isFunctionOfUrl(operation, key) {
  return key !== 'method' && typeof operation[key] === 'function';
}

/** @type {(value: unknown) => boolean} */
function isText(value) {
  return value === undefined || typeof value === 'string' || value instanceof URL;
}

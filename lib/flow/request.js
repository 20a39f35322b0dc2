import { maskText } from '../text/mask.js';
import { compileBody } from './bodies/compile-body.js';
import { compileCredentials } from './credentials.js';
import { TLS_PROPERTIES } from '../tls-properties.js';
import { METHOD_OF } from './properties.js';
import { closesConnection, compileFields } from './request-fields.js';
import { compileUrl } from './request-url.js';
import { ValueSlot } from './value-slot.js';
import { renderTemplate } from './template.js';
import { splitUnixSocket } from './unix-socket.js';

/**
 * @import { Complain } from '../problems.js'
 * @import { BodyTemplate } from './bodies/types.js'
 * @import { Endpoint, EndpointOf } from '../endpoint.js'
 * @import { ValuePlace } from './written-value.js'
 * @import { BodyCost, Operation, Request, Scope } from './types.js'
 *
 * @typedef {object} RequestContext what an operation is compiled with
 * @property {string} where path of the operation: `flow.main[0]`
 * @property {string | undefined} baseUrl
 * @property {Record<string, unknown>} headers those of the operation among the defaults
 * @property {ValueSlot | null} [moreHeaders] those that a function returns for each request
 * @property {number} [maxBodyMemory] bytes: no file of a body is larger
 * @property {string} [folder] of relative paths of files; default: the working directory
 * @property {string} [user]
 * @property {string} [password]
 * @property {Record<string, string>} [cookies] of the run
 * @property {string} [socketPath] default of the run
 * @property {boolean} [keepAlive] default of the run
 * @property {ReturnType<typeof import('./tls.js').createTlsReader>} tlsOf merges TLS options with those of the run
 * @property {EndpointOf} endpointOf
 * @property {(text: string, key: string, place?: ValuePlace) => string} mark replaces tokens by marks
 * @property {Complain} complain
 * @property {(text: string) => void} [notice] reports what is valid and unlikely to be meant
 * @property {(key: string, reason: string) => never} refuse the same for one request, during the run
 *
 * @typedef {ReturnType<typeof compileRequest>} CompiledRequest
 */

/**
 * Compiles the request of an operation.
 *
 * @param {Operation} operation
 * @param {RequestContext} context
 */
export function compileRequest(operation, context) {
  const { mark, complain } = context;
  const { method, key, url } = methodAndUrl(operation);
  const { endpoint, path, uri, userinfo, locate } = compileUrl(
    url,
    key,
    operation,
    tlsOptions(operation, context),
    context,
  );
  const body = compileBody(operation, {
    mark,
    complain,
    refuse: context.refuse,
    maxBytes: context.maxBodyMemory,
    folder: context.folder,
    isJson: operation.json === true,
    givenType: contentTypeIn(context.headers),
  });
  const fields = compileFields(operation, context, { body, userinfo });
  const { content } = body;

  /** @type {(scope: Scope) => Request} */
  const render = (scope) => {
    const to = locate
      ? locate(scope)
      : { endpoint: /** @type {Endpoint} */ (endpoint), path: renderTemplate(path, scope) };
    return {
      endpoint: to.endpoint,
      method,
      path: to.path,
      fields: Array.isArray(fields) ? fields : fields(scope),
      extra: null,
      body: typeof content === 'function' ? content(scope) : content,
    };
  };
  return {
    method,
    key,
    url,
    uri,
    origin: endpoint?.socketPath === undefined ? endpoint?.origin : `unix:${endpoint.socketPath}`,
    proxy: endpoint?.proxy ?? null,
    render,
    isConstant: !locate && typeof path === 'string' && Array.isArray(fields) && typeof content !== 'function',
    credentials: compileCredentials(operation.auth, userinfo, context),
    bodyCost: costOf(body),
    closesConnection: closesConnection(operation, context),
  };
}

/** @type {(headers: Record<string, unknown>) => string | undefined} */
function contentTypeIn(headers) {
  const name = Object.keys(headers).find((one) => one.toLowerCase() === 'content-type');
  return name !== undefined && typeof headers[name] === 'string' ? headers[name] : undefined;
}

/**
 * The method of an operation, its URL as the user wrote it, and the property that holds the URL.
 *
 * @param {Operation} operation
 * @returns {{ method: string, key: string, url: string | ValueSlot }}
 */
export function methodAndUrl(operation) {
  for (const key of Object.keys(METHOD_OF)) {
    if (operation[key] !== undefined) return { method: METHOD_OF[key], key, url: urlIn(operation[key]) };
  }
  if (operation.ws !== undefined) return { method: 'GET', key: 'ws', url: urlIn(operation.ws) };
  const key = operation.uri === undefined ? 'url' : 'uri';
  return { method: String(operation.method ?? 'GET').toUpperCase(), key, url: urlIn(operation[key] ?? '') };
}

/** @type {(value: unknown) => string | ValueSlot} */
function urlIn(value) {
  return value instanceof ValueSlot ? value : String(value);
}

/**
 * The name of an operation that has none of its own: `GET /items`, without the origin.
 *
 * @param {string} what it does
 * @param {string | ValueSlot} url as the user wrote it
 * @returns {string}
 */
export function stepName(what, url) {
  if (url instanceof ValueSlot) return `${what} (function)`;
  const path = (splitUnixSocket(url)?.url ?? url).replace(/^(https?|wss?):\/\/[^/?#]*/, '');
  return maskText(`${what} ${path || '/'}`);
}

const TLS_OPTIONS = new Set([...Object.keys(TLS_PROPERTIES), 'rejectUnauthorized']);

/** @type {(operation: Operation, context: RequestContext) => Record<string, unknown>} */
function tlsOptions(operation, { tlsOf, complain }) {
  /** @type {Record<string, unknown>} */
  const given = {};
  for (const key of Object.keys(operation)) {
    if (TLS_OPTIONS.has(key) && operation[key] !== undefined) given[key] = operation[key];
  }
  if (operation.strictSSL !== undefined && given.rejectUnauthorized === undefined)
    given.rejectUnauthorized = operation.strictSSL;
  return tlsOf(given, complain);
}

/** @type {(body: BodyTemplate) => BodyCost} */
function costOf({ content, copied = 0 }) {
  const isShared = typeof content !== 'function';
  return { isShared, held: isShared ? (content?.length ?? 0) : copied, copied };
}

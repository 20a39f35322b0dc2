import { makeError } from '../ground/errors.js';
import { pathOf } from '../http/endpoint.js';
import { withoutIdentity } from '../http/tls-properties.js';
import { formatValue } from '../text/format-value.js';
import { compileTemplate, hasMarks, renderTemplate, unmark } from './template.js';

/** @import { Operation, Scope } from '../contracts/step.js' */
/** @import { Endpoint, Way } from '../http/endpoint.js' */
/** @import { CompiledUrl, RequestInput, Template } from './types.js' */

/** @typedef {string | ((scope: Scope) => string)} Query text, or what a function returns */

/**
 * @typedef {object} AddressParts
 * @property {string} key the property of the operation
 * @property {Query} query of `qs`
 * @property {Record<string, unknown>} tls
 * @property {Way} way
 */

/**
 * Compiles where a request goes, its endpoint and its path, from a URL with marks for tokens. Credentials of the run go
 * to no endpoint that only a value of the run names.
 * @type {(url: URL, parts: AddressParts, operation: Operation, input: RequestInput) => Pick<CompiledUrl, 'endpoint' |
 *   'path' | 'route' | 'locate'>}
 */
export function compileAddress(url, { key, query, tls, way }, operation, input) {
  const { where, complain, isComputed } = input.place;
  /** @type {(at: URL) => Endpoint} */
  const endpointAt = (at) => input.run.endpointOf(at, tls, way);
  const route = unmark(pathOf(url));
  if (hasMarks(url.host)) return { route, ...changingAddress(url, { key, query, endpointAt }, operation, input) };
  const path = safePath(withQuery(compileTemplate(pathOf(url)), query), `${where}.${key}`);
  const find = () => endpointAt(url);
  // An error of a computed URL belongs to its request, whose reports know its code.
  const endpoint = isComputed ? find() : allowed(find, (reason) => complain(key, reason));
  return { path, route, ...(endpoint ? fixedAddress(endpoint, path, operation, input) : { endpoint, locate: null }) };
}

/**
 * Compiles a URL without tokens in its host: it is a text of the flow, which names its origin, or the value that a
 * computed URL has for one request (`isForeign` is there).
 * @type {(endpoint: Endpoint, path: Template, operation: Operation, input: RequestInput) => Pick<CompiledUrl,
 *   'endpoint' | 'locate'>}
 */
function fixedAddress(endpoint, path, operation, input) {
  const { isForeign } = input.place;
  if (!isForeign) input.run.origins.add(endpoint);
  if (!isForeign?.(endpoint)) return { endpoint, locate: null };
  const foreign = foreignOf(endpoint, operation, input);
  return {
    endpoint: foreign,
    locate: (scope) => ({ endpoint: foreign, path: renderTemplate(path, scope), isForeign: true }),
  };
}

/**
 * Compiles a URL with tokens in its host.
 * @type {(url: URL, parts: Pick<AddressParts, 'key' | 'query'> & { endpointAt: (at: URL) => Endpoint }, operation:
 *   Operation, input: RequestInput) => Pick<CompiledUrl, 'endpoint' | 'path' | 'locate'>}
 */
function changingAddress(url, { key, query, endpointAt }, operation, input) {
  const { origins } = input.run;
  // A value in front of @ can end the authority before the host.
  const source = input.place.sourceOf(url.username + url.password + url.host);
  url.hash = '';
  const whole = withQuery(compileTemplate(url.href), query);
  return {
    endpoint: undefined,
    path: '/',
    locate: (scope) => {
      const at = parsed(renderTemplate(whole, scope), (reason) => input.place.refuse(key, reason));
      const endpoint = endpointAt(at);
      const path = pathOf(at);
      if (!origins.isForeign(endpoint, source, scope)) return { endpoint, path, isForeign: false };
      return { endpoint: foreignOf(endpoint, operation, input), path, isForeign: true };
    },
  };
}

/** @type {(address: string, refuse: (reason: string) => never) => URL} */
function parsed(address, refuse) {
  try {
    return new URL(address);
  } catch {
    // Faster than URL.canParse() before each URL.
    return refuse(`${formatValue(address)} is not a valid URL: a token in its host has a value that no host can have`);
  }
}

/**
 * Returns the endpoint if it is allowed: an agent may limit where flows send, and a run the family of addresses.
 * @type {(find: () => Endpoint, complain: (reason: string) => void) => Endpoint | undefined}
 */
function allowed(find, complain) {
  try {
    return find();
  } catch (error) {
    const { code, message } = /** @type {NodeJS.ErrnoException} */ (error);
    if (!REFUSALS.includes(code ?? '')) throw error;
    complain(message);
    return undefined;
  }
}

const REFUSALS = ['E_TARGET_REFUSED', 'E_FAMILY'];

/**
 * Returns the endpoint without the client certificate of the run; an operation may have its own.
 * @type {(endpoint: Endpoint, operation: Operation, input: RequestInput) => Endpoint}
 */
function foreignOf(endpoint, { cert, key, pfx }, { run }) {
  if ((cert ?? key ?? pfx) !== undefined) return endpoint;
  return run.endpointOf(new URL(endpoint.origin), withoutIdentity(endpoint.tls), endpoint.way);
}

/** Adds the query that a function returns to that of a URL. @type {(url: Template, query: Query) => Template} */
function withQuery(url, query) {
  return typeof query === 'string' ? url : (scope) => joined(renderTemplate(url, scope), query(scope));
}

/** Refuses a path whose tokens insert what would end the line. @type {(path: Template, place: string) => Template} */
function safePath(path, place) {
  if (typeof path === 'string') return path;
  return (scope) => {
    const rendered = path(scope);
    if (/[^\u0021-\u007e]/.test(rendered))
      throw makeError('E_REQUEST_FIELD', {
        place,
        reason: 'has a space, a control or a character beyond ASCII: percent-encode it',
      });
    return rendered;
  };
}

/**
 * Joins two queries: values of `qs` replace those of the same name in the URL, as in the request library.
 * @type {(path: string, query: string) => string}
 */
export function joined(path, query) {
  const at = path.indexOf('?');
  if (!query || at === -1) return query ? `${path}?${query}` : path;
  const names = new Set(query.split('&').map(nameOf));
  const kept = path
    .slice(at + 1)
    .split('&')
    .filter((pair) => pair !== '' && !names.has(nameOf(pair)));
  return `${path.slice(0, at)}?${[...kept, query].join('&')}`;
}

/** Returns the name of a pair, without brackets: `a` of `a%5Bb%5D=c`. @type {(pair: string) => string} */
function nameOf(pair) {
  return pair.split(/[=[]|%5B/i, 1)[0];
}

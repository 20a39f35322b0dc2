import { makeError } from '../ground/errors.js';
import { pathOf } from '../http/endpoint.js';
import { withoutIdentity } from '../http/tls-properties.js';
import { formatValue } from '../text/format-value.js';
import { compileTemplate, hasMarks, renderTemplate, unmark } from './template.js';

/** @import { Scope } from '../contracts/step.js' */
/** @import { Endpoint, Way } from '../http/endpoint.js' */
/** @import { CompiledUrl, Template, UrlContext } from './types.js' */

/** @typedef {Omit<CompiledUrl, 'uri' | 'userinfo'>} RequestAddress where the requests of a URL go */

/** @typedef {string | ((scope: Scope) => string)} Query of `qs`: text, or what a function returns */

/**
 * Compiles where a request goes, its endpoint and its path, from a URL with marks for tokens. Credentials of the run go
 * to no endpoint that only a value of the run names. `port`: marks of one that has tokens, which the URL lacks;
 * `isBare`: no path is written, and a value after the host may be one.
 * @type {(url: URL, parts: { query: Query, way: Way, port: string, isBare: boolean }, context: UrlContext) =>
 *   RequestAddress}
 */
export function compileAddress(url, { query, way, port, isBare }, context) {
  const { key, tls, input } = context;
  const { where, complain, isComputed } = input.place;
  /** @type {(at: URL) => Endpoint} */
  const endpointAt = (at) => input.run.endpointOf(at, tls, way);
  const route = unmark(pathOf(url));
  if (hasMarks(url.host + port))
    return { route, ...changingAddress(url, { query, port, isBare }, endpointAt, context) };
  const path = safePath(withQuery(compileTemplate(pathOf(url)), query), `${where}.${key}`);
  const find = () => endpointAt(url);
  // An error of a computed URL belongs to its request, whose reports know its code.
  const endpoint = isComputed ? find() : allowed(find, (reason) => complain(key, reason));
  return { path, route, ...(endpoint ? fixedAddress(endpoint, path, context) : { endpoint, locate: null }) };
}

/** @type {(endpoint: Endpoint, path: Template, context: UrlContext) => Pick<CompiledUrl, 'endpoint' | 'locate'>} */
function fixedAddress(endpoint, path, context) {
  const { run, place } = context.input;
  if (!place.isForeign) run.origins.add(endpoint);
  if (!place.isForeign?.(endpoint)) return { endpoint, locate: null };
  const foreign = foreignOf(endpoint, context);
  return {
    endpoint: foreign,
    locate: (scope) => ({ endpoint: foreign, path: renderTemplate(path, scope), isForeign: true }),
  };
}

/**
 * Compiles a URL with tokens in its host or port.
 * @type {(url: URL, parts: { query: Query, port: string, isBare: boolean }, endpointAt: (at: URL) => Endpoint,
 *   context: UrlContext) => RequestAddress}
 */
function changingAddress(url, { query, port, isBare }, endpointAt, context) {
  const { run, place } = context.input;
  // A value in front of @ can end the authority before the host.
  const source = place.sourceOf(url.username + url.password + url.host + port);
  url.hash = '';
  const href = withPort(url, port);
  const whole = withQuery(compileTemplate(isBare ? href.replace(BARE_PATH, '') : href), query);
  return {
    endpoint: undefined,
    path: '/',
    locate: (scope) => {
      const at = parsed(renderTemplate(whole, scope), (reason) => place.refuse(context.key, reason));
      const endpoint = endpointAt(at);
      const path = pathOf(at);
      if (!run.origins.isForeign(endpoint, source, scope)) return { endpoint, path, isForeign: false };
      return { endpoint: foreignOf(endpoint, context), path, isForeign: true };
    },
  };
}

/** The path that the parser writes after a host. */
const BARE_PATH = /(?<=^[^:]*:\/\/[^/?]*)\/(?=\?|$)/;

/** Writes a URL with the port that it lacks; empty: its own. @type {(url: URL, port: string) => string} */
export function withPort({ href, protocol }, port) {
  const end = href.indexOf('/', protocol.length + '//'.length);
  return port === '' ? href : `${href.slice(0, end)}:${port}${href.slice(end)}`;
}

/** @type {(address: string, refuse: (reason: string) => never) => URL} */
function parsed(address, refuse) {
  try {
    return new URL(address);
  } catch {
    // Faster than URL.canParse() before each URL.
    return refuse(
      `${formatValue(address)} is not a valid URL: a token in its host or port has a value that cannot be there`,
    );
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

/** The client certificate of the run is left out. @type {(endpoint: Endpoint, context: UrlContext) => Endpoint} */
function foreignOf(endpoint, { operation: { cert, key, pfx }, input }) {
  if ((cert ?? key ?? pfx) !== undefined) return endpoint;
  return input.run.endpointOf(new URL(endpoint.origin), withoutIdentity(endpoint.tls), endpoint.way);
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

/** Values of `qs` replace those of the same name. @type {(path: string, query: string) => string} */
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

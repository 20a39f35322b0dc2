import { makeError } from '../errors.js';
import { nearest } from '../problems.js';
import { parseProxy } from '../proxy.js';
import { formatValue } from '../text/format-value.js';
import { droppedPath } from './dropped-path.js';
import { encodePairs } from './encode-pairs.js';
import { isNoProxy } from './proxy-property.js';
import { ValueSlot } from './value-slot.js';
import { asText, compileTemplate, compileWholeValue, hasMarks, isToken, renderTemplate, unmark } from './template.js';
import { splitUnixSocket } from './unix-socket.js';

/**
 * @import { Endpoint, Way } from '../endpoint.js'
 * @import { RequestContext } from './request.js'
 * @import { Template } from './template.js'
 * @import { Operation, Scope } from './types.js'
 *
 * @typedef {object} CompiledUrl
 * @property {Endpoint | undefined} endpoint undefined if a token is in the host, or the URL is invalid
 * @property {Template} path path and query
 * @property {Template} uri what hooks see as `uri`: without the query of `qs`, which they see as well
 * @property {string | null} userinfo decoded `user:password` of the URL
 * @property {((scope: Scope) => { endpoint: Endpoint, path: string }) | null} locate finds both if a token is in the host
 */

/**
 * Compiles the URL of an operation to an endpoint and a path. It is parsed once, with marks for tokens, unless a token is
 * in its host.
 *
 * @param {string | ValueSlot} given as the user wrote it; one token alone is a whole URL, which its value names
 * @param {string} key its property of the operation
 * @param {Operation} operation
 * @param {Record<string, unknown>} tls
 * @param {RequestContext} context
 * @returns {CompiledUrl}
 */
export function compileUrl(given, key, operation, tls, context) {
  if (given instanceof ValueSlot) return computedUrl(valueOf(given), key, operation, tls, context);
  const read = tokenValue(given, key, context);
  if (read) return computedUrl(read, key, operation, tls, context);
  const { qs, socketPath: ownSocket } = operation;
  const { where, endpointOf, mark, complain } = context;
  const marked = plainAuthority(mark(given, key, 'address'));
  const { absoluteUrl, base, isRelative, socketPath } = resolveSocket(marked, ownSocket, context);
  const url = parseUrl(absoluteUrl, base, {
    isWebSocket: key === 'ws' && absoluteUrl === marked,
    complain: (reason) => complain(key, reason),
  });
  if (!url) return { endpoint: undefined, path: '/', uri: '', userinfo: null, locate: null };
  // a base URL serves both
  url.protocol = url.protocol.replace(/^(http|ws)/, key === 'ws' ? 'ws' : 'http');
  const way = wayOf(operation, { socketPath, protocol: url.protocol }, complain);
  const dropped = isRelative && base !== undefined ? droppedPath(unmark(marked), url, new URL(base)) : null;
  if (dropped !== null) context.notice?.(`${where}.${key}: ${dropped}`);
  const own = isRelative ? absolute(url, socketPath) : marked;
  const query = queryOf(qs, mark);
  if (typeof query === 'string') addQuery(url, query);
  const common = {
    uri: compileTemplate(own),
    userinfo: userinfoOf(url, () =>
      complain(key, 'has a user or password that is not percent-encoded as it should be'),
    ),
  };
  if (!hasMarks(url.host)) {
    const path = safePath(withQuery(compileTemplate(url.pathname + url.search), query), `${where}.${key}`);
    return { ...common, endpoint: endpointOf(url, tls, way), path, locate: null };
  }
  url.hash = '';
  const whole = withQuery(compileTemplate(url.href), query);
  return {
    ...common,
    endpoint: undefined,
    path: '/',
    locate: (scope) => {
      const at = new URL(renderTemplate(whole, scope));
      return { endpoint: endpointOf(at, tls, way), path: at.pathname + at.search };
    },
  };
}

/** base of a relative URL that is sent to a unix socket */
const LOCAL = 'http://localhost';

/** @type {(marked: string, ownSocket: string | undefined, run: Pick<RequestContext, 'baseUrl' | 'socketPath'>) => { absoluteUrl: string, base: string | undefined, isRelative: boolean, socketPath: string | undefined }} */
function resolveSocket(marked, ownSocket, run) {
  const isRelative = !/^[a-z][a-z+.-]*:/i.test(marked);
  const socket = splitUnixSocket(isRelative ? (run.baseUrl ?? '') : marked);
  const socketPath = ownSocket ?? socket?.socketPath ?? run.socketPath;
  const local = socketPath === undefined ? undefined : LOCAL;
  return {
    absoluteUrl: !isRelative && socket ? socket.url : marked,
    base: isRelative && socket ? socket.url : (run.baseUrl ?? local),
    isRelative,
    socketPath,
  };
}

/**
 * @param {Operation} operation
 * @param {{ socketPath: string | undefined, protocol: string }} to
 * @param {RequestContext['complain']} complain
 * @returns {Way}
 */
function wayOf({ localAddress, proxy, tunnel }, { socketPath, protocol }, complain) {
  const own = proxy === undefined ? undefined : isNoProxy(proxy) ? null : parseProxy(proxy);
  if (socketPath !== undefined) {
    const useless = 'has no effect on a unix socket: remove it';
    if (localAddress !== undefined) complain('localAddress', useless);
    if (own) complain('proxy', useless);
  }
  if (tunnel === false && protocol === 'https:')
    complain(
      'tunnel',
      'an https: URL is always reached through a tunnel, so that its certificate is verified: remove it',
    );
  return { socketPath, localAddress, proxy: own, tunnel };
}

/** Values in the host of a URL, its user and its password are written as they are. @type {(marked: string) => string} */
function plainAuthority(marked) {
  return hasMarks(marked) ? marked.replace(/^[a-z][a-z+.-]*:\/\/[^/?#]*/i, asText) : marked;
}

/** @type {(slot: ValueSlot) => (scope: Scope) => unknown} */
function valueOf({ at }) {
  return ({ values }) => /** @type {unknown[]} */ (values)[at];
}

/** The value of a URL that is one token; null if it is more, or a text such as INDEX. @type {(given: string, key: string, context: RequestContext) => ((scope: Scope) => unknown) | null} */
function tokenValue(given, key, { mark, refuse }) {
  if (key === 'ws' || !isToken(given)) return null;
  const read = compileWholeValue(mark(given, key, 'value'));
  return (
    read &&
    ((scope) => {
      const url = read(scope);
      return typeof url === 'string' && url !== '' ? url : refuse(key, `${given} is ${formatValue(url)}, not a URL`);
    })
  );
}

/**
 * The URL that a function returns for each request, or that a token has as value, which is compiled then.
 *
 * @type {(read: (scope: Scope) => unknown, key: string, operation: Operation, tls: Record<string, unknown>, context: RequestContext) => CompiledUrl}
 */
function computedUrl(read, key, { qs, ...operation }, tls, context) {
  const each = { ...context, mark: (/** @type {string} */ text) => text, complain: context.refuse, notice: undefined };
  const marked = queryOf(qs, context.mark);
  const query = typeof marked === 'string' ? compileTemplate(marked) : marked;
  const root = rootOf(operation, tls, context);
  /** @type {(scope: Scope) => Pick<CompiledUrl, 'endpoint' | 'path' | 'uri'>} */
  const compiled = (scope) => {
    const given = String(read(scope));
    if (root && PLAIN_PATH.test(given)) return { endpoint: root.endpoint, path: given, uri: root.uri + given };
    const url = compileUrl(given, key, operation, tls, each);
    return url.userinfo === null ? url : context.refuse(key, 'has a user or a password: write it in auth');
  };
  return {
    endpoint: undefined,
    path: '/',
    uri: (scope) => renderTemplate(compiled(scope).uri, scope),
    userinfo: null,
    locate(scope) {
      const { endpoint, path } = compiled(scope);
      const own = renderTemplate(path, scope);
      return { endpoint: /** @type {Endpoint} */ (endpoint), path: joined(own, renderTemplate(query, scope)) };
    },
  };
}

/** A path that the URL parser would not change: 0.1 us instead of 5 (bench/micro/flow/values.js). */
const PLAIN_PATH = /^(?=\/(?!\/))(?:(?!\/(?:\.|%2e))[\w~!$&()*+,;=:@%/.?-])+$/i;

/**
 * The URL that paths are resolved against, without the slash that they begin with.
 *
 * @type {(operation: Operation, tls: Record<string, unknown>, context: RequestContext) => { endpoint: Endpoint, uri: string } | null}
 */
function rootOf(operation, tls, context) {
  if (context.baseUrl === undefined) return null;
  // a problem of the base URL is reported by itself
  const { endpoint, path, uri } = compileUrl('/', 'url', operation, tls, { ...context, complain() {} });
  return endpoint && path === '/' && typeof uri === 'string' ? { endpoint, uri: uri.slice(0, -1) } : null;
}

/** The query of `qs`: marked text, or a function if a function of the flow returns it. @type {(qs: Operation['qs'], mark: RequestContext['mark']) => string | ((scope: Scope) => string)} */
function queryOf(qs, mark) {
  if (!qs) return '';
  if (!(qs instanceof ValueSlot)) return encodePairs(qs, 'qs', mark);
  return ({ values }) => encodePairs(/** @type {any} */ (values)[qs.at], 'qs', (text) => text);
}

/** A URL with the query that a function returns; another one is in it. @type {(url: Template, query: string | ((scope: Scope) => string)) => Template} */
function withQuery(url, query) {
  return typeof query === 'string' ? url : (scope) => joined(renderTemplate(url, scope), query(scope));
}

/** @type {(path: string, query: string) => string} */
function joined(path, query) {
  return query ? `${path}${path.includes('?') ? '&' : '?'}${query}` : path;
}

/** @type {(url: URL, socketPath: string | undefined) => string} */
function absolute({ href, origin }, socketPath) {
  return socketPath === undefined ? href : `unix:${socketPath}:${href.slice(origin.length)}`;
}

/** @type {(url: URL, query: string) => void} */
function addQuery(url, query) {
  if (query) url.search = url.search ? `${url.search}&${query}` : query;
}

/** @type {(url: URL, complain: () => void) => string | null} */
function userinfoOf({ username, password }, complain) {
  if (!username && !password) return null;
  try {
    return `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  } catch {
    // the one reason is a % without two hexadecimal digits
    complain();
    return null;
  }
}

/** A path whose tokens put nothing into it that would end the line. @type {(path: Template, place: string) => Template} */
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
 * @param {string} marked
 * @param {string | undefined} baseUrl
 * @param {{ isWebSocket: boolean, complain: (reason: string) => void }} context
 * @returns {URL | null}
 */
function parseUrl(marked, baseUrl, { isWebSocket, complain }) {
  const given = formatValue(unmark(marked));
  const refusal = refuseUrl(marked, baseUrl, isWebSocket);
  if (refusal) {
    complain(`${given} ${refusal}`);
    return null;
  }
  try {
    const url = new URL(marked, baseUrl);
    if (url.port !== '0') return url;
    complain(`${given} has port 0, at which nothing listens`);
  } catch {
    // URL says only 'Invalid URL'
    complain(`${given} is not a valid URL`);
  }
  return null;
}

/** The part of a URL that the parser would read as something else than was meant. @type {(marked: string, baseUrl: string | undefined, isWebSocket: boolean) => string | null} */
function refuseUrl(marked, baseUrl, isWebSocket) {
  // WHATWG URL drops tab, CR and LF, trims the rest, and reads \ as /: refused instead of sent elsewhere than was written.
  if (/[\u0000-\u0020\u007f\\]/.test(marked)) return 'has a space, backslash or control character: percent-encode it';
  if ((isWebSocket ? /^wss?:\/\/[^/]/i : /^https?:\/\/[^/]/i).test(marked)) return null;
  const given = unmark(marked);
  if (HOST.test(given)) return `has no scheme, did you mean ${isWebSocket ? 'ws' : 'http'}://${given}?`;
  const scheme = /^([a-z][a-z\d+.-]*):/i.exec(marked)?.[1].toLowerCase();
  if (scheme && isWebSocket) return `is not a ws:// or wss:// URL${similarScheme(scheme, ['ws', 'wss'])}`;
  if (/^wss?$/.test(scheme ?? '')) return `is the URL of a WebSocket: write { ws: ${formatValue(given)} }`;
  if (scheme) return `is not an http:// or https:// URL${similarScheme(scheme, ['http', 'https'])}`;
  if (given === '' || given.startsWith('//')) return 'is not a URL';
  return baseUrl ? null : 'is relative: set baseUrl in the flow, in runOptions or with --base-url';
}

/** a host without its scheme */
export const HOST = /^(?:localhost|[\w-]+(?:\.[\w-]+)+|\[[\da-f:]+\])(?::\d+)?(?:\/|$)/i;

/** @type {(scheme: string, schemes: string[]) => string} */
function similarScheme(scheme, schemes) {
  const near = schemes.includes(scheme) ? undefined : nearest(scheme, schemes);
  return near ? `, did you mean ${near}:?` : '';
}

import { nearest } from '../ground/problems.js';
import { parseProxy } from '../http/proxy.js';
import { HIGHEST_PORT } from '../ground/units.js';
import { HAS_SCHEME, SCHEMES, URLS, isUrlOf } from '../http/schemes.js';
import { BAD_USERINFO, splitUnixSocket, userinfoOf } from '../http/url-parts.js';
import { OTHER_VERSION } from '../http/versions.js';
import { formatValue } from '../text/format-value.js';
import { encodePairs } from './bodies/form.js';
import { isNoProxy } from './properties.js';
import { OWN_URL_KEYS, PROTOCOLS, protocolOfUrlKey } from './protocols/index.js';
import { compileAddress, joined, withPort } from './request-address.js';
import {
  asText,
  compileTemplate,
  compileWholeValue,
  hasMarks,
  isToken,
  leftToken,
  renderTemplate,
  unmark,
} from './template.js';
import { Placeholder } from './placeholder.js';

/** @import { Request } from '../contracts/request.js' */
/** @import { Operation, Scope } from '../contracts/step.js' */
/** @import { Endpoint, Way } from '../http/endpoint.js' */
/** @import { CompiledUrl, Place, RequestInput, RunDefaults, UrlContext, ValueSource } from './types.js' */

/** @typedef {Pick<Request, 'endpoint' | 'path' | 'isForeign'>} Located */

/**
 * @typedef {{ value: (scope: Scope) => unknown, source: ValueSource }} ComputedValue the value of a URL that is
 *   computed for each request
 */

/**
 * Compiles the URL of an operation to an endpoint and a path. One that a function returns, or that is one token alone,
 * is compiled when its value is known.
 * @type {(given: string | Placeholder, context: UrlContext) => CompiledUrl}
 */
export function compileUrl(given, context) {
  if (given instanceof Placeholder) return computedUrl({ value: given.reader(), source: 'code' }, context);
  const token = tokenValue(given, context.key, context.input.place);
  return token ? computedUrl(token, context) : writtenUrl(given, context);
}

/** Parsed once, with marks for tokens. @type {(given: string, context: UrlContext) => CompiledUrl} */
function writtenUrl(given, context) {
  const { key, operation, input } = context;
  const { run, place } = input;
  const marked = plainAuthority(cleanUrl(place.mark(given, key, 'address')));
  const target = resolveSocket(marked, operation.socketPath, run);
  if (operation.socketPath === undefined) refuseSocket(target.ownSocket, marked, key, input);
  const { url, port, problem } = parseUrl(target, protocolOfUrlKey(key).scheme, place);
  return url === null ? unknownUrl(marked, { key, problem }, place) : knownUrl({ url, port, marked, target }, context);
}

/**
 * @type {(parsed: { url: URL, port: string, marked: string, target: UrlTarget }, context: UrlContext) => CompiledUrl}
 */
function knownUrl({ url, port, marked, target: { base, isRelative, socketPath } }, context) {
  const { key, operation, input } = context;
  const { where, mark, complain, notice } = input.place;
  const way = wayOf(operation, { socketPath, protocol: url.protocol, run: input.run }, complain);
  const dropped = isRelative && base !== undefined ? droppedPath(unmark(marked), url, new URL(base)) : null;
  if (dropped !== null) notice?.(`${where}.${key}: ${dropped}`);
  // Before the query of `qs` is added: hooks get that beside it.
  const uri = compileTemplate(isRelative ? absolute(url, port, socketPath) : marked);
  const query = queryOf(operation.qs, mark);
  if (typeof query === 'string' && query !== '') url.search = joined(url.search, query);
  const userinfo = userinfoOf(url);
  if (userinfo === undefined) complain(key, BAD_USERINFO);
  // The parser writes a path where the text has none: a value at the end of the host may be one.
  const isBare = !isRelative && /^[^:]*:\/\/[^/?#]*(?:\?|$)/.test(marked);
  return { uri, userinfo: userinfo ?? null, ...compileAddress(url, { query, way, port, isBare }, context) };
}

/**
 * A request to a socket can start programs, as with that of a container engine: the text of the flow or of the command
 * chooses it, not a value of the run.
 * @type {(ownSocket: string | undefined, marked: string, key: string, input: RequestInput) => void}
 */
function refuseSocket(ownSocket, marked, key, { run, place: { isForeign, complain } }) {
  if (ownSocket === undefined) return;
  if (hasMarks(ownSocket)) complain(key, 'has a token in the path of a unix socket: write the path as it is');
  else if (isForeign && !run.origins.hasSocket(ownSocket))
    complain(key, `${formatValue(marked)} leads to a unix socket that the flow does not name: write it in socketPath`);
}

/**
 * Refuses a URL that is invalid. A before-hook may set another one, but a misspelled scheme is a mistake in any case.
 * @type {(marked: string, at: { key: string, problem: string }, place: Place) => CompiledUrl}
 */
function unknownUrl(marked, { key, problem }, { hooksMaySetUrl, complain, refuse }) {
  const scheme = /^([a-z][a-z\d+.-]*):\/\//i.exec(marked)?.[1].toLowerCase();
  const isMisspelled = scheme !== undefined && similarScheme(scheme, ['http', 'https']) !== '';
  if (!hooksMaySetUrl || isMisspelled) complain(key, problem);
  const uri = hooksMaySetUrl ? compileTemplate(marked) : '';
  return { endpoint: undefined, path: '/', uri, userinfo: null, locate: () => refuse(key, problem) };
}

/** Explains the unknown token of a URL after the before-hooks of its operation. @type {(token: string) => string} */
export function notReplaced(token) {
  return `has ${token}, which is not a token, and no hook has replaced it`;
}

/** Base of a relative URL that is sent to a unix socket, without a base URL. */
const LOCAL = 'http://localhost';

/**
 * @typedef {object} UrlTarget what a URL is parsed with, and the unix socket that it leads to
 * @property {string} address the URL, without the socket that it names itself
 * @property {string | undefined} base of a relative URL
 * @property {boolean} isRelative
 * @property {string | undefined} ownSocket the one that the URL names itself
 * @property {string | undefined} socketPath that of the operation, of the URL, of the base URL of a relative one, or of
 *   the run
 */

/** @type {(marked: string, ofOperation: string | undefined, run: RunDefaults) => UrlTarget} */
function resolveSocket(marked, ofOperation, { baseUrl, socketPath: ofRun }) {
  // No digits: a mark, which has them, is no scheme.
  const isRelative = !/^[a-z][a-z+.-]*:/i.test(marked);
  const socket = splitUnixSocket(isRelative ? (baseUrl ?? '') : marked);
  const socketPath = ofOperation ?? socket?.socketPath ?? ofRun;
  const base = baseUrl ?? (socketPath === undefined ? undefined : LOCAL);
  return isRelative
    ? { address: marked, base: socket?.url ?? base, isRelative, ownSocket: undefined, socketPath }
    : { address: socket?.url ?? marked, base, isRelative, ownSocket: socket?.socketPath, socketPath };
}

/**
 * Returns how an endpoint is reached, and reports properties that have no effect on the way there.
 * @type {(operation: Operation, to: { socketPath: string | undefined, protocol: string, run: RunDefaults }, complain:
 *   Place['complain']) => Way}
 */
function wayOf(operation, { socketPath, protocol, run }, complain) {
  const { localAddress, proxy, tunnel } = operation;
  // Undefined: that of the run.
  const ownProxy = isNoProxy(proxy) ? null : proxy && parseProxy(proxy);
  if (socketPath !== undefined) {
    const useless = 'has no effect on a unix socket: remove it';
    if (localAddress !== undefined) complain('localAddress', useless);
    if (ownProxy) complain('proxy', useless);
  }
  if (tunnel === false && protocol === 'https:')
    complain(
      'tunnel',
      'an https: URL is always reached through a tunnel, so that its certificate is verified: remove it',
    );
  const version = protocol.startsWith('http') ? versionOf(operation, { protocol, run }, complain) : undefined;
  return { socketPath, localAddress, proxy: ownProxy, tunnel, version };
}

/**
 * Returns the value that chooses another version of HTTP: that of the operation, or else that of the run.
 * @type {(operation: Operation, to: { protocol: string, run: RunDefaults }, complain: Place['complain']) => unknown}
 */
function versionOf(operation, { protocol, run }, complain) {
  if (OTHER_VERSION === undefined) return undefined;
  const { name, refuse } = OTHER_VERSION;
  const value = operation[name] ?? run.version;
  const reason = refuse(value, protocol);
  if (reason !== undefined) complain(name, reason);
  return value;
}

/** Values in the host of a URL, its user and its password are not encoded. @type {(marked: string) => string} */
function plainAuthority(marked) {
  return hasMarks(marked) ? marked.replace(/^[a-z][a-z+.-]*:\/\/[^/?#]*/i, asText) : marked;
}

/** Null if it is more than one token. @type {(given: string, key: string, place: Place) => ComputedValue | null} */
function tokenValue(given, key, { mark, refuse, sourceOf }) {
  // The URL of a WebSocket is the key of its connection, as it is written.
  if (OWN_URL_KEYS.includes(key) || !isToken(given)) return null;
  const marked = mark(given, key, 'value');
  const read = compileWholeValue(marked);
  if (!read) return null;
  return {
    source: sourceOf(marked),
    value(scope) {
      const url = read(scope);
      return typeof url === 'string' && url !== '' ? url : refuse(key, `${given} is ${formatValue(url)}, not a URL`);
    },
  };
}

/** Its value is compiled when it is known. @type {(computed: ComputedValue, context: UrlContext) => CompiledUrl} */
function computedUrl({ value, source }, context) {
  const { key, input } = context;
  const { run, place } = input;
  const { qs, ...operation } = context.operation;
  /** @type {Place} */
  const inRun = { ...place, mark: (text) => text, complain: place.refuse, notice: undefined, isComputed: true };
  const marked = queryOf(qs, place.mark);
  const query = typeof marked === 'string' ? compileTemplate(marked) : marked;
  // It is added to each value.
  const withoutQuery = { ...context, operation };
  const root = rootOf(withoutQuery);
  /** @type {(scope: Scope) => Pick<CompiledUrl, 'endpoint' | 'path' | 'uri' | 'locate'>} */
  const compiled = (scope) => {
    const given = String(value(scope));
    if (root && PLAIN_PATH.test(given))
      return { endpoint: root.endpoint, path: given, uri: root.uri + given, locate: null };
    /** @type {Place['isForeign']} */
    const isForeign = (endpoint) => run.origins.isForeign(endpoint, source, scope);
    const url = writtenUrl(given, { ...withoutQuery, input: { ...input, place: { ...inRun, isForeign } } });
    return url.userinfo === null ? url : place.refuse(key, 'has a user or a password: write it in auth');
  };
  return {
    endpoint: undefined,
    path: '/',
    uri: (scope) => renderTemplate(compiled(scope).uri, scope),
    userinfo: null,
    locate(scope) {
      const { endpoint, path, locate } = compiled(scope);
      const own = renderTemplate(path, scope);
      return {
        endpoint: /** @type {Endpoint} */ (endpoint),
        path: joined(own, renderTemplate(query, scope)),
        // The value has no tokens: only the URL of a foreign endpoint has a locate of its own then.
        isForeign: locate !== null,
      };
    },
  };
}

/**
 * A path that the URL parser would not change: `/items/1?a=b`, but neither `//host`, `/../a` nor `/a b`. Recognizing it
 * takes 0.1 us, parsing 5 (bench/micro/flow/values.js).
 */
export const PLAIN_PATH = /^(?=\/(?!\/))(?:(?!\/(?:\.|%2e))[\w~!$&()*+,;=:@%/.?-])+$/i;

/** @type {(context: UrlContext) => { endpoint: Endpoint, uri: string } | null} */
function rootOf(context) {
  const { input } = context;
  if (input.run.baseUrl === undefined) return null;
  // Problems of the base URL are reported by themselves, and what a function returns is not known.
  const place = { ...input.place, isForeign: undefined, notice: undefined, complain() {} };
  const { endpoint, path, uri } = writtenUrl('/', { ...context, input: { ...input, place } });
  return endpoint && path === '/' && typeof uri === 'string' ? { endpoint, uri: uri.slice(0, -1) } : null;
}

/** @type {(qs: Operation['qs'], mark: Place['mark']) => string | ((scope: Scope) => string)} */
function queryOf(qs, mark) {
  if (!qs) return '';
  if (!(qs instanceof Placeholder)) return encodePairs(qs, 'qs', mark);
  const read = qs.reader();
  return (scope) => encodePairs(read(scope), 'qs', (text) => text);
}

/** @type {(url: URL, port: string, socketPath: string | undefined) => string} */
function absolute(url, port, socketPath) {
  return socketPath === undefined ? withPort(url, port) : `unix:${socketPath}:${url.href.slice(url.origin.length)}`;
}

/**
 * Removes and replaces what the URL parser would (WHATWG URL 4.4), so that the text can be recognized: spaces and
 * control characters around it, tabs and line ends in it, and backslashes before its query. The parser encodes the
 * rest.
 * @type {(marked: string) => string}
 */
export function cleanUrl(marked) {
  // Most URLs
  if (/^[\u0021-\u005b\u005d-\u007e]*$/.test(marked)) return marked;
  const trimmed = marked.replace(/^[\u0000-\u0020]+|[\u0000-\u0020]+$/g, '').replace(/[\t\n\r]/g, '');
  if (/^[a-z][a-z\d+.-]*:/i.test(trimmed) && !HAS_SCHEME.test(trimmed)) return trimmed;
  return trimmed.replace(/^[^?#]*/, (path) => path.replaceAll('\\', '/'));
}

/**
 * Parses a URL to one of the scheme; tokens are left in it if a before-hook may replace them. `port`: the marks of one
 * that has tokens, which the URL is parsed without.
 * @type {(target: UrlTarget, scheme: string, place: Pick<Place, 'hooksMaySetUrl'>) => { url: URL, port: string,
 *   problem:
 *   '' } | { url: null, port: '', problem: string }}
 */
function parseUrl({ address, base, ownSocket }, scheme, { hooksMaySetUrl }) {
  const left = hooksMaySetUrl ? leftToken(address) : undefined;
  /** @type {(problem: string) => { url: null, port: '', problem: string }} */
  const failed = (problem) => ({ url: null, port: '', problem });
  const refused = (/** @type {string} */ reason) => failed(`${formatValue(unmark(address))} ${reason}`);
  if (left) return failed(notReplaced(left));
  // The scheme of a unix socket is http in all protocols.
  const refusal = refuseUrl(address, base, ownSocket === undefined ? scheme : 'http');
  if (refusal) return refused(refusal);
  try {
    const [withoutPort, port] = cutPort(address);
    const url = new URL(withoutPort, base);
    // A base URL serves all protocols.
    url.protocol = url.protocol.replace(SCHEME, scheme);
    return url.port === '0' ? refused('has port 0, at which nothing listens') : { url, port, problem: '' };
  } catch {
    // URL says only 'Invalid URL'.
    return refused(reasonOf(address));
  }
}

/** The URL parser knows digits only. @type {(marked: string) => [withoutPort: string, port: string]} */
function cutPort(marked) {
  const [whole, before, port] = /^((?:[a-z][a-z+.-]*:)?\/\/[^/?#]*):([^/?#@\]:]*)(?=[/?#]|$)/i.exec(marked) ?? [];
  return whole !== undefined && hasMarks(port) ? [before + marked.slice(whole.length), port] : [marked, ''];
}

/** Explains why the parser refuses a URL. @type {(marked: string) => string} */
function reasonOf(marked) {
  const [, port] = /^[a-z]+:\/\/[^/?#]*:(\d+)(?:[/?#]|$)/i.exec(marked) ?? [];
  return Number(port) > HIGHEST_PORT ? `has port ${port}, the highest is ${HIGHEST_PORT}` : 'is not a valid URL';
}

/** @type {(marked: string, baseUrl: string | undefined, expected: string) => string | null} */
function refuseUrl(marked, baseUrl, expected) {
  if (isUrlOf(marked, expected)) return null;
  const given = unmark(marked);
  if (HOST.test(given)) return `has no scheme, did you mean ${expected}://${given}?`;
  const scheme = /^([a-z][a-z\d+.-]*):/i.exec(marked)?.[1].toLowerCase();
  const other = expected === 'http' ? PROTOCOLS.find((one) => one.urlKey && isUrlOf(marked, one.scheme)) : undefined;
  if (other) return `is the URL of ${other.noun.one}: write { ${other.urlKey}: ${formatValue(given)} }`;
  const article = expected === 'http' ? 'an' : 'a';
  const both = [expected, `${expected}s`];
  if (scheme) return `is not ${article} ${both.join(':// or ')}:// URL${similarScheme(scheme, both)}`;
  if (given === '') return 'is not a URL';
  if (given.startsWith('#{') && !baseUrl)
    return `begins with a token, which is a part of a path there: write the scheme, as in ${expected}://#{host}/, or the token alone if its value is a URL; a path needs baseUrl`;
  return baseUrl ? null : 'is relative: set baseUrl in the flow, in runOptions or with --base-url';
}

/** The scheme of a parsed URL, without the s of TLS. */
const SCHEME = new RegExp(`^(?:${SCHEMES.join('|')})`);

/** A host without its scheme. */
const HOST = /^(?:localhost|[\w-]+(?:\.[\w-]+)+|\[[\da-f:]+\])(?::(?:\d|#\{[^}]*\})+)?(?:\/|$)/i;

/** Tells why a text is no base URL; undefined: it is one. @type {(given: string) => string | undefined} */
export function baseUrlFault(given) {
  if (splitUnixSocket(given) || (HAS_SCHEME.test(given) && URL.canParse(given))) return undefined;
  return `${formatValue(given)} is not an ${URLS} URL${HOST.test(given) ? `, did you mean http://${given}?` : ''}`;
}

/** @type {(scheme: string, schemes: string[]) => string} */
function similarScheme(scheme, schemes) {
  const near = schemes.includes(scheme) ? undefined : nearest(scheme, schemes);
  return near ? `, did you mean ${near}:?` : '';
}

/**
 * Notices that a relative URL drops a part of the path of the base URL, which other tools keep: a path that begins with
 * / replaces it, and any other its last segment (RFC 3986 5.2). `./` and `../` are deliberate. Null if the path is
 * kept.
 * @type {(given: string, url: URL, base: URL) => string | null}
 */
export function droppedPath(given, url, base) {
  const kept = base.pathname.replace(/\/+$/, '');
  if (kept === '' || /^[.?#]/.test(given) || `${url.pathname}/`.startsWith(`${kept}/`)) return null;
  const own = given.replace(/^\/+/, '');
  const sent = given.startsWith('/') ? given : base.pathname.replace(/[^/]*$/, given);
  return (
    `${formatValue(given)} is sent to ${base.origin}${sent}, without the path of the base URL ` +
    `${base.origin}${base.pathname}; for ${base.origin}${kept}/${own} write ${formatValue(own)} and the base URL ` +
    `${base.origin}${kept}/`
  );
}

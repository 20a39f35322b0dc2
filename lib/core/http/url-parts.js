import { BlockList, isIP } from 'node:net';
import { domainToASCII } from 'node:url';

import { offered } from '../ground/addons.js';

/** @typedef {{ port: string, protocol: string }} UrlPort of a URL: `port` is empty if the URL names none */

/** The schemes of URLs that a flow can have; with TLS, each ends with an s. */
export const SCHEMES = ['http', ...offered('protocols').flatMap(({ scheme }) => scheme ?? [])];

/** Schemes that are names of HTTP for a protocol on top of it. @type {string[]} */
const NAMES_OF_HTTP = offered('protocols').flatMap(({ scheme, over }) => (over === 'http' ? scheme : []));

/** Writes `grpc://host` with the scheme that the URL parser knows: `http://host`. @type {(url: string) => string} */
export function asHttp(url) {
  const name = NAMES_OF_HTTP.find((one) => isUrlOf(url, one));
  return name === undefined ? url : url.trimStart().replace(new RegExp(`^${name}`, 'i'), 'http');
}

const ANY_SCHEME = `(?:${SCHEMES.join('|')})s?`;

/** `http:`, `https:`, `ws:`, `wss:` at the start of a text. */
export const HAS_SCHEME = new RegExp(`^${ANY_SCHEME}:`, 'i');
/** The origin at the start of a URL: `https://api.test:8000`. */
export const ORIGIN = new RegExp(`^${ANY_SCHEME}://[^/?#]*`, 'i');
/** `http://, https://, ws://, wss:// or unix:`, for messages. */
export const URLS = `${SCHEMES.flatMap((scheme) => [`${scheme}://`, `${scheme}s://`]).join(', ')} or unix:`;

/**
 * Reports whether a value is a URL of a scheme, with or without TLS. Control characters before it are ignored, as the
 * URL parser does.
 * @type {(url: unknown, scheme: string) => boolean}
 */
export function isUrlOf(url, scheme) {
  return STARTS[scheme].test(String(url));
}

/** @type {Record<string, RegExp>} */
const STARTS = Object.fromEntries(
  SCHEMES.map((scheme) => [scheme, new RegExp(`^[\\u0000-\\u0020]*${scheme}s?:`, 'i')]),
);

/**
 * Splits a URL that leads to a unix socket, `unix:/run/app.sock:/items?x=1`, also written
 * `http://unix:/run/app.sock:/items`, into the path of the socket and the URL as the server sees it. Null for any other
 * URL.
 * @type {(url: string) => { socketPath: string, url: string } | null}
 */
export function splitUnixSocket(url) {
  const match = /^(?:(https?):\/\/)?unix:(\/[^:]+)(?::(\/.*)?)?$/i.exec(url);
  if (!match) return null;
  const [, scheme = 'http', socketPath, path = '/'] = match;
  return { socketPath, url: `${scheme.toLowerCase()}://localhost${path}` };
}

/** Reports whether a protocol, such as `https:`, uses TLS. @type {(protocol: string) => boolean} */
export function isSecure(protocol) {
  return protocol === 'https:' || protocol === 'wss:';
}

/** Returns the port of a URL, or else that of its protocol. @type {(url: UrlPort) => number} */
export function portOf({ port, protocol }) {
  if (port !== '') return Number(port);
  return isSecure(protocol) ? 443 : 80;
}

/** IPv6 has no brackets. @type {(url: UrlPort & { hostname: string }) => { hostname: string, port: number }} */
export function addressOf(url) {
  return { hostname: withoutBrackets(url.hostname), port: portOf(url) };
}

/** Removes the brackets that an IPv6 address has in URLs. @type {(host: string) => string} */
export function withoutBrackets(host) {
  return host.replace(/^\[|\]$/g, '');
}

/** Writes `host:port`; an IPv6 address gets brackets. @type {(host: string, port: number | string) => string} */
export function writeAddress(host, port) {
  return `${host.includes(':') ? `[${host}]` : host}:${port}`;
}

/**
 * Returns a name or an address that a person has written as the host of a URL: in lower case, with letters beyond ASCII
 * in punycode, and an IPv6 address in its short form, without brackets.
 * @type {(host: string) => string}
 */
export function asUrlHost(host) {
  return withoutBrackets(domainToASCII(isIP(host) === 6 ? `[${host}]` : host)) || host.toLowerCase();
}

/** Reports whether a host name, without brackets, leads to this machine. @type {(hostname: string) => boolean} */
export function isLoopback(hostname) {
  const family = isIP(hostname);
  if (family === 0) return /^(?:.*\.)?localhost\.?$/i.test(hostname);
  // A check of the list takes 3 us.
  return family === 4 ? hostname.startsWith('127.') : LOOPBACK.check(hostname, 'ipv6');
}

/** An address of IPv6 may be one of IPv4: `::ffff:127.0.0.1`. */
const LOOPBACK = new BlockList();
LOOPBACK.addSubnet('127.0.0.0', 8, 'ipv4');
LOOPBACK.addAddress('::1', 'ipv6');

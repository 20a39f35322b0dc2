import { BlockList, isIP } from 'node:net';
import { domainToASCII } from 'node:url';

/** @typedef {{ port: string, protocol: string }} UrlPort of a URL: `port` is empty if the URL names none */

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

export const BAD_USERINFO = 'has a user or password that is not percent-encoded as it should be';

/** Returns `user:password`; null: no user; undefined: a stray %. @type {(url: URL) => string | null | undefined} */
export function userinfoOf({ username, password }) {
  if (!username && !password) return null;
  try {
    return `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  } catch {
    // The one reason is a % without two hexadecimal digits.
    return undefined;
  }
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

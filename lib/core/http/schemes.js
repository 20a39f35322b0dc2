import { offered } from '../ground/addons.js';

/** @type {{ scheme: string, isPlain?: true }[]} */
const ENTRIES = [{ scheme: 'http' }, ...offered('protocols').filter(({ scheme }) => scheme !== undefined)];

/** The schemes of URLs that a flow can have, each without the s of TLS. */
export const SCHEMES = ENTRIES.map(({ scheme }) => scheme);
/** All that URLs begin with: `http`, `https`, `ws`, `wss`. */
export const ALL_SCHEMES = ENTRIES.flatMap(schemesOf);

/** Returns the schemes of a protocol. @type {(entry: { scheme?: string, isPlain?: true }) => string[]} */
export function schemesOf({ scheme, isPlain }) {
  if (scheme === undefined) return [];
  return isPlain ? [scheme] : [scheme, `${scheme}s`];
}

/** Schemes that are names of HTTP for a protocol on top of it. @type {string[]} */
const NAMES_OF_HTTP = offered('protocols').flatMap(({ scheme, over }) => (over === 'http' ? scheme : []));

/** Writes `grpc://host` with the scheme that the URL parser knows: `http://host`. @type {(url: string) => string} */
export function asHttp(url) {
  const name = NAMES_OF_HTTP.find((one) => isUrlOf(url, one));
  return name === undefined ? url : url.trimStart().replace(new RegExp(`^${name}`, 'i'), 'http');
}

const ANY_SCHEME = `(?:${ALL_SCHEMES.join('|')})`;

/** A URL with an authority at the start of a text, of any scheme: `mqtt://`. */
export const HAS_AUTHORITY = /^[a-z][a-z0-9+.-]*:\/\//i;
/** `http:`, `https:`, `ws:`, `wss:` at the start of a text. */
export const HAS_SCHEME = new RegExp(`^${ANY_SCHEME}:`, 'i');
/** The origin at the start of a URL: `https://api.test:8000`. */
export const ORIGIN = new RegExp(`^${ANY_SCHEME}://[^/?#]*`, 'i');
/** `http://, https://, ws://, wss:// or unix:`, for messages. */
export const URLS = `${ALL_SCHEMES.map((scheme) => `${scheme}://`).join(', ')} or unix:`;

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
  ENTRIES.map((entry) => [entry.scheme, new RegExp(`^[\\u0000-\\u0020]*(?:${schemesOf(entry).join('|')}):`, 'i')]),
);

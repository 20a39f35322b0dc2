import { offered } from '../ground/addons.js';

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

/**
 * A header field in a table of HPACK (RFC 7541 2.3).
 *
 * @typedef {object} Entry
 * @property {string} name
 * @property {string} value
 * @property {number} size in the dynamic table and in a list of fields (RFC 7541 4.1)
 */

/** The size of an entry beyond its texts (RFC 7541 4.1). */
export const ENTRY_OVERHEAD = 32;

/** @type {(name: string, value: string) => Entry} */
export function entryOf(name, value) {
  return { name, value, size: sizeOf(name, value) };
}

/** Returns the size of a field (RFC 7541 4.1). @type {(name: string, value: string) => number} */
export function sizeOf(name, value) {
  return name.length + value.length + ENTRY_OVERHEAD;
}

/** The table size until SETTINGS_HEADER_TABLE_SIZE changes it (RFC 9113 6.5.2), and the largest one of this client. */
export const DEFAULT_TABLE_SIZE = 4096;

/** The static table (RFC 7541, appendix A); its first entry has the index 1. */
export const STATIC_TABLE = [
  [':authority', ''],
  [':method', 'GET'],
  [':method', 'POST'],
  [':path', '/'],
  [':path', '/index.html'],
  [':scheme', 'http'],
  [':scheme', 'https'],
  ...['200', '204', '206', '304', '400', '404', '500'].map((status) => [':status', status]),
  ['accept-charset', ''],
  ['accept-encoding', 'gzip, deflate'],
  ...[
    ...['accept-language', 'accept-ranges', 'accept', 'access-control-allow-origin', 'age', 'allow', 'authorization'],
    ...['cache-control', 'content-disposition', 'content-encoding', 'content-language', 'content-length'],
    ...['content-location', 'content-range', 'content-type', 'cookie', 'date', 'etag', 'expect', 'expires', 'from'],
    ...['host', 'if-match', 'if-modified-since', 'if-none-match', 'if-range', 'if-unmodified-since', 'last-modified'],
    ...['link', 'location', 'max-forwards', 'proxy-authenticate', 'proxy-authorization', 'range', 'referer', 'refresh'],
    ...['retry-after', 'server', 'set-cookie', 'strict-transport-security', 'transfer-encoding', 'user-agent', 'vary'],
    ...['via', 'www-authenticate'],
  ].map((name) => [name, '']),
].map(([name, value]) => entryOf(name, value));

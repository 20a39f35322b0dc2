/** Parts of header fields that several folders read or write: tokens, cookies, credentials, white space. */

/** A token, such as a method or the name of a field (RFC 9110 5.6.2), as a part of a regular expression. */
export const TOKEN_PART = "[!#$%&'*+.^_`|~\\w-]+";
export const TOKEN = new RegExp(`^${TOKEN_PART}$`);

/**
 * Methods whose requests usually have no body: without one they have no Content-Length either. Those of other methods
 * have the length 0 then (RFC 9110 8.6).
 */
export const HAS_NO_BODY = new Set(['GET', 'HEAD', 'DELETE', 'OPTIONS', 'TRACE', 'CONNECT']);

/** A name (RFC 6265 4.1.1) is a token; a value has no semicolon and no control character. */
const PAIR = new RegExp(`^\\s*(${TOKEN_PART})=([^;\\u0000-\\u001f\\u007f]*)$`);

/**
 * Reads cookies: an object of names and values, `name=value`, `a=1; b=2`, or an array of such texts; undefined if one
 * is invalid.
 * @type {(given: any) => Record<string, string> | undefined}
 */
export function readCookies(given) {
  const pairs = pairsOf(given);
  if (pairs.length === 0) return undefined;
  /** @type {[string, string][]} */
  const read = [];
  for (const pair of pairs) {
    const [, name, value] = PAIR.exec(pair) ?? [];
    if (name === undefined) return undefined;
    read.push([name, value]);
  }
  return Object.fromEntries(read);
}

/** @type {(given: any) => string[]} */
function pairsOf(given) {
  if (typeof given === 'string') return given.split(/;\s*/).filter((pair, i) => pair !== '' || i === 0);
  if (Array.isArray(given)) return given.flatMap((one) => (typeof one === 'string' ? pairsOf(one) : ['']));
  if (typeof given !== 'object' || given === null) return [];
  return Object.entries(given).map(([name, value]) => (isValue(value) ? `${name}=${value}` : ''));
}

/** @type {(value: unknown) => boolean} */
function isValue(value) {
  return ['string', 'number', 'boolean'].includes(typeof value);
}

/**
 * Merges cookies of two layers: the stronger one wins name by name. If either is invalid, `stronger` itself is
 * returned, and the check of the option refuses it.
 * @type {(weaker: any, stronger: any) => any}
 */
export function mergeCookies(weaker, stronger) {
  const [below, above] = [readCookies(weaker), readCookies(stronger)];
  return below && above ? { ...below, ...above } : stronger;
}

/** The Authorization field for basic authentication (RFC 7617). @type {(userAndPassword: string) => string} */
export function basicCredentials(userAndPassword) {
  return `Basic ${Buffer.from(userAndPassword).toString('base64')}`;
}

/** Bytes of name and value, and of the value of an attribute. */
const MAX_COOKIE = 4096;
const MAX_ATTRIBUTE = 1024;
/** All control characters but the tab. */
const CONTROL = /[\u0000-\u0008\u000a-\u001f\u007f]/;

/**
 * Splits a Set-Cookie field as browsers do (RFC 6265bis 5.6). `line` is its value as latin1, one character per byte.
 * Undefined if the cookie is to be ignored.
 * @type {(line: string) => { name: string, value: string, attributes: [name: string, value: string][] } | undefined}
 */
export function readSetCookie(line) {
  if (CONTROL.test(line)) return undefined;
  const [pair, ...rest] = line.split(';');
  const halves = splitPair(pair);
  const [name, value] = pair.includes('=') ? halves : ['', halves[0]];
  if (name.length + value.length > MAX_COOKIE) return undefined;
  const attributes = rest.map(splitPair).filter(([, text]) => text.length <= MAX_ATTRIBUTE);
  return { name, value, attributes };
}

/** @type {(text: string) => [before: string, after: string]} */
function splitPair(text) {
  const at = text.indexOf('=');
  return at < 0 ? [withoutSpace(text), ''] : [withoutSpace(text.slice(0, at)), withoutSpace(text.slice(at + 1))];
}

/** Removes OWS (RFC 9110 5.6.3); `trim` would remove NBSP, a byte of some letters. @type {(text: string) => string} */
export function withoutSpace(text) {
  let start = 0;
  let end = text.length;
  while (start < end && isSpace(text.charCodeAt(start))) start++;
  while (end > start && isSpace(text.charCodeAt(end - 1))) end--;
  return text.slice(start, end);
}

/** `name` is in lower case; -1: it is not there. @type {(fields: string[], name: string) => number} */
export function fieldAt(fields, name) {
  for (let i = 0; i < fields.length; i += 2)
    if (fields[i].length === name.length && fields[i].toLowerCase() === name) return i;
  return -1;
}

/** Reports whether a character is a space or a tab. @type {(code: number) => boolean} */
export function isSpace(code) {
  return code === 0x20 || code === 0x09;
}

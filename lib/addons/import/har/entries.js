import { isUtf8 } from 'node:buffer';

import { readDate } from '../../../core/ground/units.js';
import { TOKEN as METHOD } from '../../../core/http/field-values.js';
import { convertible } from '../../../core/text/convertible.js';
import { anyText } from '../../../core/text/format-value.js';
import { sentSize, withoutStreamFields } from './upload-stream.js';

/** @import { Exchange, RecordedMessage, RecordedRequest, RecordedResponse } from '../exchange.js' */

const [QUOTE, BACKSLASH, COMMA, COLON] = Buffer.from('"\\,:');
const [OPEN_OBJECT, CLOSE_OBJECT, OPEN_ARRAY, CLOSE_ARRAY] = Buffer.from('{}[]');
const SPACE = 0x20;
const BYTE_ORDER_MARK = Buffer.from('\ufeff');

/**
 * Reads the entries of a recording one after the other, from its bytes: the text and the value of a whole document need
 * several times its size. Everything else in it is skipped. The functions below step over JSON: each gets the bytes and
 * an index, and returns the index behind what it has read.
 * @throws {EntryError}
 * @type {(bytes: Buffer) => Generator<{ entry: any, path: string, readAgain: () => any }>}
 */
export function* entriesIn(bytes) {
  const { length } = BYTE_ORDER_MARK;
  const start = bytes.subarray(0, length).equals(BYTE_ORDER_MARK) ? length : 0;
  const log = memberAt(bytes, startOfObject(bytes, start, 'a HAR recording'), 'log');
  if (log < 0) throw new EntryError('log', 'is missing: this is no HAR recording');
  const entries = memberAt(bytes, startOfObject(bytes, log, 'log'), 'entries');
  if (entries < 0) throw new EntryError('log.entries', 'is missing: this is no HAR recording');
  let at = skipSpace(bytes, entries);
  if (bytes[at] !== OPEN_ARRAY) throw new EntryError('log.entries', 'is no array');
  at = skipSpace(bytes, at + 1);
  for (let i = 0; bytes[at] !== CLOSE_ARRAY; i++) {
    const end = endOfValue(bytes, at);
    const path = `log.entries[${i}]`;
    const own = bytes.subarray(at, end);
    yield { entry: parse(own, path), path, readAgain: () => parse(own, path) };
    at = skipSpace(bytes, end);
    if (bytes[at] === COMMA) at = skipSpace(bytes, at + 1);
    else if (bytes[at] !== CLOSE_ARRAY) throw new EntryError(`log.entries[${i + 1}]`, endsEarly(bytes, at));
  }
}

/** A recording that is damaged. */
export class EntryError extends Error {
  /** @param {string} path @param {string} reason */
  constructor(path, reason) {
    super(`${path}: ${reason}`);
  }
}

const TOO_EARLY = 'the file ends too early';

/** @type {(bytes: Buffer, at: number) => string} */
function endsEarly(bytes, at) {
  return at >= bytes.length ? TOO_EARLY : `is not valid JSON at byte ${at + 1}`;
}

/** @type {(bytes: Buffer, path: string) => any} */
function parse(bytes, path) {
  const text = bytes.toString('utf8');
  if (Buffer.byteLength(text) !== bytes.length) throw new EntryError(path, 'is not UTF-8');
  try {
    return convertible(JSON.parse(text));
  } catch {
    throw new EntryError(path, 'is not valid JSON');
  }
}

/** Returns the index of an opening brace. @type {(bytes: Buffer, at: number, what: string) => number} */
function startOfObject(bytes, at, what) {
  const start = skipSpace(bytes, at);
  if (bytes[start] !== OPEN_OBJECT) throw new EntryError(what, 'is no object');
  return start;
}

/** Finds the value of a member; -1: there is none. @type {(bytes: Buffer, object: number, name: string) => number} */
function memberAt(bytes, object, name) {
  let at = skipSpace(bytes, object + 1);
  while (bytes[at] === QUOTE) {
    const end = endOfText(bytes, at);
    const key = bytes.toString('utf8', at + 1, end - 1);
    const colon = skipSpace(bytes, end);
    if (bytes[colon] !== COLON) throw new EntryError('log', endsEarly(bytes, colon));
    if (key === name) return colon + 1;
    at = skipSpace(bytes, endOfValue(bytes, skipSpace(bytes, colon + 1)));
    if (bytes[at] === COMMA) at = skipSpace(bytes, at + 1);
  }
  return -1;
}

/** Invalid control characters are left to `parse`. @type {(bytes: Buffer, at: number) => number} */
function skipSpace(bytes, at) {
  let next = at;
  while (bytes[next] <= SPACE) next++;
  return next;
}

/** @type {(bytes: Buffer, at: number) => number} */
function endOfText(bytes, at) {
  // A quote behind an odd number of backslashes is a part of the text.
  for (let end = bytes.indexOf(QUOTE, at + 1); end >= 0; end = bytes.indexOf(QUOTE, end + 1)) {
    let escapes = 0;
    while (bytes[end - 1 - escapes] === BACKSLASH) escapes++;
    if (escapes % 2 === 0) return end + 1;
  }
  throw new EntryError('log', TOO_EARLY);
}

/** @type {(bytes: Buffer, at: number) => number} */
function endOfValue(bytes, at) {
  if (bytes[at] === QUOTE) return endOfText(bytes, at);
  if (bytes[at] !== OPEN_OBJECT && bytes[at] !== OPEN_ARRAY) return endOfScalar(bytes, at);
  let depth = 0;
  for (let next = at; next < bytes.length; next++) {
    const byte = bytes[next];
    if (byte === QUOTE) next = endOfText(bytes, next) - 1;
    else if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) depth++;
    else if (byte === CLOSE_OBJECT || byte === CLOSE_ARRAY) depth--;
    if (depth === 0) return next + 1;
  }
  throw new EntryError('log', TOO_EARLY);
}

/** @type {(bytes: Buffer, at: number) => number} */
function endOfScalar(bytes, at) {
  let end = at;
  while (bytes[end] > SPACE && ![COMMA, CLOSE_OBJECT, CLOSE_ARRAY].includes(bytes[end])) end++;
  if (end === at) throw new EntryError('log', endsEarly(bytes, at));
  return end;
}

/** Types of responses whose bodies are not searched. */
const BYTES = /^(?:image|font|video|audio)\/|^application\/(?:octet-stream|pdf|zip|wasm|x?-?font)/i;
/** The initiators of responses whose bodies are not searched. */
const UNSEARCHED = ['image', 'font', 'media', 'stylesheet', 'script'];
const CACHES = /^(?:memory|disk) cache$/i;

/** Characters of the body of a response that is kept. */
const MOST_KEPT = 1024;

/**
 * Translates an entry of a HAR recording; a text says why it cannot be one. `readAgain` reads the same entry.
 * @type {(entry: any, readAgain: () => any) => Exchange | string}
 */
export function exchangeOf(entry, readAgain) {
  const { request: given, response, startedDateTime, time } = entry ?? {};
  if (typeof given !== 'object' || given === null) return 'has no request';
  const request = withoutStreamFields(given);
  const { method, url } = request;
  const { _resourceType = '', _webSocketMessages: messages } = entry;
  if (typeof method !== 'string' || !METHOD.test(method)) return 'has no HTTP method';
  if (typeof url !== 'string' || !URL.canParse(url)) return 'has no URL';
  const startedAt = typeof startedDateTime === 'string' ? readDate(startedDateTime).ms : NaN;
  const headers = fieldsOf(request);
  const initiator = anyText(_resourceType).toLowerCase();
  return {
    startedAt,
    endedAt: startedAt + (time > 0 ? Number(time) : 0),
    client: 'browser',
    request: { method: method.toUpperCase(), url: withQuery(url, request.queryString), ...bodyOf(request, headers) },
    response: responseOf(response, initiator, readAgain),
    ...(initiator && { initiator }),
    ...(!hasMembers(response) && { hasNoRecord: true }),
    ...(isCached(entry) && { isCached: true }),
    ...(Array.isArray(messages) && { messages: messagesOf(messages, startedAt) }),
  };
}

/** @type {(entry: any) => boolean} */
function isCached({ _fromCache, _fetchType }) {
  return typeof _fromCache === 'string' || CACHES.test(_fetchType);
}

/** @type {(value: any) => boolean} */
function hasMembers(value) {
  return typeof value === 'object' && value !== null && Object.keys(value).length > 0;
}

/**
 * Lists the header fields of a request or a response. Cookies that are in the list of cookies alone, as some programs
 * write them, become one Cookie field, or a Set-Cookie field each.
 * @type {(message: any, cookieName?: string) => [name: string, value: string][]}
 */
function fieldsOf({ headers, cookies }, cookieName = 'Cookie') {
  const given = Array.isArray(headers) ? headers : [];
  /** @type {[string, string][]} */
  const fields = given.flatMap((field) =>
    typeof field?.name === 'string' && ['string', 'number'].includes(typeof field.value)
      ? String(field.value)
          .split('\n')
          .map((/** @type {string} */ line) => /** @type {[string, string]} */ ([field.name, line]))
      : [],
  );
  const listed = Array.isArray(cookies)
    ? cookies.filter((one) => typeof one?.name === 'string' && typeof one.value === 'string')
    : [];
  if (listed.length === 0 || fields.some(([name]) => name.toLowerCase() === cookieName.toLowerCase())) return fields;
  const pairs = listed.map(({ name, value }) => `${name}=${value}`);
  const values = cookieName === 'Cookie' ? [pairs.join('; ')] : pairs;
  return [...fields, ...values.map((value) => /** @type {[string, string]} */ ([cookieName, value]))];
}

/** Some programs record the query in a list only. @type {(url: string, pairs: unknown) => string} */
function withQuery(url, pairs) {
  if (url.includes('?') || !Array.isArray(pairs) || pairs.length === 0) return url;
  const query = new URLSearchParams();
  for (const pair of pairs) if (typeof pair?.name === 'string') query.append(pair.name, String(pair.value ?? ''));
  const [address] = url.split('#');
  return query.size > 0 ? `${address}?${query}` : url;
}

/** @type {(request: any, headers: [string, string][]) => Omit<RecordedRequest, 'method' | 'url'>} */
function bodyOf(request, given) {
  const { text, params, mimeType, encoding } = request.postData ?? {};
  const { headers, type } = withType(given, typeof mimeType === 'string' ? mimeType : '');
  const isText = typeof text === 'string' && text !== '';
  if (isText || (Array.isArray(params) && params.length > 0)) {
    const body = isText ? Buffer.from(text, encoding === 'base64' ? 'base64' : 'utf8') : bodyOfParams(params, type);
    const lacking = missingFiles(request, body, type);
    return { headers: asRecorded(headers, body), body, ...(lacking && { bodyLacks: lacking }) };
  }
  const isMissing = sentSize(request) > 0;
  return { headers: given, body: Buffer.alloc(0), ...(isMissing && { bodyLacks: 'is not in the recording' }) };
}

/**
 * Names the files of a form whose contents browsers leave out of a recording; undefined: it has all.
 * @type {(request: any, body: Buffer, type: string) => string | undefined}
 */
function missingFiles(request, body, type) {
  const size = sentSize(request);
  if (!/^multipart\/form-data/i.test(type) || (size > 0 && size <= body.length)) return undefined;
  const empty = body.toString('utf8').matchAll(/;\s*filename="([^"\r\n]+)"(?:[^\r\n]*\r?\n)+?\r?\n\r?\n--/g);
  const names = [...empty].map(([, name]) => name);
  return names.length > 0 ? `lacks the content of ${names.join(', ')}, which is not in the recording` : undefined;
}

/** Recordings have decoded bodies. @type {(headers: [string, string][], body: Buffer) => [string, string][]} */
function asRecorded(headers, body) {
  return isUtf8(body) ? headers.filter(([name]) => !/^content-encoding$/i.test(name)) : headers;
}

/**
 * Returns the type of a body, and the fields with it: some programs record the type beside the body only, or that of a
 * form without its boundary.
 * @type {(headers: [string, string][], mimeType: string) => { headers: [string, string][], type: string }}
 */
function withType(headers, mimeType) {
  const field = headers.find(([name]) => /^content-type$/i.test(name))?.[1];
  const recorded = field ?? mimeType;
  const lacksBoundary = /^multipart\/form-data/i.test(recorded) && !/boundary=/i.test(recorded);
  const withBoundary = /boundary=/i.test(mimeType) ? mimeType : 'multipart/form-data; boundary=bench-rest';
  const type = lacksBoundary ? withBoundary : recorded;
  if (type === '' || type === field) return { headers, type };
  return { headers: [...headers.filter(([name]) => !/^content-type$/i.test(name)), ['Content-Type', type]], type };
}

/** Writes the fields of a form as the bytes that were sent. @type {(params: any[], type: string) => Buffer} */
function bodyOfParams(params, type) {
  const named = params.filter((one) => typeof one?.name === 'string');
  const boundary = /boundary="?([^\s;"]+)/i.exec(type)?.[1];
  if (!/^multipart\//i.test(type) || boundary === undefined) {
    const form = new URLSearchParams();
    for (const { name, value = '' } of named) form.append(name, String(value));
    return Buffer.from(String(form));
  }
  const parts = named.map(({ name, value = '', fileName, contentType }) => {
    const file = typeof fileName === 'string' ? `; filename="${fileName}"` : '';
    const partType = typeof contentType === 'string' && contentType !== '' ? `Content-Type: ${contentType}\r\n` : '';
    return `--${boundary}\r\nContent-Disposition: form-data; name="${name}"${file}\r\n${partType}\r\n${value}\r\n`;
  });
  return Buffer.from(`${parts.join('')}--${boundary}--\r\n`);
}

/** @type {(response: any, initiator: string, readAgain: () => any) => RecordedResponse | null} */
function responseOf(response, initiator, readAgain) {
  const { status, content = {} } = response ?? {};
  if (!Number.isInteger(status) || status < 100 || status > 999) return null;
  const { text, encoding, mimeType = '' } = content ?? {};
  const headers = fieldsOf(response, 'Set-Cookie');
  if (mimeType && !headers.some(([name]) => name.toLowerCase() === 'content-type'))
    headers.push(['Content-Type', String(mimeType)]);
  if (typeof text !== 'string') return { status, headers, body: Buffer.alloc(0), isCut: true };
  if (BYTES.test(mimeType) || UNSEARCHED.includes(initiator)) return { status, headers, body: Buffer.alloc(0) };
  return withBody({ status, headers }, text, { coding: encoding === 'base64' ? 'base64' : 'utf8', readAgain });
}

/**
 * Adds a body to a response. A long one is not kept: it is read from the recording again whenever it is searched.
 * @type {(head: Omit<RecordedResponse, 'body'>, text: string, how: { coding: BufferEncoding, readAgain: () => any }) =>
 *   RecordedResponse}
 */
function withBody({ status, headers }, text, { coding, readAgain }) {
  if (text.length <= MOST_KEPT) return { status, headers, body: Buffer.from(text, coding) };
  return {
    status,
    headers,
    get body() {
      return Buffer.from(readAgain().response.content.text, coding);
    },
  };
}

/** Reads messages; Chrome has times in seconds. @type {(messages: any[], startedAt: number) => RecordedMessage[]} */
function messagesOf(messages, startedAt) {
  return messages.flatMap((message) => {
    const { type, time, opcode, data } = message ?? {};
    return typeof data === 'string'
      ? [
          {
            from: type === 'send' ? /** @type {const} */ ('client') : /** @type {const} */ ('server'),
            at: time > 0 ? Number(time) * 1000 : startedAt,
            data: opcode === 2 ? Buffer.from(data, 'base64') : data,
          },
        ]
      : [];
  });
}

import { sentSize, withoutStreamFields } from '../har/upload-stream.js';
import { formatValue, shortened, typeName } from '../../../core/text/format-value.js';
import { TOKEN } from '../../../core/text/mask.js';
import { isObject } from '../../../core/flow/record.js';
import { refuseField } from '../../../core/flow/request-fields.js';

/** @import { Problems } from '../../../core/ground/types.js' */
/** @import { LeftOut } from './har.js' */
/** @import { RecordedEntry } from '../../../core/flow/source/types.js' */
/** @import { RecordingOptions } from '../import.js' */

/**
 * @typedef {object} RecordingContext
 * @property {Problems} problems
 * @property {LeftOut} leftOut
 * @property {RecordingOptions} recording
 * @property {string} origin the recorded one whose requests are sent
 */

export const REMEDY = 'remove this entry, or export the recording again';
/** Characters of a name. */
const LONGEST_NAME = 100;

/**
 * Translates an entry to an operation. Its text is data: it has no tokens.
 * @type {(entry: RecordedEntry, context: RecordingContext) => Record<string, any>}
 */
export function operationOf(given, context) {
  // Firefox records fields of its own upload stream in front of the body, and among the header fields.
  const entry = { ...given, request: withoutStreamFields(given.request) };
  const { method, url, status } = entry;
  const fields = recordedFields(entry, context);
  const { contentType, ...body } = recordedBody(entry, context);
  if (contentType === null) fields.delete('content-type');
  else if (contentType !== undefined && !fields.has('content-type'))
    fields.set('content-type', { name: 'Content-Type', value: contentType });
  return {
    method,
    uri: relative(entry),
    name: shortened(`${method} ${url.pathname}`, LONGEST_NAME),
    // fromEntries defines even a field of the name __proto__ as a property
    headers: Object.fromEntries([...fields.values()].map(({ name, value }) => [name, value])),
    ...body,
    // The next request of the browser is recorded, too.
    followRedirect: false,
    // The recorded Cookie field is sent: the jar would add others to it.
    ...(context.recording.cookies && { jar: false }),
    // A request that failed in the recording may fail again.
    ...(status >= 400 && { afterHooks: ['ignoreStatus'] }),
  };
}

/** Returns path and query; a path that begins with // would be a host. @type {(entry: RecordedEntry) => string} */
function relative({ url, request }) {
  const query = url.search === '' ? queryOf(request.queryString) : url.search;
  return `${url.pathname.startsWith('//') ? '/.' : ''}${url.pathname}${query}`;
}

/** Some programs record the query here only. @type {(pairs: unknown) => string} */
function queryOf(pairs) {
  const query = new URLSearchParams();
  for (const pair of Array.isArray(pairs) ? pairs : []) {
    if (typeof pair?.name === 'string') query.append(pair.name, String(pair.value ?? ''));
  }
  return query.size > 0 ? `?${query}` : '';
}

/** @typedef {Map<string, { name: string, value: string | string[] }>} RecordedFields by their names in lower case */

/** Fields of the recorded connection (RFC 9110 7.6.1), and those that the request gets anew. */
const CONNECTION_FIELDS = [
  ...['connection', 'keep-alive', 'proxy-connection', 'te', 'trailer', 'transfer-encoding', 'upgrade'],
  ...['http2-settings', 'host', 'content-length', 'expect', 'alt-used', 'proxy-authorization'],
];
/** The cache of the browser is no part of the recording. */
const CACHE_FIELDS = ['if-none-match', 'if-modified-since'];

/**
 * The header fields of a recorded request, without those of its connection and those that the run sets.
 * @type {(entry: RecordedEntry, context: RecordingContext) => RecordedFields}
 */
function recordedFields(entry, context) {
  const { method } = entry;
  const { recording, leftOut } = context;
  const given = fieldsOf(entry, context);
  const named = given.filter(([name]) => name.toLowerCase() === 'connection').flatMap(([, value]) => value.split(','));
  const dropped = new Set([
    ...CONNECTION_FIELDS,
    ...named.map((name) => name.trim().toLowerCase()),
    ...(method === 'GET' || method === 'HEAD' ? CACHE_FIELDS : []),
    ...(recording.headers ?? []).map((name) => name.toLowerCase()),
    'cookie',
  ]);
  const all = given.filter(([name]) => !dropped.has(name.toLowerCase()) && !name.startsWith(':'));
  if (recording.cookies) all.push(...cookieOf(given, entry));
  /** @type {RecordedFields} */
  const fields = new Map();
  for (const [name, value] of all) {
    if (refuseField(name, value) || TOKEN.test(value)) leftOut.add('field', formatValue(name));
    else addField(fields, name, atTestedServer(name, value, context));
  }
  return fields;
}

/** @type {(entry: RecordedEntry, context: RecordingContext) => [name: string, value: string][]} */
function fieldsOf({ path, request: { headers = [] } }, { problems }) {
  if (!Array.isArray(headers)) {
    problems.add(`${path}.request.headers`, `expected an array of { name, value }, got ${typeName(headers)}`);
    return [];
  }
  return headers.flatMap((field, i) => {
    if (isObject(field) && typeof field.name === 'string' && isText(field.value))
      return [[field.name, String(field.value)]];
    problems.add(`${path}.request.headers[${i}]`, 'expected { name, value } with texts; remove it');
    return [];
  });
}

/** @type {(value: unknown) => boolean} */
function isText(value) {
  return typeof value === 'string' || typeof value === 'number';
}

/**
 * Returns the Cookie field, or else the list of cookies, which repeats it.
 * @type {(fields: [name: string, value: string][], entry: RecordedEntry) => [name: string, value: string][]}
 */
function cookieOf(fields, { request: { cookies } }) {
  const inFields = fields.filter(([name]) => name.toLowerCase() === 'cookie').map(([, value]) => value);
  const inList = (Array.isArray(cookies) ? cookies : [])
    .filter((one) => typeof one?.name === 'string' && typeof one.value === 'string')
    .map(({ name, value }) => `${name}=${value}`);
  const text = (inFields.length > 0 ? inFields : inList).join('; ');
  return text === '' ? [] : [['Cookie', text]];
}

/** @type {(fields: RecordedFields, name: string, value: string) => void} */
function addField(fields, name, value) {
  const known = fields.get(name.toLowerCase());
  if (known) known.value = [known.value, value].flat();
  else fields.set(name.toLowerCase(), { name, value });
}

/**
 * Replaces Origin and Referer, which name the recorded server, not the tested one.
 * @type {(name: string, value: string, context: RecordingContext) => string}
 */
function atTestedServer(name, value, { origin, recording: { baseUrl } }) {
  const namesRecordedServer = /^(origin|referer)$/i.test(name) && (value === origin || value.startsWith(`${origin}/`));
  if (!namesRecordedServer || baseUrl === undefined || !/^https?:/i.test(baseUrl) || !URL.canParse(baseUrl))
    return value;
  return new URL(baseUrl).origin + value.slice(origin.length);
}

/**
 * @typedef {object} RecordedBody the body of an operation
 * @property {Buffer} [body]
 * @property {Record<string, object[]>} [formData]
 * @property {string | null} [contentType] used if the recorded fields have none; null: the body decides, not the
 *   recorded field
 */

const FORM = 'application/x-www-form-urlencoded';

/**
 * Translates `postData`: its text, or else its parameters. Bytes have no tokens. No file is ever read: a parameter with
 * the name of a file has the content that was recorded, if any.
 * @type {(entry: RecordedEntry, context: RecordingContext) => RecordedBody}
 */
function recordedBody({ path: at, request }, { problems, leftOut }) {
  const { postData } = request;
  const path = `${at}.request.postData`;
  if (postData !== undefined && postData !== null && !isObject(postData)) {
    problems.add(path, `expected an object, got ${typeName(postData)}`);
    return {};
  }
  const { text, mimeType, encoding } = postData ?? {};
  const params = postData?.params ?? [];
  if (typeof text === 'string' && text !== '') {
    const isBase64 = encoding === 'base64';
    if (isBase64 && !hasOnlyBase64(text)) problems.add(`${path}.text`, `is not base64, as encoding says; ${REMEDY}`);
    return { body: Buffer.from(text, isBase64 ? 'base64' : 'utf8'), ...typeOf(mimeType) };
  }
  if (!isParams(params)) {
    problems.add(`${path}.params`, `expected an array of { name, value }; ${REMEDY}`);
    return {};
  }
  if (params.length > 0) return bodyOf(params, mimeType, (i, reason) => problems.add(`${path}.params[${i}]`, reason));
  if (sentSize(request) > 0) leftOut.add('body', at);
  return {};
}

/** @type {(mimeType: unknown) => { contentType?: string }} */
function typeOf(mimeType) {
  const isType = typeof mimeType === 'string' && mimeType !== '' && !refuseField('content-type', mimeType);
  return isType && !TOKEN.test(mimeType) ? { contentType: mimeType } : {};
}

/** @type {(params: unknown) => boolean} */
function isParams(params) {
  return Array.isArray(params) && params.every((param) => isObject(param) && typeof param.name === 'string');
}

/** @type {(params: any[], mimeType: any, complain: (i: number, reason: string) => void) => RecordedBody} */
function bodyOf(params, mimeType, complain) {
  if (/^multipart\//i.test(mimeType)) return { formData: partsOf(params, complain), contentType: null };
  /** @type {[string, string][]} */
  const pairs = params.map(({ name, value }) => [name, String(value ?? '')]);
  return { body: Buffer.from(String(new URLSearchParams(pairs))), contentType: FORM, ...typeOf(mimeType) };
}

/** @type {(params: any[], complain: (i: number, reason: string) => void) => Record<string, object[]>} */
function partsOf(params, complain) {
  /** @type {Map<string, object[]>} */
  const parts = new Map();
  for (const [i, { name, value: recorded, fileName, contentType }] of params.entries()) {
    const value = recorded ?? '';
    if (TOKEN.test(`${name} ${fileName} ${contentType}`))
      complain(i, 'has a token in a name or type, which a recording cannot have; remove it');
    const same = parts.get(name) ?? [];
    parts.set(name, same);
    same.push({
      value: TOKEN.test(value) ? Buffer.from(value) : String(value),
      ...(typeof fileName === 'string' && { filename: fileName }),
      ...(typeof contentType === 'string' && contentType !== '' && { contentType }),
    });
  }
  return Object.fromEntries(parts);
}

/** Decoding ignores other characters: fewer than 3 bytes come out of 4 digits. @type {(text: string) => boolean} */
function hasOnlyBase64(text) {
  const digits = text.replace(/[\s=]+/g, '').length;
  return Buffer.from(text, 'base64').length === Math.floor((digits * 3) / 4) && digits % 4 !== 1;
}

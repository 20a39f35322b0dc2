import { formatValue, typeName } from '../../../../text/format-value.js';
import { isObject } from '../../../record.js';
import { refuseField } from '../../../request-fields.js';

/**
 * @import { RecordedEntry } from './recorded-entry.js'
 * @import { RecordingContext } from './recorded-operation.js'
 *
 * @typedef {Map<string, { name: string, value: string | string[] }>} RecordedFields by their names in lower case
 */

/** Fields of the recorded connection (RFC 9110 7.6.1), and those that the request gets anew. */
const OF_CONNECTION = [
  ...[
    'connection',
    'keep-alive',
    'proxy-connection',
    'te',
    'trailer',
    'transfer-encoding',
    'upgrade',
    'http2-settings',
  ],
  ...['host', 'content-length', 'expect', 'alt-used', 'proxy-authorization'],
];
/** The cache of the browser is no part of the recording. */
const OF_CACHE = ['if-none-match', 'if-modified-since'];

/**
 * The header fields of a recorded request, without those of its connection and those that the run sets.
 *
 * @param {RecordedEntry} entry
 * @param {RecordingContext} context
 * @returns {RecordedFields}
 */
export function recordedFields(entry, context) {
  const { method } = entry;
  const { recording, leftOut } = context;
  const given = fieldsOf(entry, context);
  const named = given.filter(([name]) => name.toLowerCase() === 'connection').flatMap(([, value]) => value.split(','));
  const dropped = new Set([
    ...OF_CONNECTION,
    ...named.map((name) => name.trim().toLowerCase()),
    ...(method === 'GET' || method === 'HEAD' ? OF_CACHE : []),
    ...(recording.headers ?? []).map((name) => name.toLowerCase()),
    'cookie',
  ]);
  const all = [...given.filter(([name]) => !dropped.has(name.toLowerCase()) && !name.startsWith(':'))];
  if (recording.cookies) all.push(...cookieOf(given, entry));
  /** @type {RecordedFields} */
  const fields = new Map();
  for (const [name, value] of all) {
    if (refuseField(name, value) || /#[{<]/.test(value)) leftOut.add('field', formatValue(name));
    else addField(fields, name, redirected(name, value, context));
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
      return [/** @type {[string, string]} */ ([field.name, String(field.value)])];
    problems.add(`${path}.request.headers[${i}]`, 'expected { name, value } with texts; remove it');
    return [];
  });
}

/** @type {(value: unknown) => boolean} */
function isText(value) {
  return typeof value === 'string' || typeof value === 'number';
}

/** The Cookie field, or else the list of cookies, which repeats it. @type {(fields: [name: string, value: string][], entry: RecordedEntry) => [name: string, value: string][]} */
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

/** Origin and Referer name the server that is tested, not the recorded one. @type {(name: string, value: string, context: RecordingContext) => string} */
function redirected(name, value, { origin, recording: { baseUrl } }) {
  const isOfPage = /^(origin|referer)$/i.test(name) && (value === origin || value.startsWith(`${origin}/`));
  if (!isOfPage || baseUrl === undefined || !/^https?:/i.test(baseUrl) || !URL.canParse(baseUrl)) return value;
  return new URL(baseUrl).origin + value.slice(origin.length);
}

import { isUtf8 } from 'node:buffer';

import { TOKEN as FIELD_NAME } from '../../../core/http/field-values.js';
import { decodePercent, encodePercent } from '../../../core/text/decode.js';
import { isPlainText, withField } from '../draft.js';
import { jsonIn } from '../read-document.js';
import { Leaf } from './leaf.js';
import { fieldOf } from './sources.js';
import { escaped } from './text-values.js';

/** @import { RecordedRequest } from '../exchange.js' */
/** @import { RequestPart } from './types.js' */
/** @import { SentCookies } from './credentials.js' */

/**
 * Fields that are left out: those of the connection, the browser and its cache, and of tracing, as the run has its own,
 * or needs none. Conditions (`If-Match`) are added by linkEtags. Services compare Origin and Referer with their host.
 */
const DROPPED = new Set([
  ...['host', 'connection', 'keep-alive', 'proxy-connection', 'proxy-authorization', 'te', 'trailer', 'upgrade'],
  ...['transfer-encoding', 'content-length', 'expect', 'http2-settings', 'alt-used', 'priority', 'cookie', 'cookie2'],
  ...['user-agent', 'accept-encoding', 'dnt', 'upgrade-insecure-requests', 'save-data'],
  ...['cache-control', 'pragma', 'if-none-match', 'if-modified-since', 'if-match'],
  ...['forwarded', 'via', 'x-real-ip', 'traceparent', 'tracestate', 'baggage', 'sentry-trace', 'newrelic', 'b3'],
  ...['x-cloud-trace-context', 'x-amzn-trace-id', 'postman-token', 'purpose', 'x-purpose'],
  ...['access-control-request-method'],
]);
const DROPPED_START = /^(?::|sec-|x-forwarded-|x-b3-|x-datadog-|x-ot-span|access-control-request-|x-bench-rest-)/;
/** The characters of a field value (RFC 9110 5.5). */
const VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;
/** Cookies of analytics, advertising and consent. */
const NOISE_COOKIE =
  /^(?:_g[ac]|_gid|_gat|_fbp|_hj|__utm|ajs_|amp|mp_|_dd_|intercom|optanon|cookieconsent|_clck|_clsk|_pk_)/i;

/** @type {(cookie: string) => boolean} */
export function isNoise(cookie) {
  return NOISE_COOKIE.test(cookie);
}

/**
 * Reads the header fields that a person would write: those that the application reads. `cookies` knows those that the
 * jar sends; `isImplied` knows the fields that come with the body.
 * @type {(request: RecordedRequest, context: { cookies: SentCookies, isImplied: (name: string, value: string) =>
 *   boolean }) => RequestPart<Record<string, any>>}
 */
export function readFields({ headers }, { cookies: { usesJar, isOfJar }, isImplied }) {
  const fields = headers
    .filter(([name, value]) => !isDropped(name.toLowerCase(), value) && !isImplied(name.toLowerCase(), value))
    .map(([name, value]) => ({ name, leaf: leafOf(name, value) }));
  const basic = fields.find(({ name, leaf }) => /^authorization$/i.test(name) && /^basic /i.test(leaf.text));
  const cookies = headers
    .filter(([name]) => name.toLowerCase() === 'cookie')
    .flatMap(([, value]) => cookiesIn(value))
    .filter(({ name, leaf }) => !isOfJar(name, leaf.text) && !isNoise(name));
  const sent = fields.filter((field) => field !== basic);
  return {
    leaves: [...sent.filter(({ name }) => !isAddress(name)), ...cookies].map(({ leaf }) => leaf),
    written: () => ({
      ...(basic && { auth: basicOf(basic.leaf.text) }),
      ...(sent.length > 0 && {
        headers: sent.reduce((all, { name, leaf }) => withField(all, name, leaf.written()), {}),
      }),
      ...(cookies.length > 0 && {
        cookies: Object.fromEntries(cookies.map(({ name, leaf }) => [name, leaf.written()])),
      }),
      ...(!usesJar && { jar: false }),
    }),
  };
}

/** Values of fields that accept anything. @type {Record<string, string | undefined>} */
const ANY = { accept: '*/*', 'accept-language': '*' };

/** @type {(name: string, value: string) => boolean} the name in lower case */
export function isDropped(name, value) {
  if (DROPPED.has(name) || DROPPED_START.test(name) || !FIELD_NAME.test(name) || !VALUE.test(value)) return true;
  // They mean the same as none; servers answer others differently. `fetch` of Node sends both.
  return ANY[name] === value.trim();
}

/** Reports whether a field names the page that sent the request. @type {(name: string) => boolean} */
export function isAddress(name) {
  return /^(?:origin|referer)$/i.test(name);
}

/** The origin of a Referer is kept, as browsers send it to others. @type {(name: string, value: string) => Leaf} */
function leafOf(name, value) {
  const isPage = /^referer$/i.test(name) && URL.canParse(value);
  const kept = isPage ? `${new URL(value).origin}/` : value;
  return new Leaf({ place: 'field', name, label: `the field ${name}`, value: kept });
}

/** @type {(text: string) => { name: string, leaf: Leaf }[]} */
export function cookiesIn(text) {
  return text.split(';').flatMap((pair) => {
    const at = pair.indexOf('=');
    if (at < 0) return [];
    const name = pair.slice(0, at).trim();
    const value = pair.slice(at + 1).trim();
    return [{ name, leaf: new Leaf({ place: 'cookie', name, label: `the cookie ${name}`, value }) }];
  });
}

/** @type {(field: string) => { user: string, pass: string }} */
function basicOf(field) {
  const text = Buffer.from(field.slice('basic '.length), 'base64').toString();
  const at = text.indexOf(':');
  return at < 0 ? { user: text, pass: '' } : { user: text.slice(0, at), pass: text.slice(at + 1) };
}

/** @typedef {{ leaf: Leaf, raw: string }} AddressPart */

/** Reads each segment and parameter, relative to `origin`. @type {(url: URL, origin: string) => RequestPart<string>} */
export function readAddress(url, origin) {
  const segments = url.pathname.split('/').map((raw, i, all) => ({
    raw,
    leaf: new Leaf({
      place: 'path',
      name: i > 1 ? decodePercent(all[i - 1]) : '',
      label: 'the path',
      value: decodePercent(raw),
    }),
  }));
  const pairs = url.search.length > 1 ? url.search.slice(1).split('&').map(readPair) : [];
  return {
    leaves: [...segments, ...pairs.flatMap(({ value }) => value ?? [])].map(({ leaf }) => leaf),
    written() {
      const path = segments.map(written).join('/');
      const query = pairs.map(({ name, value }) => (value ? `${name}=${written(value)}` : name)).join('&');
      const start = url.origin === origin ? '' : url.origin;
      // A path that begins with // would be a host.
      const dot = start === '' && path.startsWith('//') ? '/.' : '';
      return `${start}${dot}${path}${query === '' ? '' : `?${query}`}`;
    },
  };
}

/** @type {(pair: string) => { name: string, value: AddressPart | null }} */
function readPair(pair) {
  const at = pair.indexOf('=');
  if (at < 0) return { name: pair, value: null };
  const name = pair.slice(0, at);
  const raw = pair.slice(at + 1);
  const shown = decodePercent(name.replaceAll('+', ' '));
  const value = decodePercent(raw.replaceAll('+', ' '));
  const leaf = new Leaf({ place: 'query', name: shown, label: `the query parameter ${shown}`, value });
  return { name, value: { raw, leaf } };
}

/** Without a token it keeps the encoding of its client. @type {(part: AddressPart) => string} */
function written({ leaf, raw }) {
  return leaf.isReplaced ? leaf.written(encodePercent) : raw;
}

/**
 * @typedef {RequestPart<Record<string, any>> & { implies: (name: string, value: string) => boolean }} BodyPart implies:
 *   the operation sends this field without being told
 */

/** Levels of JSON that are read as a value. */
const DEEPEST = 100;
/** Pairs in the characters that clients leave as they are: curl -d sends any text with the type of a form. */
const [FORM_NAME, FORM_VALUE] = ['+', '*'].map((times) => `[\\w.~!*'()%+\\-[\\]:;,@/?$]${times}`);
const FORM_TEXT = new RegExp(`^${FORM_NAME}=${FORM_VALUE}(?:&${FORM_NAME}=${FORM_VALUE})*$`);
const FORM = 'application/x-www-form-urlencoded';
const NONE = /** @type {BodyPart} */ ({ leaves: [], written: () => ({}), implies: () => false });

/**
 * Reads the body of a request as the property of an operation that sends it again: `json`, `form`, `formData`, or
 * `body`. `entity` is the collection of its URL.
 * @type {(request: RecordedRequest, entity: string) => BodyPart}
 */
export function readBody(request, entity) {
  const { body } = request;
  if (body.length === 0) return NONE;
  const type = fieldOf(request, 'content-type');
  const text = body.toString('utf8');
  if (!isPlainText(text) || !isUtf8(body))
    return /^multipart\/form-data/i.test(type) ? (multipart(request, type) ?? bytes(body)) : bytes(body);
  if (/[/+]json\b/i.test(type) || (type === '' && /^\s*[[{]/.test(text)))
    return json(text, type, entity) ?? plain(text);
  if (type.toLowerCase().startsWith(FORM)) return form(text) ?? plain(text);
  if (/^multipart\/form-data/i.test(type)) return multipart(request, type) ?? plain(text);
  return plain(text);
}

/** @type {(body: Buffer) => BodyPart} */
function bytes(body) {
  return { leaves: [], written: () => ({ body: new Uint8Array(body) }), implies: () => false };
}

/** @type {(text: string) => BodyPart} */
function plain(text) {
  const leaf = new Leaf({ place: 'text', name: '', label: 'the body', value: text });
  return { leaves: [leaf], written: () => ({ body: leaf.written() }), implies: () => false };
}

/**
 * Null: as a value it would not be sent again as it was, or means something else in a flow.
 * @type {(text: string, type: string, entity: string) => BodyPart | null}
 */
function json(text, type, entity) {
  const value = jsonIn(text);
  if (isDeeper(value, DEEPEST)) return null;
  // Long numbers would lose digits; `json: true` and `json: null` mean something else in a flow.
  if (/\d{16}|__proto__/.test(text) || typeof value === 'boolean' || value === null || value === undefined) return null;
  /** @type {Leaf[]} */
  const leaves = [];
  const isPlainType = type === '' || /^application\/json\s*(?:;\s*charset=utf-8)?$/i.test(type);
  const tree = readTree(value, { path: '$', name: '', entity }, leaves);
  return {
    leaves,
    written: () => ({ json: writeTree(tree) }),
    implies: (name) => name === 'content-type' && isPlainType,
  };
}

/** @type {(value: any, most: number) => boolean} */
function isDeeper(value, most) {
  if (typeof value !== 'object' || value === null) return false;
  return most === 0 || Object.values(value).some((inner) => isDeeper(inner, most - 1));
}

/**
 * Copies a JSON value with a leaf for each text and number.
 * @type {(value: any, at: { path: string, name: string, entity: string }, leaves: Leaf[]) => any}
 */
function readTree(value, { path, name, entity }, leaves) {
  if (typeof value === 'string' || typeof value === 'number') {
    const leaf = new Leaf({ place: 'json', name, entity, label: `${path} of the JSON`, value });
    leaves.push(leaf);
    return leaf;
  }
  if (Array.isArray(value))
    return value.map((item, i) => readTree(item, { path: `${path}[${i}]`, name, entity: name || entity }, leaves));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [
      key,
      readTree(item, { path: `${path}.${key}`, name: key, entity: name || entity }, leaves),
    ]),
  );
}

/** @type {(tree: any) => any} */
function writeTree(tree) {
  if (tree instanceof Leaf) return tree.jsonValue;
  if (Array.isArray(tree)) return tree.map(writeTree);
  if (typeof tree !== 'object' || tree === null) return tree;
  return Object.fromEntries(Object.entries(tree).map(([key, item]) => [key, writeTree(item)]));
}

/** Null: it is no form, or a name occurs twice. @type {(text: string) => BodyPart | null} */
function form(text) {
  if (!FORM_TEXT.test(text)) return null;
  const pairs = [...new URLSearchParams(text)];
  const names = new Set(pairs.map(([name]) => name));
  if (pairs.length === 0 || names.size < pairs.length || names.has('__proto__')) return null;
  const fields = pairs.map(([name, value]) => ({
    name,
    leaf: new Leaf({ place: 'form', name, label: `the form field ${name}`, value }),
  }));
  return {
    leaves: fields.map(({ leaf }) => leaf),
    written: () => ({ form: Object.fromEntries(fields.map(({ name, leaf }) => [name, leaf.written()])) }),
    implies: (name) => name === 'content-type',
  };
}

/** Reads RFC 7578; null: the body is malformed. @type {(request: RecordedRequest, type: string) => BodyPart | null} */
function multipart({ body, bodyLacks }, type) {
  const [, quoted, bare] = /boundary=(?:"([^"]+)"|([^\s;]+))/i.exec(type) ?? [];
  const boundary = quoted ?? bare;
  if (boundary === undefined) return null;
  const text = body.toString('latin1');
  const parts = text.split(new RegExp(`(?:^|\\r\\n)--${escaped(boundary)}(?:--)?[ \\t]*(?:\\r\\n|$)`)).slice(1, -1);
  const read = parts.map(readPart);
  if (read.length === 0 || read.some((part) => part === null)) return null;
  const all = /** @type {FormPart[]} */ (read);
  return {
    leaves: all.flatMap(({ leaf }) => leaf ?? []),
    written: () => ({ formData: writeParts(all, bodyLacks !== undefined) }),
    implies: (name) => name === 'content-type',
  };
}

/** @typedef {{ name: string, filename?: string, contentType?: string, leaf: Leaf | null, content: Buffer }} FormPart */

/** @type {(part: string) => FormPart | null} */
function readPart(part) {
  const end = part.indexOf('\r\n\r\n');
  const head = Buffer.from(part.slice(0, Math.max(0, end)), 'latin1').toString('utf8');
  const name = /content-disposition:[^\r\n]*?[;\s]name="([^"]*)"/i.exec(head)?.[1];
  if (end < 0 || name === undefined || name === '__proto__') return null;
  const filename = /content-disposition:[^\r\n]*?[;\s]filename="([^"]*)"/i.exec(head)?.[1];
  const contentType = /^content-type:\s*([^\r\n]+)/im.exec(head)?.[1].trim();
  const content = Buffer.from(part.slice(end + 4), 'latin1');
  const isText = filename === undefined && isUtf8(content);
  const value = content.toString('utf8');
  const leaf = isText ? new Leaf({ place: 'part', name, label: `the form field ${name}`, value }) : null;
  return { name, filename, contentType, leaf, content };
}

/** @type {(parts: FormPart[], lacksFiles: boolean) => Record<string, any>} */
function writeParts(parts, lacksFiles) {
  /** @type {Map<string, any[]>} */
  const byName = new Map();
  for (const part of parts) {
    const all = byName.get(part.name) ?? [];
    all.push(writePart(part, lacksFiles));
    byName.set(part.name, all);
  }
  return Object.fromEntries([...byName].map(([name, all]) => [name, all.length === 1 ? all[0] : all]));
}

/** @type {(part: FormPart, lacksFiles: boolean) => any} */
function writePart({ filename, contentType, leaf, content }, lacksFiles) {
  if (lacksFiles && filename && content.length === 0) return { file: filename, ...(contentType && { contentType }) };
  const value = leaf?.written() ?? (isUtf8(content) ? content.toString('utf8') : new Uint8Array(content));
  if (filename === undefined && contentType === undefined && typeof value === 'string') return value;
  return {
    value,
    ...(filename !== undefined && { filename }),
    ...(contentType && { contentType }),
  };
}

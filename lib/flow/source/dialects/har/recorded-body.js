import { typeName } from '../../../../text/format-value.js';
import { isObject } from '../../../record.js';
import { refuseField } from '../../../request-fields.js';

/**
 * @import { RecordedEntry } from './recorded-entry.js'
 * @import { RecordingContext } from './recorded-operation.js'
 *
 * @typedef {object} RecordedBody the body of an operation
 * @property {Buffer} [body]
 * @property {Record<string, object[]>} [formData]
 * @property {string | null} [contentType] used if the recorded fields have none; null: the body decides, not the recorded field
 */

/** what a flow may read as a token */
const TOKEN = /#[{<]/;
const FORM = 'application/x-www-form-urlencoded';

/**
 * Translates `postData`: its text, or else its parameters. Bytes have no tokens. No file is ever read: a parameter with
 * the name of a file has the content that was recorded, if any.
 *
 * @param {RecordedEntry} entry
 * @param {RecordingContext} context
 * @returns {RecordedBody}
 */
export function recordedBody({ path: at, request: { postData, bodySize } }, { problems, leftOut }) {
  const path = `${at}.request.postData`;
  if (postData !== undefined && postData !== null && !isObject(postData)) {
    problems.add(path, `expected an object, got ${typeName(postData)}`);
    return {};
  }
  const { text, params, mimeType, encoding } = postData ?? {};
  if (typeof text === 'string' && text !== '') {
    const isBase64 = encoding === 'base64';
    if (isBase64 && !hasOnlyBase64(text))
      problems.add(`${path}.text`, 'is not base64, as encoding says; remove this entry, or export the recording again');
    return { body: Buffer.from(text, isBase64 ? 'base64' : 'utf8'), ...typeOf(mimeType) };
  }
  if (params !== undefined && !isParams(params)) {
    problems.add(
      `${path}.params`,
      'expected an array of { name, value }; remove this entry, or export the recording again',
    );
    return {};
  }
  if (params?.length > 0) return bodyOf(params, mimeType, (i, reason) => problems.add(`${path}.params[${i}]`, reason));
  if (bodySize > 0) leftOut.add('body', at);
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
  const pairs = params.map(({ name, value = '' }) => [name, String(value)]);
  return { body: Buffer.from(String(new URLSearchParams(pairs))), contentType: FORM, ...typeOf(mimeType) };
}

/** @type {(params: any[], complain: (i: number, reason: string) => void) => Record<string, object[]>} */
function partsOf(params, complain) {
  /** @type {Map<string, object[]>} */
  const parts = new Map();
  for (const [i, { name, value = '', fileName, contentType }] of params.entries()) {
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

/** Decoding ignores all other characters. @type {(text: string) => boolean} */
function hasOnlyBase64(text) {
  const digits = text.replace(/[\s=]+/g, '').length;
  return Buffer.from(text, 'base64').length === Math.floor((digits * 3) / 4) && digits % 4 !== 1;
}

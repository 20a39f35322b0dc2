import { isUtf8 } from 'node:buffer';
import { relative, resolve } from 'node:path';

import { isOutside } from '../../../core/process/confinement.js';
import { FileRefusal, readRegularFile } from '../../../core/process/read-file.js';
import { decodePercent, encodeReserved } from '../../../core/text/decode.js';
import { MARKS, mapAroundVariables } from './marks.js';

/** @import { CurlContext } from './operation.js' */
/** @import { CurlRequest } from './flags.js' */

export const FORM = 'application/x-www-form-urlencoded';
const JSON_TYPE = 'application/json';
/** Bytes of a file whose text is written into the flow. */
const MAX_BYTES = 1024 * 1024;

/**
 * Translates the data of a request to the body of an operation: `json` and `form` where these send the same bytes, else
 * `body`. `contentType` and `accept` are those fields, unless the command or the body itself has them.
 * @type {(request: CurlRequest, context: CurlContext, comments: string[]) => Record<string, any>}
 */
export function bodyOf(request, context, comments) {
  const { data, uploads } = request;
  if (uploads.length > 0) return uploadOf(request, context, comments);
  const sent = data.filter(({ kind }) => kind !== 'query');
  if (sent.length === 0) return {};
  const [{ kind, text }] = sent;
  const givenType = typeIn(request);
  const ownType = sent.some((one) => one.kind === 'json') ? JSON_TYPE : FORM;
  const type = givenType === undefined ? ownType : givenType;
  if (sent.length === 1 && isSentAsFile(sent[0], context))
    return {
      body: { file: context.pathInFlow(text.slice(1)) },
      ...(givenType === undefined && { contentType: type }),
      ...(kind === 'json' && { accept: JSON_TYPE }),
    };
  return bodyOfText(joined(sent, request, context, comments), { type, givenType, isJson: kind === 'json' }, comments);
}

/** @type {typeof bodyOf} */
function uploadOf({ uploads: [path], input }, { pathInFlow }, comments) {
  if (path !== '-' && path !== '.') return { body: { file: pathInFlow(path) }, contentType: null };
  if (input === undefined) comments.push('the upload is standard input, which is not in the command: write its body');
  return { body: input ?? '', contentType: null };
}

/**
 * Reports whether a piece is a file whose bytes are sent unchanged: -d removes line ends.
 * @type {(piece: CurlRequest['data'][number], context: CurlContext) => boolean}
 */
function isSentAsFile({ kind, text }, context) {
  if (!text.startsWith('@') || text === '@-' || kind === 'raw' || kind === 'urlencode') return false;
  return kind !== 'data' || !hasLineEnds(text.slice(1), context);
}

/**
 * Writes the data that is sent in the query of the URL: that of --url-query, and with -G all data.
 * @type {(request: CurlRequest, context: CurlContext, comments: string[]) => string}
 */
export function queryOf(request, context, comments) {
  const inQuery = request.data.filter(({ kind }) => kind === 'query' || request.set.has('get'));
  return inQuery
    .map(({ kind, text }) =>
      kind === 'query' && text.startsWith('+')
        ? text.slice(1)
        : pieceText({ kind: kind === 'query' ? 'urlencode' : kind, text }, request, context, comments),
    )
    .join('&');
}

/** @type {(request: Pick<CurlRequest, 'headers'>) => string | null | undefined} null: the command removes it */
function typeIn({ headers }) {
  const line = headers.find((one) => /^content-type\s*[:;]/i.test(one));
  const value = line?.replace(/^[^:;]*[:;]/, '').trim();
  return value === '' ? null : value;
}

/** @type {(path: string, context: CurlContext) => boolean} */
function hasLineEnds(path, { folder }) {
  const text = readText(path, folder);
  return text !== null && /[\r\n\0]/.test(text);
}

/** Reads a text in UTF-8; null if it cannot be read. @type {(path: string, folder: string) => string | null} */
function readText(path, folder) {
  try {
    const bytes = readRegularFile(resolve(folder, path), { maxBytes: MAX_BYTES });
    return isUtf8(bytes) ? bytes.toString() : null;
  } catch (error) {
    if (error instanceof FileRefusal) return null;
    throw error;
  }
}

/**
 * Joins the pieces of a body as curl does.
 * @type {(pieces: CurlRequest['data'], request: CurlRequest, context: CurlContext, comments: string[]) => string}
 */
function joined(pieces, request, context, comments) {
  return pieces.reduce((text, piece, i) => {
    const separator = i === 0 || piece.kind === 'json' ? '' : '&';
    return text + separator + pieceText(piece, request, context, comments);
  }, '');
}

/**
 * Returns what curl sends for a piece of data, which may name a file or standard input (`@-`).
 * @type {(piece: CurlRequest['data'][number], request: CurlRequest, context: CurlContext, comments: string[]) =>
 *   string}
 */
function pieceText({ kind, text }, { input }, { folder }, comments) {
  const contentOf = (/** @type {string} */ path) => {
    const found = path === '-' ? input : readText(path, folder);
    if (found === undefined) comments.push('the body is standard input, which is not in the command: write it');
    else if (found === null) comments.push(`${path} cannot be read, or is not text: write its content`);
    else if (path !== '-' && isOutside(relative(folder, resolve(folder, path))))
      comments.push(`the content of ${path}, which is outside of the folder, is in the flow`);
    return found ?? '';
  };
  if (kind === 'urlencode') {
    const [, name = '', sign = '', content = text] = /^([^=@]*)([=@])(.*)$/s.exec(text) ?? [];
    const value = encode(sign === '@' ? contentOf(content) : content).replaceAll('%20', '+');
    return name === '' ? value : `${name}=${value}`;
  }
  if (kind === 'raw' || !text.startsWith('@')) return text;
  const content = contentOf(text.slice(1));
  return kind === 'data' ? content.replace(/[\r\n\0]/g, '') : content;
}

/** Percent-encodes as curl does; variables stay. @type {(text: string) => string} */
function encode(text) {
  return mapAroundVariables(text, encodeReserved);
}

/**
 * Writes a text as the body of an operation. `type` is what curl sends, null if the command removes it; `givenType` is
 * that of -H; `isJson`: the command has --json.
 * @type {(text: string, facts: { type: string | null, givenType: string | null | undefined, isJson: boolean },
 *   comments: string[]) => Record<string, any>}
 */
function bodyOfText(text, { type, givenType, isJson }, comments) {
  const isGiven = givenType !== undefined;
  if (type !== null && /^application\/(?:[\w.-]+\+)?json\s*(?:;|$)/i.test(type)) {
    const json = parsed(text);
    // `json` of an operation sends Accept: application/json, as --json does; other data of curl is sent with */*.
    if (json !== undefined && typeof json !== 'boolean') return { json, ...(!isJson && { accept: '*/*' }) };
    return { body: text, ...(!isGiven && { contentType: type, accept: type }) };
  }
  if (type !== null && type.toLowerCase().startsWith(FORM)) {
    const form = pairsOf(text);
    if (form !== undefined) return { form };
    if (/^\s*[[{]/.test(text) && !isGiven)
      comments.push('curl sends -d as a form unless -H names another type: is application/json meant?');
    return { body: text, ...(!isGiven && { contentType: type }) };
  }
  return { body: text };
}

/** Parses JSON that is written as `json` would write it. @type {(text: string) => unknown} */
function parsed(text) {
  try {
    const value = JSON.parse(text);
    return JSON.stringify(value) === text ? value : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Reads the pairs of a form: an object if `form` would write it in the same way, the text itself if it has another
 * encoding, undefined if it is none.
 * @type {(text: string) => Record<string, string> | string | undefined}
 */
function pairsOf(text) {
  const pairs = text.split('&').map((pair) => /^([^=]+)=(.*)$/s.exec(pair));
  if (!pairs.every((pair) => pair !== null)) return undefined;
  const decoded = pairs.map(([, name, value]) => /** @type {const} */ ([decodePercent(name), decodePercent(value)]));
  const names = new Set(decoded.map(([name]) => name));
  const isSame =
    names.size === pairs.length &&
    // An object would have these in front of the others.
    ![...names].some((name) => /^\d+$/.test(name)) &&
    decoded.map(([name, value]) => `${encode(name)}=${encode(value)}`).join('&') === text;
  if (isSame) return Object.fromEntries(decoded);
  return /^[\w%+.~*'()!,:;@/?$=&[\]-]*$/.test(text.replace(MARKS, '')) ? text : undefined;
}

/** The types that curl knows by the extension of a file. */
const CURL_TYPES = /\.(?:gif|jpe?g|png|svg|txt|html?|pdf|xml)$/i;
const BYTES = 'application/octet-stream';

/**
 * Translates -F: the parts of `formData`.
 * @type {(request: CurlRequest, context: CurlContext, comments: string[]) => { formData?: Record<string, any> }}
 */
export function formDataOf({ form }, context, comments) {
  /** @type {Map<string, any[]>} */
  const parts = new Map();
  let last = '';
  for (const { text, isString } of form) {
    const [, name, content] = /^([^=]*)=(.*)$/s.exec(text) ?? [];
    if (name === undefined) {
      comments.push('a -F is not name=content');
      continue;
    }
    const same = parts.get(name);
    if (same && last !== name) comments.push(`the parts named ${name} are sent one after the other`);
    last = name;
    parts.set(name, [...(same ?? []), isString ? content : partOf(content, context, comments)]);
  }
  if (parts.size === 0) return {};
  return {
    formData: Object.fromEntries([...parts].map(([name, values]) => [name, values.length === 1 ? values[0] : values])),
  };
}

/** @type {(content: string, context: CurlContext, comments: string[]) => unknown} */
function partOf(content, { pathInFlow, folder }, comments) {
  const sign = /^[@<]/.exec(content)?.[0] ?? '';
  const { value, options } = splitPart(content.slice(sign.length));
  const { type, filename, ...others } = options;
  for (const name of Object.keys(others)) comments.push(`;${name}= of -F has no equivalent`);
  const named = { ...(filename !== undefined && { filename }), ...(type !== undefined && { contentType: type }) };
  if (sign === '@') return { file: pathInFlow(value), ...bytesType(filename ?? value), ...named };
  const text = sign === '<' ? readText(value, folder) : value;
  if (text === null) comments.push(`${value} cannot be read, or is not text: write its content`);
  return Object.keys(named).length === 0 ? (text ?? '') : { value: text ?? '', ...named };
}

/** The type of a file that curl does not know by its name. @type {(name: string) => { contentType?: string }} */
function bytesType(name) {
  return !CURL_TYPES.test(name) && /\.\w+$/.test(name) ? { contentType: BYTES } : {};
}

/**
 * `a.txt;type=text/plain`, or `"a;b.txt"`; a quote without its pair is a character.
 * @type {(text: string) => { value: string, options: Record<string, string> }}
 */
function splitPart(text) {
  const words = [...text.matchAll(/(?:^|;)\s*((?:"(?:[^"\\]|\\.)*"|[^;"]|"(?![^"]*"))*)/gs)].map(([, word]) => word);
  const [value = '', ...rest] = words;
  /** @type {Record<string, string>} */
  const options = {};
  for (const word of rest) {
    const [, name, given] = /^\s*(type|filename|headers|encoder)=(.*)$/is.exec(word) ?? [];
    // A type may have parameters: text/plain; charset=utf-8
    if (name === undefined && options.type !== undefined) options.type += `;${word}`;
    else if (name !== undefined) options[name.toLowerCase()] = unquoted(given);
  }
  return { value: unquoted(value), options };
}

/** @type {(text: string) => string} */
function unquoted(text) {
  const [, inner] = /^"(.*)"$/s.exec(text.trim()) ?? [];
  return inner === undefined ? text : inner.replace(/\\(["\\])/g, '$1');
}

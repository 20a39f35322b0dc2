import { pathInFlow } from '../draft.js';
import { fieldNameIn, rawBody } from '../postman/request.js';

/** @import { ImportOptions } from '../../contracts/import.js' */

/** A body that is a file: `< ./a.json`, `<@latin1 ./a.txt`. */
const FILE = /^<(?:@\w*)?\s+(\S[^\n]*)$/;
const GRAPHQL_FIELD = 'x-request-type';

/**
 * Translates the lines of a body; removes fields of `headers` that it implies.
 * @type {(lines: string[], headers: Record<string, any>, context: { isGraphql: boolean, filled: (text: string) =>
 *   string, options: ImportOptions }) => Record<string, any>}
 */
export function bodyOf(lines, headers, { isGraphql, filled, options }) {
  const text = lines.join('\n').replace(/^\n+|\s+$/g, '');
  const [, file] = FILE.exec(text) ?? [];
  if (file !== undefined) return { body: { file: pathInFlow(file, options) } };
  const marked = fieldNameIn(headers, GRAPHQL_FIELD);
  if (isGraphql || (marked !== undefined && /^graphql$/i.test(headers[marked]))) {
    if (marked !== undefined) delete headers[marked];
    return rawBody(graphqlText(text), 'json', filled, headers);
  }
  const typeName = fieldNameIn(headers, 'content-type');
  const type = typeName === undefined ? '' : String(headers[typeName]);
  if (/^application\/x-www-form-urlencoded/i.test(type))
    return text === '' ? {} : { form: filled(text.replace(/\n\s*/g, '')) };
  const [, boundary] = /^multipart\/form-data\b.*;\s*boundary="?([^";\s]+)/i.exec(type) ?? [];
  const parts = boundary === undefined ? undefined : partsOf(text, boundary, { filled, options });
  if (typeName === undefined || parts === undefined) return rawBody(text, undefined, filled, headers);
  delete headers[typeName];
  return { formData: parts };
}

/** The query, and below it the variables as JSON. @type {(text: string) => string} */
function graphqlText(text) {
  const [, query = text, variables] = /^(.*?)\n\s*\n(\{.*\})\s*$/s.exec(text) ?? [];
  return `{"query":${JSON.stringify(query.trim())}${variables === undefined ? '' : `,"variables":${variables}`}}`;
}

/**
 * Reads the parts of a form; undefined if one has no name.
 * @type {(text: string, boundary: string, context: { filled: (text: string) => string, options: ImportOptions }) =>
 *   Record<string, any> | undefined}
 */
function partsOf(text, boundary, { filled, options }) {
  /** @type {Record<string, any>} */
  const form = Object.create(null);
  for (const part of text.split(`--${boundary}`).slice(1)) {
    if (part.startsWith('--')) break;
    const [head, ...rest] = part.replace(/^\n/, '').split(/\n[ \t]*\n/);
    const content = rest.join('\n\n').replace(/\n$/, '');
    const [, name] = /\bname="([^"]*)"/i.exec(head) ?? [];
    const [, filename] = /\bfilename="([^"]*)"/i.exec(head) ?? [];
    const [, contentType] = /^content-type:\s*(.+?)\s*$/im.exec(head) ?? [];
    if (name === undefined) return undefined;
    const [, file] = FILE.exec(content.trim()) ?? [];
    const about = { ...(filename !== undefined && { filename }), ...(contentType && { contentType }) };
    const plain = Object.keys(about).length === 0 ? filled(content) : { value: filled(content), ...about };
    const value = file === undefined ? plain : { file: pathInFlow(file, options), ...about };
    form[name] = form[name] === undefined ? value : [form[name], value].flat();
  }
  return Object.keys(form).length > 0 ? { ...form } : undefined;
}

/**
 * Credentials as the REST client encodes them: `Basic user password`, `Digest user password`.
 * @type {(headers: Record<string, any>) => { auth?: Record<string, any>, headers: Record<string, any> }}
 */
export function authOf(headers) {
  const name = fieldNameIn(headers, 'authorization');
  const [, scheme, user, pass] =
    /^(Basic|Digest)\s+([^\s:]+)(?:\s+|:)(\S+)$/i.exec(name === undefined ? '' : headers[name]) ?? [];
  if (name === undefined || user === undefined) return { headers };
  const { [name]: _, ...rest } = headers;
  return { auth: { user, pass, ...(/^digest$/i.test(scheme) && { sendImmediately: false }) }, headers: rest };
}

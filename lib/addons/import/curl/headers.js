import { TOKEN as FIELD_NAME } from '../../../core/http/field-values.js';
import { FORM } from './body.js';
import { mapAroundVariables } from './marks.js';

/** @import { CurlRequest } from './flags.js' */
/** @import { CurlContext } from './operation.js' */

/** Cookies beyond so many are one field. */
const MOST_COOKIES = 3;

/**
 * Translates the header fields and cookies of a request. curl's own fields `User-Agent` and `Accept` are left out: a
 * request without Accept means the same.
 * @type {(request: CurlRequest, body: Record<string, any>, context: Pick<CurlContext, 'jars'>, comments: string[]) => {
 *   headers?: Record<string, any>, cookies?: Record<string, string> }}
 */
export function headersOf(request, body, { jars }, comments) {
  /** @type {Map<string, { name: string, value: any }>} */
  const fields = new Map();
  /** @type {(name: string, value: any) => void} */
  const add = (name, value) => {
    const known = fields.get(name.toLowerCase());
    if (known && value !== null) known.value = [known.value, value].flat();
    else fields.set(name.toLowerCase(), { name, value });
  };
  for (const line of request.headers) addLine(line, add, comments);
  const { agent, range } = request.values;
  // `;auto` sends the URL before a redirect, and the first request has no such URL.
  const referer = request.values.referer?.replace(/;auto$/, '');
  if (agent && !fields.has('user-agent')) add('User-Agent', agent);
  if (referer && !fields.has('referer')) add('Referer', referer);
  if (range && !fields.has('range')) add('Range', `bytes=${range.replace(/^\d+$/, '$&-')}`);
  if (body.contentType !== undefined && !fields.has('content-type')) add('Content-Type', body.contentType);
  if (body.accept !== undefined && !fields.has('accept')) add('Accept', body.accept);
  dropImplied(fields, body);
  const cookies = cookiesOf(request, fields, { jars, comments });
  const entries = [...fields.values()].filter(({ name, value }) => value !== null || isSentBy(name, body));
  return {
    ...(entries.length > 0 && { headers: Object.fromEntries(entries.map(({ name, value }) => [name, value])) }),
    ...(cookies && { cookies }),
  };
}

/** @type {(line: string, add: (name: string, value: any) => void, comments: string[]) => void} */
function addLine(line, add, comments) {
  if (line.startsWith('@')) {
    comments.push(`the header fields of the file ${line.slice(1)} are not read: write them`);
    return;
  }
  const [, name = '', sign, text = ''] = /^([^:;]*)([:;])(.*)$/s.exec(line) ?? [];
  if (!FIELD_NAME.test(name)) {
    comments.push(
      `the header field ${line.includes(':') ? JSON.stringify(line.replace(/:.*$/s, '')) : 'without a colon'} cannot be sent`,
    );
    return;
  }
  const value = text.trim();
  // curl sends an empty field for `Name;`, and removes its own field for `Name:`.
  if (sign === ';') add(name, value === '' ? '' : text);
  else if (value === '') add(name, null);
  else if (!/^content-length$/i.test(name)) add(name, bytesOf(value.replace(/[\r\n]+\s*/g, ' ')));
}

/** curl sends UTF-8; a field of a flow has one character for each byte. @type {(value: string) => string} */
function bytesOf(value) {
  return mapAroundVariables(value, (part) => Buffer.from(part).toString('latin1'));
}

/** Drops types that the body sets. @type {(fields: Map<string, { value: any }>, body: Record<string, any>) => void} */
function dropImplied(fields, body) {
  const type = fields.get('content-type')?.value;
  if (body.json !== undefined && type === 'application/json') fields.delete('content-type');
  if (body.form !== undefined && type === FORM) fields.delete('content-type');
  if (body.formData !== undefined && /^multipart\/form-data\s*$/i.test(type)) fields.delete('content-type');
  if (body.json !== undefined && fields.get('accept')?.value === 'application/json') fields.delete('accept');
}

/** A field that the command removes, and the body sets. @type {(name: string, body: Record<string, any>) => boolean} */
function isSentBy(name, body) {
  if (/^content-type$/i.test(name))
    return body.json !== undefined || body.form !== undefined || body.body?.file !== undefined;
  return /^accept$/i.test(name) && body.json !== undefined;
}

/**
 * @type {(request: CurlRequest, fields: Map<string, { name: string, value: any }>, context: { jars: Set<string>,
 *   comments: string[] }) => Record<string, string> | undefined}
 */
function cookiesOf(request, fields, { jars, comments }) {
  const files = request.cookies.filter((text) => !text.includes('=') && !jars.has(text));
  for (const file of files) if (file !== '') comments.push(`the cookies of the file ${file} are not read: write them`);
  const texts = request.cookies.filter((text) => text.includes('='));
  const own = fields.get('cookie')?.value;
  // curl sends one of them: -H replaces the field of -b.
  const text = typeof own === 'string' ? own : texts.length > 0 ? texts.join('; ') : undefined;
  if (text === undefined) return undefined;
  const pairs = text.split('; ').map((pair) => /^([^=;\s]+)=([^;]*)$/.exec(pair));
  const names = new Set(pairs.map((pair) => pair?.[1]));
  const isPlain = pairs.length <= MOST_COOKIES && !names.has(undefined) && names.size === pairs.length;
  if (!isPlain) {
    fields.set('cookie', { name: 'Cookie', value: text });
    return undefined;
  }
  fields.delete('cookie');
  return Object.fromEntries(pairs.map((pair) => /** @type {RegExpExecArray} */ (pair).slice(1, 3)));
}

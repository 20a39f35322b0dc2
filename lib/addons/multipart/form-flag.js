import { InvalidArgumentError } from 'commander';

/** The flag -F: a field of a form, in the words of curl. */

/** @type {(text: string, earlier?: [name: string, value: unknown][]) => [name: string, value: unknown][]} */
export function read(text, earlier = []) {
  return [...earlier, ...formField(text)];
}

/** @type {NonNullable<import('../../core/cli/types.js').UrlFlag['propertiesOf']>} */
export function propertiesOf(fields, { body, contentType }, usageError) {
  if (body !== undefined) throw usageError('use either -b or -F: one request has one body');
  if (contentType !== undefined)
    throw usageError("-F is multipart/form-data, without -T; for an urlencoded form write -b 'a=1&b=2' -T form");
  return { formData: byName(fields) };
}

/** Fields of one name are joined. @type {(fields: [name: string, value: unknown][]) => Record<string, unknown>} */
function byName(fields) {
  /** @type {Map<string, unknown[]>} */
  const all = new Map();
  for (const [name, value] of fields) all.set(name, [...(all.get(name) ?? []), value]);
  return Object.fromEntries(all);
}

/** Semicolons outside of quotes. */
const SEMICOLON = /;(?=(?:[^"]*"[^"]*")*[^"]*$)/;
const OPTION = /^\s*(type|filename)=(.*)$/s;
/** @type {Record<string, string>} */
const PROPERTY = { type: 'contentType', filename: 'filename' };

/**
 * Reads a field of `formData` as curl does: `name=value`, `name=@file`, both with `;type=…` and `;filename=…`; or the
 * form of autocannon, a JSON object.
 * @throws {InvalidArgumentError}
 * @type {(text: string) => [name: string, value: unknown][]}
 */
export function formField(text) {
  if (text.startsWith('{')) return formOfJson(text);
  const [, name, rest] = /^([^=]+)=(.*)$/s.exec(text) ?? [];
  if (name === undefined)
    throw new InvalidArgumentError("Expected 'name=value' or 'name=@file'. A body as it is sent is -b.");
  const { content, options } = splitOptions(rest);
  if (content.startsWith('@') && !content.startsWith('@@')) {
    const file = unquoted(content.slice(1));
    if (file === '' || file === '-') throw new InvalidArgumentError("Expected the path of a file in 'name=@file'.");
    return [[name, { file, ...options }]];
  }
  const value = content.startsWith('@@') ? content.slice(1) : content;
  return [[name, Object.keys(options).length > 0 ? { value, ...options } : value]];
}

/**
 * Splits the options. A parameter of a media type belongs to the type before it.
 * @type {(text: string) => { content: string, options: Record<string, string> }}
 */
function splitOptions(text) {
  const pieces = text.split(SEMICOLON);
  const first = pieces.findIndex((piece, i) => i > 0 && OPTION.test(piece));
  if (first < 0) return { content: text, options: {} };
  /** @type {Record<string, string>} */
  const options = {};
  let last = '';
  for (const piece of pieces.slice(first)) {
    const [, key, value] = OPTION.exec(piece) ?? [];
    if (key === undefined) options[last] += `;${piece}`;
    else {
      last = PROPERTY[key];
      options[last] = unquoted(value);
    }
  }
  return { content: pieces.slice(0, first).join(';'), options };
}

/** @type {(text: string) => string} */
function unquoted(text) {
  return /^"(.*)"$/s.exec(text)?.[1] ?? text;
}

/** @type {(text: string) => [name: string, value: unknown][]} */
function formOfJson(text) {
  let form;
  try {
    form = JSON.parse(text);
  } catch (error) {
    throw new InvalidArgumentError(`The form is not JSON: ${/** @type {Error} */ (error).message}.`);
  }
  return Object.entries(form).map(([name, part]) => [name, partOf(part)]);
}

/** `{ type: 'file', path, options }` and `{ type: 'text', value }` are of autocannon. @type {(part: any) => unknown} */
function partOf(part) {
  if (part?.type === 'text') return part.value;
  if (part?.type !== 'file') return part;
  const { filepath, ...options } = part.options ?? {};
  return { file: part.path, ...options, ...(filepath !== undefined && { filename: filepath }) };
}

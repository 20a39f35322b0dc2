import { InvalidArgumentError } from 'commander';

import { offered } from '../../ground/addons.js';
import { TOKEN } from '../../http/field-values.js';
import { CommonOption } from '../program.js';
import { usageError } from '../usage-error.js';
import { secretParser } from './argument-parser.js';

/** @import { RequestProperties } from '../../flow/source/types.js' */
/** @import { HelpPlace } from '../../run/options/types.js' */
/** @import { UrlFlag } from '../types.js' */
/** @import { Command } from 'commander' */

/** @type {Record<string, string>} */
export const CONTENT_TYPES = {
  json: 'application/json',
  form: 'application/x-www-form-urlencoded',
  text: 'text/plain',
};
const MEDIA_TYPE = /^[^\s/;]+\/[^\s/;]+(?:\s*;.*)?$/;

const HEADER = '-H, --header <field>';

/**
 * The flags of requests: a header of all, and properties of the request of a URL.
 * @type {{ flag: string, inHelp?: HelpPlace, about: string, read: (text: string, earlier?: any) => unknown }[]}
 */
const REQUEST_FLAGS = [
  {
    flag: HEADER,
    inHelp: 'short',
    about: "a header for every operation, 'Name: value' or name=value; repeatable",
    read: secretParser(HEADER, readHeader),
  },
  { flag: '-m, --method <name>', about: 'method of a URL (default: GET, or POST with a body)', read: readMethod },
  {
    flag: '-b, --body <text>',
    inHelp: 'short',
    about: 'body of a URL, or @file; @@ for a text that begins with @',
    read: readBody,
  },
  {
    flag: '-T, --content-type <type>',
    inHelp: 'common',
    about: `Content-Type of a URL; for short: ${Object.keys(CONTENT_TYPES).join(', ')}`,
    read: readType,
  },
  {
    flag: '-F, --form <field>',
    inHelp: 'common',
    about: "multipart/form-data of a URL: 'name=value' or 'name=@file;type=…;filename=…'; repeatable",
    read: secretParser('-F, --form <field>', (text, earlier = []) => [...earlier, ...formField(text)]),
  },
  {
    flag: '--expect-body <text>',
    about: 'body that every response of a URL must have; another one is an error of the kind expect',
    read: String,
  },
];

/** @type {UrlFlag[]} */
const OFFERED = offered('urlFlags');

/** Flags for a header of all operations, and for the request of a URL. @type {(command: Command) => void} */
export function addRequestFlags(command) {
  for (const { flag, about, inHelp, read } of [...REQUEST_FLAGS, ...OFFERED])
    command.addOption(new CommonOption(flag, about, inHelp).argParser(read));
}

/** Adds the flag for a header to a command without operations. @type {(command: Command, about: string) => void} */
export function addHeaderFlag(command, about) {
  command.addOption(new CommonOption(HEADER, about).argParser(secretParser(HEADER, readHeader)));
}

/** Reports whether an option makes URLs of servers. @type {(name: string) => boolean} */
export function makesUrls(name) {
  return OFFERED.some((row) => row.name === name && row.urlOf !== undefined);
}

/**
 * Returns the URLs of the command line, which a flag of an add-on makes of servers.
 * @throws {Error} E_USAGE
 * @type {(urls: string[], options: Record<string, any>) => string[]}
 */
export function requestedUrls(urls, options) {
  const row = OFFERED.find(({ name, urlOf }) => urlOf && options[name] !== undefined);
  if (row?.urlOf === undefined) return urls;
  const { flag, example, urlOf } = row;
  if (urls.length === 0) throw usageError(`${flag} is for a server: write ${example}`);
  return urls.map((url) => urlOf(url, options[row.name]));
}

/** Undefined: no flag describes the request. @type {(options: Record<string, any>) => RequestProperties | undefined} */
export function requestProperties({ method, body, contentType, form, expectBody, ...others }) {
  if (form && body !== undefined) throw usageError('use either -b or -F: one request has one body');
  if (form && contentType !== undefined)
    throw usageError("-F is multipart/form-data, without -T; for an urlencoded form write -b 'a=1&b=2' -T form");
  /** @type {RequestProperties} */
  const properties = {
    ...((method ?? body ?? form) !== undefined && { method: method ?? 'POST' }),
    ...(contentType !== undefined && { headers: { 'Content-Type': contentType } }),
    ...(body !== undefined && { body }),
    ...(form && { formData: byName(form) }),
    ...(expectBody !== undefined && { expect: { body: expectBody } }),
    ...Object.fromEntries(
      OFFERED.filter(({ name, urlOf }) => !urlOf && others[name] !== undefined).map(({ name }) => [name, others[name]]),
    ),
  };
  return Object.keys(properties).length > 0 ? properties : undefined;
}

/** @type {(text: string, headers?: Record<string, string | string[]>) => Record<string, string | string[]>} */
function readHeader(text, headers = {}) {
  const match = /^([^:=\s]+)\s*[:=]\s*(.*)$/s.exec(text);
  if (!match) throw new InvalidArgumentError("Expected 'Name: value' or name=value.");
  const [, name, value] = match;
  return { ...headers, [name]: Object.hasOwn(headers, name) ? [headers[name], value].flat() : value };
}

/** Fields of one name are joined. @type {(fields: [name: string, value: unknown][]) => Record<string, unknown>} */
function byName(fields) {
  /** @type {Map<string, unknown[]>} */
  const all = new Map();
  for (const [name, value] of fields) all.set(name, [...(all.get(name) ?? []), value]);
  return Object.fromEntries(all);
}

/** @type {(text: string) => string} */
function readMethod(text) {
  // `10s` and `123` are tokens as well, but no methods.
  const isMethod = TOKEN.test(text) && /^[a-z]/i.test(text) && text.toUpperCase() !== 'CONNECT';
  if (isMethod) return text.toUpperCase();
  throw new InvalidArgumentError('Expected a method such as POST. The time limit of a request is --timeout 10s.');
}

/** @type {(text: string) => string | { file: string }} */
function readBody(text) {
  if (!text.startsWith('@')) return text;
  if (text.startsWith('@@')) return text.slice(1);
  if (text === '@' || text === '@-')
    throw new InvalidArgumentError('Expected a text, or @ and the path of a file. A body is not read from stdin.');
  return { file: text.slice(1) };
}

/** @type {(text: string) => string} */
function readType(text) {
  if (Object.hasOwn(CONTENT_TYPES, text)) return CONTENT_TYPES[text];
  if (MEDIA_TYPE.test(text)) return text;
  const names = Object.keys(CONTENT_TYPES).join(', ');
  throw new InvalidArgumentError(
    `Expected a media type such as text/plain, or ${names}. A time limit is --timeout, and a title is --title.`,
  );
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

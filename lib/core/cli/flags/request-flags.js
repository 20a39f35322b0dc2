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
    flag: '--expect-body <text>',
    about: 'body that every response of a URL must have; another one is an error of the kind expect',
    read: String,
  },
];

/** @type {UrlFlag[]} */
const OFFERED = offered('urlFlags').map((/** @type {UrlFlag} */ { isSecret, read, ...row }) => ({
  ...row,
  read: isSecret ? secretParser(row.flag, read) : read,
}));

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
export function requestProperties(options) {
  const { method, body, contentType, expectBody } = options;
  const given = OFFERED.filter(({ name, urlOf }) => !urlOf && options[name] !== undefined);
  const hasBody = body !== undefined || given.some(({ propertiesOf }) => propertiesOf);
  /** @type {RequestProperties} */
  const properties = {
    ...((method !== undefined || hasBody) && { method: method ?? 'POST' }),
    ...(contentType !== undefined && { headers: { 'Content-Type': contentType } }),
    ...(body !== undefined && { body }),
    ...(expectBody !== undefined && { expect: { body: expectBody } }),
  };
  for (const { name, propertiesOf } of given)
    Object.assign(
      properties,
      propertiesOf ? propertiesOf(options[name], options, usageError) : { [name]: options[name] },
    );
  return Object.keys(properties).length > 0 ? properties : undefined;
}

/** @type {(text: string, headers?: Record<string, string | string[]>) => Record<string, string | string[]>} */
function readHeader(text, headers = {}) {
  const match = /^([^:=\s]+)\s*[:=]\s*(.*)$/s.exec(text);
  if (!match) throw new InvalidArgumentError("Expected 'Name: value' or name=value.");
  const [, name, value] = match;
  return { ...headers, [name]: Object.hasOwn(headers, name) ? [headers[name], value].flat() : value };
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

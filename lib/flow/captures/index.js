import { formatValue } from '../../text/format-value.js';
import { compileJsonPath } from '../checks/json.js';
import { compilePattern } from '../pattern.js';

/** @import { Source } from '../../contracts/expectation.js' */
/** @import { Needs } from '../../contracts/response.js' */

/** @type {CaptureEntry} */
const json = {
  name: 'json',
  about: "a JSONPath into the body (RFC 9535), such as '$.items[0].id': the first value that it finds",
  reads: 'body',
  hasMessages: true,
  type: 'string',
  schema: { type: 'string', pattern: '^\\$' },
  check: (argument) => typeof argument === 'string',
  expected: "a JSONPath such as '$.id'",

  compile(argument) {
    const path = compileJsonPath(argument);
    return {
      read: ({ json }) => (json.fault === null ? path.first(json.value) : undefined),
      explain: ({ json }) =>
        json.fault === null
          ? `${argument} finds nothing in ${formatValue(json.value)}`
          : `expected JSON with ${argument}, received ${json.fault}`,
    };
  },
};

/** @type {CaptureEntry} */
const header = {
  name: 'header',
  about: 'the value of a header field, by its name',
  reads: 'head',
  hasMessages: false,
  type: 'string',
  schema: { type: 'string', minLength: 1 },
  check: (argument) => typeof argument === 'string' && argument !== '',
  expected: "the name of a header field, such as 'etag'",

  compile(argument) {
    const name = argument.toLowerCase();
    return {
      read: (received) => received.header(name),
      explain: () => `the response has no header ${formatValue(argument)}`,
    };
  },
};

/** @type {CaptureEntry} */
const cookie = {
  name: 'cookie',
  about: 'the value of a cookie that the response sets, by its name',
  reads: 'head',
  hasMessages: false,
  type: 'string',
  schema: { type: 'string', minLength: 1 },
  check: (argument) => typeof argument === 'string' && argument !== '',
  expected: "the name of a cookie, such as 'session'",

  compile(argument) {
    return {
      read: (received) => received.cookie(argument),
      explain: () => `the response sets no cookie ${formatValue(argument)}`,
    };
  },
};

/** @type {CaptureEntry} */
const status = {
  name: 'status',
  about: 'the status, a number: { status: true }',
  reads: 'status',
  hasMessages: false,
  type: 'true',
  schema: { const: true },
  check: (argument) => argument === true,
  expected: 'true',

  compile: () => ({ read: ({ statusCode }) => statusCode, explain: () => 'there is no status' }),
};

/** @type {CaptureEntry} */
const text = {
  name: 'text',
  about: 'a regular expression for the body: its first group, or the whole match if it has none',
  reads: 'body',
  hasMessages: true,
  type: 'string | RegExp',
  schema: { type: 'string', minLength: 1 },
  check: (argument) => (typeof argument === 'string' && argument !== '') || argument instanceof RegExp,
  expected: "a regular expression such as 'page=(\\d+)'",

  compile(argument) {
    const pattern = compilePattern(argument);
    return {
      read({ text }) {
        const found = pattern.find(text);
        return found === null ? undefined : (found[1] ?? (found.length === 1 ? found[0] : undefined));
      },
      explain({ text }) {
        const shown = `${argument instanceof RegExp ? argument : `/${argument}/`}`;
        const what = pattern.find(text) === null ? shown : `the first group of ${shown}`;
        return `${what} matches nothing in ${formatValue(text)}`;
      },
    };
  },
};

/** The places of a response from which `capture` of an operation takes values. @type {CaptureEntry[]} */
export const CAPTURES = [json, header, cookie, status, text];

/**
 * @typedef {object} CaptureEntry a place of a response from which a value can be captured
 * @property {string} name of the property: `{ header: 'etag' }`
 * @property {string} about a phrase for the schema and documents
 * @property {Needs} reads the part of the response
 * @property {boolean} hasMessages the messages of a WebSocket have such a place
 * @property {string} type in TypeScript, of `lib/contracts/flows.d.ts`
 * @property {Record<string, unknown>} schema JSON Schema
 * @property {(argument: any) => boolean} check
 * @property {string} expected completes "expected …, got …"
 * @property {(argument: any) => Source} compile
 * @throws {Error} whose message explains what is wrong with the argument
 */

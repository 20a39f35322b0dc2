import { nearestOrAll } from '../../ground/problems.js';
import { DECODERS } from '../../text/decode.js';
import { anyText, formatValue, shortened, textOf, typeName } from '../../text/format-value.js';
import { compileJsonPath } from '../checks/json.js';
import { describedSchemas } from '../comparisons.js';
import { compilePattern } from '../pattern.js';
import { READERS } from '../readers.js';
import { isRecord } from '../record.js';
import { hasTokenInPattern, holdsToken, refuseName } from '../tokens/index.js';

/** @import { Capture, Source } from '../../contracts/expectation.js' */
/** @import { Needs } from '../../contracts/response.js' */
/** @import { Operation } from '../../contracts/step.js' */
/** @import { Complain } from '../../ground/types.js' */
/** @import { EntryFacts, Refusal } from '../checks/types.js' */
/** @import { Property } from '../types.js' */

/**
 * `capture` of operations: the places of a response that a value can be taken from (CAPTURES), what can be beside them
 * (MODIFIERS), and their compilation to readers of a response.
 */

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

/** What has a name in the head of a response. @satisfies {Partial<CaptureEntry>} */
const byName = {
  reads: /** @type {const} */ ('head'),
  hasMessages: false,
  type: 'string',
  schema: { type: 'string', minLength: 1 },
  check: (/** @type {unknown} */ argument) => typeof argument === 'string' && argument !== '',
};

/** @type {CaptureEntry} */
const header = {
  name: 'header',
  about: 'the value of a header field, by its name',
  ...byName,
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
  ...byName,
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
 * @typedef {EntryFacts & { reads: Needs, hasMessages: boolean, compile: (argument: any) => Source }} CaptureEntry a
 *   place of a response from which a value can be captured. hasMessages: the messages of a WebSocket have such a place;
 *   compile throws what is wrong with an argument
 */

/** Characters of an argument in a message. */
const LONGEST = 100;
const NAMES = CAPTURES.map(({ name }) => name);
const ENCODINGS = Object.keys(DECODERS);
const ONE = `a JSONPath such as '$.id', or an object with ${NAMES.slice(0, -1).join(', ')} or ${NAMES.at(-1)}`;

/** The properties that can be beside the place of a value. */
const MODIFIERS = [
  {
    name: 'match',
    type: 'string | RegExp',
    schema: { type: 'string', minLength: 1 },
    about: 'a regular expression for the value, if only a part of it is wanted: its first group, or the whole match',
  },
  {
    name: 'decode',
    type: ENCODINGS.map((name) => `'${name}'`).join(' | '),
    schema: { enum: ENCODINGS },
    about: "how the value is encoded: 'percent', as in URLs and cookies, or 'html', as in attributes of pages",
  },
  ...READERS.flatMap(({ captures }) => captures.modifiers),
  {
    name: 'default',
    type: 'unknown',
    schema: {},
    about: 'value if the response has none; without it, the operation fails with an error of the kind capture',
  },
];
const MODIFIER_NAMES = MODIFIERS.map(({ name }) => name);

const SCHEMA_OF_ONE = {
  description: "Where the value is: a JSONPath such as '$.id', or one of the properties of an object",
  oneOf: [
    { type: 'string', pattern: '^\\$' },
    {
      type: 'object',
      properties: describedSchemas([...CAPTURES, ...MODIFIERS]),
      additionalProperties: false,
      oneOf: NAMES.map((name) => ({ required: [name] })),
    },
  ],
};

/** The property `capture` of operations. @type {Property} */
export const CAPTURE = {
  type: `Record<string, string | { ${[...CAPTURES, ...MODIFIERS].map(({ name, type }) => `${name}?: ${type}`).join(', ')} }>`,
  check: isRecord,
  expected: "an object such as { id: '$.id' }",
  refuse: refuseCaptures,
  schema: { type: 'object', propertyNames: { pattern: '^\\w+$' }, additionalProperties: SCHEMA_OF_ONE },
  about:
    'values to take from the response, each under the name of a token: a JSONPath, or { header }, { cookie }, { status } or { text }; of a stream with the event that has it; with match for a part of the value, decode if it is encoded, and a default if it may be missing',
};

/** @type {(captures: any) => Refusal[]} */
function refuseCaptures(captures) {
  if (!isRecord(captures)) return [];
  return Object.entries(captures).flatMap(([name, value]) => {
    const reason = refuseName(name);
    const refusals = reason ? [{ at: '', reason }] : refuseValue(value);
    return refusals.map(({ at = '', reason: why }) => ({ at: `.${name}${at}`, reason: why }));
  });
}

/** @type {(value: any) => Refusal[]} */
function refuseValue(value) {
  if (typeof value === 'string') return refuseArgument('json', value);
  if (!isRecord(value)) return [{ reason: `expected ${ONE}, got ${typeName(value)}` }];
  const keys = Object.keys(value).filter((key) => !MODIFIER_NAMES.includes(key));
  const unknown = keys.find((key) => !NAMES.includes(key));
  if (unknown !== undefined)
    return [{ at: `.${unknown}`, reason: `unknown property${nearestOrAll(unknown, [...NAMES, ...MODIFIER_NAMES])}` }];
  if (keys.length !== 1)
    return [{ reason: `has ${keys.join(' and ') || 'no place'}: write one of ${NAMES.join(', ')}` }];
  const [key] = keys;
  const refusals = [
    ...refuseArgument(key, value[key]).map(({ reason }) => ({ at: `.${key}`, reason })),
    ...(value.match === undefined ? [] : refuseMatch(key, value.match)),
    ...(value.decode === undefined ? [] : refuseDecode(key, value.decode)),
    ...READERS.flatMap(({ captures }) => captures.refuse(value, entryNamed(key))),
  ];
  return holdsToken(value.default) ? [...refusals, { at: '.default', reason: HAS_TOKEN }] : refusals;
}

/** Checks the argument of a place, by compiling it. @type {(name: string, argument: any) => Refusal[]} */
function refuseArgument(name, argument) {
  const { check, expected, compile } = entryNamed(name);
  if (!check(argument)) return [{ reason: `expected ${expected}, got ${typeName(argument)}` }];
  if (hasTokenInPattern(argument instanceof RegExp ? argument.source : anyText(argument)))
    return [{ reason: HAS_TOKEN }];
  try {
    compile(argument);
    return [];
  } catch (error) {
    return [{ reason: `${shortened(anyText(argument), LONGEST)} ${/** @type {Error} */ (error).message}` }];
  }
}

/** @type {(name: string) => CaptureEntry} */
function entryNamed(name) {
  return /** @type {CaptureEntry} */ (CAPTURES.find((entry) => entry.name === name));
}

/** @type {(key: string, match: unknown) => Refusal[]} */
function refuseMatch(key, match) {
  if (key === 'status' || key === 'text') return [{ at: '.match', reason: `${key} has no parts: leave match out` }];
  return refuseArgument('text', match).map(({ reason }) => ({ at: '.match', reason }));
}

/** @type {(key: string, decode: unknown) => Refusal[]} */
function refuseDecode(key, decode) {
  if (key === 'status') return [{ at: '.decode', reason: 'status is a number: leave decode out' }];
  if (typeof decode === 'string' && ENCODINGS.includes(decode)) return [];
  return [{ at: '.decode', reason: `expected ${ENCODINGS.join(' or ')}, got ${formatValue(decode)}` }];
}

const HAS_TOKEN = 'has a token, and tokens are not replaced here: use an after-hook that sets all.vars';

/**
 * Compiles `capture` of a valid operation. Messages have no status and no header to capture (`areMessages`).
 * @type {(operation: Operation, context: { where: string, complain: Complain, areMessages?: boolean }) => { captures:
 *   Capture[], reads: Needs[] }}
 */
export function compileCaptures(operation, { where, complain, areMessages = false }) {
  const all = Object.entries(operation.capture ?? {}).map(([name, given]) => {
    const value = typeof given === 'string' ? { json: given } : /** @type {Record<string, unknown>} */ (given);
    const entry = /** @type {typeof CAPTURES[0]} */ (CAPTURES.find((one) => value[one.name] !== undefined));
    if (areMessages && !entry.hasMessages)
      complain(`capture.${name}`, `${entry.name}: a message has none, write json or text`);
    /** @type {Complain} */
    const refuse = (key, reason) => complain(`capture.${name}.${key}`, reason);
    const [taken = null] = READERS.flatMap(
      ({ captures }) => captures.compile(value, String(value[entry.name]), operation, refuse) ?? [],
    );
    return {
      // What is read as it arrives need not be kept.
      reads: taken === null ? entry.reads : /** @type {const} */ ('status'),
      capture: {
        name,
        where: `${where}.capture.${name}`,
        ...decoded(matched(entry.compile(value[entry.name]), value.match), value.decode),
        ...(taken !== null && { explain: taken.explain }),
        reader: taken?.read ?? null,
        fallback: value.default === undefined ? null : { value: value.default },
      },
    };
  });
  return { captures: all.map(({ capture }) => capture), reads: all.map(({ reads }) => reads) };
}

/** Takes a part of what a source reads: the match of a pattern. @type {(source: Source, match: unknown) => Source} */
function matched(source, match) {
  if (match === undefined) return source;
  const part = text.compile(match);
  /** @type {(received: any) => any} the value as the body of a response */
  const whole = (received) => ({ text: textOf(source.read(received)) });
  return {
    read: (received) => (source.read(received) === undefined ? undefined : part.read(whole(received))),
    explain: (received) =>
      source.read(received) === undefined ? source.explain(received) : part.explain(whole(received)),
  };
}

/** @type {(source: Source, encoding: unknown) => Source} */
function decoded(source, encoding) {
  if (encoding === undefined) return source;
  const decode = DECODERS[/** @type {keyof typeof DECODERS} */ (encoding)];
  return {
    ...source,
    read(received) {
      const value = source.read(received);
      return typeof value === 'string' ? decode(value) : value;
    },
  };
}

/** @type {(entry: any, where: string) => [name: string, where: string][]} */
export function capturedBy(entry, where) {
  if (Array.isArray(entry?.oneOf))
    return entry.oneOf.flatMap((/** @type {any} */ one, /** @type {number} */ i) =>
      capturedBy(one, `${where}.oneOf[${i}]`),
    );
  const { capture, skip } = entry ?? {};
  if (skip === true) return [];
  if (typeof capture !== 'object' || capture === null) return [];
  return Object.keys(capture).map((name) => [name, `${where}.capture.${name}`]);
}

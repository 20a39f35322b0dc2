import { createRequire } from 'node:module';

import { nearestOrAll } from '../../../core/ground/problems.js';
import { readMs } from '../../../core/ground/units.js';
import { typeName } from '../../../core/text/format-value.js';
import { bodiesOf } from '../../../core/flow/bodies/index.js';
import { compileJsonPath, pathFault } from '../../../core/flow/checks/json.js';
import { timeProperty } from '../../../core/flow/checks/within.js';
import { describedSchemas } from '../../../core/flow/comparisons.js';
import { isPlainObject } from '../../../core/flow/record.js';
import { hasToken } from '../../../core/flow/tokens/index.js';
import { CAPTURES } from './check.js';

/** @import { Operation } from '../../../core/contracts/step.js' */
/** @import { Complain } from '../../../core/ground/types.js' */
/** @import { BodyEntry } from '../../../core/flow/bodies/types.js' */
/** @import { Refusal } from '../../../core/flow/checks/types.js' */
/** @import { Property, ReaderEntry } from '../../../core/flow/types.js' */
/** @import { BodyEvents, EventRules, ReceivedEvent, StreamKind, StreamRules } from '../types.js' */

const requireHere = createRequire(import.meta.url);

/** Loaded for a run. @type {() => typeof import('../iteration/stream-plan.js')} */
const loadPlan = () => requireHere('../iteration/stream-plan.js');

/** @type {StreamKind[]} */
const KINDS = ['sse', 'ndjson', 'lines', 'chunks'];
const KIND_TYPE = KINDS.map((kind) => `'${kind}'`).join(' | ');
const KIND_NAMES = `true, or one of ${KINDS.join(', ')}`;

/** @type {(value: unknown) => boolean} */
const isKind = (value) => value === true || KINDS.some((kind) => kind === value);
/** @type {(value: unknown) => boolean} */
const isCount = (value) => Number.isSafeInteger(value) && Number(value) > 0;
/** @type {(value: unknown) => boolean} */
const isText = (value) => typeof value === 'string' && value !== '';

const path = {
  type: 'string',
  schema: { type: 'string', pattern: '^\\$' },
  check: isText,
  expected: "a JSONPath such as '$.delta'",
};

/**
 * The members of `stream`.
 * @type {Record<string, Pick<Property, 'type' | 'check' | 'expected' | 'about'> & { schema: Record<string, unknown> }>}
 */
const MEMBERS = {
  kind: {
    type: `true | ${KIND_TYPE}`,
    schema: { enum: [true, ...KINDS] },
    check: isKind,
    expected: KIND_NAMES,
    about: 'what an event is; default: true, which takes it from the Content-Type of the response',
  },
  first: {
    ...path,
    about: 'a JSONPath into the data of an event: only events with a value there count',
  },
  count: {
    ...path,
    about: 'a JSONPath to a number that the stream reports, such as its tokens: the last one counts',
  },
  end: {
    type: 'string',
    schema: { type: 'string', minLength: 1 },
    check: isText,
    expected: "a text such as '[DONE]'",
    about: 'the data of the event that ends the stream; the rest of the response is read, and the connection is kept',
  },
  events: {
    type: 'number',
    schema: { type: 'integer', minimum: 1 },
    check: isCount,
    expected: 'a whole number from 1',
    about: 'end the stream after as many events, and close its connection',
  },
  for: {
    ...timeProperty('30s'),
    about:
      'end the stream after this time, and close its connection; the time limit of the operation begins to count after it',
  },
  reconnect: {
    type: 'boolean | number',
    schema: { type: ['boolean', 'integer'], minimum: 1 },
    check: (value) => typeof value === 'boolean' || isCount(value),
    expected: 'true, or how often: a whole number from 1',
    about:
      'open the stream again after its connection ended, with Last-Event-ID, until the stream or the run ends; a number: so often',
  },
};
const NAMES = Object.keys(MEMBERS);

/** The property `stream` of operations. @type {Property} */
const STREAM = {
  type: `boolean | ${KIND_TYPE} | { ${Object.entries(MEMBERS)
    .map(([name, { type }]) => `${name}?: ${type}`)
    .join(', ')} }`,
  check: (value) => value === false || isKind(value) || isPlainObject(value),
  expected: `${KIND_NAMES}, or an object such as { end: '[DONE]' }`,
  refuse: refuseStream,
  schema: {
    anyOf: [
      { enum: [true, false, ...KINDS] },
      {
        type: 'object',
        properties: describedSchemas(Object.entries(MEMBERS).map(([name, member]) => ({ name, ...member }))),
        additionalProperties: false,
      },
    ],
  },
  about:
    'measure the events of the response as they arrive: sse (Server-Sent Events), ndjson, lines, chunks, true (by Content-Type), or an object with its end',
};

/** @type {(value: any) => Refusal[]} */
function refuseStream(value) {
  if (!isPlainObject(value)) return [];
  return Object.entries(value).flatMap(([name, member]) => {
    if (member === undefined) return [];
    const reason = reasonAgainst(name, member);
    return reason === undefined ? [] : [{ at: `.${name}`, reason }];
  });
}

/** @type {(name: string, value: any) => string | undefined} */
function reasonAgainst(name, value) {
  if (!Object.hasOwn(MEMBERS, name)) return `unknown property${nearestOrAll(name, NAMES)}`;
  const member = MEMBERS[name];
  if (!member.check(value)) return `expected ${member.expected}, got ${typeName(value)}`;
  if (typeof value === 'string' && hasToken(value)) return 'has a token, and tokens are not replaced here';
  return name === 'first' || name === 'count' ? pathFault(value) : undefined;
}

/**
 * Compiles `stream` of a valid operation; null: its response is no stream.
 * @type {(operation: Operation, context: { complain: Complain }) => StreamRules | null}
 */
export function compileStream(operation, { complain }) {
  const { stream, expect } = operation;
  if (stream === undefined || stream === false) return null;
  const { kind = true, first, count, end = null, events = Infinity, for: time, reconnect = 0 } = membersOf(stream);
  refuseUseless(operation, kind, complain);
  return {
    ...eventsOf(operation),
    noun: 'a stream',
    figures: 'stream',
    plan: (step, context, recorder) => new (loadPlan().StreamPlan)(step, context, recorder),
    decodes: operation.gzip !== false,
    kind: kind === true ? null : kind,
    first: readerOf(first),
    count: readerOf(count),
    end,
    events,
    forMs: time === undefined ? null : readMs(time),
    reconnects: reconnect === true ? Infinity : Number(reconnect),
    mayBeEmpty: time !== undefined || [expect].flat().some((one) => one?.events !== undefined),
  };
}

/** @type {(stream: NonNullable<Operation['stream']>) => Record<string, any>} */
function membersOf(stream) {
  return isPlainObject(stream) ? stream : { kind: stream };
}

/** The reader of streams. @type {ReaderEntry} */
export const READER = {
  name: 'stream',
  property: STREAM,
  captures: CAPTURES,
  accept: ({ stream }) => (stream !== undefined && membersOf(stream).kind === 'sse' ? 'text/event-stream' : undefined),
  compile: compileStream,
  recognize: (text) => (EVENTS.test(text) ? "are server-sent events: write stream: 'sse' in the operation" : undefined),
};

/** How the lines of server-sent events begin. */
const EVENTS = /^\s*(?:data|event|id|retry)?:/;

/** @type {EventRules} */
const ALL_EVENTS = { type: null, endType: null, needsType: false, fault: null };

/** @type {(operation: Operation) => EventRules} */
function eventsOf(operation) {
  const [body] = bodiesOf(operation);
  return eventsOfBody(body)?.rulesOf(operation) ?? ALL_EVENTS;
}

/** @type {(body: BodyEntry | undefined) => BodyEvents | undefined} */
function eventsOfBody(body) {
  return /** @type {BodyEvents | undefined} */ (body?.readers?.stream);
}

/** Refuses a stream where there is none. @type {(operation: Operation, kind: unknown, complain: Complain) => void} */
function refuseUseless(operation, kind, complain) {
  const { head, method } = operation;
  const [body] = bodiesOf(operation);
  const only = eventsOfBody(body)?.kind ?? kind;
  if (kind !== only) complain('stream', `of ${body.name} is of the kind ${only}: write stream: '${only}'`);
  if (head !== undefined || String(method).toUpperCase() === 'HEAD')
    complain('stream', 'has no effect: the response to HEAD has no body');
}

/** Compiles a JSONPath for events. @type {(text: string | undefined) => ((event: ReceivedEvent) => unknown) | null} */
function readerOf(text) {
  if (text === undefined) return null;
  const compiled = compileJsonPath(text);
  return ({ json }) => (json.fault === null ? compiled.first(json.value) : undefined);
}

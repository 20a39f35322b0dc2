import { readMs, writeMs } from '../../../core/ground/units.js';
import { formatValue, typeName } from '../../../core/text/format-value.js';
import { EQUAL, compileExpected, refuseExpected } from '../../../core/flow/comparisons.js';
import { isPlainObject } from '../../../core/flow/record.js';
import { timeProperty } from '../../../core/flow/checks/within.js';

/** @import { Received } from '../../../core/contracts/expectation.js' */
/** @import { CheckEntry } from '../../../core/flow/checks/types.js' */
/** @import { ReaderEntry } from '../../../core/flow/types.js' */
/** @import { EventCapture, StreamReading } from '../types.js' */

/** The reason to refuse a property in an operation without `stream`. */
const NEEDS_STREAM = "is for streams: add stream: 'sse', or another kind";

const STREAM = { property: 'stream', reason: NEEDS_STREAM };

/** The number of events of a stream. @type {CheckEntry} */
const events = {
  name: 'events',
  about: 'the number of events of a stream: a number, or comparisons such as { gte: 5 }',
  reads: 'status',
  needs: STREAM,
  type: 'number | Comparisons',
  schema: { anyOf: [{ type: 'integer', minimum: 0 }, { $ref: '#/$defs/comparisons' }] },
  check: (value) => (Number.isInteger(value) && value >= 0) || isPlainObject(value),
  refuse: (value) => refuseExpected(value, EQUAL),
  expected: 'a whole number, or a comparison such as { gte: 5 }',

  compile(given, { mark }) {
    const compare = compileExpected(given, { mark, show: formatValue }, EQUAL);
    return [
      {
        name: 'events',
        check(response, scope) {
          const count = streamOf(response)?.events ?? 0;
          const expected = compare(count, scope);
          return expected === null ? null : { expected: `events: ${expected}`, received: String(count) };
        },
      },
    ];
  },
};

/** The time of the first event. */
const firstEvent = limitOf('firstEvent', {
  about: 'the maximum time to the first event of a stream',
  read: ({ firstEventMs }) => firstEventMs,
});

/** The longest gap between two events. */
const gap = limitOf('gap', {
  about: 'the maximum time between two events of a stream',
  read: ({ maxGap }) => maxGap,
});

/** The properties of `expect` that streams add. */
export const CHECKS = [events, firstEvent, gap];

/**
 * Makes the check of a time of a stream; `read` returns it in ms, NaN if there is none.
 * @type {(name: string, row: { about: string, read: (stream: StreamReading) => number }) => CheckEntry}
 */
function limitOf(name, { about, read }) {
  return {
    name,
    about: `${about}: milliseconds, or a time such as '2s'`,
    reads: 'status',
    needs: STREAM,
    ...timeProperty('2s'),

    compile(value) {
      const most = readMs(value);
      const wanted = writeMs(most);
      return [
        {
          name: `${name} ${wanted}`,
          check(response) {
            const stream = streamOf(response);
            const ms = stream === null ? NaN : read(stream);
            if (ms <= most) return null;
            const received = Number.isNaN(ms) ? 'no event' : `${Number(ms.toPrecision(4))} ms`;
            return { expected: `${name} of at most ${wanted}`, received };
          },
        },
      ];
    },
  };
}

/** @type {(response: Received) => StreamReading | null} */
function streamOf({ reading }) {
  return /** @type {StreamReading | null} */ (reading);
}

/** Captures from the events of a stream. @type {ReaderEntry['captures']} */
export const CAPTURES = {
  modifiers: [
    {
      name: 'event',
      type: 'string | true',
      schema: { type: ['string', 'boolean'] },
      about: 'type of the event of a stream that has the value; true: the first one of any type that has it',
    },
    {
      name: 'join',
      type: 'boolean',
      schema: { type: 'boolean' },
      about: 'join the values of all those events to one text',
    },
  ],

  refuse({ event, join }, { name, hasMessages }) {
    if (event === undefined)
      return join === undefined ? [] : [{ at: '.join', reason: 'needs event: the events whose values it joins' }];
    if (event !== true && (typeof event !== 'string' || event === ''))
      return [{ at: '.event', reason: `expected the type of an event, or true for all, got ${typeName(event)}` }];
    if (join !== undefined && typeof join !== 'boolean')
      return [{ at: '.join', reason: `expected true or false, got ${typeName(join)}` }];
    return hasMessages ? [] : [{ at: '.event', reason: `an event has no ${name}: write json or text` }];
  },

  compile({ event, join }, place, { stream }, complain) {
    if (event === undefined) return null;
    if (!stream) complain('event', NEEDS_STREAM);
    /** @type {EventCapture} */
    const read = { event, joins: join === true };
    const which = event === true ? 'any event' : `an event of the type ${formatValue(event)}`;
    return { read, explain: () => `${place} finds nothing in ${which} of the stream` };
  },
};

import { readMs, writeMs } from '../../../core/ground/units.js';
import { formatValue } from '../../../core/text/format-value.js';
import { EQUAL, compileExpected, refuseExpected } from '../../../core/flow/comparisons.js';
import { isPlainObject } from '../../../core/flow/record.js';
import { timeProperty } from '../../../core/flow/checks/within.js';

/** @import { StreamReading } from '../../../core/contracts/expectation.js' */
/** @import { CheckEntry } from '../../../core/flow/checks/types.js' */

/** The reason to refuse a property in an operation without `stream`. */
export const NEEDS_STREAM = "is for streams: add stream: 'sse', or another kind";

/** The number of events of a stream. @type {CheckEntry} */
export const events = {
  name: 'events',
  about: 'the number of events of a stream: a number, or comparisons such as { gte: 5 }',
  reads: 'status',
  isOfStream: true,
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
        check({ stream }, scope) {
          const count = stream?.events ?? 0;
          const expected = compare(count, scope);
          return expected === null ? null : { expected: `events: ${expected}`, received: String(count) };
        },
      },
    ];
  },
};

/** The time of the first event. */
export const firstEvent = limitOf('firstEvent', {
  about: 'the maximum time to the first event of a stream',
  read: ({ firstEventMs }) => firstEventMs,
});

/** The longest gap between two events. */
export const gap = limitOf('gap', {
  about: 'the maximum time between two events of a stream',
  read: ({ maxGap }) => maxGap,
});

/**
 * Makes the check of a time of a stream; `read` returns it in ms, NaN if there is none.
 * @type {(name: string, row: { about: string, read: (stream: StreamReading) => number }) => CheckEntry}
 */
function limitOf(name, { about, read }) {
  return {
    name,
    about: `${about}: milliseconds, or a time such as '2s'`,
    reads: 'status',
    isOfStream: true,
    ...timeProperty('2s'),

    compile(value) {
      const most = readMs(value);
      const wanted = writeMs(most);
      return [
        {
          name: `${name} ${wanted}`,
          check({ stream }) {
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

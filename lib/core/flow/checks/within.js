import { readMs, writeMs } from '../../ground/units.js';

/** @import { CheckEntry } from './types.js' */

/** @type {CheckEntry} */
export default {
  name: 'within',
  about: "the maximum service time of the operation, redirects included: milliseconds, or a time such as '500ms'",
  reads: 'status',
  ...timeProperty('500ms'),

  compile(value) {
    const most = readMs(value);
    const wanted = writeMs(most);
    return [
      {
        name: `within ${wanted}`,
        check: ({ ms }) =>
          ms <= most ? null : { expected: `at most ${wanted}`, received: `${Number(ms.toPrecision(4))} ms` },
      },
    ];
  },
};

/** @type {(example: string) => Pick<CheckEntry, 'type' | 'schema' | 'check' | 'expected'>} */
export function timeProperty(example) {
  return {
    type: 'number | string',
    schema: { $ref: '#/$defs/time' },
    check: (value) => readMs(value) > 0,
    expected: `milliseconds above 0, or a time such as '${example}'`,
  };
}

import { DELAYS, HIGHEST_PORT, readDelay, refuseBareTime } from '../../core/ground/units.js';

/** @import { Flag } from '../../core/cli/types.js' */

/** The flags of the embedded target. @type {(defaultPort: string, prefix?: string) => Flag[]} */
export const targetFlags = (defaultPort, prefix = '') => [
  {
    flag: `--${prefix}port <n>`,
    about: `port of the embedded target (default: ${defaultPort})`,
    ...wholeNumber(0, HIGHEST_PORT),
  },
  {
    flag: `--${prefix}delay <time>`,
    about: 'delay of every response: 20ms, a range, 10ms,50ms, or either with a slow tail, 20ms,1%:500ms',
    // The text is kept: the target reads it, too
    check: (text) => readDelay(text) !== null,
    expected: DELAYS,
    refuseText: refuseBareTime,
  },
  {
    flag: `--${prefix}error <status>`,
    about: `status code of failing responses (default with --${prefix}percent: 500)`,
    ...wholeNumber(200, 599),
  },
  {
    flag: `--${prefix}percent <n>`,
    about: 'percentage of responses that fail (default: 100)',
    read: Number,
    check: (v) => v >= 0 && v <= 100,
    expected: 'a number from 0 to 100',
  },
];

/** @type {(from: number, to: number) => Pick<Flag, 'read' | 'check' | 'expected'>} */
function wholeNumber(from, to) {
  return {
    read: Number,
    check: (v) => Number.isInteger(v) && v >= from && v <= to,
    expected: `a whole number from ${from} to ${to}`,
  };
}

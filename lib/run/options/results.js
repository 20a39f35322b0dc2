import { ms } from './kinds.js';

/** @import { RunOption } from './row.js' */

/** Options of progress and results. @type {RunOption[]} */
export const RESULTS = [
  {
    name: 'progress',
    flag: '-d, --progress <ms>',
    ...ms,
    refuseText: refuseDuration,
    default: 0,
    commandDefault: 1000,
    about: 'time between progress updates, in ms; 0: none',
  },
  {
    name: 'expectedInterval',
    flag: '--expected-interval <ms>',
    ...ms,
    check: (v) => ms.check(v) && v > 0,
    expected: 'milliseconds above 0',
    about: 'expected ms between iterations of a virtual user; adds times corrected for coordinated omission',
  },
  {
    name: 'trace',
    type: '(exchange: any) => void',
    schema: null,
    check: (v) => typeof v === 'function',
    expected: 'a function',
    about: 'called with every exchange: its request, response, error and time',
  },
];

/** Other tools have `-d 10s` for how long a run is. @type {(text: string) => string | undefined} */
function refuseDuration(text) {
  if (!/\d\s*[smh]$/.test(text) || /ms$/.test(text)) return undefined;
  return `It is the time between progress updates, in ms; to run for ${text} write -t ${text}`;
}

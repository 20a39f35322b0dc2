import { ms, refuseLikelySeconds, text } from './kinds.js';

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
    name: 'title',
    flag: '--title <text>',
    ...text,
    about: 'name of the run in its results',
  },
  {
    name: 'percentiles',
    flag: '--percentile <p>',
    repeatable: true,
    type: '(number | string)[]',
    parsed: 'number[]',
    schema: { type: 'array', items: { type: ['number', 'string'] } },
    read: readPercentiles,
    check: (v) => Array.isArray(v) && v.every((one) => typeof one === 'number' && one > 0 && one <= 100),
    expected: 'percentiles above 0, up to 100, such as 99.5',
    about: 'more percentiles of the response time, such as 99.5; repeatable',
  },
  {
    name: 'interval',
    flag: '--interval <ms>',
    ...ms,
    refuseText: refuseLikelySeconds,
    check: (v) => Number.isSafeInteger(v) && v >= 10 && v <= 3_600_000,
    expected: 'whole milliseconds from 10 to 3600000',
    about: 'length of an interval of the time series, in ms; default: 1000, and less during the first 8 s',
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
    type: '(exchange: any, secrets: () => string[]) => void',
    schema: null,
    check: (v) => typeof v === 'function',
    expected: 'a function',
    about:
      'called with every exchange: its request, response, error and time; and with a function that returns the secrets in it',
  },
];

/** @type {(given: any) => any} */
function readPercentiles(given) {
  return Array.isArray(given)
    ? given.map((one) => (typeof one === 'string' && one.trim() !== '' ? Number(one.replace(/^p/, '')) : one))
    : given;
}

/** Other tools have `-d 10s` for how long a run is. @type {(text: string) => string | undefined} */
function refuseDuration(text) {
  if (/^[^\d.\s-]/.test(text)) return 'It is the time between progress updates, in ms; a body is -b, --body';
  if (!/\d\s*[smh]$/.test(text) || /ms$/.test(text)) return undefined;
  return `It is the time between progress updates, in ms; to run for ${text} write -t ${text}`;
}

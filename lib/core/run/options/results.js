import { hintsAt } from '../../ground/addons.js';
import { readMs, refuseBareTime } from '../../ground/units.js';
import { flag, ms, text } from './row.js';

/** @import { RunOption } from './types.js' */

/** Time between progress updates of the command, ms. */
const PROGRESS_MS = 1000;

/** @type {RunOption[]} */
export const RESULTS = [
  {
    name: 'progress',
    flag: '-d, --progress <ms>',
    ...ms,
    type: 'number | string | boolean',
    schema: { anyOf: [{ $ref: '#/$defs/time' }, { type: 'boolean' }] },
    read: readProgress,
    readsAny: true,
    refuseText: refuseDuration,
    default: 0,
    commandDefault: PROGRESS_MS,
    about: 'time between progress updates, in ms; 0 or false: none; true: every second',
  },
  {
    name: 'quiet',
    ...flag,
    default: false,
    about: 'emit no warnings about the flow and the options',
  },
  {
    name: 'title',
    flag: '--title <text>',
    ...text,
    about: 'name of the run in its results',
  },
  {
    name: 'label',
    flag: '--label <text>',
    ...text,
    // YAML reads 1.4 as a number
    type: 'string | number',
    parsed: 'string',
    schema: { type: ['string', 'number'] },
    read: (given) => (typeof given === 'number' ? String(given) : given),
    readsAny: true,
    about: ['what is measured, such as a version', ...hintsAt('label')].join(': '),
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
    name: 'seriesInterval',
    isExperimental: true,
    flag: '--series-interval <time>',
    ...ms,
    refuseText: refuseBareTime,
    check: (v) => Number.isSafeInteger(v) && v >= 10 && v <= 3_600_000,
    expected: 'whole milliseconds from 10 to 3600000',
    about: 'length of an interval of the time series; default: 1s, and less during the first 16 s',
  },
  {
    name: 'expectedInterval',
    isExperimental: true,
    flag: '--expected-interval <time>',
    ...ms,
    refuseText: refuseBareTime,
    check: (v) => ms.check(v) && v > 0,
    expected: 'milliseconds above 0',
    about: 'expected time between iterations of a virtual user; adds times corrected for coordinated omission',
  },
  {
    name: 'trace',
    isExperimental: true,
    type: '(exchange: any, secrets: () => string[]) => void',
    schema: null,
    check: (v) => typeof v === 'function',
    expected: 'a function',
    about:
      'called with every exchange: its request, response, error and time; and with a function that returns the secrets in it',
  },
];

/** @type {(given: any) => any} */
function readProgress(given) {
  if (typeof given === 'boolean') return given ? PROGRESS_MS : 0;
  return typeof given === 'string' ? readMs(given) : given;
}

/** @type {(given: any) => any} */
function readPercentiles(given) {
  return Array.isArray(given)
    ? given.map((one) => (typeof one === 'string' && one.trim() !== '' ? Number(one.replace(/^p/, '')) : one))
    : given;
}

/** Refuses `-d 10s`, which is the length of a run in other tools. @type {(text: string) => string | undefined} */
function refuseDuration(text) {
  if (/^[^\d.\s-]/.test(text)) return 'It is the time between progress updates, in ms; a body is -b, --body';
  if (!/\d\s*[smh]$/.test(text) || /ms$/.test(text)) return undefined;
  return `It is the time between progress updates, in ms; to run for ${text} write -t ${text}`;
}

import { isPlainObject } from '../../flow/record.js';
import { readLimit, refuseBareTime } from '../../ground/units.js';
import { flag, ms, texts } from './row.js';

/** @import { RunOption } from './types.js' */

/** Options that refuse, fail or stop a run. @type {RunOption[]} */
export const CHECKS = [
  {
    name: 'thresholds',
    flag: '--threshold <test>',
    inHelp: 'short',
    repeatable: true,
    type: 'Thresholds',
    parsed: 'any',
    schema: { $ref: '#/$defs/thresholds' },
    check: areThresholds,
    expected: "a test such as 'p99<200ms', an array of them, or { p99: '<200ms' }",
    about: "fail unless this holds, such as 'p99<200ms' or 'errors<1%'; repeatable",
  },
  {
    name: 'abortOnFail',
    flag: '--abort-on-fail',
    inHelp: 'common',
    ...flag,
    default: false,
    excludes: ['abortOnFailOf'],
    about: 'stop as soon as a threshold fails; checked once per second, of many agents up to 2 s apart',
  },
  {
    name: 'abortOnFailOf',
    isExperimental: true,
    flag: '--abort-on-fail-of <name>',
    ...texts,
    expected: 'the name of a load, scenario or operation that has a threshold',
    about:
      'stop as soon as a threshold of this load, scenario or operation fails; others do not stop the run; repeatable',
  },
  {
    name: 'abortAfter',
    isExperimental: true,
    flag: '--abort-after <time>',
    ...ms,
    refuseText: refuseBareTime,
    needs: ['abortOnFail', 'abortOnFailOf'],
    about:
      'with --abort-on-fail or --abort-on-fail-of: go on for at least this time from the start of the measured iterations',
  },
  {
    name: 'bailout',
    flag: '--bailout <n>',
    type: 'number | string',
    schema: { type: ['integer', 'string'] },
    check: (v) => readLimit(v) !== null,
    expected: 'a number of errors or a share such as 5%',
    about: 'stop after this many errors, or this share of failed iterations, such as 5%',
  },
  {
    name: 'strict',
    flag: '--strict',
    ...flag,
    default: false,
    about: 'refuse every property and option that is unknown, not only those that are likely to be misspelled',
  },
  {
    name: 'keepGoing',
    isExperimental: true,
    flag: '--keep-going',
    ...flag,
    default: true,
    commandDefault: false,
    about: 'run even if no connection succeeds in 100 attempts, or the limit of open files is too low',
  },
];

/**
 * Reports whether a value may be thresholds: text, texts, or an object. A figure without a bound, and objects such as a
 * Map or a Set, whose entries would be none, are not: a run would pass unjudged.
 * @type {(given: any) => boolean}
 */
export function areThresholds(given) {
  const isList = typeof given !== 'object' || given === null || Array.isArray(given);
  if (!isList && (!isPlainObject(given) || Object.values(given).some((bounds) => bounds?.length === 0))) return false;
  return thresholdTexts(given).every((text) => typeof text === 'string');
}

/**
 * Returns one text for each threshold, if all are well-formed: `'p99<200ms'`, an array of these, or `{ 'p99': '<200ms',
 * 'GET /items p95': ['<50ms', '>1ms'] }`.
 * @type {(given: any) => any[]}
 */
export function thresholdTexts(given) {
  if (given === undefined) return [];
  if (typeof given !== 'object' || given === null) return [given];
  if (Array.isArray(given)) return given;
  return Object.entries(given).flatMap(([figure, bounds]) =>
    [bounds]
      .flat()
      .map((bound) => (typeof bound === 'string' ? `${figure}${/^\s*[<>=!]/.test(bound) ? '' : ' '}${bound}` : bound)),
  );
}

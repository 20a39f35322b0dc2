import { expect } from 'chai';

import { retryAfterMs } from '../../../lib/addons/back-off/retry-after.js';

const NOW = Date.UTC(2026, 10, 29, 12, 0, 0);
const DATE = 'Sun, 29 Nov 2026 12:00:00 GMT';

/** Retry-After, Date, and the wait. */
const ROWS = [
  ['120', undefined, 120_000, 'seconds'],
  ['0', undefined, 0, 'no wait'],
  [' 7 ', undefined, 7000, 'space around'],
  [['3', '9'], undefined, 3000, 'the first of two fields'],
  ['99999999999999999999', undefined, 1e23, 'more than any wait'],
  ['Sun, 29 Nov 2026 12:00:05 GMT', undefined, 5000, 'a date counts from the clock of this machine'],
  ['Sun, 29 Nov 2026 13:00:05 GMT', 'Sun, 29 Nov 2026 13:00:00 GMT', 5000, 'a date counts from that of the response'],
  ['Sun, 29 Nov 2026 12:00:05 GMT', 'yesterday', 5000, 'a malformed Date is ignored'],
  ['Sunday, 29-Nov-26 12:00:05 GMT', DATE, 5000, 'the form of RFC 850'],
  ['Sun Nov 29 12:00:05 2026', DATE, 5000, 'the form of asctime is of GMT'],
  ['Sat, 28 Nov 2026 12:00:00 GMT', DATE, 0, 'a date in the past'],
  [undefined, DATE, undefined, 'no field'],
  ['', DATE, undefined, 'an empty field'],
  ['-1', DATE, undefined, 'a negative number'],
  ['1.5', DATE, undefined, 'a fraction'],
  ['1s', DATE, undefined, 'a unit'],
  ['soon', DATE, undefined, 'a word'],
  ['Sun, 99 Nov 2026 12:00:05 GMT', DATE, undefined, 'a date that does not exist'],
];

describe('Retry-After', () => {
  for (const [field, date, ms, sentence] of ROWS)
    it(`${sentence}: ${field}`, () => expect(retryAfterMs({ 'retry-after': field, date }, NOW)).to.equal(ms));
});

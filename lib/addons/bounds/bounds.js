import { grouped } from '../../core/ground/decimal.js';
import { readBytes, readCount, readMs, readRate, refuseBareTime, writeMs } from '../../core/ground/units.js';

/** @import { LoadLimits } from '../../core/run/load/request-limits.js' */
/** @import { RunBounds } from '../../core/cli/types.js' */

/**
 * What a run that others ask for may use at most, and the flags of commands that accept such runs. `text` writes a
 * value with its noun, `write` without it.
 * @type {{ name: keyof RunBounds, flag: string, about: string, read: (text: string) => number, expected: string,
 *   refuseText?: (text: string) => string | undefined, what: string, write?: (value: number) => string, text: (value:
 *   number) => string }[]}
 */
export const BOUNDS = [
  {
    ...{ name: 'duration', flag: '--max-duration <time>', about: 'the longest run, with its warm-up' },
    ...{ read: readMs, expected: 'a time above 0', refuseText: refuseBareTime, what: 'the warm-up and the run' },
    ...{ write: writeMs, text: writeMs },
  },
  {
    ...{ name: 'users', flag: '--max-users <n>', about: 'the most virtual users of a run' },
    ...{ read: readCount, expected: 'a whole number from 1', what: 'virtual users' },
    text: (users) => `${grouped(users)} virtual users`,
  },
  {
    ...{ name: 'rate', flag: '--max-rate <rate>', about: 'the most requests and iterations per second of a run' },
    ...{ read: readRate, expected: 'a rate above 0, such as 500 or 30/m', what: 'the rate' },
    ...{ write: (rate) => `${grouped(rate)}/s`, text: (rate) => `${grouped(rate)} requests per second` },
  },
  {
    ...{ name: 'requests', flag: '--max-requests <n>', about: 'the most requests of a run' },
    ...{ read: readCount, expected: 'a whole number from 1', what: 'the requests' },
    text: (requests) => `${grouped(requests)} requests`,
  },
  {
    ...{ name: 'bytes', flag: '--max-bytes <bytes>', about: 'the most bytes that a run sends and receives' },
    ...{ read: readBytes, expected: 'a number of bytes, such as 500MB or 1GiB', what: 'the traffic' },
    text: (bytes) => `${bytes % GIB ? `${grouped(bytes)} bytes` : `${bytes / GIB} GiB`} of traffic`,
  },
];

const GIB = 2 ** 30;

/** Time to read a flow, and then for the operations before and after its run, ms. */
export const LEAD_MS = 10_000;

/** Returns what the load generator keeps to, whatever the flow does. @type {(bounds: RunBounds) => LoadLimits} */
export function limitsOf({ rate, duration, requests, bytes }) {
  return {
    rate,
    requests: Math.min(requests, Math.ceil((rate * duration) / 1000)),
    bytes,
    duration: duration + LEAD_MS,
  };
}

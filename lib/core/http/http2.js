/** @import { Http2Code } from '../contracts/stats.js' */

const VALUES = [true, false, 'only', 'prior-knowledge'];

/** The values of `http2`: a property of operations, and an option of runs. */
export const HTTP2 = {
  type: "boolean | 'only' | 'prior-knowledge'",
  schema: { enum: VALUES },
  check: (/** @type {any} */ v) => VALUES.includes(v),
  expected: "true, false, 'only' or 'prior-knowledge'",
};

/** Adds up why streams and connections of HTTP/2 ended. @type {(all: Http2Code[]) => Http2Code[]} */
export function addCodes(all) {
  /** @type {Http2Code[]} */
  const sums = [];
  for (const one of all) {
    const known = sums.find(({ event, code }) => event === one.event && code === one.code);
    if (known === undefined) sums.push({ ...one });
    else known.count += one.count;
  }
  return sums;
}

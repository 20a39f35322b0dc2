/**
 * Whether results that are added up were measured at the same time, and when each of them began.
 *
 * @import { Stats } from './types.js'
 *
 * @typedef {Pick<Stats, 'measuredAt' | 'measuredElapsed'>} Measured
 * @typedef {{ from: number, to: number }} Span ms
 */

/** Wall clocks of different machines are taken to agree within this time, ms. */
export const CLOCKS_AGREE_MS = 100;
/** The starts may differ by this part of the run, and by this time: the load was not that of the whole run meanwhile. */
const MAX_SKEW = 0.01;
const MAX_SKEW_MS = 1000;

/**
 * The spans in which results were measured, by the wall clocks of their machines.
 *
 * @param {Measured[]} results
 * @returns {Span[] | null} null if one of them has no time
 */
export function spansOf(results) {
  const spans = results.map(({ measuredAt = '', measuredElapsed }) => {
    const from = Date.parse(measuredAt);
    return { from, to: from + measuredElapsed };
  });
  return spans.some(({ from }) => Number.isNaN(from)) ? null : spans;
}

/**
 * @param {(number | null)[]} starts ms
 * @returns {number | null} between the first and the last; null if they are not known
 */
export function skewOf(starts) {
  const known = starts.filter((start) => start !== null);
  return known.length === 0 ? null : Math.max(...known) - Math.min(...known);
}

/**
 * Two spans that have no common time, even if the clocks of their machines differ by as much as is assumed.
 *
 * @param {Span[]} spans
 * @returns {{ earlier: number, later: number } | null} their indexes: the one that ended first, and the one that began last
 */
export function findApart(spans) {
  const ends = spans.map(({ to }) => to);
  const starts = spans.map(({ from }) => from);
  const earlier = ends.indexOf(Math.min(...ends));
  const later = starts.indexOf(Math.max(...starts));
  return starts[later] - ends[earlier] > CLOCKS_AGREE_MS ? { earlier, later } : null;
}

/**
 * When each result began, without the times in which nothing was measured.
 *
 * @param {Span[]} spans
 * @returns {number[]} ms since the first one began
 */
export function offsetsOf(spans) {
  const offsets = spans.map(() => 0);
  const order = spans.map((_, i) => i).sort((a, b) => spans[a].from - spans[b].from);
  let idle = spans[order[0]].from;
  let end = -Infinity;
  for (const i of order) {
    const { from, to } = spans[i];
    if (from > end && end > -Infinity) idle += from - end;
    end = Math.max(end, to);
    offsets[i] = from - idle;
  }
  return offsets;
}

/**
 * Why the figures of results that began at different times are doubtful.
 *
 * @param {number[]} offsets when each of them began, ms
 * @param {{ measuredElapsed: number }[]} results
 * @returns {string | null}
 */
export function skewDoubt(offsets, results) {
  const skew = skewOf(offsets) ?? 0;
  const longest = Math.max(...results.map(({ measuredElapsed }) => measuredElapsed));
  const most = Math.min(MAX_SKEW_MS, Math.max(CLOCKS_AGREE_MS, MAX_SKEW * longest));
  if (skew <= most) return null;
  const ends = results.map(({ measuredElapsed }, i) => offsets[i] + measuredElapsed);
  const together = Math.min(...ends) - Math.max(...offsets);
  if (together < MAX_SKEW * longest)
    return 'skew: the parts did not run at the same time, so the whole load was never sent';
  const whole = Math.max(...ends) - Math.min(...offsets);
  return `skew: the parts started ${seconds(skew)} apart, so only ${seconds(together)} of ${seconds(whole)} had the whole load`;
}

/** @type {(ms: number) => string} */
function seconds(ms) {
  return `${(ms / 1000).toFixed(ms < 10_000 ? 2 : 1)} s`;
}

import { count, ms } from './numbers.js';

/**
 * @import { HistogramSummary } from '../measure/histogram.js'
 * @import { Glyphs } from './glyphs.js'
 *
 * @typedef {object} TimeScale the one unit of a table
 * @property {string} unit
 * @property {(ms: number | null) => string} format a time without its unit; `-` if there is none
 * @property {(ms: number | null) => string} withUnit
 * @property {(ms: number) => string} round with two significant digits, for an axis, and its unit
 */

const MICROSECONDS_BELOW_MS = 1;
const SECONDS_FROM_MS = 10_000;

/**
 * The unit for a group of times, so that they can be compared at a glance: microseconds if nearly all are below a
 * millisecond, seconds if half of them take ten or more, else milliseconds.
 *
 * @param {Pick<HistogramSummary, 'median' | 'p95' | 'max'>} times
 * @param {Glyphs} glyphs
 * @returns {TimeScale}
 */
export function timeScaleOf({ median, p95, max }, { micro }) {
  const [most, typical] = [p95 ?? max ?? MICROSECONDS_BELOW_MS, median ?? max ?? 0];
  // what is recorded has no more digits than microseconds
  if (most < MICROSECONDS_BELOW_MS) return scale(`${micro}s`, 1000, count);
  return typical >= SECONDS_FROM_MS ? scale('s', 0.001, ms) : scale('ms', 1, ms);
}

/** @type {(unit: string, perMs: number, formatNumber: (value: number) => string) => TimeScale} */
function scale(unit, perMs, formatNumber) {
  const format = (/** @type {number | null} */ value) => (value === null ? '-' : formatNumber(value * perMs));
  return {
    unit,
    format,
    withUnit: (value) => (value === null ? '-' : `${format(value)} ${unit}`),
    round(value) {
      const two = Number((value * perMs).toPrecision(2));
      return `${two >= 1000 ? count(two) : two} ${unit}`;
    },
  };
}

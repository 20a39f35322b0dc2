import measured from 'measured-core';

/**
 * @typedef {{ mean: number, count: number, currentRate: number, '1MinuteRate': number, '5MinuteRate': number,
 *   '15MinuteRate': number }} MeterSummary marks a second; currentRate: since it was last asked for
 *
 * @typedef {{ mark: (count?: number) => void, end: () => void, toJSON: () => MeterSummary }} Meter
 */

/**
 * A measured-core meter: moving averages of what is marked.
 * @returns {Meter}
 */
export function createMeter() {
  return new measured.Meter();
}

/** Marks so many at once, which may be none: measured-core takes 0 for 1. @type {(meter: Meter, count: number) => void} */
export function markAll(meter, count) {
  if (count > 0) meter.mark(count);
}

/**
 * A measured-core timer on a histogram of ours.
 *
 * @param {Meter} meter
 * @param {{ update: (ms: number) => void, toJSON: () => object }} histogram
 */
export function createTimer(meter, histogram) {
  return new measured.Timer({ meter: /** @type {any} */ (meter), histogram: /** @type {any} */ (histogram) });
}

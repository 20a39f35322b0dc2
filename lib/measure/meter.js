import measured from 'measured-core';

/**
 * @typedef {{ mean: number, count: number, currentRate: number, '1MinuteRate': number, '5MinuteRate': number,
 *   '15MinuteRate': number }} MeterSummary marks a second; currentRate: since it was last asked for
 *
 * @typedef {{ mark: () => void, end: () => void, toJSON: () => MeterSummary }} Meter
 */

/**
 * A measured-core meter: moving averages of what is marked.
 * @returns {Meter}
 */
export function createMeter() {
  return new measured.Meter();
}

/**
 * A measured-core timer on a histogram of ours.
 *
 * @param {{ update: (ms: number) => void, toJSON: () => object }} histogram
 */
export function createTimer(histogram) {
  return new measured.Timer({ meter: new measured.Meter(), histogram: /** @type {any} */ (histogram) });
}

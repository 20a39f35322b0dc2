import { HIGHEST_US, HdrCounts, LOWEST_US } from './hdr-counts.js';
import { percentileOf } from './threshold-figures.js';
import { COMPARATORS } from './thresholds.js';

/** @import { JudgedWindow } from '../contracts/stats.js' */
/** @import { Point } from './point-maker.js' */
/** @import { Threshold } from './thresholds.js' */

/**
 * The values of a threshold with a window, `p99<200ms over 10s`: of the worst window of a run, and of the last one
 * while it goes on. Windows are sums of consecutive points of the series.
 */

/** @typedef {Pick<Point, 'from' | 'to' | 'count' | 'errors' | 'failed' | 'max' | 'counts'>} WindowPoint */
/** @typedef {{ actual: number, window: JudgedWindow }} WindowValue `actual`: ms, a share of 1, or a number */

/** While a run goes on, the windows of this time are judged, ms: longer than from one judgement to the next. */
export const RECENT_MS = 30_000;

/**
 * Judges a threshold over each window of its length, and returns the worst one; null if no window has a value. A window
 * consists of whole points of the series (each of `interval` ms) and slides by one of them; if a point is longer, each
 * point is a window. All points of a run that is over and shorter than the window are one window.
 * @type {(threshold: Threshold, points: WindowPoint[], options: { interval: number, isOver?: boolean }) => WindowValue
 *   | null}
 */
export function worstWindow(threshold, points, { interval, isOver = true }) {
  const length = Math.max(1, Math.ceil(/** @type {number} */ (threshold.overMs) / interval - ROUNDING));
  if (!isOver && points.length < length) return null;
  const window = new SlidingWindow(threshold);
  /** @type {WindowValue | null} */
  let worst = null;
  for (const [i, point] of points.entries()) {
    window.add(point);
    if (i >= length) window.removeFirst();
    const isFull = i >= length - 1 || i === points.length - 1;
    if (!isFull) continue;
    const value = window.value();
    if (value !== null && (worst === null || isWorse(value.actual, worst.actual, threshold))) worst = value;
  }
  return worst;
}

/**
 * The value of the last window, in which iterations that have not ended count with the time that they have taken, or as
 * errors.
 * @param {Threshold} threshold with windows
 * @param {WindowPoint[]} points
 * @param {object} state
 * @param {number} state.nowMs since the start
 * @param {Iterable<number>} state.running ms
 * @param {number} [state.overdue] iterations that have not ended and count as errors
 * @param {boolean} [state.isOver] a run that was shorter than the window is one
 * @returns {WindowValue | null} null if the first window is not over
 */
export function lastWindow(threshold, points, { nowMs, running, overdue = 0, isOver = false }) {
  const from = nowMs - /** @type {number} */ (threshold.overMs);
  if (from < 0 && !isOver) return null;
  const window = new SlidingWindow(threshold);
  for (const point of points) if (point.to > from) window.add(point);
  window.addRunning(running, { overdue, from: Math.max(0, from), to: nowMs });
  return window.value();
}

/** The rounding error of a division of two lengths. */
const ROUNDING = 1e-9;

/** Reports whether a value fails by more. @type {(value: number, worst: number, threshold: Threshold) => boolean} */
export function isWorse(value, worst, { operator, bound }) {
  if (operator.startsWith('<')) return value > worst;
  if (operator.startsWith('>')) return value < worst;
  return COMPARATORS[operator](worst, bound) && !COMPARATORS[operator](value, bound);
}

/** The sums of consecutive points. */
class SlidingWindow {
  #percentile;
  #isShare;
  #hdr = new HdrCounts();
  /** @type {WindowPoint[]} */
  #points = [];

  /** @param {Threshold} threshold */
  constructor({ figure, unit }) {
    this.#percentile = percentileOf(figure);
    this.#isShare = unit === 'ratio';
  }

  /** @type {(point: WindowPoint) => void} */
  add(point) {
    this.#points.push(point);
    this.#hdr.addBytes(point.counts);
  }

  /** @type {(times: Iterable<number>, options: { from: number, to: number, overdue: number }) => void} times: ms */
  addRunning(times, { overdue, ...span }) {
    const hdr = new HdrCounts();
    let [count, max] = [0, 0];
    for (const ms of times) {
      hdr.recordWide(Math.min(Math.max(LOWEST_US, Math.round(ms * 1000)), HIGHEST_US));
      count++;
      if (ms > max) max = ms;
    }
    this.add({ ...span, count, max, errors: overdue, failed: overdue, counts: hdr.toBytes() });
  }

  removeFirst() {
    const [first] = this.#points.splice(0, 1);
    this.#hdr.addBytes(first.counts, -1);
  }

  /** Returns the value of the window; null: nothing ended in it. @type {() => WindowValue | null} */
  value() {
    const count = this.#sum(({ count: completed }) => completed);
    const actual = this.#percentile === null ? this.#errors(count) : this.#timeAt(this.#percentile, count);
    if (actual === null) return null;
    const from = Math.min(...this.#points.map((point) => point.from));
    const to = Math.max(...this.#points.map((point) => point.to));
    return { actual, window: { from, to, count } };
  }

  /** @type {(percentile: number, count: number) => number | null} */
  #timeAt(percentile, count) {
    if (count === 0) return null;
    const max = Math.max(...this.#points.map((point) => point.max));
    if (percentile === 100) return max;
    const [us] = this.#hdr.valuesAt([percentile], count);
    return Math.min(max, us / 1000);
  }

  /** Their number, or the share of the iterations that failed. @type {(completed: number) => number | null} */
  #errors(completed) {
    if (!this.#isShare) return this.#sum(({ errors }) => errors);
    const failed = this.#sum((point) => point.failed);
    return completed + failed > 0 ? failed / (completed + failed) : null;
  }

  /** @type {(value: (point: WindowPoint) => number) => number} */
  #sum(value) {
    return this.#points.reduce((sum, point) => sum + value(point), 0);
  }
}

import { HdrCounts } from './hdr-counts.js';

/**
 * @import { Point } from './point-maker.js'
 *
 * @typedef {object} SeriesSummary
 * @property {number} interval ms
 * @property {{ at: number, count: number, errors: number, p50: number | null, p99: number | null, max: number | null,
 *   concurrency: number, utilization: number }[]} points `at`: ms since the start, where the interval begins; times are
 *   response times, ms; `concurrency`: mean of the iterations under way
 */

const INTERVAL_MS = 1000;
const MOST_POINTS = 10_000;

/**
 * How a run went over time: at most 10,000 points. When there would be more, two make one, and the interval is twice as
 * long. Counts are added up, so that the points of several threads make those of the whole.
 */
export class Series {
  #interval = INTERVAL_MS;
  #most;
  /** by their place @type {Point[]} */
  #points = [];
  /** of those that did not change since, as long runs are looked at often @type {(SeriesSummary['points'][0] | undefined)[]} */
  #shown = [];
  #area = 0;

  /** @param {{ most?: number }} [options] an even number */
  constructor({ most = MOST_POINTS } = {}) {
    this.#most = most;
  }

  /** Iterations under way, times ms: by Little's law the sum of their times. */
  get area() {
    return this.#area;
  }

  /** @type {(point: Point) => void} */
  add(point) {
    this.#area += point.area;
    while (point.from >= this.#most * this.#interval) this.#halve();
    const place = Math.floor(point.from / this.#interval);
    for (let i = this.#points.length; i <= place; i++) this.#points.push(emptyAt(i * this.#interval));
    this.#points[place] = joined(this.#points[place], point);
    this.#shown[place] = undefined;
  }

  /** The counts of each point, base64. */
  encoded() {
    return this.#points.map(({ counts }) => Buffer.from(counts).toString('base64'));
  }

  /** @returns {SeriesSummary} */
  toJSON() {
    return { interval: this.#interval, points: this.#points.map((point, i) => (this.#shown[i] ??= summaryOf(point))) };
  }

  #halve() {
    const halves = this.#points;
    this.#interval *= 2;
    this.#points = [];
    this.#shown = [];
    for (let i = 0; i < halves.length; i += 2) this.#points.push(i + 1 < halves.length ? joined(halves[i], halves[i + 1]) : halves[i]);
  }
}

/** @type {(from: number) => Point} */
function emptyAt(from) {
  return { from, to: from, count: 0, errors: 0, max: 0, area: 0, utilization: 0, counts: new Uint8Array() };
}

/** @type {(one: Point, other: Point) => Point} */
function joined(one, other) {
  return {
    from: Math.min(one.from, other.from),
    to: Math.max(one.to, other.to),
    count: one.count + other.count,
    errors: one.errors + other.errors,
    max: Math.max(one.max, other.max),
    area: one.area + other.area,
    utilization: Math.max(one.utilization, other.utilization),
    counts: one.count > 0 && other.count > 0 ? countsOf(one, other).toBytes() : one.count > 0 ? one.counts : other.counts,
  };
}

/** @type {(...points: Point[]) => HdrCounts} */
function countsOf(...points) {
  const hdr = new HdrCounts();
  for (const { counts } of points) hdr.addBytes(counts);
  return hdr;
}

/** @type {(point: Point) => SeriesSummary['points'][0]} */
function summaryOf(point) {
  const { from, to, count, errors, max, area, utilization } = point;
  const [p50, p99] = count > 0 ? countsOf(point).valuesAt([50, 99], count).map((us) => Math.min(max, us / 1000)) : [null, null];
  return { at: from, count, errors, p50, p99, max: count > 0 ? max : null, concurrency: to > from ? area / (to - from) : 0, utilization };
}

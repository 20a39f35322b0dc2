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
  /** by their place @type {Kept[]} */
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
  add({ counts, ...point }) {
    this.#area += point.area;
    // one of a saved series may be longer than ours
    while (point.from >= this.#most * this.#interval || point.to - point.from > this.#interval * 1.001) this.#halve();
    const place = Math.floor(point.from / this.#interval);
    for (let i = this.#points.length; i <= place; i++) this.#points.push(emptyAt(i * this.#interval));
    this.#points[place] = joined(this.#points[place], { ...point, parts: point.count > 0 ? [counts] : [] });
    this.#shown[place] = undefined;
  }

  /** The counts of each point, base64. */
  encoded() {
    return this.#points.map(({ parts }) =>
      Buffer.from(parts.length === 1 ? parts[0] : countsOf(parts).toBytes()).toString('base64'),
    );
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
    for (let i = 0; i < halves.length; i += 2)
      this.#points.push(i + 1 < halves.length ? joined(halves[i], halves[i + 1]) : halves[i]);
  }
}

/** @typedef {Omit<Point, 'counts'> & { parts: Uint8Array[] }} Kept a point; its counts stay as they came, as adding them up takes time that a run does not have */

/** more make one, so that memory does not grow */
const MOST_PARTS = 8;
const scratch = new HdrCounts();

/** @type {(from: number) => Kept} */
function emptyAt(from) {
  return { from, to: from, count: 0, errors: 0, max: 0, area: 0, utilization: 0, parts: [] };
}

/** @type {(one: Kept, other: Kept) => Kept} */
function joined(one, other) {
  const parts = one.parts.length === 0 ? other.parts : [...one.parts, ...other.parts];
  return {
    from: Math.min(one.from, other.from),
    to: Math.max(one.to, other.to),
    count: one.count + other.count,
    errors: one.errors + other.errors,
    max: Math.max(one.max, other.max),
    area: one.area + other.area,
    utilization: Math.max(one.utilization, other.utilization),
    parts: parts.length > MOST_PARTS ? [countsOf(parts).toBytes()] : parts,
  };
}

/** Added up in a place that the next call uses again. @type {(parts: Uint8Array[]) => HdrCounts} */
function countsOf(parts) {
  scratch.clear();
  for (const bytes of parts) scratch.addBytes(bytes);
  return scratch;
}

/** @type {(point: Kept) => SeriesSummary['points'][0]} */
function summaryOf({ from, to, count, errors, max, area, utilization, parts }) {
  const [p50, p99] =
    count > 0
      ? countsOf(parts)
          .valuesAt([50, 99], count)
          .map((us) => Math.min(max, us / 1000))
      : [null, null];
  return {
    at: from,
    count,
    errors,
    p50,
    p99,
    max: count > 0 ? max : null,
    concurrency: to > from ? area / (to - from) : 0,
    utilization,
  };
}

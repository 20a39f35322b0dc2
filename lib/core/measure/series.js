import { perSecond } from '../ground/units.js';
import { HdrCounts } from './hdr-counts.js';
import { figuresNamed } from './operation-figures.js';
import { quantileRank } from './percentiles.js';
import { Intervals } from './point-maker.js';
import { meanOf, squaresOf } from './statistics.js';

/** @import { Labels } from '../contracts/summaries.js' */
/** @import { PointSummary, RateSpread, SeriesSpread, SeriesSummary } from '../contracts/summaries.js' */
/** @import { Point } from './point-maker.js' */

const MAX_POINTS = 10_000;
/** All threads have reported what ended so long ago, ms: younger points may lack the iterations of some. */
export const REPORTED_MS = 500;

/**
 * A run over time: at most 10,000 points of one length. When there would be more, or the run has longer intervals from
 * there on (`Intervals`), two become one, and the interval doubles. Counts are added up, so the points of several
 * threads give those of the whole.
 */
export class Series {
  #intervals;
  #interval;
  #most;
  /** @type {KeptPoint[]} */
  #points = [];
  /** Summaries of unchanged points: each progress event needs all of them. @type {(PointSummary | undefined)[]} */
  #summaries = [];
  /** base64 of unchanged points, because every report of an agent needs all of them. @type {(string | undefined)[]} */
  #encoded = [];
  #area = 0;

  /** @param {{ most?: number, interval?: number }} [options] most: an even number; interval: ms */
  constructor({ most = MAX_POINTS, interval } = {}) {
    this.#intervals = new Intervals(interval);
    this.#interval = this.#intervals.first;
    this.#most = most;
  }

  /** Running iterations summed over time, iterations x ms; by Little's law equal to the sum of their durations. */
  get area() {
    return this.#area;
  }

  /** @type {(point: Omit<Point, 'operations'>) => void} */
  add({ counts, ...point }) {
    this.#area += point.area;
    while (this.#isTooShortFor(point)) this.#halve();
    const at = Math.floor(point.from / this.#interval);
    for (let i = this.#points.length; i <= at; i++) {
      this.extendTo(i * this.#interval);
      this.#points.push(emptyAt(i * this.#interval));
    }
    this.#points[at] = joined(this.#points[at], { ...point, parts: point.count > 0 ? [counts] : [] });
    this.#summaries[at] = undefined;
    this.#encoded[at] = undefined;
  }

  /** Extends the last point up to a time, within its interval: nothing happened since. @type {(ms: number) => void} */
  extendTo(ms) {
    const last = this.#points.length - 1;
    const to = Math.min(ms, (last + 1) * this.#interval);
    if (to <= this.end) return;
    this.#points[last].to = to;
    this.#summaries[last] = undefined;
  }

  /** All points but the last one, which may be shorter. @type {() => KeptPoint[]} */
  wholePoints() {
    return this.#points.slice(0, -1);
  }

  /** ms, the end of the last point; 0 if there is none */
  get end() {
    return this.#points.at(-1)?.to ?? 0;
  }

  /** ms, of a point */
  get interval() {
    return this.#interval;
  }

  /**
   * Returns the points with their counts, only those of so many milliseconds before the end of the last one.
   * @type {(latestMs?: number) => import('./windows.js').WindowPoint[]}
   */
  points(latestMs = Infinity) {
    return this.pointsAfter(this.#points.length * this.#interval - latestMs);
  }

  /** The points that end after `ms`, with counts. @type {(ms: number) => import('./windows.js').WindowPoint[]} */
  pointsAfter(ms) {
    const latest = this.#points.filter((point) => point.to > ms);
    return latest.map(({ parts, ...point }) => ({ ...point, counts: bytesOf(parts) }));
  }

  /** @type {(options?: { withCounts: boolean }) => SeriesSummary} withCounts: for a file, or for another machine */
  summary({ withCounts } = { withCounts: false }) {
    const points = this.#points.map((point, i) => (this.#summaries[i] ??= summaryOf(point)));
    return {
      interval: this.#interval,
      points: withCounts ? points.map((point, i) => this.#withCounts(point, i)) : points,
      spread: spreadOf(points),
    };
  }

  /** @type {(point: PointSummary, i: number) => PointSummary} */
  #withCounts(point, i) {
    const hdrPayload = (this.#encoded[i] ??= encodedOf(this.#points[i]));
    return { ...point, responseTime: { ...point.responseTime, hdrPayload } };
  }

  /**
   * A point of a saved series may be longer than the interval, by more than the rounding error of its end.
   * @type {(point: { from: number, to: number }) => boolean}
   */
  #isTooShortFor({ from, to }) {
    const interval = this.#interval;
    return from >= this.#most * interval || interval < this.#intervals.lengthAt(from) || to - from > interval * 1.001;
  }

  #halve() {
    const halves = this.#points;
    this.#interval *= 2;
    this.#points = [];
    this.#summaries = [];
    this.#encoded = [];
    for (let i = 0; i < halves.length; i += 2)
      this.#points.push(i + 1 < halves.length ? joined(halves[i], halves[i + 1]) : halves[i]);
  }
}

/**
 * @typedef {Omit<Point, 'counts' | 'operations'> & { parts: Uint8Array[] }} KeptPoint a point whose counts
 *   are kept encoded and are merged when they are read, as decoding during the run would cost CPU
 */

/** More parts are merged, so that memory does not grow. */
const MAX_PARTS = 8;
const scratch = new HdrCounts();

/** @type {(from: number) => KeptPoint} */
function emptyAt(from) {
  return { from, to: from, count: 0, errors: 0, failed: 0, max: 0, area: 0, utilization: 0, bytes: 0, parts: [] };
}

/** @type {(one: KeptPoint, other: KeptPoint) => KeptPoint} */
function joined(one, other) {
  const whole = wholeOf([one, other]);
  if (whole.parts.length > MAX_PARTS) whole.parts = [countsOf(whole.parts).toBytes()];
  return whole;
}

/** Joins neighbours to blocks of nearly equal length. @type {(points: KeptPoint[], most: number) => KeptPoint[]} */
export function joinedTo(points, most) {
  const length = Math.min(most, points.length);
  const at = (/** @type {number} */ i) => Math.floor((i * points.length) / length);
  return Array.from({ length }, (_, i) => wholeOf(points.slice(at(i), at(i + 1))));
}

const ADDED = /** @type {const} */ (['count', 'errors', 'failed', 'area', 'bytes']);
const HIGHEST = /** @type {const} */ (['to', 'max', 'utilization']);

/** @type {(points: KeptPoint[]) => KeptPoint} */
function wholeOf(points) {
  const whole = emptyAt(points[0].from);
  for (const point of points) {
    whole.from = Math.min(whole.from, point.from);
    for (const key of ADDED) whole[key] += point[key];
    for (const key of HIGHEST) whole[key] = Math.max(whole[key], point[key]);
    whole.parts.push(...point.parts);
  }
  return whole;
}

/** The result is valid until the next call. @type {(parts: Uint8Array[]) => HdrCounts} */
function countsOf(parts) {
  scratch.clear();
  for (const bytes of parts) scratch.addBytes(bytes);
  return scratch;
}

/** @type {(parts: Uint8Array[]) => Uint8Array} */
function bytesOf(parts) {
  return parts.length === 1 ? parts[0] : countsOf(parts).toBytes();
}

/** @type {(point: KeptPoint) => string} */
function encodedOf({ parts }) {
  return Buffer.from(bytesOf(parts)).toString('base64');
}

/** @type {(point: KeptPoint) => PointSummary} */
function summaryOf({ from, to, count, errors, failed, max, area, utilization, bytes, parts }) {
  const [median, p95, p99] =
    count > 0
      ? countsOf(parts)
          .valuesAt([50, 95, 99], count)
          .map((us) => Math.min(max, us / 1000))
      : [null, null, null];
  const length = to - from;
  return {
    at: from,
    iterations: { completed: count, completedRate: perSecond(count, length), failed },
    errors,
    responseTime: { median, p95, p99, max: count > 0 ? max : null },
    concurrency: length > 0 ? area / length : 0,
    bytes: { received: bytes, receivedRate: perSecond(bytes, length) },
    loadGenerator: { eventLoopUtilization: utilization },
  };
}

/** How steady the rates were, without the last interval. @type {(points: PointSummary[]) => SeriesSpread} */
function spreadOf(points) {
  return {
    'iterations.completedRate': spreadOfRates(points, ({ iterations }) => iterations.completedRate),
    'bytes.receivedRate': spreadOfRates(points, ({ bytes }) => bytes?.receivedRate),
  };
}

/** @type {(points: PointSummary[], rateOf: (point: PointSummary) => number | undefined) => RateSpread | null} */
function spreadOfRates(points, rateOf) {
  const rates = points
    .slice(0, -1)
    .map(rateOf)
    .filter((rate) => rate !== undefined);
  if (rates.length < 2) return null;
  const sorted = Float64Array.from(rates).sort();
  const at = (/** @type {number} */ share) => sorted[quantileRank(share, sorted.length) - 1];
  return {
    min: at(0),
    p1: at(0.01),
    p2_5: at(0.025),
    median: at(0.5),
    p97_5: at(0.975),
    max: at(1),
    mean: meanOf(rates),
    stddev: Math.sqrt(squaresOf(rates) / rates.length),
  };
}

const SECOND_MS = 1000;
/** The points of 15 minutes by second. */
const MOST_RECENT = 15 * 60;

/**
 * The last 900 points of a second, as the points of a run of hours are longer. If the intervals of the run do not
 * divide a second, a point is as many whole ones as fit into it; a run with longer intervals has no such points.
 */
export class RecentPoints {
  #length;
  /** By number, with their summaries. @type {Map<number, { point: KeptPoint, summary?: PointSummary }>} */
  #points = new Map();
  #newest = 0;

  /** @param {{ interval?: number }} [options] interval: ms */
  constructor({ interval = SECOND_MS } = {}) {
    this.#length = Math.floor(SECOND_MS / interval) * interval;
  }

  /** @type {(point: Omit<Point, 'operations'>) => void} */
  add({ counts, ...point }) {
    if (point.to - point.from > this.#length) return;
    const at = Math.floor(point.from / this.#length);
    const kept = this.#points.get(at)?.point ?? emptyAt(at * this.#length);
    this.#points.set(at, { point: joined(kept, { ...point, parts: point.count > 0 ? [counts] : [] }) });
    this.#newest = Math.max(this.#newest, at);
    for (const one of this.#points.keys()) {
      if (one > this.#newest - MOST_RECENT) break;
      this.#points.delete(one);
    }
  }

  /** The last points, if those are longer. @type {(series: { interval: number }) => Pick<SeriesSummary, 'recent'>} */
  summary({ interval }) {
    if (interval <= this.#length || this.#points.size === 0) return {};
    const points = [...this.#points.values()].map((one) => (one.summary ??= summaryOf(one.point)));
    return { recent: { interval: this.#length, points: points.sort((a, b) => a.at - b.at) } };
  }
}

/**
 * @typedef {object} RecordedPoint what happened to an operation in one interval
 * @property {string} name
 * @property {string} phase
 * @property {Labels} [labels] without those of its group and tags
 * @property {string} [figures] the key of figures that only some operations have; default: service times
 * @property {string} [of] the time among them
 * @property {number} count
 * @property {number} max ms
 * @property {Uint8Array} counts times in µs, as {@link import('./hdr-counts.js').HdrCounts#toBytes} returns them
 */

export const MOST_SERIES = 20;
/** Points of an operation: 20 operations use as much memory as a whole series does. */
const MOST_POINTS = 300;

/** The first operations over time, each with at most 300 points. */
export class OperationSeries {
  #interval;
  /** @type {Map<string, SeriesOfOperation>} */
  #each = new Map();

  /** @param {{ interval?: number }} [options] interval: ms */
  constructor({ interval } = {}) {
    this.#interval = interval;
  }

  /** @type {(interval: { from: number, to: number }, points: RecordedPoint[]) => void} */
  add({ from, to }, points) {
    const point = { ...emptyAt(from), to, counts: NO_COUNTS };
    for (const { name, phase, labels, figures, of = '', ...measured } of points) {
      const one = this.#seriesOf({ name, phase, labels });
      if (!one) continue;
      if (figures !== undefined && !one.more.has(figures))
        one.more.set(figures, this.#seriesOfFigures(figures, one.series));
      const own = figures === undefined ? one.series : one.more.get(figures)?.[of];
      // All series of an operation get each point, so that their points are of the same times.
      for (const each of seriesIn(one)) each.add(each === own ? { ...point, ...measured } : point);
    }
    for (const one of this.#each.values()) for (const each of seriesIn(one)) each.extendTo(to);
  }

  /** Returns the operations; none if the run has their times. @type {() => Pick<SeriesSummary, 'operations'>} */
  summary() {
    const all = [...this.#each.values()];
    if (all.length < 2 && all.every(({ more }) => more.size === 0)) return {};
    const operations = all.map(({ name, phase, labels, series, more }) => {
      const { interval, points } = series.summary();
      const others = [...more].map(([key, own]) => ({ key, pointAt: figuresNamed(key).load().pointsOf(own) }));
      return {
        name,
        phase,
        ...(labels && { labels }),
        interval,
        points: points.map(({ at, iterations, responseTime: { median, p95 = null } }, i) => ({
          at,
          count: iterations.completed,
          serviceTime: { median, p95 },
          ...Object.fromEntries(others.map(({ key, pointAt }) => [key, pointAt(i)])),
        })),
      };
    });
    return { operations };
  }

  /** @type {(operation: Pick<RecordedPoint, 'name' | 'phase' | 'labels'>) => SeriesOfOperation | undefined} */
  #seriesOf({ name, phase, labels }) {
    const key = JSON.stringify([phase, name, labels?.scenario]);
    const known = this.#each.get(key);
    if (known || this.#each.size >= MOST_SERIES) return known;
    const made = { name, phase, labels, series: this.#newSeries(), more: new Map() };
    this.#each.set(key, made);
    return made;
  }

  /**
   * Such figures may begin later than responses: an empty point at the end of `others` gives their series as many
   * points, of the same length.
   * @type {(key: string, others: Series) => Record<string, Series>}
   */
  #seriesOfFigures(key, others) {
    const made = figuresNamed(key).series.map((of) => /** @type {const} */ ([of, this.#newSeries()]));
    for (const [, series] of made)
      if (others.end > 0)
        series.add({ ...emptyAt(Math.max(0, others.end - others.interval)), to: others.end, counts: NO_COUNTS });
    return Object.fromEntries(made);
  }

  #newSeries() {
    return new Series({ most: MOST_POINTS, interval: this.#interval });
  }
}

/**
 * @typedef {Pick<RecordedPoint, 'name' | 'phase' | 'labels'> & { series: Series, more: Map<string, Record<string,
 *   Series>> }} SeriesOfOperation more: of figures that only some operations have, by key and time
 */

const NO_COUNTS = new Uint8Array();

/** @type {(one: SeriesOfOperation) => Series[]} */
function seriesIn({ series, more }) {
  return [series, ...[...more.values()].flatMap((own) => Object.values(own))];
}

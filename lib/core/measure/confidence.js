import { grouped } from '../ground/decimal.js';
import { FEWEST_BATCHES, assuredFactor, halfWidth, joined, sumOf } from './batch-means.js';
import { HdrCounts, binWidth } from './hdr-counts.js';
import { actualOfRun } from './judge-thresholds.js';
import { REPORTED_MS, joinedTo } from './series.js';
import { ERRORS, FEWEST_POINTS, LEAST_MS, RESPONSE_TIME, percentileOf, statisticOf } from './threshold-figures.js';

/** @import { FigureInterval, Note, ReachedPrecision, Stats } from '../contracts/stats.js' */
/** @import { PrecisionGoal } from '../contracts/run.js' */
/** @import { Sums } from './batch-means.js' */
/** @import { KeptPoint } from './series.js' */

/**
 * Confidence intervals of the figures of a run, from the points of its series: of its result (`addConfidence`), and
 * while it goes on with `--precision`, which ends it when they are narrow enough (`PrecisionWatch`). The statistics
 * are those of batch-means.js.
 */

/** Codes of reasons why a figure has no interval: programs decide by them. */
export const CONFIDENCE_CODES = /** @type {const} */ ([
  'dependent',
  'notMeasured',
  'ramped',
  'tooFewPoints',
  'tooFewValues',
  'tooShort',
]);
/** A share of 1. */
const CONFIDENCE = 0.95;
/** The whole points of a run that is just long enough are this part of it at least. */
const WHOLE_POINTS = 0.94;
/** Points of long runs are joined, so that a run of hours takes no longer than one of ten minutes. */
const MOST_BLOCKS = 600;
/** Values beyond a percentile (above it, or below one under p50), and failed iterations, that an interval needs. */
const FEWEST_BEYOND = 20;
const FEWEST_FAILED = 20;
/** The share of the batches that need to have such values: in clusters, they are fewer than they seem. */
const SPREAD = 0.8;

/** Figures other than times: what is counted in a point, and what it is counted per. */
const RATIOS = /** @type {Record<string, { x: (point: KeptPoint) => number, n: (point: KeptPoint) => number }>} */ ({
  'iterations.rate': { x: ({ count, failed }) => count + failed, n: secondsOf },
  'iterations.completedRate': { x: ({ count }) => count, n: secondsOf },
  'bytes.receivedRate': { x: ({ bytes }) => bytes, n: secondsOf },
  [ERRORS]: { x: ({ failed }) => failed, n: ({ count, failed }) => count + failed },
});

/**
 * Adds the intervals of a run to its stats, and whether it has reached its precision. `goals` are those of the option;
 * `reached`: the run has ended because it had reached all of them.
 * @type {(stats: Stats, points: KeptPoint[], context: { isRamped: boolean, goals: PrecisionGoal[], reached:
 *   ReachedPrecision[] | null }) => void}
 */
export function addConfidence(stats, points, { isRamped, goals, reached }) {
  const wanted = new Map([...MAIN, ...extraOf(stats), ...goals].map((one) => [one.figure, one]));
  const reason = isRamped ? RAMPED : shortageOf(points);
  const rows = [...wanted.values()].map(({ figure, unit }) => ({
    figure,
    unit,
    actual: actualOfRun(figure, figure === ERRORS ? 'ratio' : '', stats),
  }));
  const figures = reason === null ? intervalsOf(points, rows, { isEarly: reached !== null }) : [];
  stats.confidence = { level: CONFIDENCE, figures, ...(reason && { reason }) };
  if (goals.length > 0) stats.precision = reached ?? precisionOf(goals, figures, reason);
}

const RAMPED = note('ramped', 'the load changed as planned');

/** The figures that every run has intervals of. */
const MAIN = [
  { figure: 'iterations.completedRate', unit: '/s' },
  { figure: 'responseTime.mean', unit: 'ms' },
  { figure: 'responseTime.p50', unit: 'ms' },
  { figure: 'responseTime.p95', unit: 'ms' },
  { figure: 'responseTime.p99', unit: 'ms' },
  { figure: ERRORS, unit: 'ratio' },
];

/** Percentiles of the run option. @type {(stats: Stats) => { figure: string, unit: string }[]} */
function extraOf({ percentiles = [] }) {
  return percentiles
    .filter(({ percentile }) => percentile < 100)
    .map(({ percentile }) => ({ figure: `${RESPONSE_TIME}.p${percentile}`, unit: 'ms' }));
}

/**
 * How near the figures of a run are to the precision that it shall have: `actual` is half of the interval, as a share
 * of the figure; null if there is none yet. `reason` is why none of them has an interval.
 * @type {(goals: PrecisionGoal[], intervals: FigureInterval[], reason?: Note | null) => ReachedPrecision[]}
 */
function precisionOf(goals, intervals, reason = null) {
  return goals.map(({ expression, figure, bound }) => {
    const found = intervals.find((one) => one.figure === figure);
    const actual = found ? relativeHalf(found) : null;
    const passed = actual !== null && actual <= bound;
    const why = found?.reason ?? reason;
    return { expression, figure, bound, actual, unit: 'ratio', passed, ...(why && { reason: why }) };
  });
}

/**
 * Judges the precision of a run that goes on; null: it is too short for that.
 * @type {(goals: PrecisionGoal[], points: KeptPoint[]) => ReachedPrecision[] | null}
 */
export function precisionSoFar(goals, points) {
  if (shortageOf(points) !== null) return null;
  return precisionOf(goals, intervalsOf(points, goals, { isEarly: true }));
}

/** From one judgement to the next, as factors of the time. */
const [LEAST_STEP, MOST_STEP] = [1.1, 2];

/** The precision of a run that goes on. */
export class PrecisionWatch {
  goals;
  /** Precision at the last judgement. @type {ReachedPrecision[]} */
  reached = [];
  /** Until when it had points, ms. */
  toMs = 0;
  #dueAt = LEAST_MS;

  /** @param {PrecisionGoal[]} goals */
  constructor(goals) {
    this.goals = goals;
  }

  /** @type {(elapsedMs: number) => boolean} since the start of the measured iterations */
  isDue(elapsedMs) {
    return elapsedMs >= this.#dueAt;
  }

  /** The part of the run that is over: four times the time halves an interval. */
  get share() {
    const shares = this.reached.map(({ actual, bound }) => (actual === null ? 0 : Math.min(1, (bound / actual) ** 2)));
    return shares.length > 0 ? Math.min(...shares) : 0;
  }

  /**
   * Judges it again: true if all goals are reached. The next judgement is due when they probably are: each one is
   * another chance to end the run by luck.
   * @type {(elapsedMs: number, points: () => KeptPoint[]) => boolean} points: the whole ones so far
   */
  isReached(elapsedMs, points) {
    this.toMs = elapsedMs - REPORTED_MS;
    const known = points().filter(({ to }) => to <= this.toMs);
    this.reached = precisionSoFar(this.goals, known) ?? [];
    // Without any, the points were too few: those of agents come a little later.
    const most = this.reached.length > 0 ? MOST_STEP : LEAST_STEP;
    this.#dueAt = elapsedMs * Math.max(LEAST_STEP, Math.min(most, 1 / this.share));
    return this.reached.length > 0 && this.reached.every(({ passed }) => passed);
  }
}

/** @type {(figure: FigureInterval) => number | null} */
function relativeHalf({ actual, interval }) {
  if (interval === null || !actual) return null;
  return Math.max(interval.high - actual, actual - interval.low) / actual;
}

/**
 * Computes intervals of figures of a run: `mean`, percentiles, and the rates and shares that the series has. An
 * interval is around `actual`; without it around the value of these points. `isEarly`: the run ends when it is narrow.
 * @type {(points: KeptPoint[], figures: { figure: string, unit: string, actual?: number | null }[], options?: {
 *   isEarly: boolean }) => FigureInterval[]}
 */
export function intervalsOf(points, figures, { isEarly } = { isEarly: false }) {
  const blocks = joinedTo(points, MOST_BLOCKS);
  const percentiles = figures.flatMap(({ figure }) => percentileOf(figure) ?? []);
  const times = new BatchTimes(blocks, percentiles, isEarly);
  return figures.map(({ figure, unit, actual }) => {
    const found =
      actual === null || (actual === undefined && times.count === 0) ? NOTHING : intervalOf(figure, actual, times);
    if ('interval' in found) return { figure, unit, ...found };
    return { figure, unit, actual: actual ?? null, interval: null, reason: found };
  });
}

const NOTHING = note('notMeasured', 'nothing was measured');

/** Why a run has no intervals; null: it may have some. @type {(points: KeptPoint[]) => Note | null} */
export function shortageOf(points) {
  const ms = points.length === 0 ? 0 : points[points.length - 1].to - points[0].from;
  if (ms < LEAST_MS * WHOLE_POINTS)
    return note('tooShort', `an interval needs ${LEAST_MS / 1000} s of measured iterations`);
  if (points.length >= FEWEST_POINTS) return null;
  return note(
    'tooFewPoints',
    `an interval needs ${FEWEST_POINTS} points of the series, this run has ${points.length}: use a shorter --series-interval, or run it for longer`,
  );
}

/** @typedef {{ actual: number, interval: { low: number, high: number }, batches: number }} Found */

/** @type {(figure: string, actual: number | undefined, times: BatchTimes) => Found | Note} */
function intervalOf(figure, actual, times) {
  const percentile = percentileOf(figure);
  if (percentile !== null) return intervalOfPercentile(percentile, actual, times);
  const { x, n } = statisticOf(figure) === 'mean' ? times.mean() : ratioOf(figure, times.blocks);
  const [sumX, sumN] = [sumOf(x), sumOf(n)];
  if (figure === ERRORS && sumX < FEWEST_FAILED)
    return note('tooFewValues', `an interval needs ${FEWEST_FAILED} failed iterations, this run has ${sumX}`);
  if (sumN === 0) return NOTHING;
  const ratio = sumX / sumN;
  const found = times.halfWidth({ x, n }, ratio);
  if (found === null) return dependent(times);
  // `actual` is of the whole run, which has a little more than the points: the interval keeps its share of the value.
  const value = actual ?? ratio;
  // On the scale of logarithms (delta method), it cannot lead below zero.
  const factor = ratio === 0 ? 1 : Math.exp(found.half / ratio);
  return { actual: value, interval: { low: value / factor, high: value * factor }, batches: found.batches };
}

/** @type {(percentile: number, actual: number | undefined, times: BatchTimes) => Found | Note} */
function intervalOfPercentile(percentile, actual, times) {
  const share = percentile / 100;
  const { count } = times;
  const rare = Math.min(share, 1 - share);
  // 1 - 0.9 is less than 0.1.
  const needed = Math.ceil(FEWEST_BEYOND / rare - 1e-6);
  if (count < needed)
    return note(
      'tooFewValues',
      `an interval of p${percentile} needs ${grouped(needed)} iterations, this run has ${grouped(count)}`,
    );
  // Many values may be in the bin of the percentile: the share below it, or that up to it, may not vary at all.
  const [below, upTo] = times.around(percentile);
  const found = [below, upTo].map((sums) => times.halfWidth(sums, sumOf(sums.x) / count));
  const [one, other] = found;
  if (one === null || other === null) return dependent(times);
  const { half, batches } = one.half > other.half ? one : other;
  const beyond = share < 0.5 ? upTo.x : below.n.map((all, i) => all - below.x[i]);
  const reached = joined(beyond, batches).filter((values) => values > 0).length;
  if (half >= rare || reached < SPREAD * batches)
    return note('tooFewValues', `the values beyond p${percentile} came in too few parts of the run`);
  const [low, own, high] = times.valuesAt([share - half, share, share + half]);
  const value = actual ?? own;
  return { actual: value, interval: { low: (low / own) * value, high: (high / own) * value }, batches };
}

/** @type {(times: BatchTimes) => Note} */
function dependent({ blocks }) {
  const seconds = (blocks[blocks.length - 1].to - blocks[0].from) / FEWEST_BATCHES / 1000;
  return note(
    'dependent',
    `parts of ${seconds >= 10 ? Math.round(seconds) : seconds.toFixed(1)} s that follow each other are alike: it was not steady, or the run was too short`,
  );
}

/** Times of a run: those of each block are decoded once, for all figures. */
class BatchTimes {
  blocks;
  count = 0;
  #all = new HdrCounts();
  #percentiles;
  /** The highest value of the bin of each percentile, µs. */
  #bins;
  /** Values below the bin of each percentile, and up to it, by block. @type {[Float64Array, Float64Array][]} */
  #around;
  /** The sum of the times of each block, ms. */
  #sums;
  #counts;
  #isEarly;

  /**
   * @param {KeptPoint[]} blocks
   * @param {number[]} percentiles
   * @param {boolean} isEarly the run ends when an interval is narrow
   */
  constructor(blocks, percentiles, isEarly) {
    this.blocks = blocks;
    this.#isEarly = isEarly;
    this.#percentiles = [...new Set(percentiles)].sort((a, b) => a - b);
    for (const { count, parts } of blocks) {
      this.count += count;
      for (const bytes of parts) this.#all.addBytes(bytes);
    }
    this.#bins = this.#all.valuesAt(this.#percentiles, this.count);
    this.#around = this.#percentiles.map(() => [new Float64Array(blocks.length), new Float64Array(blocks.length)]);
    this.#sums = new Float64Array(blocks.length);
    this.#counts = Float64Array.from(blocks, ({ count }) => count);
    const scratch = new HdrCounts();
    blocks.forEach(({ parts }, i) => this.#read(parts, i, scratch));
  }

  /** @type {(parts: Uint8Array[], i: number, scratch: HdrCounts) => void} */
  #read(parts, i, scratch) {
    scratch.clear();
    for (const bytes of parts) scratch.addBytes(bytes);
    scratch.forEach((us, count) => {
      this.#sums[i] += (us / 1000) * count;
      for (let j = 0; j < this.#bins.length; j++) {
        const [below, upTo] = this.#around[j];
        if (us <= this.#bins[j]) upTo[i] += count;
        if (us <= this.#bins[j] - binWidth(this.#bins[j])) below[i] += count;
      }
    });
  }

  /** @type {(sums: Sums, ratio: number) => ReturnType<typeof halfWidth>} */
  halfWidth(sums, ratio) {
    const found = halfWidth(sums, ratio, CONFIDENCE);
    if (found === null || !this.#isEarly) return found;
    return { ...found, half: found.half * assuredFactor(found.batches) };
  }

  /** @type {() => Sums} */
  mean() {
    return { x: this.#sums, n: this.#counts };
  }

  /** @type {(percentile: number) => [below: Sums, upTo: Sums]} */
  around(percentile) {
    const [below, upTo] = this.#around[this.#percentiles.indexOf(percentile)];
    return [
      { x: below, n: this.#counts },
      { x: upTo, n: this.#counts },
    ];
  }

  /** ms. @type {(shares: number[]) => number[]} */
  valuesAt(shares) {
    const percentiles = shares.map((share) => share * 100);
    return this.#all.valuesAt(percentiles, this.count).map((us) => us / 1000);
  }
}

/** @type {(figure: string, blocks: KeptPoint[]) => Sums} */
function ratioOf(figure, blocks) {
  const { x, n } = RATIOS[figure];
  return { x: Float64Array.from(blocks, x), n: Float64Array.from(blocks, n) };
}

/** @type {(block: KeptPoint) => number} */
function secondsOf({ from, to }) {
  return (to - from) / 1000;
}

/** @type {(code: typeof CONFIDENCE_CODES[number], message: string) => Note} */
function note(code, message) {
  return { code, message };
}

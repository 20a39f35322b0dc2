import { createRandom } from '../../../core/ground/random.js';
import { meanOf, medianOf } from '../../../core/measure/statistics.js';

/** The fewest runs on each side of a change point. */
const LEAST = 3;
/** The share of histories without a change in which one is found, at most. */
const LEVEL = 0.01;
const PERMUTATIONS = 499;
/** The permutations are the same for the same values. */
const SEED = 1;

/**
 * @typedef {{ at: number, p: number }} ChangePoint at: the first run after it; p: of its test between its neighbours
 * @typedef {{ figures: number[][], starts: Uint8Array }} History
 * @typedef {{ scores: Float64Array[], starts: Uint8Array }} Part of a history
 */

/**
 * Finds the runs from which on a history has another level, by seeded binary segmentation: the best split in any of a
 * fixed set of intervals, then the same on both sides of it (Kovács, Bühlmann, Li and Munk, "Seeded binary
 * segmentation", Biometrika 110, 2023). A change that was taken back is found in a short interval.
 *
 * A split is measured by the difference of the means of the logarithms, in standard errors. Outliers are cut to four
 * standard deviations; ranks would move a split of unequal sides towards the middle. All figures are split together,
 * at the best split of any of them. It is a change point if at most 1 % of random orders of the runs, the same for all
 * figures, have such a split (a permutation test of the maximum, Westfall and Young 1993): so a history without a
 * change has one in at most 1 % of cases, however many figures it has, as long as runs that follow each other are not
 * alike.
 *
 * Runs of one version are never split.
 * @param {number[][]} figures values of each figure in the order of the runs; NaN, or not above 0: none
 * @param {boolean[]} [starts] whether a run is the first one of its version; default: each is
 * @returns {ChangePoint[]} in the order of the runs
 */
export function changePointsOf(figures, starts) {
  const length = figures[0]?.length ?? 0;
  const history = { figures, starts: Uint8Array.from({ length }, (_, i) => Number(starts?.[i] ?? true)) };
  let points = pointsIn(history, 0, length);
  // A split that was found while its neighbours were unknown may be beside its place, or two stand for one change.
  for (let passes = 0; passes < MOST_PASSES; passes++) {
    const before = points;
    points = settled(history, before);
    if (points.length === before.length && points.every(({ at }, i) => at === before[i].at)) break;
  }
  return points;
}

/** Splits could move to and fro. */
const MOST_PASSES = 5;

/**
 * Places each split anew between its neighbours. If one is no change point there, the others are placed without it.
 * @type {(history: History, points: ChangePoint[]) => ChangePoint[]}
 */
function settled(history, points) {
  const placed = [...points];
  for (let i = 0; i < placed.length; i++) {
    const from = placed[i - 1]?.at ?? 0;
    const to = placed[i + 1]?.at ?? history.starts.length;
    const part = partOf(history, from, to);
    const whole = [{ from: 0, to: to - from }];
    const own = bestSplit(part, whole);
    const p = own === null ? 1 : shareAtLeast(own.size, part, whole);
    if (own === null || p > LEVEL) return settled(history, placed.toSpliced(i, 1));
    placed[i] = { at: from + own.at, p };
  }
  return placed;
}

/** @type {(history: History, from: number, to: number) => ChangePoint[]} */
function pointsIn(history, from, to) {
  const length = to - from;
  if (length < 2 * LEAST) return [];
  const part = partOf(history, from, to);
  const intervals = seededIntervals(length);
  const best = bestSplit(part, intervals);
  if (best === null) return [];
  const p = shareAtLeast(best.size, part, intervals);
  if (p > LEVEL) return [];
  const at = from + best.at;
  return [...pointsIn(history, from, at), { at, p }, ...pointsIn(history, at, to)];
}

/**
 * The share of random orders that have a split as large, with the order itself; above the level, only a lower bound.
 * @type {(size: number, part: Part, intervals: Interval[]) => number}
 */
function shareAtLeast(size, { scores, starts }, intervals) {
  const random = createRandom(SEED);
  const { length } = scores[0];
  const order = Uint32Array.from({ length }, (_, i) => i);
  // The share is above the level if there are more.
  const most = LEVEL * (PERMUTATIONS + 1) - 1;
  const shuffled = scores.map(() => new Float64Array(length));
  let above = 0;
  for (let i = 0; i < PERMUTATIONS && above <= most; i++) {
    shuffle(order, random);
    for (let figure = 0; figure < scores.length; figure++) {
      const [own, to] = [scores[figure], shuffled[figure]];
      for (let at = 0; at < length; at++) to[at] = own[order[at]];
    }
    const largest = bestSplit({ scores: shuffled, starts }, intervals)?.size ?? 0;
    if (largest >= size - TINY) above++;
  }
  return (above + 1) / (PERMUTATIONS + 1);
}

/** Sums in another order differ by this. */
const TINY = 1e-9;

/** Fisher and Yates. @type {(order: Uint32Array, random: () => number) => void} */
function shuffle(order, random) {
  for (let i = order.length - 1; i > 0; i--) {
    const j = Math.floor(random() * (i + 1));
    const kept = order[i];
    order[i] = order[j];
    order[j] = kept;
  }
}

/** @typedef {{ from: number, to: number }} Interval */

/**
 * Layers of intervals that overlap by half or more: the whole, and shorter ones down to the shortest that has a split.
 * From layer to layer they become shorter by the square root of 2.
 * @type {(length: number) => Interval[]}
 */
export function seededIntervals(length) {
  /** @type {Interval[]} */
  const all = [];
  for (let layer = 0; ; layer++) {
    const shorter = 2 ** (layer / 2);
    const own = Math.ceil(length / shorter);
    if (own < 2 * LEAST) return all;
    const count = 2 * Math.ceil(shorter) - 1;
    const step = count > 1 ? (length - own) / (count - 1) : 0;
    for (let i = 0; i < count; i++) all.push({ from: Math.floor(i * step), to: Math.floor(i * step) + own });
  }
}

/**
 * The split of any interval and figure with the largest difference of means, in standard errors; null if there is
 * no difference.
 * @type {(part: Part, intervals: Interval[]) => { at: number, size: number } | null}
 */
function bestSplit({ scores, starts }, intervals) {
  let [at, size] = [-1, 0];
  for (const own of scores) {
    const sums = sumsOf(own);
    for (const { from, to } of intervals) {
      const weights = weightsOf(to - from);
      const mean = (sums[to] - sums[from]) / (to - from);
      for (let i = LEAST; i <= to - from - LEAST; i++) {
        const difference = Math.abs(sums[from + i] - sums[from] - i * mean) * weights[i];
        if (difference > size && starts[from + i] === 1) [at, size] = [from + i, difference];
      }
    }
  }
  return at < 0 ? null : { at, size };
}

/** @type {(values: Float64Array) => Float64Array} sums of the values before each place */
function sumsOf(values) {
  const sums = new Float64Array(values.length + 1);
  for (let i = 0; i < values.length; i++) sums[i + 1] = sums[i] + values[i];
  return sums;
}

/** By the length of an interval: about 3.4 numbers for each run of a part. @type {Map<number, Float64Array>} */
const WEIGHTS = new Map();

/** Turns a sum of so many values of an interval into standard errors. @type {(length: number) => Float64Array} */
function weightsOf(length) {
  const known = WEIGHTS.get(length);
  if (known) return known;
  const weights = Float64Array.from({ length }, (_, i) => (i === 0 ? 0 : Math.sqrt(length / (i * (length - i)))));
  WEIGHTS.set(length, weights);
  return weights;
}

/** Logarithms of values that differ by less are equal: half a percent is no change of a service. */
const EQUAL = 0.005;
/** Values that are more standard deviations from the median count as this far. */
const MOST_DEVIATIONS = 4;
/** Of a normal distribution: its standard deviation, by the median of the distances from the median. */
const PER_MEDIAN = 1.4826;

/** @type {(history: History, from: number, to: number) => Part} */
function partOf({ figures, starts }, from, to) {
  return { scores: scoresIn(figures, from, to), starts: starts.subarray(from, to) };
}

/**
 * The logarithms of the values of each figure in a part of the history, with mean 0 and variance 1 and without
 * outliers; a missing value is 0.
 * @type {(figures: number[][], from: number, to: number) => Float64Array[]}
 */
function scoresIn(figures, from, to) {
  return figures.map((values) => {
    const logs = values.slice(from, to).map((value) => (value > 0 ? Math.round(Math.log(value) / EQUAL) : NaN));
    const known = logs.filter(Number.isFinite);
    if (known.length === 0) return new Float64Array(to - from);
    const median = medianOf(known);
    // In multiples of EQUAL.
    const limit = MOST_DEVIATIONS * Math.max(1, PER_MEDIAN * medianOf(known.map((log) => Math.abs(log - median))));
    const clipped = logs.map((log) => Math.max(-limit, Math.min(limit, log - median)));
    const mean = meanOf(clipped.filter(Number.isFinite));
    const scores = Float64Array.from(clipped, (log) => (Number.isFinite(log) ? log - mean : 0));
    const variance = scores.reduce((sum, score) => sum + score * score, 0) / known.length;
    return variance === 0 ? scores : scores.map((score) => score / Math.sqrt(variance));
  });
}

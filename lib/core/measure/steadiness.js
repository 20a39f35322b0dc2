import { grouped } from '../ground/decimal.js';
import { MINUTE_MS } from '../ground/units.js';
import { varianceInflation } from './batch-means.js';
import { HdrCounts } from './hdr-counts.js';
import { joinedTo } from './series.js';
import { meanOf, medianOf, squaresOf, twoSidedP, varianceOf } from './statistics.js';

/** @import { KeptPoint } from './series.js' */

/**
 * Judges whether a run at a constant load was steady. It is cut into pieces, and the p95 and p50 of the pieces are
 * compared as logarithms, so that differences are ratios. Two things are sought: a start that differs from the rest,
 * as without a warm-up, and a drift.
 */

/** Pieces of the run that are compared. */
const MOST_PIECES = 60;
const FEWEST_PIECES = 15;
/** The fewest iterations of a piece on average. */
const FEWEST_OF_PIECE = 20;
/** The longest interval of a series, ms, unless the user sets another one: only then is a shorter one advice. */
const LONGEST_OWN_MS = 1000;
/** A start that differs has so many pieces at least, and differs by this factor. */
const FEWEST_OF_START = 3;
const START_FACTOR = 1.3;
/** The share of the pairs of a piece of the start and one of the rest that differ in the same direction. */
const APART = 0.95;
/** Standard errors between the start and the rest: MSER tries many ends of the start, so chance has many tries. */
const ERRORS_APART = 4;
/** A start that changes none of the figures of the whole run by more is not worth a word. */
const MATERIAL = 1.1;
const SHOWN = [50, 95, 99];
/**
 * A drift: so seldom by chance, and by this factor over the run. A smaller one is enough for growth in a minute or
 * longer: levels of shorter runs vary by chance, and both sides become faster by themselves.
 */
const DRIFT_P = 0.0005;
const DRIFT_FACTOR = 1.3;
const LONG_GROWTH_FACTOR = 1.1;
/** The whole points of a run of a minute are a little shorter, as its last point is left out. */
const LONG_MS = 0.97 * MINUTE_MS;

/** The figures whose steadiness is judged, the first one first. */
const FIGURES = [
  { label: 'p95', percentile: 95 },
  { label: 'p50', percentile: 50 },
];

/**
 * @typedef {object} Steadiness of a run at a constant load
 * @property {string | null} doubt how it was not steady
 * @property {string | null} remark why it cannot be told
 */

/** The judgement of a run whose load changes as planned, or that goes on. @type {Steadiness} */
export const NOT_JUDGED = { doubt: null, remark: null };

/**
 * @param {KeptPoint[]} points without the last one of the run, which may be shorter
 * @param {number} total completed iterations of the run, of which the last point has some
 * @returns {Steadiness}
 */
export function judgeSteadiness(points, total) {
  if (points.length < FEWEST_PIECES) return { doubt: null, remark: tooShort(points) };
  const needed = FEWEST_OF_PIECE * FEWEST_PIECES;
  if (total < needed) {
    const remark = `too few iterations to tell whether it was steady: ${grouped(total)} of the ${grouped(needed)} that this needs`;
    return { doubt: null, remark };
  }
  const shortPieces = piecesOf(points, Math.min(MOST_PIECES, Math.floor(total / FEWEST_OF_PIECE)));
  // A drift is sought in long pieces, which have less noise.
  const longPieces = piecesOf(points, FEWEST_PIECES);
  if (longPieces.length <= FEWEST_PIECES / 2) return NOT_JUDGED;
  for (const figure of FIGURES) {
    const doubt = otherStart(shortPieces, figure) ?? drift(longPieces, figure);
    if (doubt !== null) return { doubt, remark: null };
  }
  return NOT_JUDGED;
}

/** Returns pieces with iterations: a suspension has none. @type {(points: KeptPoint[], most: number) => KeptPoint[]} */
function piecesOf(points, most) {
  return joinedTo(points, most).filter(({ count }) => count > 0);
}

/** @type {(points: KeptPoint[]) => string} */
function tooShort(points) {
  const text = 'too short to tell whether it was steady';
  if (points.length === 0 || points[0].to - points[0].from <= LONGEST_OWN_MS) return text;
  return `${text}: it has ${points.length} whole intervals of the ${FEWEST_PIECES} that this needs; use a shorter --series-interval, or run it for longer`;
}

/**
 * A start that is slower than the rest, or faster: MSER (White 1997) says where it ends, and the start has to differ
 * from the rest by more than chance. A start that a line explains better is a drift.
 * @type {(pieces: KeptPoint[], figure: typeof FIGURES[0]) => string | null}
 */
function otherStart(pieces, { label, percentile }) {
  const logs = logsOf(pieces, percentile);
  const end = truncation(logs);
  if (end < FEWEST_OF_START) return null;
  const [start, rest] = [logs.slice(0, end), logs.slice(end)];
  // Connections are opened in the first piece, so it is left out.
  const logRatio = medianOf(start.slice(1)) - medianOf(rest);
  if (Math.abs(logRatio) < Math.log(START_FACTOR) || shareApart(start, rest, logRatio) < APART) return null;
  const error = Math.sqrt(varianceOf(rest) * inflationOf(rest) * (1 / start.length + 1 / rest.length));
  const isLine = squaresOf(start) + squaresOf(rest) > lineOf(logs).squares;
  if (Math.abs(logRatio) < ERRORS_APART * error || isLine) return null;
  const after = pieces.slice(end);
  if (SHOWN.every((shown) => isAlike(valueOf(pieces, shown), valueOf(after, shown)))) return null;
  const seconds = pieces[end - 1].to / 1000;
  const [before, then] = [pieces.slice(0, end), after].map((some) => text(valueOf(some, percentile)));
  return `not steady: the first ${text(seconds)} s are ${logRatio > 0 ? 'slower' : 'faster'} (${label} ${before} ms, then ${then} ms): use -W ${Math.ceil(seconds)}s`;
}

/**
 * Returns how many values to leave out at the beginning, at most half of them: those without which the mean of the rest
 * has the least standard error.
 * @type {(values: number[]) => number}
 */
function truncation(values) {
  let [end, least, mean, squares] = [0, Infinity, 0, 0];
  // Welford's sums, from the end
  for (let d = values.length - 1; d >= 0; d--) {
    const n = values.length - d;
    const distance = values[d] - mean;
    mean += distance / n;
    squares += distance * (values[d] - mean);
    const error = squares / (n * n);
    if (d <= values.length / 2 && error <= least) [end, least] = [d, error];
  }
  return end;
}

/** @type {(start: number[], rest: number[], direction: number) => number} direction: above 0 if the start is greater */
function shareApart(start, rest, direction) {
  const pairs = start.flatMap((one) => rest.filter((other) => (one - other) * direction > 0));
  return pairs.length / (start.length * rest.length);
}

/**
 * A change over the whole run: later pieces are slower, or faster, more often than by chance.
 * @type {(pieces: KeptPoint[], figure: typeof FIGURES[0]) => string | null}
 */
function drift(pieces, { label, percentile }) {
  const { slope, p } = trendOf(logsOf(pieces, percentile));
  const k = pieces.length;
  const factor = Math.exp(slope * (k - 1));
  const ms = pieces[k - 1].to - pieces[0].from;
  const leastGrowth = ms >= LONG_MS ? LONG_GROWTH_FACTOR : DRIFT_FACTOR;
  if (p > DRIFT_P || (factor < leastGrowth && factor > 1 / DRIFT_FACTOR)) return null;
  const [from, to] = [pieces[0], pieces[k - 1]].map((piece) => text(valueOf([piece], percentile)));
  const seconds = (/** @type {KeptPoint} */ piece) => text((piece.to - piece.from) / 1000);
  return `not steady: ${label} ${factor > 1 ? 'grew' : 'fell'} from ${from} ms in the first ${seconds(pieces[0])} s to ${to} ms in the last ${seconds(pieces[k - 1])} s, so the figures depend on the length of the run`;
}

/**
 * The slope of a straight line through values at equal distances, and how often chance orders as many pairs of them
 * alike: Kendall's test (Mann 1945), which sees any growth, of a line, of a curve, of a queue. Its variance grows with
 * the autocorrelation of the ranks around their own line (Hamed and Rao 1998).
 * @type {(values: number[]) => { slope: number, p: number }}
 */
export function trendOf(values) {
  const k = values.length;
  const pairs = values.flatMap((one, i) => values.slice(i + 1).map((later) => Math.sign(later - one)));
  const ordered = pairs.reduce((sum, sign) => sum + sign, 0);
  const ranks = values.map((one) => values.reduce((sum, other) => sum + (1 + Math.sign(one - other)) / 2, 0));
  const variance = ((k * (k - 1) * (2 * k + 5)) / 18) * inflationOf(lineOf(ranks).residuals);
  const z = Math.max(0, Math.abs(ordered) - 1) / Math.sqrt(variance);
  return { slope: lineOf(values).slope, p: twoSidedP(z, Infinity) };
}

/** A straight line through values at equal distances. @param {number[]} values */
function lineOf(values) {
  const middle = (values.length - 1) / 2;
  const mean = meanOf(values);
  const spread = values.reduce((sum, _, i) => sum + (i - middle) ** 2, 0);
  const slope = values.reduce((sum, value, i) => sum + (i - middle) * value, 0) / spread;
  const residuals = values.map((value, i) => value - mean - slope * (i - middle));
  return { slope, residuals, squares: squaresOf(residuals) };
}

/** The variance of a mean as a multiple of that of independent values. @type {(values: number[]) => number} */
function inflationOf(values) {
  const mean = meanOf(values);
  const squares = squaresOf(values);
  if (squares === 0) return 1;
  const products = values.reduce((sum, value, i) => sum + (i > 0 ? (value - mean) * (values[i - 1] - mean) : 0), 0);
  return varianceInflation(products / squares, values.length);
}

/** @type {(whole: number, rest: number) => boolean} */
function isAlike(whole, rest) {
  return whole < rest * MATERIAL && whole > rest / MATERIAL;
}

/** @type {(pieces: KeptPoint[], percentile: number) => number[]} */
function logsOf(pieces, percentile) {
  return pieces.map((piece) => Math.log(valueOf([piece], percentile)));
}

/** ms; 0 without values. @type {(pieces: KeptPoint[], percentile: number) => number} */
function valueOf(pieces, percentile) {
  const counts = new HdrCounts();
  for (const { parts } of pieces) for (const bytes of parts) counts.addBytes(bytes);
  const count = pieces.reduce((sum, piece) => sum + piece.count, 0);
  return count > 0 ? counts.valuesAt([percentile], count)[0] / 1000 : 0;
}

/** Two significant digits, or all whole ones. @type {(value: number) => string} */
function text(value) {
  return String(value >= 10 ? Math.round(value) : Number(value.toPrecision(2)));
}

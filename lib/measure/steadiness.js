import { grouped } from '../ground/decimal.js';
import { HdrCounts } from './hdr-counts.js';
import { quantile } from './percentiles.js';

/**
 * @typedef {object} Block an equal piece of a run
 * @property {number} from ms since the start
 * @property {number} to
 * @property {number} count iterations that completed
 * @property {Uint8Array[]} parts their response times in µs, as {@link HdrCounts#toBytes} returns them
 */

/** Pieces that are compared, and the fewest iterations of one on average. */
const MOST = 60;
const FEWEST = 15;
const VALUES = 20;
/** The longest interval that is not of the user, ms: 15 of them are no long run. */
const LONGEST_OWN_MS = 1000;
/** A slow start: so many pieces at least, each by this factor above all of the second half. */
const START = 3;
const START_FACTOR = 1.3;
/** A slow start that changes none of the figures of the whole run by more is not worth a word. */
const MATERIAL = 1.1;
const SHOWN = [50, 95, 99];
/** A trend: no piece of one third overlaps with the other third, and their medians differ by this factor. */
const TREND_FACTOR = 1.3;

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
 * Judges whether a run at a constant load was steady: without a warm-up that was not separated, and without a trend.
 * Noise is neither: the order of the pieces decides, and the chance that it arises by itself is below one in a hundred.
 * The points have one length; a short last one is left out.
 * @type {(points: Block[]) => Steadiness}
 */
export function judgeSteadiness(points) {
  const total = points.reduce((sum, { count }) => sum + count, 0);
  if (points.length < FEWEST) return { doubt: null, remark: tooShort(points) };
  if (total < VALUES * FEWEST) {
    const remark = `too few iterations to tell whether it was steady: ${grouped(total)} of the ${grouped(VALUES * FEWEST)} that this needs`;
    return { doubt: null, remark };
  }
  const short = joined(points, Math.min(MOST, Math.floor(total / VALUES)));
  // Long ones have less noise.
  const long = joined(points, FEWEST);
  for (const figure of FIGURES) {
    const doubt = slowStart(short, figure) ?? trend(long, figure);
    if (doubt !== null) return { doubt, remark: null };
  }
  return NOT_JUDGED;
}

/** @type {(points: Block[]) => string} */
function tooShort(points) {
  const text = 'too short to tell whether it was steady';
  if (points.length === 0 || points[0].to - points[0].from <= LONGEST_OWN_MS) return text;
  return `${text}: it has ${points.length} whole intervals of the ${FEWEST} that this needs; use a shorter --series-interval, or run it for longer`;
}

/** Joins neighbours to a number of blocks of nearly equal length. @type {(points: Block[], most: number) => Block[]} */
function joined(points, most) {
  const length = Math.min(most, points.length);
  const at = (/** @type {number} */ i) => Math.floor((i * points.length) / length);
  return Array.from({ length }, (_, i) => {
    const some = points.slice(at(i), at(i + 1));
    return {
      from: some[0].from,
      to: some[some.length - 1].to,
      count: some.reduce((sum, { count }) => sum + count, 0),
      parts: some.flatMap(({ parts }) => parts),
    };
  });
}

/** @type {(blocks: Block[], percentile: number) => number[]} */
function valuesOf(blocks, percentile) {
  return blocks.map((block) => valueOf([block], percentile));
}

/** @type {(blocks: Block[], figure: typeof FIGURES[0]) => string | null} */
function slowStart(blocks, { label, percentile }) {
  const values = valuesOf(blocks, percentile);
  const highest = Math.max(...values.slice(Math.floor(values.length / 2)));
  const end = values.findIndex((value) => value <= highest * START_FACTOR);
  if (end < START || end > values.length / 2) return null;
  const rest = blocks.slice(end);
  if (SHOWN.every((shown) => valueOf(blocks, shown) < valueOf(rest, shown) * MATERIAL)) return null;
  const before = valueOf(blocks.slice(0, end), percentile);
  const after = valueOf(rest, percentile);
  const seconds = blocks[end - 1].to / 1000;
  return `not steady: ${label} fell from ${text(before)} to ${text(after)} ms in the first ${text(seconds)} s: use -W ${Math.ceil(seconds) + 1}s`;
}

/** @type {(blocks: Block[], figure: typeof FIGURES[0]) => string | null} */
function trend(blocks, { label, percentile }) {
  const values = valuesOf(blocks, percentile);
  const third = Math.floor(values.length / 3);
  const [first, last] = [values.slice(0, third), values.slice(-third)];
  const fell = Math.min(...first) > Math.max(...last);
  if (!fell && !(Math.max(...first) < Math.min(...last))) return null;
  const medians = [first, last].map((side) => quantile(side, 0.5) ?? 0).sort((a, b) => a - b);
  if (medians[1] < medians[0] * TREND_FACTOR) return null;
  const [before, after] = [blocks.slice(0, third), blocks.slice(-third)].map((side) => text(valueOf(side, percentile)));
  return `not steady: ${label} ${fell ? 'fell' : 'rose'} from ${before} ms in the first third of the run to ${after} ms in the last one, so the figures depend on its length`;
}

/** ms; 0 without values. @type {(blocks: Block[], percentile: number) => number} */
function valueOf(blocks, percentile) {
  const counts = new HdrCounts();
  for (const { parts } of blocks) for (const bytes of parts) counts.addBytes(bytes);
  const count = blocks.reduce((sum, block) => sum + block.count, 0);
  return count > 0 ? counts.valuesAt([percentile], count)[0] / 1000 : 0;
}

/** Two significant digits, or all whole ones. @type {(value: number) => string} */
function text(value) {
  return String(value >= 10 ? Math.round(value) : Number(value.toPrecision(2)));
}

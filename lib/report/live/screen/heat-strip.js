import { HdrCounts } from '../../../measure/hdr-counts.js';

/** @import { IntervalCounts } from '../../../contracts/run.js' */

/**
 * @typedef {object} HeatPoint an interval and its response times, in bands of equal width on a logarithmic scale
 * @property {number} from ms
 * @property {number} to
 * @property {number} first the number of the first band
 * @property {Float64Array} counts of it and those after it
 * @property {{ scale: string, cells: number[] }} [shown] the same in the rows of the last scale
 *
 * @typedef {object} HeatScale
 * @property {number} low ms, the lower end of the first row
 * @property {number} high ms
 * @property {number} rows
 * @property {number} columns
 * @property {number} endMs time at the end of the last column
 */

/** Bands of a decade: 3.7 % each. */
const PER_DECADE = 64;
/** The lower end of band 0. */
const LOWEST_MS = 0.001;
/** An even number. Beyond it, pairs of points are joined. */
const MOST_POINTS = 1024;
const scratch = new HdrCounts();

/** The response times of a run over time. Its size is limited: long runs have longer intervals. */
export class HeatStrip {
  /** @type {HeatPoint[]} */
  #points = [];
  /** The last grid, which stays until points arrive. @type {{ key: string, grid: number[][] } | null} */
  #last = null;

  /** @type {(intervals: IntervalCounts[]) => void} */
  add(intervals) {
    if (intervals.length === 0) return;
    for (const interval of intervals) this.#points.push(pointOf(interval));
    if (this.#points.length > MOST_POINTS) this.#points = halved(this.#points);
    this.#last = null;
  }

  get isEmpty() {
    return this.#points.every(({ counts }) => counts.length === 0);
  }

  /** How many iterations each cell has, per column, from the lowest row. @type {(scale: HeatScale) => number[][]} */
  gridOf(scale) {
    const key = JSON.stringify(scale);
    if (this.#last?.key !== key) this.#last = { key, grid: gridOf(this.#points, scale) };
    return this.#last.grid;
  }
}

/** @type {(interval: IntervalCounts) => HeatPoint} */
function pointOf({ from, to, counts: bytes }) {
  scratch.clear();
  scratch.addBytes(bytes);
  /** @type {Map<number, number>} */
  const bands = new Map();
  scratch.forEach((us, count) => {
    const band = Math.max(0, Math.floor(Math.log10(us) * PER_DECADE));
    bands.set(band, (bands.get(band) ?? 0) + count);
  });
  return { from, to, ...denseOf(bands) };
}

/** @type {(bands: Map<number, number>) => Pick<HeatPoint, 'first' | 'counts'>} */
function denseOf(bands) {
  if (bands.size === 0) return { first: 0, counts: new Float64Array() };
  const first = Math.min(...bands.keys());
  const counts = new Float64Array(Math.max(...bands.keys()) - first + 1);
  for (const [band, count] of bands) counts[band - first] += count;
  return { first, counts };
}

/** @type {(points: HeatPoint[]) => HeatPoint[]} */
function halved(points) {
  /** @type {HeatPoint[]} */
  const joined = [];
  for (let i = 0; i < points.length; i += 2) {
    const some = points.slice(i, i + 2);
    /** @type {Map<number, number>} */
    const bands = new Map();
    for (const { first, counts } of some)
      counts.forEach((count, at) => count > 0 && bands.set(first + at, (bands.get(first + at) ?? 0) + count));
    joined.push({ from: some[0].from, to: some[some.length - 1].to, ...denseOf(bands) });
  }
  return joined;
}

/** @type {(points: HeatPoint[], scale: HeatScale) => number[][]} */
function gridOf(points, { columns, rows, endMs, ...ends }) {
  const grid = Array.from({ length: columns }, () => new Array(rows).fill(0));
  const covered = new Array(columns).fill(0);
  const key = `${rows} ${ends.low} ${ends.high}`;
  for (const point of points) {
    const [from, to] = [point.from, Math.max(point.to, point.from + 1)].map((ms) => (ms * columns) / endMs);
    if (point.shown?.scale !== key) point.shown = { scale: key, cells: cellsOf(point, { rows, ...ends }) };
    const { cells } = point.shown;
    for (let column = Math.floor(from); column < Math.min(columns, to); column++) {
      const part = Math.min(column + 1, to) - Math.max(column, from);
      covered[column] += part;
      for (let row = 0; row < rows; row++) grid[column][row] += (cells[row] * part) / (to - from);
    }
  }
  // The last column of a run that goes on has a part of its time.
  return grid.map((cells, column) => cells.map((count) => (covered[column] > 0 ? count / covered[column] : 0)));
}

/**
 * Spreads each band over the rows that it reaches, so that no row is empty between two.
 * @type {(point: HeatPoint, scale: Pick<HeatScale, 'low' | 'high' | 'rows'>) => number[]}
 */
function cellsOf({ first, counts }, { low, high, rows }) {
  const cells = new Array(rows).fill(0);
  const perDecade = rows / Math.log10(high / low);
  const rowAt = (/** @type {number} */ band) => (band / PER_DECADE - Math.log10(low / LOWEST_MS)) * perDecade;
  counts.forEach((count, at) => {
    // The first and the last row include times beyond the scale.
    const from = Math.max(0, Math.min(rows - 1, rowAt(first + at)));
    const to = Math.max(from + LEAST_SPAN, Math.min(rows, rowAt(first + at + 1)));
    for (let row = Math.floor(from); row < to; row++)
      cells[row] += (count * (Math.min(row + 1, to) - Math.max(row, from))) / (to - from);
  });
  return cells;
}

/** Rows that a band reaches at least. */
const LEAST_SPAN = 1e-9;

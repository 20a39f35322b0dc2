import { writeMs } from '../../core/ground/units.js';
import { HdrCounts } from '../../core/measure/hdr-counts.js';
import { levelOf } from '../../core/report/distribution-charts.js';
import { widthOf } from '../../core/report/text/layout.js';
import { alignedRight, segmentOf } from './line.js';

/** @import { IntervalCounts } from '../../core/contracts/run.js' */
/** @import { Ink, Look } from './line.js' */
/** @import { ScreenModel } from './model.js' */
/** @import { Segment } from './terminal.js' */

/** Columns of the labels of the times, and of the line beside them. */
const LABEL = 9;
/** Columns of a segment: a new interval changes few of them. */
const CHUNK = 8;
const STEPS_S = [0.5, 1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14_400, 43_200, 86_400];
/** Columns between two labels of the time axis. */
const LEAST_STEP = 12;

/**
 * The rows that were drawn of a grid. `HeatStrip.gridOf` returns the same grid until response times arrive, or the size
 * of the screen or the ends of its axes change.
 * @type {WeakMap<number[][], { look: Look, rows: Segment[][] }>}
 */
const drawn = new WeakMap();

/**
 * Draws the response times over time: a row of the screen has two rows of the map, if the terminal has colors.
 * @type {(model: ScreenModel, room: { width: number, height: number }, look: Look) => Segment[][]}
 */
export function heatRows({ strip, axes }, { width, height }, look) {
  const columns = width - LABEL;
  const lines = height - 1;
  if (axes === null || columns < CHUNK || lines < 1) return [];
  const { low, high, endMs } = axes;
  const perLine = look.ink.heat ? 2 : 1;
  const levels = look.ink.heat?.length ?? look.glyphs.shades.length;
  const grid = strip.gridOf({ low, high, endMs, columns, rows: lines * perLine });
  const known = drawn.get(grid);
  if (known?.look === look) return known.rows;
  const fullest = grid.reduce((most, column) => column.reduce((one, cell) => Math.max(one, cell), most), 0);
  const shades = grid.map((column) => column.map((cell) => (cell > 0 ? levelOf(cell, fullest, levels) : 0)));
  const labels = labelsOf({ low, high, lines });
  const edge = look.unicode ? '│' : '|';
  const rows = Array.from({ length: lines }, (_, line) => {
    // The first line of the screen is the last one of the grid and of the labels.
    const fromBelow = lines - 1 - line;
    const row = shades.map((column) => column.slice(fromBelow * perLine, (fromBelow + 1) * perLine));
    const label = `${alignedRight(labels.get(fromBelow) ?? '', LABEL - 2)} ${edge}`;
    return [segmentOf([[label, 'dim']], LABEL, look), ...chunks(row).map((part) => cellsOf(part, look))];
  });
  const all = [...rows, [segmentOf([[timeAxis(endMs, columns, look), 'dim']], width, look)]];
  drawn.set(grid, { look, rows: all });
  return all;
}

/** @type {<T>(all: T[]) => T[][]} */
function chunks(all) {
  return Array.from({ length: Math.ceil(all.length / CHUNK) }, (_, i) => all.slice(i * CHUNK, (i + 1) * CHUNK));
}

/** @type {(cells: number[][], look: Look) => Segment} */
function cellsOf(cells, { ink, glyphs }) {
  const text = ink.heat
    ? halfBlocks(cells, ink.heat)
    : ink.paint('cyan', cells.map(([level]) => (level > 0 ? glyphs.shades[level - 1] : ' ')).join(''));
  return { text, width: cells.length };
}

/**
 * Writes two cells in each character. A space has neither color; a block has that of its foreground (`front`), and
 * behind it that of its background (`ground`); both are levels, 0: none. Sequences of SGR are written only where a
 * color changes: 38 and 48 set them, 39 and 49 reset them.
 * @type {(cells: number[][], heat: NonNullable<Ink['heat']>) => string}
 */
function halfBlocks(cells, heat) {
  let text = '';
  let [front, ground] = [0, 0];
  for (const [lower, upper] of cells) {
    const [character, wantedFront, wantedGround] = characterOf(lower, upper);
    if (wantedGround !== ground) text += wantedGround === 0 ? '\u001b[49m' : `\u001b[48;${heat[wantedGround - 1]}m`;
    if (wantedFront !== 0 && wantedFront !== front) text += `\u001b[38;${heat[wantedFront - 1]}m`;
    text += character;
    ground = wantedGround;
    // A space leaves the foreground as it is.
    front = wantedFront || front;
  }
  return `${text}${front === 0 ? '' : '\u001b[39m'}${ground === 0 ? '' : '\u001b[49m'}`;
}

/** @type {(lower: number, upper: number) => [character: string, front: number, ground: number]} */
function characterOf(lower, upper) {
  if (upper === lower) return upper === 0 ? [' ', 0, 0] : ['█', upper, 0];
  return upper === 0 ? ['▄', lower, 0] : ['▀', upper, lower];
}

/**
 * Times at 1, 2 and 5 of each decade, by the line that has them, counted from the lowest line. Where two times are on
 * one line, that of the whole decade wins, then 5.
 * @type {(axis: { low: number, high: number, lines: number }) => Map<number, string>}
 */
function labelsOf({ low, high, lines }) {
  /** @type {Map<number, string>} */
  const labels = new Map();
  for (const factor of [1, 5, 2]) {
    for (let decade = 1e-3; decade <= high; decade *= 10) {
      const time = Number((factor * decade).toPrecision(1));
      if (time < low || time > high) continue;
      const line = Math.min(lines - 1, Math.floor((Math.log(time / low) / Math.log(high / low)) * lines));
      if (!labels.has(line)) labels.set(line, writeMs(time));
    }
  }
  return labels;
}

/** @type {(endMs: number, columns: number, look: Look) => string} */
function timeAxis(endMs, columns, { unicode }) {
  const fits = (/** @type {number} */ seconds) => (seconds * 1000 * columns) / endMs >= LEAST_STEP;
  const stepMs = (STEPS_S.find(fits) ?? endMs / 1000) * 1000;
  let axis = `${' '.repeat(LABEL - 1)}${unicode ? '└' : '+'}`;
  for (let at = 0; at <= endMs; at += stepMs) {
    const label = writeMs(at).replace(/^0 .*/, '0');
    const column = LABEL + Math.round((at * columns) / endMs);
    // The last label ends with the axis, unless another label is there.
    const from = Math.min(column, LABEL + columns - widthOf(label));
    if (from < axis.length) continue;
    axis = axis.padEnd(from) + label;
  }
  return axis;
}

/** The cells of the map from few to many. @type {(look: Look) => Segment} */
export function legendOf({ ink, glyphs }) {
  const cells = ink.heat
    ? halfBlocks(
        ink.heat.map((_, i) => [i + 1, i + 1]),
        ink.heat,
      )
    : glyphs.shades.join('');
  const width = ' few  many'.length + (ink.heat ?? glyphs.shades).length;
  return { text: `${ink.paint('dim', ' few ')}${cells}${ink.paint('dim', ' many')}`, width };
}

/**
 * @typedef {object} HeatPoint an interval and its response times, in bands: these are finer than the rows of a screen,
 *   so that the same counts can be drawn again when the rows have another scale
 * @property {number} from time of the run, ms
 * @property {number} to
 * @property {number} first the number of the first band with response times
 * @property {Float64Array} counts of response times in that band and those after it
 * @property {{ key: string, counts: number[] }} [byRow] the counts in rows, kept for the scale of this key
 *
 * @typedef {object} HeatScale
 * @property {number} low response time at the lower end of the first row, ms
 * @property {number} high response time at the upper end of the last row, ms
 * @property {number} rows
 * @property {number} columns
 * @property {number} endMs time of the run at the end of the last column
 */

/** Bands of a decade: the upper end of each is 3.7 % above the lower one. */
const PER_DECADE = 64;
/** The lower end of band 0: 1 µs. */
const LOWEST_MS = 0.001;
/** If there are more points, pairs of them are joined. */
const MOST_POINTS = 1024;
/** The counts of one interval at a time, without an allocation for each. */
const scratch = new HdrCounts();

/** The response times of a run over time. The number of points is limited: those of long runs are longer. */
export class HeatStrip {
  /** @type {HeatPoint[]} */
  #points = [];
  /** The last grid, by the scale that it was made for. @type {{ key: string, grid: number[][] } | null} */
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

  /**
   * Returns how many iterations each cell has, by column and row (the lowest one first); 0 where nothing was measured.
   * @type {(scale: HeatScale) => number[][]}
   */
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

/** Makes an array without empty ends. @type {(bands: Map<number, number>) => Pick<HeatPoint, 'first' | 'counts'>} */
function denseOf(bands) {
  if (bands.size === 0) return { first: 0, counts: new Float64Array() };
  const first = Math.min(...bands.keys());
  const counts = new Float64Array(Math.max(...bands.keys()) - first + 1);
  for (const [band, count] of bands) counts[band - first] += count;
  return { first, counts };
}

/** Joins points in pairs. @type {(points: HeatPoint[]) => HeatPoint[]} */
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

/**
 * Spreads the counts of each interval over the columns of its time, by the part of the interval in each. The interval
 * lies from `from` to `to` in columns, which may be fractions.
 * @type {(points: HeatPoint[], scale: HeatScale) => number[][]}
 */
function gridOf(points, { columns, rows, endMs, ...ends }) {
  const grid = Array.from({ length: columns }, () => new Array(rows).fill(0));
  /** Which part of each column has been measured: 1, but less in the last one while the run goes on. */
  const covered = new Array(columns).fill(0);
  const key = `${rows} ${ends.low} ${ends.high}`;
  for (const point of points) {
    const [from, to] = [point.from, Math.max(point.to, point.from + 1)].map((ms) => (ms * columns) / endMs);
    if (point.byRow?.key !== key) point.byRow = { key, counts: countsByRow(point, { rows, ...ends }) };
    const { counts } = point.byRow;
    for (let column = Math.floor(from); column < Math.min(columns, to); column++) {
      const part = Math.min(column + 1, to) - Math.max(column, from);
      covered[column] += part;
      for (let row = 0; row < rows; row++) grid[column][row] += (counts[row] * part) / (to - from);
    }
  }
  return grid.map((cells, column) => cells.map((count) => (covered[column] > 0 ? count / covered[column] : 0)));
}

/** Rows that a band reaches at least: one below the scale has no rows of its own, and counts in the first row. */
const LEAST_SPAN = 1e-9;

/**
 * Spreads the count of each band over the rows that it reaches, so that no row is empty between two. The band lies from
 * `from` to `to` in rows, which may be fractions.
 * @type {(point: HeatPoint, scale: Pick<HeatScale, 'low' | 'high' | 'rows'>) => number[]}
 */
function countsByRow({ first, counts }, { low, high, rows }) {
  const byRow = new Array(rows).fill(0);
  const rowsPerDecade = rows / Math.log10(high / low);
  const rowAt = (/** @type {number} */ band) => (band / PER_DECADE - Math.log10(low / LOWEST_MS)) * rowsPerDecade;
  counts.forEach((count, at) => {
    // The first and the last row include times beyond the scale.
    const from = Math.max(0, Math.min(rows - 1, rowAt(first + at)));
    const to = Math.max(from + LEAST_SPAN, Math.min(rows, rowAt(first + at + 1)));
    for (let row = Math.floor(from); row < to; row++)
      byRow[row] += (count * (Math.min(row + 1, to) - Math.max(row, from))) / (to - from);
  });
  return byRow;
}

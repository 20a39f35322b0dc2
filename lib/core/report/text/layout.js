import { styleText } from 'node:util';

import stringWidth from 'fast-string-width';

import { count, ms } from '../../ground/decimal.js';
import { wrapped as wrappedText } from '../../text/format-value.js';

/** @import { HistogramSummary } from '../../contracts/summaries.js' */
/** @import { Glyphs } from '../terminal.js' */

/** @typedef {'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'cyan'} Style */
/** @typedef {(style: Style | Style[], text: string) => string} Paint */
/** @typedef {string | { text: string, style?: Style }} Cell */

/**
 * @typedef {object} Column
 * @property {string} head
 * @property {boolean} [isText] aligned left; numbers are aligned right
 * @property {number} [from] only in tables at least this wide
 * @property {number} [spare] left out if the others need its place, the lowest one first
 */

/** Of an outcome. @type {Record<import('../../measure/outcome.js').Verdict, Style>} */
export const OUTCOME_STYLES = { passed: 'green', undecided: 'yellow', failed: 'red' };

const GAP = '  ';
const MIN_WIDTH = 12;

/** @type {(color: boolean) => Paint} */
export function painter(color) {
  // The caller has decided whether to use colors.
  return (style, text) => (color ? styleText(style, text, /** @type {any} */ ({ validateStream: false })) : text);
}

/**
 * Lines of a table; none without rows. Columns whose `from` is above the width are omitted, and spare ones until the
 * others fit; then the middle of the first column is cut: its end is kept, as long names of operations begin alike.
 * @type {(columns: Column[], rows: Cell[][], options: { width: number, paint: Paint, glyphs: Glyphs }) => string[]}
 */
export function table(columns, rows, { width, paint, glyphs }) {
  if (rows.length === 0) return [];
  const heads = columns.map(({ head }) => head);
  const widths = columns.map((_, i) => widest([heads, ...rows].map((row) => textOf(row[i]))));
  const { kept, excess } = fittingColumns(columns, widths, width);
  const [first] = kept;
  const leastFirst = Math.min(widths[first], Math.max(widthOf(heads[first]), MIN_WIDTH));
  if (excess > 0) widths[first] = Math.max(leastFirst, widths[first] - excess);
  const line = (/** @type {Cell[]} */ row) =>
    kept
      .map((i) => {
        const text = cutMiddle(textOf(row[i]), widths[i], glyphs.ellipsis);
        const padding = ' '.repeat(Math.max(0, widths[i] - widthOf(text)));
        // Paint last: escape sequences have no width.
        const cell = row[i];
        const painted = typeof cell === 'string' || !cell.style ? text : paint(cell.style, text);
        return columns[i].isText ? painted + padding : padding + painted;
      })
      .join(GAP)
      .trimEnd();
  // Columns without any name have no line of names.
  return [...(heads.some(Boolean) ? [paint('dim', line(heads))] : []), ...rows.map(line)];
}

/**
 * Indexes of the columns that are printed, and by how much they are too wide.
 * @type {(columns: Column[], widths: number[], width: number) => { kept: number[], excess: number }}
 */
function fittingColumns(columns, widths, width) {
  let kept = columns.map((_, i) => i).filter((i) => width >= (columns[i].from ?? 0));
  const excessOf = () => kept.reduce((sum, i) => sum + widths[i] + GAP.length, -GAP.length) - width;
  const spares = kept.filter((i) => columns[i].spare !== undefined);
  spares.sort((a, b) => Number(columns[a].spare) - Number(columns[b].spare));
  for (const spare of spares) {
    if (excessOf() > 0) kept = kept.filter((i) => i !== spare);
  }
  return { kept, excess: excessOf() };
}

/**
 * Text in at most `width` columns of a terminal, without its end if it is longer; empty without room for the ellipsis.
 * @type {(text: string, width: number, ellipsis?: string) => string}
 */
export function cut(text, width, ellipsis = '…') {
  if (widthOf(text) <= width) return text;
  if (width < ellipsis.length) return '';
  return beginning(charactersOf(text), width - ellipsis.length).join('') + ellipsis;
}

/** The same, without its beginning. @type {(text: string, width: number, ellipsis: string) => string} */
export function cutBeginning(text, width, ellipsis) {
  if (widthOf(text) <= width) return text;
  const end = beginning(charactersOf(text).toReversed(), width - ellipsis.length).toReversed();
  return ellipsis + end.join('');
}

/** The same, without its middle. @type {(text: string, width: number, ellipsis: string) => string} */
function cutMiddle(text, width, ellipsis) {
  if (widthOf(text) <= width) return text;
  const room = width - ellipsis.length;
  const characters = charactersOf(text);
  const end = beginning(characters.toReversed(), Math.floor(room / 2))
    .toReversed()
    .join('');
  return beginning(characters, room - widthOf(end)).join('') + ellipsis + end;
}

/** Characters of either end of a cut text, more than any terminal shows; 100,000 other than ASCII take 10 s. */
const LONGEST_END = 1000;

/** Letters with their accents, and emoji, are one each. @type {(text: string) => string[]} */
function charactersOf(text) {
  const ends = text.length > 2 * LONGEST_END ? text.slice(0, LONGEST_END) + text.slice(-LONGEST_END) : text;
  if (NARROW.test(ends)) return [...ends];
  segmenter ??= new Intl.Segmenter();
  return Array.from(segmenter.segment(ends), ({ segment }) => segment);
}

/** Returns as many characters as fit. @type {(characters: string[], width: number) => string[]} */
function beginning(characters, width) {
  let used = 0;
  const end = characters.findIndex((character) => (used += widthOf(character)) > width);
  return end < 0 ? characters : characters.slice(0, end);
}

/**
 * Joins parts in lines: a line ends between two parts, and within a part only if it is longer than a line. `indent` is
 * that of the second and later lines, also within the first part.
 * @type {(parts: string[], options: { gap: string, indent: number, width: number }) => string[]}
 */
export function joined(parts, { gap, indent, width }) {
  /** @type {string[]} */
  const lines = [];
  for (const part of parts) {
    const last = lines.at(-1);
    const room = lines.length > 1 ? width - indent : width;
    if (last !== undefined && widthOf(last) + gap.length + widthOf(part) <= room)
      lines[lines.length - 1] = last + gap + part;
    else lines.push(part);
  }
  const margin = ' '.repeat(indent);
  return lines.flatMap((line, i) => {
    if (i === 0) return widthOf(line) <= width ? [line] : wrapped(line, indent, width).split('\n');
    const own = wrapped(line, 0, width - indent).split('\n');
    return own.map((one) => margin + one);
  });
}

/** Pads a text on the right, to a width of the terminal. @type {(text: string, width: number) => string} */
export function padded(text, width) {
  return text + ' '.repeat(Math.max(0, width - widthOf(text)));
}

/** Words in lines, the later ones indented. @type {(text: string, indent: number, width: number) => string} */
export function wrapped(text, indent, width) {
  return wrappedText(text, indent, width, widthOf);
}

/** Created when the first text is cut, because its creation takes 10 ms. @type {Intl.Segmenter | undefined} */
let segmenter;
/** Printable ASCII, and the characters of charts: each takes one column. */
const NARROW = /^[ -~·µ×…◂✓✗\u2500-\u259f]*$/;

/** Columns of a text in a terminal. @param {string} text without escape sequences */
export function widthOf(text) {
  // The library takes longer, which a table of 50 rows feels.
  return NARROW.test(text) ? text.length : stringWidth(text);
}

/** A loop, because there may be more texts than a call can have arguments. @type {(texts: string[]) => number} */
export function widest(texts) {
  return texts.reduce((most, text) => Math.max(most, widthOf(text)), 0);
}

/** @type {(cell: Cell) => string} */
function textOf(cell) {
  return typeof cell === 'string' ? cell : cell.text;
}

/** The least span of a sparkline, as a share of the lowest value: noise fills no column. */
const LEAST_SPAN = 0.1;

/**
 * Draws values as columns, from the lowest to the highest; more values than columns are averaged. `low` and `high` are
 * the ends of the scale, by default those of the values.
 * @type {(values: (number | null)[], options: { heights: string[], columns: number, low?: number, high?: number }) =>
 *   string}
 */
export function sparkline(values, { heights, columns, ...ends }) {
  const count = Math.min(columns, values.length);
  const means = Array.from({ length: count }, (_, i) => {
    const own = values.slice(Math.floor((i * values.length) / count), Math.floor(((i + 1) * values.length) / count));
    const known = own.flatMap((value) => value ?? []);
    return known.length > 0 ? known.reduce((sum, value) => sum + value, 0) / known.length : null;
  });
  const known = means.flatMap((value) => value ?? []);
  const { low = Math.min(...known), high = Math.max(...known) } = ends;
  const span = Math.max(high - low, low * LEAST_SPAN) || 1;
  const heightOf = (/** @type {number} */ value) => {
    const at = Math.floor(((value - low) / span) * heights.length);
    return heights[Math.max(0, Math.min(heights.length - 1, at))];
  };
  return means.map((value) => (value === null ? ' ' : heightOf(value))).join('');
}

/**
 * @typedef {object} TimeScale the one unit of a table
 * @property {string} unit
 * @property {(ms: number | null) => string} format a time without its unit; `-` if there is none
 * @property {(ms: number | null) => string} withUnit
 * @property {(ms: number) => string} round with two significant digits, for an axis, and its unit
 */

const MICROSECONDS_BELOW_MS = 1;
const SECONDS_FROM_MS = 10_000;

/**
 * The unit for a group of times, so that they can be compared at a glance: microseconds if nearly all are below a
 * millisecond, seconds if half of them take ten or more, else milliseconds.
 * @type {(times: Pick<HistogramSummary, 'median' | 'p95' | 'max'>, glyphs: Glyphs) => TimeScale}
 */
export function timeScaleOf({ median, p95, max }, { micro }) {
  const [most, typical] = [p95 ?? max ?? MICROSECONDS_BELOW_MS, median ?? max ?? 0];
  // Recorded times have no more digits than microseconds.
  if (most < MICROSECONDS_BELOW_MS) return scale(`${micro}s`, 1000, count);
  return typical >= SECONDS_FROM_MS ? scale('s', 0.001, ms) : MILLISECONDS;
}

export const MILLISECONDS = scale('ms', 1, ms);

/** @type {(unit: string, perMs: number, formatNumber: (value: number) => string) => TimeScale} */
function scale(unit, perMs, formatNumber) {
  const format = (/** @type {number | null} */ value) => (value === null ? '-' : formatNumber(value * perMs));
  return {
    unit,
    format,
    withUnit: (value) => (value === null ? '-' : `${format(value)} ${unit}`),
    round(value) {
      const two = Number((value * perMs).toPrecision(2));
      return `${two >= 1000 ? count(two) : two} ${unit}`;
    },
  };
}

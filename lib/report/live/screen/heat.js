import { writeMs } from '../../../ground/units.js';
import { levelOf } from '../../chart-data.js';
import { widthOf } from '../../text/layout.js';
import { alignedRight, lineOf } from './line.js';

/** @import { Ink } from './ink.js' */
/** @import { Look } from './line.js' */
/** @import { ScreenModel } from './model.js' */
/** @import { Segment } from './terminal.js' */

/** Columns of the labels of the times, and of the line beside them. */
const LABEL = 9;
/** Columns of a segment: a new interval changes few of them. */
const CHUNK = 8;
const STEPS_S = [0.5, 1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14_400, 43_200, 86_400];
/** Columns between two labels of the time axis. */
const LEAST_STEP = 12;

/** The rows of a grid, until response times arrive. @type {WeakMap<number[][], { look: Look, rows: Segment[][] }>} */
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
  const fullest = grid.reduce((most, cells) => cells.reduce((one, cell) => Math.max(one, cell), most), 0);
  const cells = grid.map((column) => column.map((cell) => (cell > 0 ? levelOf(cell, fullest, levels) : 0)));
  const labels = labelsOf({ low, high, lines });
  const edge = look.unicode ? '│' : '|';
  const rows = Array.from({ length: lines }, (_, line) => {
    const lowest = (lines - 1 - line) * perLine;
    const row = cells.map((column) => column.slice(lowest, lowest + perLine));
    const label = `${alignedRight(labels.get(lines - 1 - line) ?? '', LABEL - 2)} ${edge}`;
    return [lineOf([[label, 'dim']], LABEL, look), ...chunks(row).map((part) => cellsOf(part, look))];
  });
  const all = [...rows, [lineOf([[timeAxis(endMs, columns, look), 'dim']], width, look)]];
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
 * Two cells in each character: the lower one is its ground.
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
 * Times at 1, 2 and 5 of each decade, by the line that has them, counted from the lowest; those of whole decades win.
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

import { SCREEN } from './size.js';
import { glyphsOf } from '../../core/report/terminal.js';
import { OUTCOME_STYLES, painter, table, widest, widthOf, wrapped } from '../../core/report/text/layout.js';
import { LARGE_ROWS, SMALL_ROWS, courseRows, figureRows } from './cards.js';
import { heatRows, legendOf } from './heat.js';
import { inkOf, alignedRight, inLines, segmentOf, restRows, shownOf } from './line.js';
import { LOAD_HEADS } from './model.js';
import { operationRows } from './operations.js';

/** @import { Line, Look } from './line.js' */
/** @import { Piece, ScreenModel } from './model.js' */
/** @import { Segment } from './terminal.js' */

/**
 * @typedef {object} Size
 * @property {number} columns
 * @property {number} rows
 * @property {number} depth bits of a color: 1 (none), 4, 8 or 24
 * @property {boolean} unicode
 *
 * @typedef {{ width: number, height: number }} Room
 *
 * @typedef {object} SectionRow a part of the screen
 * @property {'left' | 'right'} side of a wide screen; a narrower one has the left parts above the right ones
 * @property {number} rank the lowest one gets its rows first
 * @property {number} least rows; without room for them it is left out
 * @property {number} [good] rows that it should have
 * @property {number} [most] rows; a part without it has as many as its list needs
 * @property {(model: ScreenModel, room: Room, look: Look) => Segment[][]} rows draws it, in at most as many rows as the
 *   room has; none: there is nothing to show
 *
 * @typedef {(model: ScreenModel, width: number, look: Look) => Line[]} LinesOf
 */

/** Rows that are at least this wide have two sides. */
const TWO_SIDES_FROM = 130;
const MARGIN = 1;
const GAP = 3;

/** The parts below the figures, in their order. To add one, add a row. @type {SectionRow[]} */
const SECTIONS = [
  { side: 'left', rank: 1, least: 5, good: 7, most: 48, rows: heatSection },
  { side: 'left', rank: 4, least: 3, rows: operationRows },
  { side: 'left', rank: 5, least: 3, rows: loadSection },
  { side: 'right', rank: 3, least: 3, rows: listOf('thresholds', goalLines) },
  { side: 'right', rank: 7, least: 3, rows: listOf('responses', statusLines) },
  { side: 'right', rank: 2, least: 3, rows: listOf('errors', errorLines) },
  { side: 'right', rank: 8, least: 3, rows: listOf('server', serverLines) },
  { side: 'left', rank: 5, least: 3, rows: listOf('streams', streamLines) },
  { side: 'right', rank: 6, least: 2, rows: messageSection },
];

/** Rows of the head, with the empty one after it, and of the foot. */
const [HEAD_ROWS, FOOT_ROWS] = [4, 1];

/**
 * Draws a run in frames: as many rows as the screen has, each as wide as the screen at most. Figures change with each
 * frame; what is below them is drawn again only if it has changed, and else has the same rows.
 */
export class Frames {
  /** The look of the last frame. @type {{ key: string, look: Look }} */
  #look = { key: '', look: lookOf(1, false) };
  /**
   * What the last frame had below the figures, and what it depends on.
   * @type {{ state: ScreenModel['state'], key: string, figureRows: number, rows: Segment[][] } | null}
   */
  #lower = null;

  /** @type {(model: ScreenModel, size: Size) => Segment[][]} */
  next(model, size) {
    const look = this.#lookOf(size);
    // The courses of cards come from the state; only their labels and values change while it stays the same object.
    const key = JSON.stringify([size, model.axes, model.messages, model.cards.map(({ label }) => label)]);
    if (this.#lower?.state !== model.state || this.#lower.key !== key)
      this.#lower = { state: model.state, key, ...lowerRows(model, size, look) };
    const width = size.columns - 2 * MARGIN;
    const figures = figureRows(model.cards, { width, height: this.#lower.figureRows }, look);
    const upper = [...headRows(model, width, look), [segmentOf([], width, look)], ...figures];
    return [...withMargin(upper), ...this.#lower.rows].slice(0, size.rows);
  }

  /** @type {(size: Size) => Look} the same one until the terminal changes */
  #lookOf({ depth, unicode }) {
    const key = `${depth} ${unicode}`;
    if (this.#look.key !== key) this.#look = { key, look: lookOf(depth, unicode) };
    return this.#look.look;
  }
}

/** @type {(depth: number, unicode: boolean) => Look} */
function lookOf(depth, unicode) {
  return { ink: inkOf(depth, unicode), glyphs: glyphsOf(unicode), unicode };
}

/**
 * Draws what is below the figures: courses, parts and foot. The figures get their small form if the parts would lack
 * rows beside the large one; `figureRows` says which.
 * @type {(model: ScreenModel, size: Size, look: Look) => { figureRows: number, rows: Segment[][] }}
 */
function lowerRows(model, { columns, rows }, look) {
  const width = columns - 2 * MARGIN;
  const blank = [segmentOf([], width, look)];
  const courses = [...courseRows(model.cards, width, look), blank];
  // The smallest screen has no empty row above the foot.
  const spare = rows > SCREEN.rows ? 1 : 0;
  const heightBelow = (/** @type {number} */ figures) =>
    rows - HEAD_ROWS - figures - courses.length - spare - FOOT_ROWS;
  const sides = sidesOf(model, { width, height: heightBelow(SMALL_ROWS) }, look);
  const isTight = sides.some(({ parts }) => rowsFor(parts) > heightBelow(LARGE_ROWS));
  const rowsOfFigures = isTight ? SMALL_ROWS : LARGE_ROWS;
  const height = heightBelow(rowsOfFigures);
  const body = sideBySide(
    sides.map((side) => ({ ...side, rows: arranged(model, side, height, look) })),
    look,
  );
  const fill = Array.from({ length: height + spare - body.length }, () => blank);
  const foot = [segmentOf([[FOOT, 'dim']], width, look)];
  return { figureRows: rowsOfFigures, rows: withMargin([...courses, ...body, ...fill, foot]) };
}

/** @type {(rows: Segment[][]) => Segment[][]} */
function withMargin(rows) {
  const margin = { text: ' '.repeat(MARGIN), width: MARGIN };
  return rows.map((row) => [margin, ...row]);
}

/** @type {(model: ScreenModel, width: number, look: Look) => Segment[][]} */
function headRows({ title, about, time, share, counters }, width, look) {
  const clock = widthOf(time) + 2;
  const done = Math.round((share ?? 0) * width);
  const { done: full, left: empty } = look.glyphs;
  /** @type {Piece[]} */
  const bar = [
    [full.repeat(done), 'cyan'],
    [empty.repeat(width - done), 'dim'],
  ];
  const groups = counters.map((piece) => [piece]);
  const [first] = inLines(groups, width);
  return [
    [
      segmentOf([[title, 'bold'], ['   '], [about]], width - clock, look),
      segmentOf([[alignedRight(time, clock), 'bold']], clock, look),
    ],
    [segmentOf(bar, width, look)],
    [segmentOf(first?.pieces ?? [], width, look)],
  ];
}

/**
 * @typedef {object} Part a section that has something to show
 * @property {SectionRow} section
 * @property {number} wanted rows that it can use
 * @property {Segment[][]} all its rows, if it gets as many as it wants; none if it fills any number
 */

/** @typedef {{ width: number, parts: Part[] }} Side of the screen */

/** Divides the parts into one or two sides. @type {(model: ScreenModel, room: Room, look: Look) => Side[]} */
function sidesOf(model, { width, height }, look) {
  const sideOf = (/** @type {SectionRow[]} */ sections, /** @type {number} */ sideWidth) => ({
    width: sideWidth,
    parts: partsFor(model, sections, { width: sideWidth, height }, look),
  });
  if (width < TWO_SIDES_FROM) return [sideOf(SECTIONS, width)];
  const right = Math.round((width - GAP) * 0.36);
  const widths = { left: width - GAP - right, right };
  const sides = /** @type {const} */ (['left', 'right']).map((side) =>
    sideOf(
      SECTIONS.filter((section) => section.side === side),
      widths[side],
    ),
  );
  // Nothing is measured if no iteration completes: errors have the whole width then.
  return sides[0].parts.length === 0 ? [sideOf(SECTIONS, width)] : sides;
}

/** @type {(model: ScreenModel, sections: SectionRow[], room: Room, look: Look) => Part[]} */
function partsFor(model, sections, room, look) {
  return sections
    .map((section) => {
      // The map fills any number of rows; a list has to be drawn before its rows can be counted.
      if (section.most) return { section, all: [], wanted: model.axes ? section.most : 0 };
      const all = section.rows(model, room, look);
      return { section, all, wanted: all.length };
    })
    .filter(({ wanted }) => wanted > 0);
}

/** Rows that a list should have, if it is that long. */
const GOOD_ROWS = 8;

/** @type {(part: Part) => number} */
function goodRows({ section, wanted }) {
  return Math.min(wanted, section.good ?? GOOD_ROWS);
}

/** Rows that parts should have, with one empty row less than there are parts. @type {(parts: Part[]) => number} */
function rowsFor(parts) {
  return parts.reduce((sum, part) => sum + goodRows(part) + 1, -1);
}

/**
 * Draws the parts of a side in their order, in the rows that each is granted. An empty row separates them if there is
 * room.
 * @type {(model: ScreenModel, side: Side, height: number, look: Look) => Segment[][]}
 */
function arranged(model, { width, parts }, height, look) {
  const gap = rowsFor(parts) <= height ? 1 : 0;
  const granted = grantedRows(parts, height, gap);
  const blank = [segmentOf([], width, look)];
  const shown = parts.filter((part) => granted.has(part));
  return shown.flatMap((part, i) => {
    const rows = Number(granted.get(part));
    return [
      ...(i > 0 && gap > 0 ? [blank] : []),
      ...(rows === part.all.length ? part.all : part.section.rows(model, { width, height: rows }, look)),
    ];
  });
}

/**
 * Divides the rows by rank: each part gets its least number, then they get one more in turn, first up to the number
 * that they should have. A part without room is absent.
 * @type {(parts: Part[], height: number, gap: number) => Map<Part, number>}
 */
function grantedRows(parts, height, gap) {
  /** @type {Map<Part, number>} */
  const granted = new Map();
  // There is one gap less than there are parts.
  let left = height + gap;
  for (const part of [...parts].sort((a, b) => a.section.rank - b.section.rank)) {
    const least = Math.min(part.section.least, part.wanted);
    if (left < least + gap) continue;
    granted.set(part, least);
    left -= least + gap;
  }
  const give = (/** @type {(part: Part) => number} */ mostOf) => {
    const lacking = () => [...granted].filter(([part, rows]) => rows < mostOf(part));
    for (let some = lacking(); left > 0 && some.length > 0; some = lacking())
      for (const [part, rows] of some.slice(0, left)) {
        granted.set(part, rows + 1);
        left -= 1;
      }
  };
  give(goodRows);
  give(({ wanted }) => wanted);
  return granted;
}

/** @type {(sides: (Side & { rows: Segment[][] })[], look: Look) => Segment[][]} */
function sideBySide(sides, look) {
  if (sides.length === 1) return sides[0].rows;
  const blanks = sides.map(({ width }) => [segmentOf([], width, look)]);
  const gap = segmentOf([], GAP, look);
  const height = Math.max(...sides.map(({ rows }) => rows.length));
  return Array.from({ length: height }, (_, y) =>
    sides.flatMap(({ rows }, i) => [...(i > 0 ? [gap] : []), ...(rows[y] ?? blanks[i])]),
  );
}

/** @type {(title: string, width: number, look: Look, legend?: Segment) => Segment[]} */
function titleRow(title, width, look, legend = { text: '', width: 0 }) {
  const own = width - legend.width;
  const rule = look.glyphs.left.repeat(Math.max(0, own - widthOf(title) - 1));
  return [segmentOf([[title, 'bold'], [' '], [rule, 'dim']], own, look), ...(legend.width > 0 ? [legend] : [])];
}

/** @type {SectionRow['rows']} */
function heatSection(model, { width, height }, look) {
  const rows = heatRows(model, { width, height: height - 1 }, look);
  return rows.length > 0 ? [titleRow('response time', width, look, legendOf(look)), ...rows] : [];
}

/** @type {SectionRow['rows']} */
function loadSection({ state: { loads } }, { width, height }, look) {
  const shown = shownOf(loads, height - 1);
  if (shown.length === 0) return [];
  const title = 'loads';
  const columns = [{ head: title, isText: true }, ...LOAD_HEADS];
  const [head, ...rows] = table(columns, shown, { width, paint: painter(false), glyphs: look.glyphs });
  /** @type {Piece[]} */
  const heads = [
    [title, 'bold'],
    [head.slice(title.length), 'dim'],
  ];
  return [
    [segmentOf(heads, width, look)],
    ...rows.map((line) => [segmentOf([[line]], width, look)]),
    ...restRows(loads.length - shown.length, width, look),
  ];
}

/**
 * Makes a section of a title and lines, of which the last row may count those without room.
 * @type {(title: string, linesOf: LinesOf) => SectionRow['rows']}
 */
function listOf(title, linesOf) {
  return (model, { width, height }, look) => {
    const lines = linesOf(model, width, look);
    if (lines.length === 0) return [];
    const shown = shownOf(lines, height - 1);
    const more = lines.slice(shown.length).reduce((sum, { count }) => sum + count, 0);
    return [
      titleRow(title, width, look),
      ...shown.map(({ pieces }) => [segmentOf(pieces, width, look)]),
      ...restRows(more, width, look),
    ];
  };
}

/** @type {LinesOf} */
function goalLines({ state: { goals, checks } }, width, { glyphs }) {
  const groups = goals.map(
    ({ state, text, measured }) =>
      /** @type {Piece[]} */ ([[`${glyphs[state]} ${text}`, OUTCOME_STYLES[state]], [`  ${measured}`]]),
  );
  if (checks !== '') groups.push([[`checks ${checks}`]]);
  return inLines(groups, width);
}

/** @type {LinesOf} */
function statusLines({ state: { statuses } }, width) {
  return inLines(
    statuses.map((piece) => [piece]),
    width,
  );
}

/** An error with its operation seldom fits a row of fewer columns. */
const SHORT_LINE = 80;

/** A line for each error, or up to three where lines are short. @type {LinesOf} */
function errorLines({ state: { errors } }, width) {
  const size = widest(errors.map(({ count }) => count));
  const most = width < SHORT_LINE ? 3 : 1;
  return errors.flatMap(({ count, text }) => {
    const all = most > 1 ? wrapped(text, 0, width - size - 2).split('\n') : [text];
    // The last line has the rest of the text, and is cut where the row ends.
    const last = all.splice(most - 1).join(' ');
    return (last === '' ? all : [...all, last]).map((line, i) => ({
      pieces: /** @type {Piece[]} */ ([[alignedRight(i === 0 ? count : '', size), 'red'], [`  ${line}`]]),
      count: i === 0 ? 1 : 0,
    }));
  });
}

/** @type {LinesOf} */
function serverLines({ state: { server } }, width) {
  return inLines(
    server.map((text) => [[text]]),
    width,
  );
}

/** @type {LinesOf} */
function streamLines({ state: { streams } }) {
  return streams.map((text) => ({ pieces: [[text]], count: 1 }));
}

/** Shows the last messages. @type {SectionRow['rows']} */
function messageSection({ messages }, { width, height }, look) {
  if (messages.length === 0) return [];
  const shown = messages.slice(-Math.min(MOST_MESSAGES, height - 1));
  return [titleRow('messages', width, look), ...shown.map((text) => [segmentOf([[text]], width, look)])];
}

/** Messages that are kept for the screen, a row each. */
export const MOST_MESSAGES = 6;

const FOOT = 'Ctrl-C ends the run and prints the report; --no-tui shows two lines instead of this screen';

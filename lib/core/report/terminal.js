/** Columns of a text whose reader is unknown: a file, a program, a terminal that does not tell. */
export const DEFAULT_WIDTH = 100;
const MIN_WIDTH = 40;
const MAX_WIDTH = 120;

/**
 * Returns the width of a text report for a terminal with these columns: neither too narrow for its tables nor too wide
 * for its lines.
 * @type {(columns?: number) => number}
 */
export function widthWithin(columns = DEFAULT_WIDTH) {
  return Math.max(MIN_WIDTH, Math.min(columns, MAX_WIDTH));
}

/**
 * The characters beyond letters and digits that text reports and displays use.
 *
 * @typedef {object} Glyphs
 * @property {string} passed
 * @property {string} undecided of a run, one of its thresholds, or a search
 * @property {string} failed
 * @property {string} dot between parts of a line
 * @property {string} ellipsis for what was cut
 * @property {string} times between a count and what was counted
 * @property {string} micro
 * @property {string} mark points at a row of a histogram
 * @property {string[]} blocks parts of a character of a bar, from the smallest to the whole
 * @property {string[]} heights of a column of a chart, from the lowest
 * @property {string[]} shades of a cell of a heat map, from the lightest
 * @property {string} from the lower end of a range
 * @property {string} done part of a progress bar
 * @property {string} left part of a progress bar
 */

/** @type {Glyphs} */
const UNICODE = {
  passed: '✓',
  undecided: '?',
  failed: '✗',
  dot: '·',
  ellipsis: '…',
  times: '×',
  micro: 'µ',
  mark: '◂',
  blocks: ['▏', '▎', '▍', '▌', '▋', '▊', '▉', '█'],
  heights: ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'],
  shades: ['░', '▒', '▓', '█'],
  from: '┣',
  done: '━',
  left: '─',
};

/** Characters for terminals whose locale is not UTF-8. @type {Glyphs} */
const ASCII = {
  passed: 'PASSED',
  undecided: 'UNDECIDED',
  failed: 'FAILED',
  dot: '|',
  ellipsis: '...',
  times: 'x',
  micro: 'u',
  mark: '<',
  blocks: ['#'],
  heights: ['.', ':', '-', '=', '+', '*', '%', '#'],
  shades: ['.', ':', '*', '#'],
  from: '|',
  done: '=',
  left: '-',
};

/** @type {(unicode: boolean) => Glyphs} */
export function glyphsOf(unicode) {
  return unicode ? UNICODE : ASCII;
}

/**
 * Writes the signs of our own that no glyph stands for, where the locale is not UTF-8: `± 0.9 µs` as `+-0.9 us`, which
 * is as wide, `≤` as `<=`, and `…` as three points.
 * @type {(text: string, unicode: boolean) => string}
 */
export function forLocale(text, unicode) {
  return unicode
    ? text
    : text
        .replace(/± ?/g, '+-')
        .replaceAll('≤', '<=')
        .replaceAll(UNICODE.micro, ASCII.micro)
        .replaceAll(UNICODE.ellipsis, ASCII.ellipsis);
}

/**
 * The characters beyond letters and digits that text reports and displays use.
 *
 * @typedef {object} Glyphs
 * @property {string} passed
 * @property {string} doubtful
 * @property {string} failed
 * @property {string} dot between parts of a line
 * @property {string} ellipsis for what was cut
 * @property {string} times between a count and what was counted
 * @property {string} micro
 * @property {string} mark points at a row of a histogram
 * @property {string[]} blocks parts of a character of a bar, from the smallest to the whole
 * @property {string} done part of a progress bar
 * @property {string} left part of a progress bar
 */

/** @type {Glyphs} */
const UNICODE = {
  passed: '✓',
  doubtful: '!',
  failed: '✗',
  dot: '·',
  ellipsis: '…',
  times: '×',
  micro: 'µ',
  mark: '◂',
  blocks: ['▏', '▎', '▍', '▌', '▋', '▊', '▉', '█'],
  done: '━',
  left: '─',
};

/** For terminals whose locale is not UTF-8. @type {Glyphs} */
const ASCII = {
  passed: 'PASSED',
  doubtful: 'DOUBTFUL',
  failed: 'FAILED',
  dot: '|',
  ellipsis: '...',
  times: 'x',
  micro: 'u',
  mark: '<',
  blocks: ['#'],
  done: '=',
  left: '-',
};

/** @type {(unicode: boolean) => Glyphs} */
export function glyphsOf(unicode) {
  return unicode ? UNICODE : ASCII;
}

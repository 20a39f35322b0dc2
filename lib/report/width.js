/** Columns of a text whose reader is unknown: a file, a program, a terminal that does not tell. */
export const DEFAULT_WIDTH = 100;
const MIN_WIDTH = 40;
const MAX_WIDTH = 120;

/**
 * The width of a text report for a terminal: neither too narrow for its tables nor too wide for its lines.
 *
 * @param {number} [columns] of the terminal
 * @returns {number} columns
 */
export function widthWithin(columns = DEFAULT_WIDTH) {
  return Math.max(MIN_WIDTH, Math.min(columns, MAX_WIDTH));
}

import { escapeText } from './escape.js';
import { maskText } from '../mask.js';

/** @import { OperationSummary } from '../measure/operations.js' */

const LONGEST_NAME = 50;

/**
 * A line for each operation, where there are several.
 *
 * @param {OperationSummary[]} operations
 * @returns {string}
 */
export function operationsText(operations) {
  if (operations.length < 2) return '';
  const rows = operations.map(({ name, phase, count, errors, serviceTime: { median, p99, max } }) => [
    phase,
    shortened(escapeText(maskText(name))),
    String(count),
    String(errors),
    ms(median),
    ms(p99),
    ms(max),
  ]);
  const head = ['operations', '', 'count', 'errors', 'median', 'p99', 'max'];
  const widths = head.map((_, i) => Math.max(...[head, ...rows].map((row) => row[i].length)));
  const line = (/** @type {string[]} */ row) =>
    row
      .map((cell, i) => (i < 2 ? cell.padEnd(widths[i]) : cell.padStart(widths[i])))
      .join('  ')
      .trimEnd();
  return `${[head, ...rows].map(line).join('\n')}\n`;
}

/** @type {(value: number | null) => string} */
function ms(value) {
  return value === null ? '-' : `${value.toFixed(1)} ms`;
}

/** @type {(name: string) => string} */
function shortened(name) {
  return name.length > LONGEST_NAME ? `${name.slice(0, LONGEST_NAME - 1)}…` : name;
}

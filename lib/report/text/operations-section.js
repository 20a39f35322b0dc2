import { count, ms } from '../numbers.js';
import { table } from './layout.js';

/**
 * @import { Result } from '../types.js'
 * @import { Cell, Paint } from './layout.js'
 */

const COLUMNS = [
  { head: 'operations, ms', isText: true },
  { head: 'phase', isText: true, from: 80 },
  { head: 'count' },
  { head: 'errors' },
  { head: 'p50', from: 50 },
  { head: 'p95', from: 80 },
  { head: 'p99' },
  { head: 'max', from: 80 },
];

/**
 * A row for each operation, if there are several.
 *
 * @param {Pick<Result, 'operations'>} result
 * @param {{ width: number, paint: Paint }} options
 * @returns {string[]}
 */
export function operationsSection({ operations }, options) {
  if (operations.length < 2) return [];
  const rows = operations.map((one) => {
    const { median, p95, p99, max } = one.serviceTime;
    /** @type {Cell} */
    const errors = one.errors > 0 ? { text: count(one.errors), style: 'red' } : '0';
    return [one.name, one.phase, count(one.count), errors, ms(median), ms(p95), ms(p99), ms(max)];
  });
  return table(COLUMNS, rows, options);
}

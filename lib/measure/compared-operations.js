import { valuesNeeded } from '../quantile.js';
import { comparedFigure } from './change.js';
import { MAIN_PERCENTILES } from './histogram-columns.js';
import { partsOf } from './parts.js';

/**
 * @import { ComparedFigure, Test } from './change.js'
 * @import { Part } from './parts.js'
 * @import { Stats } from './types.js'
 *
 * @typedef {{ count: number, errors: number }} OperationCounts over all runs
 *
 * @typedef {object} ComparedOperation
 * @property {string} name
 * @property {string} phase of the operation; `scenario` or `group` for these
 * @property {OperationCounts | null} base null: this side does not have it
 * @property {OperationCounts | null} other
 * @property {ComparedFigure[]} figures p50, p95 and p99 of its times
 */

/**
 * Compares the scenarios, groups and operations of two sides. Those of the same phase and name belong together; of several
 * with one name, the first to the first.
 *
 * @param {Stats[]} bases
 * @param {Stats[]} others
 * @param {Test} test noise that the user knows is that of the whole run, so it tests no operation
 * @returns {ComparedOperation[]} in the order of the base; then those of the other side alone
 */
export function comparedOperations(bases, others, test) {
  const sides = [bases, others].map((runs) => runs.map(byKey));
  const keys = new Set(sides.flat().flatMap((run) => [...run.keys()]));
  return [...keys].map((key) => {
    const [base, other] = sides.map((runs) => runs.flatMap((run) => run.get(key) ?? []));
    const { name, kind } = base[0] ?? other[0];
    const figures = MAIN_PERCENTILES.map(({ key: column, label, percentile }) => {
      const values = (/** @type {Part[]} */ parts) =>
        parts.map(({ time }) => (time.count >= valuesNeeded(percentile / 100) ? time[column] : null));
      return comparedFigure({ figure: label, unit: 'ms' }, [values(base), values(other)], test);
    });
    return { name, phase: kind, base: countsOf(base), other: countsOf(other), figures };
  });
}

/** @type {(stats: Stats) => Map<string, Part>} */
function byKey(stats) {
  /** @type {Map<string, Part>} */
  const found = new Map();
  for (const part of partsOf(stats)) {
    let key = `${part.kind} ${part.name}`;
    while (found.has(key)) key += '\0';
    found.set(key, part);
  }
  return found;
}

/** @type {(parts: Part[]) => OperationCounts | null} */
function countsOf(parts) {
  if (parts.length === 0) return null;
  const sum = (/** @type {'count' | 'errors'} */ key) => parts.reduce((all, { summary }) => all + summary[key], 0);
  return { count: sum('count'), errors: sum('errors') };
}

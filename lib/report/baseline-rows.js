import { CURE } from '../measure/regression.js';
import { cannotTell } from './comparison/methods.js';
import { figureRow, operationRow } from './comparison/rows.js';

/**
 * @import { Baseline } from '../measure/baseline.js'
 * @import { FigureRow } from './comparison/rows.js'
 */

/**
 * The changes against a baseline, in words.
 *
 * @param {Pick<Baseline, 'figures' | 'operations'>} baseline
 * @returns {FigureRow[]} of the iterations, and of the operations if there are several
 */
export function baselineRows({ figures, operations }) {
  const several = operations.length > 1 ? operations.map(operationRow) : [];
  return [
    ...figures.map(figureRow),
    ...several.flatMap((one) => one.figures.map((row) => ({ ...row, name: `${one.name} ${row.name}` }))),
  ];
}

/**
 * What the user has to know about a comparison with a baseline.
 *
 * @param {Pick<Baseline, 'why' | 'notes' | 'limits'>} baseline
 * @returns {string[]} sentences
 */
export function baselineRemarks({ why = null, notes, limits }) {
  const untested = why === null ? [] : [`${cannotTell(why)}: ${CURE}.`];
  const exceeded = limits.flatMap(({ problem, expression }) =>
    problem === undefined ? [] : [`${problem} (--max-regression ${expression}).`],
  );
  return [...notes.map((note) => `${note[0].toUpperCase()}${note.slice(1)}.`), ...untested, ...exceeded];
}

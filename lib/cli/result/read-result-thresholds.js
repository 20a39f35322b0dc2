import { partsOf } from '../../measure/parts.js';
import { createProblems } from '../../problems.js';
import { readThresholds } from '../../run/options/read-thresholds.js';

/**
 * @import { Threshold } from '../../measure/thresholds.js'
 * @import { Result } from '../../report/types.js'
 */

const ANY_METRICS = { names: [], hasFunctions: true };

/**
 * Reads thresholds for a result: they can name its operations and checks.
 *
 * @param {unknown} given as the run option `thresholds`
 * @param {Result} result
 * @returns {Threshold[]}
 * @throws {Error} E_RUN_OPTIONS: one cannot be read
 */
export function readResultThresholds(given, result) {
  const problems = createProblems('E_RUN_OPTIONS');
  const names = partsOf(result).map(({ name }) => name);
  const thresholds = readThresholds(given, names, problems, ANY_METRICS, result.checks?.each ?? []);
  problems.throwIfAny();
  return thresholds;
}

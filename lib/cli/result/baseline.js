import { basename } from 'node:path';

import { baselineOf, differencesTo } from '../../measure/baseline.js';
import { readRegressionLimits } from '../../measure/regression.js';
import { readResult } from './read-result.js';

/** @import { Stats } from '../../measure/types.js' */

/**
 * Reads the saved result that a run is compared with.
 *
 * @param {{ baseline: string, maxRegression: string[] }} request
 * @param {string} cwd
 * @returns {{ differences: (run: { hash: string, shape: string }) => string[], addTo: <S extends Stats>(stats: S, notes: string[]) => S }}
 *   differences: why the two may not be comparable
 * @throws {Error} E_NO_FILE, E_RESULT, E_USAGE
 */
export function openBaseline({ baseline, maxRegression }, cwd) {
  const limits = maxRegression.flatMap(readRegressionLimits);
  const base = readResult(baseline, cwd);
  return {
    differences: (run) => differencesTo(base, run),
    addTo: (stats, notes) => ({
      ...stats,
      baseline: baselineOf(stats, base, { from: basename(baseline), limits, notes }),
    }),
  };
}

import { basename } from 'node:path';

import { baselineOf, differencesTo } from '../../measure/compare.js';
import { readRegressionLimits, refuseUntested } from '../../measure/compared-figures.js';
import { noiseOf } from '../../measure/comparison-method.js';
import { readResult, resultsIn } from './read-result.js';

/**
 * @import { Noise } from '../../measure/comparison-method.js'
 * @import { Stats } from '../../measure/types.js'
 * @import { NoiseOptions } from '../flags/output-flags.js'
 */

/**
 * Reads the saved result that a run is compared with.
 *
 * @param {{ baseline: string, maxRegression: string[] } & NoiseOptions} request
 * @param {string} cwd
 * @returns {{ differences: (run: { hash: string, shape: string }) => string[], addTo: <S extends Stats>(stats: S,
 *   notes: string[]) => S }} differences: why the two may not be comparable
 * @throws {Error} E_NO_FILE, E_RESULT, E_USAGE
 */
export function openBaseline({ baseline, maxRegression, ...known }, cwd) {
  const limits = maxRegression.flatMap(readRegressionLimits);
  const noise = readNoise(known, cwd);
  refuseUntested(limits, {
    isTested: (figure) => noise.has(figure),
    why: noise.size > 0 ? null : 'each side has one run',
  });
  const base = readResult(baseline, cwd);
  return {
    differences: (run) => differencesTo(base, run),
    addTo: (stats, notes) => ({
      ...stats,
      baseline: baselineOf(stats, base, { from: basename(baseline), limits, notes, noise }),
    }),
  };
}

/**
 * How much runs of an unchanged service differ by chance, by the flags of a comparison.
 *
 * @throws {Error} E_USAGE, E_NO_FILE, E_RESULT
 * @type {(options: NoiseOptions, cwd: string) => Noise}
 */
export function readNoise({ noise, history }, cwd) {
  const paths = history === undefined ? [] : resultsIn(history, cwd);
  return noiseOf({ noise, history: paths.map((path) => readResult(path, cwd)) });
}

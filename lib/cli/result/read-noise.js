import { noiseOf } from '../../measure/noise.js';
import { readResult } from './read-result.js';
import { resultsIn } from './results-in.js';

/**
 * @import { Noise } from '../../measure/noise.js'
 * @import { NoiseOptions } from '../flags/comparison-flags.js'
 */

/**
 * How much runs of an unchanged service differ by chance, by the flags of a comparison.
 *
 * @param {NoiseOptions} options
 * @param {string} cwd
 * @returns {Noise}
 * @throws {Error} E_USAGE, E_NO_FILE, E_RESULT
 */
export function readNoise({ noise, history }, cwd) {
  const paths = history === undefined ? [] : resultsIn(history, cwd);
  return noiseOf({ noise, history: paths.map((path) => readResult(path, cwd)) });
}

import { COMPARED_FIGURES } from './compared-figures.js';
import { MIN_RUNS } from './comparison-method.js';
import { readFigureShares } from './figure-shares.js';
import { varianceOf } from './statistics.js';

/**
 * @import { Stats } from './types.js'
 *
 * @typedef {{ deviation: number, df: number }} Deviation of runs of an unchanged service: standard deviation of the logarithms, and its degrees of freedom
 * @typedef {Map<string, Deviation>} Noise by the name of a figure
 */

/**
 * How much runs of an unchanged service differ by chance, from what the user knows.
 *
 * @param {{ noise?: string[], history?: Stats[] }} known noise: shares such as `p95=4%`, or `4%` for every figure, which replace what the
 *   history shows; history: results of earlier runs
 * @returns {Noise} empty if nothing is known
 * @throws {Error} E_USAGE
 */
export function noiseOf({ noise = [], history = [] }) {
  /** @type {Noise} */
  const found = new Map();
  for (const { name, of } of COMPARED_FIGURES) {
    const logs = history.flatMap((stats) => Math.log(of(stats) ?? NaN)).filter(Number.isFinite);
    if (logs.length >= MIN_RUNS) found.set(name, { deviation: Math.sqrt(varianceOf(logs)), df: logs.length - 1 });
  }
  for (const { figure, share } of noise.flatMap((text) => readFigureShares(text, '--noise')))
    found.set(figure, { deviation: share, df: Infinity });
  return found;
}

import { COMPARED } from '../../measure/compare.js';
import { usageError } from '../usage-error.js';
import { nearest } from '../../problems.js';
import { readLimit } from '../../units.js';

/**
 * @import { Comparison } from '../../measure/compare.js'
 *
 * @typedef {{ figure: string, share: number }} RegressionLimit
 */

/** Reads `p99=10%`. @type {(text: string) => RegressionLimit} */
export function readRegressionLimit(text) {
  const [, figure = '', bound = ''] = /^\s*([\w.]+)\s*=\s*(.+)$/.exec(text) ?? [];
  const limit = readLimit(bound);
  if (!COMPARED.includes(figure)) {
    const near = nearest(figure, COMPARED);
    throw usage(
      `${JSON.stringify(text)}: unknown figure${near ? `, did you mean ${near}?` : ''}; use one of ${COMPARED.join(' ')}, as in p99=10%`,
    );
  }
  if (limit === null || !('share' in limit))
    throw usage(`${JSON.stringify(text)}: expected a percentage, as in p99=10%`);
  return { figure, share: limit.share };
}

/** Describes the exceeded limits: a figure is worse by more than allowed, and the change is significant or cannot be tested. @type {(comparison: Comparison, limits: RegressionLimit[]) => string[]} */
export function regressionsOf({ figures }, limits) {
  return limits.flatMap(({ figure, share }) => {
    const found = figures.find((row) => row.figure === figure || (figure === 'rate' && row.unit === '/s'));
    if (!found || found.change === null) return [`${figure} could not be compared`];
    const worse = found.unit === '/s' ? -found.change : found.change;
    const mayBeWorse = found.verdict === 'worse' || found.verdict === 'unknown';
    return worse > share && mayBeWorse
      ? [`${figure} is worse by ${(worse * 100).toFixed(1)} %, more than ${(share * 100).toFixed(0)} %`]
      : [];
  });
}

/** @type {(problem: string) => Error} */
function usage(problem) {
  return usageError(`--max-regression ${problem}`);
}

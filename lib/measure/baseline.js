import { shortened } from '../text/format-value.js';
import { compareStats } from './compare.js';
import { regressionOf } from './regression.js';

/**
 * @import { ComparedFigure } from './change.js'
 * @import { ComparedOperation } from './compared-operations.js'
 * @import { Method } from './comparison-method.js'
 * @import { FigureShare } from './figure-shares.js'
 * @import { Noise } from './noise.js'
 * @import { Stats } from './types.js'
 *
 * @typedef {object} Baseline the changes of a result against an earlier one
 * @property {string} from its file
 * @property {string} [startedAt] of its run
 * @property {Method} method
 * @property {string | null} why it cannot tell noise from change; null if it can
 * @property {ComparedFigure[]} figures
 * @property {ComparedOperation[]} operations that both have
 * @property {{ expression: string, passed: boolean, problem?: string }[]} limits of --max-regression
 * @property {string[]} notes why the two may not be comparable
 *
 * @typedef {Stats & { run?: { flow: { hash: string }, shape: string, startedAt: string } }} SavedStats
 */

/** characters of the load in a note: the file may be of others */
const LONGEST_LOAD = 200;

/**
 * Compares a result with an earlier one, by the same tests as {@link compareStats}.
 *
 * @param {Stats} stats of the run that has just ended
 * @param {SavedStats} base
 * @param {{ from: string, limits: FigureShare[], notes: string[], noise: Noise }} about noise: how much runs differ by chance; empty if it is not known
 * @returns {Baseline}
 */
export function baselineOf(stats, base, { from, limits, notes, noise }) {
  const comparison = compareStats([base], [stats], { noise });
  const { method, why, figures, operations } = comparison;
  const startedAt = base.run?.startedAt ?? base.startedAt;
  return {
    from,
    ...(startedAt !== undefined && { startedAt }),
    method,
    why,
    figures,
    operations: operations.filter((one) => one.base !== null && one.other !== null),
    limits: limits.map((limit) => {
      const problem = regressionOf(comparison, limit);
      return { expression: limit.expression, passed: problem === null, ...(problem !== null && { problem }) };
    }),
    notes,
  };
}

/**
 * Why a run may not be comparable with an earlier one.
 *
 * @param {SavedStats} base
 * @param {{ hash: string, shape: string }} run
 * @returns {string[]} sentences without their full stop
 */
export function differencesTo({ run: earlier }, run) {
  if (earlier === undefined) return ['the baseline does not name its flow'];
  return [
    ...(earlier.flow.hash === run.hash ? [] : ['the baseline is of another flow']),
    ...(earlier.shape === run.shape ? [] : [`the load of the baseline was ${shortened(earlier.shape, LONGEST_LOAD)}`]),
  ];
}

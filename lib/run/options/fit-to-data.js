import { createProblems } from '../../problems.js';

/**
 * @import { Feeders } from '../../flow/data/feeders.js'
 * @import { RunOptions } from './types.js'
 */

/**
 * Options whose meaning depends on the feeders: rows that are used once limit the iterations.
 *
 * @param {RunOptions} options
 * @param {Feeders | null} feeders of the flow
 * @returns {RunOptions}
 * @throws {Error} E_RUN_OPTIONS
 */
export function fitToData(options, feeders) {
  const unique = feeders?.all().filter(({ isUnique }) => isUnique) ?? [];
  if (unique.length === 0) return options;
  const problems = createProblems('E_RUN_OPTIONS');
  if (options.warmup)
    problems.add(
      'runOptions.warmup',
      `would use rows of data.${unique[0].name}, whose order is unique: remove the warm-up, or use another order`,
    );
  problems.throwIfAny();
  const { iterations = Infinity } = options;
  const most = Math.min(iterations, ...unique.filter(({ endsRun }) => endsRun).map(({ count }) => count));
  return most < Infinity ? { ...options, iterations: most } : options;
}

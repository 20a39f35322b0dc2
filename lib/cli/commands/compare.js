import { basename } from 'node:path';

import { compareStats } from '../../measure/compare.js';
import { comparisonText } from '../../report/comparison-text.js';
import { hasColours, write } from '../output.js';
import { readResult } from '../read-result.js';
import { readRegressionLimit, regressionsOf } from '../regression.js';

/**
 * @import { Comparison } from '../../measure/compare.js'
 * @import { Reason } from '../exit-codes.js'
 * @import { Io } from '../main.js'
 *
 * @typedef {{ command: 'compare', base: string[], other: string[], json: boolean, maxRegression: string[] }} CompareRequest
 */

/**
 * Two saved results, or several of each side, figure by figure.
 *
 * @param {CompareRequest} request
 * @param {Io} io
 */
export async function compare({ base, other, json, maxRegression }, io) {
  const limits = maxRegression.map(readRegressionLimit);
  const [bases, others] = [base, other].map((paths) => paths.map((path) => readResult(path, io.cwd())));
  const comparison = compareStats(bases, others);
  const name = (/** @type {string[]} */ paths) => (paths.length === 1 ? basename(paths[0]) : `${paths.length} runs`);
  return showComparison(comparison, { names: [name(base), name(other)], json, limits }, io);
}

/**
 * @param {Comparison} comparison
 * @param {{ names: [string, string], json: boolean, limits: import('../regression.js').RegressionLimit[] }} options
 * @param {Io} io
 * @returns {Promise<Set<Reason>>}
 */
export async function showComparison(comparison, { names, json, limits }, io) {
  const { stdout, stderr } = io;
  const text = json
    ? `${JSON.stringify(comparison, null, 2)}\n`
    : comparisonText(comparison, { colour: hasColours(io), width: Math.min(stdout.columns ?? 100, 120), names });
  /** @type {Set<Reason>} */
  const reasons = new Set();
  if (await write(stdout, text)) reasons.add('notWritten');
  for (const regression of regressionsOf(comparison, limits)) {
    await write(stderr, `bench-rest: ${regression}\n`);
    reasons.add('regression');
  }
  return reasons;
}

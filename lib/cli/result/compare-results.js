import { basename } from 'node:path';

import { compareStats } from '../../measure/compare.js';
import { comparisonText } from '../../report/text/comparison.js';
import { maskedJson } from '../../report/formats/masked-json.js';
import { workingFolder } from '../../working-folder.js';
import { hasColours, print, printMessage } from '../output.js';
import { readResult } from './read-result.js';
import { readRegressionLimit, regressionsOf } from './regression.js';

/**
 * @import { Comparison } from '../../measure/compare.js'
 * @import { Reason } from '../../exit-codes.js'
 * @import { Io } from '../main.js'
 * @import { CompareRequest } from '../commands/compare.js'
 * @import { RegressionLimit } from './regression.js'
 */

/**
 * Compares two saved results, or several of each side.
 *
 * @param {CompareRequest} request
 * @param {Io} io
 * @returns {Promise<Set<Reason>>} reasons for an exit code other than 0
 */
export async function compareResults({ base, other, json, maxRegression }, io) {
  const limits = maxRegression.map(readRegressionLimit);
  const [bases, others] = [base, other].map((paths) => paths.map((path) => readResult(path, workingFolder(io))));
  const comparison = compareStats(bases, others);
  const name = (/** @type {string[]} */ paths) => (paths.length === 1 ? basename(paths[0]) : `${paths.length} runs`);
  return printComparison(comparison, { names: [name(base), name(other)], json, limits }, io);
}

/**
 * Prints a comparison and checks it against limits.
 *
 * @param {Comparison} comparison
 * @param {{ names: [string, string], json: boolean, limits: RegressionLimit[] }} options
 * @param {Io} io
 * @returns {Promise<Set<Reason>>} reasons for an exit code other than 0
 */
export async function printComparison(comparison, { names, json, limits }, io) {
  const { stdout, stderr } = io;
  const text = json
    ? `${maskedJson(comparison, 2)}\n`
    : comparisonText(comparison, { colour: hasColours(io), width: Math.min(stdout.columns ?? 100, 120), names });
  /** @type {Set<Reason>} */
  const reasons = new Set();
  if (!(await print(text, io))) reasons.add('notWritten');
  for (const regression of regressionsOf(comparison, limits)) {
    await printMessage(stderr, regression);
    reasons.add('regression');
  }
  return reasons;
}

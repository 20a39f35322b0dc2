import { basename } from 'node:path';

import { refuseUntestedIn } from '../../measure/regression.js';
import { comparisonOf } from '../../report/comparison/index.js';
import { workingFolder } from '../../working-folder.js';
import { usageError } from '../usage-error.js';
import { openComparison, printComparison } from './print-comparison.js';
import { readNoise } from './read-noise.js';
import { readResult } from './read-result.js';
import { resultsIn } from './results-in.js';

/**
 * @import { Reason } from '../../exit-codes.js'
 * @import { Io } from '../main.js'
 * @import { CompareRequest } from '../commands/compare.js'
 */

/**
 * Compares two saved results, or several of each side.
 *
 * @param {CompareRequest} request
 * @param {Io} io
 * @returns {Promise<Set<Reason>>} reasons for an exit code other than 0
 */
export async function compareResults({ base, other, paired, ...options }, io) {
  const cwd = workingFolder(io);
  const sides = [base, other].map((paths) => paths.flatMap((path) => resultsIn(path, cwd)));
  const [bases, others] = sides;
  if (paired && bases.length !== others.length)
    throw usageError(`--paired needs as many results of each side, got ${bases.length} and ${others.length}`);
  const output = openComparison(options, cwd, { sources: sides.flat(), role: 'one of the results' });
  const comparison = comparisonOf(
    bases.map((path) => readResult(path, cwd)),
    others.map((path) => readResult(path, cwd)),
    { isPaired: paired, labels: labelsOf(base, other), noise: readNoise(options, cwd) },
  );
  refuseUntestedIn(comparison, output.limits);
  return printComparison(comparison, output, io);
}

/** The names of the files; their paths, if the names are equal. @type {(base: string[], other: string[]) => [string, string]} */
function labelsOf(base, other) {
  const label = (/** @type {string[]} */ paths) => (paths.length === 1 ? basename(paths[0]) : `${paths.length} files`);
  const [one, two] = [label(base), label(other)];
  return one === two ? [base.join(', '), other.join(', ')] : [one, two];
}

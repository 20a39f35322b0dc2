import { readdirSync, statSync } from 'node:fs';
import { basename, extname, join, resolve } from 'node:path';

import { comparisonOf } from '../../report/comparison/index.js';
import { workingFolder } from '../../working-folder.js';
import { usageError } from '../usage-error.js';
import { openComparison, printComparison } from './print-comparison.js';
import { RESULT_EXTENSIONS, readResult } from './read-result.js';

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
    { isPaired: paired, labels: labelsOf(base, other) },
  );
  return printComparison(comparison, output, io);
}

/** The results in a folder, by their names; any other path is that of a result. @type {(path: string, cwd: string) => string[]} */
function resultsIn(path, cwd) {
  const folder = resolve(cwd, path);
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return [path];
  const names = readdirSync(folder).filter((name) => RESULT_EXTENSIONS.includes(extname(name).toLowerCase()));
  if (names.length === 0) throw usageError(`${path} has no results: no ${RESULT_EXTENSIONS.join(' or ')} file`);
  return names.sort().map((name) => join(path, name));
}

/** The names of the files; their paths, if the names are equal. @type {(base: string[], other: string[]) => [string, string]} */
function labelsOf(base, other) {
  const label = (/** @type {string[]} */ paths) => (paths.length === 1 ? basename(paths[0]) : `${paths.length} files`);
  const [one, two] = [label(base), label(other)];
  return one === two ? [base.join(', '), other.join(', ')] : [one, two];
}

import { makeError } from '../../errors.js';
import { mergeStats } from '../../measure/merge.js';
import { thresholdsOf } from '../../measure/thresholds.js';
import { workingFolder } from '../../working-folder.js';
import { printMessage } from '../output.js';
import { reportResult } from './print-result.js';
import { readResult } from './read-result.js';
import { SCHEMA } from './describe-run.js';

/**
 * @import { Result } from '../../report/types.js'
 * @import { Io } from '../main.js'
 * @import { MergeRequest } from '../commands/merge.js'
 * @import { Reason } from '../../exit-codes.js'
 */

/**
 * Merges saved results into one, such as those of several machines that ran at the same time.
 *
 * @param {MergeRequest} request
 * @param {Io} io
 * @returns {Promise<Set<Reason>>} reasons for an exit code other than 0
 * @throws {Error} E_RESULT
 */
export async function mergeResults({ paths, ...outputs }, io) {
  const results = paths.map((path) => readResult(path, workingFolder(io)));
  const merged = mergedResult(results, paths);
  const hashes = new Set(results.map(({ run }) => run?.flow.hash));
  if (hashes.size > 1)
    await printMessage(io.stderr, 'the results are of different flows; operations with the same name are added up');
  return reportResult(merged, outputs, io);
}

/**
 * Merges results into one.
 *
 * @param {Result[]} results
 * @param {string[]} names for messages
 * @returns {Result}
 * @throws {Error} E_RESULT
 */
export function mergedResult(results, names) {
  checkMergeable(results, names);
  return /** @type {Result} */ ({
    schema: SCHEMA,
    ...mergedRun(results),
    ...mergeStats(results, allThresholds(results)),
  });
}

/** @type {(results: Result[], paths: string[]) => void} */
function checkMergeable(results, paths) {
  results.forEach(({ run, histograms }, i) => {
    if (!histograms)
      throw makeError('E_RESULT', {
        path: paths[i],
        reason: 'is of an aborted run and has no histograms',
        cure: 'use bench-rest report to print it',
      });
    const twin = results.findIndex((other) => run !== undefined && other.run?.id === run.id);
    if (twin < i && twin >= 0)
      throw makeError('E_RESULT', {
        path: paths[i],
        reason: `is the same run as ${paths[twin]}`,
        cure: 'pass each result once',
      });
  });
}

/** @type {(results: Result[]) => Pick<Result, 'run'>} */
function mergedRun(results) {
  const runs = results.flatMap(({ run }) => run ?? []);
  if (runs.length === 0) return {};
  const origins = [...new Set(runs.flatMap((run) => run.origins))];
  const proxies = [...new Set(runs.flatMap((run) => run.proxies ?? []))];
  return {
    run: {
      ...runs[0],
      id: runs.map(({ id }) => id).join('+'),
      shape: `${runs.length} results: ${runs[0].shape}`,
      origins,
      proxies,
    },
  };
}

/** The thresholds of all results, each once. @type {(results: Result[]) => import('../../measure/thresholds.js').Threshold[]} */
function allThresholds(results) {
  const all = results.flatMap(thresholdsOf);
  return all.filter((one, i) => all.findIndex(({ expression }) => expression === one.expression) === i);
}

import { makeError } from '../../errors.js';
import { mergeStats } from '../../measure/merge.js';
import { readThreshold } from '../../measure/thresholds.js';
import { reportResult } from '../report-result.js';
import { readResult } from '../read-result.js';
import { SCHEMA } from '../result.js';

/**
 * @import { Result } from '../../report/types.js'
 * @import { Io } from '../main.js'
 * @import { ReportRequest } from '../options.js'
 */

/**
 * Several saved results as one, such as those of several machines that ran at the same time.
 *
 * @param {ReportRequest} request
 * @param {Io} io
 * @throws {Error} E_RESULT
 */
export async function merge({ paths, ...wish }, io) {
  const results = paths.map((path) => readResult(path, io.cwd()));
  results.forEach(({ run, histograms }, i) => {
    if (!histograms)
      throw makeError('E_RESULT', {
        path: paths[i],
        reason: 'is of a run that was left at once, and holds no counts',
        cure: 'it can be shown, but not added up',
      });
    const twin = results.findIndex((other) => run !== undefined && other.run?.id === run.id);
    if (twin < i && twin >= 0)
      throw makeError('E_RESULT', {
        path: paths[i],
        reason: `is the same run as ${paths[twin]}`,
        cure: 'give each once, or all is counted twice',
      });
  });
  const hashes = new Set(results.map(({ run }) => run?.flow.hash));
  if (hashes.size > 1)
    io.stderr.write('bench-rest: these are results of different flows; operations of the same name are added up\n');
  return reportResult(
    /** @type {Result} */ ({ schema: SCHEMA, ...described(results), ...mergeStats(results, thresholdsOf(results)) }),
    wish,
    io,
  );
}

/** @type {(results: Result[]) => Pick<Result, 'run'>} */
function described(results) {
  const runs = results.flatMap(({ run }) => run ?? []);
  if (runs.length === 0) return {};
  const origins = [...new Set(runs.flatMap((run) => run.origins))];
  return {
    run: {
      ...runs[0],
      id: runs.map(({ id }) => id).join('+'),
      shape: `${runs.length} results: ${runs[0].shape}`,
      origins,
    },
  };
}

/** Those of all, each once, to be judged by what came of all. @type {(results: Result[]) => import('../../measure/thresholds.js').Threshold[]} */
function thresholdsOf(results) {
  const expressions = new Set(results.flatMap(({ thresholds = [] }) => thresholds.map(({ expression }) => expression)));
  return [...expressions].flatMap((expression) => {
    const reading = readThreshold(expression);
    return 'threshold' in reading ? [reading.threshold] : [];
  });
}

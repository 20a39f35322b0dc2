import { makeError } from '../../errors.js';
import { withEarlierFailures } from '../../measure/abort-judge.js';
import { judgeThresholds } from '../../measure/judge-thresholds.js';
import { deriveFigures } from '../../measure/figures.js';
import { mergeStats } from '../../measure/merge.js';
import { partStopped } from '../../measure/missing.js';
import { reasonsOfParts } from '../../measure/outcome.js';
import { thresholdsOf } from '../../measure/thresholds.js';
import { offsetsOf, spansOf } from '../../measure/together.js';
import { DONE } from '../../run/load/ending.js';
import { RUN_OPTIONS } from '../../run/options/index.js';
import { readOption } from '../../run/options/row.js';
import { workingFolder } from '../../working-folder.js';
import { exitCode } from '../../exit-codes.js';
import { printMessage } from '../output.js';
import { reportResult } from './print-result.js';
import { readResult } from './read-result.js';
import { readResultThresholds } from './read-result-thresholds.js';
import { SCHEMA } from './describe-run.js';
import { checkShards, shardsText } from './shards.js';

/**
 * @import { Threshold } from '../../measure/thresholds.js'
 * @import { Result } from '../../report/types.js'
 * @import { Io } from '../main.js'
 * @import { MergeRequest } from '../commands/merge.js'
 * @import { Reason } from '../../exit-codes.js'
 * @import { ShardsInfo } from './shards.js'
 * @import { RunOption } from '../../run/options/row.js'
 */

const EXPECTED_INTERVAL = /** @type {RunOption} */ (RUN_OPTIONS.find(({ name }) => name === 'expectedInterval'));

/**
 * Merges saved results into one, such as those of several machines that ran at the same time.
 *
 * @param {MergeRequest} request
 * @param {Io} io
 * @returns {Promise<Set<Reason>>} reasons for an exit code other than 0
 * @throws {Error} E_RESULT; E_RUN_OPTIONS: a threshold cannot be read
 */
export async function mergeResults({ paths, isPartial, thresholds, ...options }, io) {
  const results = paths.map((path) => readResult(path, workingFolder(io)));
  const { result } = mergedResult(results, paths, { isPartial });
  const merged = withThresholds(result, thresholds);
  const hashes = new Set(results.map(({ run }) => run?.flow.hash));
  if (hashes.size > 1)
    await printMessage(io.stderr, 'the results are of different flows; operations with the same name are added up');
  return reportResult(merged, options, io);
}

/** Adds thresholds to those that the runs had. @type {(result: Result, given: string[]) => Result} */
function withThresholds(result, given) {
  if (given.length === 0) return result;
  const all = eachOnce([...thresholdsOf(result), ...readResultThresholds(given, result)]);
  // a threshold may allow the errors
  deriveFigures(result, all);
  const judged = judgeThresholds(all, result, { figures: result.verdict.figures });
  return { ...result, thresholds: withEarlierFailures(judged, result.thresholds) };
}

/**
 * Merges results into one.
 *
 * @param {Result[]} results
 * @param {string[]} names for messages
 * @param {{ isPartial?: boolean }} [options] isPartial: shards of the run may be missing, or have run at different times
 * @returns {{ result: Result, shards: ShardsInfo | null }} shards: null if they are whole runs
 * @throws {Error} E_RESULT
 */
export function mergedResult(results, names, options) {
  checkMergeable(results, names);
  const shards = checkShards(results, names, options);
  const stopped = results.filter(wasStopped);
  const missing = [
    ...(shards?.missing.length ? [`${shardsText(shards.missing)} missing, of ${shards.of}`] : []),
    ...stopped.map((one) => partStopped(names[results.indexOf(one)], String(one.run?.why))),
  ];
  const result = /** @type {Result} */ ({
    schema: SCHEMA,
    ...mergedRun(results, shards),
    ...mergeStats(results, eachOnce(results.flatMap(thresholdsOf)), {
      missing,
      expectedInterval: expectedIntervalOf(results),
      ...timesIn(results),
      ...(shards && {
        whole: { of: shards.of, cut: new Set(stopped), isCounted: results[0].run?.options.iterations !== undefined },
      }),
    }),
  });
  // what the figures tell is added when the thresholds of the sum are known
  const reasons = reasonsOfParts(results);
  if (reasons.length > 0) result.exit = { code: exitCode(reasons), reasons };
  return { result, shards };
}

/** Before its schedule was over; a hook that ends the run is part of the flow. @type {(result: Pick<Result, 'run'>) => boolean} */
function wasStopped({ run }) {
  return run !== undefined && !WHOLE.includes(run.why);
}

const WHOLE = [DONE, 'hook'];

/** @type {(results: Result[]) => { offsets?: number[] }} none if the times of the results are not known */
function timesIn(results) {
  const spans = spansOf(results);
  return spans ? { offsets: offsetsOf(spans) } : {};
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

/** @type {(results: Result[], shards: ShardsInfo | null) => Pick<Result, 'run'>} */
function mergedRun(results, shards) {
  const runs = results.flatMap(({ run }) => run ?? []);
  if (runs.length === 0) return {};
  const origins = [...new Set(runs.flatMap((run) => run.origins))];
  const proxies = [...new Set(runs.flatMap((run) => run.proxies ?? []))];
  // the shape of a shard is that of the whole run
  const { shard: _one, ...run } = runs[0];
  return {
    run: {
      ...run,
      why: runs.find((one) => wasStopped({ run: one }))?.why ?? run.why,
      id: runs.map(({ id }) => id).join('+'),
      shape: shards
        ? `${run.shape}, by ${runs.length} ${runs.length === 1 ? 'shard' : 'shards'}`
        : `${runs.length} results: ${run.shape}`,
      ...(shards && { shards: { merged: runs.length, of: shards.of } }),
      ...(shards && shards.skewMs !== null && { startSkew: shards.skewMs }),
      origins,
      proxies,
    },
  };
}

/** @type {(thresholds: Threshold[]) => Threshold[]} */
function eachOnce(thresholds) {
  return thresholds.filter((one, i) => thresholds.findIndex(({ expression }) => expression === one.expression) === i);
}

/** Ms, if it is that of all results. @type {(results: Result[]) => number | undefined} */
function expectedIntervalOf(results) {
  const [first, ...others] = results.map(({ run }) => run?.options?.expectedInterval);
  if (first === undefined || others.some((other) => other !== first)) return undefined;
  const value = readOption(EXPECTED_INTERVAL, first);
  return EXPECTED_INTERVAL.check(value) ? value : undefined;
}

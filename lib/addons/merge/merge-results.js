import { endReasonRow } from '../../core/ground/end-reasons.js';
import { counted } from '../../core/ground/decimal.js';
import { makeError } from '../../core/ground/errors.js';
import { createProblems } from '../../core/ground/problems.js';
import { PROFILE_KINDS } from '../server/profile/kinds.js';
import { workingFolder } from '../../core/ground/system-errors.js';
import { hasCounts } from '../../core/measure/histogram.js';
import { inTime } from '../compare/measure/comparison-method.js';
import { judgeFigures } from '../../core/measure/judge-figures.js';
import { judgeThresholds, withEarlierFailures } from '../../core/measure/judge-thresholds.js';
import { shardOf } from './measure/load-generators.js';
import { mergeStats, offsetsOf, spansOf } from './measure/merge.js';
import { outcomeOfResult } from '../../core/measure/outcome-reasons.js';
import { reasonsOfParts } from '../../core/measure/outcome.js';
import { joinedId, refuseSameRun } from '../saved/received-stats.js';
import { readThresholds, thresholdsOf } from '../../core/measure/thresholds.js';
import { partsOf } from '../../core/measure/transactions.js';
import { metricRows } from '../../core/measure/user-metrics.js';
import { mergeProfiles } from '../server/profile/call-tree.js';
import { thresholdTexts } from '../../core/run/options/checks.js';
import { joinedRun } from '../compare/report/run-facts.js';
import { RUN_OPTIONS, rowOf } from '../../core/run/options/index.js';
import { SHARED_LOAD, seedOfLoad } from '../loads/options/loads.js';
import { readOption } from '../../core/run/options/row.js';
import { plannedLoad } from '../../core/run/plan.js';
import { printMessage, withNotices } from '../../core/cli/output.js';
import { reportResult } from '../../core/cli/result/outputs.js';
import { readResult } from '../saved/read-result.js';
import { checkShards, shardsText } from './shards.js';

/** @import { RunOptions } from '../../core/contracts/run-options.js' */
/** @import { ScheduleOptions, SideLoad } from '../../core/contracts/schedule.js' */
/** @import { Reason } from '../../core/ground/exit-codes.js' */
/** @import { WholePlan } from './measure/lacking.js' */
/** @import { Threshold } from '../../core/measure/thresholds.js' */
/** @import { Result, RunLoad } from '../../core/report/types.js' */
/** @import { Io } from '../../core/cli/types.js' */
/** @import { MergeRequest } from './requests.js' */
/** @import { ShardsInfo } from './shards.js' */

const EXPECTED_INTERVAL = rowOf('expectedInterval');

/**
 * Merges saved results into one, such as those of several machines that ran at the same time.
 * @throws {Error} E_RESULT; E_RUN_OPTIONS: a threshold cannot be read
 * @type {(request: MergeRequest, io: Io) => Promise<Set<Reason>>}
 */
export async function mergeResults({ paths, isPartial, thresholds, ...options }, io) {
  const results = await withNotices(io, (onNotice) =>
    paths.map((path) => readResult(path, workingFolder(io), onNotice)),
  );
  const merged = withThresholds(mergedResult(results, paths, { isPartial }), thresholds);
  const hashes = new Set(results.map(({ run }) => run?.flow.sha256));
  if (hashes.size > 1)
    await printMessage(io.stderr, 'the results are of different flows; operations with the same name are added up');
  return reportResult(merged, { ...options, sources: paths }, io);
}

/** Adds thresholds to those that the runs had. @type {(result: Result, given: string[]) => Result} */
function withThresholds(result, given) {
  if (given.length === 0) return result;
  const all = eachOnce([...thresholdsOf(result), ...readResultThresholds(given, result)]);
  // The figures of the run were not judged for the thresholds that are new.
  const judged = judgeThresholds(all, result, { figures: judgeFigures(result, all) });
  return { ...result, thresholds: withEarlierFailures(judged, result.thresholds) };
}

/**
 * Merges results into one; messages use the names. `isPartial`: shards of the run may be missing, or have run at
 * different times.
 * @throws {Error} E_RESULT
 * @type {(results: Result[], names: string[], options?: { isPartial?: boolean }) => Result}
 */
export function mergedResult(given, namesGiven, options) {
  checkMergeable(given, namesGiven);
  // The order in which results are given decides nothing.
  const results = inTime(given);
  const names = results.map((one) => namesGiven[given.indexOf(one)]);
  const shards = checkShards(results, names, options);
  const missing = [
    ...(shards?.missing.length ? [`${shardsText(shards.missing)} missing, of ${shards.of}`] : []),
    ...results.flatMap((one, i) => (wasStopped(one) ? [partStopped(names[i], String(one.run?.endReason))] : [])),
  ];
  const result = /** @type {Result} */ ({
    ...mergeStats(results, eachOnce(results.flatMap(thresholdsOf)), {
      missing,
      expectedInterval: expectedIntervalOf(results),
      offsets: offsetsOf(spansOf(results)),
      ...wholePlanOf(results, shards),
    }),
    ...mergedRun(results, shards),
    ...mergedProfiles(results),
  });
  const id = joinedId(results);
  if (id !== undefined) result.id = id;
  if (shards) result.loadGenerator.startSkew = shards.skewMs;
  // Reasons that follow from figures are added when the result is reported: thresholds may be added before.
  const reasons = reasonsOfParts(results);
  if (reasons.length > 0) result.outcome = outcomeOfResult(result, reasons);
  return result;
}

/** Adds up the profiles of the service, by kind. @type {(results: Result[]) => Pick<Result, 'profiles'>} */
function mergedProfiles(results) {
  const all = results.flatMap(({ profiles = [] }) => profiles);
  const profiles = PROFILE_KINDS.flatMap((kind) => {
    const own = all.filter((one) => one.kind === kind);
    return own.length > 0 ? [mergeProfiles(own)] : [];
  });
  return profiles.length > 0 ? { profiles } : {};
}

/** A hook that ends the run is part of the flow, and no stop. @type {(result: Pick<Result, 'run'>) => boolean} */
function wasStopped({ run }) {
  return run !== undefined && !endReasonRow(run.endReason).isPlanned;
}

/**
 * Plans the run of shards again, so that iterations without a result can be counted: those of shards that are missing,
 * or that ended before the run did (`cut`). `users` are the virtual users of the other shards.
 * @type {(results: Result[], shards: ShardsInfo | null) => { whole?: WholePlan }}
 */
function wholePlanOf(results, shards) {
  const options = shards && loadOptionsOf(results[0]);
  if (!options) return {};
  const { of, missing } = shards;
  const load = plannedLoad(options, of);
  const numbers = results.map((result) => shardOf(result)?.number ?? NaN);
  const cut = new Set([...missing, ...numbers.filter((_, i) => wasCut(results[i], results))]);
  const users = numbers.reduce((sum, number) => sum + (cut.has(number) ? 0 : load.users({ number, of })), 0);
  return { whole: { load, shards: numbers, cut, users } };
}

/**
 * Reports whether a shard ended before its run did. A limit, such as --bailout, ends a shard alone: it is the end of
 * the run if it ended all shards.
 * @type {(result: Result, results: Result[]) => boolean}
 */
function wasCut(result, results) {
  if (!wasStopped(result)) return false;
  const isLimited = (/** @type {Result} */ { run }) => endReasonRow(run?.endReason ?? '').isLimit === true;
  return !isLimited(result) || !results.every(isLimited);
}

/** Run options that tell how many iterations are planned. @type {(keyof RunOptions)[]} */
const LOAD = [
  .../** @type {const} */ (['iterations', 'limit', 'duration', 'rate', 'arrival', 'seed']),
  .../** @type {const} */ (['stages', 'scale', 'speed', 'rampUp']),
];

/**
 * @type {(result: Result) => ScheduleOptions & { loads?: SideLoad[] } | null} null if another program wrote what cannot
 *   be read
 */
function loadOptionsOf({ run }) {
  // The flow has the options of several loads, and the result describes them.
  if (run !== undefined && run.loads.length > 1) {
    const seed = Number(run.options.seed ?? rowOf('seed').default);
    return { limit: 1, loads: run.loads.map((load, at) => sideLoadOf(load, at, seed, run.loads)) };
  }
  /** @type {Record<string, any>} */
  const options = {};
  for (const row of RUN_OPTIONS.filter(({ name }) => LOAD.includes(/** @type {any} */ (name)))) {
    const given = run?.options[row.name] ?? row.default;
    if (given === undefined || given === null) continue;
    const value = readOption(row, given);
    if (!row.check(value)) return null;
    options[row.name] = value;
  }
  return typeof options.limit === 'number' ? /** @type {any} */ (options) : null;
}

/**
 * Reads one of several loads, as the flow gave it.
 * @type {(load: RunLoad, at: number, seed: number, all: RunLoad[]) => SideLoad}
 */
function sideLoadOf({ name, virtualUsers, startAfter = 0, after, stages, arrival, ...others }, at, seed, all) {
  const { rate, duration, iterations } = others;
  // The load that scenarios share comes first, and the others are counted without it.
  const hasShared = all[0].name === SHARED_LOAD;
  const ownSeed = name === SHARED_LOAD ? seed : seedOfLoad(seed, hasShared ? at - 1 : at);
  return {
    name,
    limit: virtualUsers,
    rate,
    duration,
    iterations,
    seed: ownSeed,
    from: startAfter,
    // The plan does not read it
    hasEnd: true,
    arrival: arrival === 'poisson' ? arrival : 'constant',
    ...(after !== undefined && { after: all.findIndex((one) => one.name === after) }),
    ...(stages !== undefined &&
      stages.length > 0 && { stages: stages.map(({ virtualUsers: limit, ...stage }) => ({ ...stage, limit })) }),
  };
}

/** Refuses results without counts, and results of the same run. @type {(results: Result[], paths: string[]) => void} */
function checkMergeable(results, paths) {
  results.forEach((result, i) => {
    if (!hasCounts(result))
      throw makeError('E_RESULT', {
        path: paths[i],
        reason: 'is of an aborted run and has no histograms',
        cure: 'use bench-rest report to print it',
      });
  });
  refuseSameRun(results, paths);
}

/** @type {(results: Result[], shards: ShardsInfo | null) => Pick<Result, 'run'>} */
function mergedRun(results, shards) {
  const runs = results.flatMap(({ run }) => run ?? []);
  if (runs.length === 0) return {};
  const run = joinedRun(runs);
  const of = shards ? `by ${counted(runs.length, 'shard')}` : counted(runs.length, 'result');
  return {
    run: {
      ...run,
      endReason: runs.find((one) => wasStopped({ run: one }))?.endReason ?? run.endReason,
      loads: run.loads.map((load) => ({
        ...load,
        text: shards ? `${load.text}, ${of}` : `${of}: ${load.text}`,
      })),
      ...(shards && { shards: { merged: runs.length, of: shards.of } }),
    },
  };
}

/** @type {(thresholds: Threshold[]) => Threshold[]} */
function eachOnce(thresholds) {
  return thresholds.filter((one, i) => thresholds.findIndex(({ expression }) => expression === one.expression) === i);
}

/** The expected interval, ms, if it is that of all results. @type {(results: Result[]) => number | undefined} */
function expectedIntervalOf(results) {
  const [first, ...others] = results.map(({ run }) => run?.options?.expectedInterval);
  if (first === undefined || others.some((other) => other !== first)) return undefined;
  const value = readOption(EXPECTED_INTERVAL, first);
  return EXPECTED_INTERVAL.check(value) ? value : undefined;
}

/** The headline of E_RUN_OPTIONS says that nothing was sent, which is no news where a result is judged. */
const HEADLINE = 'invalid thresholds';

/**
 * Reads thresholds for a result, as the run option `thresholds`: they can name its operations, its checks and the
 * metrics of its hooks.
 * @throws {Error} E_RUN_OPTIONS: one cannot be read
 * @type {(given: unknown, result: Result) => Threshold[]}
 */
export function readResultThresholds(given, result) {
  const problems = createProblems('E_RUN_OPTIONS');
  const operations = partsOf(result).flatMap((part) => [part.names[0], part.name]);
  const rows = metricRows(result);
  const timers = rows.filter(({ kind }) => kind === 'timer').map(({ name }) => name);
  const metrics = { names: rows.map(({ name }) => name), timers, hasFunctions: false };
  const loads = result.loads?.map(({ name }) => name);
  const checks = result.checks?.details ?? [];
  const thresholds = readThresholds(thresholdTexts(given), problems, { operations, metrics, checks, loads });
  const error = problems.error();
  if (error !== null) throw Object.assign(error, { headline: HEADLINE });
  return thresholds;
}

/** @type {(name: string, why: string) => string} name of a result; why: its run ended early */
function partStopped(name, why) {
  return `${name} was stopped before its end (${why}); its load is missing from then on`;
}

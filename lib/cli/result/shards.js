import { makeError } from '../../errors.js';
import { findApart, skewOf, spansOf } from '../../measure/together.js';
import { formatValue } from '../../text/format-value.js';

/**
 * @import { Result, RunInfo } from '../../report/types.js'
 *
 * @typedef {object} ShardsInfo what merged shards have in common
 * @property {number} of how many shards the run had
 * @property {number[]} missing numbers of shards that are not among the results
 * @property {number | null} skewMs between the first and the last start of the measured iterations; null: not known
 */

/** The options in which shards of one run may differ. */
const OWN_OPTIONS = ['shard', 'workers', 'startAt'];

/**
 * Checks that results are the shards of one run.
 *
 * @param {Result[]} results
 * @param {string[]} paths for messages
 * @param {{ isPartial?: boolean }} [options] isPartial: shards may be missing, or have run at different times
 * @returns {ShardsInfo | null} null if no result is of a shard
 * @throws {Error} E_RESULT
 */
export function checkShards(results, paths, { isPartial = false } = {}) {
  const first = results.findIndex(({ run }) => run?.shard);
  if (first < 0) return null;
  const base = /** @type {RunInfo} */ (results[first].run);
  const { of } = /** @type {NonNullable<RunInfo['shard']>} */ (base.shard);
  results.forEach(({ run }, i) => {
    const reason = refusal(run, base, paths[first]);
    if (reason) throw makeError('E_RESULT', { path: paths[i], reason, cure: 'merge the shards of one run' });
  });
  const numbers = results.map(({ run }) => run?.shard?.number ?? NaN);
  refuseTwins(numbers, paths);
  const missing = Array.from({ length: of }, (_, i) => i + 1).filter((number) => !numbers.includes(number));
  if (missing.length > 0 && !isPartial)
    throw makeError('E_RESULT', {
      path: paths[first],
      reason: `is shard ${base.shard?.number} of ${of}, and ${shardsText(missing)} missing`,
      cure: 'pass all of them, or --partial to merge without',
    });
  if (!isPartial) refuseApart(results, paths);
  return { of, missing, skewMs: skewOf(spansOf(results)?.map(({ from }) => from) ?? []) };
}

/**
 * @param {number[]} numbers
 * @returns {string} `shard 2 is`, `shards 2, 3 are`
 */
export function shardsText(numbers) {
  return numbers.length === 1 ? `shard ${numbers[0]} is` : `shards ${numbers.join(', ')} are`;
}

/** Why a result is no shard of the run of another one. @type {(run: RunInfo | undefined, base: RunInfo, path: string) => string | undefined} */
function refusal(run, base, path) {
  const { shard, runId } = /** @type {{ shard: NonNullable<RunInfo['shard']>, runId?: string }} */ (base);
  if (!run?.shard) return `is not a shard, but ${path} is shard ${shard.number} of ${shard.of}`;
  if (run.shard.of !== shard.of)
    return `is shard ${run.shard.number} of ${run.shard.of}, but ${path} is one of ${shard.of}`;
  if (run.runId !== runId) return `is of the run ${named(run.runId)}, but ${path} is of ${named(runId)}`;
  if (run.flow.hash !== base.flow.hash) return `ran another flow than ${path}${flowsText(run, base)}`;
  return differingOption(run.options, base.options, path);
}

/** Flows of programs have no file. @type {(...runs: RunInfo[]) => string} */
function flowsText(...runs) {
  const known = runs.map(({ flow }) => flow.from).filter(Boolean);
  return known.length === runs.length ? `: ${known.join(', ')}` : '';
}

/** @type {(id: string | undefined) => string} */
function named(id) {
  return id === undefined ? 'without a --run-id' : formatValue(id);
}

/** @type {(options: RunInfo['options'], others: RunInfo['options'], path: string) => string | undefined} */
function differingOption(options, others, path) {
  const names = new Set([...Object.keys(options), ...Object.keys(others)]);
  for (const name of OWN_OPTIONS) names.delete(name);
  const name = [...names].find((key) => JSON.stringify(options[key]) !== JSON.stringify(others[key]));
  if (name === undefined) return undefined;
  return `ran with ${name} ${formatValue(options[name])}, but ${path} with ${formatValue(others[name])}`;
}

/** @type {(numbers: number[], paths: string[]) => void} */
function refuseTwins(numbers, paths) {
  const second = numbers.findIndex((number, i) => numbers.indexOf(number) < i);
  if (second < 0) return;
  const reason = `is shard ${numbers[second]}, and so is ${paths[numbers.indexOf(numbers[second])]}`;
  throw makeError('E_RESULT', { path: paths[second], reason, cure: 'pass each shard once' });
}

/** Shards that ran at different times were never the load of one run. @type {(results: Result[], paths: string[]) => void} */
function refuseApart(results, paths) {
  const spans = spansOf(results) ?? [];
  const apart = spans.length > 0 ? findApart(spans) : null;
  if (!apart) return;
  const { earlier, later } = apart;
  throw makeError('E_RESULT', {
    path: paths[earlier],
    reason: `ended at ${instant(spans[earlier].to)}, before ${paths[later]} began at ${instant(spans[later].from)}: they did not run at the same time`,
    cure: 'is it the result of an earlier attempt? Merge shards of one attempt, or pass --partial',
  });
}

/** @type {(ms: number) => string} */
function instant(ms) {
  const date = new Date(ms);
  return Number.isNaN(date.getTime()) ? 'an unknown time' : date.toISOString();
}

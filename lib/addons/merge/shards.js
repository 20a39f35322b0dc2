import { makeError } from '../../core/ground/errors.js';
import { shardOf } from './measure/load-generators.js';
import { findApart, skewOf, spansOf } from './measure/merge.js';
import { OF_ONE_RUN } from '../compare/report/run-facts.js';
import { formatValue } from '../../core/text/format-value.js';

/** @import { Shard } from '../../core/contracts/run.js' */
/** @import { Result, RunInfo } from '../../core/report/types.js' */

/**
 * @typedef {object} ShardsInfo what merged shards have in common
 * @property {number} of how many shards the run had
 * @property {number[]} missing numbers of shards that are not among the results
 * @property {number | null} skewMs between the first and the last start of the measured iterations; null: not known
 */

/** The options in which shards of one run may differ: the seed decides which iterations each of them has. */
const OWN_OPTIONS = [...OF_ONE_RUN.filter((name) => name !== 'seed'), 'shard', 'workers', 'log'];

/**
 * Checks that results are the shards of one run; null if no result is of a shard. `isPartial`: shards may be missing,
 * or have run at different times.
 * @throws {Error} E_RESULT
 * @type {(results: Result[], paths: string[], options?: { isPartial?: boolean }) => ShardsInfo | null}
 */
export function checkShards(results, paths, { isPartial = false } = {}) {
  const all = results.map(shardOf);
  const first = all.findIndex((shard, i) => shard !== undefined && results[i].run !== undefined);
  if (first < 0) return null;
  const base = { .../** @type {RunInfo} */ (results[first].run), shard: /** @type {Shard} */ (all[first]) };
  const { of } = base.shard;
  results.forEach(({ run }, i) => {
    const reason = refusal({ ...run, shard: all[i] }, base, paths[first]);
    if (reason) throw makeError('E_RESULT', { path: paths[i], reason, cure: 'merge the shards of one run' });
  });
  const numbers = all.map((shard) => shard?.number ?? NaN);
  refuseTwins(numbers, paths);
  const missing = Array.from({ length: of }, (_, i) => i + 1).filter((number) => !numbers.includes(number));
  if (missing.length > 0 && !isPartial)
    throw makeError('E_RESULT', {
      path: paths[first],
      reason: `is shard ${base.shard.number} of ${of}, and ${shardsText(missing)} missing`,
      cure: 'pass all of them, or --partial to merge without',
    });
  if (!isPartial) refuseApart(results, paths);
  const spans = spansOf(results);
  return { of, missing, skewMs: spans.includes(null) ? null : skewOf(spans.map((span) => span?.from ?? null)) };
}

const MOST_NAMED = 10;

/** Lists shards with their verb: `shard 2 is`, `shards 2, 3 are`. @type {(numbers: number[]) => string} */
export function shardsText(numbers) {
  if (numbers.length === 1) return `shard ${numbers[0]} is`;
  const rest = numbers.length > MOST_NAMED ? ` and ${numbers.length - MOST_NAMED} more` : '';
  return `shards ${numbers.slice(0, MOST_NAMED).join(', ')}${rest} are`;
}

/**
 * Explains why a result is no shard of the run of another one.
 * @type {(run: Partial<RunInfo> & { shard?: Shard }, base: RunInfo & { shard: Shard }, path: string) => string |
 *   undefined}
 */
function refusal(run, base, path) {
  const { shard, id } = base;
  const { number, of } = run.shard ?? {};
  if (of === undefined || !isWholeInfo(run))
    return `is not a shard, but ${path} is shard ${shard.number} of ${shard.of}`;
  if (of !== shard.of) return `is shard ${number} of ${of}, but ${path} is one of ${shard.of}`;
  if (run.id !== id) return `is of the run ${named(run.id)}, but ${path} is of ${named(id)}`;
  if (run.flow.sha256 !== base.flow.sha256) return `ran another flow than ${path}${flowsText(run, base)}`;
  return differingOption(run.options, base.options, path);
}

/** @type {(run: Partial<RunInfo>) => run is RunInfo} false: the result does not tell what ran */
function isWholeInfo({ flow }) {
  return flow !== undefined;
}

/** Flows of programs have no file. @type {(...runs: RunInfo[]) => string} */
function flowsText(...runs) {
  const known = runs.map(({ flow }) => flow.source).filter(Boolean);
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

/** Shards apart in time were never the load of one run. @type {(results: Result[], paths: string[]) => void} */
function refuseApart(results, paths) {
  const spans = spansOf(results);
  const apart = findApart(spans);
  if (!apart) return;
  const { earlier, later } = apart;
  throw makeError('E_RESULT', {
    path: paths[earlier],
    reason: `ended at ${instant(spans[earlier]?.to)}, before ${paths[later]} began at ${instant(spans[later]?.from)}: they did not run at the same time`,
    cure: 'is it the result of an earlier attempt? Merge shards of one attempt, or pass --partial',
  });
}

/** @type {(ms: number | undefined) => string} */
function instant(ms) {
  const date = new Date(ms ?? NaN);
  return Number.isNaN(date.getTime()) ? 'an unknown time' : date.toISOString();
}

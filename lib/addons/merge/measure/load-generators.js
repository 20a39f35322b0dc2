import { soleGenerator } from '../../../core/measure/load-generators.js';

/** @import { LoadGeneratorEntry, Stats } from '../../../core/contracts/stats.js' */

/**
 * The figures of one load generator, of a result that has several.
 * @param {Pick<Stats, 'loadGenerator' | 'main' | 'iterations' | 'measuredElapsed'>} stats of this one alone
 * @returns {Pick<LoadGeneratorEntry, 'workers'> & Required<Pick<LoadGeneratorEntry, 'iterations' | 'responseTime' |
 *   'loadGenerator'>>}
 */
export function generatorFigures({ loadGenerator, main, iterations, measuredElapsed }) {
  const { workers, cpuTime, eventLoopUtilization, eventLoopDelay, saturated } = loadGenerator;
  return {
    workers,
    iterations: { started: iterations.started, completedRate: iterations.completedRate },
    responseTime: { p99: main.completed.p99 },
    loadGenerator: {
      saturated,
      eventLoopUtilization,
      eventLoopDelay,
      cpuTime,
      cpuCores: measuredElapsed > 0 ? cpuTime / measuredElapsed : null,
    },
  };
}

/**
 * The load generators of results that are added up.
 * @param {Stats[]} results
 * @param {(number | null)[]} offsets when each began, ms since the first one did; null: not known
 * @returns {LoadGeneratorEntry[]}
 */
export function mergedGenerators(results, offsets) {
  const all = results.flatMap((stats, i) => {
    const { loadGenerators: own = [soleGenerator(stats.loadGenerator)], loadGenerator } = stats;
    const since = (/** @type {number | null} */ start) =>
      start === null || offsets[i] === null ? null : offsets[i] + start;
    // The entries of a result that is a sum itself have their figures already.
    if (own.length !== 1 || loadGenerator.startSkew !== undefined)
      return own.map((one) => ({ ...one, startOffset: since(one.startOffset ?? null) }));
    return [{ ...own[0], ...generatorFigures(stats), startOffset: offsets[i] }];
  });
  return withDistinctNames(all);
}

/**
 * Numbers the names that several have, until all are distinct: another one may have such a name already.
 * @type {(all: LoadGeneratorEntry[]) => LoadGeneratorEntry[]}
 */
function withDistinctNames(all) {
  /** @type {Map<string, number>} */
  const counts = new Map();
  for (const { name } of all) counts.set(name, (counts.get(name) ?? 0) + 1);
  if (counts.size === all.length) return all;
  return withDistinctNames(
    all.map((one, i) => (counts.get(one.name) === 1 ? one : { ...one, name: `${one.name} ${i + 1}` })),
  );
}

/**
 * Returns the shard that a result is of; undefined: it is of a whole run, or of several shards.
 * @type {(result: Pick<Stats, 'loadGenerators' | 'agents'> & { run?: { shards?: object } }) => { number: number, of:
 *   number } | undefined}
 */
export function shardOf({ loadGenerators = [], agents, run }) {
  const isSum = agents !== undefined || run?.shards !== undefined || loadGenerators.length !== 1;
  return isSum ? undefined : loadGenerators[0].shard;
}

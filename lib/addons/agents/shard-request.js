import { WITHOUT_REFUSED } from './pack-options.js';

/** @import { Layer } from '../../core/run/options/types.js' */
/** @import { ShardContext } from './types.js' */

/** Creates the EngineRequest of a shard. @type {(context: ShardContext) => Record<string, any>} */
export function shardRequest({ shard, work, source, cwd, requestLog, bounds, timing, ...agent }) {
  const { workers, secrets } = agent;
  const own = {
    ...WITHOUT_REFUSED,
    // The flow does not decide where an agent writes its log.
    log: requestLog,
    shard: { number: shard.number, of: shard.of },
    runId: shard.run,
    // The coordinator decides by the sum of all shards.
    abortOnFail: false,
    abortOnFailOf: null,
    abortAfter: null,
    precision: null,
    maxDuration: null,
    progress: 0,
    ...(work.flow.kind === 'data' && { strict: true }),
  };
  return {
    source,
    cwd,
    config: withDefault(work.config, { workers }),
    commandLine: [secrets, ...work.commandLine, { name: 'agents', options: own }],
    debug: false,
    ticks: true,
    ...(bounds && { bounds }),
    asShard: { keepMs: timing.reportMs },
  };
}

/**
 * Adds the number of workers of the agent if its configuration has none. It is an upper limit (`adapts`): a shard may
 * have fewer virtual users than workers.
 * @type {(config: Layer, options: { workers: number | string }) => Layer}
 */
function withDefault(config, { workers }) {
  if ((config.options.workers ?? null) !== null) return config;
  return { ...config, options: { ...config.options, workers }, adapts: ['workers'] };
}

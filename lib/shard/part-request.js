import { WITHOUT_REFUSED } from './pack-options.js';

/**
 * @import { Layer } from '../run/options/layers.js'
 * @import { ShardContext } from './shard-run.js'
 */

/**
 * The request to an engine for a shard, or for a part of one that was lost.
 *
 * @param {ShardContext} context
 * @returns {Record<string, any>} see EngineRequest
 */
export function partRequest({ shard, part, permitMemory, work, source, cwd, requestLog, workers, secrets, timing }) {
  const own = {
    ...WITHOUT_REFUSED,
    // whatever the flow says
    log: requestLog,
    shard: part ? { number: part.number, of: part.of, from: part.from } : { number: shard.number, of: shard.of },
    runId: shard.run,
    // the coordinator decides by the sum of all shards
    abortOnFail: false,
    abortAfter: null,
    progress: 0,
    ...(work.flow.kind === 'data' && { strict: true }),
  };
  return {
    source,
    cwd,
    config: withDefault(work.config, { workers }),
    commandLine: [
      secrets,
      ...work.commandLine,
      { name: 'agents', options: own },
      ...(part ? [takenOver(workers)] : []),
    ],
    debug: false,
    ticks: true,
    asPart: { keepMs: timing.reportMs, ...(permitMemory && { permitMemory }) },
  };
}

/** A part has fewer virtual users than a shard, and no time before its start. @type {(workers: number | string) => Layer} */
function takenOver(workers) {
  return { name: 'agents', options: { workers, warmup: null, prealloc: 0 }, adapts: ['workers'] };
}

/** The default of an agent is an upper limit: a shard may have fewer virtual users. @type {(config: Layer, options: { workers: number | string }) => Layer} */
function withDefault(config, { workers }) {
  if ((config.options.workers ?? null) !== null) return config;
  return { ...config, options: { ...config.options, workers }, adapts: ['workers'] };
}

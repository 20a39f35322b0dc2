/** @import { LoadGeneratorEntry, Machine } from '../contracts/stats.js' */

/** The list `loadGenerators` of a result: one entry of a plain run, several of merged shards and of agents. */

/** Why a load generator was lost, by its code in results: the process of a run, a shard of a merged one, an agent. */
export const LOSSES = {
  noSignal: 'it did not report any more',
  notBegun: 'no agent has begun its shard',
  refused: 'it refused to run the flow, or its report was refused',
  queue: 'the queue does not answer',
};

/** @typedef {keyof typeof LOSSES} LossCode */

/** The name of one that is no shard and no agent: results are shared, and the name of a host is private. */
const LOCAL = 'local';

/**
 * The only load generator of a run.
 * @type {(known: { shard?: { number: number, of: number }, toolVersion?: string, workers: number, machine?: Machine })
 *   => LoadGeneratorEntry}
 */
export function soleGenerator({ shard, toolVersion, workers, machine }) {
  return {
    name: shard ? `shard ${shard.number}` : LOCAL,
    ...(shard && { shard: { number: shard.number, of: shard.of } }),
    ...(toolVersion !== undefined && { toolVersion }),
    workers,
    ...(machine && { machine }),
  };
}

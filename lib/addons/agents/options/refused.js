/** @import { RunOption } from '../../../core/run/options/types.js' */

/** Why options of the core cannot be sent to agents; rows of add-ons say it. @type {Record<string, string>} */
const REFUSED = {
  connectTo: 'would lead around the targets that an agent allows: pass a URL with the address',
  resolver: 'would lead around the targets that an agent allows: set it up on their machines',
  socketPath: 'is a socket of this machine: pass a URL that agents can reach',
  shard: 'is set by a run on agents itself: each agent runs one shard',
  startAt: 'is set by a run on agents itself: they agree on a start',
  envFiles: 'is a file of this machine: set its variables in the environment of each agent',
  addons: 'is code of this machine, which is not sent: run it here, or with --shard on several machines',
};

/** Explains why an option cannot be sent to agents. @type {(row: RunOption) => string | undefined} */
export function refusedByAgents({ name, refusedElsewhere }) {
  return refusedElsewhere?.agents ?? REFUSED[name];
}

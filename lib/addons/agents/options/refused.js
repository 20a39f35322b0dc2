/** @import { RunOption } from '../../../core/run/options/types.js' */

const NO_SOCKET = 'is a socket of this machine';

/**
 * Why options of the core cannot be sent to another place, by the add-on that leads a run there; rows of add-ons say it
 * themselves. @type {Record<string, Record<string, string | undefined> | undefined>}
 */
const REFUSED = {
  abortAfter: { kubernetes: 'is for --abort-on-fail, which would judge one shard' },
  abortOnFail: {
    kubernetes: 'would judge one shard: the job that merges judges thresholds; agents judge the sum while they run',
  },
  abortOnFailOf: { kubernetes: 'would judge one shard' },
  addons: {
    agents: 'is code of this machine, which is not sent: run it here, or with --shard on several machines',
    kubernetes: 'is code of this machine: use an image that has it',
  },
  ca: {
    kubernetes: 'is a file of this machine: build an --image that has it, and set NODE_EXTRA_CA_CERTS in it',
  },
  cert: { kubernetes: 'is a file of this machine: build an --image that has it' },
  connectTo: { agents: 'would lead around the targets that an agent allows: pass a URL with the address' },
  envFiles: {
    agents: 'is a file of this machine: set its variables in the environment of each agent',
    kubernetes: 'is a file of this machine: keep its variables in a secret of Kubernetes, and use --secret',
  },
  precision: { kubernetes: 'would end each pod by its own figures' },
  resolver: { agents: 'would lead around the targets that an agent allows: set it up on their machines' },
  runId: { kubernetes: 'the job has its own' },
  shard: {
    agents: 'is set by a run on agents itself: each agent runs one shard',
    kubernetes: 'each pod has its own: use --pods',
  },
  socketPath: { agents: `${NO_SOCKET}: pass a URL that agents can reach`, kubernetes: NO_SOCKET },
  startAt: { agents: 'is set by a run on agents itself: they agree on a start' },
};

/**
 * Explains why a run on agents, or in a job of Kubernetes, cannot have an option: completes "--shard …".
 * @type {(row: RunOption, where: 'agents' | 'kubernetes') => string | undefined}
 */
export function refusalOf({ name, refusedElsewhere }, where) {
  return (refusedElsewhere ?? REFUSED[name])?.[where];
}

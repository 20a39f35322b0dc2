import { Agent } from '../../shard/agent.js';
import { ownOptions } from '../../shard/pack-options.js';
import { Queue } from '../../shard/queue.js';
import { workingFolder } from '../../working-folder.js';
import { Engine } from '../engine/engine.js';
import { handleSignals } from '../engine/signals.js';
import { printMessage } from '../output.js';

/**
 * @import { Reason } from '../../exit-codes.js'
 * @import { AgentRequest } from '../commands/agent.js'
 * @import { Shutdown } from '../exit-process.js'
 * @import { Io } from '../main.js'
 */

/**
 * Waits on a queue until a signal arrives. A shard that runs then is stopped gracefully.
 *
 * @param {AgentRequest & { version: string }} request
 * @param {Io} io
 * @param {Shutdown} shutdown
 * @returns {Promise<Reason[]>}
 * @throws {Error} E_QUEUE, E_PACKAGE
 */
export async function runAgent({ queue: url, name, pool, workers, allowCode, version }, io, shutdown) {
  const cwd = workingFolder(io);
  const queue = await Queue.open(url, io.env);
  shutdown.add(async () => queue.close());
  const notify = (/** @type {string} */ text) => void printMessage(io.stderr, text);
  const agent = new Agent({
    ...{ queue, name, pool, version, workers, cwd, notify },
    allowsCode: allowCode,
    secrets: ownOptions(io.env),
    createEngine: (shard, listener) => new Engine(/** @type {any} */ (shard), /** @type {any} */ (listener)),
    log: io.stderr,
  });
  await agent.start();
  notify(`agent ${name} waits for runs of the pool ${pool} at ${queue.place} (press Ctrl-C to stop)`);
  const signals = handleSignals(io, (text) => notify(text));
  /** @type {() => void} */
  let leave = () => {};
  const outcome = new Promise((resolve) => (leave = () => resolve(undefined)));
  await signals.direct({
    outcome,
    stop(reason, options) {
      agent.stop(reason, options);
      void agent.close().then(leave);
    },
    abort: agent.abort,
  });
  return [];
}

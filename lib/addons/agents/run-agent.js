import { statSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

import { makeError } from '../../core/ground/errors.js';
import { workingFolder } from '../../core/ground/system-errors.js';
import { removeLeftFolders } from '../processes/private-folder.js';
import { QUEUE_VARIABLE } from './options/agents.js';
import { Agent } from './agent.js';
import { ownOptions, ownVariables } from './pack-options.js';
import { QUEUE_PASSWORD, QUEUE_USER, Queue } from './queue.js';
import { QUEUE_SECRET, QUEUE_SECRET_FILE } from './seal.js';
import { Engine } from '../../core/cli/engine/engine.js';
import { Signals } from '../../core/cli/exit-process.js';
import { printMessage } from '../../core/cli/output.js';
import { describeBounds } from './bound-flags.js';
import { describeRun } from '../../core/cli/result/describe-run.js';

/** @import { Reason } from '../../core/ground/exit-codes.js' */
/** @import { Allowed, SaveResult } from './types.js' */
/** @import { Io } from '../../core/cli/types.js' */
/** @import { AgentRequest } from './requests.js' */
/** @import { Shutdown } from '../../core/cli/exit-process.js' */

const QUEUE_VARIABLES = [QUEUE_VARIABLE, QUEUE_USER, QUEUE_PASSWORD, QUEUE_SECRET, QUEUE_SECRET_FILE];

/**
 * Waits on a queue until a signal arrives. A shard that runs then is stopped gracefully.
 * @throws {Error} E_QUEUE, E_PACKAGE, E_LOG
 * @type {(request: AgentRequest & { version: string }, io: Io, shutdown: Shutdown) => Promise<Reason[]>}
 */
export async function runAgent(request, io, shutdown) {
  const { queue: url, name, pool, workers, allowed, logFolder: given, version } = request;
  const load = describeBounds(request.bounds);
  const cwd = workingFolder(io);
  const logFolder = given === null ? null : folderAt(resolve(cwd, given));
  const queue = await Queue.open(url, io.env, pool);
  const secrets = ownOptions(io.env);
  const added = ownVariables(io.env);
  // Flows of others read the environment, and none needs the address and the secrets of the queue.
  for (const variable of QUEUE_VARIABLES) delete io.env[variable];
  await removeLeftFolders();
  shutdown.add(async () => queue.close());
  const notify = (/** @type {string} */ text) => void printMessage(io.stderr, text);
  const agent = new Agent({
    queue,
    name,
    pool,
    version,
    workers,
    cwd,
    notify,
    allowed,
    logFolder,
    ...(load !== null && { bounds: request.bounds }),
    secrets,
    createEngine: (shard, listener) => new Engine(/** @type {any} */ (shard), listener),
    log: io.stderr,
    saveResult: resultSaver({ cwd, notify }),
  });
  await agent.start();
  notify(`agent ${agent.name} waits for runs of the pool ${pool} at ${queue.address} (press Ctrl-C to stop)`);
  notify(trustOf({ allowed, added, load, logFolder, place: queue.address, isSigned: queue.seal.isOn }));
  const signals = new Signals(io, notify);
  /** Ends the command. @type {() => void} */
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

/**
 * Writes results of shards into the working directory, as those of `-o`.
 * @type {(context: { cwd: string, notify: (text: string) => void }) => SaveResult} null: it could not be written
 */
export function resultSaver({ cwd, notify }) {
  return ({ run: id, number }, { begun, stats, why }) => {
    const path = join(cwd, `bench-rest-${id}-${number}.json`);
    const { plan, ...flow } = begun;
    // Each agent has a log of its own.
    const { log: _own, ...options } = plan.options;
    const run = describeRun({ ...flow, plan: { ...plan, options } }, cwd);
    try {
      const text = JSON.stringify({ ...stats, run: { ...run, endReason: why } });
      writeFileSync(path, text, { flag: 'wx', mode: 0o600 });
      return path;
    } catch (error) {
      notify(`the result cannot be written to ${path}: ${/** @type {Error} */ (error).message}`);
      return null;
    }
  };
}

/** @type {(path: string) => string} */
function folderAt(path) {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) return path;
  throw makeError('E_LOG', { path, reason: 'there is no such folder', cure: 'create it, or use another one' });
}

/**
 * Describes who can order what from this agent. `added`: variables with credentials that go to every target.
 * @type {(given: { allowed: Allowed, added: string[], load: string | null, logFolder: string | null, place: string,
 *   isSigned: boolean }) => string} load: the limits of a run
 */
function trustOf({ allowed: { code, variables, targets }, added, load, logFolder, place, isSigned }) {
  const who = isSigned
    ? `Only commands that have its ${QUEUE_SECRET} can use it`
    : `Everyone who can write to ${place} can use it (${QUEUE_SECRET} makes it take signed orders only)`;
  const where = targets === null ? 'to any address (--allow-target limits them)' : `to ${targets.join(', ')}`;
  const reads = variables.length === 0 ? 'read no variables of the environment' : `read ${variables.join(', ')}`;
  const credentials = added.length === 0 ? '' : ` with the credentials of ${added.join(' and ')}`;
  const writes = logFolder === null ? '' : `write logs of requests into ${logFolder}, `;
  const runs = code ? 'run any program' : 'run no code';
  const most = load === null ? 'any load (--max-rate and other flags limit it)' : `load of ${load}`;
  return `${who}: to send ${most} ${where}${credentials}, ${writes}${reads}, and ${runs}`;
}

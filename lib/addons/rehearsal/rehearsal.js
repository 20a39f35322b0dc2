import { once } from 'node:events';
import { createServer } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { isMainThread } from 'node:worker_threads';

import { hasTargets } from '../../core/process/confinement.js';
import { createRun } from '../../core/run/benchrest.js';

/** @import { AddressInfo } from 'node:net' */
/** @import { RunOptions } from '../../core/contracts/run-options.js' */
/** @import { Participant, ParticipantContext } from '../../core/run/types.js' */

const DURATION = '50ms';
const USERS = 8;
/** More than are sent: the loop never waits for one to be due. */
const RATE = 1e5;
const ANSWER = 'HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\ncontent-length: 2\r\n\r\nok';

/** Each thread rehearses once. */
let hasBegun = false;

/**
 * Rehearses in a thread of its own: that of a program has its own code, and garbage. A flow from elsewhere may be
 * confined to some targets, of which the server of a rehearsal is none.
 * @type {(context: ParticipantContext) => Participant}
 */
export function open({ options }) {
  return isMainThread || hasTargets() ? {} : { prepare: () => rehearse(options) };
}

/**
 * Runs a load on a server in this thread, until V8 has compiled what a run performs, and what its states and its result
 * are made of: the first requests of a thread take several times as long as later ones, and the first state holds them
 * up for 25 ms, for which the service gets the blame. No code of the flow is called, and its service gets no request. A
 * connection in memory in place of a socket would have another shape, for which V8 compiles the same functions again.
 * Does nothing when it is called again.
 * @type {(options: Pick<RunOptions, 'httpClient'>) => Promise<void>}
 */
export async function rehearse({ httpClient }) {
  if (hasBegun) return;
  hasBegun = true;
  const server = createServer((socket) => {
    socket.on('error', () => socket.destroy());
    socket.on('data', () => socket.write(ANSWER, 'latin1'));
  });
  try {
    await once(server.listen(0, '127.0.0.1'), 'listening');
  } catch {
    // A sandbox forbids it: the run begins as it is.
    return;
  }
  const { port } = /** @type {AddressInfo} */ (server.address());
  try {
    const { stats } = await createRun(`http://127.0.0.1:${port}/`, {
      limit: USERS,
      rate: RATE,
      maxBacklog: RATE,
      duration: DURATION,
      pacing: 'timer',
      httpClient: /** @type {'builtin' | 'undici'} */ (httpClient),
      quiet: true,
    });
    structuredClone(stats);
  } finally {
    server.close();
  }
  collectGarbage();
}

/** What the start has left would be collected within the first second, and takes 20 ms there. */
function collectGarbage() {
  setFlagsFromString('--expose-gc');
  /** @type {() => void} */ (runInNewContext('gc'))();
  setFlagsFromString('--no-expose-gc');
}

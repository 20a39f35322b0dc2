import { subscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';

import { writeAddress } from '../../core/http/url-parts.js';
import { ThreadWatch } from '../../core/measure/thread.js';
import { messageOf } from '../../core/text/error-text.js';
import { followConnections, settlesWithin } from '../../core/run/closing.js';

/** @import { Server } from 'node:http' */
/** @import { Target } from '../../core/contracts/run.js' */
/** @import { Run, RunResult } from '../../core/run/run.js' */
/** @import { HostedRun } from '../../core/run/types.js' */

/**
 * @typedef {object} LocalServer
 * @property {string} url
 * @property {() => Promise<void>} restore closes the server, if runs have started it and this is the last one
 */

/** A server whose `listen()` was called before this module was loaded may still be resolving its host. */
const SETTLE_MS = 50;
/** Time limit of resolving a host: longer than the resolvers of operating systems try. */
const RESOLVE_MS = 60_000;
/** An address without a name needs no resolver; in a worker of `cluster` another process is asked. */
const LISTEN_MS = 10_000;

/**
 * Servers whose `listen()` was called, and that neither listen nor have failed: their host is still being resolved,
 * which nothing else shows.
 * @type {WeakSet<object>}
 */
const resolving = new WeakSet();
for (const [event, change] of /** @type {const} */ ([
  ['asyncStart', 'add'],
  ['asyncEnd', 'delete'],
  ['error', 'delete'],
]))
  subscribe(`tracing:net.server.listen:${event}`, (message) => resolving[change](/** @type {any} */ (message).server));

/** Servers that runs have started, until they are closed. @type {WeakMap<Server, SharedServer>} */
const started = new WeakMap();

/** @type {(run: Run, hosted: HostedRun) => Promise<RunResult>} */
export async function run(_, { options, planFor, perform }) {
  const { serverOf } = await import('./target-kinds.js');
  const server = await openLocalServer(await serverOf(/** @type {Target} */ (options.target)));
  try {
    const plan = planFor(server.url);
    const sharesLoop = plan.options.workers === undefined;
    // The threads that send the requests measure themselves, and one of them may be that of the server.
    return await perform(plan, { sharesLoop, meter: sharesLoop ? null : new ThreadWatch() });
  } finally {
    await server.restore();
  }
}

/**
 * Starts a server of this process on a free port, unless it is listening.
 * @throws {Error} why it cannot listen
 * @type {(server: Server | import('node:https').Server) => Promise<LocalServer>}
 */
export async function openLocalServer(server) {
  if (!started.has(server) && !server.listening) await settled(server);
  // An earlier run may still be closing it.
  while (started.get(server)?.closed) await started.get(server)?.closed;
  const listensAlready = server.listening && !started.has(server);
  if (listensAlready) return { url: urlOf(server), restore: async () => {} };
  const shared = started.get(server) ?? new SharedServer(server);
  await shared.join();
  return { url: urlOf(server), restore: () => shared.leave() };
}

/** A server that one run has started. Others may use it at the same time: the last one closes it. */
class SharedServer {
  #server;
  /** Settles when the server listens; rejects with the reason why it cannot. */
  #listening;
  #close = async () => {};
  /** Runs that use it. */
  #users = 0;
  /** Settles when the server is closed; null before that begins. @type {Promise<void> | null} */
  closed = null;

  /** @param {Server} server */
  constructor(server) {
    this.#server = server;
    started.set(server, this);
    this.#listening = this.#listen();
  }

  /** @throws {Error} why it cannot listen */
  async join() {
    this.#users++;
    await this.#listening;
  }

  async leave() {
    if (--this.#users > 0) return;
    this.closed = this.#close().finally(() => started.delete(this.#server));
    await this.closed;
  }

  async #listen() {
    try {
      const listening = once(this.#server, 'listening');
      this.#server.listen(0, '127.0.0.1');
      if (!(await settlesWithin(listening, LISTEN_MS)))
        throw new Error(`target does not listen after ${LISTEN_MS / 1000} s`);
      await listening;
      this.#close = followConnections(this.#server);
    } catch (error) {
      started.delete(this.#server);
      throw error instanceof Error ? error : new Error(messageOf(error));
    }
  }
}

/** Waits until a server that may be about to listen does so. @type {(server: Server) => Promise<void>} */
async function settled(server) {
  const waiting = new AbortController();
  const end = () => waiting.abort();
  const timer = setTimeout(end, resolving.has(server) ? RESOLVE_MS : SETTLE_MS);
  server.once('close', end);
  try {
    await once(server, 'listening', { signal: waiting.signal });
  } catch (error) {
    if (!waiting.signal.aborted) throw error;
  } finally {
    clearTimeout(timer);
    server.off('close', end);
  }
}

/** @type {(server: Server | import('node:https').Server) => string} */
function urlOf(server) {
  const scheme = 'setSecureContext' in server ? 'https' : 'http';
  const address = server.address();
  if (typeof address === 'string') return `${scheme}://unix:${address}`;
  const { address: host, port } = /** @type {import('node:net').AddressInfo} */ (address);
  return `${scheme}://${writeAddress(host === '::' || host === '0.0.0.0' ? '127.0.0.1' : host, port)}`;
}

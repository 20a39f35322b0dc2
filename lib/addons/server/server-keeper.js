import { resolve } from 'node:path';

import { flag, given, list, mapOf, number, optional, rebuild, record, tagged, text } from '../../core/ground/shape.js';
import { serverFor } from './watched-server.js';

/** @import { Keeper } from '../../core/cli/types.js' */
/** @import { StartSettings } from './types.js' */

/** Grace period of a server after an abort, ms: with the other limits of an abort less than a second. */
const ABORTED_SERVER_MS = 300;

const long = text({ most: Infinity });

/** A command is only started as it is declared here. */
const FROM_RUN = tagged('type', {
  start: {
    settings: record({
      command: given,
      env: mapOf(long),
      cwd: long,
      timeout: number({ least: 0 }),
      ready: optional(long),
      origins: list(long, { least: 1 }),
      socketPath: optional(long),
      tls: given,
      port: optional(long),
      isPortFree: flag,
      hasPreload: flag,
      watch: optional(long),
    }),
  },
  send: { message: record({ kind: long, to: optional(long), body: given }) },
});

/**
 * Reads a message of the thread of a run. Code of the flow can post other ones.
 * @throws {import('../../core/ground/shape.js').ShapeError}
 * @type {(message: unknown) => { type: string } & Record<string, any>}
 */
export function read(message) {
  return rebuild(FROM_RUN, message, { name: 'message' });
}

/** @type {() => Keeper} */
export const open = () => new ServerKeeper();

/** The server of a run, or of several runs, in another thread than these. */
class ServerKeeper {
  /** @type {ReturnType<typeof serverFor> | null} */
  #server = null;
  /** @type {Promise<Started> | null} */
  #started = null;

  /** @type {Keeper['receive']} */
  receive({ type, settings, message }, { cwd, post }) {
    const channel = this.#server?.channel;
    if (type === 'start') void this.#serve({ ...settings, cwd: resolve(cwd, settings.cwd) }, post);
    else if (message.kind === 'listen')
      channel?.listen((/** @type {any} */ sent) => post({ type: 'received', message: sent }));
    else channel?.post(message);
  }

  /**
   * Tells the thread of a run where the server is ready, and when it ends.
   * @type {(settings: StartSettings, post: (message: object) => void) => Promise<void>}
   */
  async #serve(settings, post) {
    this.#started ??= this.#start(settings);
    const started = await this.#started;
    if ('error' in started) return post({ type: 'refused', error: started.error });
    post({ type: 'ready', ...started.ready });
    return this.#server?.onEnd((end) => post({ type: 'ended', end }));
  }

  /** Resolves when the server is ready, or has failed. @type {(settings: StartSettings) => Promise<Started>} */
  #start(settings) {
    const server = serverFor(settings);
    this.#server = server;
    return server.start().then(
      (ready) => ({ ready: { ...ready, folder: server.channel?.folder ?? null } }),
      ({ code, message }) => ({ error: { code, message } }),
    );
  }

  /** Tells how a server ended by itself, with its last output; empty for others. @type {() => Promise<string>} */
  async lastOutput() {
    if (!this.#server?.hasEnded) return '';
    const { endedHow } = this.#server;
    const lines = await this.#server.outputText();
    return lines === ''
      ? `the server ${endedHow}; it wrote nothing`
      : `last output of the server, which ${endedHow}:${lines}`;
  }

  /** @type {Keeper['end']} */
  async end(isAborted) {
    await this.#server?.stop(...(isAborted ? [ABORTED_SERVER_MS] : []));
  }
}

/** @typedef {{ ready: object } | { error: { code?: string, message: string } }} Started */

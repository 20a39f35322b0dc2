import { SIGNALS } from '../engine/signals.js';
import { addTargetFlags } from '../flags/target-flags.js';
import { write } from '../output.js';

/**
 * @import { TargetOptions } from '../../target/server.js'
 * @import { CommandEntry } from './types.js'
 *
 * @typedef {{ command: 'serve', options: TargetOptions }} ServeRequest
 */

const DEFAULT_PORT = 8000;
const RESOURCES = `
  GET /                         answers hello
  PUT GET HEAD PATCH DELETE     documents at any path, with ETag, If-Match and If-None-Match
  POST                          creates a document: 201 and Location
  /login /me                    a session cookie, and the user it belongs to
  /status/:code /delay/:ms /redirect/:n /echo
`;

/** Serves the embedded target until a signal arrives. @type {CommandEntry} */
export default {
  name: 'serve',
  about: 'start the embedded REST target and serve until Ctrl-C',

  declare(command, { submit }) {
    addTargetFlags(command, String(DEFAULT_PORT)).action(({ port = DEFAULT_PORT, ...options }) =>
      submit({ command: 'serve', options: { port, ...options } }),
    );
  },

  /** @param {ServeRequest} request */
  async run({ options }, io, shutdown) {
    const { startTarget } = await import('../../target/server.js');
    const target = await startTarget(options);
    shutdown.add(target.close);
    const interrupted = new Promise((resolve) => SIGNALS.forEach((name) => io.on(name, resolve)));
    await write(io.stdout, `REST target at ${target.url}/ (press Ctrl-C to stop)${RESOURCES}`);
    await interrupted;
    await write(io.stdout, `${target.requests} requests\n`);
    return [];
  },
};

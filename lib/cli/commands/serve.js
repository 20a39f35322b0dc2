import { startTarget } from '../../target/server.js';
import { write } from '../output.js';
import { SIGNALS } from '../signals.js';

/**
 * @import { Io } from '../main.js'
 * @import { ServeRequest } from '../options.js'
 */

/**
 * Serves the embedded target until a signal ends it.
 *
 * @param {ServeRequest} request
 * @param {Io} io
 * @returns {Promise<never[]>}
 */
export async function serve({ options }, io) {
  const target = await startTarget(options);
  await write(
    io.stdout,
    `REST target at ${target.url}/ (Ctrl-C ends it)
  GET /                         says hello
  PUT GET HEAD PATCH DELETE     documents at any path, with ETag, If-Match and If-None-Match
  POST                          makes a document: 201 and Location
  /login /me                    a session cookie, and who it belongs to
  /status/:code /delay/:ms /redirect/:n /echo
`,
  );
  await new Promise((resolve) => SIGNALS.forEach((name) => io.on(name, resolve)));
  await target.close();
  await write(io.stdout, `${target.requests} requests\n`);
  return [];
}

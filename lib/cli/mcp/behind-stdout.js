import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

import { SIGNALS } from '../exit-process.js';

/** @import { Io } from '../types.js' */

/**
 * Runs the same command in a child whose standard output is its standard error, and whose descriptor 3 leads to the
 * client: code of a flow can write to descriptor 1 past `process.stdout`, and start programs that do. Resolves with its
 * exit code.
 * @type {(io: Pick<Io, 'on'>) => Promise<number>}
 */
export async function runBehindStdout(io) {
  const entry = fileURLToPath(new URL('./child.js', import.meta.url));
  const child = spawn(process.execPath, [...process.execArgv, entry, ...process.argv.slice(2)], {
    stdio: ['inherit', process.stderr.fd, 'inherit', process.stdout.fd],
  });
  for (const name of SIGNALS) io.on(name, () => child.kill(/** @type {NodeJS.Signals} */ (name)));
  const [code] = await once(child, 'close');
  return code ?? 1;
}

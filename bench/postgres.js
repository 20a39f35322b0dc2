import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';

import { end, endOf, programPath, start } from './processes.js';
import { freePort } from './target.js';

const USER = 'bench';

/**
 * Starts a PostgreSQL of its own, which writes nothing to the disk before it answers. It refuses to run as root.
 *
 * @param {{ cpu?: number, settings?: string[] }} [options] settings: more of them, such as
 *   `shared_preload_libraries=pg_stat_statements`
 */
export async function startPostgres({ cpu, settings = [] } = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'bench-postgres-'));
  const port = await freePort();
  const asUser = userInfo().uid === 0 ? ['runuser', '-u', 'postgres', '--'] : [];
  if (asUser.length > 0) await output(['chown', 'postgres', folder]);
  const data = join(folder, 'data');
  await output([...asUser, pathOf('initdb'), '-D', data, '-U', USER, '-A', 'trust', '--no-sync']);
  const own = [`port=${port}`, 'listen_addresses=127.0.0.1', `unix_socket_directories=${folder}`, 'fsync=off'];
  const argv = [pathOf('postgres'), '-D', data, ...[...own, ...settings].flatMap((one) => ['-c', one])];
  const child = start([...asUser, ...argv], { cpu, stdio: 'ignore' });
  const close = async () => {
    await end(child, 'SIGINT');
    rmSync(folder, { recursive: true, force: true });
  };
  const place = ['-h', '127.0.0.1', '-p', `${port}`, '-U', USER];
  for (let tries = 0; tries < 100; tries++) {
    const { code } = await endOf(start([pathOf('pg_isready'), ...place]));
    if (code === 0) break;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return { url: `postgres://${USER}@127.0.0.1:${port}/postgres`, port, place, close };
}

/** Returns the path of a program: those of PostgreSQL may be in a folder of their version. It is '' without the program. */
export function pathOf(name) {
  const own = programPath(name);
  if (own !== '' || programPath('pg_config') === '') return own;
  return programPath(join(spawnSync('pg_config', ['--bindir'], { encoding: 'utf8' }).stdout.trim(), name));
}

/** Runs a program to its end, and returns what it printed. */
export async function output(argv, options = {}) {
  const { code, stdout, stderr } = await endOf(start(argv, options));
  if (code !== 0) throw new Error(`${argv.join(' ')} exited with ${code}: ${stderr.trim().split('\n').at(-1)}`);
  return stdout;
}

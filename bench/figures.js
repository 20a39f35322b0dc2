import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus, loadavg, release, totalmem, type } from 'node:os';

import { pathInBench } from './peers/installed.js';

/** Programs print their versions in their own ways. */
const PROGRAMS = { wrk: ['wrk', '-v'], h2load: ['h2load', '--version'], k6: ['k6', 'version'] };

/**
 * Writes the figures of a comparison as JSON, with what one needs to judge and repeat them. `npm run generate` makes the
 * table of docs/numbers.md of it.
 *
 * @type {(file: string, compared: import('./compare.js').Compared) => void}
 */
export function writeFigures(file, { works, load, target, rounds, seconds }) {
  const figures = {
    date: new Date().toISOString().slice(0, 10),
    command: ['npm run bench --', ...process.argv.slice(2)].join(' '),
    target,
    rounds,
    seconds,
    machine: {
      cpu: cpus()[0].model,
      cores: availableParallelism(),
      memoryGb: Math.round(totalmem() / 2 ** 30),
      system: `${type()} ${release()}`,
      node: process.version,
      // processes that could run while the peers were measured: two of them are the client and the target
      load,
    },
    works: works.map(({ peers, ...work }) => ({
      ...work,
      peers: peers.map((peer) => ({ ...peer, version: versionOf(peer.name) })),
    })),
  };
  writeFileSync(file, `${JSON.stringify(figures, null, 2)}\n`);
}

/** The load of the machine over the last minute. */
export function loadNow() {
  return Number(loadavg()[0].toFixed(1));
}

/** @type {(name: string) => string | undefined} */
function versionOf(name) {
  if (name.startsWith('ours')) return packageVersion('../package.json');
  const command = PROGRAMS[name];
  if (!command) return packageVersion(`node_modules/${name}/package.json`);
  const { stdout, stderr } = spawnSync(command[0], command.slice(1), { encoding: 'utf8' });
  return /\d+\.\d+(\.\d+)?/.exec(stdout + stderr)?.[0];
}

function packageVersion(path) {
  const file = pathInBench(path);
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')).version : undefined;
}

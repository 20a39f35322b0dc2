import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';

import { errorLine } from './error-line.js';
import { median } from './median.js';
import { pathInBench } from './peers/installed.js';
import { canPin, endOf, start } from './processes.js';
import { startTarget } from './target.js';

/** Iterations of the longer run of each work, and the requests of one. A plain GET needs no flow. */
export const checkoutWorks = [
  { name: 'plain-get', iterations: 150_000, requests: 1 },
  { name: 'put-get', iterations: 70_000, requests: 2 },
  { name: 'hook', iterations: 140_000, requests: 1 },
  { name: 'login', iterations: 30_000, requests: 4 },
  { name: 'alternating', iterations: 70_000, requests: 2 },
];
const CONNECTIONS = 50;
/** The part of the longer run that the shorter one has; both have one start, which the difference leaves out. */
const SHORTER = 0.1;
const probe = pathInBench('clients/cpu-at-exit.cjs');

/**
 * Prints the CPU time of a request beside that of another checkout. Both run at once on one CPU, which gives them time
 * slices in turn, so a disturbance of the machine affects both (README.md has how much that helps).
 *
 * @param {{ beside: string, rounds?: number, names: string[] }} settings beside: the folder of the other checkout;
 *   names: of works; none: all
 */
export async function checkouts({ beside, rounds = 10, names }) {
  const programs = [pathInBench('..'), resolve(beside)].map((folder) => join(folder, 'bin/bench-rest.js'));
  const missing = programs.find((program) => !existsSync(program));
  if (missing) throw new Error(`${missing} is not there: --beside takes the folder of a checkout`);
  if (!canPin) throw new Error('checkouts needs taskset and two CPUs: both checkouts run on one of them');
  const target = await startTarget();
  try {
    for (const work of checkoutWorks) {
      if (names.length > 0 && !names.includes(work.name)) continue;
      const all = [];
      for (let round = 0; round < rounds; round++) all.push(await measure(programs, work, target.url));
      process.stdout.write(line(work, all));
    }
  } finally {
    await target.close();
  }
}

/** @returns {Promise<number[]>} us of CPU a request of each program */
async function measure(programs, { name, iterations, requests }, url) {
  const source = name === 'plain-get' ? [`${url}/`] : ['--base-url', url, pathInBench(`flows/${name}.js`)];
  const run = (count) =>
    Promise.all(programs.map((program) => cpuMs([program, '-n', String(count), '-c', String(CONNECTIONS), ...source])));
  const [short, long] = [await run(iterations * SHORTER), await run(iterations)];
  return long.map((ms, i) => {
    if (ms <= short[i]) throw new Error(`${programs[i]} took no CPU for ${iterations} iterations of ${name}`);
    return ((ms - short[i]) * 1000) / (iterations * (1 - SHORTER) * requests);
  });
}

/** @returns {Promise<number>} */
async function cpuMs([program, ...args]) {
  const argv = [process.execPath, '--require', probe, program, '--quiet', ...args];
  const { code, stderr, extra } = await endOf(start(argv, { cpu: 0, stdio: ['ignore', 'ignore', 'pipe', 'pipe'] }));
  if (code !== 0) throw new Error(`${program} exited with ${code}: ${errorLine(stderr)}`);
  return Number(extra);
}

/** @type {(work: { name: string }, all: number[][]) => string} */
function line({ name }, all) {
  const ratios = all.map(([ours, other]) => ours / other);
  const [ours, other] = [0, 1].map((i) => median(all.map((pair) => pair[i])).toFixed(2));
  const [least, most] = [Math.min(...ratios), Math.max(...ratios)].map((ratio) => ratio.toFixed(3));
  return `${name.padEnd(12)} ${ours} us of CPU a request, the other checkout ${other}; ratio ${median(ratios).toFixed(3)} (${least} to ${most})\n`;
}

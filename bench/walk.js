import { readFileSync } from 'node:fs';

import { median } from './median.js';
import { pathInBench } from './peers/installed.js';
import { endOf, start } from './processes.js';
import { startTarget } from './target.js';

const ROUNDS = 5;
const SECONDS = 5;
/** What is not a file of the walk. */
const OTHERS = {
  '(other files)': 'other files of `lib/core`, such as the states for displays',
  '(node)': 'sockets, streams and timers of Node',
  '(native)': 'native code and the kernel: sockets are read, written and waited for',
  '(garbage collector)': 'the garbage collector',
  '(other)': 'packages',
};

/**
 * Prints what each part of a plain GET costs: the files of the reading order, in nanoseconds of CPU for each request. The
 * shares are those of samples of V8's profiler; the sum is the CPU of a run without it.
 *
 * @param {{ rounds?: number, seconds?: number }} [settings]
 */
export async function walk({ rounds = ROUNDS, seconds = SECONDS } = {}) {
  const parts = readingOrder();
  const target = await startTarget();
  const measured = [];
  try {
    for (let round = 0; round < rounds; round++) measured.push(await oneRound(target.url, seconds, parts));
  } finally {
    await target.close();
  }
  const nanosecondsOf = (owner) => Math.round(median(measured.map((costs) => costs.get(owner) ?? 0)));
  const rows = [
    ...parts.map(({ path, about }) => [`\`${path}\``, about, nanosecondsOf(path)]),
    ...Object.entries(OTHERS).map(([owner, about]) => ['', about, nanosecondsOf(owner)]),
  ];
  rows.push(['', 'all', rows.reduce((sum, [, , ns]) => sum + ns, 0)]);
  process.stdout.write(`${target.name}, ${rounds} rounds of ${seconds} s\n\n`);
  process.stdout.write(`| part | what it does | ns |\n| --- | --- | --: |\n`);
  for (const row of rows) process.stdout.write(`| ${row.join(' | ')} |\n`);
}

/** The files that a GET passes through, as the page about the architecture lists them. */
function readingOrder() {
  const [, text] = readFileSync(pathInBench('../docs/internals/architecture.md'), 'utf8').split('\n## Reading order\n');
  const [list] = text.split('\n## ')[0].split('add these');
  return [...list.matchAll(/^\d+\. `([^`]+)`: (.*)\.$/gm)].map(([, path, about]) => ({ path, about }));
}

/** ns of CPU for each request by the owner of samples */
async function oneRound(url, seconds, parts) {
  const argv = [process.execPath, pathInBench('clients/walk.js'), `${url}/`, String(seconds)];
  const { code, stdout, stderr } = await endOf(start(argv, { cpu: 0 }));
  if (code !== 0) throw new Error(`the walk ended with ${code}: ${stderr}`);
  const { requests, cpuUs, samples } = JSON.parse(stdout);
  delete samples['(idle)'];
  const all = Object.values(samples).reduce((sum, count) => sum + count, 0);
  const isPart = new Set(parts.map(({ path }) => path));
  const costs = new Map();
  for (const [owner, count] of Object.entries(samples)) {
    const row = owner in OTHERS || isPart.has(owner) ? owner : '(other files)';
    costs.set(row, (costs.get(row) ?? 0) + ((count / all) * cpuUs * 1000) / requests);
  }
  return costs;
}

import { readFileSync } from 'node:fs';

import { goalTable } from './goal.js';
import { median } from './median.js';
import { pathInBench } from './peers/installed.js';
import { endOf, programPath, start } from './processes.js';
import { startTarget } from './target.js';

const ROUNDS = 3;
const SECONDS = 10;
const USERS = 10_000;
/** Each user of a peer sends a request per second: a run of so many requests as fast as they can is bound by CPU. */
const PAUSE_S = 1;
/** How often the peak of a process is read, ms: it is gone when the process has ended. */
const EVERY_MS = 50;
const MB = 1e6;
/** When 1,000 connections have been open for long: what survives then is no part of a connection. */
const OPENED_MS = 3000;

const OURS = [process.execPath, pathInBench('../bin/bench-rest.js'), '--json', '--no-color'];

/** @type {{ name: string, goal?: number, missing?: () => string | undefined, command: (settings: { url: string, users: number, seconds: number }) => string[] }[]} */
const CLIENTS = [
  {
    name: 'ours, no pause',
    goal: 60,
    command: ({ url, users, seconds }) => [...OURS, '-c', `${users}`, '-t', `${seconds}s`, url],
  },
  {
    name: 'ours',
    command: ({ url, users, seconds }) => [
      ...[...OURS, '-c', `${users}`, '-t', `${seconds}s`],
      ...['--pause', `${PAUSE_S}s`, url],
    ],
  },
  {
    name: 'k6',
    missing: () => (programPath('k6') ? undefined : 'not installed: go install go.k6.io/k6@v1.8.1'),
    command: ({ url, users, seconds }) => [
      ...['k6', 'run', '--quiet', '--no-usage-report', '-e', `URL=${url}`, '-e', `PAUSE_S=${PAUSE_S}`],
      ...['--vus', `${users}`, '--duration', `${seconds}s`, pathInBench('clients/users-k6.js')],
    ],
  },
  {
    name: 'locust',
    missing: () => (programPath('locust') ? undefined : 'not installed: pip install locust'),
    command: ({ url, users, seconds }) => [
      ...['locust', '--headless', '--only-summary', '-f', pathInBench('clients/users-locust.py'), '-H', url],
      ...['-u', `${users}`, '-r', `${users}`, '-t', `${seconds}s`],
    ],
  },
];

/**
 * Prints the memory of {@link USERS} virtual users that send a request per second, or without a pause, above that of one:
 * the peak of the process (VmHWM, Linux), beside other tools. And the longest pause of the garbage collector with 1,000 connections.
 *
 * @param {{ rounds?: number, seconds?: number }} [settings]
 */
export async function memory({ rounds = ROUNDS, seconds = SECONDS } = {}) {
  const target = await startTarget();
  const { url } = target;
  const goals = [];
  try {
    say(`memory of ${USERS} virtual users, ${seconds} s, ${rounds} rounds: ${target.name}`);
    for (const { name, goal, missing, command } of CLIENTS) {
      if (missing?.()) {
        say(`missing: ${name} (${missing()})`);
        continue;
      }
      const above = [];
      for (let round = 0; round < rounds; round++) {
        const [few, many] = [
          await peakOf(command({ url, users: 1, seconds })),
          await peakOf(command({ url, users: USERS, seconds })),
        ];
        above.push((many - few) / MB);
      }
      say(`  ${name.padEnd(16)}${above.map((mb) => `${mb.toFixed(0)} MB`.padStart(9)).join('')}`);
      if (goal) goals.push({ what: `${USERS} users, no pause, MB`, sign: '<=', bound: goal, value: median(above) });
    }
    const pauses = await pausesOf([...OURS, '-c', '1000', '-t', '60s', url]);
    say(
      `  pauses of the collector in 60 s with 1,000 connections: ${pauses.length}, the longest ${Math.max(...pauses)} ms`,
    );
    goals.push({ what: 'longest pause, ms', sign: '<=', bound: 3, value: Math.max(...pauses) });
    say(goalTable(/** @type {any} */ (goals)));
  } finally {
    await target.close();
  }
}

/** The most memory that a process had, in bytes. @type {(argv: string[]) => Promise<number>} */
async function peakOf(argv) {
  const child = start(argv, { cpu: 0, stdio: ['ignore', 'pipe', 'pipe'] });
  let kB = 0;
  const reading = setInterval(() => {
    kB = Number(/^VmHWM:\s+(\d+) kB/m.exec(statusOf(child.pid))?.[1] ?? kB);
  }, EVERY_MS);
  const { code, stderr } = await endOf(child);
  clearInterval(reading);
  if (kB === 0 || (code !== 0 && !argv[0].endsWith('locust'))) throw new Error(`${argv[0]}: exit ${code}; ${stderr}`);
  return kB * 1024;
}

function statusOf(pid) {
  try {
    return readFileSync(`/proc/${pid}/status`, 'utf8');
  } catch (error) {
    if (error.code !== 'ENOENT' && error.code !== 'ESRCH') throw error;
    return ''; // it has ended
  }
}

/** The pauses of the thread that collects most often, that of the run, in ms. @type {(argv: string[]) => Promise<number[]>} */
async function pausesOf([node, ...argv]) {
  const { stdout } = await endOf(start([node, '--trace-gc', ...argv], { cpu: 0, stdio: ['ignore', 'pipe', 'pipe'] }));
  /** @type {Map<string, number[]>} */
  const byThread = new Map();
  for (const [, thread, at, ms] of stdout.matchAll(/^\[\d+:(0x\w+)\]\s+(\d+) ms: .*? MB, ([\d.]+) \/ /gm)) {
    const pauses = byThread.get(thread) ?? [];
    byThread.set(thread, pauses);
    if (Number(at) > OPENED_MS) pauses.push(Number(ms));
  }
  return [...byThread.values()].sort((a, b) => b.length - a.length)[0];
}

function say(line) {
  process.stdout.write(`${line}\n`);
}

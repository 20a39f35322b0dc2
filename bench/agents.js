import { processesFrom, stateOf } from '../lib/addons/processes/processes.js';
import { KEYS } from '../lib/addons/agents/protocol.js';
import { checkAgentsNeeds } from './agents-needs.js';
import { errorLine } from './error-line.js';
import { verdictOf } from './goal.js';
import { childSeconds, timed } from './measure-peer.js';
import { median } from './median.js';
import { pathInBench } from './peers/installed.js';
import { canPin, endOf, start } from './processes.js';
import { startTarget } from './target.js';
import { watchThreads } from './thread-usage.js';

/**
 * @typedef {object} Run
 * @property {number} requests
 * @property {number} rate requests per second
 * @property {number} cpuMs of the processes that send requests
 * @property {number} otherMs CPU of their threads beside the workers
 * @property {number | null} [skew] between the first and the last start, ms
 * @property {number} [snapshot] bytes of the largest report
 *
 * @typedef {object} Kind
 * @property {string} name
 * @property {(requests: number) => Promise<Run>} run
 */

const PROGRAM = pathInBench('../bin/bench-rest.js');
const CLIENT_CPU = 0;
/** of the target, Redis and the command that leads the agents */
const OTHER_CPU = 1;
const CONNECTIONS = '50';
const WORKERS = 2;
/** The CPU of the requests that a long run has more than a short one is free of the start of both. */
const SHORT = 0.25;
const MOST = 1.03;
const SAMPLE_MS = 250;
/** An agent closes the threads of a run after its last report. */
const SETTLE_MS = 500;

/** Prints what agents cost beside threads of one command: both share a core, and both send the same number of requests. */
export async function agents({ rounds = 5, seconds = 6 } = {}) {
  await checkAgentsNeeds();
  const { startRedis } = await import('./redis.js');
  const target = await startTarget();
  const queue = await startRedis(OTHER_CPU);
  try {
    const one = await startAgents(queue, 1, ['-w', String(WORKERS)]);
    const two = await startAgents(queue, 2, ['-w', '1']);
    const kinds = [
      { name: 'local, -w 2', run: (requests) => runLocally(target.url, ['-n', String(requests)]) },
      { name: '1 agent, -w 2', run: (requests) => runOnAgents(target.url, queue, one, requests) },
      { name: '2 agents, -w 1', run: (requests) => runOnAgents(target.url, queue, two, requests) },
    ];
    const { requests } = await runLocally(target.url, ['-t', `${seconds}s`]);
    for (const { run } of kinds) await run(Math.round(requests * SHORT));
    print(await measure(kinds, rounds, requests), { target, rounds, requests });
  } finally {
    await Promise.all([target.close(), queue.close()]);
  }
}

/** Kinds take turns. @type {(kinds: Kind[], rounds: number, requests: number) => Promise<{ name: string, long: Run[], short: Run[] }[]>} */
async function measure(kinds, rounds, requests) {
  const all = kinds.map((kind) => ({ ...kind, long: [], short: [] }));
  for (let round = 1; round <= rounds; round++) {
    for (const { name, run, long, short } of all) {
      short.push(await run(Math.round(requests * SHORT)));
      long.push(await run(requests));
      process.stderr.write(
        `agents ${round}/${rounds} ${name}: ${cpuUs(long.at(-1)).toFixed(2)} us of CPU per request\n`,
      );
    }
  }
  return all;
}

/** @returns {Promise<{ pool: string, pids: number[] }>} agents that are ready, in a pool of their own */
export async function startAgents({ url }, count, args) {
  const pool = `of-${count}`;
  const children = Array.from({ length: count }, (_, i) =>
    start([process.execPath, PROGRAM, 'agent', '--queue', url, '--name', `agent-${i + 1}`, '--pool', pool, ...args], {
      cpu: CLIENT_CPU,
    }),
  );
  await Promise.all(children.map(isReady));
  return { pool, pids: children.map(({ pid }) => pid) };
}

function isReady(child) {
  child.stdout.resume();
  return new Promise((resolve, reject) => {
    let said = '';
    child.stderr.setEncoding('utf8').on('data', (text) => {
      said += said.length < 10_000 ? text : '';
      if (/waits for runs/.test(said)) resolve();
    });
    child.once('exit', (code) => reject(new Error(`an agent ended early (${code}): ${errorLine(said)}`)));
  });
}

/** @returns {Promise<Run>} */
async function runLocally(url, load) {
  const argv = [process.execPath, PROGRAM, '--json', '-c', CONNECTIONS, '-w', String(WORKERS), ...load, url];
  const stdio = ['ignore', 'pipe', 'pipe', 'pipe'];
  const child = start(['sh', '-c', timed, 'sh', ...argv], { cpu: CLIENT_CPU, stdio });
  const threads = watchThreads(() => treeOf(child.pid));
  const ended = await endOf(child);
  return { ...figuresOf(ended), cpuMs: childSeconds(ended.extra) * 1000, otherMs: otherMs(threads()) };
}

/** @returns {Promise<Run>} */
async function runOnAgents(url, queue, { pool, pids }, requests) {
  const before = cpuMsOf(pids);
  const own = ['--agents', String(pids.length), '--agents-queue', queue.url, '--agents-pool', pool];
  const argv = [process.execPath, PROGRAM, ...own, '--json', '-c', CONNECTIONS, '-n', String(requests), url];
  const largest = watchReports(queue.redis);
  const threads = watchThreads(() => pids);
  const ended = await endOf(start(argv, { cpu: OTHER_CPU }));
  const snapshot = largest();
  await new Promise((resolve) => setTimeout(resolve, SETTLE_MS));
  const run = figuresOf(ended);
  const cpuMs = cpuMsOf(pids) - before;
  return { ...run, cpuMs, otherMs: otherMs(threads()), skew: run.agents.startSkew, snapshot };
}

/** @type {(root: number) => number[]} */
function treeOf(root) {
  return processesFrom(({ pid }) => pid === root)?.map(({ pid }) => pid) ?? [];
}

/** @type {(pids: number[]) => number} */
function cpuMsOf(pids) {
  return pids.reduce((sum, pid) => sum + (stateOf(pid)?.cpuMs ?? 0), 0);
}

/** The busiest threads are the workers. @type {(threads: number[]) => number} */
function otherMs(threads) {
  return threads.slice(WORKERS).reduce((sum, ms) => sum + ms, 0);
}

function figuresOf({ code, stdout, stderr }) {
  if (code !== 0) throw new Error(`a run exited with ${code}: ${errorLine(stderr)}`);
  const { requests, measuredElapsed, agents } = JSON.parse(stdout);
  return { requests: requests.count, rate: (1000 * requests.count) / measuredElapsed, agents };
}

/** Samples the reports in the queue. @type {(redis: import('ioredis').Redis) => () => number} returns the bytes of the largest, and stops */
function watchReports(redis) {
  let most = 0;
  const sample = async () => {
    for (const key of await redis.keys(KEYS.report('*', '*'))) most = Math.max(most, await redis.strlen(key));
  };
  const timer = setInterval(() => void sample(), SAMPLE_MS);
  return () => {
    clearInterval(timer);
    return most;
  };
}

function print(all, { target, rounds, requests }) {
  const [local, ...others] = all;
  say(
    `agents: target ${target.name}; ${requests.toLocaleString('en')} requests over ${CONNECTIONS} connections; medians of ${rounds} alternating rounds`,
  );
  say(
    canPin
      ? 'pinned: clients and agents on CPU 0; target, Redis and the command with --agents on CPU 1'
      : 'not pinned: the numbers are rough',
  );
  say(
    'CPU: us per request, user and system, of all processes that send requests; beside: median of the ratios of each round',
  );
  say(
    `without start: CPU of the requests that runs have more than those with ${SHORT * 100} % of them, from the sums of all rounds`,
  );
  say('other threads: the part of that CPU that no worker uses; the one worker of an agent shares its thread\n');
  say(rowOf('kind', 'requests/s', 'CPU', 'beside local', 'without start', 'other threads'));
  const besideLocal = (/** @type {Run[]} */ runs) => median(runs.map((run, i) => cpuUs(run) / cpuUs(local.long[i])));
  for (const { name, long, short } of all) {
    const rate = Math.round(median(long.map((run) => run.rate))).toLocaleString('en');
    const cpu = median(long.map(cpuUs)).toFixed(2);
    const further = furtherOf(long, short);
    const later = furtherCpuUs(long, short).toFixed(2);
    const others = `${((100 * further('otherMs')) / further('cpuMs')).toFixed(1)} %`;
    say(rowOf(name, rate, cpu, percent(besideLocal(long)), later, others));
  }
  say('');
  for (const { name, long, short } of others) {
    const snapshot = Math.max(...long.map((run) => run.snapshot)).toLocaleString('en');
    const verdict = verdictOf({
      sign: '<=',
      bound: MOST,
      value: furtherCpuUs(long, short) / furtherCpuUs(local.long, local.short),
    });
    say(`  ${name}: CPU without start beside local ${verdict}; largest report ${snapshot} bytes`);
  }
  const skews = others.at(-1).long.map(({ skew }) => skew);
  say(`  start skew of 2 agents: ${median(skews).toFixed(2)} ms, at most ${Math.max(...skews).toFixed(2)} ms`);
}

/** @type {(run: Run) => number} */
function cpuUs({ cpuMs, requests }) {
  return (1000 * cpuMs) / requests;
}

/** What long runs have more than short ones. @type {(long: Run[], short: Run[]) => (key: 'cpuMs' | 'otherMs' | 'requests') => number} */
function furtherOf(long, short) {
  const sumOf = (runs, key) => runs.reduce((sum, run) => sum + run[key], 0);
  return (key) => sumOf(long, key) - sumOf(short, key);
}

/** @type {(long: Run[], short: Run[]) => number} */
function furtherCpuUs(long, short) {
  const further = furtherOf(long, short);
  return (1000 * further('cpuMs')) / further('requests');
}

function rowOf(name, ...cells) {
  return `  ${name.padEnd(14)}  ${cells.map((text) => text.padStart(13)).join('  ')}`;
}

function percent(ratio) {
  return `${ratio >= 1 ? '+' : ''}${((ratio - 1) * 100).toFixed(1)} %`;
}

function say(line) {
  process.stdout.write(`${line}\n`);
}

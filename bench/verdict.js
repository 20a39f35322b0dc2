import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, rmdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { setTimeout as sleep } from 'node:timers/promises';

import { goals } from './alarms.js';
import { checkAgentsNeeds } from './agents-needs.js';
import { startAgents } from './agents.js';
import { errorLine } from './error-line.js';
import { median } from './median.js';
import { pathInBench } from './peers/installed.js';
import { end, endOf, start } from './processes.js';
import { frequency, overloads, searches } from './trust.js';
import { startService, tableOf as formatted } from './verdict-service.js';

const PROGRAM = fileURLToPath(new URL('../bin/bench-rest.js', import.meta.url));
const FLOW = pathInBench('flows/verdict.js');
const CLIENT_CPU = 0;
const OTHER_CPU = 1;
const ROUNDS = 13;
const SECONDS = 1.2;
/** A figure that is this much above the server's must be suspect, or must be valid. */
const DISTORTED = 0.2;
const RIGHT = 0.05;
const GOAL = 0.95;
const LABELS = ['p50', 'p95', 'p99'];
/** when a stop begins, after the start of the process: start, warm-up, half of the run */
const STOP_AFTER_MS = 1400;
const QUOTA_GROUP = '/sys/fs/cgroup/cpu/bench-rest-verdict';
const [PERIOD_US, QUOTA_US] = [100_000, 15_000];
const STOPPED = { argv: [process.execPath, '-e', 'for (;;);'] };

/**
 * @typedef {object} Cause
 * @property {string} name
 * @property {number} [rate] iterations per second; none: a closed run
 * @property {number} [users]
 * @property {object} [flow] the settings of bench/flows/verdict.js
 * @property {string[]} [flags]
 * @property {number} [stopMs] the process is stopped for so long
 * @property {number} [neighbours] processes that compute on its CPU
 * @property {boolean} [hasQuota] its CPU is limited
 * @property {boolean} [inspected] with a debugger
 * @property {number} [listenerMs] a program with a listener that takes so long
 * @property {boolean} [onAgents]
 */

/** @type {Cause[]} */
const CAUSES = [
  { name: 'none, 100/s', rate: 100 },
  { name: 'none, 300/s', rate: 300 },
  { name: 'none, 1,000/s', rate: 1000 },
  { name: 'none, closed, 10 users', users: 10 },
  { name: 'none, two workers', rate: 300, flags: ['-w', '2'] },
  { name: 'none, undici', rate: 300, flags: ['--http-client', 'undici'] },
  { name: 'none, two agents', rate: 300, onAgents: true },
  { name: 'hook of 0.1 ms, 300/s', rate: 300, flow: { burnMs: 0.1 } },
  { name: 'hook of 1 ms, 300/s', rate: 300, flow: { burnMs: 1 } },
  { name: 'hook of 1 ms, 600/s', rate: 600, flow: { burnMs: 1 } },
  { name: 'hook of 3 ms, 100/s', rate: 100, flow: { burnMs: 3 } },
  { name: 'hook of 3 ms, 230/s', rate: 230, flow: { burnMs: 3 } },
  { name: 'hook of 3 ms, 280/s', rate: 280, flow: { burnMs: 3 } },
  { name: 'hook of 3 ms, 400/s, two workers', rate: 400, flow: { burnMs: 3 }, flags: ['-w', '2'] },
  { name: 'hook of 3 ms, 200/s, undici', rate: 200, flow: { burnMs: 3 }, flags: ['--http-client', 'undici'] },
  { name: 'hook of 100 ms in 50, 300/s', rate: 300, flow: { burnMs: 100, every: 50 } },
  { name: 'hook of 400 ms, once', rate: 300, flow: { burnMs: 400, every: 250 } },
  { name: 'hook that allocates', rate: 200, flow: { allocates: 20_000 } },
  { name: 'SIGSTOP of 0.1 s', rate: 300, stopMs: 100 },
  { name: 'SIGSTOP of 0.3 s, 10 users', rate: 300, users: 10, stopMs: 300 },
  { name: 'SIGSTOP of 0.8 s, closed', users: 10, stopMs: 800 },
  { name: 'SIGSTOP of 0.3 s, undici', rate: 300, stopMs: 300, flags: ['--http-client', 'undici'] },
  { name: 'one busy neighbour', rate: 300, neighbours: 1 },
  { name: 'three busy neighbours', rate: 300, neighbours: 3 },
  { name: 'three busy neighbours, two workers', rate: 300, neighbours: 3, flags: ['-w', '2'] },
  { name: 'three busy neighbours, two agents', rate: 300, neighbours: 3, onAgents: true },
  { name: 'CPU quota of 15 %', rate: 300, hasQuota: true },
  { name: 'a debugger that is attached', rate: 300, inspected: true },
  { name: 'a listener of 2 ms', rate: 300, listenerMs: 2 },
  { name: 'a body to decode and check', rate: 100, flow: { path: '/large', expects: true } },
  { name: 'TLS handshakes', rate: 150, flow: { hasTls: true } },
  { name: 'lookups of names', rate: 150, flow: { hasLookups: true } },
  { name: 'a result file of all points', rate: 300, flags: ['--series-interval', '10ms', '-o', 'FOLDER/out.json'] },
];

/** The tables by name. */
export const TABLES = { situations, overloads, frequency, ab: goals, capacity: searches };

/**
 * Prints tables about the trust in results: those with the given names, by default all.
 *
 * @param {{ names?: string[], rounds?: number, seconds?: number }} [settings]
 */
export async function verdict({ names = [], ...settings } = {}) {
  const tables = Object.keys(TABLES).filter((name) => names.includes(name));
  for (const name of tables.length > 0 ? tables : Object.keys(TABLES)) {
    say(`\n${name}`);
    await TABLES[name]({ names, ...settings });
  }
}

/** How often the verdict on the percentiles of a run is right, judged by a server that knows its own times. */
async function situations({ rounds = ROUNDS, seconds = SECONDS }) {
  const folder = mkdtempSync(join(tmpdir(), 'bench-rest-verdict-'));
  const context = await openContext(folder, seconds);
  const causes = CAUSES.filter((cause) => isPossible(cause, context));
  const left = CAUSES.length - causes.length;
  if (left > 0)
    say(
      `left out: ${CAUSES.filter((one) => !causes.includes(one))
        .map(({ name }) => name)
        .join(', ')}`,
    );
  /** @type {Map<Cause, object[]>} */
  const runs = new Map(causes.map((cause) => [cause, []]));
  try {
    for (let round = 1; round <= rounds; round++) {
      for (const cause of causes) {
        const judged = await judgedRun(cause, context);
        runs.get(cause).push(judged);
        process.stderr.write(`verdict ${round}/${rounds} ${cause.name}: ${judged.wrong.join('; ') || 'right'}\n`);
      }
    }
  } finally {
    await context.close();
    rmSync(folder, { recursive: true });
  }
  say(tableOf(runs));
  say(summaryOf([...runs.values()].flat()));
}

async function openContext(folder, seconds) {
  const { server, port, tlsPort } = await startService(folder, OTHER_CPU);
  const pool = await agentsOrNull();
  const hasQuota = openQuota();
  return {
    ...{ folder, seconds, server, port, tlsPort, pool, hasQuota },
    async close() {
      await end(server);
      await pool?.close();
      if (hasQuota) rmdirSync(QUOTA_GROUP);
    },
  };
}

/** @returns {Promise<{ url: string, name: string, close: () => Promise<void> } | null>} null if a program that they need is missing */
async function agentsOrNull() {
  try {
    await checkAgentsNeeds();
  } catch (error) {
    say(error.message);
    return null;
  }
  const { startRedis } = await import('./redis.js');
  const queue = await startRedis(OTHER_CPU);
  const { pool } = await startAgents(queue, 2, ['-w', '1']);
  return { url: queue.url, name: pool, close: queue.close };
}

/** A group of processes with a limit of CPU, which needs rights. */
function openQuota() {
  try {
    mkdirSync(QUOTA_GROUP, { recursive: true });
    writeFileSync(join(QUOTA_GROUP, 'cpu.cfs_period_us'), String(PERIOD_US));
    writeFileSync(join(QUOTA_GROUP, 'cpu.cfs_quota_us'), String(QUOTA_US));
    return true;
  } catch {
    return false;
  }
}

/** @type {(cause: Cause, context: { pool: object | null, hasQuota: boolean }) => boolean} */
function isPossible({ onAgents, hasQuota }, { pool, hasQuota: isAllowed }) {
  return (!onAgents || pool !== null) && (!hasQuota || isAllowed);
}

async function judgedRun(cause, context) {
  const neighbours = Array.from({ length: cause.neighbours ?? 0 }, () =>
    start(STOPPED.argv, { cpu: CLIENT_CPU, stdio: 'ignore' }),
  );
  const child = start(
    ['env', `VERDICT_CAUSE=${JSON.stringify(flowOf(cause, context))}`, ...commandOf(cause, context)],
    {
      cpu: CLIENT_CPU,
    },
  );
  const [{ code, stdout, stderr }] = await Promise.all([endOf(child), cause.stopMs ? stop(child, cause.stopMs) : null]);
  await Promise.all(neighbours.map((one) => end(one, 'SIGKILL')));
  const stats = parsed(stdout);
  if (!stats?.measuredAt) throw new Error(`${cause.name}: exit ${code}, ${errorLine(stderr)}`);
  context.server.send({ since: Date.parse(stats.measuredAt) });
  const [server] = await once(context.server, 'message');
  return judgementOf(stats, server);
}

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

async function stop({ pid }, ms) {
  await sleep(STOP_AFTER_MS);
  process.kill(-pid, 'SIGSTOP');
  await sleep(ms);
  process.kill(-pid, 'SIGCONT');
}

/** @type {(cause: Cause, context: object) => object} */
function flowOf({ flow = {} }, { port, tlsPort }) {
  const other = flow.hasTls
    ? `https://127.0.0.1:${tlsPort}/other`
    : flow.hasLookups
      ? `http://localhost:${port}/other`
      : '';
  return { url: `http://127.0.0.1:${port}`, ...flow, other };
}

/** @type {(cause: Cause, context: object) => string[]} */
function commandOf(cause, { folder, seconds, port, pool }) {
  const { rate, users = 50, flags = [], hasQuota, inspected, listenerMs, onAgents } = cause;
  if (listenerMs) {
    const argv = [`http://127.0.0.1:${port}/`, rate, seconds, listenerMs].map(String);
    return [process.execPath, pathInBench('clients/verdict-listener.js'), ...argv];
  }
  const load = [
    '-t',
    `${seconds}s`,
    '-W',
    '300ms',
    '-c',
    String(users),
    ...(rate ? ['-r', String(rate)] : []),
    '--insecure',
  ];
  const own = flags.map((flag) => flag.replace('FOLDER', folder));
  // an agent does not see the environment of the command
  const what = onAgents
    ? ['--agents', '2', '--agents-queue', pool.url, '--agents-pool', pool.name, `http://127.0.0.1:${port}/`]
    : [FLOW];
  const inspect = inspected ? ['--inspect=127.0.0.1:0'] : [];
  const argv = [process.execPath, ...inspect, PROGRAM, '--json', '-d', '0', ...load, ...own, ...what];
  return hasQuota ? ['sh', '-c', `echo $$ > ${QUOTA_GROUP}/cgroup.procs && exec "$@"`, 'sh', ...argv] : argv;
}

/** Compares each percentile with that of the server. With a second operation, the first one is judged. */
function judgementOf(stats, server) {
  const part = stats.operations.length > 1 ? 'judged' : undefined;
  const figures = LABELS.map((label) => {
    const name = part === undefined ? `responseTime.${label}` : label;
    const figure = stats.validity.figures?.find((one) => one.figure === name && one.of.operation === part);
    // too few values
    if (!figure) return { label };
    const added = figure.actual / server[label] - 1;
    const isSuspect = figure.status === 'suspect';
    const isMissed = added > DISTORTED && !isSuspect;
    const isFalse = added < RIGHT && isSuspect;
    return {
      label,
      ms: figure.actual,
      clientMs: figure.loadGeneratorTime,
      serverMs: server[label],
      added,
      isSuspect,
      isMissed,
      isFalse,
    };
  });
  const text = ({ label, ms, clientMs, serverMs }) =>
    `${label} ${ms.toFixed(1)} ms, server ${serverMs.toFixed(1)}, ours at most ${clientMs.toFixed(1)}`;
  return {
    figures,
    wrong: [
      ...figures.filter(({ isMissed }) => isMissed).map((one) => `missed: ${text(one)}`),
      ...figures.filter(({ isFalse }) => isFalse).map((one) => `false: ${text(one)}`),
    ],
  };
}

/** @type {(runs: Map<Cause, object[]>) => string} */
function tableOf(runs) {
  const rows = [...runs].map(([{ name }, judged]) => {
    const of = (i, key) => median(judged.map(({ figures }) => figures[i][key]));
    const three = (key) => LABELS.map((_, i) => shortMs(of(i, key))).join(', ');
    const suspect = LABELS.map((_, i) => judged.filter(({ figures }) => figures[i].isSuspect).length).join(', ');
    const right = judged.filter(({ wrong }) => wrong.length === 0).length;
    return [name, three('serverMs'), three('ms'), three('clientMs'), suspect, `${right} of ${judged.length}`];
  });
  return formatted(['cause', 'server p50, p95, p99', 'report p50, p95, p99', 'ours at most', 'suspect', 'right'], rows);
}

/** @type {(ms: number | undefined) => string} */
function shortMs(ms) {
  if (ms === undefined) return '-';
  return ms >= 100 ? ms.toFixed(0) : ms.toFixed(1);
}

/** @type {(all: object[]) => string} */
function summaryOf(all) {
  const figures = all.flatMap((one) => one.figures.filter(({ ms }) => ms !== undefined));
  const right = all.filter(({ wrong }) => wrong.length === 0).length;
  const count = (key) => figures.filter((one) => one[key]).length;
  const share = right / all.length;
  return [
    '',
    `right in ${right} of ${all.length} runs (${(share * 100).toFixed(1)} %): ${share >= GOAL ? 'ok' : 'not'} the goal of ${GOAL * 100} %`,
    `of ${figures.length} figures, ${count('isMissed')} above the server's by more than a fifth were valid, ${count('isFalse')} within a twentieth were suspect`,
  ].join('\n');
}

function say(line) {
  process.stdout.write(`${line}\n`);
}

import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';

import { median } from './median.js';
import { COMPILING_S, summaryOf } from './clients/calls.js';
import { pathInBench } from './peers/installed.js';
import { output as outputOf, pathOf, startPostgres } from './postgres.js';
import { startRedis } from './redis.js';

const [CLIENT_CORE, SERVER_CORE] = [0, 1];
const [ROUNDS, SECONDS] = [3, 10];
const CONNECTIONS = 10;
const KEYS = ['p50', 'p95', 'p99', 'mean'];
/** The goal: how far a time may be from that of the peer. */
const NEAR = 0.05;

/**
 * The calls: with the server, the rate (0: closed loop) and the connections, which all tools have. Timers of 1 ms would
 * start calls of less than that in bunches, and waking an event loop takes as long as such a call: ours and that of the
 * bare client never sleep then.
 */
const WORKS = [
  { name: 'sleep', server: 'postgres', rate: 100, pacing: 'timer', connections: CONNECTIONS, peer: pgbench },
  { name: 'select', server: 'postgres', rate: 500, pacing: 'poll', connections: CONNECTIONS, peer: pgbench },
  { name: 'select', server: 'postgres', rate: 2000, pacing: 'poll', connections: CONNECTIONS, peer: pgbench },
  { name: 'GET', server: 'redis', rate: 0, connections: 1, peer: redisBenchmark },
];
const SERVERS = {
  postgres: { start: startPostgresWithTables, programs: ['pgbench', 'initdb', 'postgres'] },
  redis: { start: () => startRedis(SERVER_CORE), programs: ['redis-server', 'redis-benchmark'] },
};

/**
 * Compares the service times of measured calls with those that the own tool of the server prints, with those of the same
 * client of Node without bench-rest, and with what the same calls took by the clock of the flow: same rate, arrivals at
 * random, same connections, prepared statements, client and server on a core each.
 *
 * @param {{ rounds?: number, seconds?: number }} [settings]
 */
export async function calls({ rounds = ROUNDS, seconds = SECONDS } = {}) {
  for (const [kind, { start: startServer, programs }] of Object.entries(SERVERS)) {
    const missing = programs.filter((name) => pathOf(name) === '');
    if (missing.length > 0) {
      say(`calls: ${kind} is skipped, ${missing.join(', ')} not installed`);
      continue;
    }
    const server = await startServer();
    try {
      for (const work of WORKS.filter((one) => one.server === kind)) await compare(work, server, { rounds, seconds });
    } finally {
      await server.close();
    }
  }
}

async function compare(work, server, { rounds, seconds }) {
  const { name, rate, connections, peer } = work;
  /** The last row is ours without the time that the load generator may have caused, such as while it had no CPU. */
  const runs = { [peer.name]: [], 'bare client': [], [BY_FLOW]: [], ours: [], 'ours, least': [] };
  for (let round = 0; round < rounds; round++) {
    runs[peer.name].push(await peer(work, server, seconds));
    runs['bare client'].push(await bare(work, server, seconds));
    const { measured, least, byFlow } = await ours(work, server, seconds);
    runs[BY_FLOW].push(byFlow);
    runs.ours.push(measured);
    runs['ours, least'].push(least);
  }
  const load = rate > 0 ? `${rate}/s at random` : 'closed loop';
  say(
    `\n${name}, ${load}, ${connections} connections, ${seconds} s, medians of ${rounds}; load of the machine ${loadavg()[0].toFixed(1)}`,
  );
  say(`${''.padEnd(20)}${['calls', ...KEYS].map((key) => key.padStart(11)).join('')}   service time, ms`);
  for (const [tool, all] of Object.entries(runs)) {
    const times = KEYS.map((key) => (median(all.map((run) => run[key]))?.toFixed(3) ?? '-').padStart(11));
    say(`${tool.padEnd(20)}${String(median(all.map(({ count }) => count))).padStart(11)}${times.join('')}`);
  }
  for (const beside of [peer.name, 'bare client', BY_FLOW])
    for (const [what, { ofOurs = 'ours', ratio }] of Object.entries(RATIOS)) {
      // The clock of the flow measured the same calls, so their least times are no comparison.
      if (beside === BY_FLOW && ofOurs !== 'ours') continue;
      const apart = KEYS.map((key) => ratio(runs[ofOurs], runs[beside], key));
      const cells = apart.map((one) => `${(100 * one).toFixed(1)} %`.padStart(11));
      const near = KEYS.filter((_, i) => Math.abs(apart[i]) <= NEAR);
      const word = near.length === KEYS.length ? 'all' : near.join(', ') || 'none';
      say(`${`ours/${beside}, ${what}`.padEnd(37)}${cells.join('')}   within ${100 * NEAR} %: ${word}`);
    }
}

/** What the same calls took by the clock of the flow. */
const BY_FLOW = 'clock of the flow';

const ofRounds = (ours, others, key) => median(ours.map((run, i) => run[key] / others[i][key] - 1));
/**
 * How far ours is from another tool: by the pairs of each round, which have the same neighbours on the machine; by the
 * rounds in which other processes took the least; and without the part of the load generator.
 */
const RATIOS = {
  rounds: { ratio: ofRounds },
  'best round': { ratio: (ours, others, key) => leastOf(ours, key) / leastOf(others, key) - 1 },
  least: { ofOurs: 'ours, least', ratio: ofRounds },
};

function leastOf(runs, key) {
  return Math.min(...runs.map((run) => run[key]));
}

async function ours({ name, rate, connections, pacing }, { url }, seconds) {
  const load = rate > 0 ? ['-r', `${rate}`, '--arrival', 'poisson', '--pacing', pacing] : [];
  // A machine with other work may drop some: the counts show it.
  const allowed = rate > 0 ? ['--threshold', 'dropped>=0'] : [];
  const argv = [
    ...allowed,
    '-t',
    `${seconds}s`,
    '-W',
    `${COMPILING_S}s`,
    '-c',
    `${connections}`,
    ...load,
    '--json',
    '--arg',
    `name=${name}`,
  ];
  const bin = pathInBench('../bin/bench-rest.js');
  const folder = mkdtempSync(join(tmpdir(), 'bench-calls-'));
  try {
    const file = join(folder, 'times.json');
    const args = ['--arg', `url=${url}`, '--arg', `times=${file}`, pathInBench('clients/calls.js')];
    const { operations } = JSON.parse(await output([process.execPath, bin, ...argv, ...args]));
    const { count, times } = operations.find((one) => one.name === name);
    const summary = ({ median: p50, p95, p99, mean }) => ({ count, p50, p95, p99, mean });
    const byFlow = JSON.parse(readFileSync(file, 'utf8'));
    return { measured: summary(times.serviceTime), least: summary(times.least ?? times.serviceTime), byFlow };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function bare({ name, rate, connections, pacing = '' }, { url }, seconds) {
  const argv = [pathInBench('clients/calls.js'), name, url, pacing, `${rate}`, `${seconds}`, `${connections}`];
  return JSON.parse(await output([process.execPath, ...argv]));
}

/**
 * pgbench counts from when a transaction was due, at random instants; without the lag that it logs too, this is the
 * service time. It has no warm-up: the first second is left out.
 */
async function pgbench({ name, rate, connections }, { place }, seconds) {
  const folder = mkdtempSync(join(tmpdir(), 'bench-calls-'));
  try {
    const script = name === 'select' ? ['-S'] : ['-f', pathInBench('clients/sleep.sql')];
    const load = ['-R', `${rate}`, '-T', `${seconds + 1}`, '-c', `${connections}`, '-j', '1', '-M', 'prepared', '-n'];
    await output([
      pathOf('pgbench'),
      ...script,
      ...load,
      '-l',
      '--log-prefix',
      join(folder, 'log'),
      ...place,
      'postgres',
    ]);
    const lines = readdirSync(folder).flatMap((file) => readFileSync(join(folder, file), 'utf8').trim().split('\n'));
    const rows = lines.map((line) => line.split(' ').map(Number));
    // client, number, time, script, seconds, microseconds, lag
    const from = Math.min(...rows.map((row) => row[4] + row[5] / 1e6)) + 1;
    const times = rows.filter((row) => row[4] + row[5] / 1e6 >= from).map((row) => (row[2] - row[6]) / 1000);
    return summaryOf(times);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** redis-benchmark keeps no rate, and prints times with three digits. */
async function redisBenchmark({ connections }, { url }, seconds) {
  const { port } = new URL(url);
  const count = 15_000 * seconds;
  const argv = ['-h', '127.0.0.1', '-p', port, '-c', `${connections}`, '-n', `${count}`, '-t', 'get', '--csv'];
  const stdout = await output([pathOf('redis-benchmark'), ...argv]);
  const [head, row] = stdout
    .trim()
    .split('\n')
    .slice(-2)
    .map((line) => line.split(',').map((cell) => cell.replaceAll('"', '')));
  const of = (key) => Number(row[head.indexOf(`${key}_latency_ms`)]);
  return { count, p50: of('p50'), p95: of('p95'), p99: of('p99'), mean: of('avg') };
}

/** With the tables of pgbench. */
async function startPostgresWithTables() {
  const server = await startPostgres({ cpu: SERVER_CORE });
  await output([pathOf('pgbench'), '-i', '-q', ...server.place, 'postgres']);
  return server;
}

async function output(argv) {
  return outputOf(argv, { cpu: CLIENT_CORE });
}

function say(line) {
  process.stdout.write(`${line}\n`);
}

import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { goalTable } from './goal.js';
import { childSeconds, timed } from './measure-peer.js';
import { median } from './median.js';
import { pathInBench } from './peers/installed.js';
import { end, endOf, start } from './processes.js';

const ROUNDS = 5;
const SECONDS = 5;
const USERS = 50;
/** Messages of the stream that the service answers Watch with. */
const MESSAGES = 100;
const PROTO = pathInBench('../test/support/grpc/orders.proto');

const WORKS = [
  { name: 'unary, 1 connection', method: 'Create', connections: 1, messages: 1, rate: 1.5, cpu: 0.5 },
  { name: 'unary, 50 connections', method: 'Create', connections: USERS, messages: 1, rate: 1.5, cpu: 0.5 },
  { name: 'stream, 50 connections', method: 'Watch', connections: USERS, messages: MESSAGES, rate: 1 },
];

/** @type {Record<string, { command: (work: typeof WORKS[0], target: string, seconds: number) => string[], read: (out: any) => { calls: number, seconds: number, errors: number } }>} */
const CLIENTS = {
  ours: {
    command: ({ method, connections }, target, seconds) => [
      ...[process.execPath, pathInBench('../bin/bench-rest.js'), '--json', '-d', '0', '-t', `${seconds}s`],
      ...['-c', `${USERS}`, ...(connections < USERS ? ['--connections', `${connections}`] : []), '-e'],
      JSON.stringify({ grpc: `shop.Orders/${method}`, target, proto: PROTO, message: { user: 'ann' } }),
    ],
    read: ({ iterations, measuredElapsed, errors }) => ({
      calls: iterations.completed,
      seconds: measuredElapsed / 1000,
      errors: errors.count,
    }),
  },
  ghz: {
    command: ({ method, connections }, target, seconds) => [
      ...['ghz', '--insecure', '--proto', PROTO, '--call', `shop.Orders.${method}`, '-d', '{"user":"ann"}'],
      ...['-c', `${USERS}`, '--connections', `${connections}`, '-z', `${seconds}s`, '--format', 'json', target],
    ],
    read: ({ count, total, statusCodeDistribution }) => ({
      calls: count,
      seconds: total / 1e9,
      // calls that its own end cuts off
      errors: count - (statusCodeDistribution.OK ?? 0) - (statusCodeDistribution.Unavailable ?? 0),
    }),
  },
};

/**
 * Prints rate and CPU of calls of gRPC beside ghz, against a service in Go. Both clients have one CPU, the service the
 * other one.
 *
 * @param {{ rounds?: number, seconds?: number }} [settings]
 */
export async function grpc({ rounds = ROUNDS, seconds = SECONDS } = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'bench-grpc-'));
  const service = join(folder, 'service');
  execFileSync('go', ['build', '-o', service, '.'], { cwd: pathInBench('clients/grpc'), stdio: 'inherit' });
  const server = start([service], { cpu: 1, stdio: ['ignore', 'pipe', 'inherit'] });
  try {
    const [line] = await once(/** @type {any} */ (server.stdout), 'data');
    await compare(String(line).trim(), { rounds, seconds });
  } finally {
    await end(server);
    rmSync(folder, { recursive: true });
  }
}

/** @type {(target: string, settings: { rounds: number, seconds: number }) => Promise<void>} */
async function compare(target, { rounds, seconds }) {
  const goals = [];
  for (const work of WORKS) {
    /** @type {{ rate: number, cpu: number }[]} */
    const ratios = [];
    for (let round = 0; round < rounds; round++) {
      const ours = await measured('ours', work, target, seconds);
      const ghz = await measured('ghz', work, target, seconds);
      say(`${work.name}: ours ${shown(ours)}; ghz ${shown(ghz)}`);
      ratios.push({ rate: ours.rate / ghz.rate, cpu: ours.cpuUs / ghz.cpuUs });
    }
    goals.push({
      what: `rate of ${work.name}, beside ghz`,
      sign: '>=',
      bound: work.rate,
      value: median(ratios.map(({ rate }) => rate)),
    });
    if (work.cpu)
      goals.push({
        what: `CPU of ${work.name}, beside ghz`,
        sign: '<=',
        bound: work.cpu,
        value: median(ratios.map(({ cpu }) => cpu)),
      });
  }
  say(goalTable(goals));
}

/** @type {(name: string, work: typeof WORKS[0], target: string, seconds: number) => Promise<{ rate: number, cpuUs: number }>} */
async function measured(name, work, target, seconds) {
  const { command, read } = CLIENTS[name];
  const child = start(['sh', '-c', timed, 'sh', ...command(work, target, seconds)], {
    cpu: 0,
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
  });
  const { stdout, stderr, extra } = await endOf(child);
  if (stdout === '') throw new Error(`${name}: ${stderr}`);
  const { calls, seconds: took, errors } = read(JSON.parse(stdout));
  if (errors > 0) say(`${name}: ${errors} errors`);
  const messages = calls * work.messages;
  return { rate: messages / took, cpuUs: (childSeconds(extra) * 1e6) / messages };
}

/** @type {(figures: { rate: number, cpuUs: number }) => string} */
function shown({ rate, cpuUs }) {
  return `${Math.round(rate).toLocaleString('en')}/s, ${cpuUs.toFixed(1)} us`;
}

function say(line) {
  process.stdout.write(`${line}\n`);
}

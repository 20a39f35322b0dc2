import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import { goalTable } from './goal.js';
import { childSeconds, timed } from './measure-peer.js';
import { median } from './median.js';
import { pathInBench } from './peers/installed.js';
import { end, endOf, programPath, start } from './processes.js';

const ROUNDS = 5;
const SECONDS = 5;
const USERS = 50;
/** Messages of the stream that the service answers Watch with. */
const MESSAGES = 100;
const PROTO = pathInBench('../test/support/grpc/orders.proto');

/** Goals of each peer: ours beside it. */
const WORKS = [
  {
    name: 'unary, 1 connection',
    method: 'Create',
    connections: 1,
    messages: 1,
    goals: { ghz: { rate: 1.5, cpu: 0.5 } },
  },
  {
    ...{ name: 'unary, 50 connections', method: 'Create', connections: USERS, messages: 1 },
    goals: { ghz: { rate: 1.5, cpu: 0.5 }, k6: { cpu: 0.35 } },
  },
  {
    ...{ name: 'stream, 50 connections', method: 'Watch', connections: USERS, messages: MESSAGES },
    goals: { ghz: { rate: 1 }, k6: {} },
  },
];

/** Calls per second at which times are compared with those of the server, which answers after 1 to 20 ms. */
const RATE = 500;
/** Of the time of the server, and us: how far ours may be from it. */
const ERROR = { share: 0.05, us: 20 };

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
    read: ({ count, total, statusCodeDistribution: { OK = 0, Unavailable = 0, Canceled = 0 } }) => ({
      calls: count,
      seconds: total / 1e9,
      // calls that its own end cuts off
      errors: count - OK - Unavailable - Canceled,
    }),
  },
  // Its virtual users share no connections.
  k6: {
    command: ({ method }, target, seconds) => {
      const settings = { TARGET: target, METHOD: method, USERS, SECONDS: seconds, FOLDER: dirname(PROTO) };
      const env = Object.entries(settings).flatMap(([name, value]) => ['-e', `${name}=${value}`]);
      return ['k6', 'run', '--quiet', '--no-usage-report', ...env, pathInBench('clients/grpc-k6.js')];
    },
    read: (figures) => figures,
  },
};

/**
 * Prints rate and CPU of calls of gRPC beside ghz and k6, against a service in Go and one of grpc-js, and times beside
 * the clock of the service. Clients have one CPU, the service the other one.
 *
 * @param {{ rounds?: number, seconds?: number }} [settings]
 */
export async function grpc({ rounds = ROUNDS, seconds = SECONDS } = {}) {
  for (const peer of ['ghz', 'k6'])
    if (!programPath(peer)) throw new Error(`${peer} is not installed: ${INSTALL[peer]}`);
  const folder = mkdtempSync(join(tmpdir(), 'bench-grpc-'));
  const service = join(folder, 'service');
  execFileSync('go', ['build', '-o', service, '.'], { cwd: pathInBench('clients/grpc'), stdio: 'inherit' });
  try {
    const goals = await served([service], (target) => compare('Go', target, { rounds, seconds }));
    await served([process.execPath, pathInBench('clients/grpc-server.js')], (target) =>
      compare('grpc-js', target, { rounds, seconds }),
    );
    const times = await served([service, 'delays'], (target, server) =>
      compareTimes(target, server, { rounds, seconds }),
    );
    say(goalTable([...goals, ...times]));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** @type {Record<string, string>} */
const INSTALL = {
  ghz: 'go install github.com/bojand/ghz/cmd/ghz@v0.120.0',
  k6: 'go install go.k6.io/k6@v1.8.1',
};

/**
 * @type {<T>(command: string[], story: (target: string, server: import('node:child_process').ChildProcess) => Promise<T>)
 *   => Promise<T>}
 */
async function served(command, story) {
  const server = start(command, { cpu: 1, stdio: ['pipe', 'pipe', 'inherit'] });
  try {
    const [line] = await once(/** @type {any} */ (server.stdout), 'data');
    return await story(String(line).trim(), server);
  } finally {
    await end(server);
  }
}

/** @type {(service: string, target: string, settings: { rounds: number, seconds: number }) => Promise<import('./goal.js').Goal[]>} */
async function compare(service, target, { rounds, seconds }) {
  const goals = [];
  for (const work of WORKS) {
    /** @type {Record<string, { rate: number, cpu: number }[]>} */
    const ratios = {};
    for (let round = 0; round < rounds; round++) {
      const ours = await measured('ours', work, target, seconds);
      const texts = [`ours ${shown(ours)}`];
      for (const peer of Object.keys(work.goals)) {
        const theirs = await measured(peer, work, target, seconds);
        texts.push(`${peer} ${shown(theirs)}`);
        (ratios[peer] ??= []).push({ rate: ours.rate / theirs.rate, cpu: ours.cpuUs / theirs.cpuUs });
      }
      say(`${service}, ${work.name}: ${texts.join('; ')}`);
    }
    for (const [peer, { rate, cpu }] of Object.entries(work.goals)) {
      const of = (figure) => median(ratios[peer].map((ratio) => ratio[figure]));
      say(`${service}, ${work.name}, beside ${peer}: rate ${of('rate').toFixed(2)}, CPU ${of('cpu').toFixed(2)}`);
      if (rate)
        goals.push({ what: `rate of ${work.name}, beside ${peer}`, sign: '>=', bound: rate, value: of('rate') });
      if (cpu) goals.push({ what: `CPU of ${work.name}, beside ${peer}`, sign: '<=', bound: cpu, value: of('cpu') });
    }
  }
  return goals;
}

/** @type {(target: string, server: any, settings: { rounds: number, seconds: number }) => Promise<import('./goal.js').Goal[]>} */
async function compareTimes(target, server, { rounds, seconds }) {
  /** The error as a multiple of what is allowed. @type {Record<string, number[]>} */
  const errors = { p50: [], p99: [] };
  for (let round = 0; round < rounds; round++) {
    const args = ['--json', '-r', String(RATE), '-d', '0', '-t', `${seconds}s`, '-c', String(USERS), '--proto', PROTO];
    const child = start(
      [process.execPath, pathInBench('../bin/bench-rest.js'), ...args, '--grpc', 'shop.Orders/Create', target],
      { cpu: 0 },
    );
    const { stdout, stderr } = await endOf(child);
    if (stdout === '') throw new Error(stderr);
    const [{ times }] = JSON.parse(stdout).operations;
    server.stdin.write('\n');
    const own = JSON.parse(String((await once(server.stdout, 'data'))[0]));
    const ours = { p50: times.serviceTime.median * 1000, p99: times.serviceTime.p99 * 1000 };
    say(`times at ${RATE}/s, us: ours ${timesOf(ours)}; the service ${timesOf(own)}`);
    for (const name of Object.keys(errors))
      errors[name].push(Math.abs(ours[name] - own[name]) / (own[name] * ERROR.share + ERROR.us));
  }
  return Object.entries(errors).map(([name, all]) => ({
    what: `error of ${name} at ${RATE}/s, of 5 % + 20 us`,
    sign: '<=',
    bound: 1,
    value: median(all),
  }));
}

/** @type {(times: { p50: number, p99: number }) => string} */
function timesOf({ p50, p99 }) {
  return `p50 ${p50.toFixed(0)}, p99 ${p99.toFixed(0)}`;
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

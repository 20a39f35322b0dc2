import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

import { goalTable } from './goal.js';
import { childSeconds, timed } from './measure-peer.js';
import { median } from './median.js';
import { notInstalled, pathInBench } from './peers/installed.js';
import { end, endOf, programPath, start } from './processes.js';

export const RATES = [100, 500, 2000, 10_000];
export const SECONDS = 5;
const ROUNDS = 3;
const CONNECTIONS = 50;
const PROGRAM = fileURLToPath(new URL('../bin/bench-rest.js', import.meta.url));

/** Times of a service, ms, and the rates at which it is asked. */
const SERVICES = [
  { delay: 0.1, rates: [10, 100, 500, 2000] },
  { delay: 1, rates: [10, 100, 500, 2000, 10_000] },
  { delay: 10, rates: [10, 100, 500, 2000, 10_000] },
];
/** Virtual users for the arrivals of this time are idle, so that none waits for one after a pause of the machine. */
const SPARE_MS = 300;
/** V8 compiles and connections are opened before the measured time, which takes longer than this pause. */
const WARMED = ['--warmup', '5s'];
/** A service that stands still for the last of every 5 s, so the slowest tenth of the requests wait for half a second. */
const STALLS = { path: '/stall', seconds: 10, rates: [10, 100, 500], parts: ['p90', 'p95', 'p99'] };
const OWN_PACINGS = ['timer', 'thread'];
/** The rate at which the CPU of pacing has a goal. */
const CORES_RATE = 500;

/** the client alone, and as on a machine that has a core for the threads of V8 */
const ONE_CORE = 0;
const BOTH_CORES = '0,1';

export const ours = (name, flags, cpu = ONE_CORE) => ({
  name: `ours, ${name}`,
  cpu,
  command: ({ url, rate, seconds, path = '/', connections = CONNECTIONS }) => [
    ...[process.execPath, PROGRAM, '--json', '-d', '0', '-c', `${connections}`],
    ...[...(rate ? ['-r', `${rate}`] : []), '-t', `${seconds}s`, ...flags, `${url}${path}`],
  ],
  read(stdout) {
    const { main, loadGenerator } = JSON.parse(stdout);
    return { response: main.completed, service: main.serviceTime, startDelay: loadGenerator.startDelay };
  },
});

/** Peers that can keep an arrival rate; those that print times have `read`. */
export const KEEPERS = [
  ours('timer', ['--pacing', 'timer']),
  ours('thread', ['--pacing', 'thread']),
  ours('thread, both cores', ['--pacing', 'thread'], BOTH_CORES),
  ours('poll', ['--pacing', 'poll']),
  ours('poisson', ['--pacing', 'thread', '--arrival', 'poisson']),
  {
    name: 'autocannon -R',
    missing: () => notInstalled('autocannon'),
    command: ({ url, rate, seconds }) => [
      ...[process.execPath, pathInBench('node_modules/autocannon/autocannon.js'), '--json'],
      ...['-R', `${rate}`, '-d', `${seconds}`, '-c', `${CONNECTIONS}`, `${url}/`],
    ],
  },
  {
    name: 'loadtest --rps',
    missing: () => notInstalled('loadtest'),
    command: ({ url, rate, seconds }) => [
      ...[process.execPath, pathInBench('node_modules/loadtest/bin/loadtest.js'), '-k', '--cores', '1'],
      ...['--rps', `${rate}`, '-t', `${seconds}`, '-c', `${CONNECTIONS}`, `${url}/`],
    ],
  },
  {
    name: 'wrk2',
    missing: () => (programPath('wrk2') ? undefined : 'not installed'),
    command: ({ url, rate, seconds }) => ['wrk2', '-t1', `-c${CONNECTIONS}`, `-d${seconds}s`, `-R${rate}`, `${url}/`],
  },
  {
    name: 'vegeta',
    missing: () =>
      programPath('vegeta') ? undefined : 'not installed: go install github.com/tsenart/vegeta/v12@latest',
    command: ({ url, rate, seconds }) => [
      'sh',
      '-c',
      `echo 'GET ${url}/' | vegeta attack -rate ${rate} -duration ${seconds}s -workers ${CONNECTIONS} -max-workers ${CONNECTIONS} | vegeta report -type json`,
    ],
    read(stdout) {
      const { latencies } = JSON.parse(stdout);
      return { response: { median: latencies['50th'] / 1e6, p99: latencies['99th'] / 1e6 } };
    },
  },
  {
    name: 'k6',
    missing: () => (programPath('k6') ? undefined : 'not installed: go install go.k6.io/k6@v0.57.0'),
    command({ url, rate, seconds }) {
      const settings = { URL: url, RATE: rate, SECONDS: seconds, CONNECTIONS };
      const env = Object.entries(settings).flatMap(([name, value]) => ['-e', `${name}=${value}`]);
      return ['k6', 'run', '--quiet', '--no-usage-report', ...env, pathInBench('clients/arrivals-k6.js')];
    },
    read: (stdout) => ({ response: JSON.parse(stdout.trim().split('\n').at(-1)) }),
  },
];

const COLUMNS = [
  ['count', ({ count, asked }) => `${((100 * count) / asked).toFixed(2)} %`],
  ['gap p25, p75 ms', ({ gaps }) => `${gaps.p25.toFixed(3)}, ${gaps.p75.toFixed(3)}`],
  ['CV', ({ gaps }) => gaps.cv.toFixed(3)],
  ['KS', ({ distance }) => distance.toFixed(3)],
  ['CPU us/request', ({ cpuUs }) => cpuUs.toFixed(1)],
  ['cores', ({ cores }) => cores.toFixed(3)],
  ['response p50, p99 ms', ({ times }) => pair(times?.response)],
  ['service p50, p99 ms', ({ times }) => pair(times?.service)],
  ['start delay p50, p99 ms', ({ times }) => pair(times?.startDelay)],
];

/**
 * Prints how evenly a rate is kept, measured by the target: medians of the rounds, in which the peers take turns.
 *
 * @param {{ rounds?: number, seconds?: number }} [settings]
 */
export async function arrivals({ rounds = ROUNDS, seconds = SECONDS } = {}) {
  const { target, url } = await startRecorder();
  say(`arrivals: ${seconds} s each, up to ${CONNECTIONS} connections, medians of ${rounds} rounds`);
  for (const { name, missing } of KEEPERS) if (missing?.()) say(`missing: ${name} (${missing()})`);
  const keepers = KEEPERS.filter(({ missing }) => !missing?.());
  const goals = [];
  try {
    for (const rate of RATES) {
      /** @type {Map<string, any[]>} */
      const runs = new Map(keepers.map(({ name }) => [name, []]));
      for (let round = 0; round < rounds; round++)
        for (const keeper of keepers) runs.get(keeper.name).push(await measure(keeper, { url, rate, seconds, target }));
      say(tableOf(rate, runs));
      if (rate === CORES_RATE) goals.push(coresGoal(runs));
    }
    goals.push(...(await serviceGoals({ url, target })), ...(await stallGoals({ url, target })));
    say(goalTable(goals));
  } finally {
    await end(target);
  }
}

/**
 * Response times are service times if the service keeps up, however late an iteration starts.
 * @type {(context: any) => Promise<import('./goal.js').Goal[]>}
 */
async function serviceGoals(context) {
  const goals = [];
  for (const pacing of OWN_PACINGS) {
    say(`\n${pacing}, response and service time, ms`);
    let most = 0;
    for (const { delay, rates } of SERVICES)
      for (const rate of rates) {
        const connections = Math.max(CONNECTIONS, Math.ceil((rate * (2 * delay + SPARE_MS)) / 1000));
        const settings = { ...context, rate, seconds: 3, path: `/delay/${delay}`, connections };
        const { times } = await measure(ours(pacing, ['--pacing', pacing, ...WARMED]), settings);
        const { response, service } = times;
        say(`${`${delay} ms, ${rate}/s`.padEnd(16)}  p50, p99: ${pair(response)}   ${pair(service)}`);
        for (const part of ['median', 'p99'])
          most = Math.max(most, (1000 * Math.abs(response[part] - service[part])) / (20 + 20 * service[part]));
      }
    const what = `${pacing}: response less service time, of 20 us + 2 %`;
    goals.push({ what, sign: /** @type {const} */ ('<='), bound: 1, value: most });
  }
  return goals;
}

/**
 * Response times are those that the service itself measures, as a virtual user is idle for each arrival of a stall.
 * @type {(context: any) => Promise<import('./goal.js').Goal[]>}
 */
async function stallGoals(context) {
  const goals = [];
  for (const pacing of OWN_PACINGS) {
    say(
      `\n${pacing}, a service that stands still for the last of every 5 s, response time and that of the service, ms`,
    );
    let most = 0;
    for (const rate of STALLS.rates) {
      const connections = Math.max(CONNECTIONS, rate);
      const settings = { ...context, rate, seconds: STALLS.seconds, path: STALLS.path, connections };
      const { times, delays } = await measure(ours(pacing, ['--pacing', pacing, ...WARMED]), settings);
      const cells = STALLS.parts.map(
        (part) => `${part} ${times.response[part].toFixed(1)}, ${delays[part].toFixed(1)}`,
      );
      say(`${`${rate}/s`.padEnd(6)}  ${cells.join('   ')}`);
      for (const part of STALLS.parts) most = Math.max(most, Math.abs(times.response[part] / delays[part] - 1));
    }
    const what = `${pacing}: response time of a stall, from that of the service`;
    goals.push({ what, sign: /** @type {const} */ ('<='), bound: 0.01, value: most });
  }
  return goals;
}

/** A service that records arrivals. */
export async function startRecorder() {
  const target = start([process.execPath, pathInBench('clients/arrivals.js')], {
    cpu: 1,
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const [{ url }] = await once(target, 'message');
  return { target, url };
}

/** @type {(keeper: any, settings: any) => Promise<any>} */
export async function measure({ command, read = () => undefined, cpu: on = ONE_CORE }, { target, ...settings }) {
  const { rate, seconds } = settings;
  const child = start(['sh', '-c', timed, 'sh', ...command(settings)], {
    cpu: on,
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
  });
  const { stdout, extra } = await endOf(child);
  target.send('read');
  const [arrived] = await once(target, 'message');
  const cpu = childSeconds(extra);
  return {
    ...arrived,
    asked: rate * seconds,
    cpuUs: (cpu * 1e6) / arrived.count,
    cores: cpu / seconds,
    times: read(stdout),
  };
}

/** @type {(rate: number, runs: Map<string, any[]>) => string} */
function tableOf(rate, runs) {
  const rows = [...runs].map(([name, rounds]) => {
    const [middle] = rounds.filter(({ gaps }) => gaps.cv === median(rounds.map((round) => round.gaps.cv)));
    return [name, ...COLUMNS.map(([, cell]) => cell(middle ?? rounds[0]))];
  });
  const table = [[`${rate.toLocaleString('en')}/s`, ...COLUMNS.map(([head]) => head)], ...rows];
  const widths = table[0].map((_, column) => Math.max(...table.map((row) => row[column].length)));
  return `\n${table.map((row) => row.map((cell, i) => (i ? cell.padStart(widths[i]) : cell.padEnd(widths[i]))).join('   ')).join('\n')}`;
}

/** @type {(runs: Map<string, any[]>) => import('./goal.js').Goal} */
function coresGoal(runs) {
  const cores = (name) => median(runs.get(`ours, ${name}`).map((run) => run.cores));
  const value = cores('thread') - cores('timer');
  return { what: `${CORES_RATE}/s: cores of thread, above those of timer`, sign: '<=', bound: 0.15, value };
}

/** @type {(times: { median: number | null, p99: number | null } | undefined) => string} */
function pair(times) {
  if (!times || times.median === null || times.p99 === null) return '-';
  return `${times.median.toFixed(3)}, ${times.p99.toFixed(3)}`;
}

function say(line) {
  process.stdout.write(`${line}\n`);
}

import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';

import { TIMING } from '../lib/addons/agents/protocol.js';
import { checkAgentsNeeds } from './agents-needs.js';
import { RATE } from './clients/simulated-state.js';
import { median } from './median.js';
import { pathInBench } from './peers/installed.js';
import { canPin, end, start } from './processes.js';

const COORDINATOR_CPU = 0;
const OTHER_CPU = 1;
const SAMPLE_MS = 1000;
/** Samples of the first seconds are left out. */
const SKIPPED = 2;
/** The shards seem to have run for this long before: the size of a report grows with the length of the run. */
const PAST_SECONDS = [10, 600];

/** Names and widths of the columns. @type {[string, number][]} */
const COLUMNS = [
  ['agents', 6],
  ['run', 6],
  ['bytes', 8],
  ['reports/s', 9],
  ['commands/s', 10],
  ['in, out', 12],
  ['Redis', 6],
  ['coordinator', 11],
  ['memory', 7],
  ['reads/s', 7],
  ['view', 9],
  ['judged', 9],
  ['control', 8],
  ['simulation', 10],
  ['result', 0],
];

/** Prints what one coordinator and one Redis do with the reports of many agents, which are simulated. */
export async function coordinator({ agents = [10, 100, 1000], seconds = 20 } = {}) {
  await checkAgentsNeeds();
  const { startRedis } = await import('./redis.js');
  const length = Math.ceil(seconds) + SKIPPED;
  say(
    `coordinator: simulated agents, ${length} s, each with a report per second of one operation at ${RATE} requests/s`,
  );
  say(
    canPin ? 'pinned: coordinator on CPU 0; Redis and simulated agents on CPU 1' : 'not pinned: the numbers are rough',
  );
  say('run: seconds that the shards seem to have run before; bytes: of a packed report; in, out: MB/s of Redis');
  say(
    'Redis, coordinator, simulation: CPU of the process, of one core; view, judged: median interval of the live sum, and of judgements',
  );
  say(
    `control: longest interval between confirmed renewals: ${TIMING.renewMs} ms planned, it expires after ${TIMING.controlMs} ms\n`,
  );
  say(rowOf(COLUMNS.map(([name]) => name)));
  for (const past of PAST_SECONDS) {
    for (const count of agents) {
      const queue = await startRedis(OTHER_CPU);
      try {
        const measured = await simulate(queue, { count, length, past });
        say(rowOf([whole(count), `${past} s`, ...cellsOf(measured, count * (past + length) * RATE)]));
      } finally {
        await queue.close();
      }
    }
  }
}

async function simulate(queue, { count, length, past }) {
  const simulated = startScript('simulated-agents', [queue.url, count, length, past], OTHER_CPU);
  let leader;
  try {
    await messageOf(simulated, 'isReady');
    leader = startScript('coordinator', [queue.url, count], COORDINATOR_CPU);
    let isOver = false;
    const result = messageOf(leader, 'renewals').finally(() => (isOver = true));
    result.catch(() => {}); // awaited below
    const samples = [];
    while (!isOver) {
      const one = await Promise.race([sample(queue.redis, simulated), result.then(() => null)]);
      if (one?.isRunning) samples.push(one);
      await sleep(SAMPLE_MS);
    }
    return { ...(await result), samples: samples.slice(SKIPPED) };
  } finally {
    await Promise.all([end(simulated), leader && end(leader)]);
  }
}

function startScript(name, args, cpu) {
  const argv = [process.execPath, pathInBench(`clients/${name}.js`), ...args.map(String)];
  return start(argv, { cpu, stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
}

/** The first message that has a property. @type {(child: import('node:child_process').ChildProcess, key: string) => Promise<any>} */
function messageOf(child, key) {
  return new Promise((resolve, reject) => {
    child.on('message', (message) => key in message && resolve(message));
    child.once('exit', (code) => reject(new Error(`${child.spawnargs.join(' ')} ended early (${code})`)));
  });
}

async function sample(redis, simulated) {
  simulated.send('report');
  const [[message], info] = await Promise.all([once(simulated, 'message'), redis.info()]);
  const number = (/** @type {string} */ name) => Number(new RegExp(`^${name}:([\\d.]+)`, 'm').exec(info)?.[1]);
  return {
    ...message,
    at: performance.now(),
    commands: number('total_commands_processed'),
    redisMs: 1000 * (number('used_cpu_user') + number('used_cpu_sys')),
    received: number('total_net_input_bytes'),
    sent: number('total_net_output_bytes'),
  };
}

function cellsOf({ samples, marks, views, judgements, renewals, outcome, lost, completed }, expected) {
  if (samples.length < 2 || marks.length < 2)
    return COLUMNS.slice(2, -1)
      .map(() => '-')
      .concat(outcome ?? 'too short');
  const [from, to] = [marks[0].at, marks.at(-1).at];
  const during = renewals.filter((at) => at >= from - TIMING.renewMs && at <= to);
  const every = (/** @type {number[]} */ instants) => {
    const found = median(intervals(instants.filter((at) => at <= to)));
    return found === undefined ? '-' : `${whole(found)} ms`;
  };
  const exactness = completed === expected ? 'exact' : `${whole(completed)} of ${whole(expected)} iterations`;
  return [
    whole(samples.at(-1).bytes),
    whole(perSecond(samples, 'written')),
    whole(perSecond(samples, 'commands')),
    `${mb(perSecond(samples, 'received'))}, ${mb(perSecond(samples, 'sent'))}`,
    share(perSecond(samples, 'redisMs')),
    share(perSecond(marks, 'cpuMs')),
    `${mb(Math.max(...marks.map(({ bytes }) => bytes)), 0)} MB`,
    whole(perSecond(marks, 'reads')),
    every(views),
    every(judgements),
    `${whole(Math.max(...intervals([...during, to])))} ms`,
    share(perSecond(samples, 'cpuMs')),
    outcome ?? (lost > 0 ? `${lost} lost` : exactness),
  ];
}

/** @type {(all: Record<string, number>[], key: string) => number} */
function perSecond(all, key) {
  return (1000 * (all.at(-1)[key] - all[0][key])) / (all.at(-1).at - all[0].at);
}

/** @type {(instants: number[]) => number[]} */
function intervals(instants) {
  return instants.slice(1).map((at, i) => at - instants[i]);
}

/** @type {(cells: string[]) => string} */
function rowOf(cells) {
  return `  ${cells.map((text, i) => text.padStart(COLUMNS[i][1])).join('  ')}`;
}

/** of one core @type {(msPerSecond: number) => string} */
function share(msPerSecond) {
  return `${(msPerSecond / 10).toFixed(0)} %`;
}

function mb(bytes, digits = 1) {
  return (bytes / 1e6).toFixed(digits);
}

function whole(value) {
  return Math.round(value).toLocaleString('en');
}

function say(line) {
  process.stdout.write(`${line}\n`);
}

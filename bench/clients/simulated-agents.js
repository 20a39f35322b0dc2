// Agents without load: argv has the queue, their number, the seconds that their run takes, and those that it seems to have
// taken before. They exchange with Redis what real agents do, at the same intervals, each over a connection of its own.
import bullmq from 'bullmq';
import { Redis } from 'ioredis';

import { createRandom } from '../../lib/core/ground/random.js';
import { POOL } from '../../lib/addons/agents/options/agents.js';
import { reportPresence } from '../../lib/addons/agents/pool.js';
import { KEYS, PREFIX, PROTOCOL, TIMING, pack, readMessage } from '../../lib/addons/agents/protocol.js';
import { reportName } from '../../lib/addons/agents/report.js';
import { Seal } from '../../lib/addons/agents/seal.js';
import { checkRun } from '../../lib/addons/agents/submission.js';
import { SimulatedState } from './simulated-state.js';

const [url, ...numbers] = process.argv.slice(2);
const [count, seconds, past] = numbers.map(Number);
const { hostname: host, port } = new URL(url);
/** To pack a report takes more CPU than all the rest: agents share these, so that their number is not limited by it. */
const VARIANTS = 10;
const EXPIRY_MS = 60_000;
const LEASE = 'simulated';

const seal = new Seal({ secret: null, pool: POOL });
const sealTime = async () => 0;
const random = createRandom(1);
const states = Array.from({ length: VARIANTS }, () => new SimulatedState(random));
const agents = Array.from({ length: count }, (_, i) => ({
  number: i + 1,
  redis: new Redis(Number(port), host),
  isBusy: false,
}));
/** of all agents: 'ready', 'running', 'ended' */
let state = 'ready';
/** one for each variant @type {Buffer[]} */
let packed = [];
let sequence = 0;
let written = 0;
const { begun } = await checkRun(
  { argument: 'http://127.0.0.1:9/' },
  {
    cwd: process.cwd(),
    config: { name: 'config', options: {} },
    commandLine: [{ name: 'flags', options: { duration: '1m', limit: count } }],
    agents: count,
  },
);

for (const one of states) one.add(past);
await Promise.all(agents.map((agent) => reported(agent)));
for (const agent of agents) repeat(TIMING.reportMs, () => reported(agent));

const worker = new bullmq.Worker(
  KEYS.shards(POOL, seal),
  (job) => runShard(readMessage(seal, 'shard', POOL, { given: job.data.sealed, now: 0 }).message),
  {
    prefix: PREFIX,
    connection: { host, port: Number(port), maxRetriesPerRequest: null },
    concurrency: count,
    lockDuration: TIMING.lockMs,
    stalledInterval: TIMING.stalledCheckMs,
    maxStalledCount: 0,
  },
);
worker.on('error', ({ message }) => process.stderr.write(`simulated agents: ${message}\n`));
await worker.waitUntilReady();
process.send({ isReady: true });
process.on('message', () =>
  process.send({ isRunning: state === 'running', written, cpuMs: cpuMs(), bytes: packed[0]?.length ?? 0 }),
);

/** @type {(shard: import('../../lib/addons/agents/types.js').Shard) => Promise<string>} */
async function runShard({ run, number }) {
  const agent = agents[number - 1];
  agent.isBusy = true;
  if (packed.length === 0) await prepare();
  const ended = new Promise((resolve) => {
    const poll = repeat(TIMING.pollMs, async () => {
      const given = await agent.redis.get(KEYS.control(run));
      const isStarted = given && readMessage(seal, 'control', run, { given, now: 0 }).message.order === 'start';
      if (isStarted) begin();
    });
    const report = repeat(TIMING.reportMs, async () => {
      const isLast = state === 'ended';
      const options = { now: 0, lifeMs: EXPIRY_MS, sequence };
      const message = seal.write('report', reportName(run, number), packed[number % VARIANTS], options);
      await agent.redis.set(KEYS.report(run, number), message, 'PX', EXPIRY_MS);
      written++;
      if (!isLast) return;
      poll.end();
      report.end();
      resolve();
    });
  });
  await ended;
  return 'done';
}

/** The first one that reads the order changes the state of all, which is part of the next reports. */
function begin() {
  if (state !== 'ready') return;
  state = 'running';
  let second = 0;
  const clock = repeat(TIMING.reportMs, async () => {
    for (const one of states) one.add(1);
    const isLast = ++second >= seconds;
    const next = await reportsOf(isLast ? 'ended' : 'running');
    packed = next;
    if (!isLast) return;
    state = 'ended';
    clock.end();
  });
}

/** @type {Promise<void> | undefined} */
let preparation;
function prepare() {
  preparation ??= reportsOf('ready').then((reports) => void (packed = reports));
  return preparation;
}

/** @type {(of: string) => Promise<Buffer[]>} */
function reportsOf(of) {
  sequence++;
  const isOver = of === 'ended';
  return Promise.all(
    states.map((one, i) => {
      const stats = of === 'ready' ? null : one.stats(isOver);
      const ended = stats?.iterations.completed ?? 0;
      const tick = { phase: 'main', elapsedMs: stats?.measuredElapsed ?? 0, share: 0.5, ended, inFlight: 1, errors: 0 };
      return pack({
        ...{ protocol: PROTOCOL, lease: LEASE, sequence, state: of, agent: presenceOf(i, true), clockOffsetMs: 0.1 },
        ...{ startDelayMs: of === 'ready' ? null : i / 10, begun, tick, stats, inFlight: 0, error: null },
        outcome: isOver ? { kind: 'ended', why: 'completed' } : null,
      });
    }),
  );
}

function reported({ number, redis, isBusy }) {
  return reportPresence({ redis, seal, sealTime }, POOL, presenceOf(number, isBusy), TIMING.presenceMs);
}

function presenceOf(number, isBusy) {
  const id = `00000000-0000-0000-0000-${String(number).padStart(12, '0')}`;
  return {
    ...{ protocol: PROTOCOL, id, name: `agent-${number}`, version: '2.0.0', cores: 4 },
    ...{ allowsCode: false, isBusy, roundTripMs: 0.5 },
  };
}

/** Like the loops of agents: a pause after each turn. They begin at different times. @type {(ms: number, work: () => Promise<unknown>) => { end: () => void }} */
function repeat(ms, work) {
  let isOver = false;
  const turn = async () => {
    await work();
    if (!isOver) setTimeout(turn, ms);
  };
  setTimeout(turn, ms * random());
  return { end: () => (isOver = true) };
}

function cpuMs() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

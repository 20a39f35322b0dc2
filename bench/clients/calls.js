import { writeFileSync } from 'node:fs';
import { createHistogram } from 'node:perf_hooks';
import { argv, stdout } from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';

/** Rows of pgbench_accounts at scale 1. */
const ACCOUNTS = 100_000;
/** In the first seconds V8 compiles the code. */
export const COMPILING_S = 5;

/** The calls of `WORKS` in ../calls.js by their names: pgbench and redis-benchmark make the same ones. */
const CALLS = {
  select: {
    connect: connectPostgres,
    call: (client) =>
      client.query({
        name: 'select',
        text: 'SELECT abalance FROM pgbench_accounts WHERE aid = $1',
        values: [1 + Math.floor(Math.random() * ACCOUNTS)],
      }),
  },
  sleep: {
    connect: connectPostgres,
    call: (client) => client.query({ name: 'sleep', text: 'SELECT pg_sleep(0.01)' }),
  },
  GET: { connect: connectRedis, call: (client) => client.get('key:__rand_int__') },
};

async function connectPostgres(url) {
  const { default: pg } = await import('pg');
  const client = new pg.Client(url);
  await client.connect();
  return { query: (query) => client.query(query), end: () => client.end() };
}

async function connectRedis(url) {
  const { Redis } = await import('ioredis');
  const redis = new Redis(url, { lazyConnect: true });
  await redis.connect();
  return { get: (key) => redis.get(key), end: () => redis.quit() };
}

/** A run makes at most this many calls. */
const MOST_TIMES = 4e6;

/**
 * The flow of bench-rest: `--arg name=select --arg url=… --arg times=…`. It measures each call itself, too: the file
 * `times` has what the same calls took by its own clock, as JSON.
 */
export default ({ args: { name, url, times } }) => {
  const { connect, call } = CALLS[name];
  const all = new Float64Array(MOST_TIMES);
  let count = 0;
  return {
    beforeUser: async ({ vuCtx }) => void (vuCtx.client = await connect(url)),
    main: [
      {
        measure: name,
        run: async ({ vuCtx, index }) => {
          // The warm-up has an INDEX of its own.
          if (index === 0) count = 0;
          const from = performance.now();
          await call(vuCtx.client);
          all[count++] = performance.now() - from;
        },
      },
    ],
    afterUser: ({ vuCtx }) => vuCtx.client.end(),
    after: [() => writeFileSync(times, JSON.stringify(summaryOf(all.subarray(0, count))))],
  };
};

/** @type {(times: ArrayLike<number>) => { count: number, p50: number, p95: number, p99: number, mean: number }} ms */
export function summaryOf(times) {
  const sorted = Float64Array.from(times).sort();
  const at = (part) => sorted[Math.ceil(part * sorted.length) - 1];
  const mean = sorted.reduce((sum, one) => sum + one, 0) / sorted.length;
  return { count: sorted.length, p50: at(0.5), p95: at(0.95), p99: at(0.99), mean };
}

if (pathToFileURL(argv[1] ?? '').href === import.meta.url) {
  const [name, url, pacing, ...numbers] = argv.slice(2);
  const [rate, seconds, connections] = numbers.map(Number);
  stdout.write(JSON.stringify(await measureBare(name, url, { pacing, rate, seconds, connections })));
}

/**
 * The same client without bench-rest: arrivals at random, each on a connection that is free; rate 0: as fast as possible.
 * With the pacing `timer` the event loop sleeps between them. Returns the service times, ms.
 */
async function measureBare(name, url, { pacing, rate, seconds, connections }) {
  const { connect, call } = CALLS[name];
  const all = await Promise.all(Array.from({ length: connections }, () => connect(url)));
  const times = createHistogram();
  const free = [...all];
  const end = performance.now() + (COMPILING_S + seconds) * 1000;
  const measureFrom = end - seconds * 1000;
  const callOnce = async (client) => {
    const from = process.hrtime.bigint();
    await call(client);
    const to = process.hrtime.bigint();
    if (performance.now() > measureFrom) times.record(Number(to - from));
  };
  if (rate === 0)
    await Promise.all(
      all.map(async (client) => {
        while (performance.now() < end) await callOnce(client);
      }),
    );
  for (let due = performance.now(); rate > 0 && due < end; due += (-Math.log(1 - Math.random()) * 1000) / rate) {
    while (performance.now() < due || free.length === 0)
      await (pacing === 'timer' && due - performance.now() > 2 ? sleep(1) : nextTurn());
    // In turn, as virtual users are: the last one that was used would have the caches of its server process.
    const client = free.shift();
    void callOnce(client).then(() => free.push(client));
  }
  while (rate > 0 && free.length < all.length) await nextTurn();
  await Promise.all(all.map((client) => client.end()));
  const ms = (nanoseconds) => nanoseconds / 1e6;
  const [p50, p95, p99] = [50, 95, 99].map((percentile) => ms(times.percentile(percentile)));
  return { count: Number(times.count), p50, p95, p99, mean: ms(times.mean) };
}

function nextTurn() {
  return new Promise((resolve) => setImmediate(resolve));
}

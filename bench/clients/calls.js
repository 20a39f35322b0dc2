import { createHistogram } from 'node:perf_hooks';
import { argv, stdout } from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';

/** Rows of pgbench_accounts at scale 1. */
const ACCOUNTS = 100_000;
/** The first calls compile the code. */
const COMPILING_S = 1;

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

/** The flow of bench-rest: `--arg name=select --arg url=…`. */
export default ({ args: { name, url } }) => {
  const { connect, call } = CALLS[name];
  return {
    beforeUser: async ({ vuCtx }) => void (vuCtx.client = await connect(url)),
    main: [{ measure: name, run: ({ vuCtx }) => call(vuCtx.client) }],
    afterUser: ({ vuCtx }) => vuCtx.client.end(),
  };
};

if (pathToFileURL(argv[1] ?? '').href === import.meta.url) {
  const [name, url, rate, seconds, connections] = argv.slice(2);
  stdout.write(JSON.stringify(await measureBare(name, url, Number(rate), Number(seconds), Number(connections))));
}

/**
 * The same client without bench-rest: arrivals at random, each on a connection that is free; rate 0: as fast as possible.
 * Returns the service times, ms.
 */
async function measureBare(name, url, rate, seconds, connections) {
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
    while (performance.now() < due || free.length === 0) await (due - performance.now() > 2 ? sleep(1) : nextTurn());
    const client = free.pop();
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

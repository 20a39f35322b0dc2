import { spawn } from 'node:child_process';

import pLimit from 'p-limit';

import { KEYS, unpack } from '../../lib/addons/agents/protocol.js';
import { PROGRAM, ROOT } from './command.js';
import { contentOf } from './seal.js';
import { until } from './until.js';

/** Agents that start at once: each takes most of a second of CPU. */
const MOST_STARTING = 8;

/**
 * Starts an agent in a process of its own, and waits until it is ready. `heard(pattern)` waits until its output matches.
 *
 * @param {string} url of the queue
 * @param {string} name
 * @param {{ args?: string[], env?: Record<string, string>, cwd?: string }} [options]
 */
export async function startAgent(url, name, { args = [], env = {}, cwd = ROOT } = {}) {
  const child = spawn(process.execPath, [PROGRAM, 'agent', '--queue', url, '--name', name, ...args], {
    cwd,
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, ...env },
  });
  const said = { text: '' };
  child.stderr?.setEncoding('utf8').on('data', (text) => (said.text += text));
  const exited = new Promise((resolve) => child.once('close', (code, signal) => resolve({ code, signal })));
  let hasEnded = false;
  void exited.then(() => (hasEnded = true));
  const heard = async (/** @type {RegExp} */ pattern) => {
    await until(() => hasEnded || pattern.test(said.text));
    const match = pattern.exec(said.text);
    if (!match) throw new Error(`agent ${name} ended, and said: ${said.text}`);
    return match;
  };
  await heard(/waits for runs/);
  return {
    child,
    said,
    exited,
    heard,
    /** number of the shard that it runs, or ran last */
    shard: async () => Number((await heard(/runs shard (\d+)/))[1]),
    async stop() {
      child.kill('SIGKILL');
      await exited;
    },
  };
}

/**
 * The arguments of a run on agents that have one thread each: a further one takes half a second of CPU.
 *
 * @param {string} url of the queue
 * @param {number} count
 */
export const onAgents = (url, count) => ['--agents', String(count), '--agents-queue', url, '-w', '1'];

/**
 * Runs a story with agents, which are ended afterwards.
 *
 * @template T
 * @param {string} url of the queue
 * @param {string[]} names
 * @param {(agents: Awaited<ReturnType<typeof startAgent>>[]) => Promise<T>} story
 * @param {Parameters<typeof startAgent>[2]} [options]
 * @returns {Promise<T>}
 */
export async function withAgents(url, names, story, options) {
  const limit = pLimit(MOST_STARTING);
  const agents = await Promise.all(names.map((name) => limit(() => startAgent(url, name, options))));
  try {
    return await story(agents);
  } finally {
    await Promise.all(agents.map((agent) => agent.stop()));
  }
}

/**
 * The latest reports of the shards in the queue, by number.
 *
 * @param {import('ioredis').Redis} redis
 * @returns {Promise<Map<number, import('../../lib/addons/agents/types.js').Report>>}
 */
export async function reportsIn(redis) {
  const keys = await redis.keys(KEYS.report('*', /** @type {any} */ ('*')));
  const reports = new Map();
  for (const key of keys) {
    const bytes = await redis.getBuffer(key);
    if (bytes) reports.set(Number(key.split(':').at(-1)), await unpack(contentOf(bytes)));
  }
  return reports;
}

/** Waits until each shard has reported a number of iterations. @type {(redis: import('ioredis').Redis, shards: number, iterations: number) => Promise<void>} */
export function reported(redis, shards, iterations) {
  return until(async () => {
    const reports = [...(await reportsIn(redis)).values()];
    return reports.length === shards && reports.every(({ stats }) => (stats?.iterations.completed ?? 0) >= iterations);
  });
}

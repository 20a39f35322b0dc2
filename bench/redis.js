import { tmpdir } from 'node:os';
import { Redis } from 'ioredis';
import { end, programPath, start } from './processes.js';
import { freePort } from './target.js';

/**
 * Starts a redis-server on a free port, which stores nothing on disk. `redis` is a connection to it.
 *
 * @param {number} cpu
 * @returns {Promise<{ url: string, redis: Redis, close: () => Promise<void> }>}
 */
export async function startRedis(cpu) {
  const port = await freePort();
  const place = ['--port', String(port), '--bind', '127.0.0.1', '--dir', tmpdir()];
  const child = start([programPath('redis-server'), ...place, '--save', '', '--appendonly', 'no'], { cpu });
  const redis = new Redis(port, '127.0.0.1', { maxRetriesPerRequest: null });
  redis.on('error', () => {}); // until it listens
  await Promise.race([
    redis.ping(),
    new Promise((_, reject) => child.once('exit', (code) => reject(new Error(`redis-server ended (${code})`)))),
  ]);
  child.stdout.resume();
  child.stderr.resume();
  const close = async () => {
    redis.disconnect();
    await end(child);
  };
  return { url: `redis://127.0.0.1:${port}`, redis, close };
}

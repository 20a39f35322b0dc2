import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { Redis } from 'ioredis';

import { freePort } from '../../lib/addons/server/run-with-server.js';

/**
 * Starts a redis-server that stores nothing on disk.
 *
 * @param {{ args?: string[], port?: number }} [options] args: more settings, such as `--requirepass`
 * @returns {Promise<{ url: string, port: number, child: import('node:child_process').ChildProcess, stop: () => Promise<void> }>}
 */
export async function startRedis({ args = [], port } = {}) {
  // redis-server does not take 0
  const own = port ?? (await freePort());
  const child = spawn(
    'redis-server',
    ['--port', String(own), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no', '--dir', tmpdir(), ...args],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  const ended = new Promise((resolve) => child.once('close', resolve));
  const isReady = new Promise((resolve, reject) => {
    child.once('error', () => reject(new Error('these tests need redis-server: apt-get install redis-server')));
    let said = '';
    child.stdout?.setEncoding('utf8').on('data', (text) => {
      said += text;
      if (/Ready to accept connections/.test(said)) resolve(true);
    });
    child.once('close', () => resolve(false));
  });
  // another program may have taken the port
  if (!(await isReady)) return startRedis({ args, port });
  const stop = async () => {
    child.kill('SIGKILL');
    await ended;
  };
  return { url: `redis://127.0.0.1:${own}`, port: own, child, stop };
}

/**
 * Runs a story with a redis-server that speaks TLS.
 *
 * @template T
 * @param {{ key: string, cert: string }} certificate
 * @param {(server: { url: string, plainUrl: string }) => Promise<T>} story plainUrl: of the same port, without TLS
 * @returns {Promise<T>}
 */
export async function withSecureRedis({ key, cert }, story) {
  const folder = mkdtempSync(join(tmpdir(), 'bench-rest-redis-'));
  const [keyFile, certFile] = ['key.pem', 'cert.pem'].map((name) => join(folder, name));
  writeFileSync(keyFile, key);
  writeFileSync(certFile, cert);
  const port = await freePort();
  const files = ['--tls-key-file', keyFile, '--tls-cert-file', certFile, '--tls-ca-cert-file', certFile];
  const args = ['--port', '0', '--tls-port', String(port), ...files, '--tls-auth-clients', 'no'];
  const server = await startRedis({ args });
  try {
    return await story({ url: `rediss://127.0.0.1:${port}`, plainUrl: `redis://127.0.0.1:${port}` });
  } finally {
    await server.stop();
    rmSync(folder, { recursive: true });
  }
}

/**
 * Runs a story with a redis-server of its own.
 *
 * @template T
 * @param {(server: { url: string, port: number, redis: Redis, child: import('node:child_process').ChildProcess }) => Promise<T>} story
 * @param {{ args?: string[] }} [options]
 * @returns {Promise<T>}
 */
export async function withRedis(story, options) {
  const server = await startRedis(options);
  const redis = new Redis(server.port, '127.0.0.1');
  redis.on('error', () => {});
  try {
    return await story({ ...server, redis });
  } finally {
    redis.disconnect();
    await server.stop();
  }
}

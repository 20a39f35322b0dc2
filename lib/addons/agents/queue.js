import net from 'node:net';

import { makeError } from '../../core/ground/errors.js';
import { loadAllOptional } from '../export/optional-package.js';
import { POOL, queueText, readQueueUrl } from './options/agents.js';
import { Silence } from '../../core/run/silence.js';
import { maskText } from '../../core/text/mask.js';
import { PREFIX } from './protocol.js';
import { Seal, readSecret } from './seal.js';

/** @import { ConnectionOptions } from 'bullmq' */
/** @import { Redis, RedisOptions } from 'ioredis' */

/** @typedef {typeof import('bullmq')} BullMq */

/** Variables of the environment that hold the user of the queue. */
export const QUEUE_USER = 'BENCH_REST_QUEUE_USER';
export const QUEUE_PASSWORD = 'BENCH_REST_QUEUE_PASSWORD';

/** Stands in the message about a package that is missing. */
const FEATURE = 'a queue of agents';
const CONNECT_MS = 5000;
/** An unreachable Redis answers no command: the next one goes to a new connection. */
export const COMMAND_MS = 2000;
const RETRY_MS = 200;

/** With the wrong one of these the connection is closed, or nothing is answered. */
const SCHEMES = 'rediss:// needs TLS, redis:// is without';

/** Redis is reachable, and accepts no messages; in a script, versions below 7 name the error after theirs. */
const NOT_STORED = /^(OOM|MISCONF)|^ERR .*-(OOM|MISCONF) /;

/** Messages of Redis, with the remedies; the first pattern that matches counts. */
const REFUSALS = [
  {
    pattern: /answers without TLS/,
    reason: 'is without TLS',
    cure: 'write redis:// in place of rediss://, or the port that has TLS',
  },
  {
    pattern: /^(WRONGPASS|NOAUTH)|invalid password/i,
    reason: 'refuses the user or the password',
    cure: `set ${QUEUE_PASSWORD}, and for an ACL user ${QUEUE_USER}, in the environment`,
  },
  {
    pattern: /^NOPERM/,
    reason: 'does not allow this user what agents need',
    cure: `give the user all commands for the keys ${PREFIX}:*`,
  },
  {
    pattern: /^READONLY/,
    reason: 'is a read-only replica',
    cure: 'use the address of the primary server',
  },
  {
    pattern: NOT_STORED,
    reason: 'stores nothing: it is out of memory, or cannot write to its disk',
    cure: 'raise maxmemory, or free memory; bench-rest needs the policy noeviction',
  },
  {
    pattern: /Stream isn't writeable|Connection is closed|Command timed out|ETIMEDOUT|ECONNRESET|EPIPE|EHOSTUNREACH/,
    reason: 'is not reachable',
    cure: `is Redis or Valkey running there? ${SCHEMES}`,
  },
  { pattern: /ECONNREFUSED/, reason: 'refuses connections', cure: 'is Redis or Valkey running there?' },
  { pattern: /ENOTFOUND|EAI_AGAIN/, reason: 'has a host name without an address', cure: 'check the name' },
  {
    pattern: /certificate|SSL|TLS|packet length/i,
    reason: 'has no TLS that this machine trusts',
    cure: `${SCHEMES}; NODE_EXTRA_CA_CERTS names the file of a private authority`,
  },
];

/** A connection to the Redis or Valkey where agents wait, and the settings for BullMQ's own connections to it. */
export class Queue {
  /** The address without user and password. */
  address;
  /** @type {BullMq} */
  bullmq;
  /** @type {Redis} */
  redis;
  /** Signs and checks the messages of the pool. */
  seal;
  /** @type {RedisOptions} */
  #options;
  #lastError = '';

  /**
   * Opens a connection.
   * @throws {Error} E_USAGE; E_PACKAGE; E_QUEUE
   * @type {(url: string, env: NodeJS.ProcessEnv, pool?: string) => Promise<Queue>}
   */
  static async open(url, env, pool = POOL) {
    const address = readQueueUrl(url);
    if (!address)
      throw makeError('E_USAGE', {
        problem: '--queue: expected the URL of Redis or Valkey, such as redis://host:6379',
      });
    const seal = new Seal({ secret: readSecret(env), pool });
    const queue = new Queue(address, env, { seal, ...(await loadPackages()) });
    try {
      await queue.#connect(address);
      await queue.redis.ping();
    } catch (error) {
      queue.redis.disconnect();
      throw queue.errorOf(error);
    }
    return queue;
  }

  /**
   * @param {NonNullable<ReturnType<typeof readQueueUrl>>} address
   * @param {NodeJS.ProcessEnv} env
   * @param {{ seal: Seal, bullmq: BullMq, Redis: typeof import('ioredis').Redis }} parts
   */
  constructor(address, env, { seal, bullmq, Redis }) {
    this.seal = seal;
    this.address = queueText(address);
    this.bullmq = bullmq;
    const user = address.user || env[QUEUE_USER];
    const password = address.password || env[QUEUE_PASSWORD];
    this.#options = {
      host: address.host,
      port: address.port,
      db: address.database,
      ...(user && { username: user }),
      ...(password && { password }),
      ...(address.isSecure && { tls: {} }),
      connectTimeout: CONNECT_MS,
      retryStrategy: (times) => Math.min(times * 50, RETRY_MS),
      // ReadOnly: the primary has become a replica, so the name leads to another server by now.
      reconnectOnError: ({ message }) => message.startsWith('READONLY'),
    };
    this.redis = new Redis({
      ...this.#options,
      lazyConnect: true,
      // Callers repeat their commands anyway; a queue of commands would arrive late.
      enableOfflineQueue: false,
      maxRetriesPerRequest: 0,
      commandTimeout: COMMAND_MS,
    });
    this.redis.on('error', ({ message }) => (this.#lastError = message));
  }

  /** @type {(address: NonNullable<ReturnType<typeof readQueueUrl>>) => Promise<void>} */
  async #connect(address) {
    if (!address.isSecure) return this.redis.connect();
    const handshake = new AbortController();
    try {
      return await Promise.race([this.redis.connect(), failWithoutTls(address, handshake)]);
    } finally {
      handshake.abort();
    }
  }

  /** The settings of BullMQ's own connections. @type {{ prefix: string, connection: ConnectionOptions }} */
  get settings() {
    // BullMQ accepts all options of ioredis, and types only some.
    const connection = /** @type {any} */ ({ ...this.#options, maxRetriesPerRequest: null });
    return { prefix: PREFIX, connection };
  }

  /** Returns the time of Redis, ms since 1970. */
  async time() {
    const [seconds, microseconds] = await this.redis.time();
    return Number(seconds) * 1000 + Number(microseconds) / 1000;
  }

  /**
   * The time by which messages expire: that of Redis, which all machines can read.
   * @returns {Promise<number>} 0 without signatures
   */
  sealTime = async () => (this.seal.isOn ? this.time() : 0);

  /** Returns E_QUEUE for an error, with the remedy. @type {(error: unknown) => Error & { code: string }} */
  errorOf(error) {
    return makeError('E_QUEUE', { place: this.address, ...this.#explain(error) }, { cause: error });
  }

  /** @type {(error: unknown) => string} why a command failed: `the queue stores nothing: it is out of memory` */
  reasonOf(error) {
    return `the queue ${this.#explain(error).reason}`;
  }

  /** @type {(error: unknown) => { reason: string, cure: string }} */
  #explain(error) {
    const message = String(/** @type {any} */ (error)?.message ?? error);
    // A connection that was refused reports the reason by an event.
    const text = message === 'Connection is closed.' && this.#lastError !== '' ? this.#lastError : message;
    const { reason, cure } = REFUSALS.find(({ pattern }) => pattern.test(text)) ?? {
      reason: `cannot be used: ${maskText(text)}`,
      cure: 'is it Redis or Valkey, and reachable from here?',
    };
    return { reason, cure };
  }

  close() {
    this.redis.disconnect();
  }
}

/** @type {(error: any) => boolean} whether Redis stores nothing for now, and answers otherwise */
export function isNotStored(error) {
  return NOT_STORED.test(String(error?.message));
}

/** Reports whether a command of Redis threw an error. @type {(error: any) => boolean} */
export function isQueueError(error) {
  const { name = '', message = '', code = '' } = error ?? {};
  return (
    ['ReplyError', 'MaxRetriesPerRequestError', 'AbortError'].includes(name) ||
    /^(Connection is closed|Command timed out|Stream isn't writeable)/.test(message) ||
    ['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ENOTFOUND'].includes(code)
  );
}

/** Throws the first error of a pipeline. @type {(results: [Error | null, unknown][] | null) => void} */
export function throwFirst(results) {
  const [error] = results?.find(([one]) => one !== null) ?? [null];
  if (error) throw error;
}

/**
 * Waits for work of BullMQ, which itself waits without a limit while Redis is unreachable.
 * @template T
 * @param {Promise<T>} work
 * @param {number} ms
 * @returns {Promise<T>}
 * @throws {Error} as a command of Redis that is not answered
 */
export async function inTime(work, ms) {
  /** @type {NodeJS.Timeout | undefined} */
  let timer;
  const late = new Promise((_, reject) => (timer = setTimeout(() => reject(new Error('Command timed out')), ms)));
  // The work may fail after the wait is over.
  work.catch(() => {});
  try {
    return /** @type {T} */ (await Promise.race([work, late]));
  } finally {
    clearTimeout(timer);
  }
}

/** @type {() => Promise<{ bullmq: BullMq, Redis: typeof import('ioredis').Redis }>} */
async function loadPackages() {
  const [bullmq, { Redis }] = /** @type {any[]} */ (
    await loadAllOptional(FEATURE, { bullmq: () => import('bullmq'), ioredis: () => import('ioredis') })
  );
  return { bullmq, Redis };
}

/** Exchanges with a queue that may be unreachable for a while: agents go on meanwhile. */
export class Reachability {
  #limitMs;
  #now;
  #warnMs;
  #onWarning;
  #hasWarned = false;
  #silence = new Silence();
  /** The last exchange that ended did not succeed. */
  hasFailed = false;

  /**
   * @param {{ limitMs: number, warnMs?: number, onWarning?: (error: unknown) => void, now?: () => number }} options
   *   limitMs: longest time without an exchange that succeeds; warnMs: such a time after which `onWarning` is called
   *   once
   */
  constructor({ limitMs, warnMs = Infinity, onWarning = () => {}, now = () => performance.now() }) {
    this.#limitMs = limitMs;
    this.#warnMs = warnMs;
    this.#onWarning = onWarning;
    this.#now = now;
    this.#look(true);
  }

  /**
   * Attempts an exchange; null: the queue was not reachable.
   * @throws {Error} the queue was not reachable for too long, or it is another error
   * @type {<T>(exchange: () => Promise<T>) => Promise<T | null>}
   */
  async attempt(exchange) {
    try {
      const result = await exchange();
      this.#look(true);
      this.hasFailed = false;
      return result;
    } catch (error) {
      this.#look(false);
      if (!isQueueError(error) || this.#silence.ms > this.#limitMs) throw error;
      this.hasFailed = true;
      if (this.#silence.ms > this.#warnMs && !this.#hasWarned) {
        this.#hasWarned = true;
        this.#onWarning(error);
      }
      return null;
    }
  }

  /** @type {(hasReported: boolean) => void} */
  #look(hasReported) {
    this.#silence.look(this.#now(), { hasReported });
  }
}

/** A server with TLS has answered by then, ms. Only one that has not gets a command without TLS. */
const SILENT_MS = 300;

/**
 * Finds out whether a server that does not answer a TLS handshake is a Redis without TLS: that one reads the handshake
 * as a command whose line has not ended yet, and waits. Rejects if the server answers a command without TLS; otherwise
 * it stays pending. The signal is aborted when the handshake has succeeded or failed.
 * @type {(address: { host: string, port: number }, options: { signal: AbortSignal, silentMs?: number }) =>
 *   Promise<never>}
 */
export function failWithoutTls({ host, port }, { signal, silentMs = SILENT_MS }) {
  return new Promise((_, reject) => {
    /** @type {net.Socket | undefined} */
    let socket;
    const timer = setTimeout(() => {
      // The handshake reports errors of the connection.
      socket = net.connect({ host, port }).on('error', () => {});
      socket.once('data', (data) => {
        if (/^[+-]/.test(data.toString('latin1'))) reject(new Error('Redis answers without TLS'));
      });
      socket.write('PING\r\n');
    }, silentMs);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      socket?.destroy();
    });
  });
}

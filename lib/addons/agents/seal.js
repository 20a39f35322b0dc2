import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';

import { makeError } from '../../core/ground/errors.js';
import { readTextFile } from '../../core/process/read-file.js';

/** @import { Purpose } from './types.js' */

/** The variables of the environment that hold the secret, or the path of a file that has it. */
export const QUEUE_SECRET = 'BENCH_REST_QUEUE_SECRET';
export const QUEUE_SECRET_FILE = 'BENCH_REST_QUEUE_SECRET_FILE';

/** Everyone who reads a message can try secrets, so words are too short. */
const LEAST_CHARACTERS = 16;
const MOST_BYTES = 4096;
/** In place of a signature. */
const UNSIGNED = '-';
/** Expiry, sequence and signature, before the content. */
const HEADER = /^(\d{1,16}) (\d{1,16}) (-|[\w-]{43})\n/;
const LONGEST_HEADER = 80;
const SET_SECRET = `set the same ${QUEUE_SECRET} for the command and all its agents`;
const KEY_BYTES = 32;
const MARK_BYTES = 6;
const SAME_VERSION = 'are the command and the agents of the same version?';

/**
 * Signs and checks the messages of a queue. A signature (HMAC-SHA256) covers the pool, the purpose of the message, the
 * key that has it, its expiry by the clock of Redis, its sequence and its content. Without a secret messages have the
 * same form, and no signature.
 */
export class Seal {
  #secret;
  #pool;
  /** @type {Map<Purpose, Buffer>} */
  #keys = new Map();

  /** @param {{ secret: string | null, pool: string }} options */
  constructor({ secret, pool }) {
    this.#secret = secret;
    this.#pool = pool;
  }

  get isOn() {
    return this.#secret !== null;
  }

  /** A part of the name of a queue, so that agents of another secret wait elsewhere. Empty without a secret. */
  get mark() {
    return this.isOn ? `.${this.#derive('name', MARK_BYTES).toString('hex')}` : '';
  }

  /**
   * @template {string | Buffer} T
   * @param {Purpose} purpose
   * @param {string} name of what it is about: a run, a shard of it, an agent
   * @param {T} content
   * @param {{ now: number, lifeMs: number, sequence?: number }} options now: time of Redis, ms; sequence: rises
   * @returns {T} of the same type
   */
  write(purpose, name, content, { now, lifeMs, sequence = 0 }) {
    const head = `${Math.round(now + lifeMs)} ${sequence}`;
    const header = `${head} ${this.isOn ? this.#sign(purpose, name, head, content) : UNSIGNED}\n`;
    return /** @type {T} */ (
      typeof content === 'string' ? header + content : Buffer.concat([Buffer.from(header), content])
    );
  }

  /**
   * Reads a message; `now` is the time of Redis, ms.
   * @throws {Error} E_MESSAGE: not signed, by another secret, changed, or expired
   * @type {(purpose: Purpose, name: string, message: Buffer, now: number) => { content: Buffer, sequence: number }}
   */
  read(purpose, name, message, now) {
    const [header, expiry, sequence, signature] =
      HEADER.exec(message.subarray(0, LONGEST_HEADER).toString('latin1')) ?? [];
    if (header === undefined)
      throw refusal(purpose, 'is of another version of bench-rest, or of another program', SAME_VERSION);
    const content = message.subarray(header.length);
    if (this.isOn) {
      if (signature === UNSIGNED) throw refusal(purpose, 'is not signed', SET_SECRET);
      if (!isEqual(signature, this.#sign(purpose, name, `${expiry} ${sequence}`, content)))
        throw refusal(purpose, 'was changed, or is signed with another secret or for another pool', SET_SECRET);
      if (Number(expiry) < now)
        throw refusal(purpose, 'has expired: it may be a copy of an old one', 'run the command again');
    } else if (signature !== UNSIGNED)
      throw refusal(purpose, `is signed, and ${QUEUE_SECRET} is not set here`, SET_SECRET);
    return { content, sequence: Number(sequence) };
  }

  /** @type {(purpose: Purpose, name: string, head: string, content: string | Buffer) => string} */
  #sign(purpose, name, head, content) {
    const context = JSON.stringify([this.#pool, name, head]);
    return createHmac('sha256', this.#key(purpose)).update(`${context}\n`).update(content).digest('base64url');
  }

  /** @type {(purpose: Purpose) => Buffer} */
  #key(purpose) {
    const found = this.#keys.get(purpose);
    if (found) return found;
    const key = this.#derive(purpose, KEY_BYTES);
    this.#keys.set(purpose, key);
    return key;
  }

  /** @type {(use: string, bytes: number) => Buffer} */
  #derive(use, bytes) {
    return Buffer.from(hkdfSync('sha256', String(this.#secret), '', `bench-rest queue: ${use}`, bytes));
  }
}

/**
 * Reads the secret of the queue; null if there is none.
 * @throws {Error} E_USAGE if it is too short, or given twice; FileRefusal
 * @type {(env: NodeJS.ProcessEnv) => string | null}
 */
export function readSecret(env) {
  const { [QUEUE_SECRET]: given, [QUEUE_SECRET_FILE]: file } = env;
  if (given !== undefined && file !== undefined)
    throw makeError('E_USAGE', { problem: `set either ${QUEUE_SECRET} or ${QUEUE_SECRET_FILE}` });
  const secret = file !== undefined ? readTextFile(file, { maxBytes: MOST_BYTES, isSecret: true }).trim() : given;
  if (secret === undefined) return null;
  // An empty one, which a CI job without its secrets has, is no choice to go without.
  if (secret.length < LEAST_CHARACTERS)
    throw makeError('E_USAGE', {
      problem: `${file !== undefined ? QUEUE_SECRET_FILE : QUEUE_SECRET}: expected at least ${LEAST_CHARACTERS} characters, such as the output of openssl rand -hex 32`,
    });
  return secret;
}

/** @type {(a: string, b: string) => boolean} */
function isEqual(a, b) {
  const [one, other] = [Buffer.from(a), Buffer.from(b)];
  return one.length === other.length && timingSafeEqual(one, other);
}

/** @type {(purpose: Purpose, reason: string, cure: string) => Error} */
function refusal(purpose, reason, cure) {
  return makeError('E_MESSAGE', { what: NAMES[purpose], reason, cure });
}

/** Names for people. @type {Record<Purpose, string>} */
export const NAMES = {
  work: 'flow of a run',
  shard: 'shard of a run',
  control: 'control of a run',
  presence: 'presence of an agent',
  report: 'report of an agent',
};

import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';

import { makeError } from '../../core/ground/errors.js';
import {
  ShapeError,
  choice,
  flag,
  json,
  list,
  mapOf,
  nullable,
  number,
  optional,
  rebuild,
  record,
  text,
  where,
} from '../../core/ground/shape.js';
import { isName } from './options/agents.js';
import { MOST_SHARDS } from '../../core/run/options/shard.js';
import { MAX_RESULT_BYTES, MAX_RESULT_VALUES, parseBounded } from '../saved/bounded.js';
import { MAX_FLOW_BYTES, PACKET } from './flow-packet.js';
import { NAMES } from './seal.js';

/** @import { Shape } from '../../core/ground/shape.js' */
/** @import { Redis } from 'ioredis' */
/** @import { Seal } from './seal.js' */
/** @import { Control, Presence, Purpose, Report, Shard, Work } from './types.js' */

/** Raised with each change of the messages; agents and coordinators of different numbers refuse each other. */
export const PROTOCOL = 8;

/** Bytes of a compressed report. */
export const MAX_PACKED = 32 * 1024 * 1024;
/** Characters of a text in a report. */
const MAX_TEXT = 10_000;

export const PREFIX = 'bench-rest';

/**
 * Names of queues and keys. Agents of another version or secret would refuse a shard, and it would be lost: they have a
 * queue of their own.
 * @type {Record<'runs' | 'members' | 'lock', (pool: string) => string> & { name: (pool: string, name: string) =>
 *   string, shards: (pool: string, seal: { mark: string }) => string, agent: (id: string) => string, control: (run:
 *   string) => string, report: (run: string, number: number) => string }}
 */
export const KEYS = {
  shards: (pool, { mark }) => `shards.${PROTOCOL}.${pool}${mark}`,
  runs: (pool) => `runs.${pool}`,
  members: (pool) => `${PREFIX}:members:${pool}`,
  lock: (pool) => `${PREFIX}:lock:${pool}`,
  agent: (id) => `${PREFIX}:agent:${id}`,
  name: (pool, name) => `${PREFIX}:name:${pool}:${name}`,
  control: (run) => `${PREFIX}:control:${run}`,
  report: (run, number) => `${PREFIX}:report:${run}:${number}`,
};

const [zip, unzip] = [promisify(gzip), promisify(gunzip)];

/** Compresses a report. @type {(message: object) => Promise<Buffer>} */
export function pack(message) {
  return zip(JSON.stringify(message), { level: 1 });
}

/** Unpacks {@link pack}. @throws {Error} too long, or not JSON @type {(bytes: Buffer) => Promise<unknown>} */
export async function unpack(bytes) {
  if (bytes.length > MAX_PACKED) throw new Error('it is too long');
  return parseBounded(await unzipped(bytes), MAX_RESULT_VALUES);
}

/** @type {(bytes: Buffer) => Promise<Buffer>} */
async function unzipped(bytes) {
  try {
    return await unzip(bytes, { maxOutputLength: MAX_RESULT_BYTES });
  } catch (error) {
    const isTooLong = /** @type {NodeJS.ErrnoException} */ (error).code === 'ERR_BUFFER_TOO_LARGE';
    throw new Error(isTooLong ? 'it is too long' : 'it is not packed', { cause: error });
  }
}

/** Describes an error, within the bounds of coordinators. @type {(error: any) => NonNullable<Report['error']>} */
export function reportedError(error) {
  const { code, message = error } = error ?? {};
  return { ...(isText(code) && { code }), message: boundedText(message) };
}

/** @type {(outcome: { kind: string, why?: string, message?: string }) => NonNullable<Report['outcome']>} */
export function reportedOutcome({ kind, why, message }) {
  return {
    kind,
    ...(why !== undefined && { why: boundedText(why) }),
    ...(message !== undefined && { message: boundedText(message) }),
  };
}

/** @type {(text: unknown) => string} */
function boundedText(text) {
  return String(text).slice(0, MAX_TEXT);
}

/** @type {(value: unknown) => value is string} */
function isText(value) {
  return typeof value === 'string' && value.length <= MAX_TEXT;
}

// The shapes of messages that are JSON; those of reports are in `report.js`.

const MOST_REASON = 1000;
export const LONGEST_ROUND_TRIP_MS = 60_000;
const MOST_LAYERS = 100;

const protocol = choice(PROTOCOL);
const word = text({ most: 200 });
/** Agents name files after it. */
const run = text({ most: 200, pattern: /^[\w-]+$/, expected: 'the id of a run' });
const names = list(word, { most: 1000 });
const time = number({ least: 0 });
const layer = record({
  name: text({ most: 4096 }),
  options: mapOf(json),
  resets: optional(names),
  adapts: optional(names),
});

/** @type {Shape<Presence>} */
export const PRESENCE = record({
  protocol,
  id: word,
  name: where(word, isName, 'the name of an agent'),
  version: word,
  cores: number({ least: 0, most: 1e6 }),
  allowsCode: flag,
  isBusy: flag,
  roundTripMs: number({ least: 0, most: LONGEST_ROUND_TRIP_MS }),
});

/** Agents of another version, for people. */
const STRANGER = record({ protocol: number(), name: where(word, isName, 'the name of an agent'), version: word });

/** @type {{ work: Shape<Work>, shard: Shape<Shard>, control: Shape<Control>, presence: Shape<Presence> }} */
const SHAPES = {
  work: record({
    protocol,
    run,
    flow: PACKET,
    config: layer,
    commandLine: list(layer, { most: MOST_LAYERS }),
  }),
  shard: where(
    record({
      protocol,
      run,
      number: number({ least: 1, most: MOST_SHARDS, isWhole: true }),
      of: number({ least: 1, most: MOST_SHARDS, isWhole: true }),
    }),
    (shard) => shard.number <= shard.of,
    'a number up to that of all shards',
  ),
  control: record({
    protocol,
    order: choice('prepare', 'start', 'stop', 'abort'),
    startAt: nullable(time),
    reason: nullable(text({ most: MOST_REASON })),
    within: nullable(time),
    dropped: list(word),
  }),
  presence: PRESENCE,
};

/** Bytes of a message: in JSON, a lease of a control has about 40, and a byte of a file up to six. */
const MOST_BYTES = { work: 8 * MAX_FLOW_BYTES, shard: 16 * 1024, control: 4 * 1024 * 1024, presence: 16 * 1024 };

/**
 * Reads the value of a key, up to one byte more than its message may have: other programs can write to Redis, too.
 * @type {(redis: Pick<Redis, 'getrange'>, purpose: 'control' | 'presence', key: string) => Promise<string | null>}
 *   null: there is none
 */
export async function readValue(redis, purpose, key) {
  return (await redis.getrange(key, 0, MOST_BYTES[purpose])) || null;
}

/**
 * Writes a message. `name` is that of its shard or agent.
 * @type {(seal: Seal, purpose: Exclude<Purpose, 'report'>, name: string, message: object, options: { now: number,
 *   lifeMs: number, sequence?: number }) => string}
 */
export function writeMessage(seal, purpose, name, message, options) {
  return seal.write(purpose, name, JSON.stringify(message), options);
}

/**
 * Reads a message that {@link writeMessage} returned. `now` is the time of Redis, ms.
 * @throws {Error} E_MESSAGE
 * @type {<P extends keyof typeof SHAPES>(seal: Seal, purpose: P, name: string, message: { given: unknown, now: number
 *   }) => { message: ReturnType<typeof SHAPES[P]>, sequence: number }}
 */
export function readMessage(seal, purpose, name, { given, now }) {
  const bytes = Buffer.from(typeof given === 'string' ? given : '');
  try {
    const most = MOST_BYTES[purpose];
    if (bytes.length > most) throw new ShapeError(purpose, `expected at most ${most} bytes`);
    const { content, sequence } = seal.read(purpose, name, bytes, now);
    const message = rebuild(/** @type {Shape} */ (SHAPES[purpose]), JSON.parse(content.toString()), { name: purpose });
    return { message, sequence };
  } catch (error) {
    throw malformed(purpose, error);
  }
}

/**
 * Reads the presence of an agent whose version or secret is another one; null: it is no agent.
 * @type {(message: string) => { protocol: number, name: string, version: string } | null}
 */
export function readStranger(message) {
  try {
    const value = JSON.parse(message.slice(message.startsWith('{') ? 0 : message.indexOf('\n') + 1));
    return rebuild(STRANGER, value, { name: 'presence', dropsUnknown: true });
  } catch {
    return null;
  }
}

/** @type {(purpose: Purpose, error: unknown) => Error} */
function malformed(purpose, error) {
  if (!(error instanceof ShapeError) && !(error instanceof SyntaxError)) return /** @type {Error} */ (error);
  const reason = error instanceof ShapeError ? error.message : 'it is no JSON';
  const cure = 'are the command and the agents of the same version?';
  return makeError('E_MESSAGE', { what: NAMES[purpose], reason: `is malformed: ${reason}`, cure }, { cause: error });
}

/** Intervals, and the longest waits, ms. */
export const TIMING = Object.freeze({
  /** Interval: an agent reports its presence, and a shard its state. */
  reportMs: 1000,
  /** An agent is absent without a report for this long. */
  presenceMs: 4000,
  /** Interval: the coordinator renews the control of its run. */
  renewMs: 500,
  /** The control expires without a renewal, and agents stop when it has been missing for `missingMs` more. */
  controlMs: 2500,
  missingMs: 1500,
  /** Grace period of the running iterations when a shard stops because it has no coordinator. */
  orphanMs: 500,
  /** Interval: agents read the control. */
  pollMs: 200,
  /** A shard that BullMQ calls stalled is lost if it has been silent for this long. */
  stalledMs: 2000,
  /** A silent shard is lost, even if BullMQ has no job for it any more, because Redis lost its data. */
  silentMs: 10_000,
  /** A shard that no agent takes for this long is lost: its agent has gone, or Redis has lost the job. */
  untakenMs: 30_000,
  /** A shard whose agent cannot reach Redis for this long stops. */
  unreachableMs: 15_000,
  /** Its coordinator waits for this much longer for what it has counted. */
  collectMs: 60_000,
  /** The agent keeps what it has counted for this long. */
  keepMs: 600_000,
  /** BullMQ: a job without a renewed lock is stalled; how often that is checked. */
  lockMs: 3000,
  stalledCheckMs: 1000,
  /** Shortest time from the agreement to the start. */
  leadMs: 400,
  /** Longest wait for BullMQ to close its connections, which it cannot while Redis is unreachable. */
  closeMs: 1000,
  /** Longest wait for the last reports of agents after an abort. */
  abortMs: 1500,
});

/** Waits that end early when something changes. */
export class Pauses {
  /** Functions that end the current waits. @type {Set<() => void>} */
  #wakers = new Set();

  /** @type {(ms: number) => Promise<void>} */
  wait(ms) {
    return new Promise((resolve) => {
      const end = () => {
        clearTimeout(timer);
        this.#wakers.delete(end);
        resolve();
      };
      const timer = setTimeout(end, ms);
      this.#wakers.add(end);
    });
  }

  wake() {
    for (const end of [...this.#wakers]) end();
  }
}

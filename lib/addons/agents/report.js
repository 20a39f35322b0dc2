import schema from '../../../result.schema.json' with { type: 'json' };
import { PHASES } from '../../core/ground/phases.js';
import { shapeOf } from '../../core/ground/schema-shape.js';
import {
  ShapeError,
  choice,
  json,
  list,
  mapOf,
  nullable,
  number,
  optional,
  rebuild,
  record,
  text,
} from '../../core/ground/shape.js';
import { LONGEST_MS, contradictionIn, implausibleSummary } from '../saved/received-stats.js';
import { KEYS, MAX_PACKED, PRESENCE, PROTOCOL, pack, unpack } from './protocol.js';
import { throwFirst } from './queue.js';

/** @import { Shape } from '../../core/ground/shape.js' */
/** @import { Report, Shard, Unreadable } from './types.js' */
/** @import { Queue } from './queue.js' */
/** @import { ChainableCommander } from 'ioredis' */

/** The reports of shards, as their coordinator reads them: anyone who reaches the queue may have written them. */

const whole = number({ least: 0, isWhole: true });
const amount = number({ least: 0 });
/** A text of a flow, which may have many and long ones. */
const anyText = text({ most: Infinity });
const texts = list(anyText, { most: Infinity });

const SHARD = record({
  number: number({ least: 1, isWhole: true }),
  of: number({ least: 1, isWhole: true }),
});

/** Times without a limit are null in JSON. */
const PLAN = record({
  shape: anyText,
  loads: optional(
    list(record({ name: anyText, from: amount, after: optional(anyText), text: anyText, options: mapOf(json) })),
  ),
  pacing: optional(choice('timer', 'thread', 'poll')),
  origins: texts,
  transport: optional(texts),
  proxies: texts,
  operations: record(Object.fromEntries(PHASES.map((phase) => [phase, texts]))),
  limits: record({
    leadMs: nullable(amount),
    warmUpMs: amount,
    endMs: nullable(amount),
    gracefulStopMs: nullable(amount),
    teardownMs: nullable(amount),
  }),
  shard: optional(SHARD),
  runId: optional(anyText),
  shortage: optional(anyText),
  options: mapOf(json),
});

const TICK = record({
  phase: choice(...PHASES),
  elapsedMs: nullable(amount),
  share: nullable(amount),
  ended: whole,
  inFlight: whole,
  errors: whole,
});

/** @type {Shape<Report>} */
const REPORT = record({
  protocol: choice(PROTOCOL),
  lease: text(),
  sequence: number({ least: 1, isWhole: true }),
  state: choice('preparing', 'ready', 'running', 'ended', 'refused'),
  agent: PRESENCE,
  clockOffsetMs: nullable(number()),
  // Points are shifted by the difference of two delays, which must be finite.
  startDelayMs: nullable(number({ least: -LONGEST_MS, most: LONGEST_MS })),
  begun: nullable(record({ plan: PLAN, from: anyText, hash: text(), notices: texts, hints: texts })),
  tick: nullable(TICK),
  stats: nullable(shapeOf(schema)),
  inFlight: whole,
  outcome: nullable(
    record({ kind: choice('ended', 'aborted', 'lost'), why: optional(text()), message: optional(text()) }),
  ),
  error: nullable(record({ code: optional(text()), message: text() })),
});

/**
 * Reads a report, packed by `pack`, into a new object that has the declared properties. Its histograms are decoded when
 * they are added up, which checks them: see `stateOf`.
 * @throws {Error} whose message explains why it is none
 * @type {(bytes: Buffer) => Promise<Report>}
 */
export async function readReport(bytes) {
  return reportOf(await unpack(bytes));
}

/** @throws {Error} @type {(value: unknown) => Report} */
export function reportOf(value) {
  const report = rebuild(REPORT, value, { name: 'report' });
  const { state, outcome, error, stats } = report;
  if ((state === 'ended') !== (outcome !== null)) throw new ShapeError('report.outcome', 'contradicts its state');
  if ((state === 'refused') !== (error !== null)) throw new ShapeError('report.error', 'contradicts its state');
  const contradiction =
    stats && (contradictionIn(stats, { isOver: outcome?.kind === 'ended' }) ?? implausibleSummary(stats));
  if (contradiction) throw new ShapeError('report.stats', contradiction);
  return report;
}

/** @typedef {Pick<Queue, 'redis' | 'seal' | 'sealTime'>} Connection */

/** The end of a gzip file: checksum and length of its content (RFC 1952 2.3.1). No two reports of a shard are equal. */
export const TRAILER_BYTES = 8;

/** Reports of 1,000 agents take seconds to read: the rest is read next time, so that the sum is judged between. */
const BUDGET_MS = 1000;
/** One is unpacked by another thread while the next one is parsed. */
const MOST_AT_ONCE = 4;

/**
 * Reads the reports of shards, each once, as they are read more often than they are written. A value may be of any
 * size, as other programs can write to Redis: not more of it is read than the longest report has.
 */
export class ReportReader {
  #queue;
  #run;
  #onRefusal;
  /** Ends of the reports that were read, by number of the shard. @type {Map<number, Buffer>} */
  #trailers = new Map();
  /** The shard whose report was read last: the next one is the first of the next time. */
  #last = 0;
  #now;
  /** Numbers of shards that have reported, whose reports were left for the next time. @type {Set<number>} */
  unread = new Set();

  /**
   * @param {Connection} queue
   * @param {string} run
   * @param {(number: number, reason: string) => void} onRefusal a report was not signed as it should be: no agent of
   *   ours wrote it
   * @param {() => number} [now] ms
   */
  constructor(queue, run, onRefusal, now = () => performance.now()) {
    this.#queue = queue;
    this.#run = run;
    this.#onRefusal = onRefusal;
    this.#now = now;
  }

  /**
   * Reads the reports of shards by their numbers, without those that have not reported since the last call, and those
   * in {@link unread}.
   * @throws {Error} of Redis
   * @type {(numbers: number[]) => Promise<Map<number, Report | Unreadable>>}
   */
  async read(numbers) {
    const until = this.#now() + BUDGET_MS;
    const trailers = await this.#ranges(numbers, -TRAILER_BYTES, -1);
    const changed = numbers.filter(
      (number, i) => trailers[i].length > 0 && !this.#trailers.get(number)?.equals(trailers[i]),
    );
    this.unread = new Set(changed);
    if (changed.length === 0) return new Map();
    /** @type {Map<number, Report | Unreadable>} */
    const reports = new Map();
    for (const some of await this.#inBatches(inTurn(changed, this.#last))) {
      const [values, now] = await Promise.all([this.#ranges(some, 0, MAX_PACKED), this.#queue.sealTime()]);
      const read = await Promise.all(some.map((number, i) => this.#read(number, values[i], now)));
      for (const [i, number] of some.entries()) {
        const report = read[i];
        if (report !== null) reports.set(number, report);
        this.#trailers.set(number, Buffer.from(values[i].subarray(-TRAILER_BYTES)));
        this.unread.delete(number);
        this.#last = number;
      }
      if (this.#now() > until) break;
    }
    return reports;
  }

  /**
   * Reads a report; null: it has expired meanwhile, or no agent of ours wrote it, so the agent is not blamed.
   * @type {(number: number, bytes: Buffer, now: number) => Promise<Report | Unreadable | null>}
   */
  async #read(number, bytes, now) {
    const { seal } = this.#queue;
    if (bytes.length === 0) return null;
    try {
      const { content } = seal.read('report', reportName(this.#run, number), bytes, now);
      return await readReport(content).catch(unreadable);
    } catch (error) {
      if (!seal.isOn) return unreadable(/** @type {Error} */ (error));
      this.#onRefusal(number, /** @type {Error} */ (error).message);
      return null;
    }
  }

  /** Forms batches whose reports fit into memory. @type {(numbers: number[]) => Promise<number[][]>} */
  async #inBatches(numbers) {
    const lengths = await this.#each(numbers, (pipeline, key) => pipeline.strlen(key));
    /** @type {number[][]} */
    const batches = [];
    /** Bytes that fit into the last batch; none yet, so the first report begins one. */
    let left = -1;
    for (const [i, number] of numbers.entries()) {
      const length = Math.min(MAX_PACKED, Number(lengths[i]));
      if (length > left || batches[batches.length - 1].length === MOST_AT_ONCE) {
        batches.push([]);
        left = MAX_PACKED;
      }
      batches[batches.length - 1].push(number);
      left -= length;
    }
    return batches;
  }

  /** @type {(numbers: number[], from: number, to: number) => Promise<Buffer[]>} */
  #ranges(numbers, from, to) {
    return this.#each(numbers, (pipeline, key) => pipeline.getrangeBuffer(key, from, to));
  }

  /** @type {<T>(numbers: number[], command: (pipeline: ChainableCommander, key: string) => unknown) => Promise<T[]>} */
  async #each(numbers, command) {
    if (numbers.length === 0) return [];
    const pipeline = this.#queue.redis.pipeline();
    for (const number of numbers) command(pipeline, KEYS.report(this.#run, number));
    const results = await pipeline.exec();
    throwFirst(results);
    return (results ?? []).map(([, value]) => /** @type {any} */ (value));
  }
}

/** @type {(numbers: number[], last: number) => number[]} those after the last one first */
function inTurn(numbers, last) {
  return [...numbers.filter((number) => number > last), ...numbers.filter((number) => number <= last)];
}

/** @type {(run: string, number: number) => string} for the signature of a report */
export function reportName(run, number) {
  return `${run}:${number}`;
}

/** @type {(error: Error) => Unreadable} */
function unreadable({ message }) {
  return { fault: message };
}

/**
 * Stores a report while its run has a control that does not drop the lease: a later report would stay, as its
 * coordinator has removed those of its run.
 */
const STORE = `
  -- changes nothing, and fails if Redis is out of memory: the control may be missing for that reason
  redis.call('setrange', KEYS[2], 0, '')
  local control = redis.call('get', KEYS[1])
  if not control then return 0 end
  local dropped = string.match(control, '"dropped":%[([^%]]*)%]')
  if dropped and string.find(dropped, ARGV[2], 1, true) then return 0 end
  redis.call('set', KEYS[2], ARGV[1], 'PX', ARGV[3])
  return 1`;
/** Removes a report, if it is that of the caller. */
const REMOVE = `if redis.call('getrange', KEYS[1], ARGV[2], -1) == ARGV[1] then return redis.call('del', KEYS[1]) end return 0`;

/**
 * Writes the report of a shard in place of the one before, and returns its last bytes, which no other report of the
 * shard has; null: it was not stored, as its run has no control, or drops it.
 * @type {(queue: Connection, shard: Shard, report: Report, lifeMs: number) => Promise<Buffer | null>}
 */
export async function writeReport({ redis, seal, sealTime }, { run, number }, report, lifeMs) {
  const options = { now: await sealTime(), lifeMs, sequence: report.sequence };
  const message = seal.write('report', reportName(run, number), await pack(report), options);
  const keys = [KEYS.control(run), KEYS.report(run, number)];
  const isStored = await redis.eval(STORE, keys.length, ...keys, message, JSON.stringify(report.lease), lifeMs);
  return isStored === 1 ? message.subarray(-TRAILER_BYTES) : null;
}

/**
 * Removes the report of a shard that is refused, if it has the trailer that {@link writeReport} returned. A report of
 * another agent, which runs a copy of the shard, stays.
 * @type {(queue: Pick<Connection, 'redis'>, shard: Shard, trailer: Buffer) => Promise<void>}
 */
export async function removeReport({ redis }, { run, number }, trailer) {
  await redis.eval(REMOVE, 1, KEYS.report(run, number), trailer, -TRAILER_BYTES);
}

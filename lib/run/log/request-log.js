import { basename, dirname, extname, join, resolve } from 'node:path';

import { createRandom } from '../../ground/random.js';
import { clock } from '../clock.js';
import { WHOLE } from '../options/shard.js';
import { LineWriter, LogFile } from './log-file.js';
import { logFormatOf } from './log-format.js';

/**
 * @import { LoggedRequest, LoggedStep } from '../../iteration/exchange-record.js'
 * @import { Role } from '../../measure/recorder.js'
 * @import { LogFileSummary } from '../../measure/types.js'
 * @import { Link } from '../../transport/types.js'
 * @import { RunOptions } from '../options/types.js'
 * @import { LogFormat } from './log-format.js'
 */

/**
 * @typedef {object} LogPart of a run
 * @property {number} part number of the thread, from 0
 * @property {number} parts number of threads
 * @property {boolean} isPart it is a worker; the file of the main thread has no number
 */

/** Requests of `before` that wait for the start of the run, from which times count. */
const MOST_HELD = 10_000;
const FLUSH_MS = 1000;
/** A wall clock that differs more from that of the process has been set since its start. */
const MOST_DRIFT_MS = 5;
/** of a text in JSON: `\\u0000` */
const MOST_BYTES_PER_CHARACTER = 6;
const STEP_COLUMNS = 3;
const LINK_COLUMNS = 3;
/** @type {Record<Role, string>} */
const KINDS = { count: 'request', retries: 'retry', redirects: 'redirect', challenges: 'challenge' };

/** A line for each request of a thread, or for a sample of them. Memory and CPU are bounded. */
export class RequestLog {
  #name;
  #file;
  #writer;
  /** failed requests are rare, and what people look for: they have a sample of their own */
  #samplers;
  #connections;
  /** of the measured iterations; null: not known yet @type {number | null} */
  #origin = null;
  /** @type {LoggedRequest[]} */
  #held = [];
  #wallOffset = wallOffset();
  #requests = 0;
  #overRate = 0;
  #behindDisk = 0;
  /** requests for which the next line stands, too */
  #carried = 0;
  #cancelFlush;

  /**
   * @param {Pick<RunOptions, 'log' | 'logRate' | 'shard' | 'seed' | 'workers'>} options
   * @param {LogPart} part
   * @returns {Promise<RequestLog | undefined>} undefined: the run has no log
   * @throws {Error} E_LOG
   */
  static async open({ log, logRate, shard, seed, workers = 0 }, part) {
    if (log === undefined) return undefined;
    const name = logName(log, shard ?? null, part.isPart ? part.part + 1 : null);
    const format = /** @type {LogFormat} */ (logFormatOf(name));
    const file = await LogFile.open(resolve(name), format);
    const { number, of } = shard ?? WHOLE;
    const thread = part.isPart ? part.part + 1 : 0;
    // each connection of a run has a number of its own
    const connections = { next: number + of * thread, step: of * (workers + 1) };
    return new RequestLog(name, {
      file,
      format,
      connections,
      perSecond: logRate / part.parts,
      random: createRandom(seed + thread),
    });
  }

  /**
   * @param {string} name of the file, as the user wrote it
   * @param {{ file: LogFile, format: LogFormat, connections: { next: number, step: number }, perSecond: number,
   *   random: () => number }} options connections: their numbers; perSecond: lines
   */
  constructor(name, { file, format, connections, perSecond, random }) {
    this.#name = name;
    this.#file = file;
    this.#writer = new LineWriter(format);
    this.#samplers = { answered: new Sampler(perSecond, random), failed: new Sampler(perSecond, random) };
    this.#connections = connections;
    this.#cancelFlush = clock.every(() => file.flush(), FLUSH_MS);
  }

  /** The measured iterations begin. @param {number} origin instant of the clock */
  begin(origin) {
    this.#origin = origin;
    for (const request of this.#held.splice(0)) this.#write(request, origin);
  }

  /**
   * The columns that all requests of a step have in common.
   * @type {(step: { phase: string, name: string }) => LoggedStep}
   */
  stepOf({ phase, name }) {
    /** @type {Partial<LoggedStep>} */
    const segments = {};
    for (const [role, kind] of Object.entries(KINDS))
      segments[/** @type {Role} */ (role)] = this.#writer.segment('phase', [phase, name, kind]);
    return /** @type {LoggedStep} */ (segments);
  }

  /**
   * The columns that all requests of a virtual user on a connection have in common.
   *
   * @param {number | undefined} virtualUser
   * @param {Link | null} link null: no connection
   * @param {string | null} [address] of a connection that failed
   * @returns {Uint8Array}
   */
  linkOf(virtualUser, link, address = null) {
    if (link === null) return this.#writer.segment('virtualUser', [virtualUser, null, address]);
    if (link.number === 0) link.number = this.#nextConnection();
    return this.#writer.segment('virtualUser', [virtualUser, link.number, link.address]);
  }

  #nextConnection() {
    const { next, step } = this.#connections;
    this.#connections.next = next + step;
    return next;
  }

  /**
   * Counts a request, and decides whether it gets a line.
   *
   * @param {number} endedAt instant of the clock
   * @param {boolean} hasFailed it has no response, or its status is an error
   * @returns {number} how many requests the line stands for; 0: it gets none
   */
  select(endedAt, hasFailed) {
    this.#requests++;
    const weight = (hasFailed ? this.#samplers.failed : this.#samplers.answered).take(endedAt);
    if (weight === 0) this.#overRate++;
    return weight;
  }

  /** @param {LoggedRequest} request that was selected */
  add(request) {
    if (this.#origin !== null) this.#write(request, this.#origin);
    else if (this.#held.length < MOST_HELD) this.#held.push(request);
    else this.#leaveOut(request.weight);
  }

  /** @type {(weight: number) => void} */
  #leaveOut(weight) {
    this.#behindDisk++;
    this.#carried += weight;
  }

  /** @type {(request: LoggedRequest, origin: number) => void} */
  #write(request, origin) {
    const file = this.#file;
    const writer = this.#writer;
    const { step, link, error } = request;
    if (!file.room(LineWriter.mostBytes(step.length + link.length + (error?.length ?? 0) * MOST_BYTES_PER_CHARACTER))) {
      this.#leaveOut(request.weight);
      return;
    }
    const { chunk } = file;
    writer.bytes = chunk.bytes;
    writer.at = chunk.length;
    writer.begin();
    writer.time(this.#wallOffset + request.endedAt);
    writer.ms(request.due - origin);
    writer.ms(request.startedAt - origin);
    writer.ms(sinceOrNone(request.connectedAt, origin));
    writer.ms(sinceOrNone(request.sentAt, origin));
    writer.ms(sinceOrNone(request.firstByteAt, origin));
    writer.ms(request.endedAt - origin);
    writer.count(request.status || NaN);
    writer.count(request.bytesOut);
    writer.count(request.bytesIn);
    writer.count(request.iteration ?? NaN);
    writer.segments(step, STEP_COLUMNS);
    writer.segments(link, LINK_COLUMNS);
    writer.text(error);
    writer.count(request.weight + this.#carried);
    writer.end();
    this.#carried = 0;
    file.added(writer.at);
  }

  /** @type {() => LogFileSummary} */
  toJSON() {
    const { error, lines } = this.#file;
    return {
      file: this.#name,
      requests: this.#requests,
      lines,
      overRate: this.#overRate,
      behindDisk: this.#behindDisk,
      ...(error !== null && { error }),
    };
  }

  async close() {
    this.#cancelFlush();
    // the run ended before its first iteration
    if (this.#origin === null) this.begin(clock.now());
    await this.#file.close();
  }
}

/** @type {(instant: number, origin: number) => number} NaN: it was not reached */
function sinceOrNone(instant, origin) {
  return instant > 0 ? instant - origin : NaN;
}

/** Add it to an instant of the clock to get the wall clock. */
function wallOffset() {
  const { timeOrigin } = performance;
  const now = Date.now() - performance.now();
  return Math.abs(now - timeOrigin) > MOST_DRIFT_MS ? now : timeOrigin;
}

/**
 * The file of a part of a run. Shards have the number of the shard in its name, workers their own:
 * `requests.shard2.1.csv`. The requests of `before` and `after`, and of a run without workers, are in the file of the
 * main thread, without a number.
 *
 * @param {string} path as the user wrote it
 * @param {{ number: number } | null} shard
 * @param {number | null} worker from 1
 * @returns {string}
 */
export function logName(path, shard, worker) {
  const extension = extname(path);
  const parts = [basename(path, extension), ...(shard ? [`shard${shard.number}`] : []), ...(worker ? [worker] : [])];
  const name = `${parts.join('.')}${extension}`;
  return path === basename(path) ? name : join(dirname(path), name);
}

/** the rate of requests is measured anew after this time, ms */
const WINDOW_MS = 100;

/**
 * Selects requests at random, as many per second as were asked for. The requests are taken in blocks of equal size, and
 * of each block one is selected, which stands for the block: figures that are weighted so are not biased, whatever
 * order the operations of a flow have. With every block of one request, all are selected.
 */
export class Sampler {
  #most;
  #random;
  /** requests in the current block, and in the next one */
  #size = 1;
  #nextSize = 1;
  /** requests of the current block that are still to come */
  #left = 0;
  /** the one of them that is selected, counted from the end */
  #selected = 0;
  #windowFrom = -Infinity;
  #seen = 0;
  #taken = 0;
  /** blocks of twice the size are needed from here on */
  #limit;

  /**
   * @param {number} perSecond Infinity: all of them
   * @param {() => number} random
   */
  constructor(perSecond, random) {
    this.#most = (perSecond * WINDOW_MS) / 1000;
    this.#limit = this.#most;
    this.#random = random;
  }

  /**
   * @param {number} now instant of the clock
   * @returns {number} how many requests this one stands for; 0: it is not selected
   */
  take(now) {
    if (now - this.#windowFrom >= WINDOW_MS) this.#measure(now);
    this.#seen++;
    if (this.#left === 0) {
      this.#size = this.#nextSize;
      this.#left = this.#size;
      this.#selected = this.#size === 1 ? 1 : 1 + Math.floor(this.#random() * this.#size);
    }
    if (this.#left-- !== this.#selected) return 0;
    const weight = this.#size;
    if (++this.#taken >= this.#limit) this.#enlarge();
    return weight;
  }

  /** @type {(now: number) => void} */
  #measure(now) {
    const expected = (this.#seen * WINDOW_MS) / (now - this.#windowFrom);
    this.#nextSize = Math.max(1, Math.ceil(expected / this.#most));
    this.#windowFrom = now;
    this.#seen = 0;
    this.#taken = 0;
    this.#limit = this.#most;
  }

  /** The rate rises within a window. */
  #enlarge() {
    this.#nextSize = this.#size * 2;
    this.#limit += this.#most / 2;
  }
}

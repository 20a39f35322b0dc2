import { resolve } from 'node:path';

import { clock } from '../../core/run/clock.js';
import { WHOLE } from '../../core/run/options/shard.js';
import { LineWriter } from './line-writer.js';
import { LogFile, lockLogs } from './log-file.js';
import { logFormatOf, logName, logNames } from './log-format.js';
import { logging } from './logged-exchange.js';

/** @import { Link } from '../../core/contracts/connection.js' */
/** @import { Role } from '../../core/contracts/recorders.js' */
/** @import { RunOptions } from '../../core/contracts/run-options.js' */
/** @import { LogFileSummary } from '../../core/contracts/stats.js' */
/** @import { Step } from '../../core/contracts/step.js' */
/** @import { Send } from '../../core/iteration/exchange-record.js' */
/** @import { LogThread } from '../../core/run/types.js' */
/** @import { LogFormat } from './log-format.js' */
/** @import { LoggedRequest, LoggedStep } from './logged-exchange.js' */

/** Requests that wait for the start, from which times count. */
const MOST_WAITING = 10_000;
const FLUSH_MS = 1000;
/** A wall clock that differs more from that of the process has been set since its start. */
const MOST_DRIFT_MS = 5;
/** Bytes of a character of a text in JSON: `\\u0000`. */
const MOST_BYTES_PER_CHARACTER = 6;
const STEP_COLUMNS = 3;
const LINK_COLUMNS = 3;
/** @type {Record<Role, string>} */
const KINDS = {
  count: 'request',
  retries: 'retry',
  redirects: 'redirect',
  authChallenges: 'challenge',
  reconnects: 'reconnect',
  throttled: 'throttled',
};

/**
 * Writes a line for each request of a thread. Memory is bounded: a line that the disk is too slow for is left out, and
 * counts in the weight of the next line, so weights add up to all requests.
 */
export class RequestLog {
  #name;
  #release;
  #file;
  #writer;
  #connections;
  /** The start of the measured iterations; null: not known yet. @type {number | null} */
  #origin = null;
  /** Requests before the start, in the order of their ends. @type {LoggedRequest[]} */
  #waiting = [];
  #wallOffset = wallOffset();
  #requests = 0;
  /** Requests that were left out. */
  #behindDisk = 0;
  /** How many of them since the last line; the next one stands for these requests, too. */
  #carried = 0;
  /** The last request that was left out. @type {LoggedRequest | null} */
  #lastLeftOut = null;
  #cancelFlush;

  /**
   * Opens the log of a run that has one.
   * @throws {Error} E_LOG
   * @type {(options: Pick<RunOptions, 'log' | 'shard' | 'workers'>, thread: LogThread) =>
   *   Promise<RequestLog>}
   */
  static async open(options, thread) {
    const { log, shard, workers = 0 } = options;
    const name = logName(/** @type {string} */ (log), shard ?? null, thread.isWorker ? thread.worker + 1 : null);
    const format = /** @type {LogFormat} */ (logFormatOf(name));
    // The main thread opens its log before those of workers.
    const release = thread.isWorker ? async () => {} : await lockLogs(logNames(options).map((one) => resolve(one)));
    const file = await LogFile.open(resolve(name), format).catch(async (error) => {
      await release();
      throw error;
    });
    const { number, of } = shard ?? WHOLE;
    const turn = thread.isWorker ? thread.worker + 1 : 0;
    // Each connection of a run has a number of its own.
    const connections = { next: number + of * turn, step: of * (workers + 1) };
    return new RequestLog(name, { file, format, release, connections });
  }

  /**
   * @param {string} name of the file, as the user wrote it
   * @param {{ file: LogFile, format: LogFormat, release: () => Promise<void>, connections: { next: number, step: number
   *   } }} options release: of the locks; connections: their numbers
   */
  constructor(name, { file, format, release, connections }) {
    this.#name = name;
    this.#release = release;
    this.#file = file;
    this.#writer = new LineWriter(format);
    this.#connections = connections;
    this.#cancelFlush = clock.every(() => file.flush(), FLUSH_MS);
  }

  /** Begins when the measured iterations begin, an instant of the clock. @type {(origin: number) => void} */
  begin(origin) {
    this.#origin = origin;
    for (const request of this.#waiting.splice(0)) this.#write(request, origin);
  }

  /** @type {(step: Step, send: Send) => Send} */
  senderOf(step, send) {
    return logging(step, this, send);
  }

  /** Encodes the columns that are of the step. @type {(step: { phase: string, name: string }) => LoggedStep} */
  stepOf({ phase, name }) {
    /** @type {Partial<LoggedStep>} */
    const segments = {};
    for (const [role, kind] of Object.entries(KINDS))
      segments[/** @type {Role} */ (role)] = this.#writer.segment('phase', [phase, name, kind]);
    return /** @type {LoggedStep} */ (segments);
  }

  /**
   * Encodes the columns that all requests of a virtual user on a connection have in common. `link` is null without a
   * connection, `address` that of a connection that failed.
   * @type {(virtualUser: number | undefined, link: Link | null, address?: string | null) => Uint8Array}
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

  /** Adds a request that has ended. @type {(request: LoggedRequest) => void} */
  add(request) {
    this.#requests++;
    if (this.#origin !== null) this.#write(request, this.#origin);
    else if (this.#waiting.length < MOST_WAITING) this.#waiting.push(request);
    else this.#leaveOut(request);
  }

  /** @type {(request: LoggedRequest) => void} */
  #leaveOut(request) {
    this.#behindDisk++;
    this.#carried++;
    this.#lastLeftOut = request;
  }

  /** @type {(request: LoggedRequest, origin: number) => void} */
  #write(request, origin) {
    const file = this.#file;
    const writer = this.#writer;
    const { step, link, error } = request;
    if (!file.room(LineWriter.mostBytes(step.length + link.length + (error?.length ?? 0) * MOST_BYTES_PER_CHARACTER))) {
      this.#leaveOut(request);
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
    writer.count(1 + this.#carried);
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
      behindDisk: this.#behindDisk,
      ...(error !== null && { error }),
    };
  }

  async close() {
    this.#cancelFlush();
    // The run ended before its first iteration.
    if (this.#origin === null) this.begin(clock.now());
    if (this.#carried > 0) await this.#writeLastLeftOut();
    await this.#file.close();
    await this.#release();
  }

  /** Writes the last request that was left out: no line follows that could stand for the requests without one. */
  async #writeLastLeftOut() {
    await this.#file.drain();
    const request = this.#lastLeftOut;
    if (request === null || this.#file.error !== null) return;
    this.#behindDisk--;
    this.#carried--;
    this.#write(request, this.#origin ?? clock.now());
  }
}

/** @type {(instant: number, origin: number) => number} NaN: it was not reached */
function sinceOrNone(instant, origin) {
  return instant > 0 ? instant - origin : NaN;
}

/** Returns the number that turns an instant of the clock into the wall clock. */
function wallOffset() {
  const { timeOrigin } = performance;
  const now = Date.now() - performance.now();
  return Math.abs(now - timeOrigin) > MOST_DRIFT_MS ? now : timeOrigin;
}

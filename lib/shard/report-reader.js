import { throwFirst } from './presence.js';
import { KEYS, MAX_PACKED, isReport, unpack } from './protocol.js';

/**
 * @import { Redis } from 'ioredis'
 * @import { Report } from './protocol.js'
 */

/** The end of a gzip file: checksum and length of its content (RFC 1952 2.3.1). No two reports of a shard are equal. */
const TRAILER_BYTES = 8;

/**
 * Reads the reports of shards, each once, as they are read more often than they are written. A value may be of any size,
 * as other programs can write to Redis: not more of it is read than the longest report has.
 */
export class ReportReader {
  #redis;
  #run;
  /** ends of the reports that were read, by number of the shard @type {Map<number, Buffer>} */
  #trailers = new Map();

  /**
   * @param {Redis} redis
   * @param {string} run
   */
  constructor(redis, run) {
    this.#redis = redis;
    this.#run = run;
  }

  /**
   * @param {number[]} numbers of shards
   * @returns {Promise<Map<number, Report | null>>} without shards that have not reported since the last call; null: it is no report
   * @throws {Error} of Redis
   */
  async read(numbers) {
    const trailers = await this.#ranges(numbers, -TRAILER_BYTES, -1);
    const changed = numbers.filter(
      (number, i) => trailers[i].length > 0 && !this.#trailers.get(number)?.equals(trailers[i]),
    );
    const values = await this.#ranges(changed, 0, MAX_PACKED);
    /** @type {Map<number, Report | null>} */
    const reports = new Map();
    for (const [i, number] of changed.entries()) {
      const bytes = values[i];
      // the report may have expired meanwhile
      if (bytes.length === 0) continue;
      reports.set(number, await reportOf(bytes));
      this.#trailers.set(number, Buffer.from(bytes.subarray(-TRAILER_BYTES)));
    }
    return reports;
  }

  /** @type {(numbers: number[], from: number, to: number) => Promise<Buffer[]>} */
  async #ranges(numbers, from, to) {
    if (numbers.length === 0) return [];
    const pipeline = this.#redis.pipeline();
    for (const number of numbers) pipeline.getrangeBuffer(KEYS.report(this.#run, number), from, to);
    const results = await pipeline.exec();
    throwFirst(results);
    return (results ?? []).map(([, value]) => /** @type {Buffer} */ (value));
  }
}

/** @type {(bytes: Buffer) => Promise<Report | null>} */
async function reportOf(bytes) {
  const report = await unpack(bytes).catch(() => null);
  return isReport(report) ? report : null;
}

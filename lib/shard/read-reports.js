import { throwFirst } from './presence.js';
import { KEYS, MAX_PACKED, isReport, unpack } from './protocol.js';

/**
 * @import { Redis } from 'ioredis'
 * @import { Report } from './protocol.js'
 */

/**
 * Reads the latest reports of shards. A value may be of any size, as other programs can write to Redis: not more of it is read
 * than the longest report has.
 *
 * @param {Redis} redis
 * @param {string} run
 * @param {number[]} numbers of shards
 * @returns {Promise<Map<number, Report | null>>} without shards that have not reported; null: it is no report
 * @throws {Error} of Redis
 */
export async function readReports(redis, run, numbers) {
  if (numbers.length === 0) return new Map();
  const pipeline = redis.pipeline();
  for (const number of numbers) pipeline.getrangeBuffer(KEYS.report(run, number), 0, MAX_PACKED);
  const results = await pipeline.exec();
  throwFirst(results);
  /** @type {Map<number, Report | null>} */
  const reports = new Map();
  for (const [i, [, value]] of (results ?? []).entries()) {
    const bytes = /** @type {Buffer} */ (value);
    if (bytes.length > 0) reports.set(numbers[i], await reportOf(bytes));
  }
  return reports;
}

/** @type {(bytes: Buffer) => Promise<Report | null>} */
async function reportOf(bytes) {
  const report = await unpack(bytes).catch(() => null);
  return isReport(report) ? report : null;
}

import { KEYS, pack } from './protocol.js';
import { TRAILER_BYTES, reportName } from './report-reader.js';

/**
 * @import { Report, Shard } from './protocol.js'
 * @import { Connection } from './report-reader.js'
 */

/** Removes a report, if it is that of the caller. */
const REMOVE = `if redis.call('getrange', KEYS[1], ARGV[2], -1) == ARGV[1] then return redis.call('del', KEYS[1]) end return 0`;

/**
 * Writes the report of a shard in place of the one before.
 *
 * @param {Connection} queue
 * @param {Shard} shard
 * @param {Report} report
 * @param {number} lifeMs
 * @returns {Promise<Buffer>} its last bytes, which no other report of the shard has
 */
export async function writeReport({ redis, seal, sealTime }, { run, number }, report, lifeMs) {
  const options = { now: await sealTime(), lifeMs, sequence: report.sequence };
  const message = seal.write('report', reportName(run, number), await pack(report), options);
  await redis.set(KEYS.report(run, number), message, 'PX', lifeMs);
  return message.subarray(-TRAILER_BYTES);
}

/**
 * Removes the report of a shard that is refused. A report of another agent, which runs a copy of the shard, stays.
 *
 * @param {Pick<Connection, 'redis'>} queue
 * @param {Shard} shard
 * @param {Buffer} trailer as {@link writeReport} returned it
 */
export async function removeReport({ redis }, { run, number }, trailer) {
  await redis.eval(REMOVE, 1, KEYS.report(run, number), trailer, -TRAILER_BYTES);
}

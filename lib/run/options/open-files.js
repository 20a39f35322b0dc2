import { grouped } from '../../decimal.js';
import { Stride } from '../load/stride.js';

/** @import { Shard } from './shard.js' */

/** files that the process opens besides connections */
const OTHERS = 64;
/** every system allows this many connections */
const FEW_USERS = 200;

/**
 * Finds out whether a run needs more connections than the system allows this process to open.
 *
 * @param {{ limit?: number, shard?: Shard }} options virtual users of all shards, each with a connection
 * @param {() => number} [most] reads the limit of open files
 * @returns {string | null} what is missing; null if the limit suffices
 */
export function tooFewFiles({ limit = 0, shard }, most = mostOpenFiles) {
  const users = new Stride(shard).countOf(limit);
  if (users < FEW_USERS) return null;
  const files = most();
  const needed = users + OTHERS;
  if (needed <= files) return null;
  const [usersText, neededText, filesText] = [users, needed, files].map(grouped);
  return `${usersText} virtual users need ${neededText} open files, but the limit is ${filesText}: raise it with ulimit -n ${needed}`;
}

/** Infinity if the limit is unknown. */
function mostOpenFiles() {
  const { userLimits } = /** @type {any} */ (process.report.getReport());
  return Number(userLimits?.open_files?.soft) || Infinity;
}

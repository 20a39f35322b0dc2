import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';

import { grouped } from '../../ground/decimal.js';
import { readCount } from '../../ground/units.js';
import { Stride } from './shard.js';

/** @import { Shard } from '../../contracts/run.js' */

/**
 * The limit of a container (cgroup v2): CPU time per period, and the period, us; `max` without a limit. Node 24 and
 * newer read it themselves.
 */
const CPU_QUOTA = '/sys/fs/cgroup/cpu.max';

/** Reads a number of threads, or `auto`: one per core. NaN if invalid. @type {(text: string | number) => number} */
export function readWorkers(text) {
  return text === 'auto' ? availableCores() : readCount(text);
}

/** Counts the usable cores, at least 1: by the CPU mask and the container's quota. @type {() => number} */
export function availableCores() {
  return Math.max(1, Math.min(availableParallelism(), Math.floor(quotaIn(readQuota()))));
}

/** @type {(text: string) => number} cores; Infinity without a limit */
export function quotaIn(text) {
  const [quota, period] = text.split(' ').map(Number);
  return quota > 0 && period > 0 ? quota / period : Infinity;
}

/** Reads the quota; empty where there is none: other systems, and cgroup v1. @type {() => string} */
function readQuota() {
  try {
    return readFileSync(CPU_QUOTA, 'utf8');
  } catch {
    return '';
  }
}

/** Files that the process opens besides connections. */
const OTHERS = 64;
/** Every system allows this many connections. */
const FEW_CONNECTIONS = 200;

/**
 * Describes the lack if a run needs more connections than the system allows this process to open; null: there are
 * enough. A run has `limit` virtual users with a connection each, or shares `connections` of HTTP/2 among them; both
 * are numbers of all shards. `most` reads the limit of open files.
 * @type {(options: { limit?: number, connections?: number, shard?: Shard }, most?: () => number) => string | null}
 */
export function tooFewFiles({ limit = 0, connections, shard }, most = mostOpenFiles) {
  const own = new Stride(shard).countOf(connections ?? limit);
  if (own < FEW_CONNECTIONS) return null;
  const files = most();
  const needed = own + OTHERS;
  if (needed <= files) return null;
  const [ownText, neededText, filesText] = [own, needed, files].map(grouped);
  const what = connections === undefined ? 'virtual users' : 'connections';
  return `${ownText} ${what} need ${neededText} open files, but the limit is ${filesText}: raise it with ulimit -n ${needed}`;
}

/** Reads the limit; Infinity if it is unknown. */
function mostOpenFiles() {
  const report = /** @type {any} */ (process.report);
  const { excludeNetwork } = report;
  // Otherwise the name of each address is looked up, also of connections of the program, and nothing runs meanwhile.
  report.excludeNetwork = true;
  const { userLimits } = report.getReport();
  report.excludeNetwork = excludeNetwork;
  return Number(userLimits?.open_files?.soft) || Infinity;
}

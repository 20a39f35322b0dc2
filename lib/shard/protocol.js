import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';

import { MAX_RESULT_BYTES, MAX_RESULT_VALUES, parseBounded } from '../text/bounded-json.js';

/**
 * What agents and coordinators exchange. Everything that comes in is checked: it was written by another machine.
 *
 * @import { Layer } from '../run/options/layers.js'
 * @import { FlowPacket } from './flow-packet.js'
 * @import { Stats } from '../measure/types.js'
 * @import { PlanSummary } from '../run/plan.js'
 *
 * @typedef {object} Presence an agent, as it reports itself
 * @property {number} protocol
 * @property {string} id unique
 * @property {string} name
 * @property {string} version of bench-rest
 * @property {number} cores
 * @property {boolean} allowsCode
 * @property {boolean} isBusy
 * @property {number} roundTripMs to Redis
 *
 * @typedef {object} Work a run, as the coordinator submits it: the data of the parent job
 * @property {number} protocol
 * @property {string} run
 * @property {FlowPacket} flow
 * @property {Layer} config run options of the configuration file
 * @property {Layer[]} commandLine run options of flags, weakest first
 * @property {boolean} replacesLost the parts of lost agents are given to others, so that permits are needed
 *
 * @typedef {object} Shard the data of a child job
 * @property {number} protocol
 * @property {string} run
 * @property {number} number from 1
 * @property {number} of
 *
 * @typedef {object} Control what all agents of a run shall do
 * @property {number} protocol
 * @property {'prepare' | 'start' | 'stop' | 'abort'} order
 * @property {number | null} startAt time of Redis, ms
 * @property {string | null} reason of a stop
 * @property {number | null} within shorter grace period of a stop, ms
 * @property {string[]} dropped leases of shards that are lost: their reports are refused
 * @property {number} below INDEX that no agent may start yet, if lost parts are replaced
 * @property {string[]} held leases of agents that `below` is not for, as they have not reported for a moment
 * @property {Part[]} parts of lost shards, which agents are to begin
 *
 * @typedef {object} Part of a lost shard: every `of`-th INDEX, from `from`
 * @property {number} report number of its reports, above those of the shards
 * @property {string} lease of the agent that takes it over
 * @property {number} number from 1
 * @property {number} of
 * @property {number} from its first INDEX
 *
 * @typedef {object} ReportedPlan what an agent knows when it has read the flow
 * @property {PlanSummary} plan
 * @property {string} from
 * @property {string} hash
 * @property {string[]} notices
 * @property {string[]} hints
 *
 * @typedef {object} Report the whole state of a shard
 * @property {number} protocol
 * @property {string} lease token of the attempt: of another one nothing is counted
 * @property {number} sequence rises
 * @property {'preparing' | 'ready' | 'running' | 'ended' | 'refused'} state
 * @property {Presence} agent
 * @property {number} clockOffsetMs the wall clock of the agent, less that of Redis
 * @property {number | null} startDelayMs from the agreed start until all threads of the agent had started
 * @property {ReportedPlan | null} begun
 * @property {any} tick see Tick in lib/report/types.js; null before the run
 * @property {Stats | null} stats with counts
 * @property {number} inFlight requests
 * @property {{ kind: string, why?: string, message?: string } | null} outcome of a shard that has ended
 * @property {{ code?: string, message: string } | null} error of a shard that was refused
 */

/** Raised with each change of the messages; agents and coordinators of different numbers refuse each other. */
export const PROTOCOL = 3;

/** Bytes of a compressed message. */
export const MAX_PACKED = 32 * 1024 * 1024;
const MAX_MESSAGE = 10_000;

/** Prefix of all keys in Redis. */
export const PREFIX = 'bench-rest';

/**
 * Names of queues and keys. Agents of another version or secret would refuse a shard, and it would be lost: they have a queue
 * of their own.
 *
 * @type {Record<'runs' | 'members' | 'lock', (pool: string) => string> & { shards: (pool: string, seal: { mark: string }) => string,
 *   agent: (id: string) => string, control: (run: string) => string, report: (run: string, number: number) => string }}
 */
export const KEYS = {
  shards: (pool, { mark }) => `shards.${PROTOCOL}.${pool}${mark}`,
  runs: (pool) => `runs.${pool}`,
  members: (pool) => `${PREFIX}:members:${pool}`,
  lock: (pool) => `${PREFIX}:lock:${pool}`,
  agent: (id) => `${PREFIX}:agent:${id}`,
  control: (run) => `${PREFIX}:control:${run}`,
  report: (run, number) => `${PREFIX}:report:${run}:${number}`,
};

const [zip, unzip] = [promisify(gzip), promisify(gunzip)];

/**
 * @param {object} message
 * @returns {Promise<Buffer>} compressed JSON
 */
export function pack(message) {
  return zip(JSON.stringify(message), { level: 1 });
}

/**
 * @param {Buffer} bytes as {@link pack} returns them
 * @returns {Promise<unknown>}
 * @throws {Error} too long, or not JSON
 */
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

/**
 * An error for a report: agents bound what coordinators would refuse.
 *
 * @param {any} error
 * @returns {NonNullable<Report['error']>}
 */
export function reportedError(error) {
  const { code, message = error } = error ?? {};
  return { ...(isText(code) && { code }), message: boundedText(message) };
}

/**
 * @param {{ kind: string, why?: string, message?: string }} outcome
 * @returns {NonNullable<Report['outcome']>}
 */
export function reportedOutcome({ kind, why, message }) {
  return {
    kind,
    ...(why !== undefined && { why: boundedText(why) }),
    ...(message !== undefined && { message: boundedText(message) }),
  };
}

/** @type {(text: unknown) => string} */
function boundedText(text) {
  return String(text).slice(0, MAX_MESSAGE);
}

/** @type {(value: unknown) => value is string} */
function isText(value) {
  return typeof value === 'string' && value.length <= MAX_MESSAGE;
}

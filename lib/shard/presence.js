import { readMessage, readStranger, writeMessage } from './messages.js';
import { KEYS, PROTOCOL } from './protocol.js';
import { QUEUE_SECRET } from './seal.js';

/**
 * @import { Redis } from 'ioredis'
 * @import { Presence } from './protocol.js'
 * @import { Queue } from './queue.js'
 *
 * @typedef {object} Stranger an agent that this command cannot use
 * @property {string} name
 * @property {string} reason completes a sentence about the agent
 * @property {string} cure
 */

const SAME_SECRET = `set the same ${QUEUE_SECRET} for the command and all agents of the pool`;

/**
 * Reports that an agent is present; the report expires.
 *
 * @param {Pick<Queue, 'redis' | 'seal' | 'sealTime'>} queue
 * @param {string} pool
 * @param {Presence} presence
 * @param {number} lifeMs
 */
export async function reportPresence({ redis, seal, sealTime }, pool, presence, lifeMs) {
  const { id } = presence;
  const message = writeMessage(seal, 'presence', id, presence, { now: await sealTime(), lifeMs });
  await redis
    .pipeline()
    .sadd(KEYS.members(pool), id)
    .set(KEYS.agent(id), message, 'PX', lifeMs)
    .exec()
    .then(throwFirst);
}

/**
 * @param {Redis} redis
 * @param {string} pool
 * @param {string} id
 */
export async function endPresence(redis, pool, id) {
  await redis.pipeline().srem(KEYS.members(pool), id).del(KEYS.agent(id)).exec();
}

/**
 * @param {Pick<Queue, 'redis' | 'seal' | 'sealTime'>} queue
 * @param {string} pool
 * @returns {Promise<{ agents: Presence[], strangers: Stranger[] }>} both in the order of their names
 */
export async function readAgents({ redis, seal, sealTime }, pool) {
  const ids = await redis.smembers(KEYS.members(pool));
  if (ids.length === 0) return { agents: [], strangers: [] };
  const [texts, now] = await Promise.all([redis.mget(ids.map(KEYS.agent)), sealTime()]);
  const gone = ids.filter((_, i) => texts[i] === null);
  if (gone.length > 0) await redis.srem(KEYS.members(pool), gone);
  /** @type {Presence[]} */
  const agents = [];
  /** @type {Stranger[]} */
  const strangers = [];
  for (const [i, given] of texts.entries()) {
    if (given === null) continue;
    try {
      agents.push(readMessage(seal, 'presence', ids[i], { given, now }).message);
    } catch (error) {
      strangers.push(...strangerOf(given, /** @type {any} */ (error)));
    }
  }
  return { agents: agents.sort(byName), strangers: strangers.sort(byName) };
}

/** @type {(given: string, error: { reason?: string, cure?: string, message: string }) => Stranger[]} */
function strangerOf(given, error) {
  const found = readStranger(given);
  if (!found) return [];
  const { name, version, protocol } = found;
  if (protocol === PROTOCOL) return [{ name, reason: `is not used: ${error.message}`, cure: SAME_SECRET }];
  const reason = `has version ${version} with protocol ${protocol}, not ${PROTOCOL}`;
  return [{ name, reason, cure: 'install the same version of bench-rest on all machines' }];
}

/** @type {(a: { name: string }, b: { name: string }) => number} */
function byName(a, b) {
  return a.name < b.name ? -1 : 1;
}

/**
 * @param {[Error | null, unknown][] | null} results of a pipeline
 * @throws {Error} the first one of a command
 */
export function throwFirst(results) {
  const [error] = results?.find(([one]) => one !== null) ?? [null];
  if (error) throw error;
}

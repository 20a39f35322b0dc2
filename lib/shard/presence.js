import { KEYS, PROTOCOL, readPresence } from './protocol.js';

/**
 * @import { Redis } from 'ioredis'
 * @import { Presence } from './protocol.js'
 */

/**
 * Reports that an agent is present; the report expires.
 *
 * @param {Redis} redis
 * @param {string} pool
 * @param {Presence} presence
 * @param {number} expiryMs
 */
export async function reportPresence(redis, pool, presence, expiryMs) {
  await redis
    .pipeline()
    .sadd(KEYS.members(pool), presence.id)
    .set(KEYS.agent(presence.id), JSON.stringify(presence), 'PX', expiryMs)
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
 * @param {Redis} redis
 * @param {string} pool
 * @returns {Promise<{ agents: Presence[], strangers: Presence[] }>} strangers: of another protocol. Both in the order of their names
 */
export async function readAgents(redis, pool) {
  const ids = await redis.smembers(KEYS.members(pool));
  if (ids.length === 0) return { agents: [], strangers: [] };
  const texts = await redis.mget(ids.map(KEYS.agent));
  const gone = ids.filter((_, i) => texts[i] === null);
  if (gone.length > 0) await redis.srem(KEYS.members(pool), gone);
  const all = texts.flatMap((text) => readPresence(text) ?? []).sort((a, b) => (a.name < b.name ? -1 : 1));
  return {
    agents: all.filter(({ protocol }) => protocol === PROTOCOL),
    strangers: all.filter(({ protocol }) => protocol !== PROTOCOL),
  };
}

/**
 * @param {[Error | null, unknown][] | null} results of a pipeline
 * @throws {Error} the first one of a command
 */
export function throwFirst(results) {
  const [error] = results?.find(([one]) => one !== null) ?? [null];
  if (error) throw error;
}

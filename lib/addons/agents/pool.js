import { makeError } from '../../core/ground/errors.js';
import { KEYS, PROTOCOL, readMessage, readStranger, readValue, writeMessage } from './protocol.js';
import { throwFirst } from './queue.js';
import { QUEUE_SECRET } from './seal.js';

/** @import { Presence, PoolContext } from './types.js' */
/** @import { Queue } from './queue.js' */
/** @import { Redis } from 'ioredis' */

/** Agents that are not used, in a message. */
const MOST_NAMED = 5;
const LONGEST_OWNER = 255;

/** Renews the lock of its owner, or takes one that has expired. */
const RENEW = `
  local owner = redis.call('get', KEYS[1])
  if owner and owner ~= ARGV[1] then return 0 end
  redis.call('set', KEYS[1], ARGV[1], 'PX', ARGV[2])
  return 1`;
const RELEASE = `if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('del', KEYS[1]) end return 0`;

/** The lock of a pool: one run at a time, as the load of another one would change the measurements. */
export class PoolLock {
  #queue;
  #key;
  #owner;
  #expiryMs;
  /** @type {NodeJS.Timeout | undefined} */
  #timer;

  /**
   * @param {Queue} queue
   * @param {string} pool
   * @param {{ owner: string, expiryMs: number }} options owner: for people, and unique
   */
  constructor(queue, pool, { owner, expiryMs }) {
    this.#queue = queue;
    this.#key = KEYS.lock(pool);
    this.#owner = owner;
    this.#expiryMs = expiryMs;
  }

  /** Renews the lock; false: another run has it. @type {() => Promise<boolean>} */
  async renew() {
    return (await this.#queue.redis.eval(RENEW, 1, this.#key, this.#owner, this.#expiryMs)) === 1;
  }

  /** Renews it until it is released: packing a flow may take longer than a lock lasts. @type {(ms: number) => void} */
  keep(ms) {
    clearInterval(this.#timer);
    this.#timer = setInterval(() => void this.renew().catch(() => {}), ms).unref();
  }

  /** Names host and process of the owner. @type {() => Promise<string>} */
  async owner() {
    // Another program may have written it.
    const owner = await this.#queue.redis.getrange(this.#key, 0, LONGEST_OWNER - 1);
    return /^[\w.:-]+/.exec(owner)?.[0] ?? 'an unknown machine';
  }

  async release() {
    clearInterval(this.#timer);
    await this.#queue.redis.eval(RELEASE, 1, this.#key, this.#owner);
  }
}

/**
 * Waits until a pool is free, and locks it.
 * @throws {Error} E_POOL_BUSY
 * @type {(lock: PoolLock, context: PoolContext) => Promise<void>}
 */
export async function lockPool(lock, { queue, pool, notify, pause, isStopped, until, pollMs }) {
  let hasWaited = false;
  while (!isStopped() && !(await lock.renew())) {
    if (performance.now() >= until) throw await poolBusy(lock, { queue, pool });
    if (!hasWaited) notify(`waiting: the pool ${pool} is used by another run, of ${await lock.owner()}`);
    hasWaited = true;
    await pause(pollMs);
  }
}

/**
 * Makes sure that no other run has locked the pool meanwhile: the lock expires while this process or Redis does not
 * respond.
 * @throws {Error} E_POOL_BUSY
 * @type {(lock: PoolLock, context: Pick<PoolContext, 'queue' | 'pool'>) => Promise<void>}
 */
export async function confirmPool(lock, context) {
  if (!(await lock.renew())) throw await poolBusy(lock, context);
}

/** @type {(lock: PoolLock, context: Pick<PoolContext, 'queue' | 'pool'>) => Promise<Error>} */
async function poolBusy(lock, { queue, pool }) {
  return makeError('E_POOL_BUSY', { pool, place: queue.address, owner: await lock.owner() });
}

/**
 * Waits until enough agents are idle, and lists them.
 * @throws {Error} E_AGENTS_MISSING
 * @type {(needed: number, context: PoolContext) => Promise<Presence[]>}
 */
export async function awaitAgents(needed, { queue, pool, notify, pause, isStopped, until, pollMs }) {
  let lastText = '';
  for (;;) {
    const { agents, strangers } = await readAgents(queue, pool);
    const idle = agents.filter(({ isBusy }) => !isBusy);
    if (idle.length >= needed || isStopped()) {
      if (strangers.length > 0)
        notify(`agents of the pool ${pool} that this run leaves out: ${strangersText(strangers)}`);
      return idle;
    }
    const busy = agents.filter(({ isBusy }) => isBusy);
    const others = othersText({ idle, busy, strangers });
    if (performance.now() >= until)
      throw makeError('E_AGENTS_MISSING', {
        present: idle.length,
        needed,
        pool,
        place: queue.address,
        others,
        cure: cureFor(needed - idle.length, { queue, pool, strangers }),
      });
    const text = `waiting for agents of the pool ${pool}: ${idle.length} of ${needed} are ready${others}`;
    if (text !== lastText) notify(text);
    lastText = text;
    await pause(pollMs);
  }
}

/** @type {(agents: { idle: Presence[], busy: Presence[], strangers: Stranger[] }) => string} */
function othersText({ idle, busy, strangers }) {
  const names = (/** @type {Presence[]} */ agents) => agents.map(({ name }) => name).join(', ');
  const parts = [
    ...(idle.length > 0 ? [`ready: ${names(idle)}`] : []),
    ...(busy.length > 0 ? [`busy: ${names(busy)}`] : []),
    ...(strangers.length > 0 ? [strangersText(strangers)] : []),
  ];
  return parts.length > 0 ? ` (${parts.join('; ')})` : '';
}

/** @type {(strangers: Stranger[]) => string} */
function strangersText(strangers) {
  const named = strangers.slice(0, MOST_NAMED).map(({ name, reason }) => `${name} ${reason}`);
  return [...named, ...(strangers.length > MOST_NAMED ? [`${strangers.length - MOST_NAMED} others`] : [])].join('; ');
}

/** @type {(count: number, context: { queue: Queue, pool: string, strangers: Stranger[] }) => string} */
function cureFor(count, { queue, pool, strangers }) {
  if (strangers.length >= count) return strangers[0].cure;
  const where = count === 1 ? 'one more machine' : `${count} more machines`;
  return `start bench-rest agent --queue ${queue.address} --pool ${pool} on ${where}, or use fewer --agents`;
}

/**
 * @typedef {object} Stranger an agent that this command cannot use
 * @property {string} name
 * @property {string} reason completes a sentence about the agent
 * @property {string} cure
 */

const SAME_SECRET = `set the same ${QUEUE_SECRET} for the command and all agents of the pool`;

/** Characters of a name: see `isName`. */
const LONGEST_NAME = 60;

/**
 * Claims a name that no other agent of a pool has: several agents of one host have numbers, `vm`, `vm-2`, `vm-3`. It is
 * kept while {@link reportPresence} is called.
 * @type {(queue: Pick<Queue, 'redis'>, pool: string, agent: { id: string, name: string }, lifeMs: number) =>
 *   Promise<string>}
 */
export async function takeName({ redis }, pool, { id, name }, lifeMs) {
  for (let number = 1; ; number++) {
    const suffix = number === 1 ? '' : `-${number}`;
    const own = `${name.slice(0, LONGEST_NAME - suffix.length)}${suffix}`;
    if ((await redis.set(KEYS.name(pool, own), id, 'PX', lifeMs, 'NX')) === 'OK') return own;
  }
}

/**
 * Reports that an agent is present; the report expires.
 * @type {(queue: Pick<Queue, 'redis' | 'seal' | 'sealTime'>, pool: string, presence: Presence, lifeMs: number) =>
 *   Promise<boolean>} false: its name had expired, as after a suspension, and another agent has it
 */
export async function reportPresence({ redis, seal, sealTime }, pool, presence, lifeMs) {
  const { id, name } = presence;
  const message = writeMessage(seal, 'presence', id, presence, { now: await sealTime(), lifeMs });
  const results = await redis
    .pipeline()
    .sadd(KEYS.members(pool), id)
    .set(KEYS.agent(id), message, 'PX', lifeMs)
    .eval(RENEW, 1, KEYS.name(pool, name), id, lifeMs)
    .exec();
  throwFirst(results);
  return results?.at(-1)?.[1] !== 0;
}

/** @type {(redis: Redis, pool: string, agent: Pick<Presence, 'id' | 'name'>) => Promise<void>} */
export async function endPresence(redis, pool, { id, name }) {
  await redis
    .pipeline()
    .srem(KEYS.members(pool), id)
    .del(KEYS.agent(id))
    .eval(RELEASE, 1, KEYS.name(pool, name), id)
    .exec();
}

/**
 * @type {(queue: Pick<Queue, 'redis' | 'seal' | 'sealTime'>, pool: string) => Promise<{ agents: Presence[], strangers:
 *   Stranger[] }>}
 */
async function readAgents({ redis, seal, sealTime }, pool) {
  const ids = await redis.smembers(KEYS.members(pool));
  if (ids.length === 0) return { agents: [], strangers: [] };
  const values = ids.map((id) => readValue(redis, 'presence', KEYS.agent(id)));
  const [texts, now] = await Promise.all([Promise.all(values), sealTime()]);
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

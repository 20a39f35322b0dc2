import { makeError } from '../errors.js';
import { readAgents } from './presence.js';
import { KEYS } from './protocol.js';

/**
 * @import { Stranger } from './presence.js'
 * @import { Presence } from './protocol.js'
 * @import { Queue } from './queue.js'
 *
 * @typedef {object} PoolContext
 * @property {Queue} queue
 * @property {string} pool
 * @property {(text: string) => void} notify prints a line
 * @property {(ms: number) => Promise<void>} pause ends early if the run is stopped
 * @property {() => boolean} isStopped
 * @property {number} until instant of performance.now() when waiting ends
 * @property {number} pollMs
 */

/** Agents that are not used, in a message. */
const MOST_NAMED = 5;

/** Renews the lock of its owner, or takes one that has expired. */
const RENEW = `
  local owner = redis.call('get', KEYS[1])
  if owner and owner ~= ARGV[1] then return 0 end
  redis.call('set', KEYS[1], ARGV[1], 'PX', ARGV[2])
  return 1`;
const RELEASE = `if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('del', KEYS[1]) end return 0`;

/** The lock of a pool: one run at a time, as the load of another one would change what is measured. */
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

  /** @returns {Promise<boolean>} false: another run has it */
  async renew() {
    return (await this.#queue.redis.eval(RENEW, 1, this.#key, this.#owner, this.#expiryMs)) === 1;
  }

  /** Renews it until it is released: packing a flow may take longer than a lock lasts. @type {(ms: number) => void} */
  keep(ms) {
    clearInterval(this.#timer);
    this.#timer = setInterval(() => void this.renew().catch(() => {}), ms).unref();
  }

  /** @returns {Promise<string>} */
  async owner() {
    return (await this.#queue.redis.get(this.#key)) ?? '';
  }

  async release() {
    clearInterval(this.#timer);
    await this.#queue.redis.eval(RELEASE, 1, this.#key, this.#owner);
  }
}

/**
 * Waits until a pool is free, and locks it.
 *
 * @param {PoolLock} lock
 * @param {PoolContext} context
 * @throws {Error} E_POOL_BUSY
 */
export async function lockPool(lock, { queue, pool, notify, pause, isStopped, until, pollMs }) {
  let hasWaited = false;
  while (!isStopped() && !(await lock.renew())) {
    if (performance.now() >= until) throw await poolBusy(lock, { queue, pool });
    if (!hasWaited) notify(`waiting: the pool ${pool} is used by another run, of ${await hostOf(lock)}`);
    hasWaited = true;
    await pause(pollMs);
  }
}

/**
 * Makes sure that no other run has locked the pool meanwhile: the lock expires while this process or Redis does not respond.
 *
 * @param {PoolLock} lock
 * @param {Pick<PoolContext, 'queue' | 'pool'>} context
 * @throws {Error} E_POOL_BUSY
 */
export async function confirmPool(lock, context) {
  if (!(await lock.renew())) throw await poolBusy(lock, context);
}

/** @type {(lock: PoolLock, context: Pick<PoolContext, 'queue' | 'pool'>) => Promise<Error>} */
async function poolBusy(lock, { queue, pool }) {
  return makeError('E_POOL_BUSY', { pool, place: queue.place, owner: await hostOf(lock) });
}

/** @type {(lock: PoolLock) => Promise<string>} host and process of the owner */
async function hostOf(lock) {
  // another program may have written it
  return /^[\w.:-]{1,255}/.exec(await lock.owner())?.[0] ?? 'an unknown machine';
}

/**
 * Waits until enough agents are idle.
 *
 * @param {number} needed
 * @param {PoolContext} context
 * @returns {Promise<Presence[]>} the idle agents
 * @throws {Error} E_AGENTS_MISSING
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
        place: queue.place,
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
  return `start bench-rest agent --queue ${queue.place} --pool ${pool} on ${where}, or use fewer --agents`;
}

import { toCommonTime } from '../common-time.js';

/**
 * Permits a shard to start iterations below an INDEX, until a time. Its coordinator raises both while the shard reports. The
 * iterations above can be given to other agents, and each INDEX still runs once, without any clock: neither a machine that was
 * suspended nor one whose clock differs can start one that was given away. The time makes a shard pause that is cut off, so that
 * its load does not add to the load of the agents that have taken it over.
 */
export class StartPermit {
  #below;
  #until;
  #now;

  /**
   * @param {SharedArrayBuffer} memory of {@link permitMemory}, shared by all threads of a shard
   * @param {() => number} [now] ms, common time of all threads
   */
  constructor(memory, now = () => toCommonTime(performance.now())) {
    this.#below = new BigInt64Array(memory, 0, 1);
    this.#until = new BigInt64Array(memory, BYTES, 1);
    this.#now = now;
  }

  /** @type {(index: number) => boolean} */
  allows(index) {
    return index < Number(Atomics.load(this.#below, 0)) && this.#now() < Number(Atomics.load(this.#until, 0));
  }

  /**
   * @param {number} below INDEX that may not start; a lower one than before changes nothing
   * @param {number} until common time
   */
  extend(below, until) {
    if (below > Number(Atomics.load(this.#below, 0))) Atomics.store(this.#below, 0, BigInt(below));
    Atomics.store(this.#until, 0, BigInt(Math.floor(until)));
  }
}

const BYTES = BigInt64Array.BYTES_PER_ELEMENT;

/** @returns {SharedArrayBuffer} for a permit that allows nothing yet */
export function permitMemory() {
  return new SharedArrayBuffer(2 * BYTES);
}

/**
 * Which iterations a shard may start: those below an INDEX that its coordinator raises while it hears of the shard. A shard
 * that is cut off runs out of them, so what follows can be given to other agents, and each INDEX still runs once. No clock
 * is involved: neither a machine that was suspended nor one whose clock differs can start what was given away.
 */
export class StartPermit {
  #below;

  /** @param {SharedArrayBuffer} memory of {@link permitMemory}, shared by all threads of a shard */
  constructor(memory) {
    this.#below = new BigInt64Array(memory);
  }

  /** @type {(index: number) => boolean} */
  allows(index) {
    return index < Number(Atomics.load(this.#below, 0));
  }

  /** @param {number} below INDEX that may not start; a lower one than before changes nothing */
  extend(below) {
    if (!this.allows(below - 1)) Atomics.store(this.#below, 0, BigInt(below));
  }
}

/** @returns {SharedArrayBuffer} for a permit that allows nothing yet */
export function permitMemory() {
  return new SharedArrayBuffer(BigInt64Array.BYTES_PER_ELEMENT);
}

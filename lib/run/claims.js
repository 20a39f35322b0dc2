/**
 * Who takes which INDEX: each is given once.
 *
 * @typedef {object} Claims
 * @property {() => number} count how many are taken
 * @property {() => number} take the next
 * @property {(from: number, to: number) => boolean} skip gives up those from one to below the other; false if somebody was faster
 */

/** Of one thread. @returns {Claims} */
export function localClaims() {
  let next = 0;
  return {
    count: () => next,
    take: () => next++,
    skip(_from, to) {
      next = to;
      return true;
    },
  };
}

/** Of one of several threads that share nothing: each takes every `parts`-th. @type {(part: number, parts: number) => Claims} */
export function stridingClaims(part, parts) {
  const { count, take } = localClaims();
  return { count: () => count() * parts, take: () => part + take() * parts, skip: () => false };
}

/**
 * Memory for {@link sharedClaims} and {@link startedCounts}.
 *
 * @param {number} parts threads
 */
export function claimsMemory(parts) {
  return new SharedArrayBuffer(CLAIMS_BYTES + parts * Float64Array.BYTES_PER_ELEMENT);
}

/** Of several threads. @type {(memory: SharedArrayBuffer) => Claims} */
export function sharedClaims(memory) {
  // 64 bits: 2^32 iterations take eight hours at 150,000 a second
  const next = new BigInt64Array(memory, 0, 1);
  return {
    count: () => Number(Atomics.load(next, 0)),
    take: () => Number(Atomics.add(next, 0, 1n)),
    skip: (from, to) => Atomics.compareExchange(next, 0, BigInt(from), BigInt(to)) === BigInt(from),
  };
}

/** How many iterations each thread has started; only it writes there. @type {(memory: SharedArrayBuffer) => Float64Array} */
export function startedCounts(memory) {
  return new Float64Array(memory, CLAIMS_BYTES);
}

const CLAIMS_BYTES = BigInt64Array.BYTES_PER_ELEMENT;

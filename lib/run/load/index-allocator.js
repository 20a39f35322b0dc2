/**
 * Hands out the INDEX of iterations: each one once.
 *
 * @typedef {object} IndexAllocator
 * @property {() => number} count indexes handed out or skipped
 * @property {() => number} next
 * @property {(from: number, to: number) => boolean} skip drops `from` up to, not including, `to`; false if another
 *   thread has taken one of them meanwhile
 */

/** For a single thread. @returns {IndexAllocator} */
export function localIndexes() {
  let next = 0;
  return {
    count: () => next,
    next: () => next++,
    skip(_from, to) {
      next = to;
      return true;
    },
  };
}

/**
 * For threads that share no memory: thread `part` takes every `parts`-th index.
 *
 * @param {number} part
 * @param {number} parts
 * @returns {IndexAllocator}
 */
export function stridedIndexes(part, parts) {
  const own = localIndexes();
  return { count: () => own.count() * parts, next: () => part + own.next() * parts, skip: () => false };
}

/**
 * Memory for {@link sharedIndexes} and {@link startedCounts}.
 *
 * @param {number} parts threads
 * @returns {SharedArrayBuffer}
 */
export function indexMemory(parts) {
  return new SharedArrayBuffer(NEXT_BYTES + parts * Float64Array.BYTES_PER_ELEMENT);
}

/**
 * For threads that share memory.
 *
 * @param {SharedArrayBuffer} memory
 * @returns {IndexAllocator}
 */
export function sharedIndexes(memory) {
  // 64 bits: at 150,000 iterations per second, 32 bits overflow after eight hours
  const next = new BigInt64Array(memory, 0, 1);
  return {
    count: () => Number(Atomics.load(next, 0)),
    next: () => Number(Atomics.add(next, 0, 1n)),
    skip: (from, to) => Atomics.compareExchange(next, 0, BigInt(from), BigInt(to)) === BigInt(from),
  };
}

/**
 * @param {SharedArrayBuffer} memory
 * @returns {Float64Array} started iterations of each thread; only that thread writes its element
 */
export function startedCounts(memory) {
  return new Float64Array(memory, NEXT_BYTES);
}

const NEXT_BYTES = BigInt64Array.BYTES_PER_ELEMENT;

/** True if the tests run with their full counts: `npm run test:all`, or FULL=1. */
export const IS_FULL = process.env.FULL === '1';

/**
 * The count of a test: `npm test` uses the small one, so that it ends in a minute on two cores.
 *
 * @template T
 * @param {T} quick
 * @param {T} full
 * @returns {T}
 */
export const scaled = (quick, full) => (IS_FULL ? full : quick);

/** A statement that ends only with its thread; with the small counts it waits in a loop, which takes no CPU. */
export const COMPUTE_FOREVER = scaled(
  'for (const word = new Int32Array(new SharedArrayBuffer(4)); ; ) Atomics.wait(word, 0, 0, 5);',
  'for (;;);',
);

/**
 * The rows of a matrix that a test runs: all combinations with the full counts, otherwise enough for each value of each
 * dimension to occur at least once.
 *
 * @param {...unknown[]} dimensions
 * @returns {unknown[][]}
 */
export function combinations(...dimensions) {
  if (IS_FULL) return dimensions.reduce((rows, values) => rows.flatMap((row) => values.map((v) => [...row, v])), [[]]);
  const most = Math.max(...dimensions.map((values) => values.length));
  return Array.from({ length: most }, (_, i) => dimensions.map((values) => values[i % values.length]));
}

import { progressFigures } from './progress-figures.js';

/** @import { Progress } from './progress-figures.js' */

const EVERY_MS = 10_000;

/**
 * A plain line every ten seconds, where nobody watches a bar.
 *
 * @param {NodeJS.WritableStream} stream
 * @param {() => number} [now] ms
 */
export function startLines(stream, now = () => performance.now()) {
  const begun = now();
  let last = begun;
  return {
    /** @type {(progress: Progress) => void} */
    update(progress) {
      if (now() - last < EVERY_MS) return;
      last = now();
      const { percent, ips, rps, p50, p99, concurrent, errors } = progressFigures(progress);
      stream.write(
        `${Math.round((last - begun) / 1000)} s: ${percent} %, ${ips} iterations/s, ${rps} requests/s, p50 ${p50} ms, p99 ${p99} ms, ${concurrent} under way, ${errors} errors\n`,
      );
    },
    stop() {},
  };
}

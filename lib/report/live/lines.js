import { progressFigures } from './progress-figures.js';

/** @import { StartDisplay } from '../types.js' */

const EVERY_MS = 10_000;

/** @type {StartDisplay} */
export function start(run, { stderr }, now = () => performance.now()) {
  const startedAt = now();
  let last = startedAt;
  run.on('progress', (progress) => {
    if (now() - last < EVERY_MS) return;
    last = now();
    const { percent, ips, rps, p50, p99, concurrent, errors } = progressFigures(progress);
    stderr.write(
      `${Math.round((last - startedAt) / 1000)} s: ${percent} %, ${ips} iterations/s, ${rps} requests/s, p50 ${p50} ms, p99 ${p99} ms, ${concurrent} running, ${errors} errors\n`,
    );
  });
  return () => {};
}

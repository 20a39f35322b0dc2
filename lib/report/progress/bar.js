import progress from 'cli-progress';

import { progressFigures } from './progress-figures.js';

/** @import { Progress } from './progress-figures.js' */

const FORMATS = /** @type {[columns: number, format: string][]} */ ([
  [
    120,
    '{bar} {percentage}% | eta {eta_formatted} | {concurrent} under way | {ips} iterations/s | {rps} requests/s | p50 {p50} p99 {p99} ms | {errors} errors',
  ],
  [90, '{bar} {percentage}% | eta {eta_formatted} | {ips}/s | p50 {p50} p99 {p99} ms | {errors} errors'],
  [0, '{percentage}% | {ips}/s | p99 {p99} ms | {errors} errors'],
]);
const UNKNOWN = { concurrent: '0', ips: '0', rps: '0', p50: '-', p99: '-', errors: '0' };

/**
 * One line that moves: percent, time left, lanes busy, rates, percentiles of the last second, errors.
 *
 * @param {NodeJS.WriteStream} stream a terminal
 */
export function startBar(stream) {
  const columns = stream.columns ?? 80;
  const [, format] = /** @type {[number, string]} */ (FORMATS.find(([from]) => columns >= from));
  const bar = new progress.SingleBar({
    stream,
    format,
    barsize: Math.max(10, Math.min(30, columns - 100)),
    barCompleteChar: '=',
    barIncompleteChar: ' ',
    hideCursor: true,
    etaBuffer: 5,
    gracefulExit: false,
  });
  bar.start(100, 0, UNKNOWN);
  return {
    /** @type {(progress: Progress) => void} */
    update: (now) => bar.update(now.percent, progressFigures(now)),
    /** Leaves the last line standing and shows the cursor again. */
    stop: () => bar.stop(),
  };
}

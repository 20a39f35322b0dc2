import progress from 'cli-progress';

import { progressFigures } from './progress-figures.js';

/** @import { StartDisplay } from '../types.js' */

const FORMATS = /** @type {[columns: number, format: string][]} */ ([
  [
    120,
    '{bar} {percentage}% | eta {eta_formatted} | {concurrent} running | {ips} iterations/s | {rps} requests/s | p50 {p50} p99 {p99} ms | {errors} errors',
  ],
  [90, '{bar} {percentage}% | eta {eta_formatted} | {ips}/s | p50 {p50} p99 {p99} ms | {errors} errors'],
  [0, '{percentage}% | {ips}/s | p99 {p99} ms | {errors} errors'],
]);
const UNKNOWN = { concurrent: '0', ips: '0', rps: '0', p50: '-', p99: '-', errors: '0' };
const DEFAULT_COLUMNS = 80;

/** @type {StartDisplay} */
export function start(run, { stderr }) {
  const columns = stderr.columns ?? DEFAULT_COLUMNS;
  const [, format] = /** @type {[number, string]} */ (FORMATS.find(([from]) => columns >= from));
  const bar = new progress.SingleBar({
    stream: stderr,
    format,
    barsize: Math.max(10, Math.min(30, columns - 100)),
    barCompleteChar: '=',
    barIncompleteChar: ' ',
    hideCursor: true,
    etaBuffer: 5,
    gracefulExit: false,
  });
  bar.start(100, 0, UNKNOWN);
  run.on('progress', (now) => bar.update(now.percent, progressFigures(now)));
  return () => bar.stop();
}

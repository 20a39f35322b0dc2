import progress from 'cli-progress';

const FORMAT = '{bar} {percentage}% | eta {eta_formatted} | conc {concurrent} | {ips} iterations/s | {errors} errors';
const NARROW = '{percentage}% | {ips}/s | {errors} errors';

/**
 * One line that moves: percent, time left, lanes busy, iterations a second.
 *
 * @param {NodeJS.WriteStream} stream a terminal
 */
export function startBar(stream) {
  const columns = stream.columns ?? 80;
  const bar = new progress.SingleBar({
    stream,
    format: columns < 90 ? NARROW : FORMAT,
    barsize: Math.max(10, Math.min(40, columns - 70)),
    barCompleteChar: '=',
    barIncompleteChar: ' ',
    hideCursor: true,
    etaBuffer: 5,
    gracefulExit: false,
  });
  bar.start(100, 0, { concurrent: 0, ips: 0, errors: 0 });
  return {
    /** @type {(percent: number, figures: { concurrent: number, ips: number, errors: number }) => void} */
    update: (percent, figures) => bar.update(percent, figures),
    /** Leaves the last line standing and shows the cursor again. */
    stop: () => bar.stop(),
  };
}

import { percent } from '../../ground/decimal.js';
import { forLocale } from '../terminal.js';
import { FirstErrors, LiveFigures, durationText } from './live-figures.js';

/** @import { LiveDisplay, StartDisplay } from '../types.js' */

const DEFAULT_EVERY_MS = 10_000;

/** Writes a line with the figures every ten seconds, for logs, and each new kind of error. @type {StartDisplay} */
export function start({ stderr, unicode, totalMs, everyMs = DEFAULT_EVERY_MS }) {
  const figures = new LiveFigures({ windowMs: everyMs });
  const errors = new FirstErrors();
  let last = 0;
  /** @type {LiveDisplay} */
  return {
    tick(tick) {
      figures.tick(tick);
      const { elapsedMs, share } = tick;
      if (elapsedMs === null || elapsedMs - last < everyMs) return;
      last = elapsedMs;
      const { rate, p50, p99, inFlight, errors: failures, precision, parts } = figures.textsOf(tick);
      const each = parts.length > 0 ? `; ${parts.join('; ')}` : '';
      const done = share > 0 ? ` (${percent(Math.min(1, share))})` : '';
      const all = [rate, p50, p99, inFlight, failures, ...precision].join(', ');
      print(forLocale(`${durationText(tick, totalMs)}${done}: ${all}${each}`, unicode));
    },
    state(stats) {
      figures.state(stats);
      for (const line of errors.linesOf(stats)) print(`error: ${line}`);
    },
    print,
    stop() {},
  };

  /** @type {(text: string) => void} */
  function print(text) {
    stderr.write(`${text}\n`);
  }
}

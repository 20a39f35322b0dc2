import progress from 'cli-progress';

import { glyphsOf, forLocale } from '../terminal.js';
import { joined, painter, widthOf, wrapped } from '../text/layout.js';
import { FirstErrors, LiveFigures, durationText, shareDone } from './live-figures.js';
import { isInForeground, restoring } from './own-terminal.js';

/** @import { Tick } from '../../contracts/run.js' */
/** @import { Glyphs } from '../terminal.js' */
/** @import { Paint } from '../text/layout.js' */
/** @import { LiveDisplay, StartDisplay } from '../types.js' */

const DEFAULT_COLUMNS = 80;
const WITH_BAR_FROM = 60;
const MAX_BAR = 60;
const UPDATES_PER_SECOND = 5;
const INDENT = '  ';
/** Sequences that clear the screen below the cursor, let lines wrap, and keep them from it. */
const [CLEAR, WRAP, NO_WRAP] = ['\u001b[J', '\u001b[?7h', '\u001b[?7l'];
const [CURSOR, NO_CURSOR] = ['\u001b[?25h', '\u001b[?25l'];

/**
 * Shows two lines at the end of the terminal: a bar with the time, and the figures of the moment. The library draws
 * lines, of any text; the bar in the first one is ours.
 * @type {StartDisplay}
 */
export function start({ stderr, color, unicode, totalMs, title, errors = new FirstErrors(), isGuest = false }) {
  const paint = painter(color);
  const glyphs = glyphsOf(unicode);
  const figures = new LiveFigures();
  const bars = new progress.MultiBar({
    stream: stderr,
    format: (_options, _params, { text }) => text,
    fps: UPDATES_PER_SECOND,
    forceRedraw: true,
    hideCursor: !isGuest,
    linewrap: isGuest,
    clearOnComplete: true,
    gracefulExit: false,
  });
  const create = () => bars.create(1, 0, { text: '' });
  const plain = (/** @type {string[]} */ texts) => texts.map((text) => forLocale(text, unicode));
  const [first, second] = [create(), create()];
  /** The line of several loads, or of streams, once there are some. @type {import('cli-progress').SingleBar | null} */
  let third = null;
  const columns = () => stderr.columns || DEFAULT_COLUMNS;
  let hasPrinted = false;
  const cancel = isGuest ? () => {} : restoringCursor(stderr, () => (third ? 2 : 1));
  /** @type {LiveDisplay} */
  return {
    tick(tick) {
      const width = Math.max(1, columns() - 1) - INDENT.length;
      figures.tick(tick);
      first.update(0, { text: INDENT + timeLine(tick, { width, title, totalMs, paint, glyphs }) });
      second.update(0, { text: INDENT + figuresLine(tick, width) });
      const { parts } = figures.textsOf(tick);
      if (parts.length > 0) third ??= create();
      third?.update(0, { text: INDENT + firstLine(plain(parts), width) });
    },
    state(stats) {
      figures.state(stats);
      for (const line of errors.linesOf(stats))
        print(paint('red', wrapped(`${glyphs.failed} ${line}`, INDENT.length, columns())));
    },
    print,
    stop() {
      cancel();
      // This is between these lines and the report.
      if (hasPrinted) print('');
      // This writes the last lines.
      bars.update();
      bars.stop();
    },
  };

  /** @type {(text: string) => void} */
  function print(text) {
    hasPrinted = true;
    bars.log(isGuest ? `${CLEAR}${text}\n` : `${CLEAR}${WRAP}${text}\n${NO_WRAP}`);
  }

  /** Joins as many figures as fit, the most important ones first. @type {(tick: Tick, width: number) => string} */
  function figuresLine(tick, width) {
    if (tick.elapsedMs === null) return '';
    const { rate, p50, p99, errors: failures, inFlight, precision } = figures.textsOf(tick);
    const goals = plain(precision);
    const fitting = firstLine([rate, failures, ...goals, p99, p50, inFlight], width).split(INDENT);
    // The line itself has them in the order in which people read them.
    const shown = [...goals, rate, p50, p99, failures, inFlight].filter((part) => fitting.includes(part));
    const painted = shown.map((part) => (part === failures && tick.errors > 0 ? paint('red', part) : part));
    return painted.join(INDENT);
  }
}

/** As many texts as fit. @type {(texts: string[], width: number) => string} */
function firstLine(texts, width) {
  return joined(texts, { gap: INDENT, indent: 0, width })[0] ?? '';
}

/**
 * @type {(tick: Tick, options: { width: number, title?: string, totalMs: number, paint: Paint, glyphs: Glyphs }) =>
 *   string}
 */
function timeLine(tick, { width, title, totalMs, paint, glyphs }) {
  const time = [...(title === undefined ? [] : [title]), durationText(tick, totalMs)].join(INDENT);
  const share = shareDone(tick, totalMs);
  const room = Math.min(MAX_BAR, width - widthOf(time) - 2);
  if (width + INDENT.length + 1 < WITH_BAR_FROM || share === null || tick.elapsedMs === null)
    return time.slice(0, width);
  const done = Math.round(share * room);
  return `${paint('cyan', glyphs.done.repeat(done))}${paint('dim', glyphs.left.repeat(room - done))}  ${time}`;
}

/**
 * Gives the cursor back to the shell while the process is suspended; then the lines are drawn again below what the
 * shell printed. `rows` counts the lines above the last one.
 * @type {(stderr: NodeJS.WriteStream, rows: () => number) => () => void}
 */
function restoringCursor(stderr, rows) {
  const restore = () => void stderr.write(`\n${WRAP}${CURSOR}`);
  const resume = () => void (isInForeground(stderr) && stderr.write(`${NO_WRAP}${NO_CURSOR}${'\n'.repeat(rows())}`));
  return restoring(stderr, restore, resume);
}

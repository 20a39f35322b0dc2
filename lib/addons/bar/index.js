import progress from 'cli-progress';

import { forLocale, glyphsOf } from '../../core/report/terminal.js';
import { cut, joined, painter, widthOf, wrapped } from '../../core/report/text/layout.js';
import { FirstErrors, LiveFigures, durationText, shareDone } from '../../core/report/live/live-figures.js';
import { isInForeground, restoring } from './own-terminal.js';

/** @import { Tick } from '../../core/contracts/run.js' */
/** @import { DisplayContext, LiveDisplay, StartDisplay } from '../../core/report/types.js' */

const DEFAULT_COLUMNS = 80;
/** Columns of the narrowest terminal with a bar. */
const WITH_BAR_FROM = 60;
const MAX_BAR = 60;
const UPDATES_PER_SECOND = 5;
const INDENT = '  ';
/** Sequences that clear the screen below the cursor, and turn the wrapping of lines on and off. */
const [CLEAR, WRAP, NO_WRAP] = ['\u001b[J', '\u001b[?7h', '\u001b[?7l'];
const [CURSOR, NO_CURSOR] = ['\u001b[?25h', '\u001b[?25l'];

/** Two lines at the end of the terminal: a bar with the time, and the figures of the moment. @type {StartDisplay} */
export function start(context) {
  return new Bar(context);
}

/**
 * The library draws lines, of any text; the bar in the first one is ours.
 * @implements {LiveDisplay}
 */
class Bar {
  #context;
  #paint;
  #glyphs;
  #figures = new LiveFigures();
  #errors;
  #lines;
  #first;
  #second;
  /** The line of several loads, or of streams, once there are some. @type {import('cli-progress').SingleBar | null} */
  #third = null;
  #hasPrinted = false;
  /** Stops restoring the cursor. */
  #cancel;

  /** @param {DisplayContext} context */
  constructor(context) {
    const { stderr, color, unicode, errors = new FirstErrors(), isGuest = false } = context;
    this.#context = context;
    this.#paint = painter(color);
    this.#glyphs = glyphsOf(unicode);
    this.#errors = errors;
    this.#lines = new progress.MultiBar({
      stream: stderr,
      format: (_options, _params, { text }) => text,
      fps: UPDATES_PER_SECOND,
      forceRedraw: true,
      hideCursor: !isGuest,
      linewrap: isGuest,
      clearOnComplete: true,
      gracefulExit: false,
    });
    this.#first = this.#newLine();
    this.#second = this.#newLine();
    this.#cancel = isGuest ? () => {} : restoringCursor(stderr, () => (this.#third ? 2 : 1));
  }

  /** @type {LiveDisplay['tick']} */
  tick(tick) {
    const width = Math.max(1, this.#columns() - 1) - INDENT.length;
    this.#figures.tick(tick);
    this.#first.update(0, { text: INDENT + this.#timeLine(tick, width) });
    this.#second.update(0, { text: INDENT + this.#figuresLine(tick, width) });
    const { parts } = this.#figures.textsOf(tick);
    if (parts.length > 0) this.#third ??= this.#newLine();
    this.#third?.update(0, { text: INDENT + firstLine(this.#forLocale(parts), width) });
  }

  /** @type {LiveDisplay['state']} */
  state(stats) {
    this.#figures.state(stats);
    for (const line of this.#errors.linesOf(stats))
      this.print(this.#paint('red', wrapped(`${this.#glyphs.failed} ${line}`, INDENT.length, this.#columns())));
  }

  /** @type {LiveDisplay['print']} */
  print(text) {
    this.#hasPrinted = true;
    this.#lines.log(this.#context.isGuest ? `${CLEAR}${text}\n` : `${CLEAR}${WRAP}${text}\n${NO_WRAP}`);
  }

  stop() {
    this.#cancel();
    // An empty line, between what was printed and the report.
    if (this.#hasPrinted) this.print('');
    // This writes the last lines.
    this.#lines.update();
    this.#lines.stop();
  }

  #newLine() {
    return this.#lines.create(1, 0, { text: '' });
  }

  #columns() {
    return this.#context.stderr.columns || DEFAULT_COLUMNS;
  }

  /** @type {(texts: string[]) => string[]} */
  #forLocale(texts) {
    return texts.map((text) => forLocale(text, this.#context.unicode));
  }

  /** The bar, if it has room, and the time. @type {(tick: Tick, width: number) => string} */
  #timeLine(tick, width) {
    const { title, totalMs } = this.#context;
    const { done, left, ellipsis } = this.#glyphs;
    const time = [...(title === undefined ? [] : [title]), durationText(tick, totalMs)].join(INDENT);
    const share = shareDone(tick, totalMs);
    const room = Math.min(MAX_BAR, width - widthOf(time) - 2);
    const hasRoom = this.#columns() >= WITH_BAR_FROM && room > 0;
    if (!hasRoom || share === null || tick.elapsedMs === null) return cut(time, width, ellipsis);
    const part = Math.round(share * room);
    return `${this.#paint('cyan', done.repeat(part))}${this.#paint('dim', left.repeat(room - part))}  ${time}`;
  }

  /** Joins as many figures as fit, the most important ones first. @type {(tick: Tick, width: number) => string} */
  #figuresLine(tick, width) {
    if (tick.elapsedMs === null) return '';
    const { rate, p50, p99, errors: failures, inFlight, precision } = this.#figures.textsOf(tick);
    const goals = this.#forLocale(precision);
    const fitting = firstLine([rate, failures, ...goals, p99, p50, inFlight], width).split(INDENT);
    // The line itself has them in the order in which people read them.
    const shown = [...goals, rate, p50, p99, failures, inFlight].filter((part) => fitting.includes(part));
    const painted = shown.map((part) => (part === failures && tick.errors > 0 ? this.#paint('red', part) : part));
    return painted.join(INDENT);
  }
}

/** As many texts as fit. @type {(texts: string[], width: number) => string} */
function firstLine(texts, width) {
  return joined(texts, { gap: INDENT, indent: 0, width })[0] ?? '';
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

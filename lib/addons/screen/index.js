import { WriteStream } from 'node:tty';

import { start as startBar } from '../bar/index.js';
import { FirstErrors, LiveFigures } from '../../core/report/live/live-figures.js';
import { SCREEN } from './size.js';
import { isInForeground } from '../bar/own-terminal.js';
import { Frames, MOST_MESSAGES } from './frame.js';
import { HeatStrip } from './heat.js';
import { NO_STATE, screenModel, stateModel } from './model.js';
import { AlternateScreen } from './terminal.js';

/** @import { IntervalCounts, Tick } from '../../core/contracts/run.js' */
/** @import { Stats } from '../../core/contracts/stats.js' */
/** @import { DisplayContext, LiveDisplay, StartDisplay } from '../../core/report/types.js' */

/** Time between two frames. */
const FRAME_MS = 250;
/** Time between two frames that draw everything: another program may have written to the terminal. */
const WHOLE_MS = 10_000;
/** The end of a run can be estimated after this time. */
const KNOWN_AFTER_MS = 500;
/** Characters of messages that are kept for the end of the screen; a flow that prints more gets the bar. */
const MOST_KEPT = 100_000;

/**
 * Starts the whole screen of a terminal, or a bar: before it is known that the run takes long enough, and in a terminal
 * that is too small.
 * @type {StartDisplay}
 */
export function start(context) {
  return new Screen(context);
}

/**
 * Estimates whether a run takes long enough for the screen, by the share of it that is over: iterations may end it
 * before its planned end, never later.
 * @type {(tick: Tick | null, totalMs: number) => boolean}
 */
function isLong(tick, totalMs) {
  const { elapsedMs = null, share = 0 } = tick ?? {};
  if (elapsedMs === null || elapsedMs < KNOWN_AFTER_MS) return false;
  return Math.min(totalMs || Infinity, elapsedMs / share) >= SCREEN.ms;
}

/** @implements {LiveDisplay} */
class Screen {
  #context;
  #terminal;
  #figures = new LiveFigures();
  #strip = new HeatStrip();
  #errors = new FirstErrors();
  #frames = new Frames();
  /** @type {Tick | null} */
  #tick = null;
  #state = NO_STATE;
  /** The results that no frame has shown yet. @type {Stats | null} */
  #stats = null;
  /** The printed lines, for the time after the screen. @type {string[]} */
  #kept = [];
  #keptLength = 0;
  /** The last lines of the notices and of what was printed. @type {string[]} */
  #messages = [];
  /** The display in place of the screen. @type {LiveDisplay | null} */
  #bar = null;
  /** More was printed than is kept: from now on there is the bar. */
  #hasOverflowed = false;
  /** The run is known to take long enough. */
  #isDue;
  /** The error that ended the drawing. @type {unknown} */
  #failure = null;
  #timer;
  /** When a frame draws everything again, ms of `performance.now()`. */
  #wholeAt = 0;

  /** @param {DisplayContext} context */
  constructor(context) {
    this.#context = context;
    this.#isDue = context.isWanted === true;
    for (const text of context.notices ?? []) this.#addMessage(text);
    this.#terminal = new AlternateScreen(context.stderr, () => this.#takeKept());
    this.#timer = setInterval(() => this.#drawInTime(), FRAME_MS).unref();
    this.#drawInTime();
  }

  /** @type {LiveDisplay['tick']} */
  tick = (tick) =>
    this.#orLeave(() => {
      if (this.#failure !== null) throw this.#failure;
      this.#tick = tick;
      this.#figures.tick(tick);
      this.#bar?.tick(tick);
    });

  /** @type {(stats: Stats, intervals?: IntervalCounts[]) => void} */
  state = (stats, intervals = []) =>
    this.#orLeave(() => {
      this.#figures.state(stats);
      this.#strip.add(intervals);
      this.#stats = stats;
      this.#bar?.state(stats);
    });

  /** Shows lines, and keeps them for the time after the screen. @type {LiveDisplay['print']} */
  print = (text) => {
    if (this.#bar) return this.#bar.print(text);
    this.#addMessage(text);
    this.#kept.push(text);
    this.#keptLength += text.length;
    this.#hasOverflowed = this.#keptLength > MOST_KEPT;
    return undefined;
  };

  /** @type {(text: string) => void} */
  #addMessage(text) {
    this.#messages = [...this.#messages, ...text.split('\n')].slice(-MOST_MESSAGES);
  }

  stop = () => {
    clearInterval(this.#timer);
    this.#bar?.stop();
    this.#terminal.leave();
  };

  /** The caller closes a display that fails, so its terminal is restored first. @type {(act: () => void) => void} */
  #orLeave(act) {
    try {
      act();
    } catch (error) {
      clearInterval(this.#timer);
      this.#terminal.leave();
      throw error;
    }
  }

  /** A failure is thrown by the next call, as a timer calls this. */
  #drawInTime() {
    try {
      this.#orLeave(() => this.#draw());
    } catch (error) {
      this.#failure = error;
    }
  }

  /** Draws the screen, or the bar if it has no room. */
  #draw() {
    const { stderr, head, unicode } = this.#context;
    const { columns = 0, rows = 0 } = stderr;
    this.#isDue ||= isLong(this.#tick, this.#context.totalMs);
    const isLarge = columns >= SCREEN.columns && rows >= SCREEN.rows && !this.#hasOverflowed;
    if (!isLarge || !this.#isDue || !isInForeground(stderr)) return this.#toBar();
    this.#bar?.stop();
    this.#bar = null;
    this.#terminal.enter();
    const now = performance.now();
    if (now >= this.#wholeAt) {
      this.#terminal.forget();
      this.#wholeAt = now + WHOLE_MS;
    }
    if (this.#stats) this.#state = stateModel(this.#stats, this.#figures);
    this.#stats = null;
    const model = screenModel({
      head: head ?? { title: this.#context.title ?? '', subtitle: '' },
      totalMs: this.#context.totalMs,
      tick: this.#tick,
      figures: this.#figures,
      state: this.#state,
      strip: this.#strip,
      messages: this.#messages,
    });
    return this.#terminal.draw(this.#frames.next(model, { columns, rows, unicode, depth: depthOf(this.#context) }));
  }

  #toBar() {
    if (this.#bar) return;
    this.#terminal.leave();
    this.#bar = startBar({ ...this.#context, errors: this.#errors });
    if (this.#tick) this.#bar.tick(this.#tick);
  }

  /** Returns what was printed while the screen was shown. */
  #takeKept() {
    const text = this.#kept.map((one) => `${one}\n`).join('');
    this.#kept = [];
    this.#keptLength = 0;
    return text;
  }
}

/**
 * Returns how many bits a color of the terminal has: 1 without colors, else at least the 4 of its own ones.
 * @type {(context: Pick<DisplayContext, 'stderr' | 'color' | 'env'>) => number}
 */
function depthOf({ color, env = {} }) {
  return color ? Math.max(4, WriteStream.prototype.getColorDepth(/** @type {object} */ (env))) : 1;
}

import { closeSync, constants, openSync, writeSync } from 'node:fs';

import { restoring } from '../bar/own-terminal.js';

/** @import { TerminalStream } from '../bar/own-terminal.js' */

/**
 * @typedef {object} Segment a part of a row of the screen
 * @property {string} text with escape sequences for colors, which end in it
 * @property {number} width columns
 */

/** DEC private modes: the alternate screen, the cursor, wrapping of lines, and frames that appear at once. */
const ENTER = '\u001b[?1049h\u001b[?25l\u001b[?7l\u001b[2J';
const LEAVE = '\u001b[?2026l\u001b[0m\u001b[r\u001b[?7h\u001b[?25h\u001b[?1049l';
const BEGIN = '\u001b[?2026h\u001b[28m';
/**
 * The terminal echoes keys, and the mouse wheel as arrows, where the cursor is: concealed, in the last row, which each
 * frame writes again. A line feed scrolls nothing there, as it is outside the rows that scroll.
 */
const END = '\u001b[1;2r\u001b[999;999H\u001b[8m\u001b[?2026l';

/**
 * The alternate screen of a terminal. It is left at the end of the process, too, and when the process is suspended; the
 * next frame after that enters it again. A frame is written without waiting: what a slow terminal does not take is
 * written later, and frames until then are left out.
 */
export class AlternateScreen {
  #stream;
  /** A descriptor of the terminal whose writes do not wait; null: the stream gets them. @type {number | null} */
  #file = null;
  /** The bytes that the terminal has not taken yet. */
  #rest = Buffer.alloc(0);
  /** The rows that it shows. @type {Segment[][]} */
  #rows = [];
  #isEntered = false;
  #cancel = () => {};
  #textAfter;

  /**
   * @param {NodeJS.WriteStream} stream
   * @param {() => string} textAfter returns what is printed when the screen is left
   */
  constructor(stream, textAfter) {
    this.#stream = stream;
    this.#textAfter = textAfter;
  }

  enter() {
    if (this.#isEntered) return;
    this.#isEntered = true;
    this.#file = openedAgain(this.#stream);
    this.#cancel = restoring(this.#stream, this.leave);
    this.#rows = [];
    this.#rest = Buffer.alloc(0);
    this.#stream.write(ENTER);
  }

  /** Restores the terminal, at once. */
  leave = () => {
    if (!this.#isEntered) return;
    this.#isEntered = false;
    this.#cancel();
    if (this.#file !== null) closeSync(this.#file);
    this.#file = null;
    // For a terminal this waits, so that the report follows.
    this.#stream.write(LEAVE + this.#textAfter());
  };

  /** Draws everything anew with the next frame: other programs may have written to the terminal. */
  forget() {
    this.#rows = [];
  }

  /** Writes what has changed since the last frame. @type {(rows: Segment[][]) => void} */
  draw(rows) {
    if (!this.#isEntered || !this.#isReady()) return;
    const changes = rows.map((row, y) => changesOf(row, this.#rows[y], y)).join('');
    this.#rows = rows;
    if (changes !== '') this.#write(`${BEGIN}${changes}${footOf(rows)}${END}`);
  }

  /** Reports whether the terminal has taken the last frame. */
  #isReady() {
    if (this.#file === null) return !this.#stream.writableNeedDrain;
    if (this.#rest.length > 0) this.#write('');
    return this.#rest.length === 0;
  }

  /** @type {(text: string) => void} */
  #write(text) {
    if (this.#file === null) return void this.#stream.write(text);
    const bytes = Buffer.concat([this.#rest, Buffer.from(text)]);
    this.#rest = bytes.subarray(written(this.#file, bytes));
    return undefined;
  }
}

/**
 * Opens the terminal of a stream once more, as Node lets writes to it wait. Null: it cannot be opened, or the stream is
 * no terminal of the process.
 * @type {(stream: TerminalStream) => number | null}
 */
function openedAgain({ fd }) {
  if (typeof fd !== 'number' || process.platform === 'win32') return null;
  try {
    return openSync(`/dev/fd/${fd}`, constants.O_WRONLY | constants.O_NONBLOCK | constants.O_NOCTTY);
  } catch {
    return null;
  }
}

/** Writes as much as the terminal takes. @type {(file: number, bytes: Buffer) => number} how many bytes */
function written(file, bytes) {
  try {
    return writeSync(file, bytes);
  } catch (error) {
    // A terminal that was closed takes nothing more.
    return /** @type {NodeJS.ErrnoException} */ (error).code === 'EAGAIN' ? 0 : bytes.length;
  }
}

/**
 * Returns the text that turns a row into another one: its segments that differ, or all if they are at other columns.
 * Each has its column, as a terminal may have its own idea of how wide a character is.
 * @type {(row: Segment[], before: Segment[] | undefined, y: number) => string}
 */
function changesOf(row, before, y) {
  if (row === before) return '';
  const isSameLayout =
    before !== undefined && before.length === row.length && row.every(({ width }, i) => width === before[i].width);
  let changes = isSameLayout ? '' : `\u001b[${y + 1};1H\u001b[K`;
  let column = 1;
  row.forEach(({ text, width }, i) => {
    if (!isSameLayout || text !== before[i].text) changes += `\u001b[${y + 1};${column}H${text}`;
    column += width;
  });
  return changes;
}

/** Returns the text that writes the last row and clears the rest of the line. @type {(rows: Segment[][]) => string} */
function footOf(rows) {
  const texts = rows[rows.length - 1].map(({ text }) => text);
  return `\u001b[${rows.length};1H${texts.join('')}\u001b[K`;
}

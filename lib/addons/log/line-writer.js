import { shortened } from '../../core/text/format-value.js';
import { LOG_COLUMNS } from './log-format.js';

/** @import { LogFormat } from './log-format.js' */

/** Bytes of characters. */
const ZERO = 48;
const MINUS = 45;
const POINT = 46;
/** Above it, arithmetic of whole numbers is slower, and numbers are written as text. */
const MOST_WHOLE = 2 ** 31;
/** Bytes of a line without its texts: 19 columns with names and numbers of up to 20 digits. */
const MOST_WITHOUT_TEXTS = 700;
const encoder = new TextEncoder();
/** Characters of a text: names may have any length, and a line fits into the buffer. */
const LONGEST_TEXT = 1000;

/**
 * Writes the lines of a log into `bytes`, from `at` on, column by column. It makes no texts of numbers: one with a
 * fraction would cost more than all the rest of a line (bench/micro/run/log/log-file.js). Texts are shortened to 1,000
 * characters.
 */
export class LineWriter {
  #format;
  /** The column that comes next. */
  #column = 0;
  /** The wall clock in seconds, and its digits. */
  #second = -1;
  #secondDigits = new Uint8Array();
  /** @type {Uint8Array} */
  bytes = new Uint8Array();
  at = 0;

  /** @param {LogFormat} format */
  constructor(format) {
    this.#format = format;
  }

  /**
   * Encodes columns, from the name of the first on, whose texts many lines have in common.
   * @type {(first: string, values: (string | number | null | undefined)[]) => Uint8Array}
   */
  segment(first, values) {
    const { before, none, quote } = this.#format;
    const from = LOG_COLUMNS.findIndex(({ name }) => name === first);
    const parts = values.flatMap((value, i) => {
      const text = typeof value === 'number' ? String(value) : quote(shortened(value ?? '', LONGEST_TEXT));
      return [before[from + i], value === null || value === undefined ? none : encoder.encode(text)];
    });
    return Buffer.concat(parts);
  }

  /** Returns how many bytes a line has at most. `texts` are those of its segments. @type {(texts: number) => number} */
  static mostBytes(texts) {
    return MOST_WITHOUT_TEXTS + texts;
  }

  begin() {
    this.#column = 0;
  }

  end() {
    this.#copy(this.#format.end);
  }

  /** Writes columns that were encoded before. @type {(segment: Uint8Array, columns: number) => void} */
  segments(segment, columns) {
    this.#column += columns;
    this.#copy(segment);
  }

  /** Writes the wall clock, in ms with three decimals. @type {(ms: number) => void} */
  time(ms) {
    this.#copy(this.#format.before[this.#column++]);
    const second = Math.floor(ms / 1000);
    if (second !== this.#second) {
      this.#second = second;
      this.#secondDigits = encoder.encode(String(second));
    }
    const us = Math.min(999_999, Math.round((ms - second * 1000) * 1000));
    const whole = Math.floor(us / 1000);
    this.#copy(this.#secondDigits);
    this.#three(whole);
    this.bytes[this.at++] = POINT;
    this.#three(us - whole * 1000);
  }

  /** Writes a time in ms with three decimals; NaN: there is none. @type {(ms: number) => void} */
  ms(ms) {
    this.#copy(this.#format.before[this.#column++]);
    if (!(ms > -MOST_WHOLE && ms < MOST_WHOLE)) {
      this.#large(ms, 3);
      return;
    }
    let rest = ms;
    if (ms < 0) {
      this.bytes[this.at++] = MINUS;
      rest = -ms;
    }
    let whole = Math.floor(rest);
    let us = Math.round((rest - whole) * 1000);
    if (us === 1000) {
      whole++;
      us = 0;
    }
    this.#digits(whole);
    this.bytes[this.at++] = POINT;
    this.#three(us);
  }

  /** Writes a whole number from 0; NaN: there is none. @type {(value: number) => void} */
  count(value) {
    this.#copy(this.#format.before[this.#column++]);
    if (value >= 0 && value < MOST_WHOLE) this.#digits(value);
    else this.#large(value, 0);
  }

  /** @type {(value: string | null) => void} */
  text(value) {
    this.#copy(this.#format.before[this.#column++]);
    this.#copy(value === null ? this.#format.none : encoder.encode(this.#format.quote(shortened(value, LONGEST_TEXT))));
  }

  /** @type {(value: number, decimals: number) => void} */
  #large(value, decimals) {
    this.#copy(Number.isFinite(value) ? encoder.encode(value.toFixed(decimals)) : this.#format.none);
  }

  /** Copies bytes by a loop: for few bytes, a native copy costs more. @type {(bytes: Uint8Array) => void} */
  #copy(bytes) {
    const { bytes: out } = this;
    let { at } = this;
    for (let i = 0; i < bytes.length; i++) out[at++] = bytes[i];
    this.at = at;
  }

  /** @type {(value: number) => void} */
  #digits(value) {
    const { bytes } = this;
    let length = 1;
    for (let limit = 10; limit <= value; limit *= 10) length++;
    let rest = value;
    for (let i = this.at + length - 1; i >= this.at; i--) {
      const next = Math.floor(rest / 10);
      bytes[i] = ZERO + rest - next * 10;
      rest = next;
    }
    this.at += length;
  }

  /** @type {(value: number) => void} below 1000 */
  #three(value) {
    const { bytes, at } = this;
    const hundreds = Math.floor(value / 100);
    const tens = Math.floor((value - hundreds * 100) / 10);
    bytes[at] = ZERO + hundreds;
    bytes[at + 1] = ZERO + tens;
    bytes[at + 2] = ZERO + value - hundreds * 100 - tens * 10;
    this.at = at + 3;
  }
}

import { write } from 'node:fs';
import { open, stat } from 'node:fs/promises';

import { makeError } from '../../ground/errors.js';
import { settlesWithin } from '../closing.js';
import { LOG_COLUMNS, beginningOf } from './log-format.js';

/**
 * @import { LogFormat } from './log-format.js'
 * @import { FileHandle } from 'node:fs/promises'
 */

/**
 * @typedef {{ bytes: Buffer, length: number, lines: number }} Chunk
 */

const CHUNK_BYTES = 256 * 1024;
/** 2 MB per thread: what is written in a second at 10,000 lines per second */
const MOST_CHUNKS = 8;
/** Time limit of the last write, ms: a disk that hangs does not hold up the result. */
const CLOSE_MS = 2000;

/**
 * A file that is written while requests are sent: in the background, in order, with a bounded buffer. If the disk is
 * slower, {@link room} returns false. The first failure of a file is its last.
 */
export class LogFile {
  #file;
  #isClosed = false;
  /** @type {Chunk} */
  #current = newChunk();
  /** full, in their order; the first one is being written @type {Chunk[]} */
  #full = [];
  /** @type {Chunk[]} */
  #free = [];
  #isWriting = false;
  #onDrained = () => {};
  /** lines that are in the file */
  lines = 0;
  /** why it could not be written @type {string | null} */
  error = null;

  /** @param {Pick<FileHandle, 'fd' | 'close'>} file open for writing */
  constructor(file) {
    this.#file = file;
  }

  /**
   * Opens a file. An existing one is replaced, if it is a log of requests.
   *
   * @param {string} path absolute
   * @param {LogFormat} format
   * @returns {Promise<LogFile>}
   * @throws {Error} E_LOG
   */
  static async open(path, format) {
    try {
      await checkExisting(path, format);
      const file = new LogFile(await open(path, 'w'));
      file.add(Buffer.from(format.header), 0);
      return file;
    } catch (error) {
      const { code = '' } = /** @type {any} */ (error);
      if (code === 'E_LOG') throw error;
      throw makeError('E_LOG', { path, ...reasonOf(code, /** @type {Error} */ (error)) }, { cause: error });
    }
  }

  /**
   * @param {number} bytes at most a chunk
   * @returns {boolean} false: they do not fit into the buffer
   */
  room(bytes) {
    if (this.error !== null || this.#isClosed) return false;
    if (CHUNK_BYTES - this.#current.length >= bytes) return true;
    const next = this.#free.pop() ?? (this.#full.length + 1 < MOST_CHUNKS ? newChunk() : null);
    if (next === null) return false;
    this.#full.push(this.#current);
    this.#current = next;
    this.#write();
    return true;
  }

  /** The chunk that is filled: write at `length`, then call {@link added}. */
  get chunk() {
    return this.#current;
  }

  /** @param {number} length of the chunk, with a line more */
  added(length) {
    this.#current.length = length;
    this.#current.lines++;
  }

  /** @type {(bytes: Buffer, lines: number) => void} */
  add(bytes, lines) {
    if (!this.room(bytes.length)) return;
    bytes.copy(this.#current.bytes, this.#current.length);
    this.#current.length += bytes.length;
    this.#current.lines += lines;
  }

  /** Writes what has been added, so that it can be read during the run. */
  flush() {
    if (this.#isWriting || this.error !== null || this.#current.length === 0) return;
    this.room(CHUNK_BYTES + 1);
  }

  /** Writes the rest. */
  async close() {
    if (this.#isClosed) return;
    if (this.error === null && this.#current.length > 0) this.#full.push(this.#current);
    this.#isClosed = true;
    const drained = new Promise((resolve) => (this.#onDrained = () => resolve(null)));
    this.#write();
    if (!this.#isWriting) this.#onDrained();
    const isWritten = await settlesWithin(drained, CLOSE_MS);
    if (!isWritten) this.error ??= `the disk did not answer for ${CLOSE_MS / 1000} s`;
    const isOpen = !(await settlesWithin(this.#file.close(), isWritten ? CLOSE_MS : 0));
    if (isOpen) this.error ??= 'it could not be closed';
  }

  #write() {
    const [chunk] = this.#full;
    if (this.#isWriting || chunk === undefined) return;
    this.#isWriting = true;
    this.#writeFrom(chunk, 0);
  }

  /** @type {(chunk: Chunk, from: number) => void} */
  #writeFrom(chunk, from) {
    write(this.#file.fd, chunk.bytes, from, chunk.length - from, null, (error, written) => {
      if (error) this.#fail(error);
      else if (from + written < chunk.length) this.#writeFrom(chunk, from + written);
      else this.#written(chunk);
    });
  }

  /** @type {(chunk: Chunk) => void} */
  #written(chunk) {
    this.#isWriting = false;
    this.lines += chunk.lines;
    this.#full.shift();
    this.#free.push(Object.assign(chunk, { length: 0, lines: 0 }));
    this.#write();
    if (!this.#isWriting) this.#onDrained();
  }

  /** @type {(error: NodeJS.ErrnoException) => void} */
  #fail(error) {
    this.#isWriting = false;
    this.#full = [];
    this.#free = [];
    this.error = reasonOf(error.code ?? '', error).reason;
    this.#onDrained();
  }
}

/** @type {() => Chunk} */
function newChunk() {
  return { bytes: Buffer.allocUnsafeSlow(CHUNK_BYTES), length: 0, lines: 0 };
}

/** Another file may be a flow, its data, or a result. @type {(path: string, format: LogFormat) => Promise<void>} */
async function checkExisting(path, format) {
  const beginning = Buffer.from(beginningOf(format));
  const stats = await stat(path).catch((error) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
  if (stats === null) return;
  const refuse = (/** @type {string} */ reason) =>
    makeError('E_LOG', { path, reason, cure: 'remove it, or use another path' });
  if (!stats.isFile()) throw refuse('is not a file');
  if (stats.size === 0) return;
  const file = await open(path, 'r');
  try {
    const { buffer } = await file.read(Buffer.alloc(beginning.length), 0, beginning.length, 0);
    if (!buffer.equals(beginning)) throw refuse('exists and is not a log of requests');
  } finally {
    await file.close();
  }
}

/** @type {(code: string, error: Error) => { reason: string, cure: string }} */
function reasonOf(code, { message }) {
  const reasons = {
    ENOSPC: ['the disk is full', 'free some space'],
    ENOENT: ['its folder does not exist', 'create it, or use another path'],
    ENOTDIR: ['its folder is a file', 'use another path'],
    EISDIR: ['is a folder', 'name a file in it'],
    EACCES: ['no permission to write there', 'use another folder'],
    EROFS: ['no permission to write there', 'use another folder'],
    EDQUOT: ['the quota of the disk is used up', 'free some space'],
    EFBIG: ['the file is too large', 'lower --log-rate'],
  };
  const [reason, cure] = /** @type {Record<string, string[]>} */ (reasons)[code] ?? [
    code || message,
    'use another path',
  ];
  return { reason, cure };
}

const ZERO = 48;
const MINUS = 45;
const POINT = 46;
/** above it, arithmetic of whole numbers is slower, and numbers are written as text */
const MOST_WHOLE = 2 ** 31;
/** a line without its texts: 19 columns with names and numbers of up to 20 digits */
const NUMBERS = 700;
const encoder = new TextEncoder();

/**
 * Writes the lines of a log as bytes: with texts, numbers with a fraction cost more than all the rest of a line
 * (bench/micro/run/log/log-file.js).
 */
export class LineWriter {
  #format;
  /** the column that comes next */
  #column = 0;
  /** the wall clock in seconds, and its digits */
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
   * Encodes columns whose texts many lines have in common.
   *
   * @param {string} first name of the first column
   * @param {(string | number | null | undefined)[]} values
   * @returns {Uint8Array}
   */
  segment(first, values) {
    const { before, none, quote } = this.#format;
    const from = LOG_COLUMNS.findIndex(({ name }) => name === first);
    const parts = values.flatMap((value, i) => {
      const text = typeof value === 'number' ? String(value) : quote(value ?? '');
      return [before[from + i], value === null || value === undefined ? none : encoder.encode(text)];
    });
    return Buffer.concat(parts);
  }

  /**
   * @param {number} texts bytes of the segments of a line
   * @returns {number} the bytes that it takes at most
   */
  static mostBytes(texts) {
    return NUMBERS + texts;
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

  /** The wall clock, in ms with three decimals. @type {(ms: number) => void} */
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

  /** A time in ms with three decimals; NaN: there is none. @type {(ms: number) => void} */
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

  /** A whole number from 0; NaN: there is none. @type {(value: number) => void} */
  count(value) {
    this.#copy(this.#format.before[this.#column++]);
    if (value >= 0 && value < MOST_WHOLE) this.#digits(value);
    else this.#large(value, 0);
  }

  /** @type {(value: string | null) => void} */
  text(value) {
    this.#copy(this.#format.before[this.#column++]);
    this.#copy(value === null ? this.#format.none : encoder.encode(this.#format.quote(value)));
  }

  /** @type {(value: number, decimals: number) => void} */
  #large(value, decimals) {
    this.#copy(Number.isFinite(value) ? encoder.encode(value.toFixed(decimals)) : this.#format.none);
  }

  /** A loop: for few bytes, a native copy costs more. @type {(bytes: Uint8Array) => void} */
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

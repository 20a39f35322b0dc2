import { ftruncate, write } from 'node:fs';
import { open, stat } from 'node:fs/promises';

import { makeError } from '../../ground/errors.js';
import { settlesWithin } from '../closing.js';

/** @import { LogFormat } from '../types.js' */
/** @import { FileHandle } from 'node:fs/promises' */

/**
 * @typedef {{ bytes: Buffer, length: number, lines: number }} Chunk
 */

const CHUNK_BYTES = 256 * 1024;
/** 2 MB per thread: the lines of a second at 10,000 per second. */
const MOST_CHUNKS = 8;
/** Bytes of a file; a line has at most a tenth of it. */
const BEGINNING_BYTES = 64 * 1024;
const LINE_END = 10;
/** Time limit of the last write, ms: a disk that hangs does not hold up the result. */
const CLOSE_MS = 2000;

/**
 * A file that is written while requests are sent: in the background, in order, with a bounded buffer. If the disk is
 * slower, {@link room} returns false. The first failure of a file is its last.
 */
export class LogFile {
  #file;
  #writeBytes;
  #isClosed = false;
  /** @type {Chunk} */
  #current = newChunk();
  /** Full chunks in their order; the first one is being written. @type {Chunk[]} */
  #full = [];
  /** @type {Chunk[]} */
  #free = [];
  #isWriting = false;
  /** Bytes of the chunks that are in the file, and of its header. */
  #size;
  #onDrained = () => {};
  /** Lines that are in the file. */
  lines = 0;
  /** The reason why it could not be written. @type {string | null} */
  error = null;

  /**
   * @param {Pick<FileHandle, 'fd' | 'close'>} file open for writing
   * @param {number} [size] bytes that are in it
   * @param {typeof write} [writeBytes] of the file system
   */
  constructor(file, size = 0, writeBytes = write) {
    this.#writeBytes = writeBytes;
    this.#file = file;
    this.#size = size;
  }

  /**
   * Opens a file (an absolute path). An existing one is replaced, if it is a log of requests. Throws E_LOG.
   * @throws {Error} E_LOG
   * @type {(path: string, format: LogFormat) => Promise<LogFile>}
   */
  static async open(path, format) {
    try {
      await checkExisting(path, format);
      const file = await open(path, 'w');
      try {
        await file.writeFile(format.header);
      } catch (error) {
        await file.close();
        throw error;
      }
      return new LogFile(file, Buffer.byteLength(format.header));
    } catch (error) {
      const { code = '' } = /** @type {any} */ (error);
      if (code === 'E_LOG') throw error;
      throw makeError('E_LOG', { path, ...reasonOf(code, /** @type {Error} */ (error)) }, { cause: error });
    }
  }

  /** Makes room in the buffer; false: the bytes do not fit. @type {(bytes: number) => boolean} */
  room(bytes) {
    if (this.error !== null || this.#isClosed || bytes > CHUNK_BYTES) return false;
    return CHUNK_BYTES - this.#current.length >= bytes || this.#rotate();
  }

  /** Begins another chunk, and writes the current one. @type {() => boolean} false: the disk is behind */
  #rotate() {
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

  /** Notes that the chunk has one line more, and this length. @type {(length: number) => void} */
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

  /** Writes the added lines, so that they can be read during the run. */
  flush() {
    if (this.#isWriting || this.error !== null || this.#current.length === 0) return;
    this.#rotate();
  }

  /** Waits until all added lines are written. */
  async drain() {
    if (this.error === null && this.#current.length > 0) {
      this.#full.push(this.#current);
      this.#current = newChunk();
    }
    const drained = new Promise((resolve) => (this.#onDrained = () => resolve(null)));
    this.#write();
    if (!this.#isWriting) this.#onDrained();
    const isWritten = await settlesWithin(drained, CLOSE_MS);
    if (!isWritten) this.error ??= `the disk did not answer for ${CLOSE_MS / 1000} s`;
  }

  /** Writes the rest. */
  async close() {
    if (this.#isClosed) return;
    this.#isClosed = true;
    await this.drain();
    const isOpen = !(await settlesWithin(this.#file.close(), this.#isWriting ? 0 : CLOSE_MS));
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
    this.#writeBytes(this.#file.fd, chunk.bytes, from, chunk.length - from, null, (error, written) => {
      if (error) this.#fail(error, chunk.bytes.subarray(0, from));
      else if (from + written < chunk.length) this.#writeFrom(chunk, from + written);
      else this.#written(chunk);
    });
  }

  /** @type {(chunk: Chunk) => void} */
  #written(chunk) {
    this.#isWriting = false;
    this.#size += chunk.length;
    this.lines += chunk.lines;
    this.#full.shift();
    this.#free.push(Object.assign(chunk, { length: 0, lines: 0 }));
    this.#write();
    if (!this.#isWriting) this.#onDrained();
  }

  /**
   * Ends the file after an error. Part of a chunk may be in it: its last line is removed if it was cut.
   * @type {(error: NodeJS.ErrnoException, written: Buffer) => void}
   */
  #fail(error, written) {
    this.#full = [];
    this.#free = [];
    this.error = reasonOf(error.code ?? '', error).reason;
    const complete = written.subarray(0, written.lastIndexOf(LINE_END) + 1);
    this.lines += complete.reduce((count, byte) => (byte === LINE_END ? count + 1 : count), 0);
    ftruncate(this.#file.fd, this.#size + complete.length, () => {
      this.#isWriting = false;
      this.#onDrained();
    });
  }
}

/** @type {() => Chunk} */
function newChunk() {
  return { bytes: Buffer.allocUnsafeSlow(CHUNK_BYTES), length: 0, lines: 0 };
}

/**
 * Refuses to replace another file: it may be a flow, its data, or a result.
 * @type {(path: string, format: LogFormat) => Promise<void>}
 */
async function checkExisting(path, format) {
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
    const { buffer, bytesRead } = await file.read(Buffer.alloc(BEGINNING_BYTES), 0, BEGINNING_BYTES, 0);
    const [firstLine, rest] = buffer.toString('utf8', 0, bytesRead).split('\n', 2);
    if (rest === undefined || !format.isFirstLine(firstLine)) throw refuse('exists and is not a log of requests');
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

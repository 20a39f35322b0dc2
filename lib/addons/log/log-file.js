import { randomBytes } from 'node:crypto';
import { ftruncate, write } from 'node:fs';
import { link, open, readFile, realpath, stat, unlink, utimes, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { basename, dirname, join } from 'node:path';

import { isOurs, makeError } from '../../core/ground/errors.js';
import { machine, startOf } from '../processes/private-folder.js';
import { settlesWithin } from '../../core/run/closing.js';

/** @import { LogFormat } from './log-format.js' */
/** @import { FileHandle } from 'node:fs/promises' */

/** @typedef {{ bytes: Buffer, length: number, lines: number }} Chunk */

/** Bytes of a part of the buffer, which is written at once. */
const CHUNK_BYTES = 256 * 1024;
/** 2 MB per thread: the lines of a second at 10,000 per second. */
const MOST_CHUNKS = 8;
/** Bytes that are read of an existing file to recognize it; a line has at most a tenth of it. */
const BEGINNING_BYTES = 64 * 1024;
const LINE_END = 10;
/** Time limit of the last write, ms: a disk that hangs does not hold up the result. */
const CLOSE_MS = 2000;

/**
 * A file that is written while requests are sent: in the background, in order, with a bounded buffer. To add a line,
 * ask for {@link room}, which is false if the disk is slower, write its bytes into {@link chunk}, and call
 * {@link added}. The first failure of a file is its last.
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
   * Opens a file (an absolute path). An existing one is replaced, if it is a log of requests.
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

  async close() {
    if (this.#isClosed) return;
    this.#isClosed = true;
    await this.drain();
    // A disk that hangs is not waited for twice.
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

/** Refuses to replace a file that may be of value. @type {(path: string, format: LogFormat) => Promise<void>} */
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
    EFBIG: ['the file is too large', 'use another disk, or a shorter run'],
  };
  const [reason, cure] = /** @type {Record<string, string[]>} */ (reasons)[code] ?? [
    code || message,
    'use another path',
  ];
  return { reason, cure };
}

/** A run renews its lock in this interval; after the longer time it has ended, ms. */
const RENEW_MS = 10_000;
const LEFT_MS = 120_000;

/**
 * Reserves a log (an absolute path) for a run: two runs would write into one file, or the later one would empty it. A
 * file beside it, `requests.csv.lock`, names the process that writes, and when that started; that of a process that
 * was killed is replaced. It appears with its text, so a full disk leaves no empty one.
 * Where none can be written, the log is opened without. The returned function releases it.
 * @throws {Error} E_LOG: another run has it
 * @type {(path: string) => Promise<() => Promise<void>>}
 */
async function lockLog(path) {
  const file = `${await withoutLinks(path)}.lock`;
  const own = `${file}-${process.pid}-${randomBytes(4).toString('hex')}`;
  try {
    await writeFile(own, `${process.pid} ${startOf(process.pid)} ${machine()} ${hostname()}\n`, { flag: 'wx' });
    for (let attempt = 1; ; attempt++) {
      try {
        await link(own, file);
        break;
      } catch (error) {
        if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'EEXIST') return async () => {};
      }
      const owner = await ownerOf(file, own);
      if (owner !== null || attempt > 1) throw inUse(path, file, owner ?? 'another run');
      await unlink(file).catch(() => {});
    }
  } catch (error) {
    if (isOurs(error)) throw error;
    // The log itself cannot be opened either, and says why; or its folder permits no other file.
    return async () => {};
  } finally {
    await unlink(own).catch(() => {});
  }
  const renewing = setInterval(() => void utimes(file, new Date(), new Date()).catch(() => {}), RENEW_MS).unref();
  return () => {
    clearInterval(renewing);
    return unlink(file).catch(() => {});
  };
}

/**
 * Reserves several logs (absolute paths), or none. The returned function releases them.
 * @throws {Error} E_LOG: another run has one of them
 * @type {(paths: string[]) => Promise<() => Promise<void>>}
 */
export async function lockLogs(paths) {
  /** @type {(() => Promise<void>)[]} */
  const releases = [];
  const release = async () => void (await Promise.all(releases.splice(0).map((one) => one())));
  try {
    for (const path of paths) releases.push(await lockLog(path));
  } catch (error) {
    await release();
    throw error;
  }
  return release;
}

/** @type {(path: string, file: string, owner: string) => Error} */
function inUse(path, file, owner) {
  return makeError('E_LOG', {
    path,
    reason: `${owner} writes it`,
    cure: `use another path, or wait for that run; if there is none, remove ${file}`,
  });
}

/** Resolves links: several paths may lead to one file. @type {(path: string) => Promise<string>} */
async function withoutLinks(path) {
  try {
    return await realpath(path);
  } catch {
    const folder = await realpath(dirname(path)).catch(() => dirname(path));
    return join(folder, basename(path));
  }
}

/**
 * Returns who has a lock, in words; null: its process has ended. `own` was written now, by the clock of that file
 * system: a process of another machine, or of a container, that does not renew its lock has ended.
 * @type {(file: string, own: string) => Promise<string | null>}
 */
async function ownerOf(file, own) {
  try {
    const [text, { mtimeMs }, { mtimeMs: now }] = await Promise.all([readFile(file, 'utf8'), stat(file), stat(own)]);
    const [, pid, start, where, host] = /^(\d+) (\d+) (\w+) (.*)\n/.exec(text) ?? [];
    if (pid !== undefined && where === machine()) return isRunning(Number(pid), start) ? `process ${pid}` : null;
    if (now - mtimeMs > LEFT_MS) return null;
    return pid === undefined ? 'another run' : `process ${pid} of ${host}`;
  } catch (error) {
    // It was released meanwhile.
    if (/** @type {NodeJS.ErrnoException} */ (error).code === 'ENOENT') return null;
    return 'another run';
  }
}

/** Another process may have its number by now, with another start. @type {(pid: number, start: string) => boolean} */
function isRunning(pid, start) {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code === 'ESRCH') return false;
  }
  const now = startOf(pid);
  return now === '0' || now === start;
}

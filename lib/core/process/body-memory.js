import { makeError } from '../ground/errors.js';

/** Bytes per unit of the counters: 32 bits of units are 2 TiB. */
const UNIT = 1024;
/** Half of what a counter holds: threads add before they compare, so a sum may exceed the limit for a moment. */
const MAX_UNITS = 2 ** 30;

/** Units of all runs of this process, their workers included. */
const PROCESS_UNITS = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT);

/**
 * @typedef {object} SharedCounters shared by the threads of a run
 * @property {SharedArrayBuffer} total units of the process
 * @property {SharedArrayBuffer} held units of each thread of the run
 */

/** The memory that kept bodies of a process share; the account of each virtual user returns just what it holds. */
export class BodyMemory {
  #limit;
  #maxUnits;
  #total;
  #held;
  #thread;

  /**
   * @param {number} limit bytes
   * @param {SharedCounters} [counters] of the main thread
   * @param {number} [thread] number of this thread; no other thread writes its counter
   */
  constructor(limit, counters = countersOf(1), thread = 0) {
    this.#limit = limit;
    this.#maxUnits = Math.min(MAX_UNITS, Math.floor(limit / UNIT));
    this.#total = new Int32Array(counters.total);
    this.#held = new Int32Array(counters.held);
    this.#thread = thread;
  }

  /** @type {() => BodyAccount} */
  open() {
    return new BodyAccount(this);
  }

  /** Reserves units for this thread. @throws {Error} E_BODY_MEMORY: none is reserved @type {(units: number) => void} */
  reserve(units) {
    const before = Atomics.add(this.#total, 0, units);
    if (before + units > this.#maxUnits) {
      Atomics.sub(this.#total, 0, units);
      throw makeError('E_BODY_MEMORY', { limit: this.#limit });
    }
    this.#held[this.#thread] += units;
  }

  /** @type {(units: number) => void} */
  free(units) {
    Atomics.sub(this.#total, 0, units);
    this.#held[this.#thread] -= units;
  }

  /** Releases the memory that a thread still held when it ended. @type {(thread: number) => void} */
  freeThread(thread) {
    Atomics.sub(this.#total, 0, Atomics.exchange(this.#held, thread, 0));
  }
}

/** The memory of one virtual user. */
export class BodyAccount {
  #memory;
  #bytes = 0;
  #units = 0;
  #isClosed = false;
  /** Something was reserved since the last release. */
  isUsed = false;

  /** @param {BodyMemory} memory */
  constructor(memory) {
    this.#memory = memory;
  }

  /**
   * Reserves memory. Call it before the allocation.
   * @throws {Error} E_BODY_MEMORY; nothing is reserved then
   * @type {(bytes: number) => void}
   */
  reserve(bytes) {
    // A hook that still runs after the end of the run may read a body.
    if (this.#isClosed) return;
    this.isUsed = true;
    const units = Math.ceil((this.#bytes + bytes) / UNIT);
    if (units > this.#units) {
      this.#memory.reserve(units - this.#units);
      this.#units = units;
    }
    this.#bytes += bytes;
  }

  /** @type {(bytes: number) => void} */
  free(bytes) {
    if (this.#isClosed) return;
    this.#bytes -= bytes;
    const units = Math.ceil(this.#bytes / UNIT);
    if (units < this.#units) {
      this.#memory.free(this.#units - units);
      this.#units = units;
    }
  }

  /** Releases everything; the account can be used again. */
  release() {
    if (this.#units > 0) this.#memory.free(this.#units);
    this.isUsed = false;
    this.#units = 0;
    this.#bytes = 0;
  }

  /** Releases everything, and counts nothing from now on. */
  close() {
    this.release();
    this.#isClosed = true;
  }
}

/** @type {(threads: number) => SharedCounters} */
export function countersOf(threads) {
  return { total: PROCESS_UNITS, held: new SharedArrayBuffer(threads * Int32Array.BYTES_PER_ELEMENT) };
}

/** Returns the bytes of all runs of this process, rounded up to KiB. @type {() => number} */
export function bodyMemoryInUse() {
  return Atomics.load(new Int32Array(PROCESS_UNITS), 0) * UNIT;
}

/** An account that counts nothing, for data that another limit bounds. */
export const UNCOUNTED = new BodyAccount(new BodyMemory(0));
UNCOUNTED.close();

/**
 * Copies a whole body; its memory is counted.
 * @throws {Error} E_BODY_MEMORY
 * @type {(source: Buffer, from: number, to: number, account: BodyAccount) => Buffer}
 */
export function copyOf(source, from, to, account) {
  account.reserve(to - from);
  return Buffer.from(source.subarray(from, to));
}

const NOTHING = Buffer.alloc(0);

/** Joins pieces in a Buffer that doubles, so that a body in pieces of one byte costs no more than a single piece. */
export class JoinedBytes {
  #account;
  #bytes = NOTHING;
  #size = 0;

  /** @param {BodyAccount} [account] counts the allocated bytes */
  constructor(account = UNCOUNTED) {
    this.#account = account;
  }

  /**
   * Copies a piece; all pieces together have at most `most` bytes.
   * @throws {Error} E_BODY_MEMORY
   * @type {(source: Buffer, from: number, to: number, most: number) => void}
   */
  add(source, from, to, most) {
    const size = this.#size + to - from;
    if (size > this.#bytes.length) this.#grow(Math.max(size, Math.min(most, 2 * this.#bytes.length)));
    source.copy(this.#bytes, this.#size, from, to);
    this.#size = size;
  }

  /** Returns all bytes and becomes empty; the account still counts as many as these. @returns {Buffer} */
  take() {
    const unused = this.#bytes.length - this.#size;
    // Their reader frees the bytes that it got.
    if (unused > 0) this.#account.free(unused);
    // Up to an eighth more may stay allocated.
    if (unused > this.#size / 8) this.#bytes = Buffer.from(this.#bytes.subarray(0, this.#size));
    const whole = this.#bytes.subarray(0, this.#size);
    this.#bytes = NOTHING;
    this.#size = 0;
    return whole;
  }

  /** Returns all bytes, which the next ones may overwrite. */
  get view() {
    return this.#bytes.subarray(0, this.#size);
  }

  /** Begins anew in the same memory. */
  clear() {
    this.#size = 0;
  }

  /** Removes the last byte. */
  dropLast() {
    if (this.#size > 0) this.#size--;
  }

  /** Discards all bytes. */
  drop() {
    this.#account.free(this.#bytes.length);
    this.#bytes = NOTHING;
    this.#size = 0;
  }

  /** @type {(capacity: number) => void} */
  #grow(capacity) {
    this.#account.reserve(capacity - this.#bytes.length);
    const grown = Buffer.allocUnsafe(capacity);
    this.#bytes.copy(grown, 0, 0, this.#size);
    this.#bytes = grown;
  }
}

import { safeLines } from '../../text/safe.js';

/** A program may write gigabytes; its last lines explain its end. */
const MOST_OUTPUT_BYTES = 64 * 1024;
/** Lines of output in a message. */
const LINES = 30;

/** The last part of the output of a program, in the order in which it arrived. */
export class OutputTail {
  /** @type {Buffer[]} */
  #chunks = [];
  #bytes = 0;
  #isCut = false;

  /** @type {(chunk: Buffer) => void} */
  add(chunk) {
    this.#chunks.push(chunk);
    this.#bytes += chunk.length;
    while (this.#bytes - this.#chunks[0].length >= MOST_OUTPUT_BYTES) this.#drop();
  }

  /** Returns the last lines, without empty ones at the end. @type {(count?: number) => string[]} */
  lines(count = LINES) {
    const text = Buffer.concat(this.#chunks).subarray(-MOST_OUTPUT_BYTES).toString();
    const lines = text.trimEnd().split(/\r?\n/);
    // The first one may be the end of a longer line.
    if (this.#isCut && lines.length > 1) lines.shift();
    return text.trim() === '' ? [] : lines.slice(-count);
  }

  /** Returns the last lines for a message, indented; empty without any. */
  text() {
    return this.lines()
      .map((line) => `\n  | ${safeLines(line)}`)
      .join('');
  }

  #drop() {
    this.#bytes -= /** @type {Buffer} */ (this.#chunks.shift()).length;
    this.#isCut = true;
  }
}

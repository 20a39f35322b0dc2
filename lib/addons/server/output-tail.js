import { safeLines } from '../../core/text/safe.js';

/** @import { ChildProcess } from 'node:child_process' */

/** A program may write gigabytes; its last lines explain its end. */
const MOST_OUTPUT_BYTES = 64 * 1024;
/** Lines of output in a message. */
const LINES = 30;
/** What a process has put into the background may hold its pipes open. */
const LAST_OUTPUT_MS = 250;

/** The last part of the output of a program, in the order in which it arrived. */
export class OutputTail {
  /** @type {Buffer[]} */
  #chunks = [];
  #bytes = 0;
  #isCut = false;
  /** Resolves when the last output of the process has been read, or does not come. */
  ended = Promise.resolve();

  /** Collects the output of a process, whose exit comes before its pipes end. @type {(child: ChildProcess) => void} */
  follow(child) {
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => this.add(chunk));
    this.ended = new Promise((resolve) => {
      child.once('exit', () => setTimeout(resolve, LAST_OUTPUT_MS).unref());
      for (const event of ['close', 'error']) child.once(event, () => resolve());
    });
  }

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

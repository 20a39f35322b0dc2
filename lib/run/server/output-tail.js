/** A program may write gigabytes; its last lines explain its end. */
const MOST_BYTES = 64 * 1024;

/** The last part of the output of a program, in the order in which it arrived. */
export class OutputTail {
  /** @type {Buffer[]} */
  #chunks = [];
  #bytes = 0;
  #isCut = false;

  /** @param {Buffer} chunk */
  add(chunk) {
    this.#chunks.push(chunk);
    this.#bytes += chunk.length;
    while (this.#bytes - this.#chunks[0].length >= MOST_BYTES) this.#drop();
  }

  /**
   * @param {number} count
   * @returns {string[]} the last lines, without empty ones at the end
   */
  lines(count) {
    const text = Buffer.concat(this.#chunks).subarray(-MOST_BYTES).toString();
    const lines = text.trimEnd().split(/\r?\n/);
    // the first one may be the end of a longer line
    if (this.#isCut && lines.length > 1) lines.shift();
    return text.trim() === '' ? [] : lines.slice(-count);
  }

  #drop() {
    this.#bytes -= /** @type {Buffer} */ (this.#chunks.shift()).length;
    this.#isCut = true;
  }
}

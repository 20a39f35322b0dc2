import { ResponseParser } from './parser.js';

/** @import { Expected, ParserOptions } from './parser.js' */

/**
 * The parsers of a thread. A connection borrows one from the first byte of a response to its last: most responses arrive
 * in one piece, so that a few parsers, which stay in the cache of the CPU, serve thousands of connections.
 */
export class ParserPool {
  #options;
  /** @type {ResponseParser[]} */
  #free = [];

  /** @param {ParserOptions} options */
  constructor(options) {
    this.#options = options;
  }

  /**
   * @param {Expected} expected the response that begins
   * @returns {ResponseParser}
   */
  borrow(expected) {
    const parser = this.#free.pop() ?? new ResponseParser(this.#options);
    parser.begin(expected);
    return parser;
  }

  /** @param {ResponseParser} parser what it keeps of a body is released */
  release(parser) {
    parser.drop();
    this.#free.push(parser);
  }
}

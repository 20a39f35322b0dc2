import { JoinedBytes } from '../joined-bytes.js';

/** @import { Receiver } from './types.js' */

/** more than a report shows, so that secrets are masked before the text is cut */
const MAX_BYTES = 4096;

/** The beginning of a body that is not needed, for the sample of an error. */
export class Excerpt {
  #bytes = new JoinedBytes();
  #room = MAX_BYTES;

  /**
   * Copies a piece of the body.
   *
   * @param {Buffer} source
   * @param {number} from
   * @param {number} to
   */
  add(source, from, to) {
    const end = Math.min(to, from + this.#room);
    this.#room -= end - from;
    this.#bytes.add(source, from, end, MAX_BYTES);
  }

  /** Returns all bytes and becomes empty. @returns {Buffer} */
  take() {
    return this.#bytes.take();
  }
}

/**
 * Decides at the head of a response whether the beginning of its body is kept.
 *
 * @param {number} statusCode
 * @param {Pick<Receiver, 'readsExcerpt'>} [receiver]
 * @returns {Excerpt | null}
 */
export function excerptFor(statusCode, receiver) {
  return statusCode >= 400 && receiver?.readsExcerpt?.(statusCode) ? new Excerpt() : null;
}

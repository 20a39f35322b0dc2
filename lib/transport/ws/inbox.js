import { makeError } from '../../errors.js';

/**
 * @import { MessageTask } from '../../flow/web-socket/types.js'
 * @import { TransportTotals } from '../types.js'
 *
 * @typedef {{ data: Buffer, isBinary: boolean }} ReceivedMessage
 */

/** messages that arrived early and are kept until an operation expects them; of larger ones, the last */
const MAX_EARLY = 1000;
const MAX_EARLY_BYTES = 1024 * 1024;

/** The messages of a connection: those that its task expects, and those that arrived before one expected them. */
export class Inbox {
  #totals;
  /** @type {ReceivedMessage[]} */
  #early = [];
  #earlyBytes = 0;
  /** @type {MessageTask['expected']} */
  #expected = [];
  #accepted = 0;
  /** of the current task, if hooks read them @type {ReceivedMessage[]} */
  messages = [];
  /** hooks read the messages */
  keeps = false;

  /** @param {TransportTotals} totals */
  constructor(totals) {
    this.#totals = totals;
  }

  /** No message arrived early. */
  get isEmpty() {
    return this.#early.length === 0;
  }

  /** The task expects another message. */
  get isAwaiting() {
    return this.#accepted < this.#expected.length;
  }

  /**
   * A task begins. A message that arrived before it was sent cannot be its answer.
   *
   * @param {MessageTask} task
   * @param {boolean} keeps
   */
  begin({ messages, expected }, keeps) {
    if (messages.length > 0) this.clear();
    this.#expected = expected;
    this.#accepted = 0;
    this.keeps = keeps;
    if (keeps) this.messages = [];
  }

  /**
   * Takes a message of the task.
   *
   * @param {Buffer} data
   * @param {boolean} isBinary
   * @returns {boolean} it was the last one
   * @throws {Error} E_WS_EXPECT
   */
  accept(data, isBinary) {
    const refuse = this.#expected[this.#accepted++];
    const reason = refuse === null ? null : refuse(data, isBinary);
    if (reason !== null) throw makeError('E_WS_EXPECT', { number: this.#accepted, reason });
    if (this.keeps) this.messages.push({ data, isBinary });
    return this.#accepted === this.#expected.length;
  }

  /**
   * Keeps a message that nothing expects yet, in place of the oldest ones if there are too many.
   *
   * @param {Buffer} data
   * @param {boolean} isBinary
   */
  add(data, isBinary) {
    this.#early.push({ data, isBinary });
    this.#earlyBytes += data.length;
    while (this.#early.length > MAX_EARLY || (this.#earlyBytes > MAX_EARLY_BYTES && this.#early.length > 1)) {
      this.next();
      this.#totals.messagesUnread++;
    }
  }

  /** The oldest message that arrived early. @returns {ReceivedMessage} */
  next() {
    const oldest = /** @type {ReceivedMessage} */ (this.#early.shift());
    this.#earlyBytes -= oldest.data.length;
    return oldest;
  }

  /** Discards messages that nothing expected. */
  clear() {
    this.#totals.messagesUnread += this.#early.length;
    this.#early.length = 0;
    this.#earlyBytes = 0;
  }
}

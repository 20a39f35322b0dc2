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

/** @type {MessageTask} */
const NO_TASK = { kind: 'message', messages: [], expected: [], isAnswer: null };

/** The messages of a connection: those that its task expects, and those that arrived before one expected them. */
export class Inbox {
  #totals;
  /** @type {ReceivedMessage[]} */
  #early = [];
  #earlyBytes = 0;
  /** @type {MessageTask} */
  #task = NO_TASK;
  #accepted = 0;
  /** nothing was sent on this connection */
  #isFresh = true;
  /** an operation of this connection has taken any message as its answer */
  #takesAny = false;
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
    return this.#accepted < this.#task.expected.length;
  }

  /** Another connection begins. */
  open() {
    this.clear();
    this.#isFresh = true;
    this.#takesAny = false;
  }

  /**
   * @param {MessageTask} task
   * @param {boolean} keeps
   */
  begin(task, keeps) {
    this.#task = task;
    this.#accepted = 0;
    this.keeps = keeps;
    if (keeps) this.messages = [];
  }

  /** @type {(data: Buffer) => boolean} false: it is passed over, because it is not the answer to this task */
  isAnswer(data) {
    const { isAnswer } = this.#task;
    const is = isAnswer === null || isAnswer(data);
    if (!is) this.#totals.messagesUnread++;
    return is;
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
    const { messages, expected, isAnswer } = this.#task;
    const refuse = expected[this.#accepted++];
    const reason = refuse === null ? null : refuse(data, isBinary);
    if (reason !== null) throw makeError('E_WS_EXPECT', { number: this.#accepted, reason });
    if (refuse === null && isAnswer === null && messages.length > 0) this.#takesAny = true;
    if (this.keeps) this.messages.push({ data, isBinary });
    return this.#accepted === expected.length;
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
      this.#leave(1);
    }
  }

  /** The oldest message that arrived early. @returns {ReceivedMessage} */
  next() {
    const oldest = /** @type {ReceivedMessage} */ (this.#early.shift());
    this.#earlyBytes -= oldest.data.length;
    return oldest;
  }

  /** The messages of the task are sent now. One that arrived before cannot be their answer. */
  send() {
    if (this.#isFresh && this.#task.isAnswer === null) this.#totals.greetingsUnread += this.#early.length;
    this.#isFresh = false;
    this.clear();
  }

  /** Discards messages that nothing expected. */
  clear() {
    this.#leave(this.#early.length);
    this.#early.length = 0;
    this.#earlyBytes = 0;
  }

  /** Counts a message that arrives while the connection is closed. */
  addLate() {
    this.#totals.messagesReceived++;
    this.#leave(1);
  }

  /** Messages stay unread. @type {(count: number) => void} */
  #leave(count) {
    this.#totals.messagesUnread += count;
    if (this.#takesAny) this.#totals.messagesSurplus += count;
  }
}

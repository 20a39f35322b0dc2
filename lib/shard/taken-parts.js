/**
 * @import { Part } from './protocol.js'
 *
 * @typedef {object} RunningPart see ShardRun
 * @property {() => Promise<string>} run
 * @property {(reason: string, options?: { within?: number }) => void} stop
 * @property {() => void} abort
 */

/** The parts of lost agents that an agent runs beside its own shard: each like a shard, with its own reports. */
export class TakenParts {
  #create;
  #notify;
  /** by the numbers of their reports @type {Map<number, RunningPart>} */
  #parts = new Map();
  /** @type {Promise<unknown>[]} */
  #ends = [];
  #isClosed = false;

  /**
   * @param {(part: Part) => RunningPart} create
   * @param {(text: string) => void} notify prints a line
   */
  constructor(create, notify) {
    this.#create = create;
    this.#notify = notify;
  }

  /** Begins those that it has not begun. @type {(parts: Part[]) => void} */
  take(parts) {
    for (const part of parts) {
      if (this.#isClosed || this.#parts.has(part.report)) continue;
      this.#notify(`takes over part ${part.number} of ${part.of} from INDEX ${part.from}`);
      const running = this.#create(part);
      this.#parts.set(part.report, running);
      this.#ends.push(this.#run(part, running));
    }
  }

  /** @type {(part: Part, running: RunningPart) => Promise<void>} */
  async #run({ number, of }, running) {
    const how = await running.run().catch(({ message }) => message);
    this.#notify(`part ${number} of ${of}: ${how}`);
  }

  /** @type {RunningPart['stop']} */
  stop(reason, options) {
    this.#isClosed = true;
    for (const part of this.#parts.values()) part.stop(reason, options);
  }

  abort() {
    this.#isClosed = true;
    for (const part of this.#parts.values()) part.abort();
  }

  /** Takes no more, and waits for those that run. */
  async close() {
    this.#isClosed = true;
    await Promise.all(this.#ends);
  }
}

import { Silence } from '../../core/run/silence.js';
import { KEYS, PROTOCOL, writeMessage } from './protocol.js';

/** @import { Control, Timing } from './types.js' */
/** @import { Queue } from './queue.js' */

/** @typedef {Pick<Queue, 'redis' | 'seal' | 'sealTime'>} Connection */

/** The control at the beginning of a run. @type {Readonly<Control>} */
export const PREPARE = Object.freeze({
  protocol: PROTOCOL,
  order: 'prepare',
  startAt: null,
  reason: null,
  within: null,
  dropped: [],
});

/** The orders for all agents of a run: a key that expires unless renewed, so agents stop without a coordinator. */
export class RunControl {
  #run;
  #timing;
  /** The queue, once it is open. @type {Connection | null} */
  #queue = null;
  /** The number of the last renewal: agents refuse a control with a lower one. */
  #sequence = 0;
  /** @type {Control} */
  #value = PREPARE;
  /** @type {NodeJS.Timeout | undefined} */
  #timer;
  #isClosed = false;
  /** Why the last renewal failed; null if it did not. @type {unknown} */
  error = null;
  /** @param {string} run @param {Pick<Timing, 'renewMs' | 'controlMs'>} timing */
  constructor(run, timing) {
    this.#run = run;
    this.#timing = timing;
  }

  /** @type {Readonly<Control>} */
  get value() {
    return this.#value;
  }

  /** The control is being written: from now on agents may read it. */
  get isOpen() {
    return this.#queue !== null;
  }

  get isStopped() {
    return this.#value.order === 'stop' || this.#value.order === 'abort';
  }

  /**
   * Writes the control, and renews it until it is closed.
   * @throws {Error} of Redis: it was not written
   * @type {(queue: Connection) => Promise<void>}
   */
  async open(queue) {
    this.#queue = queue;
    await this.#write();
    if (!this.#isClosed) this.#timer = setInterval(() => void this.#renew(), this.#timing.renewMs);
  }

  /**
   * Orders a stop, or shortens the grace period of one, `within` ms; null: that of the run. The first reason counts.
   * @type {(reason: string, within: number | null) => void}
   */
  stop(reason, within) {
    const { order, reason: first, within: before } = this.#value;
    const isShorter = (within ?? Infinity) < (before ?? Infinity);
    if (!this.isStopped || (order === 'stop' && isShorter))
      this.change({ order: 'stop', reason: first ?? reason, within });
  }

  /** Changes the control. A stop goes before a start. @type {(change: Partial<Control>) => void} */
  change(change) {
    if (change.order === 'start' && this.isStopped) return;
    this.#value = { ...this.#value, ...change };
    if (this.isOpen && !this.#isClosed) void this.#renew();
  }

  close() {
    this.#isClosed = true;
    clearInterval(this.#timer);
  }

  async #renew() {
    try {
      await this.#write();
      this.error = null;
    } catch (error) {
      this.error = error;
    }
  }

  async #write() {
    const { redis, seal, sealTime } = /** @type {Connection} */ (this.#queue);
    const { controlMs: lifeMs } = this.#timing;
    const now = await sealTime();
    // The value is read after the wait above, so changes that were made during it are written, too.
    const options = { now, lifeMs, sequence: ++this.#sequence };
    await redis.set(
      KEYS.control(this.#run),
      writeMessage(seal, 'control', this.#run, this.#value, options),
      'PX',
      lifeMs,
    );
  }
}

/** Decides when a shard has lost its coordinator: the queue has no control, or does not answer for long. */
export class ControlWatch {
  #timing;
  #queue = new Silence();
  #coordinator;

  /** @param {Pick<Timing, 'missingMs' | 'unreachableMs' | 'pollMs' | 'reportMs'>} timing */
  constructor(timing) {
    this.#timing = timing;
    this.#coordinator = new Silence({ mostMs: timing.reportMs });
  }

  /**
   * Notes that the control was read, at `now` ms. `hasAnswered`: the queue answered, and stores messages, so that a
   * coordinator could renew the control. An answer that came late (`tookMs`) may be older than the last renewal.
   * @type {(now: number, answer: { hasControl: boolean, hasAnswered?: boolean, tookMs?: number }) => void}
   */
  read(now, { hasControl, hasAnswered = true, tookMs = 0 }) {
    this.#queue.look(now, { hasReported: hasAnswered });
    this.#coordinator.look(now, { hasReported: hasControl, isCutOff: !hasAnswered || tookMs > this.#timing.pollMs });
  }

  /** Returns why the shard stops; null: it goes on. @type {'coordinator' | 'queue' | null} */
  get lost() {
    if (this.#coordinator.ms > this.#timing.missingMs) return 'coordinator';
    return this.#queue.ms > this.#timing.unreachableMs ? 'queue' : null;
  }
}

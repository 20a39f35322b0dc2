import { originsOf } from '../../flow/origins.js';
import { Deadlines } from '../../iteration/deadlines.js';
import { Lane } from '../../iteration/lane.js';
import { clock } from '../clock.js';

/**
 * @import { BodyMemory } from '../../body-memory.js'
 * @import { Recorder } from '../../measure/recorder.js'
 * @import { Transport } from '../../transport/types.js'
 * @import { LoadPlan } from '../plan.js'
 *
 * @typedef {object} LaneSetOptions
 * @property {LoadPlan} plan
 * @property {Transport} transport
 * @property {BodyMemory} bodyMemory
 * @property {number} part number of this thread, from 0
 * @property {number} parts number of threads
 */

/** Connections that a lane keeps to origins that are not in the flow: those of redirects and tokens. */
const OTHER_CONNECTIONS = 16;

/** The lanes of one thread, and one more that runs `before` and `after`. */
export class LaneSet {
  #options;
  #mostConnections;
  #deadlines = new Deadlines(clock);
  /** @type {Lane[]} */
  #lanes = [];
  /** runs `before` and `after` */
  once;

  /** @param {LaneSetOptions} options */
  constructor(options) {
    this.#options = options;
    this.#mostConnections = originsOf(options.plan.flow).length + OTHER_CONNECTIONS;
    this.once = this.#create();
  }

  /**
   * @param {number} lanes of all threads
   * @returns {number} lanes of this thread
   */
  shareOf(lanes) {
    const { part, parts } = this.#options;
    return Math.floor(lanes / parts) + (part < lanes % parts ? 1 : 0);
  }

  /**
   * @param {number} count
   * @returns {Lane[]} those of the warm-up first, with their connections
   */
  take(count) {
    while (this.#lanes.length < count) this.#lanes.push(this.#create());
    return this.#lanes.slice(0, count);
  }

  /** Iterations of the warm-up do not count towards the limit of a lane. */
  resetIterations() {
    for (const lane of this.#lanes) lane.resetIterations();
  }

  /** Restarts the measurement of standstills of the event loop. */
  restartDeadlines() {
    this.#deadlines.restart();
  }

  standstills() {
    return { ...this.#deadlines.standstills };
  }

  /** @param {number} teardownBy instant of the clock until which teardown may run */
  cancel(teardownBy) {
    for (const lane of this.#all()) lane.cancel(teardownBy);
  }

  /** @returns {number} requests that were sent and are not answered yet */
  inFlight() {
    return this.#all().filter((lane) => lane.isInFlight).length;
  }

  /**
   * Counts the lanes that ran an iteration, and those of them that got a response.
   *
   * @param {Recorder['connections']} counters
   */
  countReached(counters) {
    const used = this.#lanes.filter(({ iterations }) => iterations > 0);
    counters.asked += used.length;
    counters.reached += used.filter(({ wasAnswered }) => wasAnswered).length;
  }

  close() {
    for (const lane of this.#all()) lane.close();
    this.#deadlines.close();
  }

  #all() {
    return [this.once, ...this.#lanes];
  }

  #create() {
    const { plan, transport, bodyMemory } = this.#options;
    const { reconnectRate, connectionRate } = plan.options;
    return new Lane({
      transport,
      deadlines: this.#deadlines,
      clock,
      bodies: bodyMemory.open(),
      reconnectRate,
      connectionRate,
      mostConnections: this.#mostConnections,
    });
  }
}

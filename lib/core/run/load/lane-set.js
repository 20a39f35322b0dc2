import { connectionsOf } from '../../flow/origins.js';
import { Deadlines } from '../../iteration/deadlines.js';
import { ConnectionShare, Lane } from '../../iteration/lane.js';
import { runnableMs } from '../../measure/thread.js';
import { clock } from '../clock.js';
import { WHOLE } from '../options/shard.js';

/** @import { CompiledFlow } from '../../contracts/step.js' */
/** @import { Transport } from '../../contracts/connection.js' */
/** @import { PreparedIteration } from '../../iteration/iteration.js' */
/** @import { RunningTimes } from '../../measure/judge-thresholds.js' */
/** @import { Recorder } from '../../measure/recorder.js' */
/** @import { BodyMemory } from '../../process/body-memory.js' */
/** @import { Load, LoadPlan } from '../types.js' */
/** @import { ReadDelay } from './read-delay.js' */
/** @import { RequestLimits } from './request-limits.js' */

/**
 * @typedef {object} LaneSetOptions
 * @property {LoadPlan} plan
 * @property {Transport} transport
 * @property {BodyMemory} bodyMemory
 * @property {number} worker number of this thread, from 0
 * @property {number} workers number of threads of this shard
 * @property {ReadDelay} readDelay how long responses waited for this thread
 * @property {RequestLimits | null} [limits] of all virtual users
 */

/** Connections that a lane keeps to origins that are not in the flow: those of redirects and tokens. */
const OTHER_CONNECTIONS = 16;

/**
 * The lanes of one thread, and one more that runs `before` and `after`. A lane runs one iteration at a time; a virtual
 * user has one lane, or with `pipelining` several, which share its connections.
 */
export class LaneSet {
  #options;
  #mostConnections;
  #deadlines;
  #readDelay;
  /**
   * Of each load the lanes, and for each virtual user the share of connections that its lanes use.
   * @type {{ lanes: Lane[], shares: ConnectionShare[] }[]}
   */
  #loads;
  /** Lanes of a virtual user: requests in flight on its connection. */
  #lanesOfShare;
  /** The lane that runs `before` and `after`. */
  once;

  /** @param {LaneSetOptions} options */
  constructor(options) {
    this.#options = options;
    this.#readDelay = options.readDelay;
    this.#deadlines = new Deadlines(clock, { readDelay: options.readDelay, runnableMs });
    this.#lanesOfShare = options.plan.options.pipelining ?? 1;
    this.#loads = options.plan.loads.map(() => ({ lanes: [], shares: [] }));
    this.#mostConnections = connectionsOf(options.plan.flow) + OTHER_CONNECTIONS;
    this.once = this.#create(this.#createShare());
  }

  /** Prepares for the steps of a flow, which code may have changed. @type {(flow: CompiledFlow) => void} */
  follow(flow) {
    this.#mostConnections = Math.max(this.#mostConnections, connectionsOf(flow) + OTHER_CONNECTIONS);
  }

  /**
   * Returns how many lanes of all threads and shards belong to this thread; `position` is that of their load, so that
   * small loads begin with different threads.
   * @type {(lanes: number, position?: number) => number}
   */
  shareOf(lanes, position = 0) {
    const { workers, plan } = this.#options;
    const { number, of } = plan.options.shard ?? WHOLE;
    return this.#divide(this.#divide(lanes, number - 1, of), this.#turnIn(position), workers);
  }

  /**
   * Returns the turn of this thread, from 0, in which it gets virtual users of the load at a position. So user u of all
   * threads is the same one for any number of them.
   * @type {(position: number) => number}
   */
  #turnIn(position) {
    const { worker, workers } = this.#options;
    return (worker + position) % workers;
  }

  /**
   * Returns part `number`, from 0, of `of` parts of lanes. All lanes of a virtual user are in one part; a number of
   * lanes that a stage has on its way may end with a part of a virtual user, which the next part gets.
   * @type {(lanes: number, number: number, of: number) => number}
   */
  #divide(lanes, number, of) {
    const whole = Math.floor(lanes / this.#lanesOfShare);
    const own = Math.floor(whole / of) + (number < whole % of ? 1 : 0);
    const isNext = number === whole % of;
    return own * this.#lanesOfShare + (isNext ? lanes % this.#lanesOfShare : 0);
  }

  /**
   * Creates lanes of a load up to a number, and returns as many, those of the warm-up first, with their connections.
   * @type {(count: number, load: Pick<Load, 'position' | 'of'>) => Lane[]}
   */
  create(count, { position, of }) {
    const { workers, plan } = this.#options;
    const { lanes, shares } = this.#loads[position];
    while (lanes.length < count) {
      if (lanes.length % this.#lanesOfShare === 0) {
        const number = plan.stride.indexOf(this.#turnIn(position) + shares.length * workers);
        shares.push(this.#createShare(number * of + position));
      }
      lanes.push(this.#create(shares[shares.length - 1]));
    }
    return lanes.slice(0, count);
  }

  /**
   * Ends the virtual users that have begun, all at once. `limitMs` is the time that they have; Infinity: that of the
   * functions themselves.
   * @type {(iteration: PreparedIteration, limitMs: number) => Promise<void>}
   */
  async endUsers(iteration, limitMs) {
    const lanes = this.#loads.flatMap((load) => load.lanes);
    if (limitMs < Infinity) for (const { deadline } of lanes) deadline.limitTo(clock.now() + limitMs);
    await Promise.all(lanes.map((lane) => iteration.endUser(lane)));
  }

  /**
   * Ends a warm-up: its iterations do not count towards the limit of a virtual user, and the lanes that it cancelled
   * can run again.
   */
  endWarmUp() {
    for (const { shares } of this.#loads) for (const share of shares) share.resetIterations();
    for (const lane of this.#all()) lane.resume();
  }

  /** Begins to measure stalls of the event loop anew: those of `before` and the warm-up are not part of the result. */
  restartDeadlines() {
    this.#deadlines.restart();
    this.#readDelay.restart();
  }

  stall() {
    return { ...this.#deadlines.stall };
  }

  /** Cancels all lanes; teardown may run until an instant of the clock. @type {(teardownBy: number) => void} */
  cancel(teardownBy) {
    for (const lane of this.#all()) lane.cancel(teardownBy);
  }

  /** Cancels the lanes of the load at a position. @type {(position: number, teardownBy: number) => void} */
  cancelLoad(position, teardownBy) {
    for (const lane of this.#loads[position].lanes) lane.cancel(teardownBy);
  }

  /** Counts the requests that were sent and are not answered yet. @type {() => number} */
  inFlight() {
    return this.#all().filter((lane) => lane.isInFlight).length;
  }

  /** @type {() => RunningTimes} */
  running() {
    const now = clock.now();
    const times = this.#loads.flatMap(({ lanes }) => lanes.flatMap(({ iteration }) => iteration.timesSoFar(now) ?? []));
    return {
      response: Float64Array.from(times, ({ response }) => response),
      service: Float64Array.from(times, ({ service }) => service),
      scenario: times.map(({ scenario }) => scenario),
    };
  }

  /**
   * Counts the virtual users of the load at a position that ran an iteration, and those of them that got a response.
   * @type {(position: number, counters: Recorder['virtualUsers']) => void}
   */
  countReached(position, counters) {
    const { lanes: all } = this.#loads[position];
    for (let i = 0; i < all.length; i += this.#lanesOfShare) {
      const lanes = all.slice(i, i + this.#lanesOfShare);
      if (!lanes.some(({ wasUsed }) => wasUsed)) continue;
      counters.started++;
      if (lanes.some(({ wasAnswered }) => wasAnswered)) counters.answered++;
    }
  }

  close() {
    for (const lane of this.#all()) lane.close();
    this.#deadlines.close();
  }

  #all() {
    return [this.once, ...this.#loads.flatMap(({ lanes }) => lanes)];
  }

  /** @type {(number?: number) => ConnectionShare} */
  #createShare(number) {
    return new ConnectionShare(this.#options.plan.options, number, this.#options.limits);
  }

  /** @type {(share: ConnectionShare) => Lane} */
  #create(share) {
    const { transport, bodyMemory } = this.#options;
    return new Lane({
      transport,
      deadlines: this.#deadlines,
      readDelay: this.#readDelay,
      clock,
      bodies: bodyMemory.open(),
      share,
      mostConnections: this.#mostConnections,
    });
  }
}

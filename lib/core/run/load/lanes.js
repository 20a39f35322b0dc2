import { loadSleepers } from '../../iteration/deadlines.js';

/** @import { EndListener } from '../../iteration/iteration-run.js' */
/** @import { Lane } from '../../iteration/lane.js' */
/** @import { LanesOptions } from '../types.js' */
/** @import { Sleepers } from '../../iteration/sleepers.js' */

/** How often lanes look whether the schedule has more of them. */
const ADJUST_MS = 50;

/**
 * Runs the lanes of a thread until the schedule or the run ends: each lane takes the next iteration, waits until it is
 * due, performs it, and takes the next. A late lane starts its iteration at once.
 * @type {(options: LanesOptions) => Promise<void>}
 */
export function runLanes(options) {
  return isSeries(options) ? new SeriesLoop(options).run() : new LaneLoop(options).run();
}

/**
 * Reports whether nothing but a think time is between the iterations of a lane: a closed model, whose number of lanes
 * never changes.
 * @type {(options: LanesOptions) => boolean}
 */
function isSeries({ schedule, isPaced = false }) {
  return schedule.arrived === null && schedule.isSteady && !isPaced;
}

/**
 * Lanes that perform one iteration after the other, with a think time or without:
 *
 *     start -> perform -> (inbox) … -> onEnd -> [pause] -> perform …, until nextIndex is null
 *       ^                                |
 *       +------ in a later turn ---------+ the iteration did not wait for anything, or lanes have not started
 *
 * It is the listener of all iterations: a lane has no object of its own here, and no promises. With 1,000 lanes, each
 * object that an iteration touches has to come into the cache of the CPU again.
 */
class SeriesLoop {
  #options;
  #mostOfLane;
  #turns = new Turns();
  /** Lanes that pause; null: there is no think time. @type {Sleepers | null} */
  #sleepers = null;
  /** Lanes that are not done. */
  #running;
  /** Some lanes have not started. */
  #isStarting = true;
  /** Lanes that ended an iteration, and its pause, meanwhile. @type {Lane[]} */
  #ended = [];
  #resolve = () => {};
  /** Ends all of them after a fault. @type {EndListener['onFault']} */
  onFault = () => {};

  /** @param {LanesOptions} options */
  constructor(options) {
    const { lanes, clock, mostOfLane = Infinity, pauseMs = null } = options;
    this.#options = options;
    this.#mostOfLane = mostOfLane;
    if (pauseMs !== null) this.#sleepers = new (loadSleepers().Sleepers)(clock, (lane) => this.#wake(lane));
    this.#running = lanes.length;
  }

  /** @returns {Promise<void>} */
  async run() {
    if (this.#running === 0) return;
    const unsubscribe = this.#options.ending.onStop(() => this.#sleepers?.wakeAll());
    try {
      await new Promise((/** @type {(_: void) => void} */ resolve, reject) => {
        this.#resolve = resolve;
        this.onFault = reject;
        this.#startFrom(0);
      });
    } finally {
      unsubscribe();
    }
  }

  /** Starts the lanes in several turns of the event loop. @param {number} from the first lane of this turn */
  #startFrom(from) {
    const { lanes } = this.#options;
    const to = Math.min(lanes.length, from + MOST_PER_TURN);
    try {
      for (const lane of lanes.slice(from, to)) this.#start(lane, false);
      if (to === lanes.length) this.#continueAll();
      else setImmediate(() => this.#startFrom(to));
    } catch (error) {
      this.onFault(error);
    }
  }

  #continueAll() {
    this.#isStarting = false;
    for (const lane of this.#ended) {
      if (lane.hasWaited) this.#start(lane, true);
      else this.#startLater(lane);
    }
    this.#ended = [];
  }

  /** Starts the next iteration. `wasBusy`: it has just ended one. @type {(lane: Lane, wasBusy: boolean) => void} */
  #start(lane, wasBusy) {
    const index = this.#nextIndex(lane, wasBusy);
    if (index === null) {
      this.#laneDone();
      return;
    }
    lane.readClock();
    this.#options.perform(index, lane, NaN, false, this);
  }

  /** @type {EndListener['onEnd']} */
  onEnd(_outcome, lane) {
    if (this.#sleepers !== null && this.#pauses(lane, this.#sleepers)) return;
    if (this.#isStarting) {
      this.#ended.push(lane);
      return;
    }
    if (!lane.hasWaited) {
      this.#startLater(lane);
      return;
    }
    // As in `start`, but the response has just set the clock of the lane: reading it again costs 40 ns.
    const index = this.#nextIndex(lane, true);
    if (index === null) this.#laneDone();
    else this.#options.perform(index, lane, NaN, false, this);
  }

  /**
   * Reports whether the lane pauses: there is no pause after its last iteration.
   * @type {(lane: Lane, sleepers: Sleepers) => boolean}
   */
  #pauses(lane, sleepers) {
    const { ending, arrivals, pauseMs } = this.#options;
    if (ending.isOver || !lane.mayClaim(this.#mostOfLane) || !arrivals.hasNext) return false;
    const ms = pauseMs?.() ?? 0;
    if (ms > 0) sleepers.add(lane, ms);
    return ms > 0;
  }

  /** @param {Lane} lane */
  #wake(lane) {
    lane.hasWaited = true;
    if (this.#isStarting) {
      this.#ended.push(lane);
      return;
    }
    try {
      this.#start(lane, true);
    } catch (error) {
      this.onFault(error);
    }
  }

  /** @type {(lane: Lane) => void} */
  #startLater(lane) {
    this.#turns
      .next()
      .then(() => this.#start(lane, true))
      .catch((error) => this.onFault(error));
  }

  /** @type {(lane: Lane, wasBusy: boolean) => number | null} the INDEX of its next iteration; null: it is done */
  #nextIndex(lane, wasBusy) {
    const { ending, arrivals } = this.#options;
    if (ending.isOver) return null;
    return this.#mostOfLane === Infinity || lane.claimIteration(this.#mostOfLane) ? arrivals.next(wasBusy) : null;
  }

  /** If no iteration is left, the lanes that pause have nothing to wait for. */
  #laneDone() {
    if (--this.#running === 0) this.#resolve();
    else if (this.#sleepers !== null && !this.#options.arrivals.hasNext) this.#sleepers.wakeAll();
  }
}

/**
 * Lanes that may have to wait: for their turn, until an iteration is due, or until the schedule has so many lanes. Of
 * the lanes of this thread, those at the first positions run. So a virtual user that has had its iterations makes no
 * other one start before its time.
 */
class LaneLoop {
  #options;
  #arrivals;
  #ending;
  #mostOfLane;
  /** The model is open: iterations have an instant at which they are due. */
  #isOpen;
  #isPaced;
  #pauseMs;
  #turns = new Turns();
  /** @type {Set<Lane>} */
  #sleeping = new Set();
  /** How to wake the lanes that are too many now, by their positions. @type {Map<number, () => void>} */
  #waiting = new Map();
  /** The lanes know that no iteration is left; of a closed model. */
  #hasRunOut = false;

  /** @param {LanesOptions} options */
  constructor(options) {
    const { schedule, arrivals, ending, mostOfLane = Infinity, pauseMs = null, isPaced = false } = options;
    this.#options = options;
    this.#arrivals = arrivals;
    this.#ending = ending;
    this.#mostOfLane = mostOfLane;
    this.#isOpen = schedule.arrived !== null;
    this.#isPaced = isPaced;
    this.#pauseMs = pauseMs;
  }

  async run() {
    const { lanes, clock, schedule } = this.#options;
    const stopAdjusting = schedule.isSteady ? () => {} : clock.every(() => this.#adjust(), ADJUST_MS);
    const unsubscribe = this.#ending.onStop(() => this.#wakeAll());
    try {
      await Promise.all(lanes.map((lane, position) => this.#keepRunning(lane, position)));
    } finally {
      stopAdjusting();
      unsubscribe();
    }
  }

  /** @type {(lane: Lane, position: number) => Promise<void>} */
  async #keepRunning(lane, position) {
    let isDone = false;
    while (!isDone) isDone = !(await this.#waitForPlace(position)) || (await this.#runLane(lane, position));
    if (!this.#isOpen && !this.#hasRunOut && !this.#isLeft) this.#runOut();
  }

  /** Wakes the lanes that wait to claim an iteration: the last one is claimed. */
  #runOut() {
    this.#hasRunOut = true;
    this.#adjust();
    for (const lane of this.#sleeping) lane.wake();
  }

  /** @type {(position: number) => boolean} */
  #isTooMany(position) {
    return position >= this.#lanesAt(this.#options.clock.now());
  }

  /**
   * Waits until the schedule has so many lanes, or the run ends.
   * @type {(position: number) => Promise<boolean>} false: no iteration is left
   */
  async #waitForPlace(position) {
    while (this.#isTooMany(position) && this.#isLeft)
      await new Promise((/** @type {(_: void) => void} */ wake) => this.#waiting.set(position, wake));
    return !this.#isTooMany(position);
  }

  /** An iteration may still start. */
  get #isLeft() {
    return !this.#ending.isOver && this.#arrivals.hasNext;
  }

  /**
   * Runs iterations until there are no more.
   * @type {(lane: Lane, position: number) => Promise<boolean>} true: done; false: the schedule has fewer lanes now
   */
  async #runLane(lane, position) {
    const { clock } = this.#options;
    let wasBusy = false;
    while (!this.#ending.isOver) {
      if (this.#isTooMany(position)) return false;
      if (this.#needsTurn(lane)) {
        await this.#waitForTurn(lane);
        continue;
      }
      const index = this.#nextIndex(lane, wasBusy);
      if (index === null) return true;
      const due = this.#dueAt();
      const isEarly = due > clock.now();
      if (isEarly && !(await this.#waitUntil(due))) return true;
      // The lane was free when the iteration was due: a late start is the load generator's.
      const wasIdle = isEarly || this.#isIdle(wasBusy);
      const opensConnection = this.#opensConnection(wasBusy);
      const waitedMs = opensConnection || this.#isPaced ? await this.#waitToStart(lane, opensConnection) : 0;
      if (waitedMs === null) return true;
      // The wait for the turn is not included in any timing.
      await this.#perform(index, lane, due + waitedMs, wasIdle);
      wasBusy = true;
      if (this.#pauseMs !== null) await this.#pause(lane, this.#pauseMs);
      if (!lane.hasWaited) await this.#turns.next();
    }
    return true;
  }

  /**
   * Claims the next iteration for this lane. If the run ends while it waits to start, it is not performed.
   * @type {(lane: Lane, wasBusy: boolean) => number | null} null if the virtual user has had its iterations, or there
   *   are no more
   */
  #nextIndex(lane, wasBusy) {
    return lane.claimIteration(this.#mostOfLane) ? this.#arrivals.next(wasBusy) : null;
  }

  /** @type {(lane: Lane, pauseMs: () => number) => Promise<void>} */
  async #pause(lane, pauseMs) {
    if (lane.mayClaim(this.#mostOfLane) && this.#arrivals.hasNext) await this.#sleep(lane, pauseMs());
  }

  /** @type {(wasBusy: boolean) => boolean} a lane of an open model that ran nothing before */
  #isIdle(wasBusy) {
    return this.#isOpen && !wasBusy;
  }

  /** Returns when the iteration handed out last is due; NaN, which is never later, in a closed model. */
  #dueAt() {
    return this.#isOpen ? this.#options.start + this.#arrivals.due : NaN;
  }

  /** @type {(index: number, lane: Lane, due: number, wasIdle: boolean) => Promise<unknown>} */
  #perform(index, lane, due, wasIdle) {
    lane.readClock();
    return new Promise((onEnd, onFault) => {
      this.#options.perform(index, lane, due, wasIdle, { onEnd, onFault });
    });
  }

  /** @type {(due: number) => Promise<boolean>} whether the iteration may start */
  async #waitUntil(due) {
    await this.#options.pacer.until(due);
    // An idle lane still starts an iteration that was due before the schedule ended.
    return !this.#ending.isOver || due <= this.#options.clock.now();
  }

  /** @type {(wasBusy: boolean) => boolean} the first iteration of a lane that may run, if several start at once */
  #opensConnection(wasBusy) {
    return !this.#isOpen && !wasBusy;
  }

  /**
   * Waits until a lane may open its connection (see {@link MOST_PER_TURN}), and until it has its turn.
   * @type {(lane: Lane, opensConnection: boolean) => Promise<number | null>} ms that it has waited for its turn; null:
   *   the run is over
   */
  async #waitToStart(lane, opensConnection) {
    if (opensConnection) await this.#turns.next();
    if (this.#isPaced && this.#isOpen) return this.#waitForTurn(lane);
    return this.#ending.isOver ? null : 0;
  }

  /**
   * Reports whether the lane waits for its turn before it claims an iteration: in a closed model, where another one may
   * run that iteration meanwhile if there are too many lanes then.
   * @type {(lane: Lane) => boolean}
   */
  #needsTurn(lane) {
    return this.#isPaced && !this.#isOpen && !lane.hasTurn && lane.mayClaim(this.#mostOfLane) && this.#arrivals.hasNext;
  }

  /**
   * Waits until a request of the virtual user may start. Of the lanes that share its connections one at a time waits
   * with a turn, so that requests of running iterations are not behind all of those that have not started.
   * @type {(lane: Lane) => Promise<number | null>} ms that it has waited; null if the run is over
   */
  async #waitForTurn(lane) {
    const { clock } = this.#options;
    const from = clock.now();
    await lane.share.inTurn(async () => {
      if (!this.#ending.isOver) await this.#sleep(lane, lane.reserveTurn());
    });
    return this.#ending.isOver ? null : clock.now() - from;
  }

  /** @type {(lane: Lane, ms: number) => Promise<void>} */
  async #sleep(lane, ms) {
    if (this.#ending.isOver || ms <= 0) return;
    this.#sleeping.add(lane);
    await lane.sleep(ms);
    this.#sleeping.delete(lane);
  }

  /** @type {(now: number) => number} lanes of this thread that may run */
  #lanesAt(now) {
    const { schedule, shareOf, start } = this.#options;
    return schedule.isSteady ? Infinity : shareOf(schedule.lanes(now - start));
  }

  /** Wakes the lanes that may run now, and all if no iteration is left. Another thread may have had the last one. */
  #adjust() {
    const count = this.#isLeft ? this.#lanesAt(this.#options.clock.now()) : Infinity;
    for (const [position, wake] of this.#waiting) {
      if (position >= count) continue;
      this.#waiting.delete(position);
      wake();
    }
  }

  /** Wakes all lanes, so that each one notices the end of the run. */
  #wakeAll() {
    for (const wake of this.#waiting.values()) wake();
    this.#options.pacer.wakeAll();
    for (const lane of this.#sleeping) lane.wake();
  }
}

/**
 * Lanes that start or continue in one turn of the event loop. A failed connect costs about 30 us, so a turn takes about
 * 2 ms, regardless of the number of failing lanes. A connection takes 50 us to open, and is noticed to be open between
 * turns: 1,000 of them in one turn had a median time to connect of 90 ms instead of 5.
 */
const MOST_PER_TURN = 64;

/**
 * Lets lanes continue in later turns of the event loop, between which Node serves timers, signals and sockets. An
 * iteration can end without I/O: no file or port for a connection, a kept DNS failure, a hook that throws. A loop of
 * these would never return to the event loop.
 */
export class Turns {
  /** @type {(() => void)[]} */
  #waiting = [];

  /** Resolves in a later turn, in the order of the calls. @type {() => Promise<void>} */
  next() {
    return new Promise((resume) => {
      if (this.#waiting.push(resume) === 1) setImmediate(this.#serve);
    });
  }

  #serve = () => {
    const due = this.#waiting.slice(0, MOST_PER_TURN);
    this.#waiting = this.#waiting.slice(MOST_PER_TURN);
    if (this.#waiting.length > 0) setImmediate(this.#serve);
    for (const resume of due) resume();
  };
}

import { makeError } from '../../ground/errors.js';
import { availableCores } from '../options/machine.js';

/** @import { Clock } from '../../contracts/clock.js' */
/** @import { RunOptions } from '../../contracts/run-options.js' */
/** @import { Pacing } from '../../contracts/run.js' */
/** @import { Schedule } from '../../contracts/schedule.js' */
/** @import { PacingThread } from './pacing-thread.js' */
/** @import { Alarm, LoadOptions, PacingMemory } from '../types.js' */

/** @typedef {{ at: number, wake: () => void }} Waiting at: instant of the clock */

/** A turn of the event loop that takes at most this many times the shortest one has read no socket. */
const EMPTY_TURNS = 5;
/**
 * After an empty turn a poll watches the clock for so long, ms: a turn takes 0.5 us and leaves 200 bytes of garbage.
 * Each reading of the clock leaves 16 bytes, so there are pauses between them, and at most so many readings.
 */
const POLL_MS = 0.005;
const PAUSE_MS = 0.001;
const MOST_READINGS = 16;
/** The length of a pause is adapted to the machine, and to what V8 made of its loop. */
const MOST_ROUNDS = 2 ** 14;
/** A shorter time without a CPU is not looked for, ms; also the shortest time between two readings of the CPU time. */
const NO_CPU_MS = 1;
/** Woken lanes are removed from the queue when they are this many, and half of it. */
const MOST_WOKEN = 1000;

/** @type {Waiting} */
const WOKEN = { at: -Infinity, wake: () => {} };

/**
 * Wakes lanes at the instants that they wait for, never early. An alarm wakes the event loop shortly before an instant;
 * for the rest the pacer polls: it reads the clock after each turn of the event loop, which serves sockets, timers and
 * signals.
 *
 *     alarm.set(at - leadMs)             at
 *      |------- event loop sleeps -------|-- polls --| wake
 *
 * With `until`, instants never decrease from call to call, so a queue and a single alarm suffice.
 *
 * `idleMs` is the time in which the event loop did not sleep, and had no work either: `pollMs` and `#awayMs`. A turn
 * that did nothing but poll (an empty turn) is known by its length; in other turns the time without a CPU is the time
 * that passed, without the CPU time of the thread.
 */
export class Pacer {
  #clock;
  #alarm;
  #cpuMs;
  /** By their instants; those before `#first` were woken. @type {Waiting[]} */
  #queue = [];
  #first = 0;
  /** Cancels the alarm, or the poll, that is waited for. */
  #cancel = () => {};
  /** The last poll that woke no lane; NaN if something else has run since. */
  #polledAt = NaN;
  #shortestTurn = Infinity;
  /** Length of a pause between two readings of the clock, in turns of its loop. */
  #rounds = 1;
  /** The CPU time at the last reading, NaN before it, and its instant, or that of the first poll. */
  #cpu = NaN;
  #cpuAt = NaN;
  /** The time in empty turns, ms. */
  pollMs = 0;
  /** The time in other turns in which this thread had no CPU, or was suspended, ms. */
  #awayMs = 0;

  /**
   * @param {Clock} clock
   * @param {Alarm} alarm
   * @param {() => number} [cpuMs] CPU time of this thread; default: not known
   */
  constructor(clock, alarm, cpuMs = () => NaN) {
    this.#clock = clock;
    this.#alarm = alarm;
    this.#cpuMs = cpuMs;
  }

  /** Waits until an instant of the clock. @type {(at: number) => Promise<void>} */
  until(at) {
    return new Promise((wake) => {
      const isFirst = this.#queue.push({ at, wake }) - this.#first === 1;
      if (isFirst) this.#wait(this.#clock.now());
      // Others may be due: a turn that reads many sockets can take longer than the time between two instants.
      else this.#wakeDue(this.#clock.now());
    });
  }

  /** Waits until an instant: the loads of a run share the pacer of a thread. @type {(at: number) => Promise<void>} */
  untilInAnyOrder(at) {
    return new Promise((wake) => {
      const isFirst = this.#insert({ at, wake });
      const now = this.#clock.now();
      if (!isFirst) {
        this.#wakeDue(now);
        return;
      }
      this.#cancel();
      this.#wait(now);
    });
  }

  /** @type {(waiting: Waiting) => boolean} whether it is the first one */
  #insert(waiting) {
    const position = this.#positionOf(waiting.at);
    const before = position - this.#first;
    if (this.#first > 0 && before < this.#queue.length - position) {
      // The few before it move into the room of woken lanes: a splice moves all others, 0.8 ms of 100,000 users.
      this.#first--;
      for (let i = this.#first; i < position - 1; i++) this.#queue[i] = this.#queue[i + 1];
      this.#queue[position - 1] = waiting;
    } else this.#queue.splice(position, 0, waiting);
    return before === 0;
  }

  /** Returns where an instant belongs: thousands of users of a slow load may wait. @type {(at: number) => number} */
  #positionOf(at) {
    let from = this.#first;
    let to = this.#queue.length;
    while (from < to) {
      const middle = (from + to) >>> 1;
      if (this.#queue[middle].at > at) to = middle;
      else from = middle + 1;
    }
    return from;
  }

  /** Wakes all waiting lanes, because no iteration will start any more. */
  wakeAll() {
    const waiting = this.#queue.slice(this.#first);
    this.#clear();
    for (const { wake } of waiting) wake();
  }

  /** Waits for the first instant. @type {(now: number) => void} */
  #wait(now) {
    const alarmAt = this.#queue[this.#first].at - this.#alarm.leadMs;
    this.#cancel = now < alarmAt ? this.#alarm.set(alarmAt, this.#onAlarm) : this.#clock.afterReads(this.#poll);
  }

  #onAlarm = () => {
    this.#restart();
    const now = this.#clock.now();
    this.#wakeDue(now);
    if (this.#first < this.#queue.length) this.#wait(now);
  };

  #poll = () => {
    const from = this.#clock.now();
    const isEmpty = this.#countIdle(from, from - this.#polledAt);
    // A turn that has read or started something may go on in the next one: the pacer does not delay it.
    const now = isEmpty ? this.#watchClock(from) : from;
    this.#polledAt = this.#wakeDue(now) ? NaN : now;
    if (this.#first < this.#queue.length) this.#wait(now);
  };

  /** Watches the clock until the first instant, for a short time. @type {(from: number) => number} the end of it */
  #watchClock(from) {
    const until = Math.min(this.#queue[this.#first].at, from + POLL_MS);
    let now = from;
    for (let i = 0; i < MOST_READINGS && now < until; i++) {
      pause(this.#rounds);
      const before = now;
      now = this.#clock.now();
      if (now - before > 2 * PAUSE_MS) this.#rounds = Math.max(1, this.#rounds >> 1);
      else if (now - before < PAUSE_MS / 2) this.#rounds = Math.min(MOST_ROUNDS, this.#rounds << 1);
    }
    const ms = now - from;
    if (ms < NO_CPU_MS) this.pollMs += ms;
    else this.#awayMs += ms;
    return now;
  }

  /** Wakes the lanes that are due. @type {(now: number) => boolean} whether there were any */
  #wakeDue(now) {
    const first = this.#first;
    while (this.#first < this.#queue.length && this.#queue[this.#first].at <= now) {
      const { wake } = this.#queue[this.#first];
      // What a woken lane allocated would survive collections of young garbage for as long as the queue has it.
      this.#queue[this.#first++] = WOKEN;
      wake();
    }
    const hasWoken = this.#first > first;
    if (hasWoken) this.#removeWoken();
    return hasWoken;
  }

  #removeWoken() {
    if (this.#first === this.#queue.length) this.#clear();
    else if (this.#first > MOST_WOKEN && this.#first > this.#queue.length / 2) {
      this.#queue = this.#queue.slice(this.#first);
      this.#first = 0;
    }
  }

  /**
   * @param {number} now instant at which an event is handled: the poll that ends this turn comes later
   * @returns {number} time so far in which the event loop seemed busy and had no work, ms
   */
  idleAt(now) {
    const turnMs = now - this.#polledAt;
    if (turnMs >= NO_CPU_MS) {
      this.#countAway(now, turnMs);
      // The poll that ends this turn does not count it again.
      this.#polledAt = NaN;
    }
    return this.idleMs;
  }

  get idleMs() {
    return this.pollMs + this.#awayMs;
  }

  /**
   * Counts the turn of the event loop that ends now. It has one of three kinds:
   *
   *     unknown   nothing polled at its beginning (`turnMs` is NaN): it is not counted
   *     empty     about as short as the shortest turn: all of it counts as polled
   *     busy      longer: the part of it in which the thread had no CPU counts as away
   * @type {(now: number, turnMs: number) => boolean} turnMs: its length; returns whether it was empty
   */
  #countIdle(now, turnMs) {
    if (turnMs < this.#shortestTurn) this.#shortestTurn = turnMs;
    const isEmpty = turnMs <= EMPTY_TURNS * this.#shortestTurn;
    if (isEmpty) this.pollMs += turnMs;
    const isFirst = Number.isNaN(this.#cpuAt);
    if (isFirst) this.#cpuAt = now;
    const isReadingDue = !isFirst && now - this.#cpuAt >= NO_CPU_MS;
    // What counts as polled does not count as away, too.
    if (isReadingDue) this.#countAway(now, isEmpty ? 0 : turnMs);
    return isEmpty;
  }

  /**
   * Counts the time without a CPU since the last reading of the CPU time, of which `turnMs` at most are in this turn.
   * @type {(now: number, turnMs: number) => void}
   */
  #countAway(now, turnMs) {
    const cpu = this.#cpuMs();
    const awayMs = now - this.#cpuAt - (cpu - this.#cpu);
    if (awayMs >= NO_CPU_MS && !Number.isNaN(turnMs)) this.#awayMs += Math.min(awayMs, turnMs);
    this.#cpu = cpu;
    this.#cpuAt = now;
  }

  /**
   * Forgets the last poll: the event loop has slept since, or may do so now. The CPU time is not read before it has
   * polled for a while, as a reading takes 2 us.
   */
  #restart() {
    this.#polledAt = this.#cpuAt = this.#cpu = NaN;
  }

  #clear() {
    this.#cancel();
    this.#cancel = () => {};
    this.#restart();
    this.#queue = [];
    this.#first = 0;
  }
}

/** Takes some time and leaves no garbage. @type {(rounds: number) => void} */
function pause(rounds) {
  let left = rounds;
  while (left > 0) left--;
}

/** Arrivals per second between which the event loop of a load thread hardly sleeps (bench/arrivals.js). */
const SLEEPLESS_RATE = 10_000;

/**
 * Chooses how lanes are woken; null in a closed run, which waits for nothing. A thread needs one of the cores for
 * itself where the event loop polls: without one it would take time from the load, or from the service if that runs on
 * this machine. If the event loop hardly sleeps, no thread has to wake it: between random arrivals it would be late.
 * @type {(options: Partial<Pick<RunOptions, 'pacing' | 'workers' | 'shard'>>, loads: OpenOrClosed[], cores?: () =>
 *   number) => Pacing | null}
 */
export function choosePacing({ pacing = 'auto', workers = 1, shard }, loads, cores = availableCores) {
  if (loads.every(({ schedule }) => schedule.arrived === null)) return null;
  if (pacing !== 'auto') return pacing;
  if (cores() <= workers) return 'timer';
  return meanRate(loads) / workers / (shard?.of ?? 1) >= SLEEPLESS_RATE ? 'poll' : 'thread';
}

/**
 * @typedef {{ options: Pick<LoadOptions, 'rate' | 'iterations'>, schedule: Pick<Schedule, 'arrived' | 'end'> }}
 *   OpenOrClosed
 */

/**
 * Returns the arrivals per second of all open loads, on average over the longest load: a short spike does not keep a
 * core busy all the time.
 * @type {(loads: OpenOrClosed[]) => number}
 */
function meanRate(loads) {
  const longest = Math.max(...loads.map(lengthOf));
  return loads.reduce((sum, load) => {
    const { arrived, end } = load.schedule;
    if (arrived === null) return sum;
    const length = lengthOf(load);
    const rate = load.options.rate ?? (1000 * arrived(end)) / length;
    return sum + (length === longest ? rate : (rate * length) / longest);
  }, 0);
}

/** A load at a rate may end by its iterations long before others. @type {(load: OpenOrClosed) => number} ms */
function lengthOf({ options: { rate, iterations = Infinity }, schedule: { end } }) {
  return rate === undefined ? end : Math.min(end, (iterations * 1000) / rate);
}

/**
 * Opens the alarm of a load thread: of the pacing thread, by timers, or none for an event loop that never sleeps.
 *
 * @param {Pacing | null} pacing
 * @param {object} context
 * @param {Clock} context.clock
 * @param {PacingMemory | null} [context.memory] of the thread that wakes all load threads; default: starts one
 * @param {number} [context.loadThread] its number
 * @param {boolean} [context.isRequired] see {@link startThread}
 * @param {StartThread} [context.start]
 * @returns {Promise<{ pacing: Pacing | null, alarm: Alarm, close: () => Promise<void> | undefined }>} pacing: `timer`
 *   if the thread cannot be started
 * @throws {Error} E_RUN_OPTIONS, see {@link startThread}
 */
export async function openAlarm(pacing, { clock, memory, loadThread = 0, isRequired, start }) {
  if (pacing === 'poll') return { pacing, alarm: NO_ALARM, close: () => undefined };
  const thread = pacing === 'thread' && !memory ? await startThread(1, { isRequired, start }) : null;
  const shared = memory ?? thread?.memory;
  if (pacing !== 'thread' || !shared)
    return { pacing: pacing && 'timer', alarm: timerAlarm(clock), close: () => undefined };
  const { ThreadAlarm } = await import('./pacing-thread.js');
  return { pacing, alarm: new ThreadAlarm(clock, shared, loadThread), close: () => thread?.close() };
}

/** @typedef {(loadThreads: number) => Promise<PacingThread>} StartThread */

/** @type {StartThread} */
async function startPacingThread(loadThreads) {
  const { PacingThread } = await import('./pacing-thread.js');
  return PacingThread.start(loadThreads);
}

/**
 * Starts the thread that wakes load threads.
 *
 * @param {number} loadThreads
 * @param {{ isRequired?: boolean, start?: StartThread }} [options] isRequired: the run cannot do without it
 * @returns {Promise<PacingThread | null>} null if the system refuses it
 * @throws {Error} E_RUN_OPTIONS if it is required
 */
export async function startThread(loadThreads, { isRequired = false, start = startPacingThread } = {}) {
  try {
    return await start(loadThreads);
  } catch (cause) {
    if (!isRequired) return null;
    const reason = /** @type {Error} */ (cause).message;
    const problems = `runOptions.pacing: the thread cannot be started (${reason}); use timer, or auto`;
    throw makeError('E_RUN_OPTIONS', { problems }, { cause });
  }
}

/** Timers of Node have a resolution of 1 ms. @type {(clock: Clock) => Alarm} */
export function timerAlarm(clock) {
  return { leadMs: 0, set: (at, wake) => clock.after(wake, at - clock.now()) };
}

/** The event loop never sleeps. @type {Alarm} */
const NO_ALARM = { leadMs: Infinity, set: () => () => {} };

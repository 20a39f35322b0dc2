import pLimit from 'p-limit';

import { Exchange } from './exchange.js';
import { IterationRun } from './iteration-run.js';
import { TIMES, createTimes } from './lane-times.js';

/** @import { Clock, ReadDelay } from '../contracts/clock.js' */
/** @import { Connection, Transport } from '../contracts/connection.js' */
/** @import { Endpoint } from '../http/endpoint.js' */
/** @import { BodyAccount } from '../process/body-memory.js' */
/** @import { Deadlines } from './deadlines.js' */
/** @import { IterationJar } from './session/cookies.js' */

const Time = TIMES;

/**
 * @typedef {object} ShareOptions
 * @property {number | null} [requestsPerConnection] requests after which connections are opened anew
 * @property {number} [ratePerUser] requests per second at most
 */

/**
 * @typedef {object} UserStart
 * @property {string} [user]
 * @property {string} [password]
 * @property {Record<string, any>} vars
 * @property {IterationJar | null} jar
 * @property {Record<string, string>} [etags] by URL
 */

/**
 * The state of a virtual user: its number, its object for hooks, and the limits of its connections and requests with
 * what counts towards them. With pipelining its lanes share one; otherwise each lane has its own.
 */
export class ConnectionShare {
  /** Requests after which connections are opened anew; null: they stay open. */
  #requestsPerConnection;
  /** ms between requests, and when the next may start. @type {{ gapMs: number, nextAt: number } | null} */
  #pace;
  #limits;
  /** The queue, created when first used. @type {ReturnType<typeof pLimit> | null} */
  #queue = null;
  /** Requests since connections were opened anew. */
  #requests = 0;
  /** It identifies the connections: another object as soon as they are opened anew. @type {object} */
  generation = this;
  /** Iterations that its lanes have claimed. */
  #claimed = 0;
  /** The function of the flow that begins the virtual user has succeeded; without one, an iteration has begun. */
  hasBegun = false;
  /** What that function has left, with which each iteration starts; null: nothing. @type {UserStart | null} */
  start = null;
  /** The object of the virtual user for hooks, created when first read. @type {Record<string, any> | null} */
  #context = null;

  /**
   * @param {ShareOptions} [options]
   * @param {number} [number] of the virtual user among those of all threads; none for that of `before` and `after`
   * @param {{ takeTurn: (now: number) => number } | null} [limits] of all virtual users
   */
  constructor({ requestsPerConnection = null, ratePerUser = Infinity } = {}, number = undefined, limits = null) {
    this.number = number;
    this.#limits = limits;
    this.#requestsPerConnection = requestsPerConnection;
    this.#pace = ratePerUser === Infinity ? null : { gapMs: 1000 / ratePerUser, nextAt: -Infinity };
  }

  /** Kept for the whole run, whatever happens to connections. */
  get context() {
    return (this.#context ??= {});
  }

  set context(context) {
    this.#context = context;
  }

  /** Counts an iteration that is about to start; false: the limit is reached. @type {(most: number) => boolean} */
  claimIteration(most) {
    if (!this.mayClaim(most)) return false;
    this.#claimed++;
    return true;
  }

  /** Reports whether another iteration may start. @type {(most: number) => boolean} */
  mayClaim(most) {
    return this.#claimed < most;
  }

  /** Forgets the iterations of the warm-up. */
  resetIterations() {
    this.#claimed = 0;
  }

  get reopens() {
    return this.#requestsPerConnection !== null;
  }

  /** Counts a request, and opens connections anew if it is one too many for those that are open. */
  countRequest() {
    if (this.#requestsPerConnection === null || this.#requests++ < this.#requestsPerConnection) return;
    this.#requests = 1;
    this.generation = {};
  }

  /** Calls functions one after the other, in their order. @type {<T>(act: () => Promise<T>) => Promise<T>} */
  inTurn(act) {
    return (this.#queue ??= pLimit(1))(act);
  }

  /** Reserves a turn, and returns the ms until then. Missed turns are lost. @type {(now: number) => number} */
  takeTurn(now) {
    const limitMs = this.#limits === null ? 0 : this.#limits.takeTurn(now);
    if (this.#pace === null) return limitMs;
    const at = Math.max(now, this.#pace.nextAt);
    this.#pace.nextAt = at + this.#pace.gapMs;
    return Math.max(at - now, limitMs);
  }
}

/** @typedef {{ onWake: () => void }} Sleeper what a lane pauses for; `onWake` throws nothing */

/**
 * @typedef {object} LaneOptions
 * @property {Pick<Transport, 'connect'>} transport
 * @property {Pick<Deadlines, 'add'>} deadlines
 * @property {Clock} clock
 * @property {Pick<ReadDelay, 'at' | 'busyAt'>} readDelay how long responses waited for this thread
 * @property {BodyAccount} bodies counts the bodies that the lane keeps
 * @property {ConnectionShare} share what it has in common with the lanes that use the same connections
 * @property {number} mostConnections connections that stay open
 */

/**
 * Runs one iteration at a time, owns one connection per endpoint, and paces its requests: a virtual user, or with
 * pipelining one of several lanes that share the connections of one.
 */
export class Lane {
  /** Timeouts of the current wait. */
  deadline;
  /** The memory of the kept bodies. */
  bodies;
  iteration;
  exchange;
  /**
   * Connections by the key of the endpoint, the most recently used last; null as long as the last one is the only one,
   * so that most lanes need none.
   * @type {Map<string, Connection> | null}
   */
  #connections = null;
  #mostConnections;
  #transport;
  #clock;
  share;
  /** A copy of `share.reopens`: most runs need not read the share for each request. */
  #reopens;
  /** The generation of the connections of this lane. @type {object} */
  #generation;
  /** The connection of the last exchange. @type {Connection | null} */
  #connection = null;
  /** The endpoint of {@link #connection}. @type {Endpoint | null} */
  #endpoint = null;
  /** The end of the run has cut off the lane: it only starts steps of a teardown. */
  isCancelled = false;
  /** The event loop had a turn (a response or a timer) since the iteration started. */
  hasWaited = false;
  /** It started an iteration: since the warm-up, as {@link wasAnswered}. */
  wasUsed = false;
  /** A request got its response at least once. */
  wasAnswered = false;
  /** See `lane-times.js`; its iteration, its exchange and its deadline have the same ones. */
  times = createTimes();
  #readDelay;
  /** The turn of the next request was reserved before its iteration started. */
  hasTurn = false;
  /** What pauses now. @type {Sleeper | null} */
  #sleeper = null;
  /** Ends a pause early, made when the lane pauses for the first time. @type {(() => void) | null} */
  #interrupt = null;

  /** @param {LaneOptions} options */
  constructor({ transport, deadlines, clock, readDelay, bodies, share, mostConnections }) {
    this.#transport = transport;
    this.bodies = bodies;
    this.#mostConnections = mostConnections;
    this.#clock = clock;
    this.#readDelay = readDelay;
    this.share = share;
    this.#reopens = share.reopens;
    this.#generation = share.generation;
    this.deadline = deadlines.add(this.times);
    this.iteration = new IterationRun(this);
    this.exchange = new Exchange(this);
  }

  /**
   * When the event occurred that the lane handles: a response, the end of a pause. The clock is read once per event, as
   * each reading costs 40 ns, and again after functions of the flow and checks, whose time is not that of an exchange.
   */
  get now() {
    return this.times[Time.NOW];
  }

  /**
   * Reports whether the run is over, and a step of this kind may not start: teardown may, until its limit.
   * @param {boolean} isTeardown
   * @param {number} now
   */
  isCutOff(isTeardown, now) {
    return this.isCancelled && !(isTeardown && !this.deadline.isPastLimit(now));
  }

  /** Reports whether it waits for a connection or a response. */
  get isExchanging() {
    const { connection } = this.deadline;
    return connection !== null && !connection.hasArrived;
  }

  /** Reports whether the request was sent and is counted neither as answered nor as failed. */
  get isInFlight() {
    const { connection } = this.deadline;
    if (connection === null || !connection.wasSent) return false;
    // On a reused connection, `endedAt` is the end of its last response until this one ends.
    return connection.hasArrived || connection.endedAt < connection.sentAt;
  }

  /** Returns the times of the last exchange: instants of the clock, 0 for a step that was not reached. */
  get lastExchange() {
    const { connectedAt = 0, sentAt = 0, firstByteAt = 0, wasReused = false } = this.#connection ?? {};
    return { connectedAt, sentAt, firstByteAt, wasReused };
  }

  /** Reads the clock, for an event that brings no time of its own. */
  readClock() {
    const now = this.#clock.now();
    this.times[Time.NOW] = now;
    this.times[Time.BUSY] = this.#readDelay.busyAt(now);
  }

  /** Reports whether the virtual user has an iteration left. @type {(most: number) => boolean} */
  mayClaim(most) {
    return most === Infinity || this.share.mayClaim(most);
  }

  /** Claims an iteration of the virtual user; false: it has no more. @type {(most: number) => boolean} */
  claimIteration(most) {
    return most === Infinity || this.share.claimIteration(most);
  }

  /**
   * Notes that a response arrived (of a redirect, too) at an instant of the clock, and how long it may have waited for
   * this thread.
   * @type {(at: number) => void}
   */
  responded(at) {
    this.hasWaited = this.wasAnswered = true;
    this.times[Time.NOW] = at;
    this.times[Time.BUSY] = this.#readDelay.busyAt(at);
    this.times[Time.READ_DELAY] += this.#readDelay.at(at);
  }

  /**
   * Counts a request, and gives it the connection to its endpoint, opened if there is none. A share that reopens its
   * connections after a number of requests has them closed first.
   * @type {(endpoint: Endpoint) => Connection}
   */
  useConnection(endpoint) {
    if (this.#reopens) this.#countRequest();
    const last = this.#connection;
    // Most requests compare no keys: those of one operation share its endpoint.
    const isSame = endpoint === this.#endpoint || endpoint.key === this.#endpoint?.key;
    if (isSame && last !== null && !last.isDead) return last;
    const isOnly = this.#connections === null && (isSame || last === null);
    const connection = isOnly ? this.#open(endpoint) : this.#connectionOf(endpoint);
    this.#connection = connection;
    this.#endpoint = endpoint;
    return connection;
  }

  /** Reports whether a connection that operations share, by its key, can be used. @type {(key: string) => boolean} */
  isOpen(key) {
    return this.#allConnections().get(key)?.isOpen === true;
  }

  /** Closes connections that the operations of an iteration shared. @type {(keys: string[]) => void} */
  closeHeld(keys) {
    const all = this.#allConnections();
    for (const key of keys) {
      all.get(key)?.close();
      all.delete(key);
    }
  }

  /** Reserves a turn, and returns the ms until the next request; missed turns are lost. @type {() => number} */
  takeTurn() {
    if (!this.hasTurn) return this.share.takeTurn(this.#clock.now());
    this.hasTurn = false;
    return 0;
  }

  /** Reserves the turn of the first request of an iteration; returns the ms until then. @type {() => number} */
  reserveTurn() {
    const waitMs = this.takeTurn();
    this.hasTurn = true;
    return waitMs;
  }

  /** Ends early when the lane is woken or cancelled. @type {(ms: number, sleeper: Sleeper) => void} */
  pause(ms, sleeper) {
    this.#sleeper = sleeper;
    this.deadline.startPause(this, ms, (this.#interrupt ??= () => this.wake()));
  }

  /** The same. @type {(ms: number) => Promise<void>} */
  sleep(ms) {
    return new Promise((onWake) => this.pause(ms, { onWake }));
  }

  /** The time of a pause is over: another one than the current one if it was woken before. @param {number} instant */
  pauseEnded(instant) {
    if (instant === this.times[Time.WAKES]) this.#endPause()?.onWake();
  }

  wake() {
    const sleeper = this.#endPause();
    // Not at once: many lanes are woken together, some of which may be cancelled after this one.
    if (sleeper) queueMicrotask(() => sleeper.onWake());
  }

  #endPause() {
    const sleeper = this.#sleeper;
    if (sleeper === null) return null;
    this.#sleeper = null;
    this.hasWaited = true;
    this.readClock();
    this.deadline.end();
    return sleeper;
  }

  /** Aborts the current wait. Teardown may follow, until `teardownBy`. @type {(teardownBy: number) => void} */
  cancel(teardownBy) {
    this.isCancelled = true;
    this.deadline.limitTo(teardownBy);
    this.deadline.interrupt('cancelled', this.#clock.now());
  }

  /** Begins the load of the run after the warm-up, whose end may have cut off the lane. */
  resume() {
    this.isCancelled = this.wasUsed = this.wasAnswered = false;
    this.deadline.removeLimit();
  }

  close() {
    this.deadline.remove();
    this.#closeConnections();
    this.bodies.close();
  }

  #countRequest() {
    this.share.countRequest();
    if (this.#generation === this.share.generation) return;
    this.#generation = this.share.generation;
    this.#closeConnections();
  }

  #closeConnections() {
    for (const connection of this.#connections?.values() ?? [this.#connection]) connection?.close();
    this.#connections?.clear();
  }

  /** Returns one of several connections. @type {(endpoint: Endpoint) => Connection} */
  #connectionOf(endpoint) {
    const all = this.#allConnections();
    const known = all.get(endpoint.key);
    all.delete(endpoint.key);
    const connection = known && !known.isDead ? known : this.#openAnother(endpoint, all);
    // This one is the most recently used.
    all.set(endpoint.key, connection);
    return connection;
  }

  /** @type {(endpoint: Endpoint, all: Map<string, Connection>) => Connection} */
  #openAnother(endpoint, all) {
    if (all.size >= this.#mostConnections) {
      const [[key, leastRecent]] = all;
      leastRecent.close();
      all.delete(key);
    }
    return this.#open(endpoint);
  }

  /** @type {(endpoint: Endpoint) => Connection} */
  #open(endpoint) {
    return this.#transport.connect(endpoint, this.bodies, this.#generation);
  }

  /** Returns the connections by their keys, which the lane keeps from now on. */
  #allConnections() {
    if (this.#connections === null) {
      this.#connections = new Map();
      if (this.#connection?.isDead === false)
        this.#connections.set(/** @type {Endpoint} */ (this.#endpoint).key, this.#connection);
    }
    return this.#connections;
  }
}

import { UNCOUNTED } from '../process/body-memory.js';
import { ConnectionShare } from './connection-share.js';
import { Exchange } from './exchange.js';
import { IterationRun } from './iteration-run.js';

/**
 * @import { Clock, ReadDelay } from '../contracts/clock.js'
 * @import { Connection, Transport } from '../contracts/connection.js'
 * @import { Endpoint } from '../http/endpoint.js'
 * @import { BodyAccount } from '../process/body-memory.js'
 * @import { Deadlines } from './deadlines.js'
 */

/** Without a thread that measures it, responses are read at once. */
const READ_AT_ONCE = { at: () => 0, busyAt: () => 0 };

/**
 * @typedef {object} LaneOptions
 * @property {Pick<Transport, 'connect'>} transport
 * @property {Pick<Deadlines, 'add'>} deadlines
 * @property {Clock} clock
 * @property {Pick<ReadDelay, 'at' | 'busyAt'>} [readDelay] how long responses waited for this thread
 * @property {BodyAccount} [bodies] counts the bodies that the lane keeps
 * @property {ConnectionShare} [share] what it has in common with the lanes that use the same connections
 * @property {number} [mostConnections] connections that stay open
 */

/**
 * A virtual user: runs one iteration at a time, owns one connection per endpoint, and paces its requests. With
 * pipelining several lanes are one virtual user: they share its connections.
 */
export class Lane {
  /** timeouts of the current wait */
  deadline;
  /** memory of the kept bodies */
  bodies;
  iteration;
  exchange;
  /** by the key of the endpoint, the most recently used last @type {Map<string, Connection>} */
  #connections = new Map();
  #mostConnections;
  #transport;
  #clock;
  /** what it has in common with the lanes that use the same connections */
  share;
  /** its connections are opened anew: otherwise the share is not read for each request */
  #reopens;
  /** that of the connections of this lane @type {object} */
  #generation;
  /** of the last exchange @type {Connection | null} */
  #connection = null;
  /** that {@link #connection} leads to @type {Endpoint | null} */
  #endpoint = null;
  #isCancelled = false;
  #hasWaited = false;
  /** it started an iteration, not in the warm-up */
  wasUsed = false;
  /** an operation got its response at least once */
  wasAnswered = false;
  /** when the event occurred that the lane handles */
  #now = 0;
  readDelay;
  /**
   * service times of all its operations so far, and the part of them that is the load generator's at most; both of the
   * last one
   */
  exchanged = { ms: 0, ownMs: 0, lastMs: 0, lastOwnMs: 0 };
  /** the turn of the next request was reserved before its iteration started */
  #hasTurn = false;
  /** ends the current pause @type {(() => void) | null} */
  #wake = null;

  /** @param {LaneOptions} options */
  constructor({
    transport,
    deadlines,
    clock,
    readDelay = READ_AT_ONCE,
    bodies = UNCOUNTED,
    share = new ConnectionShare(),
    mostConnections = 16,
  }) {
    this.#transport = transport;
    this.bodies = bodies;
    this.#mostConnections = mostConnections;
    this.#clock = clock;
    this.readDelay = readDelay;
    this.share = share;
    this.#reopens = share.reopens;
    this.#generation = share.generation;
    this.deadline = deadlines.add();
    this.iteration = new IterationRun(this);
    this.exchange = new Exchange(this);
  }

  /** The run is over: the lane only starts teardown. */
  get isCancelled() {
    return this.#isCancelled;
  }

  /**
   * The run is over, and a step of this kind may not start: teardown may, until its limit.
   *
   * @param {boolean} isTeardown
   * @param {number} now
   */
  isCutOff(isTeardown, now) {
    return this.#isCancelled && !(isTeardown && !this.deadline.isPastLimit(now));
  }

  /** The event loop had a turn (a response or a timer) since the iteration started. */
  get hasWaited() {
    return this.#hasWaited;
  }

  /** It waits for a connection or a response. */
  get isExchanging() {
    const { connection } = this.deadline;
    return connection !== null && !connection.hasArrived;
  }

  /**
   * Of the last operation that was answered: its service time, and the same without what the load generator may have
   * added.
   */
  get lastTimes() {
    const { lastMs, lastOwnMs } = this.exchanged;
    return /** @type {[ms: number, leastMs: number]} */ ([lastMs, lastMs - lastOwnMs]);
  }

  /** The request was sent and is counted neither as answered nor as failed. */
  get isInFlight() {
    const { connection } = this.deadline;
    if (connection === null || !connection.wasSent) return false;
    return connection.hasArrived || connection.endedAt < connection.sentAt;
  }

  /** Times of the last exchange: instants of the clock, 0 for a step that was not reached. */
  get lastExchange() {
    const { connectedAt = 0, sentAt = 0, firstByteAt = 0, wasReused = false } = this.#connection ?? {};
    return { startedAt: this.deadline.startedAt, connectedAt, sentAt, firstByteAt, wasReused };
  }

  /**
   * When the event occurred that the lane handles: a response, the end of a pause. The clock is read once per event, as
   * each reading costs 40 ns, and again after functions of the flow and checks, whose time is not that of an exchange.
   */
  get now() {
    return this.#now;
  }

  /** For an event that brings no time of its own. */
  readClock() {
    this.#now = this.#clock.now();
  }

  /**
   * @param {number} most iterations of the virtual user
   * @returns {boolean} false if it has started as many
   */
  claimIteration(most) {
    return most === Infinity || this.share.claimIteration(most);
  }

  startIteration() {
    this.wasUsed = true;
    this.#hasWaited = false;
  }

  /** A response arrived, of a redirect too. @param {number} at instant of the clock */
  responded(at) {
    this.#hasWaited = true;
    this.#now = at;
  }

  /** The response of an operation arrived. */
  answered() {
    this.wasAnswered = true;
  }

  /**
   * Counts a request, and gives it the connection to its endpoint, opened if there is none. A share that reopens its
   * connections after a number of requests has them closed first.
   * @type {(endpoint: Endpoint) => Connection}
   */
  useConnection(endpoint) {
    if (this.#reopens) this.#countRequest();
    // with many lanes, the map is what is not in the cache of the CPU
    const last = this.#connection;
    if (endpoint === this.#endpoint && last !== null && !last.isDead) return last;
    let connection = this.#connections.get(endpoint.key);
    if (!connection || connection.isDead) connection = this.#connect(endpoint);
    else if (connection !== last) this.#keep(endpoint, connection);
    this.#connection = connection;
    this.#endpoint = endpoint;
    return connection;
  }

  /**
   * @param {string} key of a connection that operations share
   * @returns {boolean} it can be used
   */
  isOpen(key) {
    return this.#connections.get(key)?.isOpen === true;
  }

  /**
   * Closes connections that the operations of an iteration shared.
   * @type {(keys: string[]) => void}
   */
  closeHeld(keys) {
    for (const key of keys) {
      this.#connections.get(key)?.close();
      this.#connections.delete(key);
    }
  }

  /**
   * Applies the deadline of the exchange to a connection that is about to send.
   *
   * @param {Connection} connection the last one of {@link useConnection}
   * @returns {Connection} the same
   */
  applyDeadline(connection) {
    this.deadline.applyTo(connection, /** @type {Endpoint} */ (this.#endpoint).label);
    return connection;
  }

  /** @returns {number} ms until the next request may start; missed turns are not made up for */
  takeTurn() {
    if (!this.#hasTurn) return this.share.takeTurn(this.#clock.now());
    this.#hasTurn = false;
    return 0;
  }

  /**
   * Takes the turn of the first request of an iteration, before the iteration starts.
   *
   * @returns {number} ms until the iteration may start
   */
  reserveTurn() {
    const waitMs = this.takeTurn();
    this.#hasTurn = true;
    return waitMs;
  }

  /**
   * Ends early when the lane is woken or cancelled.
   * @type {(ms: number) => Promise<void>}
   */
  sleep(ms) {
    return new Promise((resolve) => {
      const cancelTimer = this.#clock.after(() => this.wake(), ms);
      this.#wake = () => {
        cancelTimer();
        resolve();
      };
      this.deadline.start(Infinity, () => this.wake());
    });
  }

  /** Ends a pause. */
  wake() {
    const wake = this.#wake;
    if (wake === null) return;
    this.#wake = null;
    this.#hasWaited = true;
    this.readClock();
    this.deadline.end();
    wake();
  }

  /**
   * Aborts the current wait of the lane. Teardown may follow.
   *
   * @param {number} teardownBy when teardown is aborted too
   */
  cancel(teardownBy) {
    this.#isCancelled = true;
    this.deadline.limitTo(teardownBy);
    this.deadline.interrupt('cancelled', this.#clock.now());
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
    for (const connection of this.#connections.values()) connection.close();
    this.#connections.clear();
  }

  /** @type {(endpoint: Endpoint) => Connection} */
  #connect(endpoint) {
    this.#connections.delete(endpoint.key);
    if (this.#connections.size >= this.#mostConnections) {
      const [[key, leastRecent]] = this.#connections;
      leastRecent.close();
      this.#connections.delete(key);
    }
    const connection = this.#transport.connect(endpoint, this.bodies, this.#generation);
    this.#keep(endpoint, connection);
    return connection;
  }

  /** Makes it the most recently used. @type {(endpoint: Endpoint, connection: Connection) => void} */
  #keep({ key }, connection) {
    this.#connections.delete(key);
    this.#connections.set(key, connection);
  }
}

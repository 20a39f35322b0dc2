import { UNCOUNTED } from '../body-memory.js';
import { IterationState } from './iteration-state.js';

/**
 * @import { BodyAccount } from '../body-memory.js'
 * @import { Endpoint } from '../endpoint.js'
 * @import { Clock } from '../run/clock.js'
 * @import { Connection, Transport } from '../transport/types.js'
 * @import { Deadlines } from './deadlines.js'
 */

/**
 * @typedef {object} LaneOptions
 * @property {Pick<Transport, 'connect'>} transport
 * @property {Pick<Deadlines, 'add'>} deadlines
 * @property {Clock} clock
 * @property {BodyAccount} [bodies] counts the bodies that the lane keeps
 * @property {number} [reconnectRate] requests after which connections are opened anew
 * @property {number} [connectionRate] requests per second at most
 * @property {number} [mostConnections] connections that stay open
 */

/** A virtual user: runs one iteration at a time, owns one connection per endpoint, and paces its requests. */
export class Lane {
  /** timeouts of the current wait */
  deadline;
  /** memory of the kept bodies */
  bodies;
  iteration = new IterationState();
  /** by the key of the endpoint, the most recently used last @type {Map<string, Connection>} */
  #connections = new Map();
  #mostConnections;
  #transport;
  #clock;
  #reconnectRate;
  /** ms between requests */
  #gapMs;
  /** when the next request may start */
  #nextAt = -Infinity;
  /** requests since connections were opened anew */
  #requests = 0;
  /** of the last exchange @type {Connection | null} */
  #connection = null;
  /** of the last connection */
  #origin = '';
  #isCancelled = false;
  #wasAnswered = false;
  #hasWaited = false;
  #iterations = 0;
  /** ends the current pause @type {(() => void) | null} */
  #wake = null;

  /** @param {LaneOptions} options */
  constructor({
    transport,
    deadlines,
    clock,
    bodies = UNCOUNTED,
    reconnectRate = Infinity,
    connectionRate = Infinity,
    mostConnections = 16,
  }) {
    this.#transport = transport;
    this.bodies = bodies;
    this.#mostConnections = mostConnections;
    this.#clock = clock;
    this.#reconnectRate = reconnectRate;
    this.#gapMs = 1000 / connectionRate;
    this.deadline = deadlines.add();
  }

  /** The run is over: the lane only starts teardown. */
  get isCancelled() {
    return this.#isCancelled;
  }

  /** Iterations started since {@link resetIterations}. */
  get iterations() {
    return this.#iterations;
  }

  /** An operation got its response at least once. */
  get wasAnswered() {
    return this.#wasAnswered;
  }

  /** The event loop had a turn (a response or a timer) since the iteration started. */
  get hasWaited() {
    return this.#hasWaited;
  }

  /** The request was sent and is neither answered nor failed. */
  get isInFlight() {
    const { connection } = this.deadline;
    return connection !== null && connection.wasSent && connection.endedAt < connection.sentAt;
  }

  /** Times of the last exchange: instants of the clock, 0 for a step that was not reached. */
  get lastExchange() {
    const { connectedAt = 0, sentAt = 0, firstByteAt = 0, wasReused = false } = this.#connection ?? {};
    return { startedAt: this.deadline.startedAt, connectedAt, sentAt, firstByteAt, wasReused };
  }

  startIteration() {
    this.#iterations++;
    this.#hasWaited = false;
  }

  resetIterations() {
    this.#iterations = 0;
  }

  /** A response arrived, including those of redirects. */
  responded() {
    this.#hasWaited = true;
  }

  /** The response of an operation arrived. */
  answered() {
    this.#wasAnswered = true;
  }

  /**
   * The connection to an endpoint, opened if there is none.
   *
   * @param {Endpoint} endpoint
   * @returns {Connection}
   */
  connection(endpoint) {
    if (this.#requests++ >= this.#reconnectRate) this.#reconnect();
    this.#origin = endpoint.origin;
    const connection = this.#connections.get(endpoint.key);
    if (!connection || connection.isDead) return this.#connect(endpoint);
    if (connection !== this.#connection) this.#keep(endpoint, connection);
    return connection;
  }

  /**
   * Applies the deadline of the exchange to a connection that is about to send.
   *
   * @param {Connection} connection the last one of {@link connection}
   * @returns {Connection} the same
   */
  watch(connection) {
    this.#connection = connection;
    this.deadline.watch(connection, this.#origin);
    return connection;
  }

  /** @returns {number} ms until the next request may start; missed turns are not made up for */
  takeTurn() {
    const now = this.#clock.now();
    const at = Math.max(now, this.#nextAt);
    this.#nextAt = at + this.#gapMs;
    return at - now;
  }

  /**
   * Ends early when the lane is woken or cancelled.
   *
   * @param {number} ms
   * @returns {Promise<void>}
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
    this.deadline.interrupt('cancelled');
  }

  close() {
    this.deadline.remove();
    this.#closeConnections();
    this.bodies.close();
  }

  #reconnect() {
    this.#requests = 1;
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
    const connection = this.#transport.connect(endpoint, this.bodies);
    this.#keep(endpoint, connection);
    return connection;
  }

  /** Makes it the most recently used. @type {(endpoint: Endpoint, connection: Connection) => void} */
  #keep({ key }, connection) {
    this.#connections.delete(key);
    this.#connections.set(key, connection);
  }
}

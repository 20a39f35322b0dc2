import { makeError } from '../errors.js';

/**
 * @import { Endpoint } from '../flow/types.js'
 * @import { Connection, Transport } from '../transport/types.js'
 * @import { Deadlines, Interruption } from './deadlines.js'
 * @import { Clock } from '../run/clock.js'
 */

const MOST_CONNECTIONS = 16;

/**
 * @typedef {object} LaneOptions
 * @property {Transport} transport
 * @property {Deadlines} deadlines
 * @property {Clock} clock
 * @property {number} [reconnectRate] requests after which connections are opened anew
 * @property {number} [connectionRate] requests a second at most
 */

/** Runs one iteration at a time; owns one connection for each endpoint and the deadline of what it waits for. */
export class Lane {
  /** by the endpoint's key @type {Map<string, Connection>} */
  #connections = new Map();
  #transport;
  #clock;
  #reconnectRate;
  /** ms between its requests */
  #gapMs;
  /** when the next request may start */
  #nextAt = -Infinity;
  /** requests since connections were opened anew */
  #requests = 0;
  /** of the exchange under way @type {Connection | null} */
  #waitingFor = null;
  /** of the last one @type {Connection | null} */
  #connection = null;
  #startedAt = 0;
  #origin = '';
  #endsAt = Infinity;
  #timeoutMs = 0;
  #connectTimeoutMs = 0;
  #connectBy = Infinity;
  /** set when the run is over and what still runs is to be ended */
  isCancelled = false;
  /** a complete response was had */
  wasAnswered = false;
  /** of the iteration under way; undefined in before and after @type {number | undefined} */
  index = undefined;
  /** when it was due, NaN where the plan says none */
  due = NaN;
  /** ms that it did not work but paused, over all iterations */
  paused = 0;
  /** for the recorder, which lets no iteration end twice */
  isUnderWay = false;
  /** iterations so far */
  iterations = 0;
  /** ends a pause early */
  wake = () => {};

  /** @param {LaneOptions} options */
  constructor({ transport, deadlines, clock, reconnectRate = Infinity, connectionRate = Infinity }) {
    this.#transport = transport;
    this.#clock = clock;
    this.#reconnectRate = reconnectRate;
    this.#gapMs = 1000 / connectionRate;
    this.deadline = deadlines.enter();
  }

  /** @type {(endpoint: Endpoint) => Connection} */
  connection(endpoint) {
    if (this.#requests++ >= this.#reconnectRate) this.#reconnect();
    this.#origin = endpoint.origin;
    const connection = this.#connections.get(endpoint.key);
    if (connection && !connection.isDead) return connection;
    return this.#connect(endpoint);
  }

  /** Sets the deadline of an exchange: for connecting first, then for the whole of it. @type {(now: number, timeoutMs: number, connectTimeoutMs: number) => void} */
  startExchange(now, timeoutMs, connectTimeoutMs) {
    this.#startedAt = now;
    this.#timeoutMs = timeoutMs;
    this.#connectTimeoutMs = connectTimeoutMs;
    this.#endsAt = timeoutMs > 0 ? now + timeoutMs : Infinity;
    this.startConnect(now);
  }

  /** Another connection may have to be opened: by a redirect, or for a retry. @type {(now: number) => void} */
  startConnect(now) {
    this.#connectBy = now + this.#connectTimeoutMs;
    this.deadline.at = Math.min(this.#endsAt, this.#connectBy);
  }

  /** @type {(connection: Connection) => Connection} */
  watch(connection) {
    this.#waitingFor = connection;
    this.#connection = connection;
    this.deadline.interrupt = this.#interruptExchange;
    return connection;
  }

  endWait() {
    this.deadline.at = Infinity;
    this.deadline.interrupt = null;
    this.#waitingFor = null;
  }

  /** What is known of the last exchange: instants of the clock, 0 where it did not come to that. */
  get lastExchange() {
    const { connectedAt = 0, sentAt = 0, firstByteAt = 0, wasReused = false } = this.#connection ?? {};
    return { startedAt: this.#startedAt, connectedAt, sentAt, firstByteAt, wasReused };
  }

  /** How long the next request has to wait, ms: what a lane missed it does not make up for. */
  takeTurn() {
    const now = this.#clock.now();
    const at = Math.max(now, this.#nextAt);
    this.#nextAt = at + this.#gapMs;
    return at - now;
  }

  /** Ends early when the lane is woken or cancelled. @type {(ms: number) => Promise<void>} */
  sleep(ms) {
    return new Promise((resolve) => {
      const prevent = this.#clock.after(() => this.wake(), ms);
      this.deadline.at = Infinity;
      this.wake = () => {
        prevent();
        this.deadline.interrupt = null;
        this.wake = () => {};
        resolve();
      };
      this.deadline.interrupt = this.wake;
    });
  }

  /** Ends what the lane waits for; tear-down may follow, until `at`. @type {(at: number) => void} */
  cancel(at) {
    this.isCancelled = true;
    this.deadline.limit = at;
    this.deadline.interrupt?.('cancelled');
  }

  close() {
    this.deadline.leave();
    this.#closeConnections();
  }

  #reconnect() {
    this.#requests = 1;
    this.#closeConnections();
  }

  #closeConnections() {
    for (const connection of this.#connections.values()) connection.close();
    this.#connections.clear();
  }

  /** @type {(why: Interruption) => void} */
  #interruptExchange = (why) => {
    const connection = /** @type {Connection} */ (this.#waitingFor);
    const now = this.#clock.now();
    if (why === 'cancelled' || this.deadline.limit <= now) connection.abort(makeError('E_CANCELLED'));
    else if (connection.isConnecting) {
      const ms = Math.min(this.#timeoutMs || Infinity, this.#connectTimeoutMs);
      connection.abort(makeError('E_TIMEOUT_CONNECT', { origin: this.#origin, ms }));
    } else if (now < this.#endsAt) this.deadline.at = this.#endsAt;
    else connection.abort(makeError('E_TIMEOUT_REQUEST', { ms: this.#timeoutMs }));
  };

  /** @type {(endpoint: Endpoint) => Connection} */
  #connect(endpoint) {
    this.#connections.delete(endpoint.key);
    if (this.#connections.size >= MOST_CONNECTIONS) {
      const [[oldest, connection]] = this.#connections;
      connection.close();
      this.#connections.delete(oldest);
    }
    const connection = this.#transport.connect(endpoint);
    this.#connections.set(endpoint.key, connection);
    return connection;
  }
}

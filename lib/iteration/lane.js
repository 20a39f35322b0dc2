import { makeError } from '../errors.js';

/**
 * @import { Endpoint } from '../flow/types.js'
 * @import { Connection, Transport } from '../transport/types.js'
 * @import { Deadlines, Interruption } from './deadlines.js'
 * @import { Clock } from '../run/clock.js'
 */

const MOST_CONNECTIONS = 16;

/** Runs one iteration at a time; owns one connection for each endpoint and the deadline of what it waits for. */
export class Lane {
  /** by the endpoint's key @type {Map<string, Connection>} */
  #connections = new Map();
  #transport;
  #clock;
  /** of the exchange under way @type {Connection | null} */
  #waitingFor = null;
  #origin = '';
  #endsAt = Infinity;
  #timeoutMs = 0;
  #connectTimeoutMs = 0;
  #connectBy = Infinity;
  /** set when the run is over and what still runs is to be ended */
  isCancelled = false;

  /**
   * @param {Transport} transport
   * @param {Deadlines} deadlines
   * @param {Clock} clock
   */
  constructor(transport, deadlines, clock) {
    this.#transport = transport;
    this.#clock = clock;
    this.deadline = deadlines.enter();
  }

  /** @type {(endpoint: Endpoint) => Connection} */
  connection(endpoint) {
    this.#origin = endpoint.origin;
    const connection = this.#connections.get(endpoint.key);
    if (connection && !connection.isDead) return connection;
    return this.#connect(endpoint);
  }

  /** Sets the deadline of an exchange: for connecting first, then for the whole of it. @type {(now: number, timeoutMs: number, connectTimeoutMs: number) => void} */
  startExchange(now, timeoutMs, connectTimeoutMs) {
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
    this.deadline.interrupt = this.#interruptExchange;
    return connection;
  }

  endWait() {
    this.deadline.at = Infinity;
    this.deadline.interrupt = null;
    this.#waitingFor = null;
  }

  /** Ends what the lane waits for; tear-down may follow, until `at`. @type {(at: number) => void} */
  cancel(at) {
    this.isCancelled = true;
    this.deadline.limit = at;
    this.deadline.interrupt?.('cancelled');
  }

  close() {
    this.deadline.leave();
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

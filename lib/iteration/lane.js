/**
 * @import { Endpoint } from '../flow/types.js'
 * @import { Connection, Transport } from '../transport/types.js'
 * @import { Deadlines } from './deadlines.js'
 */

const MOST_CONNECTIONS = 16;

/** Runs one iteration at a time; owns one connection for each endpoint and the deadline of what it waits for. */
export class Lane {
  /** by the endpoint's key @type {Map<string, Connection>} */
  #connections = new Map();
  #transport;
  /** set when the run is over and what still runs is to be ended */
  isCancelled = false;

  /**
   * @param {Transport} transport
   * @param {Deadlines} deadlines
   */
  constructor(transport, deadlines) {
    this.#transport = transport;
    this.deadline = deadlines.enter();
  }

  /** @type {(endpoint: Endpoint) => Connection} */
  connection(endpoint) {
    const connection = this.#connections.get(endpoint.key);
    if (connection && !connection.isDead) return connection;
    return this.#connect(endpoint);
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

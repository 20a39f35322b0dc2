import { buildConnector } from 'undici';

/**
 * @import { Socket } from 'node:net'
 * @import { Endpoint } from '../../endpoint.js'
 * @import { Resolver } from '../resolve.js'
 * @import { Traffic } from '../traffic.js'
 * @import { Timings } from '../types.js'
 * @import { UndiciConnection } from './connection.js'
 *
 * @typedef {object} DialOptions
 * @property {Resolver} resolver
 * @property {Traffic} traffic
 * @property {Timings} timings
 */

const MAX_CONNECTORS = 1000;

/** Opens the sockets of undici's Clients: counts and times them, and reports their errors to the connection. */
export class Dialer {
  #resolver;
  #traffic;
  #timings;
  /** by the endpoint's key: each keeps its TLS sessions @type {Map<string, buildConnector.connector>} */
  #connectors = new Map();

  /** @param {DialOptions} options */
  constructor({ resolver, traffic, timings }) {
    this.#resolver = resolver;
    this.#traffic = traffic;
    this.#timings = timings;
  }

  /**
   * The `connect` option of a Client.
   *
   * @param {Endpoint} endpoint
   * @param {UndiciConnection} connection
   * @returns {buildConnector.connector}
   */
  connectorFor(endpoint, connection) {
    return (to, callback) => {
      const socket = this.#dial(endpoint, connection, to, callback);
      this.#traffic.add(socket);
      socket.once('end', () => (this.#traffic.totals.closedByServer += connection.isDead ? 0 : 1));
      // before undici handles it
      socket.prependListener('error', (error) => connection.onSocketError(error));
      connection.socket = socket;
      connection.brokenBy = null;
      return socket;
    };
  }

  /** @type {(endpoint: Endpoint, connection: UndiciConnection, to: buildConnector.Options, callback: buildConnector.Callback) => Socket} */
  #dial(endpoint, connection, to, callback) {
    const dialledAt = performance.now();
    let connectedAt = dialledAt;
    const socket = /** @type {Socket} */ (
      /** @type {unknown} */ (
        this.#connector(endpoint)(to, (...results) => {
          if (results[0]) {
            this.#resolver.connectFailed(to.hostname, results[0]);
            // its TLS session may be the reason
            this.#connectors.delete(endpoint.key);
          } else {
            this.#traffic.totals.opened++;
            if (endpoint.protocol === 'https:') this.#timings.tls(performance.now() - connectedAt);
          }
          callback(...results);
        })
      )
    );
    socket.prependOnceListener('connect', () => {
      connectedAt = connection.connectedAt = performance.now();
      this.#timings.connect(connectedAt - dialledAt);
    });
    return socket;
  }

  /** @type {(endpoint: Endpoint) => buildConnector.connector} */
  #connector({ key, tls, socketPath }) {
    const found = this.#connectors.get(key);
    if (found) return found;
    const { lookup } = this.#resolver;
    // timeout 0: deadlines are ours, undici's have a resolution of half a second
    const options = /** @type {any} */ ({ ...tls, socketPath, lookup, timeout: 0, allowH2: false });
    const connector = buildConnector(options);
    if (this.#connectors.size >= MAX_CONNECTORS) this.#connectors.clear();
    this.#connectors.set(key, connector);
    return connector;
  }
}

import { Client, buildConnector } from 'undici';

import { createResolver } from '../resolve.js';
import { createTraffic } from '../traffic.js';
import { UNTIMED } from '../untimed.js';
import { UndiciConnection } from './connection.js';

/**
 * @import { Socket } from 'node:net'
 * @import { Endpoint } from '../../flow/types.js'
 * @import { Transport, TransportOptions } from '../types.js'
 */

/**
 * HTTP/1.1 by undici's Client, one for each lane and endpoint: the transport that ours is checked against.
 *
 * @param {TransportOptions} options
 * @returns {Transport}
 */
export function open({ lookup, lookupEach, timings = UNTIMED, ...limits }) {
  const traffic = createTraffic();
  const resolver = createResolver({ lookup, lookupEach });
  /** @type {Map<string, buildConnector.connector>} */
  const connectors = new Map();

  /** @type {(endpoint: Endpoint) => buildConnector.connector} */
  const connectorOf = ({ key, tls, socketPath }) => {
    let connector = connectors.get(key);
    if (!connector) {
      // timeout 0: deadlines are ours, undici's have a resolution of half a second
      connector = buildConnector(
        /** @type {any} */ ({ ...tls, socketPath, lookup: resolver.lookup, timeout: 0, allowH2: false }),
      );
      if (connectors.size >= 1000) connectors.clear();
      connectors.set(key, connector);
    }
    return connector;
  };

  /** @type {(endpoint: Endpoint, connection: UndiciConnection) => buildConnector.connector} */
  const dial = (endpoint, connection) => (to, callback) => {
    const dialledAt = performance.now();
    let connectedAt = dialledAt;
    const socket = /** @type {Socket} */ (
      /** @type {unknown} */ (
        connectorOf(endpoint)(/** @type {any} */ (to), (...results) => {
          if (results[0]) {
            if (/** @type {any} */ (results[0]).syscall !== 'getaddrinfo') resolver.forget(to.hostname);
          } else {
            traffic.totals.opened++;
            if (endpoint.protocol === 'https:') timings.tls(performance.now() - connectedAt);
          }
          callback(...results);
        })
      )
    );
    traffic.add(socket);
    socket.prependOnceListener('connect', () => {
      connectedAt = connection.connectedAt = performance.now();
      timings.connect(connectedAt - dialledAt);
    });
    socket.once('end', () => (traffic.totals.closedByServer += connection.isDead ? 0 : 1));
    // before undici hears of it
    socket.prependListener('error', (error) => connection.broke(error));
    connection.socket = socket;
    connection.brokenBy = null;
    return socket;
  };

  return {
    connect(endpoint) {
      const connection = new UndiciConnection({ ...limits, timings }, traffic.totals);
      connection.client = new Client(endpoint.origin, {
        connect: dial(endpoint, connection),
        pipelining: 1,
        headersTimeout: 0,
        bodyTimeout: 0,
        keepAliveTimeout: 3_600_000,
        keepAliveMaxTimeout: 3_600_000,
        keepAliveTimeoutThreshold: 500,
        maxHeaderSize: limits.maxHeaderSize,
        allowH2: false,
      });
      return connection;
    },
    totals: traffic.sum,
    close: traffic.end,
  };
}

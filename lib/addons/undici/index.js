import { Client, buildConnector } from 'undici';

import { keepForEndpoint } from '../../core/http/endpoint.js';
import { Addresses } from '../../core/transport/addresses.js';
import { KEEP_ALIVE_MARGIN_MS, closerOf } from '../../core/transport/exchange-parts.js';
import { absoluteRequests, explainProxy, openTunnel, refuseBroken } from '../../core/transport/proxy.js';
import { Traffic, UNTIMED } from '../../core/transport/traffic.js';
import { UndiciConnection } from './connection.js';

/** @import { Socket } from 'node:net' */
/** @import { Timings, Transport, TransportOptions } from '../../core/contracts/connection.js' */
/** @import { Dialled, Endpoint, ProxyLeg } from '../../core/http/endpoint.js' */

const HOUR_MS = 3_600_000;

/**
 * Opens the transport that uses one undici Client per lane and endpoint. The built-in client is checked against it.
 * @type {(options: TransportOptions) => Transport}
 */
export function open({ timings = UNTIMED, ...limits }) {
  const traffic = new Traffic(limits);
  const addresses = new Addresses(limits);
  const dialer = new Dialer({ addresses, traffic, timings, maxHeaderSize: limits.maxHeaderSize });
  return {
    connect(endpoint, bodies) {
      const connection = new UndiciConnection({ ...limits, timings }, traffic.totals, bodies);
      const { proxy } = endpoint;
      connection.closer = closerOf(proxy);
      if (proxy !== null && !proxy.isTunnel) connection.rewrite = absoluteRequests(endpoint);
      connection.client = new Client(endpoint.origin, {
        connect: dialer.connectorFor(endpoint, connection),
        localAddress: endpoint.localAddress,
        pipelining: 1,
        headersTimeout: 0,
        bodyTimeout: 0,
        keepAliveTimeout: HOUR_MS,
        keepAliveMaxTimeout: HOUR_MS,
        keepAliveTimeoutThreshold: KEEP_ALIVE_MARGIN_MS,
        maxHeaderSize: limits.maxHeaderSize,
        allowH2: false,
      });
      return connection;
    },
    totals: () => traffic.sum(),
    addresses,
    close() {
      addresses.close();
      return traffic.end();
    },
  };
}

/**
 * @typedef {object} DialOptions
 * @property {Addresses} addresses
 * @property {Traffic} traffic
 * @property {Timings} timings
 * @property {number} maxHeaderSize bytes of a proxy's answer
 */

/**
 * Opens the sockets of undici's Clients: counts and times them, and reports their errors to the connection.
 *
 *     without a tunnel:  #dial -> #connect -> #use
 *     with one:          #dialTunnel -> #connect (proxy) -> CONNECT -> #connect (TLS to the server) -> #use
 *
 * A Client gets its socket by a callback. `proxyCallback` is the same one, but explains errors on the way to the proxy.
 */
class Dialer {
  #addresses;
  #traffic;
  #timings;
  #maxHeaderSize;
  /** Connectors by the endpoint's key: each keeps its TLS sessions. @type {Map<string, buildConnector.connector>} */
  #connectors = new Map();

  /** @param {DialOptions} options */
  constructor({ addresses, traffic, timings, maxHeaderSize }) {
    this.#addresses = addresses;
    this.#traffic = traffic;
    this.#timings = timings;
    this.#maxHeaderSize = maxHeaderSize;
  }

  /** @type {(endpoint: Endpoint, connection: UndiciConnection) => buildConnector.connector} */
  connectorFor(endpoint, connection) {
    const { proxy } = endpoint;
    if (proxy === null) return (to, callback) => this.#dial(endpoint, connection, to, callback);
    return (to, callback) => {
      /** @type {buildConnector.Callback} */
      const proxyCallback = (...results) =>
        results[0] ? callback(explainProxy(results[0], proxy), null) : callback(...results);
      try {
        refuseBroken(proxy);
      } catch (error) {
        callback(/** @type {Error} */ (error), null);
        return;
      }
      if (proxy.isTunnel) this.#dialTunnel(endpoint, connection, to, { callback, proxyCallback });
      else this.#dial(proxy, connection, towards(proxy, to), proxyCallback);
    };
  }

  /** Notes where the open socket of a connection leads. @type {(from: Socket, connection: UndiciConnection) => void} */
  #noteAddress(from, connection) {
    connection.link = this.#traffic.linkOf(from);
    connection.peer = this.#addresses.peerOf(from);
  }

  /** Gives a socket to its connection. @type {(socket: Socket, connection: UndiciConnection) => Socket} */
  #use(socket, connection) {
    let hasEnded = false;
    socket.once('end', () => {
      hasEnded = true;
      this.#traffic.totals.closedByServer += connection.isDead ? 0 : 1;
    });
    socket.once('close', () => !hasEnded && connection.onSocketClosed());
    // The handler of undici, which comes later, ends the request: the connection has to know the reason by then.
    socket.prependListener('error', (error) => connection.onSocketError(error));
    connection.socket = socket;
    connection.brokenBy = null;
    return socket;
  }

  /**
   * Opens a socket, and measures how long it takes.
   * @type {(endpoint: Dialled, connection: UndiciConnection, to: buildConnector.Options, callback:
   *   buildConnector.Callback) => void}
   */
  #dial(endpoint, connection, to, callback) {
    const dialledAt = performance.now();
    let connectedAt = dialledAt;
    connection.link = null;
    const socket = this.#connect(endpoint, to, (...results) => {
      if (!results[0]) {
        this.#traffic.totals.opened++;
        this.#noteAddress(socket, connection);
        if (endpoint.protocol === 'https:') this.#timings.tls.update(performance.now() - connectedAt);
      }
      callback(...results);
    });
    socket.prependOnceListener('connect', () => {
      connectedAt = connection.connectedAt = performance.now();
      this.#timings.connect.update(connectedAt - dialledAt);
    });
    this.#traffic.add(socket);
    this.#use(socket, connection);
  }

  /**
   * TCP, and TLS if the proxy wants it, CONNECT, and TLS to the server.
   * @type {(endpoint: Endpoint, connection: UndiciConnection, to: buildConnector.Options, callbacks: { callback:
   *   buildConnector.Callback, proxyCallback: buildConnector.Callback }) => void}
   */
  #dialTunnel(endpoint, connection, to, { callback, proxyCallback }) {
    const proxy = /** @type {ProxyLeg} */ (endpoint.proxy);
    const dialledAt = performance.now();
    connection.link = null;
    const socket = this.#connect(proxy, towards(proxy, to), (...results) => {
      if (results[0]) proxyCallback(...results);
      else openTunnel(socket, endpoint, this.#maxHeaderSize, (error) => (error ? refuse(error) : onTunnel()));
    });
    this.#traffic.add(socket);
    connection.socket = socket;

    /** @type {(error: Error) => void} */
    const refuse = (error) => {
      socket.destroy();
      callback(error, null);
    };
    const onTunnel = () => {
      const connectedAt = (connection.connectedAt = performance.now());
      this.#timings.connect.update(connectedAt - dialledAt);
      this.#noteAddress(socket, connection);
      if (endpoint.protocol === 'http:') {
        this.#traffic.totals.opened++;
        callback(null, this.#use(socket, connection));
        return;
      }
      const inner = this.#connect(endpoint, { ...to, httpSocket: socket }, (...results) => {
        if (!results[0]) {
          this.#traffic.totals.opened++;
          this.#timings.tls.update(performance.now() - connectedAt);
        }
        callback(...results);
      });
      this.#use(inner, connection);
      socket.once('close', () => inner.destroy());
      inner.once('close', () => socket.destroy());
    };
  }

  /**
   * Opens a socket by undici's connector: TCP and TLS, or TLS on top of `to.httpSocket`.
   * @type {(endpoint: Dialled, to: buildConnector.Options, callback: buildConnector.Callback) => Socket}
   */
  #connect(endpoint, to, callback) {
    const connect = this.#connectorOf(endpoint);
    const { socketPath } = endpoint;
    const isDialled = socketPath === undefined && !to.httpSocket;
    const destination = this.#addresses.to(endpoint);
    const { host: hostname, port } = destination;
    const socket = /** @type {Socket} */ (
      /** @type {unknown} */ (
        connect(isDialled ? { ...to, hostname, port: String(port) } : to, (...results) => {
          if (results[0]) {
            this.#addresses.connectFailed(endpoint, results[0]);
            // The TLS session of the connector may be the reason: the next one begins without it.
            this.#connectors.delete(endpoint.key);
          }
          callback(...results);
        })
      )
    );
    if (isDialled) this.#addresses.follow(socket, destination);
    return socket;
  }

  /** @type {(endpoint: Dialled) => buildConnector.connector} */
  #connectorOf(endpoint) {
    const { key, tls, socketPath } = endpoint;
    const found = this.#connectors.get(key);
    if (found) return found;
    const { lookup } = this.#addresses.to(endpoint);
    // Timeout 0: deadlines are ours, undici's have a resolution of half a second.
    const options = /** @type {any} */ ({ ...tls, socketPath, lookup, timeout: 0, allowH2: false });
    const connector = buildConnector(options);
    keepForEndpoint(this.#connectors, key, connector);
    return connector;
  }
}

/**
 * Returns the options that undici's connector gets of a Client, for the proxy on the way to its server.
 * @type {(proxy: ProxyLeg, to: buildConnector.Options) => buildConnector.Options}
 */
function towards({ hostname, host, protocol, port }, to) {
  return { ...to, hostname, host, protocol, port: String(port), servername: undefined };
}

import { Client } from 'undici';

import { Addresses } from '../addresses.js';
import { absoluteRequests } from '../proxy/absolute-request.js';
import { closerOf } from '../proxy/proxy-error.js';
import { Resolver } from '../resolve.js';
import { Traffic, UNTIMED } from '../traffic.js';
import { UndiciConnection } from './connection.js';
import { Dialer } from './dial.js';

/** @import { Transport, TransportOptions } from '../types.js' */

const HOUR_MS = 3_600_000;

/**
 * Opens the transport that uses one undici Client per lane and endpoint. `wire` is checked against it.
 *
 * @param {TransportOptions} options
 * @returns {Transport}
 */
export function open({ timings = UNTIMED, ...limits }) {
  const traffic = new Traffic(limits);
  const resolver = new Resolver(limits);
  const addresses = new Addresses(resolver, limits);
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
        keepAliveTimeoutThreshold: 500,
        maxHeaderSize: limits.maxHeaderSize,
        allowH2: false,
      });
      return connection;
    },
    totals: () => traffic.sum(),
    addresses,
    close() {
      resolver.close();
      return traffic.end();
    },
  };
}

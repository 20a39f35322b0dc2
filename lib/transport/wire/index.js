import { Addresses } from '../addresses.js';
import { explainBind } from '../bind-error.js';
import { Resolver } from '../resolve.js';
import { Traffic, UNTIMED } from '../traffic.js';
import { WireConnection } from './connection.js';
import { createDial } from './dial.js';
import { createEncoder } from './encode.js';
import { HeadMemo } from './head-memo.js';
import { openSocket } from './open-socket.js';
import { createOutbox } from './outbox.js';
import { ParserPool } from './parser-pool.js';
import { Pipeline } from './pipeline.js';
import { WireResponse } from './response.js';
import { throughProxy } from './through-proxy.js';

/**
 * @import { Endpoint } from '../../endpoint.js'
 * @import { Transport, TransportOptions } from '../types.js'
 * @import { Wire } from './connection.js'
 */

const READ_BYTES = 64 * 1024;

/**
 * Opens the transport that speaks HTTP/1.1 directly on sockets of node:net and node:tls.
 *
 * @param {TransportOptions} options
 * @returns {Transport}
 */
export function open({ maxBodySize, maxHeaderSize, maxHeaderFields, timings = UNTIMED, pipelining = 1, ...more }) {
  const traffic = new Traffic(more);
  const resolver = new Resolver(more);
  const addresses = new Addresses(resolver, more);
  const limits = { maxBodySize, maxHeadBytes: maxHeaderSize, maxFields: maxHeaderFields };
  const memo = new HeadMemo();
  /** @type {Wire} */
  const wire = {
    dial: createDial(addresses),
    open: openSocket,
    explain: explainBind,
    encodeHead: createEncoder(),
    buffer: Buffer.allocUnsafeSlow(READ_BYTES),
    memo,
    parsers: new ParserPool({ ...limits, memo }),
    response: new WireResponse(),
    outbox: createOutbox(() => performance.now()),
    traffic,
    timings,
    now: () => performance.now(),
    peerOf: (socket) => addresses.peerOf(socket),
    connectFailed: (endpoint, error) => addresses.connectFailed(endpoint, error),
    limits,
  };
  /** of each group, by the key of the endpoint @type {WeakMap<object, Map<string, Pipeline>>} */
  const pipelines = new WeakMap();
  /** @type {(endpoint: Endpoint) => Wire} */
  const wireTo = (endpoint) => (endpoint.proxy === null ? wire : throughProxy(wire, endpoint));

  /** @type {Transport['connect']} */
  const connectSlot = (endpoint, bodies, group = {}) => {
    const ofGroup = pipelines.get(group) ?? new Map();
    const pipeline = ofGroup.get(endpoint.key) ?? new Pipeline(endpoint, wireTo(endpoint));
    pipelines.set(group, ofGroup.set(endpoint.key, pipeline));
    return pipeline.addSlot(bodies);
  };

  return {
    connect:
      pipelining > 1 ? connectSlot : (endpoint, bodies) => new WireConnection(endpoint, wireTo(endpoint), bodies),
    totals: () => traffic.sum(),
    addresses,
    close() {
      resolver.close();
      return traffic.end();
    },
  };
}

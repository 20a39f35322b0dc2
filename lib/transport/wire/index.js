import { createResolver } from '../resolve.js';
import { createTraffic } from '../traffic.js';
import { WireConnection } from './connection.js';
import { createDial } from './dial.js';
import { createEncoder } from './encode.js';
import { HeadMemo } from './head-memo.js';
import { createOutbox } from './outbox.js';

/** @import { Transport, TransportOptions } from '../types.js' */

const READ_BYTES = 64 * 1024;
const UNTIMED = { connect() {}, tls() {}, ttfb() {} };

/**
 * HTTP/1.1 on sockets of node:net and node:tls, with nothing between them and the exchange.
 *
 * @param {TransportOptions} options
 * @returns {Transport}
 */
export function open({ maxBodySize, maxHeaderSize, maxHeaderFields, timings = UNTIMED, ...naming }) {
  const traffic = createTraffic();
  const resolver = createResolver(naming);
  const wire = {
    dial: createDial(resolver.lookup),
    encodeHead: createEncoder(),
    buffer: Buffer.allocUnsafeSlow(READ_BYTES),
    memo: new HeadMemo(),
    outbox: createOutbox(),
    traffic,
    timings,
    now: () => performance.now(),
    forgetAddress: resolver.forget,
    limits: { maxBodySize, maxHeadBytes: maxHeaderSize, maxFields: maxHeaderFields },
  };
  return {
    connect: (endpoint) => new WireConnection(endpoint, wire),
    totals: traffic.sum,
    close: traffic.end,
  };
}

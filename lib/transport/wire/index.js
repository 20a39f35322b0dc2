import { createResolver } from '../resolve.js';
import { createTraffic } from '../traffic.js';
import { UNTIMED } from '../untimed.js';
import { WireConnection } from './connection.js';
import { createDial } from './dial.js';
import { createEncoder } from './encode.js';
import { HeadMemo } from './head-memo.js';
import { createOutbox } from './outbox.js';
import { Pipeline } from './pipeline.js';

/** @import { Transport, TransportOptions } from '../types.js' */

const READ_BYTES = 64 * 1024;

/**
 * HTTP/1.1 on sockets of node:net and node:tls, with nothing between them and the exchange.
 *
 * @param {TransportOptions} options
 * @returns {Transport}
 */
export function open({ maxBodySize, maxHeaderSize, maxHeaderFields, timings = UNTIMED, pipelining = 1, ...naming }) {
  const traffic = createTraffic();
  const resolver = createResolver(naming);
  const wire = {
    dial: createDial(resolver.lookup),
    encodeHead: createEncoder(),
    buffer: Buffer.allocUnsafeSlow(READ_BYTES),
    memo: new HeadMemo(),
    outbox: createOutbox(() => performance.now()),
    traffic,
    timings,
    now: () => performance.now(),
    forgetAddress: resolver.forget,
    limits: { maxBodySize, maxHeadBytes: maxHeaderSize, maxFields: maxHeaderFields },
  };
  /** with a place free, by the endpoint's key @type {Map<string, Pipeline>} */
  const pipelines = new Map();

  /** @type {Transport['connect']} */
  const enterPipeline = (endpoint) => {
    const found = pipelines.get(endpoint.key);
    const pipeline = found && found.size < pipelining ? found : new Pipeline(endpoint, wire);
    pipelines.set(endpoint.key, pipeline);
    return pipeline.enter();
  };

  return {
    connect: pipelining > 1 ? enterPipeline : (endpoint) => new WireConnection(endpoint, wire),
    totals: traffic.sum,
    close: traffic.end,
  };
}

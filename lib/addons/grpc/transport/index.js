import { open as openHttp } from '../../../core/transport/wire/index.js';
import { CallConnection } from './connection.js';
import { createRequestWriter } from './requests.js';

/** @import { Transport, TransportOptions } from '../../../core/contracts/connection.js' */

/**
 * Opens the client of gRPC on that of HTTP/2. The server gets the `timeout` of the run, ms.
 * @type {(options: TransportOptions & { timeout?: number }) => Transport}
 */
export function open(options) {
  const http = openHttp(options);
  const write = createRequestWriter(options.timeout);
  return {
    ...http,
    connect(endpoint, bodies) {
      const inner = http.connect(endpoint, bodies);
      return new CallConnection(inner, { write, limit: options.maxBodySize, bodies });
    },
  };
}

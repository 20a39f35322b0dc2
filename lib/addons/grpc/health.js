import http2 from 'node:http2';
import net from 'node:net';

import { asHttp } from '../../core/http/schemes.js';
import { printable } from './schema/details.js';
import { nameOfStatus } from './schema/statuses.js';
import { MESSAGE_HEAD } from './transport/message-sink.js';

/** @import { Probe } from '../../core/run/types.js' */

/** The states of a server (grpc.health.v1.HealthCheckResponse.ServingStatus). */
const STATES = ['UNKNOWN', 'SERVING', 'NOT_SERVING', 'SERVICE_UNKNOWN'];
/** The head of the field `status` of a response: a number in one byte. */
const STATUS_FIELD = 8;

/** Asks the server, or the service in the path, by the gRPC Health Checking Protocol. @type {Probe['answers']} */
export function answers(url, { socketPath, tls = {}, signal }) {
  const { origin, pathname } = new URL(asHttp(url));
  return new Promise((resolve, reject) => {
    const createConnection = socketPath === undefined ? {} : { createConnection: () => net.connect(socketPath) };
    const session = http2.connect(origin, { ...tls, ...createConnection });
    const settle = (/** @type {boolean} */ isReady, /** @type {string} */ what) => {
      session.destroy();
      resolve({ isReady, what });
    };
    const fail = (/** @type {any} */ error) => {
      session.destroy();
      // A stream that waits for its connection is cancelled because of the error of that.
      reject(error.cause ?? error);
    };
    session.on('error', fail);
    const stream = session.request(
      {
        ':method': 'POST',
        ':path': '/grpc.health.v1.Health/Check',
        'content-type': 'application/grpc',
        te: 'trailers',
      },
      { signal },
    );
    /** @type {Record<string, any>} */
    const fields = {};
    let bytes = Buffer.alloc(0);
    const note = (/** @type {Record<string, any>} */ own) => void Object.assign(fields, own);
    stream.on('response', note).on('trailers', note);
    stream.on('error', fail);
    stream.on('data', (chunk) => void (bytes = Buffer.concat([bytes, chunk]).subarray(0, MESSAGE_HEAD + 2)));
    stream.on('close', () => {
      const { ':status': status, 'grpc-status': call, 'grpc-message': text = '' } = fields;
      if (call === undefined) return settle(false, `answered ${status ?? 'nothing'}, and not as gRPC`);
      if (call !== '0') return settle(false, `answered ${nameOfStatus(Number(call))} ${printable(text)}`.trim());
      const state = bytes[MESSAGE_HEAD] === STATUS_FIELD ? bytes[MESSAGE_HEAD + 1] : 0;
      return settle(state === 1, `answered ${STATES[state] ?? state}`);
    });
    stream.end(question(decodeURIComponent(pathname.slice(1))));
  });
}

/** A message with the name of a service; empty: all. @type {(service: string) => Buffer} */
function question(service) {
  const name = Buffer.from(service.slice(0, 127));
  const content = name.length === 0 ? name : Buffer.concat([Buffer.from([10, name.length]), name]);
  const head = Buffer.alloc(MESSAGE_HEAD);
  head.writeUInt32BE(content.length, 1);
  return Buffer.concat([head, content]);
}

import { recordOf } from './exchange-record.js';

/**
 * @import { Request, Step } from '../flow/types.js'
 * @import { Clock } from '../run/clock.js'
 * @import { Connection, Response } from '../transport/types.js'
 * @import { Exchange } from './exchange.js'
 *
 * @typedef {(exchange: object, secrets: () => string[]) => void} Trace secrets: what a text about it must hide
 * @typedef {(request: Request, connection: Connection, receiver: Exchange) => void} Send
 */

/**
 * A send function that reports every request and its response, or its error. It keeps all bodies.
 *
 * @param {Pick<Step, 'where' | 'name'>} step
 * @param {Pick<Clock, 'now'>} clock
 * @param {Trace} trace
 * @returns {Send}
 */
export function tracing({ where, name }, clock, trace) {
  return (request, connection, receiver) => {
    const started = clock.now();
    const sent = recordOf(request);
    /** @type {(end: object, response?: Response) => void} */
    const report = (end, response = undefined) =>
      trace({ where, name, request: sent, ...end, ms: clock.now() - started }, () => receiver.secrets(response));
    connection.send(request, 'body', {
      onResponse(response, now) {
        const { statusCode, headers, body } = response;
        try {
          report({ response: { statusCode, headers, body } }, response);
        } catch (thrown) {
          receiver.onError(/** @type {Error} */ (thrown));
          return;
        }
        receiver.onResponse(response, now);
      },
      onError(error) {
        let reported = error;
        try {
          report({ error });
        } catch (thrown) {
          reported = /** @type {Error} */ (thrown);
        }
        receiver.onError(reported);
      },
    });
  };
}

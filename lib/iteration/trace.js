/**
 * @import { Request, Step } from '../flow/types.js'
 * @import { Clock } from '../run/clock.js'
 * @import { Connection, Response } from '../transport/types.js'
 *
 * @typedef {(exchange: object) => void} Trace
 */

/**
 * A send function that reports every request and its response, or its error. It keeps all bodies.
 *
 * @param {Pick<Step, 'where' | 'name'>} step
 * @param {Pick<Clock, 'now'>} clock
 * @param {Trace} trace
 * @returns {(request: Request, connection: Pick<Connection, 'send'>) => Promise<Response>}
 */
export function tracing({ where, name }, clock, trace) {
  return async (request, connection) => {
    const started = clock.now();
    const sent = {
      method: request.method,
      url: request.endpoint.origin + request.path,
      headers: pairs(request.fields).concat(pairs(request.extra ?? [])),
      body: request.body,
    };
    try {
      const response = await connection.send(request, 'body');
      const { statusCode, headers, body } = response;
      trace({ where, name, request: sent, response: { statusCode, headers, body }, ms: clock.now() - started });
      return response;
    } catch (error) {
      trace({ where, name, request: sent, error, ms: clock.now() - started });
      throw error;
    }
  };
}

/** @type {(fields: string[]) => string[][]} */
function pairs(fields) {
  return fields.flatMap((name, i) => (i % 2 === 0 ? [[name, fields[i + 1]]] : []));
}

import { beginningOf, exchangeLines } from '../text/exchange-lines.js';
import { decodeBeginning } from './session/decode.js';

/** @import { Clock } from '../contracts/clock.js' */
/** @import { Connection } from '../contracts/connection.js' */
/** @import { Request } from '../contracts/request.js' */
/** @import { Kept, Receiver, Response } from '../contracts/response.js' */
/** @import { Step } from '../contracts/step.js' */
/** @import { Beginning } from '../text/types.js' */
/** @import { Exchange } from './exchange.js' */
/** @import { NamedTrace } from './types.js' */

/** @type {(request: Request) => { method: string, url: string, headers: string[][], body: Request['body'] }} */
export function recordOf({ method, endpoint, path, fields, extra, body }) {
  return { method, url: endpoint.origin + path, headers: pairs([...fields, ...(extra ?? [])]), body };
}

/** @type {(request: Request, response: Response | undefined, error: string) => string[]} */
export function linesOfFailure(request, response, error) {
  return exchangeLines({
    request: { ...recordOf(request), body: beginningOf(request.body) },
    ...(response && {
      response: {
        statusCode: response.statusCode,
        headers: { ...response.headers },
        body: receivedBody(response),
      },
    }),
    error,
  });
}

/** @type {(fields: string[]) => string[][]} */
function pairs(fields) {
  return fields.flatMap((name, i) => (i % 2 === 0 ? [[name, fields[i + 1]]] : []));
}

/** Returns the body of a response, or the kept part of it. @type {(response: Response) => Beginning | null} */
function receivedBody({ body, excerpt, bodyBytes, contentEncoding = '' }) {
  if (body !== null || !excerpt) return beginningOf(body);
  const decoded = contentEncoding === '' ? excerpt : decodeBeginning(excerpt, contentEncoding);
  return excerpt.length < bodyBytes ? beginningOf(decoded, bodyBytes) : beginningOf(decoded);
}

/**
 * @typedef {(exchange: object, secrets: () => string[]) => void} Trace secrets: what a text about it must hide
 * @typedef {(request: Request, connection: Connection, exchange: Exchange, receiver?: Receiver, named?: NamedTrace) =>
 *   void} Send receiver: gets the response, instead of the exchange; named: the request names this trace
 */

/** @type {(connection: Connection, request: Request, needs: Kept, receiver: Receiver, named?: NamedTrace) => void} */
export function sendOn(connection, request, needs, receiver, named) {
  if (named?.isWhole && connection.sendEncoded) connection.sendEncoded(request, needs, receiver, named);
  else connection.send(withTrace(request, named), needs, receiver);
}

/** @type {(request: Request, named?: NamedTrace) => Request} */
function withTrace(request, named) {
  if (named === undefined) return request;
  const { extra } = request;
  return { ...request, extra: extra === null ? named.field : [...extra, ...named.field] };
}

/**
 * Creates a send function that reports every request and its response, or its error.
 * @type {(step: Pick<Step, 'where' | 'name'>, clock: Pick<Clock, 'now'>, trace: Trace, send: Send) => Send} send: keeps
 *   all bodies
 */
export function tracing({ where, name }, clock, trace, send) {
  return (request, connection, exchange, _receiver, named) => {
    const started = clock.now();
    const sent = recordOf(withTrace(request, named));
    const again = exchange.role === 'throttled' ? { waitedMs: exchange.waitedMs } : {};
    /** @type {(end: object, response?: Response) => void} */
    const report = (end, response = undefined) =>
      trace({ where, name, request: sent, ...again, ...end, ms: clock.now() - started }, () =>
        exchange.secrets(response),
      );
    /** @type {Receiver} */
    const reporting = {
      readerOf: (statusCode, headers) => exchange.readerOf(statusCode, headers),
      onResponse(response, now) {
        const { statusCode, headers, body } = response;
        const { reader } = exchange;
        if (reader?.isDecoding) {
          reader.afterDecoding(true, (later) => reporting.onResponse(response, later));
          return;
        }
        try {
          report({ response: { statusCode, headers, body: body ?? reader?.texts ?? null } }, response);
        } catch (thrown) {
          exchange.onError(/** @type {Error} */ (thrown));
          return;
        }
        exchange.onResponse(response, now);
      },
      onError(error) {
        let reported = error;
        try {
          report({ error });
        } catch (thrown) {
          reported = /** @type {Error} */ (thrown);
        }
        exchange.onError(reported);
      },
    };
    send(request, connection, exchange, reporting, named);
  };
}

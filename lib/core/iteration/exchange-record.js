import { writeAddress } from '../http/url-parts.js';
import { beginningOf, exchangeLines } from '../text/exchange-lines.js';
import { beganAt } from './deadlines.js';
import { classify } from './failure.js';
import { decodeBeginning } from './session/decode.js';

/** @import { Clock } from '../contracts/clock.js' */
/** @import { Connection, Link } from '../contracts/connection.js' */
/** @import { Role } from '../contracts/recorders.js' */
/** @import { Request } from '../contracts/request.js' */
/** @import { Kept, Receiver, Response } from '../contracts/response.js' */
/** @import { Step } from '../contracts/step.js' */
/** @import { Beginning } from '../text/types.js' */
/** @import { Exchange } from './exchange.js' */
/** @import { Lane } from './lane.js' */
/** @import { Trace as NamedTrace } from './trace-context.js' */

/** @type {(request: Request) => { method: string, url: string, headers: string[][], body: Request['body'] }} */
export function recordOf({ method, endpoint, path, fields, extra, body }) {
  return { method, url: endpoint.origin + path, headers: pairs([...fields, ...(extra ?? [])]), body };
}

/**
 * Formats a request that failed and the kept parts of its response as lines without secrets.
 * @type {(request: Request, response: Response | undefined, error: string) => string[]}
 */
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
    /** @type {(end: object, response?: Response) => void} */
    const report = (end, response = undefined) =>
      trace({ where, name, request: sent, ...end, ms: clock.now() - started }, () => exchange.secrets(response));
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

/**
 * @typedef {object} LoggedRequest a request that has ended: instants of the clock, 0 for what was not reached
 * @property {number} due NaN in a closed model
 * @property {number} startedAt
 * @property {number} connectedAt
 * @property {number} sentAt
 * @property {number} firstByteAt
 * @property {number} endedAt
 * @property {number} status 0: there is no response
 * @property {number} bytesOut NaN: not known
 * @property {number} bytesIn NaN: not known
 * @property {number | undefined} iteration
 * @property {Uint8Array} step
 * @property {Uint8Array} link
 * @property {string | null} error
 *
 * @typedef {Record<Role, Uint8Array>} LoggedStep the columns of a step, encoded
 *
 * @typedef {object} Log
 * @property {(step: Pick<Step, 'phase' | 'name'>) => LoggedStep} stepOf
 * @property {(virtualUser: number | undefined, link: Link | null, address?: string | null) => Uint8Array} linkOf
 * @property {(request: LoggedRequest) => void} add
 */

/**
 * Creates a send function that logs every request when it has ended.
 * @type {(step: Pick<Step, 'phase' | 'name'> & { needs: Kept }, log: Log) => Send}
 */
export function logging(step, log) {
  const logged = log.stepOf(step);
  const { needs } = step;
  return (request, connection, exchange, receiver = exchange, named = undefined) => {
    exchange.logged ??= new LoggedExchange(exchange, log);
    exchange.logged.begin(connection, logged, receiver);
    sendOn(connection, request, needs, exchange.logged, named);
  };
}

/** The receiver between the exchange of a lane and its connection. One object serves all requests of a lane. */
export class LoggedExchange {
  #exchange;
  #log;
  /** @type {Connection} */
  #connection = /** @type {any} */ (null);
  #startedAt = 0;
  /** @type {LoggedStep} */
  #step = /** @type {any} */ (null);
  /** @type {Receiver} */
  #receiver;
  /** The link of the last line. @type {Link | null} */
  #link = null;
  /** The columns of the link, encoded. @type {Uint8Array} */
  #linkBytes = new Uint8Array();

  /** @param {Exchange} exchange @param {Log} log */
  constructor(exchange, log) {
    this.#exchange = exchange;
    this.#receiver = exchange;
    this.#log = log;
  }

  /** Begins with the next request. @type {(connection: Connection, step: LoggedStep, receiver: Receiver) => void} */
  begin(connection, step, receiver) {
    this.#connection = connection;
    this.#step = step;
    this.#receiver = receiver;
    this.#startedAt = this.#exchange.lane.now;
  }

  /** @type {NonNullable<Receiver['readsExcerpt']>} */
  readsExcerpt(statusCode) {
    return this.#receiver.readsExcerpt?.(statusCode) ?? false;
  }

  /** @type {NonNullable<Receiver['readerOf']>} */
  readerOf(statusCode, headers) {
    return this.#receiver.readerOf?.(statusCode, headers) ?? null;
  }

  /** @type {Receiver['onResponse']} */
  onResponse(response, now) {
    const { endedAt } = this.#connection;
    const { statusCode } = response;
    this.#add(endedAt, { status: statusCode, error: null, address: null });
    this.#receiver.onResponse(response, now);
  }

  /** @type {(error: any) => void} */
  onError(error) {
    const { lane } = this.#exchange;
    lane.readClock();
    this.#add(lane.now, { status: 0, error: classify(error).code, address: addressOf(error) });
    this.#receiver.onError(error);
  }

  /** @type {(endedAt: number, end: { status: number, error: string | null, address: string | null }) => void} */
  #add(endedAt, { status, error, address }) {
    const { lane, role } = this.#exchange;
    const { connectedAt, sentAt, firstByteAt, wasSent, bytesOut, bytesIn } = this.#connection;
    this.#log.add({
      due: lane.iteration.due,
      startedAt: beganAt(this.#connection, this.#startedAt),
      connectedAt,
      sentAt,
      firstByteAt,
      endedAt,
      status,
      bytesOut: wasSent ? bytesOut : 0,
      bytesIn,
      iteration: lane.iteration.index,
      step: this.#step[role],
      link: this.#linkOf(lane, address),
      error,
    });
  }

  /** @type {(lane: Lane, address: string | null) => Uint8Array} */
  #linkOf({ share: { number } }, address) {
    const link = this.#connection.link ?? null;
    if (link === null) return this.#log.linkOf(number, null, address);
    if (link !== this.#link) {
      this.#link = link;
      this.#linkBytes = this.#log.linkOf(number, link);
    }
    return this.#linkBytes;
  }
}

/** Returns where a failed connect led, if its error names it. @type {(error: any) => string | null} */
function addressOf(error) {
  const { address, port } = error?.errors?.[0] ?? error?.cause ?? error ?? {};
  if (typeof address !== 'string') return null;
  return typeof port === 'number' ? writeAddress(address, port) : address;
}

import { writeAddress } from '../../core/http/url-parts.js';
import { beganAt } from '../../core/iteration/deadlines.js';
import { classify } from '../../core/iteration/failure.js';

/** @import { Connection, Link } from '../../core/contracts/connection.js' */
/** @import { Role } from '../../core/contracts/recorders.js' */
/** @import { Receiver } from '../../core/contracts/response.js' */
/** @import { Step } from '../../core/contracts/step.js' */
/** @import { Send } from '../../core/iteration/exchange-record.js' */
/** @import { Exchange } from '../../core/iteration/exchange.js' */
/** @import { Lane } from '../../core/iteration/lane.js' */

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
 * @type {(step: Pick<Step, 'phase' | 'name'>, log: Log, send: Send) => Send}
 */
export function logging(step, log, send) {
  const logged = log.stepOf(step);
  return (request, connection, exchange, receiver = exchange, named = undefined) => {
    exchange.logged ??= new LoggedExchange(exchange, log);
    exchange.logged.begin(connection, logged, receiver);
    send(request, connection, exchange, exchange.logged, named);
  };
}

/** The receiver between the exchange of a lane and its connection. One object serves all requests of a lane. */
class LoggedExchange {
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

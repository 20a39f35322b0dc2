import { Client, buildConnector } from 'undici';

import { makeError } from '../errors.js';
import { Fields } from './fields.js';
import { createResolver } from './resolve.js';
import { isStillWriting } from './still-writing.js';
import { SYSTEM_RESETS } from './system-resets.js';
import { createTraffic } from './traffic.js';
import { UNTIMED } from './untimed.js';

/**
 * @import { Socket } from 'node:net'
 * @import { Endpoint, Request } from '../flow/types.js'
 * @import { Connection, Response, Timings, Transport, TransportOptions, TransportTotals, Wants } from './types.js'
 */

/**
 * HTTP/1.1 by undici's Client, one for each lane and endpoint: the transport that ours is checked against.
 *
 * @param {TransportOptions} options
 * @returns {Transport}
 */
export function open({ lookup, lookupEach, timings = UNTIMED, ...limits }) {
  const traffic = createTraffic();
  const resolver = createResolver({ lookup, lookupEach });
  /** @type {Map<string, buildConnector.connector>} */
  const connectors = new Map();

  /** @type {(endpoint: Endpoint) => buildConnector.connector} */
  const connectorOf = ({ key, tls, socketPath }) => {
    let connector = connectors.get(key);
    if (!connector) {
      // timeout 0: deadlines are ours, undici's have a resolution of half a second
      connector = buildConnector(/** @type {any} */ ({ ...tls, socketPath, lookup: resolver.lookup, timeout: 0, allowH2: false }));
      if (connectors.size >= 1000) connectors.clear();
      connectors.set(key, connector);
    }
    return connector;
  };

  /** @type {(endpoint: Endpoint, connection: UndiciConnection) => buildConnector.connector} */
  const dial = (endpoint, connection) => (to, callback) => {
    const dialledAt = performance.now();
    let connectedAt = dialledAt;
    const socket = /** @type {Socket} */ (
      /** @type {unknown} */ (
        connectorOf(endpoint)(/** @type {any} */ (to), (...results) => {
          if (results[0]) {
            if (/** @type {any} */ (results[0]).syscall !== 'getaddrinfo') resolver.forget(to.hostname);
          } else {
            traffic.totals.opened++;
            if (endpoint.protocol === 'https:') timings.tls(performance.now() - connectedAt);
          }
          callback(...results);
        })
      )
    );
    traffic.add(socket);
    socket.prependOnceListener('connect', () => {
      connectedAt = connection.connectedAt = performance.now();
      timings.connect(connectedAt - dialledAt);
    });
    socket.once('end', () => (traffic.totals.closedByServer += connection.isDead ? 0 : 1));
    // before undici hears of it
    socket.prependListener('error', (error) => connection.broke(error));
    connection.socket = socket;
    connection.brokenBy = null;
    return socket;
  };

  return {
    connect(endpoint) {
      const connection = new UndiciConnection(endpoint, { ...limits, timings }, traffic.totals);
      connection.dial(dial(endpoint, connection));
      return connection;
    },
    totals: traffic.sum,
    close: traffic.end,
  };
}

/**
 * A Client and the handler of its exchanges in one: nothing is made for a request but its promise.
 * The old form of the handler (onConnect, onHeaders, …) is what undici 7 uses inside; the new one costs 13 % more.
 *
 * @implements {Connection}
 */
class UndiciConnection {
  /** @type {Client} */
  #client = /** @type {any} */ (null);
  #endpoint;
  #limits;
  #totals;
  /** @type {(response: Response) => void} */
  #resolve = () => {};
  /** @type {((error: Error) => void) | null} */
  #reject = null;
  /** @type {(error: Error) => void} */
  #abort = () => {};
  #wantsBody = false;
  #statusCode = 0;
  /** @type {Buffer[]} */
  #rawFields = [];
  /** @type {Buffer[]} */
  #chunks = [];
  #bodyBytes = 0;
  /** requests sent on the present socket @type {Socket | null} */
  #usedSocket = null;
  /** @type {Socket | null} */
  socket = null;
  /** what ended the present socket, other than its end in order @type {Error | null} */
  brokenBy = null;
  isDead = false;
  wasSent = false;
  wasReused = false;
  sawBytes = false;
  sawHead = false;
  connectedAt = 0;
  sentAt = 0;
  firstByteAt = 0;
  endedAt = 0;

  /**
   * @param {Endpoint} endpoint
   * @param {{ maxBodySize: number, maxHeaderSize: number, timings: Timings }} limits
   * @param {TransportTotals} totals
   */
  constructor(endpoint, limits, totals) {
    this.#endpoint = endpoint;
    this.#limits = limits;
    this.#totals = totals;
  }

  /** @type {(connect: buildConnector.connector) => void} */
  dial(connect) {
    this.#client = new Client(this.#endpoint.origin, {
      connect,
      pipelining: 1,
      headersTimeout: 0,
      bodyTimeout: 0,
      keepAliveTimeout: 3_600_000,
      keepAliveMaxTimeout: 3_600_000,
      keepAliveTimeoutThreshold: 500,
      maxHeaderSize: this.#limits.maxHeaderSize,
      allowH2: false,
    });
  }

  get maxHeaderSize() {
    return this.#limits.maxHeaderSize;
  }

  get bodyBytes() {
    return this.#bodyBytes;
  }

  get isConnecting() {
    return !this.wasSent;
  }

  /** @type {(request: Request, wants: Wants) => Promise<Response>} */
  send(request, wants) {
    this.wasSent = false;
    this.wasReused = false;
    this.sawBytes = false;
    this.sawHead = false;
    this.connectedAt = this.sentAt = this.firstByteAt = 0;
    this.#wantsBody = wants === 'body';
    this.#bodyBytes = 0;
    return new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
      const { method, path, fields, extra, body } = request;
      this.#client.dispatch(
        /** @type {any} */ ({ method, path, headers: extra ? fields.concat(extra) : fields, body, blocking: false }),
        /** @type {any} */ (this),
      );
    });
  }

  /** @type {(error: Error) => void} */
  abort(error) {
    const reject = this.#reject;
    this.#reject = null;
    this.close();
    reject?.(error);
  }

  close() {
    if (this.isDead) return;
    this.isDead = true;
    // what undici says of the exchange under way has been said already
    this.#client.destroy().catch(() => {});
    this.socket?.destroy();
  }

  /** @type {(abort: (error: Error) => void) => void} */
  onConnect(abort) {
    if (this.isDead) {
      abort(makeError('E_CANCELLED'));
      return;
    }
    this.#abort = abort;
    this.wasSent = true;
    this.sentAt = performance.now();
    if (this.#usedSocket === this.socket) {
      this.wasReused = true;
      this.#totals.reused++;
    }
    this.#usedSocket = this.socket;
  }

  /** @type {(error: any) => void} */
  broke(error) {
    this.brokenBy = error;
    if (SYSTEM_RESETS.has(error.code)) this.#totals.closedByServer++;
    else if (!this.#reject && (error.name === 'HTTPParserError' || error.message === 'bad response')) this.#totals.discarded++;
  }

  onResponseStarted() {
    this.sawBytes = true;
    this.firstByteAt = performance.now();
    this.#limits.timings.ttfb(this.firstByteAt - this.sentAt);
  }

  /** @type {(statusCode: number, rawFields: Buffer[]) => boolean} */
  onHeaders(statusCode, rawFields) {
    this.sawHead = statusCode >= 200;
    this.#statusCode = statusCode;
    this.#rawFields = rawFields;
    return true;
  }

  /** @type {(chunk: Buffer) => boolean} */
  onData(chunk) {
    this.#bodyBytes += chunk.length;
    if (this.#wantsBody) {
      if (this.#bodyBytes > this.#limits.maxBodySize) this.#abort(makeError('E_BODY_TOO_LARGE', { limit: this.#limits.maxBodySize }));
      else this.#chunks.push(chunk);
    }
    return true;
  }

  onComplete() {
    if (!this.#reject) return;
    // a reset is no end of a body, though undici takes it for one where the connection closes after it
    if (this.brokenBy) return this.onError(this.brokenBy);
    this.#reject = null;
    this.endedAt = performance.now();
    if (isStillWriting(/** @type {Socket} */ (this.socket))) this.close();
    const body = this.#wantsBody ? joinChunks(this.#chunks) : null;
    if (body) this.#chunks = [];
    this.#resolve(new UndiciResponse(this.#statusCode, this.#rawFields, body, this.#bodyBytes));
  }

  /** @type {(error: Error) => void} */
  onError(error) {
    this.#chunks = [];
    const reject = this.#reject;
    this.#reject = null;
    // after a certificate of another host the Client lets every second request wait for ever
    if (!this.wasSent) this.close();
    reject?.(explain(error, this));
  }
}

/** @implements {Response} */
class UndiciResponse {
  #rawFields;
  /** @type {Record<string, string | string[]> | null} */
  #headers = null;

  /**
   * @param {number} statusCode
   * @param {Buffer[]} rawFields
   * @param {Buffer | null} body
   * @param {number} bodyBytes
   */
  constructor(statusCode, rawFields, body, bodyBytes) {
    this.statusCode = statusCode;
    this.#rawFields = rawFields;
    this.body = body;
    this.bodyBytes = bodyBytes;
  }

  get headers() {
    return (this.#headers ??= readFields(this.#rawFields));
  }

  set headers(headers) {
    this.#headers = headers;
  }

  get setCookies() {
    return hasName(this.#rawFields, 'set-cookie') ? /** @type {string[]} */ (this.headers['set-cookie']) : null;
  }

  get contentEncoding() {
    return hasName(this.#rawFields, 'content-encoding') ? String(this.headers['content-encoding']) : undefined;
  }
}

/** @type {(rawFields: Buffer[], name: string) => boolean} */
function hasName(rawFields, name) {
  const first = name.charCodeAt(0);
  for (let i = 0; i < rawFields.length; i += 2) {
    const field = rawFields[i];
    // 0x20: the bit between upper and lower case
    if (field.length === name.length && (field[0] | 0x20) === first && field.toString('latin1').toLowerCase() === name) return true;
  }
  return false;
}

/** @type {(rawFields: Buffer[]) => Record<string, any>} */
function readFields(rawFields) {
  const fields = new Fields();
  for (let i = 0; i < rawFields.length; i += 2) fields.add(rawFields[i].toString('latin1'), rawFields[i + 1].toString('latin1'));
  return fields.toObject();
}

/** @type {(chunks: Buffer[]) => Buffer} */
function joinChunks(chunks) {
  return chunks.length === 1 ? chunks[0] : Buffer.concat(chunks);
}

/**
 * undici's errors in our words: what the exchange had seen decides which kind of reset it was.
 *
 * @param {any} error
 * @param {UndiciConnection} exchange
 * @returns {Error}
 */
function explain(error, exchange) {
  const { code } = error;
  // the bytes of the response, cookies and all, are to be in no error
  delete error.data;
  if (code === 'UND_ERR_SOCKET' || SYSTEM_RESETS.has(code)) {
    if (!exchange.wasSent && code !== 'UND_ERR_SOCKET') return error;
    const stage = exchange.sawHead ? 'E_BODY_SHORT' : exchange.sawBytes ? 'E_RESET_IN_HEAD' : 'E_RESET_BEFORE_HEAD';
    return makeError(stage, { received: `${exchange.bodyBytes} bytes` }, { cause: error });
  }
  if (code === 'UND_ERR_HEADERS_OVERFLOW') return makeError('E_HEAD_TOO_LARGE', { limit: exchange.maxHeaderSize }, { cause: error });
  // of a connection that was cut it says UND_ERR_SOCKET: a mismatch is a length that its parser reads in another way
  if (error.name === 'HTTPParserError' || code === 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH') return makeError('E_PROTOCOL', { reason: error.message }, { cause: error });
  return error;
}

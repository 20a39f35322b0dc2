import { makeError } from '../../core/ground/errors.js';
import { isResetCode } from '../../core/ground/system-errors.js';
import { withoutSpace } from '../../core/http/field-values.js';
import { JoinedBytes, UNCOUNTED } from '../../core/process/body-memory.js';
import { countAnswer, explainBind } from '../../core/transport/addresses.js';
import { ExchangeProgress, NO_RECEIVER, excerptFor, fieldsOf } from '../../core/transport/exchange-parts.js';
import { isStillWriting } from '../../core/transport/traffic.js';
import { hasName } from '../../core/transport/wire/octets.js';

/** @import { Socket } from 'node:net' */
/** @import { Client } from 'undici' */
/** @import { Timings, TransportTotals } from '../../core/contracts/connection.js' */
/** @import { Request } from '../../core/contracts/request.js' */
/** @import { BodySink, Kept, Receiver, Response } from '../../core/contracts/response.js' */
/** @import { AddressFigures } from '../../core/contracts/stats.js' */

/**
 * A Client and the handler of its requests in one, so that a request allocates little more than its promise. It uses
 * the old handler interface (onConnect, onHeaders, …), which undici 7 uses internally; the new one costs 13 % more.
 * Public fields are set by the Dialer (`index.js`), which opens the sockets of the Client.
 */
export class UndiciConnection extends ExchangeProgress {
  #limits;
  #totals;
  #bodies;
  /** @type {(response: Response) => void} */
  #resolve = () => {};
  /** @type {((error: Error) => void) | null} */
  #reject = null;
  /** Ends the request in undici, which then calls onError. @type {(error: Error) => void} */
  #abortRequest = () => {};
  #statusCode = 0;
  #statusMessage = '';
  /** @type {Buffer[]} */
  #rawFields = [];
  /** The body, if it is kept. @type {JoinedBytes | null} */
  #kept = null;
  /** What reads a body that is not kept: the beginning of that of an error, or a stream. @type {BodySink | null} */
  #sink = null;
  /** The receiver may read the body. */
  #streams = false;
  #bodyBytes = 0;
  #sawHead = false;
  /** The receiver of the current exchange. @type {Receiver} */
  #receiver = NO_RECEIVER;
  /** The fields of the request. @type {string[]} */
  #fields = [];
  /** Bytes of the socket that were read and written before the last request. */
  #readBefore = 0;
  #writtenBefore = 0;
  /** The socket of the last request. @type {Socket | null} */
  #usedSocket = null;
  /** The client is set before the first request. @type {Client} */
  client = /** @type {any} */ (null);
  /** Changes requests for a proxy without a tunnel; else null. @type {((request: Request) => Request) | null} */
  rewrite = null;
  /** The other side of its socket, for messages. */
  closer = 'the server';
  /** @type {Socket | null} */
  socket = null;
  /** The error that ended the current socket. @type {Error | null} */
  brokenBy = null;
  /** The address of its socket, if the name has several. @type {AddressFigures | null} */
  peer = null;

  /**
   * @param {{ maxBodySize: number, maxHeaderSize: number, maxHeaderFields: number, timings: Timings }} limits
   * @param {TransportTotals} totals
   * @param {import('../../core/process/body-memory.js').BodyAccount} [bodies] counts the bodies that are kept
   */
  constructor(limits, totals, bodies = UNCOUNTED) {
    super();
    this.#limits = limits;
    this.#totals = totals;
    this.#bodies = bodies;
  }

  /** @override */
  get bytesOut() {
    return (this.socket?.bytesWritten ?? 0) - this.#writtenBefore;
  }

  /** @type {(request: Request, needs: Kept, receiver: Receiver) => void} */
  send(request, needs, receiver) {
    this.restart();
    this.#sawHead = false;
    this.#streams = needs === 'reader';
    this.#kept = needs === 'body' || this.#streams ? new JoinedBytes(this.#bodies) : null;
    this.#bodyBytes = 0;
    this.#receiver = receiver;
    // The receiver, which may send again, is called by a promise: while a Client calls this handler, it is not ready.
    /** @type {Promise<Response>} */
    const exchange = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
      const { method, path, fields, extra, body } = this.rewrite === null ? request : this.rewrite(request);
      const headers = extra ? fields.concat(extra) : fields;
      this.#fields = headers;
      this.client.dispatch(
        // reset: by default, undici closes the connection after HEAD, and after a body of GET or DELETE
        /** @type {any} */ ({ method, path, headers, body, blocking: false, reset: false }),
        /** @type {any} */ (this),
      );
    });
    exchange.then(
      (response) => receiver.onResponse(response, performance.now()),
      (error) => receiver.onError(error),
    );
  }

  /** @type {(error: Error) => void} */
  abort(error) {
    const reject = this.#reject;
    this.#reject = null;
    this.#drop();
    this.close();
    reject?.(error);
  }

  close() {
    if (this.isDead) return;
    this.isDead = true;
    // The error of the current exchange was already reported.
    this.client.destroy().catch(() => {});
    this.socket?.destroy();
  }

  /** @type {(abort: (error: Error) => void) => void} */
  onConnect(abort) {
    if (this.isDead) {
      abort(makeError('E_CANCELLED'));
      return;
    }
    this.#abortRequest = abort;
    this.wasSent = true;
    // If this socket closes before its first response, the fields of the last one do not explain it.
    this.#rawFields = [];
    this.sentAt = performance.now();
    if (this.#usedSocket === this.socket) {
      this.wasReused = true;
      this.#totals.reused++;
    }
    this.#usedSocket = this.socket;
    this.#readBefore = this.socket?.bytesRead ?? 0;
    this.#writtenBefore = this.socket?.bytesWritten ?? 0;
  }

  /** @type {(error: any) => void} */
  onSocketError(error) {
    this.brokenBy = error;
    if (isResetCode(error.code)) this.#totals.closedByServer++;
    else if (!this.#reject && (error.name === 'HTTPParserError' || error.message === 'bad response'))
      this.#totals.discarded++;
  }

  /** undici closes the socket itself if a response says so, or if its hint of a lifetime is over. */
  onSocketClosed() {
    if (this.isDead || isResetCode(/** @type {any} */ (this.brokenBy)?.code)) return;
    if (!endsConnection(this.#fields) && endsConnection(this.#rawFields)) this.#totals.closedByServer++;
  }

  /** Called for interim responses, too. */
  onResponseStarted() {
    if (this.sawBytes) return;
    this.sawBytes = true;
    this.firstByteAt = performance.now();
    this.#limits.timings.ttfb.update(this.firstByteAt - this.sentAt);
  }

  /** @type {(statusCode: number, rawFields: Buffer[], resume: () => void, statusMessage: string) => boolean} */
  onHeaders(statusCode, rawFields, _resume, statusMessage) {
    if (rawFields.length > 2 * this.#limits.maxHeaderFields) {
      this.abort(this.#tooManyFields());
      return true;
    }
    this.#sawHead = statusCode >= 200;
    this.#statusCode = statusCode;
    this.#statusMessage = statusMessage;
    this.#rawFields = rawFields;
    if (this.#streams && this.#sawHead) this.#beginStream(statusCode);
    else if (this.#kept === null) this.#sink = excerptFor(statusCode, this.#receiver);
    return true;
  }

  /** @type {(chunk: Buffer) => boolean} */
  onData(chunk) {
    this.#bodyBytes += chunk.length;
    if (this.#kept) this.#keep(this.#kept, chunk);
    else if (this.#sink !== null) this.#read(this.#sink, chunk);
    return true;
  }

  /** @type {(statusCode: number) => void} */
  #beginStream(statusCode) {
    this.readAt = performance.now();
    try {
      this.#sink = this.#receiver.readerOf?.(statusCode, readFields(this.#rawFields)) ?? null;
      if (this.#sink !== null) this.#kept = null;
      if (this.#sink?.isOver) this.finish();
    } catch (error) {
      this.abort(/** @type {Error} */ (error));
    }
  }

  /** @type {(sink: BodySink, chunk: Buffer) => void} */
  #read(sink, chunk) {
    this.readAt = performance.now();
    try {
      sink.add(chunk, 0, chunk.length);
    } catch (error) {
      this.abort(/** @type {Error} */ (error));
      return;
    }
    if (sink.isOver) this.finish();
  }

  /** The code of the error when its time is over; undefined: E_TIMEOUT_REQUEST. */
  get timeoutCode() {
    if (!this.#sawHead || this.#streams) return undefined;
    const type = readFields(this.#rawFields)['content-type'] ?? '';
    return /^text\/event-stream/i.test(type) ? 'E_TIMEOUT_EVENTS' : undefined;
  }

  /** Ends a stream with what of it has arrived; its connection cannot be used again. */
  finish() {
    if (!this.#reject || !this.#sawHead) return;
    this.#end();
    this.close();
  }

  /** @type {(trailers?: unknown[]) => void} */
  onComplete(trailers = []) {
    if (!this.#reject) return;
    if (this.#rawFields.length + trailers.length > 2 * this.#limits.maxHeaderFields) {
      this.abort(this.#tooManyFields());
      return;
    }
    // A reset does not end a body, although undici treats it as an end if the connection closes after it.
    if (this.brokenBy) {
      this.onError(this.brokenBy);
      return;
    }
    if (isStillWriting(/** @type {Socket} */ (this.socket))) this.close();
    this.#end();
  }

  /** Ends the exchange with the response. */
  #end() {
    this.#reject = null;
    this.endedAt = performance.now();
    this.#countRead();
    if (this.peer !== null) countAnswer(this.peer, this.endedAt - this.sentAt);
    const body = this.#kept && this.#kept.take();
    this.#kept = null;
    const response = new UndiciResponse(this.#statusCode, this.#rawFields, body, this.#bodyBytes);
    response.statusMessage = this.#statusMessage;
    response.excerpt = this.#sink && this.#sink.take();
    this.#sink = null;
    this.#resolve(response);
  }

  #countRead() {
    this.bytesIn = (this.socket?.bytesRead ?? 0) - this.#readBefore;
  }

  #tooManyFields() {
    return makeError('E_TOO_MANY_FIELDS', { limit: this.#limits.maxHeaderFields });
  }

  /** @type {(error: any) => void} */
  onError(error) {
    if (this.#sink?.isEnded) {
      this.finish();
      return;
    }
    // A 204 or 304 has no body; its length is that of a 200 (RFC 9110 8.6).
    const hasNoBody = this.#sawHead && (this.#statusCode === 204 || this.#statusCode === 304);
    if (hasNoBody && this.#reject && error.code === LENGTH_MISMATCH) {
      this.#end();
      return;
    }
    if (this.wasSent) this.#countRead();
    this.#drop();
    const reject = this.#reject;
    this.#reject = null;
    // After an error of the certificate, every second request would never be sent by this Client.
    if (!this.wasSent) this.close();
    reject?.(this.#explain(error));
  }

  /** Converts an error of undici; that of a reset tells how far the exchange was. @type {(error: any) => Error} */
  #explain(error) {
    const { code } = error;
    // An error of the parser has bytes of the response, such as cookies, in `data`.
    delete error.data;
    const [, refused] = (this.wasSent && REFUSED.find(([message]) => message.test(error.message))) || [];
    if (refused !== undefined) return makeError('E_PROTOCOL', { reason: refused }, { cause: error });
    if (code === 'UND_ERR_SOCKET' || isResetCode(code)) {
      if (!this.wasSent && code !== 'UND_ERR_SOCKET') return error;
      const stage = this.#sawHead ? 'E_BODY_SHORT' : this.sawBytes ? 'E_RESET_IN_HEAD' : 'E_RESET_BEFORE_HEAD';
      return makeError(stage, { closer: this.closer, received: `${this.#bodyBytes} bytes` }, { cause: error });
    }
    if (code === 'UND_ERR_HEADERS_OVERFLOW')
      return makeError('E_HEADERS_TOO_LARGE', { limit: this.#limits.maxHeaderSize }, { cause: error });
    // undici reports a cut connection as UND_ERR_SOCKET; a mismatch is a length that its parser reads differently
    if (error.name === 'HTTPParserError' || code === LENGTH_MISMATCH)
      return makeError('E_PROTOCOL', { reason: error.message }, { cause: error });
    if (code === 'UND_ERR_INVALID_ARG' || code === 'UND_ERR_NOT_SUPPORTED')
      return makeError(
        'E_REQUEST_FIELD',
        { place: 'the HTTP client undici', reason: `cannot send this request (${error.message}): use builtin` },
        { cause: error },
      );
    return explainBind(error);
  }

  /** Copies a chunk, which is a slice of a larger buffer. @type {(kept: JoinedBytes, chunk: Buffer) => void} */
  #keep(kept, chunk) {
    const { maxBodySize } = this.#limits;
    try {
      if (this.#bodyBytes > maxBodySize) throw makeError('E_BODY_TOO_LARGE', { limit: maxBodySize });
      kept.add(chunk, 0, chunk.length, maxBodySize);
    } catch (error) {
      this.#abortRequest(/** @type {Error} */ (error));
    }
  }

  #drop() {
    this.#kept?.drop();
    this.#kept = null;
    this.#sink = null;
  }
}

const LENGTH_MISMATCH = 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH';

/** What undici refuses and builtin reads, by the message of undici. @type {[message: RegExp, reason: string][]} */
const REFUSED = [
  [/^bad response$/, 'a 100 Continue that was not asked for, which undici refuses: use builtin'],
  [
    /content-length header$/,
    'Content-Length twice, a list, or beside chunks, which undici refuses: builtin reads equal ones',
  ],
  [/whitespace after header value/, 'a folded header field, which undici refuses: use builtin'],
  [/header value char/, 'a folded or malformed Content-Length, which undici refuses: builtin reads a folded one'],
];

/** Reports whether one of the fields ends the connection. @type {(fields: (string | Buffer)[]) => boolean} */
function endsConnection(fields) {
  return fields.some(
    (name, i) =>
      i % 2 === 0 &&
      name.toString('latin1').toLowerCase() === 'connection' &&
      /\bclose\b/i.test(fields[i + 1].toString('latin1')),
  );
}

/** A response of undici; its fields are parsed when first read. */
class UndiciResponse {
  #rawFields;
  /** @type {Record<string, string | string[]> | null} */
  #headers = null;
  statusMessage = '';
  /** @type {Buffer | null} */
  excerpt = null;
  /** @type {import('../../core/contracts/response.js').Response['request']} */
  request = undefined;

  /** @param {number} statusCode @param {Buffer[]} rawFields @param {Buffer | null} body @param {number} bodyBytes */
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

  /** Names and values in turn. */
  get rawHeaders() {
    return this.#rawFields.map((field, i) => {
      const text = field.toString('latin1');
      return i % 2 === 0 ? text : withoutSpace(text);
    });
  }

  get setCookies() {
    return hasField(this.#rawFields, 'set-cookie') ? /** @type {string[]} */ (this.headers['set-cookie']) : null;
  }

  get contentEncoding() {
    return hasField(this.#rawFields, 'content-encoding') ? String(this.headers['content-encoding']) : undefined;
  }

  get serverTiming() {
    return hasField(this.#rawFields, 'server-timing') ? String(this.headers['server-timing']) : undefined;
  }
}

/** @type {(rawFields: Buffer[], name: string) => boolean} */
function hasField(rawFields, name) {
  for (let i = 0; i < rawFields.length; i += 2)
    if (rawFields[i].length === name.length && hasName(rawFields[i], 0, name)) return true;
  return false;
}

/** @type {(rawFields: Buffer[]) => Record<string, any>} */
function readFields(rawFields) {
  return fieldsOf(rawFields.map((field) => field.toString('latin1'))).toObject();
}

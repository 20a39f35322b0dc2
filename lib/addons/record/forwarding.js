import http from 'node:http';
import https from 'node:https';
import { pipeline } from 'node:stream';

import { addressOf } from '../../core/http/url-parts.js';
import { clientOf, fieldsOf } from './recorder.js';
import {
  bodyForTarget,
  codingOfText,
  fieldsForClient,
  fieldsForTarget,
  replaceOriginIn,
  withoutConnection,
} from './rewrite.js';

/** @import { ClientRequest, IncomingMessage, ServerResponse } from 'node:http' */
/** @import { Duplex } from 'node:stream' */
/** @import { Exchange } from '../import/exchange.js' */
/** @import { Recorder } from './recorder.js' */
/** @import { Fields, Origins } from './rewrite.js' */

/** @typedef {{ origins: Origins, url: URL, path: string, agent: http.Agent, insecure: boolean }} Route */

/** A target that does not know 100-continue waits for the body; curl waits as long for it. */
const CONTINUE_MS = 1000;

/**
 * One request on its way to the target, and its response on the way back. `response` is what the client gets, `answer`
 * what the target sent: they differ in the origin of their URLs. At its end, or that of the recording, the exchange is
 * recorded, or counted as lacking: once, whatever happens afterwards.
 */
export class Forwarding {
  #request;
  #response;
  #route;
  #recorder;
  #startedAt = NaN;
  /** The bodies of the request and of the answer. */
  #sent;
  #received;
  #isOver = false;
  /** Set when its head has arrived. @type {IncomingMessage | null} */
  #answer = null;

  /**
   * @param {IncomingMessage} request
   * @param {ServerResponse} response
   * @param {Route} route
   * @param {Recorder} recorder
   */
  constructor(request, response, route, recorder) {
    this.#request = request;
    this.#response = response;
    this.#route = route;
    this.#recorder = recorder;
    this.#sent = recorder.bytes();
    this.#received = recorder.bytes();
  }

  /** Reports whether a connection has brought the whole request. @type {(socket: Duplex) => boolean} */
  isWholeOn(socket) {
    return this.#request.socket === socket && this.#request.complete;
  }

  /** Calls back when the response has been sent. @type {(done: () => void) => void} */
  onceAnswered(done) {
    this.#response.once('finish', done);
  }

  start() {
    this.#startedAt = Date.now();
    const request = this.#request;
    const onward = this.#sendHead();
    request.on('data', (piece) => this.#sent.add(piece));
    if (/^100-continue$/i.test(request.headers.expect ?? '')) this.#sendBodyWhenAsked(onward);
    else request.pipe(onward);
    // The client may have gone.
    this.#response.once('close', () => {
      if (!this.#response.writableFinished) onward.destroy();
    });
  }

  /** Sends the body when the target asks for it (RFC 9110 10.1.1). @type {(onward: ClientRequest) => void} */
  #sendBodyWhenAsked(onward) {
    const request = this.#request;
    // The listener that records the body has started to read it.
    request.pause();
    let isAsked = false;
    const ask = () => {
      clearTimeout(waiting);
      onward.off('continue', ask);
      if (this.#isOver || this.#answer) return;
      isAsked = true;
      this.#response.writeContinue();
      request.pipe(onward);
    };
    const waiting = setTimeout(ask, CONTINUE_MS);
    onward.once('continue', ask);
    onward.once('close', () => clearTimeout(waiting));
    // A target that refused it, and keeps the connection, waits for a body that never comes.
    this.#response.once('close', () => {
      if (!isAsked) onward.destroy();
    });
  }

  /** @type {() => ClientRequest} */
  #sendHead() {
    const { url, path, origins, agent } = this.#route;
    const fields = fieldsForTarget(withoutConnection(fieldsOf(this.#request)), origins);
    const isChunked = this.#request.headers['transfer-encoding'] !== undefined;
    const all = isChunked ? [...fields, ['Transfer-Encoding', 'chunked']] : fields;
    const onward = (url.protocol === 'https:' ? https : http).request({
      method: this.#request.method,
      ...addressOf(url),
      path,
      agent,
      headers: /** @type {any} */ (all.flat()),
    });
    onward.once('response', (answer) => this.#forwardAnswer(answer));
    onward.once('upgrade', (_, socket) => {
      socket.destroy();
      this.#fail({ message: '101, though the request asks for no other protocol' });
    });
    onward.once('error', (error) => this.#fail(/** @type {NodeJS.ErrnoException} */ (error)));
    return onward;
  }

  /** @type {(answer: IncomingMessage) => void} */
  #forwardAnswer(answer) {
    const response = this.#response;
    const { origins } = this.#route;
    this.#answer = answer;
    const fields = withoutConnection(fieldsOf(answer));
    const status = answer.statusCode ?? 0;
    const isReverse = origins.own.origin !== origins.target.origin;
    // Null: the body is forwarded as it is.
    const coding = isReverse && this.#request.method !== 'HEAD' ? codingOfText(fields, status) : null;
    const shown = fieldsForClient(coding === null ? fields : withoutLength(fields), origins);
    // The target's own Date is among the fields.
    response.sendDate = false;
    try {
      response.writeHead(status, answer.statusMessage, /** @type {any} */ (shown.flat()));
    } catch {
      // Node sends no such fields.
      this.#recorder.lack(`${origins.target.origin} sent malformed header fields`);
      this.#isOver = true;
      answer.destroy();
      response.destroy();
      return;
    }
    // The head does not wait for the body: the first bytes of a stream may come late.
    response.flushHeaders();
    answer.on('data', (piece) => this.#received.add(piece));
    answer.once('end', () => this.#end(answer, false));
    answer.once('aborted', () => {
      this.#end(answer, true);
      response.destroy();
    });
    // Follows `aborted`, which has handled it.
    answer.on('error', () => {});
    if (coding === null) answer.pipe(response);
    else
      pipeline([answer, ...replaceOriginIn(coding, origins), response], (error) => {
        if (error) response.destroy();
      });
  }

  /** Ends with the recording: an answer that has begun, such as a stream, is recorded. */
  cancel() {
    if (this.#answer) this.#end(this.#answer, true);
    else if (!this.#isOver) {
      this.#isOver = true;
      this.#recorder.lack(`${this.#request.method} ${this.#route.url.pathname} was in flight when the recording ended`);
    }
  }

  /** @type {(error: { code?: string, message: string }) => void} */
  #fail(error) {
    const response = this.#response;
    // After the head of the answer, its `aborted` handles the loss of the connection.
    if (this.#isOver || response.headersSent) return;
    this.#isOver = true;
    if (response.destroyed) {
      this.#recorder.lack('the client stopped before the response');
      return;
    }
    const reason = `${this.#route.origins.target.origin} did not answer: ${error.code ?? error.message}`;
    this.#recorder.lack(reason);
    response
      .writeHead(502, { 'content-type': 'text/plain', connection: 'close' })
      .end(`bench-rest record: ${reason}\n`);
  }

  /** @type {(answer: IncomingMessage, hasNoEnd: boolean) => void} */
  #end(answer, hasNoEnd) {
    if (this.#isOver) return;
    this.#isOver = true;
    if (!this.#request.complete) this.#recorder.lack('the request was not complete when it was answered');
    else this.#recorder.add(this.#exchange(answer, hasNoEnd));
  }

  /** @type {(answer: IncomingMessage, hasNoEnd: boolean) => Exchange} */
  #exchange(answer, hasNoEnd) {
    const { method = 'GET', socket, headers } = this.#request;
    const size = this.#sent.size;
    return {
      startedAt: this.#startedAt,
      endedAt: Date.now(),
      client: clientOf(socket, headers),
      request: {
        method,
        url: this.#route.url.href,
        headers: fieldsForTarget(fieldsOf(this.#request), this.#route.origins),
        body: bodyForTarget(this.#sent.take(), fieldsOf(this.#request), this.#route.origins),
        ...(this.#sent.isCut && { bodyLacks: `has ${size} bytes, more than a recording keeps` }),
      },
      response: {
        status: answer.statusCode ?? 0,
        headers: fieldsOf(answer),
        body: this.#received.take(),
        ...((hasNoEnd || this.#received.isCut) && { isCut: true }),
        ...(hasNoEnd && { hasNoEnd }),
      },
    };
  }
}

/** The length of a body that is rewritten is not known. @type {(fields: Fields) => Fields} */
function withoutLength(fields) {
  return fields.filter(([name]) => !/^content-length$/i.test(name));
}

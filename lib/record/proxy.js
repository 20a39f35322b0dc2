import http from 'node:http';
import https from 'node:https';

import { makeError } from '../ground/errors.js';
import { addressOf } from '../http/endpoint.js';
import { Recorder, clientOf, fieldsOf } from './recorder.js';
import { fieldsForClient, fieldsForTarget, hasText, replaceOrigin, withoutConnection } from './rewrite.js';
import { openTunnel } from './tunnel.js';
import { forwardUpgrade } from './upgrade.js';

/** @import { IncomingMessage, ServerResponse, ClientRequest } from 'node:http' */
/** @import { AddressInfo } from 'node:net' */
/** @import { Duplex } from 'node:stream' */
/** @import { Exchange } from '../contracts/exchange.js' */
/** @import { Authority } from './certificate.js' */
/** @import { Fields, Origins } from './rewrite.js' */

/**
 * @typedef {object} ProxyOptions
 * @property {URL | null} target null: a forward proxy, whose requests name their servers
 * @property {number} port 0: any free port
 * @property {string} host
 * @property {boolean} [insecure] accept any certificate of the target
 * @property {Authority} [authority] makes the certificates by which a forward proxy reads TLS
 */

/** A server that forwards requests and records them. */
export class RecordingProxy {
  recorder = new Recorder();
  #options;
  #server;
  #agents;
  /** @type {Set<{ destroy: () => void }>} */
  #open = new Set();
  /** @type {Set<Forwarding>} */
  #forwardings = new Set();
  /** Servers of the connections that came through tunnels. @type {WeakMap<Duplex, URL>} */
  #tunnelled = new WeakMap();

  /** @param {ProxyOptions} options */
  constructor(options) {
    this.#options = options;
    this.#agents = {
      'http:': new http.Agent({ keepAlive: true }),
      'https:': new https.Agent({ keepAlive: true, rejectUnauthorized: !options.insecure }),
    };
    // A stream of events, or a debugger in the command, may take any time.
    this.#server = http.createServer({ requestTimeout: 0, keepAliveTimeout: 60_000, insecureHTTPParser: false });
    this.#server.on('request', (request, response) => this.#forward(request, response));
    this.#server.on('checkContinue', (request, response) => this.#forward(request, response));
    this.#server.on('upgrade', (request, socket, head) => {
      const route = this.#routeOf(request);
      if (route) forwardUpgrade({ request, socket, head }, { ...route, recorder: this.recorder }, this.#hold);
      else {
        this.recorder.lack(NO_SERVER);
        socket.end(BAD_REQUEST);
      }
    });
    const { target, authority } = options;
    const tunnels = { isForward: target === null, authority, recorder: this.recorder, hold: this.#hold };
    this.#server.on('connect', (request, socket, head) =>
      openTunnel({ request, socket, head }, { ...tunnels, serve: this.#serve }),
    );
    this.#server.on('clientError', (error, socket) => {
      const reason = reasonOf(/** @type {NodeJS.ErrnoException} */ (error));
      if (reason !== null) this.recorder.lack(reason);
      socket.end(BAD_REQUEST);
    });
  }

  /**
   * Starts to listen; returns the URL of the proxy.
   * @throws {Error} E_RECORD
   * @type {() => Promise<string>}
   */
  async start() {
    const { port, host } = this.#options;
    await new Promise((resolve, reject) => {
      this.#server.once('error', (/** @type {NodeJS.ErrnoException} */ cause) =>
        reject(cannotListen(cause, port, host)),
      );
      this.#server.listen(port, host, () => resolve(null));
    });
    const { port: bound } = /** @type {AddressInfo} */ (this.#server.address());
    const name = host === '127.0.0.1' ? 'localhost' : host.includes(':') ? `[${host}]` : host;
    return `http://${['0.0.0.0', '[::]'].includes(name) ? 'localhost' : name}:${bound}`;
  }

  /** Ends all connections, and returns the exchanges. @type {() => Promise<Exchange[]>} */
  async finish() {
    const closed = new Promise((resolve) => this.#server.close(resolve));
    this.#server.closeIdleConnections();
    for (const one of this.#forwardings) one.cancel();
    for (const one of this.#open) one.destroy();
    this.#server.closeAllConnections();
    for (const agent of Object.values(this.#agents)) agent.destroy();
    await closed;
    return this.recorder.finish();
  }

  /** Keeps what has to be destroyed at the end. @type {(one: Duplex) => void} */
  #hold = (one) => {
    this.#open.add(one);
    one.once('close', () => this.#open.delete(one));
  };

  /** Reads the requests in a tunnel. @type {(socket: Duplex, origin: URL) => void} */
  #serve = (socket, origin) => {
    this.#tunnelled.set(socket, origin);
    this.#server.emit('connection', socket);
    socket.resume();
  };

  /** Null: the request is for the proxy itself, or malformed. @type {(request: IncomingMessage) => Route | null} */
  #routeOf({ url: given = '/', headers, socket }) {
    const { target, insecure = false } = this.#options;
    const absolute = /^https?:\/\//i.test(given) && URL.canParse(given) ? new URL(given) : null;
    const host = `http://${headers.host ?? `localhost:${socket.localPort}`}`;
    const base = target ?? this.#tunnelled.get(socket) ?? absolute;
    if (base === null || !URL.canParse(host)) return null;
    const own = new URL(target === null ? base.origin : host);
    const path = absolute ? given.replace(/^https?:\/\/[^/?#]*/i, '').replace(/^(?!\/)/, '/') : given;
    const url = new URL(base.origin);
    // A path that begins with // would be a host.
    [url.pathname, url.search] = splitPath(path);
    const agent = this.#agents[/** @type {'http:'} */ (url.protocol)];
    return { origins: { target: new URL(base.origin), own }, url, path, agent, insecure };
  }

  /** @type {(request: IncomingMessage, response: ServerResponse) => void} */
  #forward(request, response) {
    const route = this.#routeOf(request);
    if (route) {
      const forwarding = new Forwarding(request, response, route, this.recorder);
      this.#forwardings.add(forwarding);
      response.once('close', () => this.#forwardings.delete(forwarding));
      forwarding.start();
    } else {
      this.recorder.lack(NO_SERVER);
      response.writeHead(400, { connection: 'close' }).end(NO_ROUTE);
    }
  }
}

/** @typedef {{ origins: Origins, url: URL, path: string, agent: http.Agent, insecure: boolean }} Route */

const BAD_REQUEST = 'HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n';
const NO_SERVER = 'names no server: the proxy answered it with 400';
const NO_ROUTE = 'bench-rest record: this is a proxy; send it requests for a server\n';

/** @type {(path: string) => [pathname: string, search: string]} */
function splitPath(path) {
  const at = path.indexOf('?');
  return at < 0 ? [path, ''] : [path.slice(0, at), path.slice(at)];
}

/** Null: the connection ended, and its request is counted. @type {(error: NodeJS.ErrnoException) => string | null} */
function reasonOf({ code = '' }) {
  if (code === 'HPE_HEADER_OVERFLOW') return 'has header fields above 16 KiB: the proxy answered it with 400';
  const isMalformed = code.startsWith('HPE_') && code !== 'HPE_INVALID_EOF_STATE';
  return isMalformed ? `is malformed (${code}): the proxy answered it with 400` : null;
}

/** @type {(error: NodeJS.ErrnoException, port: number, host: string) => Error} */
function cannotListen(cause, port, host) {
  const { code, message } = cause;
  const reason =
    code === 'EADDRINUSE'
      ? `port ${port} of ${host} is in use`
      : code === 'EACCES'
        ? `port ${port} needs privileges`
        : message;
  const cure =
    code === 'EACCES'
      ? 'use a port from 1024'
      : 'stop the program that uses it, or let --port name another one; 0 is any free port';
  return makeError('E_RECORD', { reason, cure }, { cause });
}

/** @type {(fields: Fields) => Fields} */
function withoutLength(fields) {
  return fields.filter(([name]) => !/^content-length$/i.test(name));
}

/** One request on its way to the target, and its response on the way back. */
class Forwarding {
  #request;
  #response;
  #route;
  #recorder;
  #startedAt = Date.now();
  #sent;
  #received;
  #isOver = false;
  /** @type {IncomingMessage | null} */
  #answered = null;

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

  start() {
    const request = this.#request;
    const onward = this.#send();
    request.on('data', (piece) => this.#sent.add(piece));
    // Until the target answers, nothing reads the body.
    if (/^100-continue$/i.test(request.headers.expect ?? '')) {
      request.pause();
      onward.once('continue', () => {
        this.#response.writeContinue();
        request.pipe(onward);
      });
    } else request.pipe(onward);
    // The client may have gone.
    this.#response.once('close', () => {
      if (!this.#response.writableFinished) onward.destroy();
    });
  }

  /** @type {() => ClientRequest} */
  #send() {
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
    onward.once('response', (answer) => this.#answer(answer));
    onward.once('error', (error) => this.#fail(/** @type {NodeJS.ErrnoException} */ (error)));
    return onward;
  }

  /** @type {(answer: IncomingMessage) => void} */
  #answer(answer) {
    const response = this.#response;
    const { origins } = this.#route;
    this.#answered = answer;
    const fields = withoutConnection(fieldsOf(answer));
    const status = answer.statusCode ?? 0;
    const isMoved = origins.own.origin !== origins.target.origin;
    const isText = isMoved && this.#request.method !== 'HEAD' && hasText(fields, status);
    const shown = fieldsForClient(isText ? withoutLength(fields) : fields, origins);
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
    // Fields before the body: a stream may have none for long.
    response.flushHeaders();
    answer.on('data', (piece) => this.#received.add(piece));
    answer.once('end', () => this.#end(answer, false));
    answer.once('aborted', () => {
      this.#end(answer, true);
      response.destroy();
    });
    answer.on('error', () => {});
    if (isText) answer.pipe(replaceOrigin(origins.target.origin, origins.own.origin)).pipe(response);
    else answer.pipe(response);
  }

  /** Ends the recording of it. A response that has begun, such as a stream, is recorded. */
  cancel() {
    if (this.#answered) this.#end(this.#answered, true);
    else if (!this.#isOver) {
      this.#isOver = true;
      this.#recorder.lack(`${this.#request.method} ${this.#route.url.pathname} was in flight when the recording ended`);
    }
  }

  /** @type {(error: NodeJS.ErrnoException) => void} */
  #fail(error) {
    const response = this.#response;
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
        body: this.#sent.joined(),
        ...(this.#sent.isCut && { bodyLacks: `has ${size} bytes, more than a recording keeps` }),
      },
      response: {
        status: answer.statusCode ?? 0,
        headers: fieldsOf(answer),
        body: this.#received.joined(),
        ...((hasNoEnd || this.#received.isCut) && { isCut: true }),
        ...(hasNoEnd && { hasNoEnd }),
      },
    };
  }
}

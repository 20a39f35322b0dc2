import http from 'node:http';
import https from 'node:https';

import { makeError } from '../../core/ground/errors.js';
import { openServer } from '../own-server/open.js';
import { writeAddress } from '../../core/http/url-parts.js';
import { Forwarding } from './forwarding.js';
import { Recorder, fieldsOf } from './recorder.js';
import { withTargetOrigin } from './rewrite.js';
import { openTunnel } from './tunnel.js';
import { forwardUpgrade, headOf } from './upgrade.js';

/** @import { IncomingMessage, ServerResponse } from 'node:http' */
/** @import { Duplex } from 'node:stream' */
/** @import { Exchange } from '../import/exchange.js' */
/** @import { Authority } from './certificate.js' */
/** @import { Route } from './forwarding.js' */
/** @import { Upgrade } from './upgrade.js' */

/**
 * @typedef {object} ProxyOptions
 * @property {URL | null} target null: a forward proxy, whose requests name their servers
 * @property {number} port 0: any free port
 * @property {string} host
 * @property {boolean} [insecure] accept any certificate of the target
 * @property {Authority} [authority] makes the certificates by which a forward proxy reads TLS
 */

/**
 * A server that forwards requests and records them: in front of one target, or as a forward proxy of all servers. A
 * request goes to a {@link Forwarding}, the handshake of a WebSocket to `forwardUpgrade`, and CONNECT to `openTunnel`,
 * which passes what it can read back to this server (`#serve`).
 */
export class RecordingProxy {
  recorder = new Recorder();
  #options;
  #server;
  #agents;
  /** @type {Set<Duplex>} */
  #open = new Set();
  /** @type {Set<Forwarding>} */
  #forwardings = new Set();
  /** Servers of the connections that came through tunnels. @type {WeakMap<Duplex, URL>} */
  #tunnelled = new WeakMap();
  /** Connections with a request that the parser has refused. @type {WeakSet<Duplex>} */
  #refused = new WeakSet();
  #isEnding = false;

  /** @param {ProxyOptions} options */
  constructor(options) {
    this.#options = options;
    this.#agents = {
      'http:': new http.Agent({ keepAlive: true }),
      'https:': new https.Agent({ keepAlive: true, rejectUnauthorized: !options.insecure }),
    };
    const settings = {
      // A stream of events, or a debugger in the command, may take any time.
      requestTimeout: 0,
      keepAliveTimeout: 60_000,
      insecureHTTPParser: false,
      requireHostHeader: false,
      // Node 24.9 and newer ask it; the older ones leave each connection that asks for an upgrade.
      shouldUpgradeCallback: isWebSocket,
    };
    this.#server = http.createServer(settings);
    for (const event of ['request', 'checkContinue', 'checkExpectation'])
      this.#server.on(event, (request, response) => this.#forward(request, response));
    this.#server.on('upgrade', (request, socket, head) => this.#upgrade({ request, socket, head }));
    const { target, authority } = options;
    const tunnels = {
      isForward: target === null,
      authority,
      recorder: this.recorder,
      hold: this.#hold,
      serve: this.#serve,
      isEnding: () => this.#isEnding,
    };
    this.#server.on('connect', (request, socket, head) => openTunnel({ request, socket, head }, tunnels));
    this.#server.on('clientError', (error, socket) => this.#refuse(error, socket));
  }

  /** Starts to listen; returns the URL of the proxy. @throws {Error} E_RECORD @type {() => Promise<string>} */
  async start() {
    const { port, host, target } = this.#options;
    const own = {
      port,
      host,
      isProxy: target === null,
      onRefused: (/** @type {string} */ why) => this.recorder.lack(why),
    };
    const { port: bound } = await openServer(this.#server, own).catch((cause) => {
      throw cannotListen(cause, port, host);
    });
    return `http://${writeAddress(['127.0.0.1', '0.0.0.0', '::'].includes(host) ? 'localhost' : host, bound)}`;
  }

  /** Ends all connections, and returns the exchanges. @type {() => Promise<Exchange[]>} */
  async finish() {
    this.#isEnding = true;
    const closed = new Promise((resolve) => this.#server.close(resolve));
    this.#server.closeIdleConnections();
    for (const forwarding of this.#forwardings) forwarding.cancel();
    for (const socket of this.#open) socket.destroy();
    this.#server.closeAllConnections();
    for (const agent of Object.values(this.#agents)) agent.destroy();
    await closed;
    return this.recorder.finish();
  }

  /** Keeps a socket that has to be destroyed at the end. @type {(socket: Duplex) => void} */
  #hold = (socket) => {
    this.#open.add(socket);
    socket.once('close', () => this.#open.delete(socket));
  };

  /** Reads the requests in a tunnel. @type {(socket: Duplex, origin: URL) => void} */
  #serve = (socket, origin) => {
    this.#tunnelled.set(socket, origin);
    this.#server.emit('connection', socket);
    socket.resume();
  };

  /** @type {(upgrade: Upgrade) => void} */
  #upgrade(upgrade) {
    if (!isWebSocket(upgrade.request)) {
      this.#ignoreUpgrade(upgrade);
      return;
    }
    const { request, socket } = upgrade;
    // A handshake has no body (RFC 6455 4.1): the target would take the bytes after it for one.
    const fault = BODY_FIELDS.some((name) => (request.headers[name] ?? '0') !== '0')
      ? 'has a body'
      : framingFault(request);
    if (fault !== null) {
      this.recorder.lack(`${fault}: the proxy answered it with 400`);
      socket.end(BAD_REQUEST);
      return;
    }
    const route = this.#routeOf(request);
    if (route) forwardUpgrade(upgrade, { ...route, recorder: this.recorder }, this.#hold);
    else {
      this.recorder.lack(NO_SERVER_REASON);
      socket.end(BAD_REQUEST);
    }
  }

  /**
   * A server may ignore an upgrade, such as that to h2c (RFC 9110 7.8). Node before 24.9 leaves such a connection: the
   * request is read again without that field. Node has read its head, and `head` is the beginning of its body.
   * @type {(upgrade: Upgrade) => void}
   */
  #ignoreUpgrade({ request, socket, head }) {
    if (head.length > 0) socket.unshift(head);
    const { method, url, httpVersion } = request;
    const fields = fieldsOf(request).filter(([name]) => !/^upgrade$/i.test(name));
    socket.unshift(headOf(`${method} ${url} HTTP/${httpVersion}`, fields));
    this.#server.emit('connection', socket);
    socket.resume();
  }

  /** Null: the request is for the proxy itself, or malformed. @type {(request: IncomingMessage) => Route | null} */
  #routeOf({ url: given = '/', headers, socket }) {
    const { target, insecure = false } = this.#options;
    const absolute = /^https?:\/\//i.test(given) && URL.canParse(given) ? new URL(given) : null;
    const server = target ?? this.#tunnelled.get(socket) ?? absolute;
    if (server === null) return null;
    // The origin that the client sees. That of a forward proxy is the server itself, so nothing is rewritten.
    const own = target === null ? server.origin : `http://${headers.host || `localhost:${socket.localPort}`}`;
    if (!URL.canParse(own)) return null;
    const origins = { target: new URL(server.origin), own: new URL(own) };
    const local = absolute ? given.replace(/^https?:\/\/[^/?#]*/i, '').replace(/^(?!\/)/, '/') : given;
    const path = withTargetOrigin(local, origins);
    const url = new URL(server.origin);
    // A path that begins with // would be a host.
    [url.pathname, url.search] = splitPath(path);
    const agent = this.#agents[/** @type {'http:'} */ (url.protocol)];
    return { origins, url, path, agent, insecure };
  }

  /** @type {(request: IncomingMessage, response: ServerResponse) => void} */
  #forward(request, response) {
    const fault = framingFault(request);
    if (fault !== null) {
      this.recorder.lack(`${fault}: the proxy answered it with 400`);
      response.writeHead(400, { connection: 'close' }).end(`bench-rest record: ${fault}\n`);
      return;
    }
    const route = this.#routeOf(request);
    if (route) {
      const forwarding = new Forwarding(request, response, route, this.recorder);
      this.#forwardings.add(forwarding);
      response.once('close', () => this.#forwardings.delete(forwarding));
      // A pipelined request waits for the response of the one before it, as at a server.
      if (response.socket) forwarding.start();
      else response.once('socket', () => forwarding.start());
    } else {
      this.recorder.lack(NO_SERVER_REASON);
      response.writeHead(400, { connection: 'close' }).end(NO_SERVER_BODY);
    }
  }

  /**
   * Answers what the parser refuses, after the responses to the whole requests before it.
   * @type {(error: Error, socket: Duplex) => void}
   */
  #refuse(error, socket) {
    // The parser refuses each further piece, too.
    if (this.#refused.has(socket)) return;
    this.#refused.add(socket);
    const reason = reasonOf(/** @type {NodeJS.ErrnoException} */ (error));
    if (reason !== null) this.recorder.lack(reason);
    const last = [...this.#forwardings].findLast((forwarding) => forwarding.isWholeOn(socket));
    if (last) last.onceAnswered(() => socket.end(BAD_REQUEST));
    else socket.end(BAD_REQUEST);
  }
}

const BAD_REQUEST = 'HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n';
const NO_SERVER_REASON = 'names no server: the proxy answered it with 400';
const NO_SERVER_BODY = 'bench-rest record: this is a proxy; send it requests for a server\n';

const BODY_FIELDS = ['content-length', 'transfer-encoding'];

/**
 * Says why a server behind the proxy may read another message than the proxy does (RFC 9112 6.1, RFC 9110 7.2).
 * @type {(request: IncomingMessage) => string | null}
 */
function framingFault({ rawHeaders, headers }) {
  const coding = headers['transfer-encoding'];
  if (coding !== undefined && coding.toLowerCase() !== 'chunked')
    return `has the transfer coding ${coding.slice(0, 50)}`;
  const names = rawHeaders.filter((_, i) => i % 2 === 0).map((name) => name.toLowerCase());
  const repeated = ['host', 'content-length'].find((name) => names.indexOf(name) !== names.lastIndexOf(name));
  return repeated === undefined ? null : `has several fields ${repeated}`;
}

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

/** @type {(cause: NodeJS.ErrnoException, port: number, host: string) => Error} */
function cannotListen(cause, port, host) {
  const { code = '', message } = cause;
  const [reason, cure] = LISTEN_ERRORS[code]?.(port, host) ?? [message, 'use another --port or --host'];
  return makeError('E_RECORD', { reason, cure }, { cause });
}

/** @type {(port: number, host: string) => [reason: string, cure: string]} */
function foreignHost(port, host) {
  return [`${host} is no address of this machine`, 'let --host name one, such as 127.0.0.1; 0.0.0.0 is all of them'];
}

/** @type {Record<string, (port: number, host: string) => [reason: string, cure: string]>} */
const LISTEN_ERRORS = {
  EADDRINUSE: (port, host) => [
    `port ${port} of ${host} is in use`,
    'stop the program that uses it, or let --port name another one; 0 is any free port',
  ],
  EACCES: (port) => [`port ${port} needs privileges`, 'use a port from 1024'],
  EADDRNOTAVAIL: foreignHost,
  ENOTFOUND: foreignHost,
};

/** @type {(request: IncomingMessage) => boolean} */
function isWebSocket({ headers }) {
  return /^websocket$/i.test(headers.upgrade ?? '');
}

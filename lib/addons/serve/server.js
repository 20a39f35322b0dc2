import http from 'node:http';

import { makeError } from '../../core/ground/errors.js';
import { createProblems } from '../../core/ground/problems.js';
import { DELAYS, HIGHEST_PORT, readDelay } from '../../core/ground/units.js';
import { openServer } from '../own-server/open.js';
import { writeAddress } from '../../core/http/url-parts.js';
import { JoinedBytes } from '../../core/process/body-memory.js';
import { formatValue } from '../../core/text/format-value.js';
import { createDelays } from './delays.js';
import { createResources } from './resources.js';

/** @import { IncomingMessage } from 'node:http' */
/** @import { Duplex } from 'node:stream' */
/** @import { WebSocket } from 'ws' */
/** @import { Delay } from '../../core/ground/units.js' */
/** @import { Answer, TargetRequest } from './resources.js' */

/**
 * @typedef {object} TargetOptions
 * @property {number} [port] 0: any free port
 * @property {string} [host] default 127.0.0.1
 * @property {number | string | [from: number | string, to: number | string]} [delay] before every response: ms, a
 *   range, or either with a slow tail: 20, '10ms,50ms', '20ms,1%:500ms'
 * @property {number} [seed] random seed of ranges and tails, default 1
 * @property {string | number | Uint8Array} [body] answers every request, and every message of a WebSocket: a text,
 *   bytes, or a number of bytes; default: the REST service
 * @property {number} [error] status of failing responses; 500 if only `percent` is given
 * @property {number} [percent] share of these responses, default 100
 *
 * @typedef {object} Target
 * @property {string} url
 * @property {number} port
 * @property {http.Server} server
 * @property {number} requests number of requests received
 * @property {() => Promise<void>} close
 */

const MAX_BODY_BYTES = 16 * 1024 * 1024;

/**
 * Starts the embedded REST service.
 *
 * @example const target = await startTarget(); const { stats } = await benchrest('/', { baseUrl: target.url, limit:
 *   10, iterations: 100 }); await target.close();
 *
 * @throws {Error} E_TARGET if an option is invalid or the port is not available
 * @type {(options?: TargetOptions) => Promise<Target>}
 */
export async function startTarget(options = {}) {
  const { port, host, error, percent, delay, seed, body } = readOptions(options);
  const respond = body === undefined ? createResources() : always(body);
  const nextDelay = createDelays(delay, seed);
  let requests = 0;
  const failure = (/** @type {number} */ number) =>
    error !== undefined && isChosen(number, percent) ? error : undefined;
  const server = http.createServer({ keepAliveTimeout: 60_000, noDelay: true }, async (request, response) => {
    const number = requests++;
    const delayMs = nextDelay();
    const sent = await read(request);
    if (sent === null) return send(response, { status: 413, headers: { connection: 'close' } });
    const { method = '', url: path = '/', headers } = request;
    const failed = failure(number);
    const answer = failed ? { status: failed } : respond({ method, path, headers, body: sent });
    const wait = delayMs + (answer.delayMs ?? 0);
    if (wait === 0) send(response, answer);
    else setTimeout(() => send(response, answer), wait).unref();
  });
  const webSockets = new WebSockets(nextDelay, body === undefined ? null : bytesOf(body));
  server.on('upgrade', (request, stream, head) => {
    const failed = failure(requests++);
    if (failed) refuseHandshake(stream, failed);
    else void webSockets.accept(request, stream, head);
  });
  const { port: boundPort } = await openServer(server, { port, host, backlog: 4096 }).catch((cause) => {
    throw makeError('E_TARGET', { problems: cannotListen(cause, port, host) }, { cause });
  });
  return {
    url: `http://${writeAddress(host, boundPort)}`,
    port: boundPort,
    server,
    get requests() {
      return requests;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
        webSockets.close();
      }),
  };
}

const OPTIONS = ['port', 'host', 'delay', 'seed', 'body', 'error', 'percent'];
const MAX_SERVED_BYTES = 256 * 1024 * 1024;

/**
 * @typedef {object} Settings
 * @property {number} port
 * @property {string} host
 * @property {number} [error]
 * @property {number} percent
 * @property {Delay} delay
 * @property {number} seed
 * @property {string | Uint8Array | number} [body]
 */

/** @type {(given: TargetOptions) => Settings} */
function readOptions(given) {
  const { port = 0, host = '127.0.0.1', delay = 0, seed = 1, percent = 100, body } = given;
  // A share of failing responses needs a status: 500, as other tools have it.
  const { error = given.percent === undefined ? undefined : 500 } = given;
  const problems = createProblems('E_TARGET');
  for (const key of Object.keys(given)) {
    if (!OPTIONS.includes(key)) problems.unknown(key, 'option', key, OPTIONS);
  }
  /** @type {(key: string, isValid: boolean, expected: string, value: unknown) => void} */
  const expect = (key, isValid, expected, value) => {
    if (!isValid) problems.add(key, `expected ${expected}, got ${formatValue(value)}`);
  };
  const read = readDelay(delay);
  expect('port', isWhole(port, 0, HIGHEST_PORT), `0 to ${HIGHEST_PORT}`, port);
  expect('host', typeof host === 'string' && host !== '', 'a name or an address', host);
  expect('delay', read !== null, DELAYS, delay);
  expect('seed', Number.isSafeInteger(seed), 'a whole number', seed);
  expect('body', isBody(body), 'a text, a Buffer, or a number of bytes up to 256 MiB', body);
  expect('error', error === undefined || isWhole(error, 200, 599), 'a status from 200 to 599', error);
  expect('percent', typeof percent === 'number' && percent >= 0 && percent <= 100, '0 to 100', percent);
  problems.throwIfAny();
  return { port, host, error, percent, delay: /** @type {Delay} */ (read), seed, body };
}

/** @type {(value: unknown, from: number, to: number) => boolean} */
function isWhole(value, from, to) {
  return Number.isInteger(value) && Number(value) >= from && Number(value) <= to;
}

/** @type {(value: unknown) => boolean} */
function isBody(value) {
  if (typeof value === 'number') return isWhole(value, 0, MAX_SERVED_BYTES);
  return value === undefined || typeof value === 'string' || value instanceof Uint8Array;
}

/** The same answer to all. @type {(body: string | Uint8Array | number) => (request: TargetRequest) => Answer} */
function always(body) {
  const headers = {
    'content-type': typeof body === 'string' ? 'text/plain; charset=utf-8' : 'application/octet-stream',
  };
  const answer = { status: 200, headers, body: Buffer.from(bytesOf(body)) };
  return () => answer;
}

/** @type {(body: string | Uint8Array | number) => string | Uint8Array} */
function bytesOf(body) {
  return typeof body === 'number' ? Buffer.alloc(body, 'x') : body;
}

/** @type {(error: NodeJS.ErrnoException, port: number, host: string) => string} */
function cannotListen({ code, message }, port, host) {
  if (code === 'EADDRINUSE')
    return `port ${port} of ${host} is in use; stop the program that uses it, or use another port`;
  if (code === 'EACCES') return `port ${port} needs privileges; use a port from 1024`;
  return `cannot listen on ${host}:${port}: ${message}`;
}

/**
 * Reads the whole body; null if it is too large. Never resolves if the client disconnects.
 * @type {(request: http.IncomingMessage) => Promise<Buffer | null>}
 */
function read(request) {
  const { headers } = request;
  if (headers['content-length'] === undefined && headers['transfer-encoding'] === undefined) return NO_BODY;
  return new Promise((resolve) => {
    const joined = new JoinedBytes();
    let size = 0;
    request.on('data', (chunk) => {
      size += chunk.length;
      if (size <= MAX_BODY_BYTES) return joined.add(chunk, 0, chunk.length, MAX_BODY_BYTES);
      joined.drop();
      return resolve(null);
    });
    request.on('end', () => resolve(joined.take()));
    request.on('error', () => {}); // The client disconnected: no answer is possible.
  });
}

const NO_BODY = Promise.resolve(Buffer.alloc(0));

/** Spreads `percent` of the numbers evenly. @type {(number: number, percent: number) => boolean} */
function isChosen(number, percent) {
  return Math.floor(((number + 1) * percent) / 100) > Math.floor((number * percent) / 100);
}

/** @type {(response: http.ServerResponse, answer: Answer) => void} */
function send(response, { status, headers, body = '', events }) {
  if (events) return sendEvents(response.writeHead(status, headers), events);
  const hasNoBody = status === 204 || status === 304;
  response
    .writeHead(status, hasNoBody ? headers : { ...headers, 'content-length': Buffer.byteLength(body) })
    .end(hasNoBody ? undefined : body);
}

/** All events, then the end. @type {(response: http.ServerResponse, events: NonNullable<Answer['events']>) => void} */
function sendEvents(response, { count, everyMs }) {
  let sent = 0;
  const timer = setInterval(() => {
    response.write(`id: ${sent}\ndata: {"number":${sent}}\n\n`);
    if (++sent < count) return;
    // It closes later, if a response before it on its connection is not complete.
    clearInterval(timer);
    response.end();
  }, everyMs);
  response.flushHeaders();
  response.on('close', () => clearInterval(timer));
}

/** WebSockets at any path: each message is answered, by default with itself. The first handshake loads the library. */
class WebSockets {
  /** @type {Set<WebSocket>} */
  #open = new Set();
  #nextDelay;
  #body;
  /** @type {Promise<import('ws').WebSocketServer> | null} */
  #server = null;

  /**
   * @param {() => number} nextDelay ms before an answer
   * @param {string | Uint8Array | null} body answers every message; null: the message itself does
   */
  constructor(nextDelay, body) {
    this.#nextDelay = nextDelay;
    this.#body = body;
  }

  /** @type {(request: IncomingMessage, stream: Duplex, head: Buffer) => Promise<void>} */
  async accept(request, stream, head) {
    stream.on('error', () => {}); // The client disconnected: no answer is possible.
    this.#server ??= import('ws').then(
      ({ WebSocketServer }) => new WebSocketServer({ noServer: true, maxPayload: MAX_BODY_BYTES }),
    );
    (await this.#server).handleUpgrade(request, stream, head, (socket) => this.#serve(socket));
  }

  close() {
    for (const socket of this.#open) socket.terminate();
  }

  /** @type {(socket: WebSocket) => void} */
  #serve(socket) {
    const body = this.#body;
    this.#open.add(socket);
    socket.on('close', () => this.#open.delete(socket));
    socket.on('error', () => {}); // the library closes the connection after an invalid or too large message
    socket.on('message', (data, isBinary) => {
      const answer = () =>
        socket.send(body ?? /** @type {Buffer} */ (data), {
          binary: body === null ? isBinary : typeof body !== 'string',
        });
      const delayMs = this.#nextDelay();
      if (delayMs === 0) answer();
      else setTimeout(answer, delayMs).unref();
    });
  }
}

/** Refuses a handshake with a status. @type {(stream: Duplex, status: number) => void} */
function refuseHandshake(stream, status) {
  stream.on('error', () => {}); // The client disconnected: no answer is possible.
  stream.end(`HTTP/1.1 ${status} \r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
}

import http from 'node:http';

import { makeError } from '../errors.js';
import { JoinedBytes } from '../joined-bytes.js';
import { createProblems } from '../problems.js';
import { createResources } from './resources.js';

/**
 * @import { Answer } from './resources.js'
 *
 * @typedef {object} TargetOptions
 * @property {number} [port] 0: any free port
 * @property {string} [host] default 127.0.0.1
 * @property {number} [delay] ms before every response
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
 * @example
 * const target = await startTarget();
 * const { stats } = await benchrest('/', { baseUrl: target.url, limit: 10, iterations: 100 });
 * await target.close();
 *
 * @param {TargetOptions} [options]
 * @returns {Promise<Target>}
 * @throws {Error} E_TARGET if an option is invalid or the port is not available
 */
export async function startTarget(options = {}) {
  const { port = 0, host = '127.0.0.1', delay = 0, percent = 100 } = options;
  // a share of failing responses needs a status: 500, as other tools have it
  const { error = options.percent === undefined ? undefined : 500 } = options;
  check(options, { port, delay, error, percent });
  const respond = createResources();
  let requests = 0;
  const server = http.createServer({ keepAliveTimeout: 60_000, noDelay: true }, async (request, response) => {
    const number = requests++;
    const body = await read(request);
    if (body === null) return send(response, { status: 413, headers: { connection: 'close' } });
    const { method = '', url: path = '/', headers } = request;
    const answer =
      error !== undefined && isChosen(number, percent) ? { status: error } : respond({ method, path, headers, body });
    const wait = delay + (answer.delayMs ?? 0);
    if (wait === 0) send(response, answer);
    else setTimeout(() => send(response, answer), wait).unref();
  });
  await listen(server, port, host);
  const boundPort = /** @type {import('node:net').AddressInfo} */ (server.address()).port;
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${boundPort}`,
    port: boundPort,
    server,
    get requests() {
      return requests;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

const OPTIONS = ['port', 'host', 'delay', 'error', 'percent'];

/** @type {(given: TargetOptions, options: { port: number, delay: number, error?: number, percent: number }) => void} */
function check(given, { port, delay, error, percent }) {
  const problems = createProblems('E_TARGET');
  for (const key of Object.keys(given)) {
    if (!OPTIONS.includes(key)) problems.unknown(key, 'option', key, OPTIONS);
  }
  if (!Number.isInteger(port) || port < 0 || port > 65_535) problems.add('port', `expected 0 to 65535, got ${port}`);
  if (!(delay >= 0 && delay <= 600_000)) problems.add('delay', `expected 0 to 600000 ms, got ${delay}`);
  if (error !== undefined && !(Number.isInteger(error) && error >= 200 && error <= 599))
    problems.add('error', `expected a status from 200 to 599, got ${error}`);
  if (!(percent >= 0 && percent <= 100)) problems.add('percent', `expected 0 to 100, got ${percent}`);
  problems.throwIfAny();
}

/** @type {(server: http.Server, port: number, host: string) => Promise<void>} */
function listen(server, port, host) {
  return new Promise((resolve, reject) => {
    server.once('error', (/** @type {NodeJS.ErrnoException} */ cause) =>
      reject(makeError('E_TARGET', { problems: cannotListen(cause, port, host) }, { cause })),
    );
    server.listen({ port, host, backlog: 4096 }, () => resolve());
  });
}

/** @type {(error: NodeJS.ErrnoException, port: number, host: string) => string} */
function cannotListen({ code, message }, port, host) {
  if (code === 'EADDRINUSE')
    return `port ${port} of ${host} is in use; stop the program that uses it, or use another --port`;
  if (code === 'EACCES') return `port ${port} needs privileges; use a --port from 1024`;
  return `cannot listen on ${host}:${port}: ${message}`;
}

/**
 * Reads the whole body; null if it is too large. Never resolves if the client disconnects.
 *
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
    request.on('error', () => {}); // the client disconnected: no answer is possible
  });
}

const NO_BODY = Promise.resolve(Buffer.alloc(0));

/** Spreads `percent` of the numbers evenly. @type {(number: number, percent: number) => boolean} */
function isChosen(number, percent) {
  return Math.floor(((number + 1) * percent) / 100) > Math.floor((number * percent) / 100);
}

/** @type {(response: http.ServerResponse, answer: Answer) => void} */
function send(response, { status, headers, body = '' }) {
  const hasNoBody = status === 204 || status === 304;
  response
    .writeHead(status, hasNoBody ? headers : { ...headers, 'content-length': Buffer.byteLength(body) })
    .end(hasNoBody ? undefined : body);
}

import http from 'node:http';

import { makeError } from '../errors.js';
import { createProblems } from '../problems.js';
import { createResources } from './resources.js';

/**
 * @import { Answer } from './resources.js'
 *
 * @typedef {object} TargetOptions
 * @property {number} [port] 0: any that is free
 * @property {string} [host] default 127.0.0.1
 * @property {number} [delay] ms before every response
 * @property {number} [error] status of the responses that are made to fail
 * @property {number} [percent] how many of them, default 100
 *
 * @typedef {object} Target
 * @property {string} url
 * @property {number} port
 * @property {http.Server} server
 * @property {number} requests how many arrived
 * @property {() => Promise<void>} close
 */

const LARGEST_BODY = 16 * 1024 * 1024;

/**
 * Starts the embedded REST service: something to aim at.
 *
 * @example
 * const target = await startTarget();
 * const { stats } = await benchrest('/', { baseUrl: target.url, limit: 10, iterations: 100 });
 * await target.close();
 *
 * @param {TargetOptions} [options]
 * @returns {Promise<Target>}
 * @throws {Error} E_TARGET when an option is wrong or the port cannot be had
 */
export async function startTarget({ port = 0, host = '127.0.0.1', delay = 0, error, percent = 100 } = {}) {
  check({ port, delay, error, percent });
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
  const taken = /** @type {import('node:net').AddressInfo} */ (server.address()).port;
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${taken}`,
    port: taken,
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

/** @type {(options: { port: number, delay: number, error?: number, percent: number }) => void} */
function check({ port, delay, error, percent }) {
  const problems = createProblems('E_TARGET');
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
  if (code === 'EADDRINUSE') return `port ${port} of ${host} is taken; end what listens there, or give another --port`;
  if (code === 'EACCES') return `port ${port} needs privileges; give a --port from 1024`;
  return `cannot listen on ${host}:${port}: ${message}`;
}

/** The whole body; null if it is too large. Nothing follows when the client leaves. @type {(request: http.IncomingMessage) => Promise<Buffer | null>} */
function read(request) {
  const { headers } = request;
  if (headers['content-length'] === undefined && headers['transfer-encoding'] === undefined) return NOTHING;
  return new Promise((resolve) => {
    /** @type {Buffer[]} */
    let chunks = [];
    let size = 0;
    request.on('data', (chunk) => {
      size += chunk.length;
      if (size <= LARGEST_BODY) return chunks.push(chunk);
      chunks = [];
      return resolve(null);
    });
    request.on('end', () => resolve(chunks.length === 1 ? chunks[0] : Buffer.concat(chunks)));
    request.on('error', () => {}); // the client left in the middle: nobody to answer
  });
}

const NOTHING = Promise.resolve(Buffer.alloc(0));

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

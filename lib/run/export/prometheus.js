import { createServer } from 'node:http';

import { makeError } from '../../ground/errors.js';
import { PROTOBUF, TEXT, protobufOf, textOf } from './exposition.js';

/** @import { IncomingMessage, ServerResponse } from 'node:http' */
/** @import { AddressInfo } from 'node:net' */
/** @import { Collected, Exporter } from './index.js' */

const PATH = '/metrics';
const MOST_CONNECTIONS = 16;
/** Time limit of a request, and of an idle connection. */
const LONGEST_MS = 5000;
/** Time for which an answer is kept, and sent again. */
const FRESH_MS = 500;
/**
 * Serves the metrics of the run to Prometheus.
 * @throws {Error} E_EXPORTER: it cannot listen there
 * @type {(address: { host: string, port: number }, context: { collect: () => Collected | null }) => Promise<Exporter>}
 */
export async function open({ host, port }, { collect }) {
  const answers = new Answers(collect);
  const server = createServer({ requestTimeout: LONGEST_MS, headersTimeout: LONGEST_MS }, (request, response) =>
    answer(request, response, answers),
  );
  server.maxConnections = MOST_CONNECTIONS;
  server.setTimeout(LONGEST_MS, (socket) => socket.destroy());
  await new Promise((resolve, reject) => {
    server.once('error', (/** @type {NodeJS.ErrnoException} */ error) => {
      const { message: reason } = error;
      reject(makeError('E_EXPORTER', { option: '--prometheus', reason }, { cause: error }));
    });
    server.listen(port, host, () => resolve(undefined));
  });
  const own = /** @type {AddressInfo} */ (server.address());
  const name = own.family === 'IPv6' ? `[${own.address}]` : own.address;
  return {
    to: `http://${name}:${own.port}${PATH}`,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** @type {(request: IncomingMessage, response: ServerResponse, answers: Answers) => void} */
function answer({ method, url = '', headers: { accept = '' } }, response, answers) {
  const [path] = url.split('?');
  if (method !== 'GET' && method !== 'HEAD') response.writeHead(405, { allow: 'GET, HEAD' }).end();
  else if (path !== PATH) response.writeHead(404).end(`the metrics are at ${PATH}\n`);
  else {
    const format = /application\/vnd\.google\.protobuf\b[^,]*encoding=delimited/i.test(accept) ? PROTOBUF : TEXT;
    const body = answers.body(format);
    response.writeHead(200, { 'content-type': format, 'content-length': body.length }).end(body);
  }
}

/** @type {Record<string, (collected: Collected) => Buffer>} */
const FORMATS = { [TEXT]: textOf, [PROTOBUF]: protobufOf };

/** Keeps each answer for a short time, so that frequent scrapes cost the load generator nothing more. */
class Answers {
  #collect;
  /** @type {Map<string, { at: number, body: Buffer }>} */
  #known = new Map();

  /** @param {() => Collected | null} collect */
  constructor(collect) {
    this.#collect = collect;
  }

  /** @type {(format: string) => Buffer} */
  body(format) {
    const now = performance.now();
    const known = this.#known.get(format);
    if (known && now - known.at < FRESH_MS) return known.body;
    const collected = this.#collect();
    const body = collected === null ? Buffer.alloc(0) : FORMATS[format](collected);
    this.#known.set(format, { at: now, body });
    return body;
  }
}

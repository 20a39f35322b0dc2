import { once } from 'node:events';
import http from 'node:http';
import https from 'node:https';
import { gzipSync } from 'node:zlib';

import { selfSigned } from '../support/certificate.js';

/** Each side keeps connections alive in its own way. */
const OF_CONNECTION = ['connection', 'keep-alive'];

const JSON_TYPE = { 'content-type': 'application/json' };

/**
 * What the target answers, by the first part of the path; every other path gets the text `ok`.
 * @type {Record<string, (answer: { req: http.IncomingMessage, res: http.ServerResponse, body: string, rest: string }) => void>}
 */
const ANSWERS = {
  status: ({ res, rest }) => res.writeHead(Number(rest)).end(`status ${rest}`),
  json: ({ res }) => res.writeHead(200, JSON_TYPE).end('{"id":7,"tags":["a"],"data":{"token":"secret"}}'),
  broken: ({ res }) => res.writeHead(200, JSON_TYPE).end('{"id":'),
  echo: ({ req, res, body }) => res.writeHead(200, { 'x-method': req.method }).end(body),
  empty: ({ res }) => res.writeHead(204).end(),
  created: ({ res }) => res.writeHead(201, { location: '/items/7', ...JSON_TYPE }).end('{"id":7}'),
  redirect: ({ res, rest }) => res.writeHead(Number(rest), { location: '/landed' }).end('moved'),
  circle: ({ res }) => res.writeHead(302, { location: '/circle' }).end(),
  cookie: ({ res, rest }) =>
    res.writeHead(200, { 'set-cookie': [`s=${rest}; Path=/`, 'deep=1; Path=/deep'] }).end('ok'),
  etag: ({ req, res, rest }) => {
    const tag = `"${rest}"`;
    const isKnown = req.headers['if-none-match'] === tag;
    res.writeHead(isKnown ? 304 : 200, { etag: tag }).end(isKnown ? undefined : 'tagged');
  },
  tagged: ({ res }) => res.writeHead(201, { location: '/items/7', etag: '"new"' }).end('tagged'),
  gzip: ({ req, res }) => {
    const isWanted = /gzip/.test(req.headers['accept-encoding'] ?? '');
    res.writeHead(200, isWanted ? { 'content-encoding': 'gzip' } : {}).end(isWanted ? gzipSync('packed') : 'plain');
  },
  cut: ({ res }) =>
    res.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('packed'.repeat(100)).subarray(0, -4)),
  latin1: ({ res }) => res.writeHead(200).end(Buffer.from([0x67, 0x72, 0xfc, 0xdf])),
  private: ({ req, res }) => {
    const isKnown = req.headers.authorization !== undefined;
    res.writeHead(isKnown ? 200 : 401, isKnown ? {} : { 'www-authenticate': 'Basic realm="x"' }).end('private');
  },
  destroy: ({ res }) => res.destroy(),
  never: () => {},
};

/**
 * Serves one trait, on a port of its own.
 *
 * @param {{ isSecure?: boolean }} options
 */
export async function openTarget({ isSecure = false }) {
  /** @type {string[]} */
  const requests = [];
  const answer = async (req, res) => {
    const chunks = [];
    try {
      for await (const chunk of req) chunks.push(chunk);
    } catch {
      return; // the client disconnected in the middle
    }
    const body = Buffer.concat(chunks).toString('latin1');
    requests.push(textOf(req, body));
    const [, name, rest] = /^\/([^/?]*)\/?([^?]*)/.exec(req.url);
    const ok = () => res.end(req.method === 'HEAD' ? undefined : 'ok');
    (ANSWERS[name] ?? ok)({ req, res, body, rest });
  };
  const server = isSecure ? https.createServer(selfSigned(), answer) : http.createServer(answer);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  return {
    url: `${isSecure ? 'https' : 'http'}://127.0.0.1:${port}`,
    requests,
    withoutPort: (text) => text.replaceAll(`127.0.0.1:${port}`, 'TARGET'),
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** A request as it came: `POST /a, x-id: 1 <body>`. Each side makes up its own boundaries of forms. */
function textOf({ method, url, headers }, body) {
  const boundary = /boundary=("?)([^";]+)\1/.exec(headers['content-type'] ?? '')?.[2];
  const names = Object.keys(headers)
    .filter((name) => !OF_CONNECTION.includes(name))
    .sort();
  const fields = names.map((name) => `, ${name}: ${boundary && name === 'content-length' ? 'any' : headers[name]}`);
  const text = `${method} ${url}${fields.join('')}${body === '' ? '' : ` <${body}>`}`;
  return boundary === undefined ? text : text.replaceAll(boundary, 'BOUNDARY');
}

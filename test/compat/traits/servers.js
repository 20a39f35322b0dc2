import { once } from 'node:events';
import http from 'node:http';
import { deflateSync } from 'node:zlib';

import { ended } from './ended.js';

/** A trait of a run against a server of its own. */
const served = (name, handler, operationsOf, options = { limit: 1, iterations: 1 }) => ({
  name,
  program: async ({ log, benchrest }) => {
    const server = http.createServer(handler).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const run = benchrest(operationsOf(`http://127.0.0.1:${server.address().port}`, log), options);
    const { errorCount } = await ended(run.on('error', (error, phase) => log(`error in ${phase}`)));
    log(errorCount);
    server.closeAllConnections();
    server.close();
  },
});

/** A GET, or another request, whose response is logged. */
const seeing = (url, log, more) => ({
  ...(more?.head === undefined && more?.post === undefined ? { get: url } : {}),
  ...more,
  afterHooks: [
    (all) => {
      const { body, response } = all;
      log(response?.statusCode, typeof body === 'string' ? `${body.length}: ${body.slice(0, 40)}` : body);
      return all;
    },
  ],
});
const get = (more) => (url, log) => seeing(url, log, more);

/** Answers with these header fields and this body. */
const answer =
  (headers, body, status = 200) =>
  (req, res) =>
    res.writeHead(status, headers).end(body);

/** Redirects from these paths; the others answer with their path. */
const redirecting = (targets, headers) => (req, res) =>
  targets[req.url] === undefined
    ? res.end(req.url + (req.headers.cookie ?? ''))
    : res.writeHead(302, { location: targets[req.url], ...headers }).end();

const COOKIES = [
  ...['a=1', 'b="q q"; HttpOnly', 'c=x=y; SameSite=Strict', 'd=1; Max-Age=0', 'f=1; Domain=127.0.0.1'],
  ...['e=1; Expires=Thu, 01 Jan 1970 00:00:00 GMT', 'g=1; Domain=example.com', 'p=1; Path=/x'],
];
const withCookies = (req, res) => res.setHeader('set-cookie', COOKIES).end(req.headers.cookie);

/** Keeps what was posted, and answers with its location. */
function storing(stored = []) {
  return async (req, res) => {
    const chunks = [];
    for await (const chunk of req) chunks.push(chunk);
    if (req.method === 'POST') {
      const at = stored.push(Buffer.concat(chunks)) - 1;
      res.writeHead(201, { location: `/stored/${at}` }).end();
    } else res.end(stored[Number(req.url.split('/')[2])]);
  };
}

/** What servers of all kinds answer. */
export const SERVERS = [
  served('a body of a megabyte', answer({}, 'x'.repeat(1e6)), get()),
  served('a byte order mark before JSON', answer({}, '\ufeff{"a":1}'), get({ json: true })),
  served('a byte order mark before text', answer({}, '\ufeffabc'), get()),
  served(
    'a byte order mark before JSON that is read as utf8',
    answer({}, '\ufeff{"a":1}'),
    get({ json: true, encoding: 'utf8' }),
  ),
  served('a byte order mark before text that is read as utf8', answer({}, '\ufeffabc'), get({ encoding: 'utf8' })),
  served(
    'a letter that is cut between two chunks',
    (req, res) => {
      const bytes = Buffer.from('ä€😀');
      res.write(bytes.subarray(0, 3));
      setTimeout(() => res.end(bytes.subarray(3)), 5);
    },
    get(),
  ),
  served('deflate', answer({ 'content-encoding': 'deflate' }, deflateSync('packed')), get({ gzip: true })),
  served(
    'a response that is not gzip, though its Content-Encoding is',
    answer({ 'content-encoding': 'gzip' }, 'abc'),
    get({ gzip: true }),
  ),
  served('gzip without a body', answer({ 'content-encoding': 'gzip' }), get({ gzip: true })),
  served('HEAD of gzip', answer({ 'content-encoding': 'gzip' }), (url, log) =>
    seeing(url, log, { head: url, gzip: true }),
  ),
  served('an unknown content coding', answer({ 'content-encoding': 'zip' }, 'abc'), get({ gzip: true })),
  served('a server that closes each connection', answer({ connection: 'close' }, 'abc'), get(), {
    limit: 1,
    iterations: 3,
  }),
  served(
    'chunks with trailers',
    (req, res) => {
      res.writeHead(200, { trailer: 'x-sum' }).write('a');
      res.addTrailers({ 'x-sum': '1' });
      res.end('b');
    },
    get(),
  ),
  served('204 to a POST of JSON', answer({}, undefined, 204), (url, log) =>
    seeing(url, log, { post: url, json: { a: 1 } }),
  ),
  served('205', answer({}, undefined, 205), get()),
  served('a status of 299', answer({}, 'x', 299), get()),
  served(
    'a body that is cut off',
    (req, res) => {
      res.writeHead(200, { 'content-length': 10 }).write('abc');
      setTimeout(() => res.destroy(), 10);
    },
    get(),
  ),
  served(
    'chunks that are cut off',
    (req, res) => {
      res.write('abc');
      setTimeout(() => res.destroy(), 10);
    },
    get(),
  ),
  served('cookies of all kinds', withCookies, (url, log) => [seeing(url, log), seeing(`${url}/x/y`, log)]),
  served('a cookie of a redirect', redirecting({ '/a': '/b' }, { 'set-cookie': 'c=1' }), (url, log) =>
    seeing(`${url}/a`, log),
  ),
  served('redirects in a row', redirecting({ '/a': '/b', '/b': '/c', '/c': '/d' }), (url, log) =>
    seeing(`${url}/a`, log),
  ),
  served('a redirect to a relative URL', redirecting({ '/a/b': '../c?d=1' }), (url, log) => seeing(`${url}/a/b`, log)),
  served('a redirect to a path with a space', redirecting({ '/a': '/b c' }), (url, log) => seeing(`${url}/a`, log)),
  served('a redirect to a fragment', redirecting({ '/a': '/b#top' }), (url, log) => seeing(`${url}/a`, log)),
  served('a redirect without Location', answer({}, 'x', 302), get()),
  served(
    'digest authentication',
    (req, res) =>
      req.headers.authorization === undefined
        ? res.writeHead(401, { 'www-authenticate': 'Digest realm="a", nonce="b", qop="auth"' }).end()
        : res.end(req.headers.authorization.slice(0, 20)),
    get({ auth: { user: 'ann', pass: 'x', sendImmediately: false } }),
  ),
  served('an answer within the timeout', (req, res) => setTimeout(() => res.end('ok'), 20), get({ timeout: 10_000 })),
  served('header fields in several spellings', answer({ 'X-Own': '1', link: ['a', 'b'] }), (url, log) => ({
    get: url,
    afterHooks: [
      (all) => {
        const { headers, rawHeaders, statusMessage, httpVersion } = all.response;
        log(headers['x-own'], headers['X-Own'], headers.link, rawHeaders.slice(0, 2), statusMessage, httpVersion);
        return all;
      },
    ],
  })),
  served(
    'each iteration reads what it has posted',
    storing(),
    (url) => [
      {
        post: url,
        body: 'hello#{INDEX}',
        afterHooks: [(all) => ((all.iterCtx.location = all.response.headers.location), all)],
      },
      {
        get: `${url}/LOCATION`,
        beforeHooks: [
          (all) => {
            all.requestOptions.uri = all.requestOptions.uri.replace('/LOCATION', all.iterCtx.location);
            return all;
          },
        ],
        afterHooks: [
          (all) => {
            if (all.body !== `hello${all.env.index}`) throw new Error('the body of another iteration');
            return all;
          },
        ],
      },
    ],
    { limit: 7, iterations: 50 },
  ),
];

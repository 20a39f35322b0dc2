import { createServer } from 'node:http';
import https from 'node:https';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import zlib from 'node:zlib';

import { expect } from 'chai';

import benchrest from '../../index.js';
import { PROPERTIES } from '../../lib/core/flow/properties.js';
import { selfSigned } from '../support/certificate.js';
import { listen, serving, shut } from '../support/serve.js';
import { NAMES, takesTurn } from '../support/transports.js';
import { balance } from './ground.js';

const basic = (text) => `Basic ${Buffer.from(text).toString('base64')}`;
const BODY = '{"a":1}';

/**
 * `/to/<n>` redirects n times, `/never` is not answered, `/gzip` is compressed, all others answer with JSON and set a
 * cookie.
 */
function answer(req, res) {
  const hops = Number(/^\/to\/(\d+)/.exec(req.url)?.[1] ?? 0);
  if (req.url === '/never') return;
  if (hops > 0) res.writeHead(302, { location: `/to/${hops - 1}` }).end();
  else if (req.url === '/gzip') res.writeHead(200, { 'content-encoding': 'gzip' }).end(zlib.gzipSync(BODY));
  else res.writeHead(200, { 'set-cookie': 'c=1; Path=/' }).end(BODY);
}

/**
 * One iteration of `operation`, whose request options `change` changes in a before-hook.
 * @returns the outcome: { seen, stats, body, error }
 */
function changing(operation, change, options = {}) {
  return serving(answer, async (url, seen) => {
    let body;
    const flow = {
      get: '/',
      ...operation,
      ...(operation.uri || operation.url || operation.post || operation.put ? { get: undefined } : {}),
      beforeHooks: [(all) => void change(all.requestOptions, all, url)],
      afterHooks: [(all) => void (body = all.body)],
    };
    if (flow.get === undefined) delete flow.get;
    const { stats } = await benchrest([flow, ...(options.then ?? [])], {
      limit: 1,
      iterations: 1,
      timeout: 15_000,
      baseUrl: url,
      ...options.run,
      httpClient: options.httpClient,
    });
    balance(stats, seen.length);
    return { seen, stats, body, error: stats.errors.details[0] };
  });
}

const set = (values) => (options) => void Object.assign(options, values);
const without = (name) => (options) => void delete options[name];
const lines = ({ seen }) => seen.map(({ line }) => line);

/** Changes with an effect: property, operation, hook and expectation. */
const EFFECTS = [
  ['method', {}, set({ method: 'PUT' }), (done) => expect(lines(done)).to.deep.equal(['PUT /'])],
  ['method', { get: '/to/1' }, set({ method: 'POST' }), (done) => expect(lines(done)).to.deep.equal(['POST /to/1'])],
  ['uri', {}, (o) => void (o.uri += 'b'), (done) => expect(lines(done)).to.deep.equal(['GET /b'])],
  // flows of 1.2.4 may keep values of their own there
  // The user's own, beside no call of gRPC
  ...['target', 'proto', 'message', 'metadata', 'compression'].map((name) => [
    name,
    {},
    set({ [name]: 7 }),
    (done) => expect(lines(done)).to.deep.equal(['GET /']),
  ]),
  ['run', {}, set({ run: 7 }), (done) => expect(lines(done)).to.deep.equal(['GET /'])],
  ['variables', {}, set({ variables: { a: 1 } }), (done) => expect(lines(done)).to.deep.equal(['GET /'])],
  ['url', {}, set({ url: '/b' }), (done) => expect(lines(done)).to.deep.equal(['GET /b'])],
  ['url', { url: '/a' }, set({ url: '/b' }), (done) => expect(lines(done)).to.deep.equal(['GET /b'])],
  ['uri', { url: '/a' }, set({ uri: '/b' }), (done) => expect(lines(done)).to.deep.equal(['GET /b'])],
  [
    'json',
    {},
    set({ json: { b: 2 } }),
    (done) => (expect(done.seen[0].body).to.equal('{"b":2}'), expect(done.body).to.deep.equal({ a: 1 })),
  ],
  ['json', { json: true }, without('json'), (done) => expect(done.body).to.equal(BODY)],
  ['body', { put: '/' }, set({ body: 'text' }), ({ seen }) => expect(seen[0].body).to.equal('text')],
  [
    'headers',
    { headers: { a: '1' } },
    (o) => void delete o.headers.a,
    ({ seen }) => expect(seen[0].headers.a).to.equal(undefined),
  ],
  ['headers', { headers: { a: '1' } }, without('headers'), ({ seen }) => expect(seen[0].headers.a).to.equal(undefined)],
  ['qs', { qs: { a: 1 } }, set({ qs: { b: 2 } }), (done) => expect(lines(done)).to.deep.equal(['GET /?b=2'])],
  ['qs', { qs: { a: 1 } }, without('qs'), (done) => expect(lines(done)).to.deep.equal(['GET /'])],
  [
    'form',
    { post: '/', form: { a: 1 } },
    (o) => void (o.form.b = 2),
    ({ seen }) => expect(seen[0].body).to.equal('a=1&b=2'),
  ],
  [
    'formData',
    { post: '/' },
    set({ formData: { a: 'one' } }),
    ({ seen }) => expect(seen[0].body).to.match(/name="a"\r\n\r\none/),
  ],
  [
    'multipart',
    { post: '/', multipart: [{ body: 'one' }] },
    (o) => void (o.multipart[0].body = 'two'),
    ({ seen }) => expect(seen[0].body).to.match(/\r\n\r\ntwo\r\n/),
  ],
  ['body', { post: '/', json: true }, set({ body: { b: 2 } }), ({ seen }) => expect(seen[0].body).to.equal('{"b":2}')],
  [
    'aws',
    {},
    set({ aws: { accessKeyId: 'a', secretAccessKey: 'secret-of-aws', region: 'r', service: 's' } }),
    ({ seen }) => expect(seen[0].headers.authorization).to.match(/^AWS4-HMAC-SHA256 Credential=a\//),
  ],
  [
    'auth',
    {},
    set({ auth: { user: 'a', pass: 'b' } }),
    ({ seen }) => expect(seen[0].headers.authorization).to.equal(basic('a:b')),
  ],
  [
    'auth',
    { auth: { user: 'a', pass: 'b' } },
    (o) => void (o.auth.sendImmediately = false),
    ({ seen }) => expect(seen[0].headers.authorization).to.equal(undefined),
  ],
  [
    'auth',
    { auth: { user: '#{INDEX}', pass: 'b' } },
    set({ timeout: 1000 }),
    ({ seen }) => expect(seen[0].headers.authorization).to.equal(basic('0:b')),
  ],
  [
    'auth',
    { auth: { user: 'a', pass: 'b' } },
    without('auth'),
    ({ seen }) => expect(seen[0].headers.authorization).to.equal(undefined),
  ],
  [
    'followRedirect',
    { get: '/to/2' },
    set({ followRedirect: false }),
    (done) => expect(lines(done)).to.deep.equal(['GET /to/2']),
  ],
  [
    'followRedirect',
    { get: '/to/2', followRedirect: false },
    without('followRedirect'),
    ({ seen }) => expect(seen).to.have.lengthOf(3),
  ],
  [
    'followRedirect',
    { get: '/to/2' },
    set({ followRedirect: ({ headers }) => headers.location !== '/to/0' }),
    (done) => expect(lines(done)).to.deep.equal(['GET /to/2', 'GET /to/1']),
  ],
  [
    'removeRefererHeader',
    { get: '/to/1' },
    set({ removeRefererHeader: true }),
    ({ seen }) => expect(seen[1].headers.referer).to.equal(undefined),
  ],
  [
    'auth',
    {},
    set({ auth: { bearer: () => 'made' } }),
    ({ seen }) => expect(seen[0].headers.authorization).to.equal('Bearer made'),
  ],
  [
    'followAllRedirects',
    { post: '/to/1' },
    set({ followAllRedirects: true }),
    ({ seen }) => expect(seen).to.have.lengthOf(2),
  ],
  [
    'maxRedirects',
    { get: '/to/3' },
    set({ maxRedirects: 1 }),
    ({ error, seen }) => (expect(error.code).to.equal('E_REDIRECT_LOOP'), expect(seen).to.have.lengthOf(2)),
  ],
  [
    'timeout',
    { get: '/never' },
    set({ timeout: 500 }),
    ({ error }) => expect(error.message).to.equal('no complete response within 500 ms'),
  ],
  ['cookies', {}, set({ cookies: { a: 1 } }), ({ seen }) => expect(seen[0].headers.cookie).to.equal('a=1')],
  ['keepAlive', {}, set({ keepAlive: false }), ({ seen }) => expect(seen[0].headers.connection).to.equal('close')],
  ['gzip', {}, set({ gzip: true }), ({ seen }) => expect(seen[0].headers['accept-encoding']).to.match(/gzip/)],
  [
    'gzip',
    { get: '/gzip', encoding: 'latin1' },
    set({ gzip: false }),
    ({ body }) => expect(body.charCodeAt(0)).to.equal(0x1f),
  ],
  ['encoding', {}, set({ encoding: null }), ({ body }) => expect(body).to.deep.equal(Buffer.from(BODY))],
  ['encoding', {}, set({ encoding: 'hex' }), ({ body }) => expect(body).to.equal(Buffer.from(BODY).toString('hex'))],
];

/** Refused changes: property, operation, hook and error message. */
const REFUSED = [
  ['get', {}, set({ get: '/b' }), /\.get cannot be changed by a hook: change uri and method/],
  ['head', {}, set({ head: '/' }), /\.head cannot be changed/],
  ['put', {}, set({ put: '/' }), /\.put cannot be changed/],
  ['post', { post: '/' }, set({ post: '/b' }), /\.post cannot be changed/],
  ['patch', {}, set({ patch: '/b' }), /\.patch cannot be changed/],
  ['del', {}, set({ del: '/b' }), /\.del cannot be changed/],
  ['delete', {}, set({ delete: '/b' }), /\.delete cannot be changed/],
  ['options', {}, set({ options: '/b' }), /\.options cannot be changed/],
  ['url', { url: '/a' }, set({ url: '/b', uri: '/c' }), /\.url differs from uri/],
  ['name', {}, set({ name: 'other' }), /\.name cannot be changed by a hook: set it in the operation/],
  ['name', { name: 'mine' }, without('name'), /\.name cannot be changed/],
  ['skip', {}, set({ skip: true }), /\.skip cannot be changed by a hook: set it in the operation/],
  ['weight', {}, set({ weight: 2 }), /\.weight cannot be changed by a hook: set it in the operation/],
  ['expect', {}, set({ expect: { body: 'x' } }), /\.expect cannot be changed by a hook: set it in the operation/],
  ['match', {}, set({ match: 'x' }), /\.match is for WebSockets, and the operation has no ws/],
  ['beforeHooks', {}, set({ beforeHooks: [] }), /\.beforeHooks cannot be changed/],
  ['afterHooks', {}, set({ afterHooks: [] }), /\.afterHooks cannot be changed/],
  ['afterHooks', {}, without('afterHooks'), /\.afterHooks cannot be changed/],
  ['auth', { headers: { authorization: 'x' } }, set({ auth: { user: 'a' } }), /\.auth has no effect with/],
  [
    'followRedirect',
    { followAllRedirects: true },
    set({ followRedirect: false }),
    /\.followRedirect is false, but followAllRedirects/,
  ],
  ['strictSSL', { rejectUnauthorized: true }, set({ strictSSL: false }), /\.strictSSL differs from rejectUnauthorized/],
  ['body', { post: '/', json: { a: 1 } }, set({ body: 'b' }), /requestOptions\.body has /],
  [
    'followRedirects',
    {},
    set({ followRedirects: false }),
    /\.followRedirects unknown property, did you mean followRedirect\?/,
  ],
  ['hawk', {}, set({ hawk: {} }), /\.hawk signs requests/],
  ...Object.entries({
    method: 'a b',
    uri: 'ftp://127.0.0.1/',
    json: 1n,
    headers: 7,
    qs: 'a=1',
    form: 7,
    formData: 'a',
    multipart: 'a',
    body: 7,
    auth: 7,
    followRedirect: 'no',
    followAllRedirects: 'yes',
    removeRefererHeader: 'yes',
    maxRedirects: -1,
    timeout: 'soon',
    pause: 'long',
    gzip: 'yes',
    encoding: 'utf-99',
    jar: {},
    socketPath: 7,
    localAddress: 'eth0',
    proxy: 7,
    tunnel: 1,
    rejectUnauthorized: 'no',
    strictSSL: 'no',
    ca: 7,
    cert: 7,
    key: 7,
    pfx: 7,
    passphrase: 7,
    servername: 7,
    ws: 'ws://h/',
    send: 'hello',
    receive: 1,
    measure: 'insert',
    grpc: 'shop.Orders/Create',
    graphql: 7,
    stream: 'sse',
    close: true,
    tags: { team: 'a' },
    protocols: 'chat',
    keepOpen: true,
    minVersion: 7,
    maxVersion: 7,
    ciphers: 7,
    keepAlive: 7,
    http2: 7,
    capture: { id: '$.id' },
    retryAfter: true,
    when: { id: { exists: true } },
    repeat: 2,
    group: 'checkout',
    tags: { team: 'search' },
    receive: 1,
  }).map(([name, value]) => [name, {}, set({ [name]: value }), new RegExp(`\\.${name} .`)]),
];
describe('N8 changes of all.requestOptions by a before-hook', () => {
  it('every property of an operation is in the table below', () => {
    const shown = new Set([...EFFECTS, ...REFUSED].map(([name]) => name));
    expect(Object.keys(PROPERTIES).filter((name) => !shown.has(name))).to.deep.equal([]);
  });

  for (const httpClient of NAMES) {
    describe(httpClient, () => {
      for (const [name, operation, change, check] of EFFECTS) {
        it(`${name} has its effect on ${JSON.stringify(operation)}`, async () => {
          const done = await changing(operation, change, { httpClient });
          if (done.error && !/E_REDIRECT_LOOP|E_TIMEOUT_REQUEST/.test(done.error.code))
            throw new Error(done.error.message);
          check(done);
        });
      }

      for (const [i, [name, operation, change, message]] of REFUSED.entries()) {
        if (!takesTurn(i, httpClient)) continue;
        it(`${name} is refused on ${JSON.stringify(operation)}: ${message.source.slice(0, 40)}`, async () => {
          const { seen, error } = await changing(operation, change, { httpClient });
          expect(error).to.include({ kind: 'hook', count: 1 });
          expect(error.message)
            .to.match(message)
            .and.match(/^flow\.main\[0\]\.requestOptions/);
          expect(error.message).to.match(/set by flow\.main\[0\]\.beforeHooks\[0\]; this operation was not sent$/);
          expect(seen).to.have.lengthOf(0);
        });
      }

      it('jar: false neither sends cookies nor keeps them', async () => {
        const { seen } = await changing({}, set({ jar: false }), { httpClient, then: ['/2', '/3'] });
        expect(seen.map(({ headers }) => headers.cookie)).to.deep.equal([undefined, undefined, 'c=1']);
      });

      it('pause is the think time of this iteration', async () => {
        const { stats } = await changing({ pause: 10_000 }, set({ pause: 1 }), { httpClient });
        expect(stats.totalElapsed).to.be.below(9_000);
      });

      it('timeout applies to the after-hooks too', () =>
        serving(answer, async (url) => {
          const hang = () => new Promise(() => {});
          const beforeHooks = [(all) => void (all.requestOptions.timeout = 600)];
          const { stats } = await benchrest(
            { get: url, beforeHooks, afterHooks: [hang] },
            { limit: 1, iterations: 1, httpClient },
          );
          expect(stats.errors.details[0].message).to.match(/afterHooks\[0\] \(hang\) did not finish within 600 ms/);
        }));

      it('a change in one iteration does not affect others', () =>
        serving(answer, async (url, seen) => {
          const beforeHooks = [(all) => void (all.env.index === 1 && (all.requestOptions.followRedirect = false))];
          const { stats } = await benchrest(
            { get: `${url}/to/1`, beforeHooks },
            { limit: 1, iterations: 3, httpClient },
          );
          balance(stats, 5);
          expect(lines({ seen })).to.deep.equal(['GET /to/1', 'GET /to/0', 'GET /to/1', 'GET /to/1', 'GET /to/0']);
        }));
    });
  }

  it('socketPath connects to another server', async () => {
    const path = join(tmpdir(), `bench-rest-${process.pid}-hook.sock`);
    const arrived = [];
    const server = createServer((req, res) => (arrived.push(req.url), res.end()));
    await new Promise((resolve) => server.listen(path, resolve));
    try {
      const { stats } = await benchrest(
        { get: 'http://127.0.0.1:1/x', beforeHooks: [(all) => void (all.requestOptions.socketPath = path)] },
        { limit: 1, iterations: 1 },
      );
      expect(stats.errors.details).to.deep.equal([]);
      expect(arrived).to.deep.equal(['/x']);
    } finally {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await rm(path, { force: true });
    }
  });

  it('TLS options apply to the connection of this request', async () => {
    const { key, cert } = selfSigned('two.test');
    const names = [];
    const server = https.createServer({ key, cert, requestCert: true, rejectUnauthorized: false }, (req, res) => {
      names.push([req.socket.servername, req.socket.getPeerCertificate().subject?.CN]);
      res.end();
    });
    const url = (await listen(server)).replace('http:', 'https:');
    const changes = [
      {},
      { rejectUnauthorized: false },
      { strictSSL: false },
      { ca: cert },
      { ca: cert, servername: 'two.test' },
      { ca: cert, servername: 'three.test' },
      { ca: cert, cert, key },
    ];
    const codes = [];
    try {
      for (const change of changes) {
        const beforeHooks = [(all) => void Object.assign(all.requestOptions, change)];
        const { stats } = await benchrest({ get: url, beforeHooks }, { limit: 1, iterations: 1 });
        codes.push(stats.errors.details[0]?.code);
      }
    } finally {
      await shut(server);
    }
    expect(codes).to.deep.equal([
      'DEPTH_ZERO_SELF_SIGNED_CERT',
      undefined,
      undefined,
      undefined,
      undefined,
      'ERR_TLS_CERT_ALTNAME_INVALID',
      undefined,
    ]);
    expect(names).to.deep.equal([
      [false, undefined],
      [false, undefined],
      [false, undefined],
      ['two.test', undefined],
      [false, 'test'],
    ]);
  });

  describe('the credentials of the run', () => {
    const run = { user: 'joe', password: 'secret' };
    const field = ({ seen }) => seen[0].headers.authorization;

    it('are shown in headers.Authorization, as in 1.2.4', async () => {
      let shown;
      await changing({}, (options) => (shown = options.headers.Authorization), { run });
      expect(shown).to.equal(basic('joe:secret'));
    });

    for (const [what, change, expected] of [
      ['are sent if other properties are changed', set({ timeout: 1000 }), basic('joe:secret')],
      ['are not sent if they are deleted', (o) => void delete o.headers.Authorization, undefined],
      ['are replaced by a header', (o) => void (o.headers.authorization = 'Bearer t'), 'Bearer t'],
      ['are replaced by auth', set({ auth: { bearer: 't' } }), 'Bearer t'],
      ['are replaced by credentials in env', (o, { env }) => void (env.user = 'ann'), basic('ann:secret')],
      [
        'are not sent if the header is deleted, even with credentials in env',
        (o, { env }) => {
          env.user = 'ann';
          delete o.headers.Authorization;
        },
        undefined,
      ],
      [
        'are not sent with request options that a hook created',
        (o, all, url) => void (all.requestOptions = { uri: url }),
        undefined,
      ],
    ]) {
      it(what, async () => expect(field(await changing({}, change, { run }))).to.equal(expected));
    }

    it('can be deleted if an earlier hook wrote them to env', () =>
      serving(answer, async (url, seen) => {
        const flow = [
          { get: url, afterHooks: [(all) => void (all.env.user = 'ann')] },
          { get: url, beforeHooks: [(all) => void delete all.requestOptions.headers.Authorization] },
          { get: url },
        ];
        await benchrest(flow, { limit: 1, iterations: 1 });
        expect(seen.map(({ headers }) => headers.authorization)).to.deep.equal([undefined, undefined, basic('ann:')]);
      }));
  });

  it('a property of auth that a hook changes stays in its own iteration', () =>
    serving(answer, async (url, seen) => {
      const beforeHooks = [(all) => void (all.env.index === 0 && (all.requestOptions.auth.user = 'changed'))];
      await benchrest({ get: url, auth: { user: 'a', pass: 'b' }, beforeHooks }, { limit: 1, iterations: 2 });
      expect(seen.map(({ headers }) => headers.authorization)).to.deep.equal(['changed:b', 'a:b'].map(basic));
    }));

  for (const [name, change] of [
    ['afterHooks', (options) => void options.afterHooks.push(() => {})],
    ['pause', (options) => void (options.pause[0] = 5)],
  ]) {
    it(`changing a part of ${name} is an error of the hook, and the flow stays unchanged`, async () => {
      const pause = [0, 1];
      const { error, seen } = await changing({ pause }, change);
      expect(error.kind).to.equal('hook');
      expect(error.message).to.match(/^flow\.main\[0\]\.beforeHooks\[0\]: /);
      expect(seen).to.have.lengthOf(0);
      expect(pause).to.deep.equal([0, 1]);
    });
  }

  for (const [name, how] of [
    ['env', (all) => void (all.env = { user: 'ann' })],
    ['env', () => ({ err: null, env: { user: 'ann' } })],
    ['runCtx', (all) => void (all.runCtx = {})],
    ['runCtx', () => ({ runCtx: {} })],
  ]) {
    it(`a before-hook that replaces ${name} by ${how} is refused, an after-hook is not`, () =>
      serving(answer, async (url, seen) => {
        const { stats } = await benchrest({ get: url, beforeHooks: [how] }, { limit: 1, iterations: 1 });
        expect(stats.errors.details[0].message).to.match(
          new RegExp(`^flow\\.main\\[0\\]\\.${name} cannot be replaced by a hook: change its properties`),
        );
        expect(seen).to.have.lengthOf(0);
        const [received, kept] = [[], []];
        const operation = { get: url, afterHooks: [how, (all) => void received.push(all[name])] };
        const main = [
          async ({ request }) => void kept.push((await request(operation)).status),
          { get: url, afterHooks: [(all) => void kept.push(all[name].user)] },
        ];
        const after = await benchrest({ main }, { limit: 1, iterations: 1 });
        expect(after.stats.errors.details).to.deep.equal([]);
        expect(received).to.deep.equal([name === 'env' ? { user: 'ann' } : {}]);
        expect(kept, 'the response, and nothing of the next operation').to.deep.equal([200, undefined]);
      }));
  }

  it('an iterCtx that a hook replaces lasts for the rest of the iteration', () =>
    serving(answer, async (url) => {
      const seenCtx = [];
      const keep = (all) => void seenCtx.push(all.iterCtx.id);
      const flow = [
        { get: url, beforeHooks: [(all) => void (all.iterCtx = { id: all.env.index })], afterHooks: [keep] },
        { get: url, beforeHooks: [keep, () => ({ iterCtx: { id: 'returned' } })] },
        { get: url, beforeHooks: [keep] },
      ];
      await benchrest(flow, { limit: 1, iterations: 2 });
      expect(seenCtx).to.deep.equal([0, 0, 'returned', 1, 1, 'returned']);
    }));

  it('after-hooks get the body even if a before-hook read it before', async () => {
    const { body } = await changing({}, (options, all) => void all.body);
    expect(body).to.equal(BODY);
  });
});

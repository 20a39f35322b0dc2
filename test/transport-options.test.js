import dns from 'node:dns';
import { mkdtempSync, rmSync } from 'node:fs';
import http from 'node:http';
import https from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect } from 'chai';

import benchrest from '../index.js';
import { BODIES } from '../lib/core/flow/bodies/index.js';
import { PROPERTIES } from '../lib/core/flow/properties.js';
import { OPTION_GROUPS, RUN_OPTIONS } from '../lib/core/run/options/index.js';
import { TRANSPORTS } from '../lib/core/transport/index.js';
import { selfSigned } from './support/certificate.js';
import { faulting } from './support/faulty-server.js';
import { listen, ok, serving, shut } from './support/serve.js';
import { here } from './support/threads-here.js';
import { NAMES } from './support/transports.js';

const ONE = { limit: 1, iterations: 1 };
const look = [({ body }) => void body];

/** The code of the only error of a run. */
const codeOf = ({ stats: { errors } }) => errors.details.map(({ code }) => code).join();

/** A response of `say` for each request, to a run with `options`. */
const answered = (say, run) =>
  faulting(
    async (io) => {
      for (;;) {
        await io.readRequest();
        await io.send(say);
      }
    },
    (url) => run(url),
  );

/** Tests of the run options that reach the transport, by name. */
const OF_TRANSPORT = {
  async maxBodySize(httpClient) {
    const say = 'HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n' + 'x'.repeat(100);
    const run = (maxBodySize) =>
      answered(say, (url) => benchrest({ get: url, afterHooks: look }, { ...ONE, maxBodySize, httpClient }));
    expect(codeOf(await run(99))).to.equal('E_BODY_TOO_LARGE');
    expect(codeOf(await run(100))).to.equal('');
  },
  async maxHeaderSize(httpClient) {
    const say = `HTTP/1.1 200 OK\r\nx: ${'y'.repeat(2000)}\r\ncontent-length: 2\r\n\r\nok`;
    const run = (maxHeaderSize) => answered(say, (url) => benchrest(url, { ...ONE, maxHeaderSize, httpClient }));
    expect(codeOf(await run(1000))).to.equal('E_HEADERS_TOO_LARGE');
    expect(codeOf(await run(3000))).to.equal('');
  },
  async maxHeaderFields(httpClient) {
    const fields = 'x: y\r\n'.repeat(3);
    const rows = {
      head: `HTTP/1.1 200 OK\r\n${fields}content-length: 2\r\n\r\nok`,
      interim: `HTTP/1.1 103 Early Hints\r\n${fields}z: 1\r\n\r\nHTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok`,
      trailers: `HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n${fields}\r\n`,
    };
    for (const [what, say] of Object.entries(rows)) {
      const run = (maxHeaderFields) =>
        answered(say, (url) => benchrest(url, { limit: 2, iterations: 10, maxHeaderFields, httpClient }));
      const { stats } = await run(3);
      expect(stats.errors.details[0], what).to.include({ code: 'E_TOO_MANY_FIELDS', kind: 'protocol', count: 10 });
      expect(codeOf(await run(4)), what).to.equal('');
    }
  },
  async dnsCache(httpClient) {
    const { lookup } = dns;
    let count = 0;
    dns.lookup = (hostname, ...rest) => {
      if (hostname === 'localhost') count++;
      return lookup(hostname, ...rest);
    };
    try {
      for (const [dnsCache, lookups] of [
        [false, 5],
        [true, 1],
      ]) {
        count = 0;
        await serving(ok, (url) => {
          const options = { limit: 1, iterations: 5, requestsPerConnection: 1, dnsCache, httpClient };
          return benchrest(url.replace('127.0.0.1', 'localhost'), options);
        });
        expect(count).to.equal(lookups);
      }
    } finally {
      dns.lookup = lookup;
    }
  },
  async insecure(httpClient) {
    const server = https.createServer(selfSigned(), ok);
    const url = (await listen(server)).replace('http:', 'https:');
    try {
      expect(codeOf(await benchrest(url, { ...ONE, httpClient }))).to.equal('DEPTH_ZERO_SELF_SIGNED_CERT');
      expect(codeOf(await benchrest(url, { ...ONE, insecure: true, httpClient }))).to.equal('');
    } finally {
      await shut(server);
    }
  },
  async pipelining(httpClient) {
    const { capabilities } = TRANSPORTS.find(({ name }) => name === httpClient);
    let isHeld = true;
    const held = [];
    const handler = (req, res) => {
      if (held.push(res) === 3) isHeld = false;
      if (!isHeld) for (const waiting of held) waiting.end();
    };
    await serving(handler, async (url) => {
      const run = () => benchrest(url, { limit: 1, iterations: 30, pipelining: 3, httpClient });
      if (!capabilities.includes('pipelining'))
        return expect(run).to.throw(
          `runOptions.pipelining: not supported by the HTTP client ${httpClient}: use builtin`,
        );
      return expect((await run()).stats.connections.opened).to.equal(1);
    });
    const { stats } = await serving(ok, (url) => benchrest(url, { ...ONE, pipelining: 1, httpClient }));
    expect(stats.iterations.completed, 'one request in flight is not pipelining').to.equal(1);
  },
  async timeout(httpClient) {
    const run = (url) => benchrest(url, { ...ONE, timeout: 500, httpClient });
    expect(codeOf(await serving(() => {}, run))).to.equal('E_TIMEOUT_REQUEST');
  },
  async connectTimeout(httpClient) {
    const { lookup } = dns;
    dns.lookup = () => {};
    try {
      const result = await benchrest('http://app.test/', { ...ONE, connectTimeout: 50, httpClient });
      expect(codeOf(result)).to.equal('E_TIMEOUT_CONNECT');
    } finally {
      dns.lookup = lookup;
    }
  },
  async requestsPerConnection(httpClient) {
    const options = { limit: 1, iterations: 6, requestsPerConnection: 2, httpClient };
    const { stats } = await serving(ok, (url) => benchrest(url, options));
    expect(stats.connections.opened).to.equal(3);
  },
  async keepAlive(httpClient) {
    const run = (keepAlive) =>
      serving(ok, async (url, seen) => {
        const flow = [url, { get: url, keepAlive: true }];
        const { stats } = await benchrest(flow, { limit: 1, iterations: 2, keepAlive, httpClient });
        return [stats.connections.opened, ...seen.map(({ headers }) => headers.connection)];
      });
    const [opened, ...fields] = await run(false);
    expect(fields.map((field) => field === 'close')).to.deep.equal([true, false, true, false]);
    expect(opened).to.equal(3);
    expect((await run(true))[0]).to.equal(1);
  },
  async socketPath(httpClient) {
    const folder = mkdtempSync(join(tmpdir(), 'bench-rest-'));
    const seen = [];
    const server = http.createServer((req, res) => {
      seen.push(`${req.method} ${req.url} ${req.headers.host}`);
      res.end('ok');
    });
    try {
      const socketPath = join(folder, 'app.sock');
      await new Promise((resolve) => server.listen(socketPath, resolve));
      const flow = ['http://app.test/a', '/b', { get: 'http://app.test/c', socketPath: `${socketPath}.other` }];
      expect(codeOf(await benchrest(flow, { ...ONE, socketPath, httpClient }))).to.equal('ENOENT');
      await benchrest({ socketPath, main: ['/d'] }, { ...ONE, httpClient });
    } finally {
      await shut(server);
      rmSync(folder, { recursive: true });
    }
    expect(seen).to.deep.equal(['GET /a app.test', 'GET /b localhost', 'GET /d localhost']);
  },
  async httpClient(httpClient) {
    const { stats } = await serving(ok, (url) => benchrest(url, { ...ONE, httpClient }));
    expect(stats.iterations.completed).to.equal(1);
  },
  async trace(httpClient) {
    const traced = [];
    await serving(ok, (url) => benchrest(url, { ...ONE, trace: (exchange) => traced.push(exchange), httpClient }));
    expect(traced).to.have.lengthOf(1);
    expect(traced[0].response).to.include({ statusCode: 200 });
    expect(String(traced[0].response.body)).to.equal('ok');
  },
  async proxy(httpClient) {
    const { stats } = await serving(ok, (proxy) => benchrest('http://app.test/', { ...ONE, proxy, httpClient }));
    expect(stats.iterations.completed).to.equal(1);
  },
  async noProxy(httpClient) {
    const proxy = 'http://127.0.0.1:1';
    const run = (noProxy) => serving(ok, (url) => benchrest(url, { ...ONE, proxy, noProxy, httpClient }));
    expect(codeOf(await run(''))).to.equal('E_PROXY_CONNECT');
    expect(codeOf(await run('127.0.0.0/8'))).to.equal('');
  },
  async proxyInsecure(httpClient) {
    const server = https.createServer(selfSigned('localhost'), ok);
    const proxy = (await listen(server)).replace('http:', 'https:');
    const run = (proxyInsecure) => benchrest('http://app.test/', { ...ONE, proxy, proxyInsecure, httpClient });
    try {
      expect(codeOf(await run(false))).to.equal('E_PROXY_TLS');
      expect(codeOf(await run(true))).to.equal('');
    } finally {
      await shut(server);
    }
  },
  async target(httpClient) {
    const { stats } = await here('workers', () =>
      benchrest('/', { ...ONE, target: http.createServer(ok), httpClient }),
    );
    expect(stats.iterations.completed).to.equal(1);
  },
};

/** Run options that reach the transport, by their test. */
const OPTIONS_OF_TRANSPORT = {
  'addresses.test.js': 'family connectTo resolver',
  'run-tls.test.js': 'ca cert key pfx passphrase servername tlsMin tlsMax ciphers',
  'http2.test.js': 'http2 connections streams',
};

/** Options of the schedule, checks and results do not reach a transport; of the others these do not. */
const GROUPS_ABOVE = ['Load', 'Agents', 'Checks', 'Results'];
const ABOVE =
  'user password credentialsFor allowTargets baseUrl maxBodyMemory headers cookies retryAfter gracefulStop teardownTimeout harCookies harTiming args envFiles addons traceContext traceLink start watch profile';

/** Properties of an operation that reach the transport, by their test: the request, `socketPath` and TLS. */
const PROPERTIES_OF_TRANSPORT = {
  'core/transport/conformance.test.js': 'get head put post patch del delete options method uri url headers',
  'unix-socket.test.js': 'socketPath',
  'local-address.test.js': 'localAddress',
  'proxy.test.js': 'proxy tunnel',
  'web-socket.test.js': 'ws send receive match close protocols keepOpen',
  'addons/grpc/grpc.test.js': 'grpc target proto message metadata compression',
  'measured-calls.test.js': 'measure run',
  'faults/streams.test.js': 'stream',
  'faults/tls.test.js': 'rejectUnauthorized strictSSL ca cert key pfx passphrase servername',
  'run-tls.test.js': 'minVersion maxVersion ciphers',
  'http2.test.js': 'http2',
};
/** Properties that compiler, session and hooks handle, beside those that hold a body. */
const PROPERTIES_ABOVE =
  'name expect weight cookies keepAlive qs auth aws followRedirect followAllRedirects removeRefererHeader maxRedirects timeout retryAfter pause gzip encoding jar ' +
  'beforeHooks afterHooks skip when repeat group tags capture variables';

describe('N15 an option works on every transport or is refused there', () => {
  it('every run option is listed as reaching the transport or not', () => {
    const inGroups = OPTION_GROUPS.filter(({ group }) => GROUPS_ABOVE.includes(group)).flatMap(({ rows }) => rows);
    const listed = [
      ...Object.keys(OF_TRANSPORT),
      ...[...Object.values(OPTIONS_OF_TRANSPORT), ABOVE].flatMap((names) => names.split(' ')),
      ...inGroups.map(({ name }) => name).filter((name) => !Object.hasOwn(OF_TRANSPORT, name)),
    ];
    expect(listed).to.have.members(RUN_OPTIONS.map(({ name }) => name));
  });

  it('every property of an operation is listed as reaching the transport or not', () => {
    const listed = [...Object.values(PROPERTIES_OF_TRANSPORT), PROPERTIES_ABOVE].flatMap((names) => names.split(' '));
    const bodies = BODIES.map(({ name }) => name);
    expect([...listed, ...bodies]).to.have.members(Object.keys(PROPERTIES));
  });

  it('every capability is an option that defines when it is needed', () => {
    const names = RUN_OPTIONS.filter(({ needsCapability }) => needsCapability).map(({ name }) => name);
    for (const { capabilities } of TRANSPORTS) expect(names).to.include.members(capabilities);
    for (const name of names)
      expect(TRANSPORTS.some(({ capabilities }) => capabilities.includes(name), name)).to.equal(true);
  });

  for (const httpClient of NAMES) {
    for (const [name, story] of Object.entries(OF_TRANSPORT))
      it(`${name} works or is refused (${httpClient})`, () => story(httpClient));
  }
});

import https from 'node:https';

import { expect } from 'chai';

import benchrest from '../index.js';
import { createEndpoints } from '../lib/core/http/endpoint.js';
import { parseProxy } from '../lib/core/http/proxy.js';
import { CERTIFICATES, selfSigned } from './support/certificate.js';
import { command } from './support/command.js';
import { proxying } from './support/proxy.js';
import { listen, ok, serving, shut } from './support/serve.js';
import { itSlow } from './support/slow.js';
import { suiteHere } from './support/threads-here.js';
import { NAMES, exchange, requestTo, transporting } from './support/transports.js';

const LOAD = { limit: 2, iterations: 6, timeout: 15_000 };
const BASIC = 'Basic am9lOnNlY3JldA==';
const withUser = (url) => url.replace('://', '://joe:secret@');
const { here } = CERTIFICATES;
const certificate = selfSigned('localhost');
const ca = certificate.cert;

/** Runs `story(url, seen)` against an https.Server. */
async function secured(story, handler = ok) {
  const seen = [];
  const server = https.createServer(certificate, (req, res) => {
    seen.push({ line: `${req.method} ${req.url}`, headers: req.headers, servername: req.socket.servername });
    handler(req, res);
  });
  const url = (await listen(server)).replace('http:', 'https:');
  try {
    return await story(url, seen);
  } finally {
    await shut(server);
  }
}

/** A server that answers requests for any host: a proxy without a way further. */
const answering = (story, handler = ok) => serving(handler, story);

async function completes(flow, options) {
  const { stats } = await benchrest(flow, { ...LOAD, ...options });
  expect(stats.errors.details).to.deep.equal([]);
  expect(stats.iterations.completed).to.equal(options.iterations ?? LOAD.iterations);
  return stats;
}

for (const httpClient of NAMES) {
  describe(`proxy (${httpClient})`, () => {
    for (const [what, tls, more] of [
      ['a proxy', undefined, {}],
      ['a TLS proxy', here, { proxyInsecure: true }],
    ]) {
      it(`http: requests go to ${what} with the whole URL, on connections that are kept`, () =>
        serving(ok, (url, arrived) =>
          proxying(
            async (proxy, seen) => {
              const stats = await completes(
                { post: `${url}/x?y`, body: 'hi' },
                { httpClient, proxy: withUser(proxy), ...more },
              );
              expect(stats.connections.opened).to.equal(2);
              expect(seen).to.have.lengthOf(6);
              for (const { line, headers } of seen) {
                expect(line).to.equal(`POST ${url}/x?y`);
                expect(headers).to.include({ 'proxy-authorization': BASIC, host: new URL(url).host });
              }
              expect(arrived).to.have.lengthOf(6);
              expect(arrived[0]).to.include({ line: 'POST /x?y', body: 'hi' });
              expect(arrived[0].headers).not.to.have.property('proxy-authorization');
            },
            { tls },
          ),
        ));

      it(`https: requests go through a tunnel of ${what}, with the TLS of the server inside`, () =>
        secured((url, arrived) =>
          proxying(
            async (proxy, seen) => {
              const flow = { get: `${url}/x`, ca, servername: 'localhost' };
              const stats = await completes(flow, { httpClient, proxy: withUser(proxy), ...more });
              expect(stats.connections.opened).to.equal(2);
              expect(seen.map(({ line }) => line)).to.deep.equal(Array(2).fill(`CONNECT ${new URL(url).host}`));
              expect(seen[0].headers).to.include({ 'proxy-authorization': BASIC, host: new URL(url).host });
              expect(arrived).to.have.lengthOf(6);
              expect(arrived[0]).to.include({ line: 'GET /x', servername: 'localhost' });
              expect(arrived[0].headers).not.to.have.property('proxy-authorization');
            },
            { tls },
          ),
        ));

      it(`tunnel: true reaches an http: URL through a tunnel of ${what}`, () =>
        serving(ok, (url, arrived) =>
          proxying(
            async (proxy, seen) => {
              await completes({ get: `${url}/x`, tunnel: true }, { httpClient, proxy: withUser(proxy), ...more });
              expect(seen.map(({ line }) => line)).to.deep.equal(Array(2).fill(`CONNECT ${new URL(url).host}`));
              expect(arrived.map(({ line }) => line)).to.deep.equal(Array(6).fill('GET /x'));
            },
            { tls },
          ),
        ));
    }

    it('large bodies pass a tunnel in both directions', () => {
      const sent = 'x'.repeat(300_000);
      const bodies = [];
      const echo = (req, res) => req.pipe(res);
      return secured(
        (url) =>
          proxying(async (proxy) => {
            const afterHooks = [({ body }) => void bodies.push(body === sent)];
            await completes({ post: url, body: sent, ca, afterHooks }, { httpClient, proxy });
            expect(bodies).to.deep.equal(Array(6).fill(true));
          }),
        echo,
      );
    });

    it('connecting ends when the proxy has opened the tunnel; TLS is the handshake with the server', () =>
      secured((url) =>
        proxying(async (proxy) => {
          const counts = { connect: 0, tls: 0, ttfb: 0 };
          const timings = Object.fromEntries(
            Object.keys(counts).map((name) => [name, { update: () => counts[name]++ }]),
          );
          const endpoint = createEndpoints()(new URL(url), { ca }, { proxy: parseProxy(proxy) });
          await transporting(
            httpClient,
            async (opened) => {
              const connection = opened.connect(endpoint);
              for (let i = 0; i < 3; i++)
                expect(await exchange(connection, { ...requestTo(url), endpoint })).to.include({ status: 200 });
              expect(connection.wasReused).to.equal(true);
              expect(opened.totals()).to.include({ opened: 1, reused: 2 });
            },
            { timings },
          );
          expect(counts).to.deep.equal({ connect: 1, tls: 1, ttfb: 3 });
        }),
      ));

    it('the proxy of an operation wins over that of the run, and null means none', () =>
      answering((run, ofRun) =>
        answering((own, ofOperation) =>
          serving(ok, async (url, direct) => {
            await completes([`${url}/run`, { get: `${url}/own`, proxy: own }, { get: `${url}/none`, proxy: null }], {
              httpClient,
              proxy: run,
              limit: 1,
              iterations: 1,
            });
            const lines = (seen) => seen.map(({ line }) => line);
            expect(lines(ofRun)).to.deep.equal([`GET ${url}/run`]);
            expect(lines(ofOperation)).to.deep.equal([`GET ${url}/own`]);
            expect(lines(direct)).to.deep.equal(['GET /none']);
          }),
        ),
      ));

    it('a before-hook changes the proxy', () =>
      answering((proxy, seen) =>
        serving(ok, async (url) => {
          const beforeHooks = [({ requestOptions }) => void (requestOptions.proxy = proxy)];
          await completes({ get: `${url}/x`, beforeHooks }, { httpClient, limit: 1, iterations: 1 });
          expect(seen.map(({ line }) => line)).to.deep.equal([`GET ${url}/x`]);
        }),
      ));

    it('a token in the host is replaced before the proxy is chosen', () =>
      answering(async (proxy, seen) => {
        await completes('http://h#{INDEX}.test/', { httpClient, proxy, limit: 1, iterations: 2 });
        expect(seen.map(({ line }) => line)).to.deep.equal(['GET http://h0.test/', 'GET http://h1.test/']);
      }));

    it('digest authentication of the server works through a proxy', () => {
      const fields = [];
      const guarded = (req, res) => {
        fields.push(req.headers.authorization ?? '');
        if (!req.headers.authorization)
          res.writeHead(401, { 'www-authenticate': 'Digest realm="r", nonce="n", qop="auth"' });
        res.end();
      };
      return serving(guarded, (url) =>
        proxying(async (proxy) => {
          const auth = { user: 'ann', pass: 'x', sendImmediately: false };
          await completes({ get: `${url}/x`, auth }, { httpClient, proxy: withUser(proxy), limit: 1, iterations: 1 });
          expect(fields).to.have.lengthOf(2);
          expect(fields[1]).to.match(/^Digest username="ann".*uri="\/x"/);
        }),
      );
    });

    it('connections to a proxy come from localAddress', function () {
      // the whole of 127.0.0.0/8 is local on Linux
      if (process.platform !== 'linux') this.skip();
      const from = [];
      return answering(
        async (proxy) => {
          const flow = { get: 'http://app.test/', localAddress: '127.0.0.3' };
          await completes(flow, { httpClient, proxy, limit: 1, iterations: 1 });
          expect(from).to.deep.equal(['127.0.0.3']);
        },
        (req, res) => {
          from.push(req.socket.remoteAddress);
          res.end();
        },
      );
    });

    it('a unix socket is reached without the proxy of the run', async () => {
      const { stats } = await benchrest('unix:/nowhere/app.sock:/', {
        ...LOAD,
        httpClient,
        proxy: 'http://127.0.0.1:1',
      });
      expect(stats.errors.details[0].code).to.equal('ENOENT');
    });
  });
}

describe('proxy', () => {
  suiteHere('workers');

  it('pipelined requests go to a proxy, and through its tunnels', () =>
    secured((secure, inside) =>
      serving(ok, (url) =>
        proxying(async (proxy, seen) => {
          const options = { httpClient: 'builtin', proxy, pipelining: 3, limit: 1 };
          const stats = await completes(`${url}/x`, options);
          expect(stats.connections.opened).to.equal(1);
          expect(seen.splice(0).map(({ line }) => line)).to.deep.equal(Array(6).fill(`GET ${url}/x`));
          await completes({ get: secure, ca }, options);
          expect(seen).to.have.lengthOf(1);
          expect(inside).to.have.lengthOf(6);
        }),
      ),
    ));

  it('--noproxy takes a list of hosts', async () => {
    const args = ['http://a.test/', '--noproxy', 'a.test,10.0.0.0/8', '-x', '', '--print-config'];
    const { stdout } = await command(args);
    expect(stdout)
      .to.match(/^proxy +"" /m)
      .and.match(/^noProxy +"a\.test,10\.0\.0\.0\/8" /m);
  });

  it('--no-proxy is answered with --noproxy and with --proxy, whatever follows it', async () => {
    for (const args of [['--no-proxy', 'a.test'], ['--no-proxy=a.test'], ['--no-proxy']]) {
      const { stderr, code } = await command([...args, 'http://a.test/']);
      expect([code, stderr.split('\n')[0]]).to.deep.equal([
        2,
        "bench-rest: there is no --no-proxy: write --noproxy <hosts> for hosts that are reached without a proxy, or --proxy '' for none at all",
      ]);
    }
  });

  it('workers use the proxy of the run', () =>
    answering(async (proxy, seen) => {
      await completes('http://app.test/', { proxy, workers: 1 });
      expect(seen.map(({ line }) => line)).to.deep.equal(Array(6).fill('GET http://app.test/'));
    }));

  describe('of the environment', () => {
    const variables = ['HTTP_PROXY', 'http_proxy', 'ALL_PROXY', 'all_proxy', 'NO_PROXY', 'no_proxy'];
    let earlier;
    beforeEach(() => {
      earlier = Object.fromEntries(variables.map((name) => [name, process.env[name]]));
      for (const name of variables) delete process.env[name];
    });
    afterEach(() => {
      for (const name of variables) {
        if (earlier[name] === undefined) delete process.env[name];
        else process.env[name] = earlier[name];
      }
    });

    it('requests go by it, except to this machine', () =>
      answering((proxy, seen) =>
        serving(ok, async (url, direct) => {
          process.env.HTTP_PROXY = proxy;
          await completes(['http://app.test/', url], { limit: 1, iterations: 1 });
          expect(seen.map(({ line }) => line)).to.deep.equal(['GET http://app.test/']);
          expect(direct).to.have.lengthOf(1);
        }),
      ));

    itSlow('ab names it in each of its runs', () =>
      answering(async (proxy) => {
        process.env.http_proxy = proxy;
        const args = ['ab', 'http://app.test/', 'http://app.test/', '--runs', '2', '-n', '2', '-c', '1'];
        const { stderr } = await command(args, { env: { http_proxy: proxy } });
        expect(stderr).to.match(new RegExp(`run 1 of 2, A: .* errors through the proxy ${proxy} \\(http_proxy\\)\n`));
      }),
    );

    it('the plan, the report and the result name it, without its credentials', () =>
      answering(async (proxy) => {
        process.env.HTTP_PROXY = withUser(proxy);
        const args = ['http://app.test/', '-n', '2', '-c', '1', '--full'];
        const { stdout, stderr } = await command(args, { env: { HTTP_PROXY: process.env.HTTP_PROXY } });
        expect(stderr).to.include(`against http://app.test through the proxy ${proxy} (HTTP_PROXY)`);
        expect(stdout).to.match(new RegExp(`\\bproxy +${proxy} \\(HTTP_PROXY\\)\n`));
        const json = await command([...args, '--json'], { env: { HTTP_PROXY: process.env.HTTP_PROXY } });
        expect(JSON.parse(json.stdout).run.proxies).to.deep.equal([`${proxy} (HTTP_PROXY)`]);
        expect(stdout + stderr + json.stdout + json.stderr).not.to.include('secret');
      }));
  });
});

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:https';
import net from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspect } from 'node:util';

import { expect } from 'chai';

import benchrest from '../../index.js';
import { programLayers } from '../../lib/core/run/options/layers.js';
import { readRunOptions } from '../support/run-options.js';
import { createPlan } from '../../lib/core/run/plan.js';
import { readFlow } from '../../lib/core/flow/compile.js';
import { originOf } from '../../lib/core/run/flow-source.js';
import { CERTIFICATES, selfSigned } from '../support/certificate.js';
import { command, saidBy } from '../support/command.js';
import { GOOD, REFUSED_URL, faulting } from '../support/faulty-server.js';
import { proxying } from '../support/proxy.js';
import { listen, ok, serving, shut } from '../support/serve.js';
import { itSlow } from '../support/slow.js';
import { NAMES } from '../support/transports.js';
import { balance, leavingNothing } from './ground.js';

const COUNT = 4;
const LOAD = { limit: 2, iterations: COUNT, timeout: 15_000 };
const ACCEPTED = 'HTTP/1.1 200 OK\r\n\r\n';
/** No request of these flows reaches a server. */
const TUNNELLED = { get: 'http://app.test/', tunnel: true };
const withUser = (url) => url.replace('://', '://joe:c4n4ry@');

/** Runs a flow; every iteration fails in the same way, with one attempt to connect. */
async function failing(flow, options) {
  const errors = [];
  const { stats } = await leavingNothing(async () => {
    const run = benchrest(flow, { ...LOAD, ...options });
    run.on('error', (error) => errors.push(error));
    return run;
  });
  balance(stats);
  expect(stats.iterations).to.include({ started: COUNT, failed: COUNT });
  expect(stats.errors.details).to.have.lengthOf(1);
  expect(stats.requests.retries).to.equal(0);
  expect(inspect([stats, errors], { depth: 9, showHidden: true })).not.to.include('c4n4ry');
  return stats.errors.details[0];
}

/** A proxy that answers each CONNECT by `act(io)`. */
const connecting = (act, story) =>
  faulting(async (io) => {
    await io.readRequest();
    await act(io);
  }, story);

for (const httpClient of NAMES) {
  describe(`a fault of a proxy is reported as one, with its name: ${httpClient}`, () => {
    const fails = (flow, proxy, options) => failing(flow, { httpClient, proxy, ...options });

    for (const [what, flow] of [
      ['an http: URL', 'http://app.test/'],
      ['a tunnel', TUNNELLED],
      ['an https: URL', 'https://app.test/'],
    ]) {
      it(`F86 a proxy that is down, for ${what}`, async () => {
        const { kind, code, message } = await fails(flow, withUser(REFUSED_URL));
        expect({ kind, code }).to.deep.equal({ kind: 'proxy', code: 'E_PROXY_CONNECT' });
        expect(message).to.match(
          /^cannot connect to the proxy http:\/\/127\.0\.0\.1:1: connect ECONNREFUSED 127\.0\.0\.1:1; is it running there\?/,
        );
      });
    }

    it('F86 a proxy whose name does not exist', async () => {
      const { code, message } = await fails('http://app.test/', 'http://proxy.invalid:3128');
      expect(code).to.equal('E_PROXY_CONNECT');
      expect(message).to.match(/^cannot connect to the proxy http:\/\/proxy\.invalid:3128: getaddrinfo /);
    });

    for (const [user, cure] of [
      [(url) => url, /asks for credentials \(407\); write user and password into its URL/],
      [withUser, /refuses the credentials in its URL \(407\); check user and password/],
    ]) {
      const given = user === withUser ? 'with wrong credentials' : 'without credentials';
      const answer = 'HTTP/1.1 407 c4n4ry\r\nProxy-Authenticate: Basic realm="c4n4ry"\r\nContent-Length: 0\r\n\r\n';

      it(`F87 a proxy that wants credentials: CONNECT ${given}`, () =>
        connecting(
          (io) => io.send(answer),
          async (url) => {
            const { kind, code, message } = await fails(TUNNELLED, user(url));
            expect({ kind, code }).to.deep.equal({ kind: 'proxy', code: 'E_PROXY_AUTH' });
            expect(message).to.match(cure).and.include(`the proxy ${url} `);
          },
        ));

      it(`F87 a proxy that wants credentials: a request ${given}`, () =>
        serving(
          (req, res) => res.writeHead(407).end(),
          async (url) => {
            const { kind, code, message } = await fails('http://app.test/', user(url));
            expect({ kind, code }).to.deep.equal({ kind: 'proxy', code: 'E_PROXY_AUTH' });
            expect(message).to.match(cure).and.include(`the proxy ${url} `);
          },
        ));
    }

    it('F87 a 407 of a server without a proxy is a status', () =>
      serving(
        (req, res) => res.writeHead(407).end(),
        async (url) => expect(await failing(url, { httpClient })).to.include({ kind: 'status', code: 'E_STATUS' }),
      ));

    for (const [what, act] of [
      ['closes', (io) => io.fin()],
      ['resets', (io) => io.rst()],
      ['closes in its head', async (io) => (await io.send('HTTP/1.1 200 O'), io.fin())],
    ]) {
      it(`F88 a proxy that ${what} instead of answering CONNECT`, () =>
        connecting(act, async (url) => {
          const { kind, code, message } = await fails(TUNNELLED, withUser(url));
          expect({ kind, code }).to.deep.equal({ kind: 'proxy', code: 'E_PROXY_CLOSED' });
          expect(message).to.equal(
            `the proxy ${url} closed the connection before it answered CONNECT app.test:80; is it an HTTP proxy that supports CONNECT?`,
          );
        }));
    }

    it('F88 a proxy that closes in the TLS handshake with the server', () =>
      connecting(
        async (io) => (await io.send(ACCEPTED), io.fin()),
        async (url) => {
          const { kind } = await fails('https://app.test/', url);
          expect(kind).to.be.oneOf(['reset', 'tls']);
        },
      ));

    for (const [what, bytes, message] of [
      ['another protocol', 'SSH-2.0-OpenSSH\r\n\r\n', 'something else than HTTP/1.1; is it an HTTP proxy?'],
      ['a malformed status', 'HTTP/1.1 2x0 OK\r\n\r\n', 'a malformed status line; is it an HTTP proxy?'],
      [
        'a long head',
        `HTTP/1.1 200 OK\r\nx: ${'y'.repeat(5000)}`,
        'a head of more than 4000 bytes; is it an HTTP proxy?',
      ],
    ]) {
      it(`F89 a proxy that answers CONNECT with ${what}`, () =>
        connecting(
          (io) => io.send(bytes),
          async (url) => {
            const sample = await fails(TUNNELLED, url, { maxHeaderSize: 4000 });
            expect(sample).to.include({ kind: 'proxy', code: 'E_PROXY_ANSWER' });
            expect(sample.message).to.equal(`the proxy ${url} answered CONNECT app.test:80 with ${message}`);
          },
        ));
    }

    it('F89 a proxy that answers CONNECT with a head without an end', () =>
      connecting(
        async (io) => (await io.send('HTTP/1.1 200 OK\r\n'), io.pour('x: y\r\n'.repeat(100))),
        async (url) => expect(await fails(TUNNELLED, url)).to.include({ code: 'E_PROXY_ANSWER' }),
      ));

    for (const [what, flow, tunnelAnswer, closer] of [
      ['an http: URL', 'http://app.test/', '', 'the proxy'],
      ['a tunnel', TUNNELLED, ACCEPTED, 'the server or the proxy'],
    ])
      for (const [stage, answer, place] of [
        ['instead of a response', '', 'before a response'],
        ['in the head', 'HTTP/1.1 200 OK\r\nA: 1', 'in the head of the response'],
        ['in the body', 'HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nab', 'in the body of the response, after 2'],
      ])
        it(`F93 a connection that is closed ${stage}, for ${what}: the message names who can have closed it`, () =>
          connecting(
            async (io) => {
              if (tunnelAnswer !== '') {
                await io.send(tunnelAnswer);
                await io.readRequest();
              }
              if (answer !== '') await io.send(answer);
              io.fin();
            },
            async (url) => {
              const { kind, message } = await fails(flow, url);
              expect(kind).to.equal('reset');
              expect(message).to.include(`connection closed by ${closer} ${place}`);
            },
          ));

    it('F89 a TLS proxy that does not speak TLS', () =>
      faulting(
        (io) => io.send(GOOD),
        async (url) => {
          const { code, message } = await fails('http://app.test/', url.replace('http:', 'https:'));
          expect(code).to.equal('E_PROXY_TLS');
          expect(message).to.match(/is it an http:\/\/ proxy\?$/);
        },
      ));

    for (const status of [302, 403, 502, 503]) {
      it(`F90 a proxy that answers ${status} to CONNECT`, () =>
        connecting(
          (io) => io.send(`HTTP/1.1 ${status} c4n4ry\r\nContent-Length: 6\r\n\r\nc4n4ry`),
          async (url) => {
            const { kind, code, message } = await fails('https://app.test:444/', url);
            expect({ kind, code }).to.deep.equal({ kind: 'proxy', code: 'E_PROXY_REFUSED' });
            expect(message).to.match(
              /answered \d+ to CONNECT app\.test:444; it cannot reach .* --noproxy app\.test connects/,
            );
          },
        ));
    }

    it('F91 a proxy that never answers CONNECT', () =>
      connecting(
        (io) => io.hang(),
        async (url) => {
          const { kind, code, message } = await fails(TUNNELLED, url, { connectTimeout: '50ms' });
          expect({ kind, code }).to.deep.equal({ kind: 'timeout', code: 'E_TIMEOUT_CONNECT' });
          expect(message).to.equal(`no connection to http://app.test through the proxy ${url} within 50 ms`);
        },
      ));

    it('F91 a server that never completes the TLS handshake in a tunnel', () =>
      connecting(
        async (io) => (await io.send(ACCEPTED), io.hang()),
        async (url) => {
          const { code } = await fails('https://app.test/', url, { connectTimeout: '50ms' });
          expect(code).to.equal('E_TIMEOUT_CONNECT');
        },
      ));

    it('F92 bytes after the answer to CONNECT end the connection', () =>
      connecting(
        (io) => io.send(`HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello`),
        async (url) => {
          const { code, message } = await fails(TUNNELLED, url);
          expect(code).to.equal('E_PROXY_ANSWER');
          expect(message).to.include('200 and 5 bytes that the server cannot have sent');
        },
      ));

    it('F92 lengths and interim answers before a tunnel have no meaning', () =>
      faulting(
        async (io) => {
          await io.readRequest();
          await io.send(
            'HTTP/1.1 102 Processing\r\n\r\nHTTP/1.1 201 OK\r\nContent-Length: 5\r\nTransfer-Encoding: x\r\n\r\n',
          );
          for (;;) {
            await io.readRequest();
            await io.send(GOOD);
          }
        },
        async (proxy) => {
          const { stats } = await benchrest(TUNNELLED, { ...LOAD, httpClient, proxy });
          expect(stats.iterations.completed).to.equal(COUNT);
          expect(stats.connections).to.include({ opened: 2, requestsOnReused: 2 });
        },
      ));

    it('F93 a tunnel that was closed between requests: the request is retried once, in a new one', () => {
      let tunnels = 0;
      return faulting(
        async (io) => {
          await io.readRequest();
          tunnels++;
          await io.send(ACCEPTED);
          await io.readRequest();
          await io.send(GOOD);
          await io.readRequest();
          io.fin();
        },
        async (proxy) => {
          const { stats } = await leavingNothing(() => benchrest(TUNNELLED, { ...LOAD, limit: 1, httpClient, proxy }));
          balance(stats);
          expect(stats.iterations.completed).to.equal(COUNT);
          expect(stats.requests.retries).to.equal(COUNT - 1);
          expect(tunnels).to.equal(COUNT);
        },
      );
    });

    it('F94 a redirect to another origin goes by its own way, without the credentials of the first one', () => {
      const handler = (req, res) => (req.url === '/start' ? res.writeHead(302, { location: to }).end() : res.end('ok'));
      let to;
      return serving(ok, (second, arrived) =>
        serving(handler, (first) =>
          proxying(async (proxy, seen) => {
            to = `${second}/end`;
            const { port } = new URL(second);
            const headers = { authorization: 'Bearer c4n4ry' };
            const run = (options) =>
              benchrest(
                { get: `${first}/start`, headers },
                { ...LOAD, limit: 1, iterations: 1, httpClient, ...options },
              );
            const lines = () => seen.splice(0).map(({ line }) => line);
            await run({ proxy: withUser(proxy) });
            expect(lines()).to.deep.equal([`GET ${first}/start`, `GET ${second}/end`]);
            await run({ proxy: withUser(proxy), noProxy: `127.0.0.1:${port}` });
            expect(lines()).to.deep.equal([`GET ${first}/start`]);
            expect(arrived).to.have.lengthOf(2);
            for (const { headers: got } of arrived)
              expect(got).to.not.have.any.keys('authorization', 'proxy-authorization');
          }),
        ),
      );
    });

    it('F95 a TLS proxy with an untrusted certificate', async () => {
      const server = createServer(CERTIFICATES.expired, ok);
      const proxy = (await listen(server)).replace('http:', 'https:');
      try {
        for (const flow of ['http://app.test/', TUNNELLED]) {
          const { kind, code, message } = await fails(flow, proxy, { insecure: true });
          expect({ kind, code }).to.deep.equal({ kind: 'proxy', code: 'E_PROXY_TLS' });
          expect(message)
            .to.match(/NODE_EXTRA_CA_CERTS, or use --proxy-insecure/)
            .and.include(proxy);
        }
      } finally {
        await shut(server);
      }
    });

    it('F95 the certificate of the server is verified in a tunnel as well', async () => {
      const server = createServer(selfSigned('localhost'), ok);
      const url = (await listen(server)).replace('http:', 'https:');
      try {
        await proxying(async (proxy) => {
          const { kind, code } = await fails(url, proxy, { proxyInsecure: true });
          expect({ kind, code }).to.deep.equal({ kind: 'tls', code: 'DEPTH_ZERO_SELF_SIGNED_CERT' });
        });
      } finally {
        await shut(server);
      }
    });
  });
}

describe('B23 a proxy that cannot be used is refused before the run', () => {
  const ONE = { limit: 1, iterations: 1 };
  const planned = (flow, env, given) => {
    const read = readFlow(flow);
    return createPlan(read, readRunOptions(programLayers(read.flow, { ...ONE, ...given }), env), originOf(flow));
  };

  for (const [options, message] of [
    [{ proxy: 'socks5://joe:c4n4ry@p' }, /^runOptions\.proxy: is a SOCKS proxy, which is not supported: use an HTTP/],
    [{ proxy: 'http://' }, /^runOptions\.proxy: is not the URL of a proxy: write http:\/\/proxy:3128/],
    [{ proxy: 'joe:c4n4ry@p/x' }, /^runOptions\.proxy: has a path/],
    [{ proxy: 7 }, /^runOptions\.proxy: expected the URL of a proxy as a string, got 7/],
    [{ noProxy: '10.0.0.0/64' }, /^runOptions\.noProxy: has the malformed entry "10\.0\.0\.0\/64"/],
  ])
    it(`${Object.keys(options)} ${message.source.slice(12, 50)}`, () => {
      expect(() => benchrest('http://a.test/', { ...ONE, ...options }))
        .to.throw(message)
        .with.property('code', 'E_RUN_OPTIONS');
      expect(() => benchrest('http://a.test/', { ...ONE, ...options })).to.throw(/^(?!.*c4n4ry)/s);
    });

  for (const [operation, message] of [
    [{ proxy: 'socks5://joe:c4n4ry@p' }, /^flow\.main\[0\]\.proxy: is a SOCKS proxy/],
    [{ proxy: 'http://p', socketPath: '/s' }, /^flow\.main\[0\]\.proxy: has no effect on a unix socket: remove it/],
    [
      { get: 'https://a/', tunnel: false },
      /^flow\.main\[0\]\.tunnel: an https: URL is always reached through a tunnel/,
    ],
    [{ headers: { 'Proxy-Authorization': 'x' } }, /cannot be set: write the user and password of a proxy into its URL/],
  ])
    it(`the operation ${Object.keys(operation)} ${message.source.slice(0, 40)}`, () =>
      expect(() => benchrest({ get: 'http://a.test/', ...operation }, ONE)).to.throw(message));

  for (const [env, message] of [
    [
      { HTTP_PROXY: 'socks5://joe:c4n4ry@p' },
      /^HTTP_PROXY: is a SOCKS proxy.*; --proxy '' or --noproxy '\*' connects directly$/,
    ],
    [{ all_proxy: 'socks5h://p' }, /^all_proxy: is a SOCKS proxy/],
    [{ http_proxy: 'http://p/x' }, /^http_proxy: has a path/],
    [{ HTTP_PROXY: 'http://p', NO_PROXY: '1.1.1.1/40' }, /^NO_PROXY: has the malformed entry "1\.1\.1\.1\/40"/],
  ])
    it(`the environment ${JSON.stringify(env)} is refused by the name of its variable`, () =>
      expect(() => planned('http://a.test/', env))
        .to.throw(message)
        .with.property('code', 'E_RUN_OPTIONS'));

  it('a variable that the flow does not need is not refused', () => {
    const env = { HTTP_PROXY: 'socks5://p' };
    expect(planned('http://127.0.0.1:1/', env).summary.proxies).to.deep.equal([]);
    expect(planned('http://a.test/', env, { proxy: '' }).summary.proxies).to.deep.equal([]);
    expect(planned('http://a.test/', env, { noProxy: '*' }).summary.proxies).to.deep.equal([]);
    expect(planned({ get: 'http://a.test/', proxy: null }, env).summary.proxies).to.deep.equal([]);
  });

  it('a variable that only a token or a redirect needs fails the request', async () => {
    const earlier = process.env.ALL_PROXY;
    process.env.ALL_PROXY = 'socks5://joe:c4n4ry@p';
    try {
      await serving(
        (req, res) => res.writeHead(302, { location: 'http://app.test/' }).end(),
        async (url) => {
          for (const httpClient of NAMES) {
            const { code, message } = await failing(url, { httpClient });
            expect(code).to.equal('E_PROXY_URL');
            expect(message).to.match(/^ALL_PROXY in the environment is a SOCKS proxy/);
          }
        },
      );
    } finally {
      if (earlier === undefined) delete process.env.ALL_PROXY;
      else process.env.ALL_PROXY = earlier;
    }
  });

  it('the command refuses it with exit code 2, and never prints its password', async () => {
    for (const proxy of ['socks5://joe:c4n4ry@p', 'joe:c4n4ry@p/x']) {
      const { code, stdout, stderr } = await command(['http://a.test/', '-n', '1', '-x', proxy]);
      expect(code).to.equal(2);
      expect(stderr).to.match(/proxy: (is a SOCKS proxy|has a path)/);
      expect(stdout + stderr).not.to.include('c4n4ry');
    }
  });
});

describe('X12 credentials of a proxy are only sent to it', () => {
  it('no output has them: the report, JSON with its options, --debug, --print-config', () =>
    proxying((proxy) =>
      serving(ok, async (url) => {
        const args = [url, '-n', '1', '-x', withUser(proxy)];
        for (const more of [[], ['--json'], ['--debug'], ['--print-config']]) {
          const { stdout, stderr } = await command([...args, ...more]);
          expect(stdout + stderr, more.join())
            .not.to.include('c4n4ry')
            .and.not.to.include('am9lOmM0bjRyeQ');
          expect(stderr, more.join()).to.include('the password of a proxy on the command line is visible');
          if (more[0] === '--print-config') expect(stdout).to.match(/^proxy +"http:\/\/\*\*\*@127/m);
        }
      }),
    ));

  it('a server behind a tunnel gets none, and its TLS is not that of the proxy', async () => {
    const got = [];
    const server = net.createServer((socket) =>
      socket.on('data', (chunk) => (got.push(String(chunk)), socket.end(GOOD))),
    );
    await listen(server);
    try {
      await proxying(async (proxy) => {
        for (const httpClient of NAMES) {
          const get = `http://127.0.0.1:${server.address().port}/`;
          await benchrest({ get, tunnel: true }, { ...LOAD, iterations: 2, httpClient, proxy: withUser(proxy) });
        }
        expect(got.length).to.be.at.least(4);
        expect(got.join()).not.to.match(/proxy|am9lOmM0bjRyeQ/i);
      });
    } finally {
      await shut(server);
    }
  });
});

itSlow('F95 the authorities in NODE_EXTRA_CA_CERTS are trusted at a proxy', () =>
  proxying(
    async (proxy) => {
      const folder = mkdtempSync(join(tmpdir(), 'bench-rest-'));
      const env = { ...process.env, NODE_EXTRA_CA_CERTS: join(folder, 'ca.pem') };
      writeFileSync(env.NODE_EXTRA_CA_CERTS, CERTIFICATES.ca);
      try {
        await serving(ok, async (url, seen) => {
          // Node reads the variable when it starts
          const program = `import benchrest from ${JSON.stringify(new URL('../../index.js', import.meta.url).href)};
            for (const httpClient of ${JSON.stringify(NAMES)})
              await benchrest(${JSON.stringify(url)}, { limit: 1, iterations: 1, proxy: ${JSON.stringify(proxy)}, httpClient });`;
          const { code, stderr } = await saidBy(process.execPath, ['--input-type=module', '-e', program], { env });
          expect([code, stderr]).to.deep.equal([0, '']);
          expect(seen).to.have.lengthOf(NAMES.length);
        });
      } finally {
        rmSync(folder, { recursive: true });
      }
    },
    { tls: CERTIFICATES.here },
  ),
);

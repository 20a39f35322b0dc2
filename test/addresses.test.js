import dgram from 'node:dgram';
import dns from 'node:dns';
import { once } from 'node:events';
import http from 'node:http';
import https from 'node:https';
import { setTimeout } from 'node:timers/promises';

import { expect } from 'chai';

import benchrest from '../index.js';
import { renderResult } from '../lib/results.js';
import { mergeStats } from '../lib/addons/merge/measure/merge.js';
import { selfSigned } from './support/certificate.js';
import { command } from './support/command.js';
import { listen, serving, shut } from './support/serve.js';
import { itSlow } from './support/slow.js';
import { NAMES } from './support/transports.js';

const NAME = 'backends.test';
const LOOPBACK = ['127.0.0.1', '127.0.0.2', '127.0.0.3'];

/** Runs a story while a name has these addresses. */
const withName = async (addresses, story) => {
  const { lookup } = dns;
  dns.lookup = (hostname, options, callback) =>
    hostname === NAME
      ? process.nextTick(
          callback,
          null,
          addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
        )
      : lookup(hostname, options, callback);
  try {
    return await story();
  } finally {
    dns.lookup = lookup;
  }
};

/** Listens on one port of some addresses; `story(port, counts)` counts the requests of each. */
const backends = async (addresses, story) => {
  const counts = Object.fromEntries(addresses.map((address) => [address, 0]));
  const servers = [];
  let port = 0;
  try {
    for (const address of addresses) {
      const server = http.createServer((req, res) => {
        counts[address]++;
        res.end('ok');
      });
      server.listen(port, address);
      await once(server, 'listening');
      ({ port } = server.address());
      servers.push(server);
    }
    return await story(port, counts);
  } finally {
    for (const server of servers) {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    }
  }
};

const figures = ({ requests }) =>
  requests.addresses.map(({ address, connections, failed, requests: count, error }) => ({
    address,
    connections,
    failed,
    count,
    ...(error && { error }),
  }));

/** A DNS server that has one IPv4 address for each name, and no other; `answers`: which queries it does not drop. */
const nameServer = async (address, story, answers = () => true) => {
  const socket = dgram.createSocket('udp4');
  const asked = [];
  socket.on('message', async (query, { port, address: from }) => {
    const end = query.indexOf(0, 12) + 5;
    const isA = query.readUInt16BE(end - 4) === 1;
    asked.push(query.subarray(13, 13 + query[12]).toString());
    if (!(await answers(isA))) return;
    const head = Buffer.from(query.subarray(0, 12));
    head.writeUInt16BE(0x8180, 2);
    head.writeUInt16BE(isA ? 1 : 0, 6);
    head.fill(0, 8, 12);
    // a pointer to the name, type A, class IN, for a minute, four bytes
    const answer = Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4, ...address.split('.').map(Number)]);
    socket.send(Buffer.concat([head, query.subarray(12, end), ...(isA ? [answer] : [])]), port, from);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  try {
    return await story(`127.0.0.1:${socket.address().port}`, asked);
  } finally {
    socket.close();
  }
};

describe('addresses of a name', () => {
  before(function () {
    // other systems have to be set up for 127.0.0.2
    if (process.platform !== 'linux') this.skip();
  });

  for (const httpClient of NAMES) {
    for (const dnsCache of [true, false])
      it(`connections use them in turn, ${httpClient}, dnsCache: ${dnsCache}`, () =>
        backends(LOOPBACK, (port, counts) =>
          withName(LOOPBACK, async () => {
            const options = { limit: 6, iterations: 60, httpClient, dnsCache };
            const { stats, errorCount } = await benchrest(`http://${NAME}:${port}/`, options);
            expect(errorCount).to.equal(0);
            expect(figures(stats)).to.deep.equal(
              LOOPBACK.map((address) => ({ address, connections: 2, failed: 0, count: counts[address] })),
            );
            expect(Object.values(counts).reduce((sum, count) => sum + count, 0)).to.equal(60);
            expect(stats.requests.addresses.every(({ name, time }) => name === `${NAME}:${port}` && time > 0)).to.equal(
              true,
            );
          }),
        ));

    it(`one where nothing listens is counted and named, and not used again, ${httpClient}`, () =>
      backends(['127.0.0.1', '127.0.0.3'], (port) =>
        withName(LOOPBACK, async () => {
          const options = { limit: 4, iterations: 100, requestsPerConnection: 5, httpClient };
          const { stats, errorCount } = await benchrest(`http://${NAME}:${port}/`, options);
          expect(errorCount).to.equal(0);
          const [one, two, three] = figures(stats);
          expect(two).to.include({ address: '127.0.0.2', connections: 0, count: 0, error: 'ECONNREFUSED' });
          expect(two.failed).to.be.within(1, 4);
          expect(one.connections + three.connections).to.equal(stats.connections.opened);
          expect(Math.min(one.connections, three.connections)).to.be.above(5);
        }),
      ));

    it(`a service that listens on 127.0.0.1 alone is found behind ::1, without an error, ${httpClient}`, () =>
      backends(['127.0.0.1'], (port) =>
        withName(['::1', '127.0.0.1'], async () => {
          const { stats, errorCount } = await benchrest(`http://${NAME}:${port}/`, {
            limit: 2,
            iterations: 10,
            httpClient,
          });
          expect(errorCount).to.equal(0);
          const [six, four] = figures(stats);
          expect(six).to.include({ address: '::1', connections: 0, count: 0 });
          expect(six.failed).to.be.above(0);
          expect(four).to.deep.equal({ address: '127.0.0.1', connections: 2, failed: 0, count: 10 });
        }),
      ));

    it(`family selects the addresses of one family, ${httpClient}`, () =>
      backends(['127.0.0.1'], (port) =>
        withName(['::1', '127.0.0.1'], async () => {
          const options = { limit: 1, iterations: 2, httpClient };
          const { stats } = await benchrest(`http://${NAME}:${port}/`, { ...options, family: 4 });
          expect(stats.iterations.completed).to.equal(2);
          expect(stats.requests.addresses).to.equal(undefined);
          const six = await benchrest(`http://${NAME}:${port}/`, { ...options, family: 6 });
          expect(six.stats.iterations.failed).to.equal(2);
        }),
      ));

    it(`a name without an address of the family fails as dns, and says so, ${httpClient}`, () =>
      withName(['127.0.0.1'], async () => {
        const { stats } = await benchrest(`http://${NAME}:1/`, { limit: 1, iterations: 1, httpClient, family: 6 });
        const [{ kind, code, message }] = stats.errors.details;
        expect([kind, code]).to.deep.equal(['dns', 'E_FAMILY']);
        expect(message).to.equal(`${NAME} has no IPv6 address; leave out --ipv6 (option family), or use another host`);
      }));

    it(`a DNS server that does not answer is named, in an error of the kind dns, ${httpClient}`, async () => {
      const socket = dgram.createSocket('udp4').bind(0, '127.0.0.1');
      await once(socket, 'listening');
      const resolver = `127.0.0.1:${socket.address().port}`;
      // nothing listens there any more
      await new Promise((resolve) => socket.close(resolve));
      const { stats } = await benchrest('http://api.test/', { limit: 1, iterations: 1, httpClient, resolver });
      const [{ kind, code, message }] = stats.errors.details;
      expect([kind, code]).to.deep.equal(['dns', 'E_RESOLVER']);
      expect(message).to.match(/^the DNS server 127\.0\.0\.1:\d+ did not look up api\.test: E\w+; see --resolver$/);
    });

    it(`connectTo leads to another host and port, and keeps the Host field, ${httpClient}`, () =>
      serving(
        (req, res) => res.end('ok'),
        async (url, seen) => {
          const port = Number(new URL(url).port);
          const options = { limit: 1, iterations: 1, httpClient };
          for (const connectTo of [`api.test:80:127.0.0.1:${port}`, { 'API.test:80': { host: '127.0.0.1', port } }]) {
            const { stats } = await benchrest('http://api.test/x', { ...options, connectTo });
            expect(stats.iterations.completed).to.equal(1);
          }
          expect(seen.map(({ headers }) => headers.host)).to.deep.equal(['api.test', 'api.test']);
        },
      ));

    it(`connectTo takes the forms of curl, and the most specific one applies, ${httpClient}`, () =>
      backends(['127.0.0.1', '127.0.0.2'], async (port, counts) => {
        const main = [`http://one.test:${port}/`, 'http://one.test/', 'http://two.test/', `http://127.0.0.3:${port}/`];
        const connectTo = [
          '::127.0.0.1:',
          `:80:127.0.0.1:${port}`,
          'one.test::127.0.0.2:',
          `one.test:80:127.0.0.2:${port}`,
        ];
        const { stats } = await benchrest(main, { limit: 1, iterations: 1, httpClient, connectTo });
        expect(stats.errors.details).to.deep.equal([]);
        expect(counts).to.deep.equal({ '127.0.0.1': 2, '127.0.0.2': 2 });
      }));

    it(`connectTo keeps the TLS name, ${httpClient}`, async () => {
      const certificate = selfSigned('one.test');
      const server = https.createServer(certificate, (req, res) => res.end(req.socket.servername));
      const { port } = new URL(await listen(server));
      try {
        const connectTo = [`one.test:443:localhost:${port}`, 'two.test:443:localhost:1'];
        const flow = { main: [{ get: 'https://one.test/', expect: { body: 'one.test' } }] };
        const options = { limit: 1, iterations: 2, httpClient, connectTo, ca: certificate.cert, quiet: true };
        const { stats } = await benchrest(flow, options);
        expect(stats.errors.details).to.deep.equal([]);
      } finally {
        await shut(server);
      }
    });

    it(`resolver asks a DNS server, ${httpClient}`, () =>
      nameServer('127.0.0.1', (resolver, asked) =>
        serving(
          (req, res) => res.end('ok'),
          async (url, seen) => {
            const to = `http://service.example:${new URL(url).port}/`;
            const { stats } = await benchrest(to, { limit: 1, iterations: 1, httpClient, resolver });
            expect(stats.errors.details).to.deep.equal([]);
            expect(seen).to.have.length(1);
            expect(asked).to.deep.equal(['service', 'service']);
          },
        ),
      ));
  }

  for (const options of [{}, { family: 4 }])
    it(`resolver does not wait until its query for IPv6, which the DNS server drops, is repeated: ${JSON.stringify(options)}`, () =>
      nameServer(
        '127.0.0.1',
        (resolver, asked) =>
          backends(['127.0.0.1'], async (port) => {
            const { stats } = await benchrest(`http://a.test:${port}/`, {
              limit: 1,
              iterations: 1,
              resolver,
              ...options,
            });
            expect(stats.iterations.completed).to.equal(1);
            expect(asked).to.deep.equal(['a', 'a']);
          }),
        (isA) => isA,
      ));

  it('with family 6, resolver waits for the answer to its query for IPv6', () =>
    nameServer(
      '127.0.0.1',
      async (resolver) => {
        const { stats } = await benchrest('http://a.test/', { limit: 1, iterations: 1, resolver, family: 6 });
        expect(stats.errors.details[0].code).to.equal('E_FAMILY');
      },
      (isA) => isA || setTimeout(400, true),
    ));

  for (const name of ['localhost', 'api.localhost'])
    it(`resolver is not asked for ${name}, which is this machine`, () =>
      nameServer('192.0.2.1', (resolver, asked) =>
        backends(['127.0.0.1'], async (port, counts) => {
          const { stats } = await benchrest(`http://${name}:${port}/`, { limit: 2, iterations: 4, resolver });
          expect(stats.errors.details).to.deep.equal([]);
          expect([asked, counts]).to.deep.equal([[], { '127.0.0.1': 4 }]);
        }),
      ));

  it('with resolver, localhost has an address of each family', () =>
    backends(['127.0.0.1'], async (port) => {
      const options = { limit: 1, iterations: 1, resolver: '127.0.0.1:1' };
      const { stats } = await benchrest(`http://localhost:${port}/`, { ...options, family: 4 });
      expect(stats.iterations.completed).to.equal(1);
      const six = await benchrest(`http://localhost:${port}/`, { ...options, family: 6 });
      expect(six.stats.errors.details[0].message).to.include('::1');
    }));

  itSlow('workers ask the resolver, and connect by connectTo', () =>
    nameServer('127.0.0.1', (resolver, asked) =>
      backends(['127.0.0.1'], async (port, counts) => {
        const connectTo = `api.test:80:service.example:${port}`;
        const options = { limit: 2, iterations: 4, workers: 2, resolver, connectTo };
        const { stats } = await benchrest('http://api.test/', options);
        expect(stats.errors.details).to.deep.equal([]);
        expect([counts, new Set(asked)]).to.deep.equal([{ '127.0.0.1': 4 }, new Set(['service'])]);
      }),
    ),
  );

  for (const httpClient of NAMES)
    it(`resolver and connectTo apply to the name of the proxy, ${httpClient}`, () =>
      nameServer('127.0.0.1', (resolver, asked) =>
        serving(
          (req, res) => res.end('ok'),
          async (url, seen) => {
            const connectTo = `proxy.test:3128:gate.example:${new URL(url).port}`;
            const options = {
              limit: 1,
              iterations: 1,
              httpClient,
              resolver,
              connectTo,
              proxy: 'http://proxy.test:3128',
            };
            const { stats } = await benchrest('http://api.test/x', options);
            expect(stats.errors.details).to.deep.equal([]);
            expect([seen.map((one) => one.url), new Set(asked)]).to.deep.equal([
              ['http://api.test/x'],
              new Set(['gate']),
            ]);
          },
        ),
      ));

  it('with pipelining the requests of each connection are counted at its address', () =>
    backends(LOOPBACK, (port, counts) =>
      withName(LOOPBACK, async () => {
        const options = { limit: 3, iterations: 60, pipelining: 4, httpClient: 'builtin' };
        const { stats } = await benchrest(`http://${NAME}:${port}/`, options);
        expect(figures(stats)).to.deep.equal(
          LOOPBACK.map((address) => ({ address, connections: 1, failed: 0, count: counts[address] })),
        );
      }),
    ));

  it('results that are merged add up the figures of each address', () =>
    backends(LOOPBACK, (port) =>
      withName(LOOPBACK, async () => {
        const { stats } = await benchrest(`http://${NAME}:${port}/`, { limit: 3, iterations: 30 });
        const { requests } = mergeStats([stats, stats]);
        expect(requests.addresses.map(({ requests: count }) => count)).to.deep.equal(
          stats.requests.addresses.map(({ requests: count }) => 2 * count),
        );
      }),
    ));

  it('the report names the addresses, and the one that was not used', () =>
    backends(['127.0.0.1', '127.0.0.3'], (port) =>
      withName(LOOPBACK, async () => {
        const { stats } = await benchrest(`http://${NAME}:${port}/`, { iterations: 30, limit: 6 });
        const stdout = await renderResult(stats);
        expect(stdout).to.contain(`addresses of ${NAME}:${port}`);
        expect(stdout).to.match(/127\.0\.0\.1 {2}\d connections?, \d+ requests, mean [\d.]+ ms/);
        expect(stdout).to.match(/127\.0\.0\.2 {2}\d failed attempts? to connect \(ECONNREFUSED\), not used/);
      }),
    ));

  it('an address of the other family is refused before the first request, unless connectTo leads elsewhere', () =>
    backends(['127.0.0.1'], async (port, counts) => {
      const options = { limit: 1, iterations: 1, family: 6 };
      const url = `http://127.0.0.1:${port}/`;
      expect(() => benchrest(url, options)).to.throw(/flow.*127\.0\.0\.1 has no IPv6 address; leave out --ipv6/);
      const connectTo = `[::1]:80:127.0.0.1:${port}`;
      const { errorCount } = await benchrest('http://[::1]/', { ...options, family: 4, connectTo });
      expect([errorCount, counts]).to.deep.equal([0, { '127.0.0.1': 1 }]);
    }));

  for (const [args, message] of [
    [['--connect-to', 'api.test:80'], /name:port:host:port/],
    [['--connect-to', 'api.test:80:127.0.0.1:99999'], /name:port:host:port/],
    [['--connect-to', 'api.test:80:127.0.0.1:7001'], /connects to 127\.0\.0\.1:1/],
    [
      ['--connect-to', '127.0.0.1:1::7001', '--proxy', 'http://127.0.0.1:1'],
      /through the proxy http:\/\/127\.0\.0\.1:1/,
    ],
    [['--resolver', 'dns.test'], /the address of a DNS server/],
    [['--family', '5'], /4 or 6/],
    [['--ipv4', '--ipv6'], /either IPv4 or IPv6/],
  ])
    it(`${args.join(' ')} is refused`, async () => {
      const { code, stderr } = await command([...args, '-n', '1', 'http://127.0.0.1:1/']);
      expect(stderr).to.match(message);
      expect(code).to.equal(2);
    });
});

import http2 from 'node:http2';
import tls from 'node:tls';

import { expect } from 'chai';

import { UNTIMED } from '../lib/core/transport/traffic.js';
import { selfSigned } from './support/certificate.js';
import { GOOD, faulting, REFUSED_URL } from './support/faulty-server.js';
import { framing } from './support/frame-server.js';
import { listen, shut } from './support/serve.js';
import { turns, until } from './support/until.js';
import { NAMES, exchange, requestTo, sending, transporting } from './support/transports.js';

/** Lets both sides read their sockets. */
const soon = () => turns(10);
const answering = async (io) => {
  for (;;) await io.answer();
};
/** Servers whose acts have `answer()`: it reads a request, and answers it. */
const inText = (play, story) =>
  faulting((io, id) => play({ ...io, answer: () => io.readRequest().then(() => io.send(GOOD)) }, id), story);
const inFrames = (play, story) =>
  framing(async (io, id) => {
    await io.hello();
    const fields = ['content-length', '2'];
    await play({ ...io, answer: () => io.readRequest().then((request) => io.respond(request.id, { fields })) }, id);
  }, story);

const CLIENTS = [
  ...NAMES.map((name) => ({ title: name, name })),
  { title: 'builtin, over HTTP/2', name: 'builtin', version: 'prior-knowledge' },
];

describe('connections', () => {
  const certificate = selfSigned('one.test', 'two.test');

  /** Runs `story(url, server)` against an https server. */
  const secured = async (options, story) => {
    const respond = (req, res) => res.end(req.socket.servername || 'none');
    const server = http2.createSecureServer({ ...certificate, allowHTTP1: true, ...options }, respond);
    const url = (await listen(server)).replace('http:', 'https:');
    try {
      await story(url, server);
    } finally {
      await shut(server);
    }
  };

  for (const { title, name, version } of CLIENTS) {
    const to = (url, about) => requestTo(url, { http2: version, ...about });
    const served = version === undefined ? inText : inFrames;
    /** Facts about the bytes of HTTP/1.1; those about frames are in test/faults/http2.test.js. */
    const itInText = version === undefined ? it : () => {};

    const visiting = (url, story, options, request) =>
      transporting(
        name,
        async (transport) => {
          const connection = transport.connect(to(url, request).endpoint);
          await story(
            (path = '/', about = {}) => exchange(connection, to(url + path, { ...request, ...about })),
            transport,
            connection,
          );
        },
        options,
      );

    describe(title, () => {
      it('an exchange on an open connection has the instant at which it was written, and none of connecting', () =>
        secured({}, (url) =>
          visiting(
            url,
            async (visit, transport, connection) => {
              await visit();
              expect(connection.connectedAt).to.be.above(0);
              const asked = performance.now();
              await visit();
              const { connectedAt, sentAt, firstByteAt, endedAt } = connection;
              expect(connectedAt).to.equal(0);
              const order = [asked, sentAt, firstByteAt, endedAt];
              expect(order).to.deep.equal(order.toSorted((a, b) => a - b));
            },
            {},
            { tls: { rejectUnauthorized: false } },
          ),
        ));

      it('opens one connection, reuses it, and counts both and the bytes', () =>
        served(answering, (url, seen) =>
          visiting(url, async (visit, transport) => {
            for (let i = 0; i < 5; i++) expect(await visit()).to.include({ status: 200, body: 'ok' });
            expect(seen.connections).to.equal(1);
            const totals = transport.totals();
            expect(totals).to.include({ opened: 1, reused: 4, closedByServer: 0 });
            if (version === undefined) expect(totals.bytesReceived).to.equal(5 * GOOD.length);
            expect(totals.bytesReceived).to.be.above(0);
            expect(totals.bytesSent).to.be.above(5 * 'GET / HTTP/1.1\r\n\r\n'.length);
          }),
        ));

      itInText(
        'measures the time to the first byte once for each request, also if interim responses come first',
        () => {
          let measured = 0;
          const timings = { ...UNTIMED, ttfb: { update: () => measured++ } };
          const interim = async (io) => {
            for (;;) {
              await io.readRequest();
              await io.send('HTTP/1.1 103 Early Hints\r\n\r\n');
              await io.send(GOOD);
            }
          };
          return faulting(interim, (url) =>
            visiting(
              url,
              async (visit, _transport, connection) => {
                for (let i = 1; i <= 2; i++) {
                  expect(await visit()).to.include({ status: 200, body: 'ok' });
                  expect(measured).to.equal(i);
                  expect(connection.firstByteAt).to.be.within(connection.sentAt, connection.endedAt);
                }
              },
              { timings },
            ),
          );
        },
      );

      itInText(
        'keeps the connection after HEAD, and after a body of GET or DELETE, unless the request closes it',
        () => {
          const requests = [
            { method: 'HEAD' },
            { method: 'GET', body: 'a' },
            { method: 'DELETE', body: 'a' },
            { method: 'HEAD', fields: ['Connection', 'close'] },
            { method: 'GET' },
          ];
          const script = async (io) => {
            for (;;) {
              const head = await io.readRequest();
              const good = /^connection: *close/im.test(head)
                ? GOOD.replace('\r\n', '\r\nconnection: close\r\n')
                : GOOD;
              await io.send(head.startsWith('HEAD') ? good.slice(0, -'ok'.length) : good);
            }
          };
          return faulting(script, (url, seen) =>
            visiting(url, async (visit) => {
              const connections = [];
              for (const request of requests) {
                expect(await visit('/', request)).to.include({ status: 200 });
                connections.push(seen.connections);
              }
              expect(connections).to.deep.equal([1, 1, 1, 1, 2]);
            }),
          );
        },
      );

      itInText('sends a request in one write, head and body together', () => {
        const arrived = [];
        return inText(
          async (io) => {
            arrived.push(await io.readRequest());
            await io.send(GOOD);
            await answering(io);
          },
          (url) =>
            visiting(url, async (visit) => {
              await visit('/a?b=1', { method: 'PUT', fields: ['X-A', 'b'], body: 'bödy' });
              const [line, ...fields] = arrived[0].split('\r\n');
              expect(line).to.equal('PUT /a?b=1 HTTP/1.1');
              expect(fields.map((field) => field.toLowerCase())).to.include.members([
                'x-a: b',
                'content-length: 5',
                `host: ${new URL(url).host}`,
              ]);
            }),
        );
      });

      it('sends bodies of all types byte for byte', () => {
        const bodies = [
          '',
          'ascii',
          'ümlaut €',
          Buffer.from([0, 255, 13, 10]),
          'x'.repeat(300_000),
          Buffer.alloc(300_000, 7),
          null,
        ];
        const got = [];
        return secured({}, async (url, server) => {
          server.removeAllListeners('request');
          server.on('request', async (req, res) => {
            const chunks = [];
            for await (const chunk of req) chunks.push(chunk);
            got.push({ body: Buffer.concat(chunks), length: req.headers['content-length'] });
            res.end();
          });
          await visiting(
            url,
            async (visit) => {
              for (const body of bodies) expect(await visit('/', { method: 'POST', body })).to.include({ status: 200 });
              expect(got.map(({ body }) => body.toString('latin1'))).to.deep.equal(
                bodies.map((body) => Buffer.from(body ?? '').toString('latin1')),
              );
              expect(got.map(({ length }) => length)).to.deep.equal(
                bodies.map((body) => String(Buffer.byteLength(body ?? ''))),
              );
            },
            {},
            { tls: { rejectUnauthorized: false } },
          );
        });
      });

      itInText('closes a connection on which unexpected bytes arrive', () => {
        let isPoisoned = false;
        return inText(
          async (io, id) => {
            await io.answer();
            if (id === 0) {
              await io.read();
              await io.send('HTTP/1.1 200 OK\r\ncontent-length: 6\r\n\r\npoison');
              isPoisoned = true;
            }
            await answering(io);
          },
          (url, seen) =>
            visiting(url, async (visit) => {
              expect(await visit()).to.include({ status: 200, body: 'ok' });
              await until(() => isPoisoned);
              await soon();
              expect(await visit()).to.include({ status: 200, body: 'ok' });
              expect(seen.connections).to.equal(2);
            }),
        );
      });

      it('opens another connection after the server closed an idle one', () =>
        served(
          async (io, id) => {
            await io.answer();
            if (id === 0) return io.fin();
            return answering(io);
          },
          (url, seen) =>
            visiting(url, async (visit, transport) => {
              for (let i = 0; i < 3; i++) {
                expect(await visit()).to.include({ status: 200 });
                await soon();
              }
              expect(seen.connections).to.equal(2);
              expect(transport.totals()).to.include({ opened: 2, reused: 1, closedByServer: 1 });
            }),
        ));

      for (const [hint, connections] of [
        ['timeout=0', 3],
        ['timeout=-1', 1],
        ['timeout=abc', 1],
        ['timeout=9999999', 1],
        ['max=5', 1],
        ['timeout=60, max=1', 1],
      ]) {
        itInText(`F17 Keep-Alive: ${hint} is ${connections === 1 ? 'reused' : 'not reused'}`, () =>
          faulting(
            async (io) => {
              for (;;) {
                await io.readRequest();
                await io.send(GOOD.replace('\r\n\r\n', `\r\nKeep-Alive: ${hint}\r\n\r\n`));
              }
            },
            (url, seen) =>
              visiting(url, async (visit) => {
                for (let i = 0; i < 3; i++) {
                  expect(await visit()).to.include({ status: 200 });
                  await soon();
                }
                expect(seen.connections).to.equal(connections);
              }),
          ),
        );
      }

      itInText('counts a close that the second of two Connection fields announces', () =>
        faulting(
          async (io) => {
            await io.readRequest();
            await io.send(GOOD.replace('\r\n\r\n', '\r\nConnection: keep-alive\r\nConnection: close\r\n\r\n'));
            await io.hang();
          },
          (url) =>
            visiting(url, async (visit, transport) => {
              for (let i = 0; i < 2; i++) expect(await visit()).to.include({ status: 200 });
              await soon();
              expect(transport.totals().closedByServer).to.equal(2);
            }),
        ),
      );

      itInText('accepts a response that arrives before the request is sent, and does not reuse the connection', () =>
        inText(
          async (io, id) => {
            if (id === 0) await io.send('HTTP/1.1 413 Too Large\r\nContent-Length: 2\r\n\r\nno').then(() => io.hang());
            await answering(io);
          },
          (url, seen) =>
            visiting(url, async (visit) => {
              const { status, code } = await visit('/', { method: 'POST', body: Buffer.alloc(50_000_000) });
              // the order of the two events is a race
              expect(
                status === 413 || code === 'TOO_SLOW' || code === 'E_RESET_BEFORE_HEAD',
                `${status} ${code}`,
              ).to.equal(true);
              expect(seen.connections).to.equal(1);
            }),
        ),
      );

      itInText('abort rejects with its error and closes the socket', () =>
        faulting(
          (io) => io.hang(),
          (url, seen) =>
            transporting(name, async (transport) => {
              const connection = transport.connect(to(url).endpoint);
              const sent = sending(connection, to(url), 'status').catch((error) => error);
              await until(() => seen.requests === 1);
              connection.abort(new Error('enough'));
              expect((await sent).message).to.equal('enough');
              await until(() => seen.open.size === 0);
              expect(connection.isDead).to.equal(true);
            }),
        ),
      );

      it('a body that is not needed is counted and discarded', () =>
        served(answering, (url) =>
          transporting(name, async (transport) => {
            const response = await sending(transport.connect(to(url).endpoint), to(url), 'head');
            expect(response).to.include({ body: null, bodyBytes: 2 });
            expect(response.headers['content-length']).to.equal('2');
          }),
        ));

      itInText('the beginning of the body of an error is kept if the receiver reads it', () => {
        const head = 'HTTP/1.1 503 No\r\n';
        const long = 'x'.repeat(10_000);
        const responses = [
          [`${head}content-length: 5\r\n\r\n`, 'error'],
          [`${head}transfer-encoding: chunked\r\n\r\n3\r\ner`, 'r\r\n2\r\n', 'or\r\n0\r\n\r\n'],
          [`${head}content-length: 10000\r\n\r\n${long}`],
          [`${head}content-length: 0\r\n\r\n`],
          ['HTTP/1.1 399 OK\r\ncontent-length: 5\r\n\r\nerror'],
        ];
        const play = async (io) => {
          for (const pieces of responses) {
            await io.readRequest();
            for (const piece of pieces) await io.send(piece);
          }
        };
        return faulting(play, (url) =>
          transporting(name, async (transport) => {
            const request = to(url);
            const connection = transport.connect(request.endpoint);
            const asked = [];
            const excerpt = async (needs) => {
              const response = await sending(connection, request, needs, (status) => asked.push(status) > 0);
              return [response.excerpt?.latin1Slice() ?? null, response.body, response.bodyBytes];
            };
            expect(await excerpt('status')).to.deep.equal(['error', null, 5]);
            expect(await excerpt('head')).to.deep.equal(['error', null, 5]);
            expect(await excerpt('status')).to.deep.equal([long.slice(0, 4096), null, 10_000]);
            expect((await excerpt('status'))[0]).to.be.oneOf([null, '']);
            // for the head of the sample, and for its body
            expect(asked.length).to.be.within(3, 8);
            expect(await excerpt('status')).to.deep.equal([null, null, 5]);
            expect(asked).to.not.include(399);
          }),
        );
      });

      itInText('no beginning is kept of a body that is kept, refused by the receiver, or cut short', () => {
        const error = 'HTTP/1.1 503 No\r\ncontent-length: 5\r\n\r\nerror';
        const play = async (io) => {
          for (let i = 0; i < 2; i++) await io.readRequest().then(() => io.send(error));
          await io.readRequest();
          await io.send(error.slice(0, -2));
          await io.fin();
        };
        return faulting(play, (url) =>
          transporting(name, async (transport) => {
            const request = to(url);
            const connection = transport.connect(request.endpoint);
            const kept = await sending(connection, request, 'body', () => true);
            expect(kept.body.latin1Slice()).to.equal('error');
            expect(kept.excerpt).to.equal(null);
            expect((await sending(connection, request, 'status', () => false)).excerpt).to.equal(null);
            const fault = await sending(connection, request, 'status', () => true).catch(({ code }) => code);
            expect(fault).to.equal('E_BODY_SHORT');
          }),
        );
      });

      it('a refused connection has the error of the system, and nothing is sent', async () => {
        await visiting(REFUSED_URL, async (visit, transport, connection) => {
          expect(await visit()).to.deep.equal({ code: 'ECONNREFUSED', kind: 'connect' });
          expect(connection.wasSent).to.equal(false);
          expect(transport.totals()).to.include({ opened: 0, bytesSent: 0 });
        });
      });

      describe('host names', () => {
        const named = (url) => url.replace('127.0.0.1', 'name.test');
        const resolving = (...answers) => {
          const asked = [];
          const lookup = (hostname, _options, callback) => {
            const answer = answers[Math.min(asked.push(hostname), answers.length) - 1];
            setImmediate(() => (Array.isArray(answer) ? callback(null, answer) : callback(answer)));
          };
          return { asked, lookup };
        };
        const local = { address: '127.0.0.1', family: 4 };
        const dead = { address: '127.0.0.9', family: 4 };

        itInText('F3 are looked up once', () =>
          faulting(
            async (io) => {
              await io.readRequest();
              await io.send(GOOD.replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n'));
            },
            async (url, seen) => {
              const { asked, lookup } = resolving([local]);
              await visiting(
                named(url),
                async (visit) => {
                  for (let i = 0; i < 3; i++) expect(await visit()).to.include({ status: 200 });
                },
                { lookup },
              );
              expect(seen.connections).to.equal(3);
              expect(asked).to.deep.equal(['name.test']);
            },
          ),
        );

        itInText('are looked up before every connection with dnsCache: false', () =>
          faulting(
            async (io) => {
              await io.readRequest();
              await io.send(GOOD.replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n'));
            },
            async (url) => {
              const { asked, lookup } = resolving([local]);
              await visiting(
                named(url),
                async (visit) => {
                  for (let i = 0; i < 3; i++) expect(await visit()).to.include({ status: 200 });
                },
                { lookup, dnsCache: false },
              );
              expect(asked).to.have.lengthOf(3);
            },
          ),
        );

        it('F18 are looked up again after a failed connect, so that a server that moved is found', () =>
          served(answering, async (url) => {
            const { asked, lookup } = resolving([dead], [local]);
            await visiting(
              named(url),
              async (visit, transport, connection) => {
                expect(await visit()).to.include({ code: 'ECONNREFUSED' });
                expect(
                  await exchange(
                    connection.isDead ? transport.connect(to(named(url)).endpoint) : connection,
                    to(named(url)),
                  ),
                ).to.include({ status: 200 });
              },
              { lookup },
            );
            expect(asked).to.have.lengthOf(2);
          }));

        it('F4 with two addresses use the one that responds', () =>
          served(answering, async (url) => {
            const { lookup } = resolving([{ address: '::1', family: 6 }, dead, local]);
            await visiting(named(url), async (visit) => expect(await visit()).to.include({ status: 200 }), { lookup });
          }));

        it('F3 that do not exist have the kind dns', async () => {
          const { lookup } = resolving(
            Object.assign(new Error('getaddrinfo ENOTFOUND name.test'), { code: 'ENOTFOUND', syscall: 'getaddrinfo' }),
          );
          await visiting(
            'http://name.test:1',
            async (visit) => expect(await visit()).to.deep.equal({ code: 'ENOTFOUND', kind: 'dns' }),
            { lookup },
          );
        });

        it('F3 without any address have the kind dns', async () => {
          const { lookup } = resolving([]);
          await visiting(
            'http://name.test:1',
            async (visit) => expect(await visit()).to.deep.equal({ code: 'ENOTFOUND', kind: 'dns' }),
            { lookup },
          );
        });
      });

      describe('TLS', () => {
        const lookup = (_hostname, _options, callback) => callback(null, [{ address: '127.0.0.1', family: 4 }]);

        it('resumes a session', () =>
          secured({}, async (url, server) => {
            const reused = [];
            server.on('secureConnection', (socket) => reused.push(socket.isSessionReused()));
            await transporting(name, async (transport) => {
              for (let i = 0; i < 3; i++) {
                const request = to(url, { tls: { ca: certificate.cert }, fields: [] });
                const connection = transport.connect(request.endpoint);
                expect(await exchange(connection, request)).to.include({ status: 200 });
                await soon();
                connection.close();
              }
            });
            expect(reused).to.deep.equal([false, true, true]);
          }));

        it('sends and verifies the host name, or the servername option', () =>
          secured({}, async (url) => {
            const at = (host, more) => ({
              address: url.replace('127.0.0.1', host),
              tls: { ca: certificate.cert, ...more },
            });
            for (const [{ address, tls: options }, expected] of [
              [at('one.test'), { status: 200, body: 'one.test' }],
              [at('one.test', { servername: 'two.test' }), { status: 200, body: 'two.test' }],
              [at('127.0.0.1'), { status: 200, body: 'none' }],
              [at('other.test'), { code: 'ERR_TLS_CERT_ALTNAME_INVALID', kind: 'tls' }],
            ]) {
              await visiting(
                address,
                async (visit) => expect(await visit()).to.include(expected),
                { lookup },
                { tls: options },
              );
            }
          }));

        it('rejects an untrusted certificate before a byte is sent', () =>
          secured({}, async (url, server) => {
            let requests = 0;
            server.on('request', () => requests++);
            await visiting(url, async (visit, transport) => {
              expect(await visit()).to.deep.equal({ code: 'DEPTH_ZERO_SELF_SIGNED_CERT', kind: 'tls' });
              expect(transport.totals().opened).to.equal(0);
            });
            expect(requests).to.equal(0);
          }));

        it('sends a client certificate if the server requests one', () =>
          secured({ requestCert: true, ca: certificate.cert }, async (url) => {
            await visiting(
              url,
              async (visit) => expect(await visit()).to.include({ status: 200 }),
              {},
              { tls: { ...certificate, ca: certificate.cert } },
            );
            await visiting(
              url,
              async (visit) => expect((await visit()).kind).to.be.oneOf(['tls', 'reset']),
              {},
              { tls: { ca: certificate.cert } },
            );
          }));

        it('names the option that it cannot read', () =>
          secured({}, (url) =>
            visiting(
              url,
              async (visit) => expect(await visit()).to.have.property('code'),
              {},
              { tls: { ca: 'no certificate', cert: 'x', key: 'y' } },
            ),
          ));

        itInText('is distinguished from plain HTTP', () =>
          faulting(
            (io) => io.wait(10).then(() => io.send('HTTP/1.1 400 Bad Request\r\n\r\n')),
            async (url) => {
              await visiting(url.replace('http:', 'https:'), async (visit) =>
                expect((await visit()).kind).to.equal('tls'),
              );
            },
          ),
        );

        itInText('reads bodies that are longer than one record', async () => {
          const body = 'x'.repeat(500_000);
          const server = tls.createServer(certificate, (socket) =>
            socket
              .on('data', () => socket.write(`HTTP/1.1 200 OK\r\nContent-Length: ${body.length}\r\n\r\n${body}`))
              .on('error', () => {}),
          );
          const url = (await listen(server)).replace('http:', 'https:');
          await visiting(
            url,
            async (visit) => {
              for (let i = 0; i < 3; i++) expect((await visit()).body).to.have.lengthOf(body.length);
            },
            {},
            { tls: { ca: certificate.cert } },
          );
          await shut(server);
        });
      });
    });
  }
});

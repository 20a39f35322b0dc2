import { spawn } from 'node:child_process';
import { once } from 'node:events';
import http from 'node:http';
import net from 'node:net';

import { expect } from 'chai';

import benchrest from '../../index.js';
import { GOOD, afterGood, faulting, faulty, REFUSED_URL } from '../support/faulty-server.js';
import { scaled } from '../support/scale.js';
import { listen, shut } from '../support/serve.js';
import { itSlow } from '../support/slow.js';
import { NAMES } from '../support/transports.js';
import { awake, turns, until } from '../support/until.js';
import { balance, heapInUse, leavingNothing } from './ground.js';
import { messagesOf } from '../support/messages.js';

const LARGE = Buffer.alloc(10_000_000, 'x');

for (const httpClient of NAMES) {
  const run = (flow, options) =>
    leavingNothing(() => benchrest(flow, { limit: 10, iterations: 200, timeout: 15_000, ...options, httpClient }));
  const against = (play, flowOf, options, check) =>
    leavingNothing(() =>
      faulting(play, async (url, seen, server) => {
        const { stats } = await benchrest(flowOf(url), {
          limit: 10,
          iterations: 200,
          timeout: 15_000,
          ...options,
          httpClient,
        });
        await check(stats, seen, server);
      }),
    );

  describe(`faults of connections: ${httpClient}`, () => {
    it('F1 a refused connection is one attempt per iteration, and no request', async () => {
      const { stats } = await run(REFUSED_URL);
      balance(stats, 0);
      expect(stats.iterations.failed).to.equal(200);
      expect(stats.errors.kinds).to.deep.equal({ connect: 200 });
      expect(stats.errors.details).to.have.lengthOf(1);
      expect(stats.errors.details[0]).to.include({ code: 'ECONNREFUSED', count: 200, firstIndex: 0 });
      expect(stats.connections.opened).to.equal(0);
    });

    const times = scaled(1000, 10_000);
    itSlow(`F2 repeated refusals keep one short sample and no memory, and timers keep running`, async () => {
      let early;
      let ticks = 0;
      let failures = 0;
      const { stats } = await leavingNothing(() => {
        const refused = benchrest(REFUSED_URL, { limit: 50, iterations: times, progress: 10, httpClient });
        refused.on('progress', () => ticks++);
        refused.on('error', () => {
          failures++;
          if (failures === times / 5) early = heapInUse();
        });
        return refused;
      });
      expect(stats.errors.details).to.have.lengthOf(1);
      expect(stats.errors.details[0]).to.include({ count: times, firstIndex: 0 });
      expect(JSON.stringify(stats.errors)).to.have.length.below(1000);
      expect(heapInUse() - early).to.be.below(5e6);
      expect(ticks).to.be.above(3);
      balance(stats, 0);
    });

    it('F3 a name that does not exist is a dns failure', async () => {
      const { stats } = await run('http://x.invalid/', { iterations: 20 });
      balance(stats, 0);
      expect(Object.keys(stats.errors.kinds)).to.deep.equal(['dns']);
      expect(stats.errors.details[0].code).to.be.oneOf(['ENOTFOUND', 'EAI_AGAIN']);
    });

    itSlow('F5 a connect that never completes ends at the timeout, and its socket is closed', async () => {
      const child = spawn(
        process.execPath,
        [
          '-e',
          "require('net').createServer().listen({ port: 0, host: '127.0.0.1', backlog: 1 }, function () { console.log(this.address().port) })",
        ],
        { stdio: ['ignore', 'pipe', 'inherit'] },
      );
      const port = Number(await once(child.stdout, 'data'));
      child.kill('SIGSTOP');
      const fillers = await fillBacklog(port);
      try {
        const { stats } = await run(`http://127.0.0.1:${port}/`, { limit: 2, iterations: 4, timeout: 300 });
        balance(stats, 0);
        expect(stats.errors.details).to.have.lengthOf(1);
        expect(stats.errors.details[0]).to.include({ kind: 'timeout', code: 'E_TIMEOUT_CONNECT', count: 4 });
        expect(stats.main.histogram.min).to.be.at.least(299);
      } finally {
        for (const filler of fillers) filler.destroy();
        child.kill('SIGKILL');
        await once(child, 'close');
      }
    });

    itSlow('F7 sending 10 MB to a server that never reads ends at the timeout, and the body is in memory once', () =>
      against(
        async (io) => io.pause(),
        (url) => ({ put: url, body: LARGE }),
        { limit: 4, iterations: 8, timeout: 500 },
        (stats) => {
          balance(stats);
          expect(stats.errors.details[0]).to.include({ kind: 'timeout', code: 'E_TIMEOUT_REQUEST', count: 8 });
          expect(stats.requests.retries).to.equal(0);
        },
      ),
    );

    it('F10 a storm of resets takes one connection per iteration', () =>
      against(
        async (io) => io.rst(),
        (url) => url,
        {},
        (stats, seen) => {
          balance(stats);
          expect(stats.iterations.failed).to.equal(200);
          for (const kind of Object.keys(stats.errors.kinds)) expect(kind).to.be.oneOf(['reset', 'connect']);
          expect(seen.connections).to.be.at.most(200);
        },
      ));

    itSlow('F11 a server that closes while 10 MB are written causes one failure per iteration', () =>
      against(
        async (io) => {
          await io.wait(5);
          io.rst();
        },
        (url) => ({ put: url, body: LARGE }),
        { limit: 4, iterations: 20 },
        (stats, seen) => {
          balance(stats);
          expect(stats.errors.kinds).to.deep.equal({ reset: 20 });
          expect(stats.requests.retries).to.equal(0);
          expect(seen.connections).to.equal(20);
        },
      ),
    );

    for (const [id, status] of [
      ['F11', '413 Too Large'],
      ['F21', '200 OK'],
    ]) {
      itSlow(`${id} ${status} before 10 MB are written is the response, and the connection is not reused`, () =>
        against(
          async (io) => {
            io.pause();
            await io.wait(5);
            await io.send(`HTTP/1.1 ${status}\r\ncontent-length: 2\r\n\r\nok`);
          },
          (url) => ({ put: url, body: LARGE, afterHooks: ['ignoreStatus'] }),
          { limit: 4, iterations: 20 },
          (stats, seen) => {
            balance(stats);
            expect(stats.requests.statusCodes).to.deep.equal({ [status.slice(0, 3)]: 20 });
            expect(stats.errors.count).to.equal(0);
            expect(seen.connections).to.equal(20);
          },
        ),
      );
    }

    itSlow('F12 F15 each request whose connection closes is retried exactly once', () =>
      against(
        afterGood(1, (io) => io.fin()),
        (url) => url,
        {},
        (stats, seen) => {
          balance(stats, seen.requests);
          expect(stats.errors.count).to.equal(0);
          expect(stats.requests.answered).to.equal(200);
          expect(stats.requests.retries).to.be.within(180, 200);
        },
      ),
    );

    it('F16 a closed idle connection is noticed before sending', () => {
      let answered = 0;
      let closed = 0;
      const hook = async () => {
        await until(() => closed >= answered);
        await turns();
      };
      return against(
        async (io) => {
          for (;;) {
            await io.readRequest();
            answered++;
            await io.send(GOOD);
            await io.read();
            io.fin();
            closed++;
          }
        },
        (url) => [{ get: url, afterHooks: [hook] }],
        { iterations: 30 },
        (stats, seen) => {
          balance(stats, seen.requests);
          expect(stats.errors.count).to.equal(0);
          expect(stats.requests).to.include({ sent: 30, retries: 0 });
          expect(stats.connections.closedByServer).to.be.within(20, 30);
        },
      );
    });

    itSlow('F18 requests succeed again after a server comes back', async () => {
      const serve = async (io) => {
        for (;;) {
          await io.readRequest();
          await io.send(GOOD);
        }
      };
      await leavingNothing(async () => {
        const first = await faulty(serve);
        const { port } = new URL(first.url);
        const events = [];
        const flow = {
          get: first.url,
          afterHooks: [
            (all) => {
              events.push(all.err ? 'failed' : 'ok');
            },
          ],
        };
        const running = benchrest(flow, { limit: 10, rate: 200, duration: '1h', timeout: 15_000, httpClient });
        const more = (what, from = events.length) =>
          until(() => events.slice(from).filter((event) => event === what).length > 20);
        await more('ok');
        await first.close();
        await more('failed');
        let again;
        await until(async () => (again = await faulty(serve, { port: Number(port) }).catch(() => null)));
        await more('ok');
        running.stop();
        const { stats } = await running;
        await again.close();
        balance(stats);
        for (const kind of Object.keys(stats.errors.kinds)) expect(kind).to.be.oneOf(['connect', 'reset']);
        expect(stats.iterations.failed).to.be.above(10);
        const [from, to] = [events.indexOf('failed'), events.lastIndexOf('failed')];
        expect(from).to.be.above(10);
        expect(events.length - to, 'good ones at the end').to.be.above(5);
        expect(again.seen.connections, 'lanes that came back').to.be.within(1, 10);
      });
    });

    // no client can distinguish a single response that crosses the first request from its answer
    it('F22 a server that sends several responses first loses its connection, and no response is misassigned', () =>
      against(
        async (io) => {
          await io.send('HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nearly'.repeat(2));
          for (;;) {
            await io.readRequest();
            await io.send(GOOD);
          }
        },
        (url) => url,
        { limit: 2, iterations: 10 },
        (stats, seen) => {
          balance(stats);
          expect(stats.connections.discarded).to.be.within(8, 10);
          expect(seen.connections).to.equal(10);
        },
      ));

    it('F24 a server that accepts only 5 of 10 connections is reported', () =>
      leavingNothing(() =>
        faulting(
          async (io, id) => {
            if (id >= 5) return io.rst();
            for (;;) {
              await io.readRequest();
              await io.wait(5);
              await io.send(GOOD);
            }
          },
          async (url, seen) => {
            const { stats } = await benchrest(url, { limit: 10, iterations: 100, pause: 2, httpClient });
            balance(stats);
            expect(seen.connections).to.be.above(9);
            const { started: asked, answered: reached } = stats.virtualUsers;
            expect([asked, reached]).to.deep.equal([10, 5]);
            expect(messagesOf(stats.validity.reasons).join()).to.not.include('received a response');
          },
        ),
      ));

    describe('a response', () => {
      const long = 'HTTP/1.1 200 OK\r\nContent-Length: 5\r\nx: y\r\n\r\nhello';
      const chunks = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhe\r\n3\r\nllo\r\n0\r\n\r\n';

      for (const [name, whole, code] of [
        ['with a length', long, 'E_BODY_SHORT'],
        ['in chunks', chunks, 'E_CHUNK_SHORT'],
      ]) {
        it(`F25 F45 F49 ${name}, cut after any of its bytes, fails according to where it was cut`, () => {
          const headEnds = whole.indexOf('\r\n\r\n') + 4;
          return against(
            async (io, id) => {
              await io.readRequest();
              if (id > 0) await io.send(whole.slice(0, id));
              io.fin();
            },
            (url) => url,
            { limit: 1, iterations: whole.length },
            (stats, seen) => {
              balance(stats, seen.requests);
              expect(stats.errors.kinds).to.deep.equal({ reset: whole.length });
              expect(seen.connections).to.equal(whole.length);
              const counts = Object.fromEntries(stats.errors.details.map((sample) => [sample.code, sample.count]));
              const body = httpClient === 'builtin' ? code : 'E_BODY_SHORT';
              expect(counts).to.deep.equal({
                E_RESET_BEFORE_HEAD: 1,
                E_RESET_IN_HEAD: headEnds - 1,
                [body]: whole.length - headEnds,
              });
            },
          );
        });

        it(`${name}, in two pieces of any size, and byte by byte, is complete`, () => {
          const pieces = [...Array(whole.length).keys()]
            .map((at) => [whole.slice(0, at), whole.slice(at)])
            .concat([[...whole]]);
          return against(
            async (io) => {
              for (const parts of pieces) {
                await io.readRequest();
                for (const part of parts) {
                  await io.send(part);
                  await new Promise(setImmediate);
                }
              }
            },
            (url) => ({
              get: url,
              afterHooks: [
                ({ body }) => {
                  expect(body).to.equal('hello');
                },
              ],
            }),
            { limit: 1, iterations: pieces.length },
            (stats, seen) => {
              balance(stats, pieces.length);
              expect(stats.errors.details).to.deep.equal([]);
              expect(seen.connections).to.equal(1);
            },
          );
        });
      }
    });

    itSlow('F52 a huge body that is not needed is counted and discarded', () => {
      const piece = Buffer.alloc(1 << 20, 'x');
      const pieces = scaled(100, 1024);
      return against(
        async (io) => {
          await io.readRequest();
          await io.send(`HTTP/1.1 200 OK\r\ncontent-length: ${piece.length * pieces}\r\n\r\n`);
          for (let i = 0; i < pieces; i++) await io.send(piece);
        },
        (url) => url,
        { limit: 1, iterations: 1 },
        (stats) => {
          expect(stats.errors.details).to.deep.equal([]);
          expect(stats.bytes.received).to.be.above(piece.length * pieces);
          expect(heapInUse()).to.be.below(500e6);
        },
      );
    });

    it('F53 many chunks of one byte are joined', () => {
      const rounds = scaled(10, 100);
      return against(
        async (io) => {
          await io.readRequest();
          await io.send('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n');
          const piece = Buffer.from('1\r\nx\r\n'.repeat(10_000));
          for (let i = 0; i < rounds; i++) await io.send(piece);
          await io.send('0\r\n\r\n');
        },
        (url) => ({
          get: url,
          afterHooks: [
            ({ body }) => {
              expect(body).to.have.lengthOf(rounds * 10_000);
            },
          ],
        }),
        { limit: 1, iterations: 1 },
        (stats) => {
          expect(stats.errors.details).to.deep.equal([]);
          balance(stats, 1);
        },
      );
    });
  });
}

/** Connects until a connect hangs: then the backlog of the listening socket is full. */
async function fillBacklog(port) {
  const fillers = [];
  for (;;) {
    const socket = net.connect({ port, host: '127.0.0.1' }).on('error', () => {});
    fillers.push(socket);
    await Promise.race([once(socket, 'connect'), awake(500)]);
    await turns();
    if (socket.connecting) return fillers;
  }
}

describe('F131 a connection is closed by the server only if the server decides it', () => {
  for (const httpClient of NAMES)
    for (const [what, keepAlive, answer, closed] of [
      ['the server says so', true, { connection: 'close' }, 4],
      ['the client has asked for it', false, {}, 0],
      ['both keep it', true, {}, 0],
    ])
      it(`${httpClient}: ${what}`, async () => {
        const server = http.createServer((_, res) => res.writeHead(200, answer).end('ok'));
        const url = await listen(server);
        try {
          // a socket closes a moment after its response
          const flow = { main: [{ get: url, pause: 30 }] };
          const { stats } = await benchrest(flow, { limit: 1, iterations: 4, httpClient, keepAlive });
          expect(stats.connections.closedByServer).to.equal(closed);
        } finally {
          await shut(server);
        }
      });
});

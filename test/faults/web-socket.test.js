import { expect } from 'chai';

import benchrest from '../../index.js';
import { CLOSE_CODES } from '../../lib/addons/websocket/close-codes.js';
import { REFUSED_URL, faulting } from '../support/faulty-server.js';
import { itSlow } from '../support/slow.js';
import { until } from '../support/until.js';
import { acceptance, chatting, echo, frame } from '../support/web-socket-server.js';
import { balance, leavingNothing } from './ground.js';

const ITERATIONS = 6;

/** Runs a flow, and checks that its counters balance and that it leaves nothing behind. */
const run = (flow, options) =>
  leavingNothing(async () => {
    const { stats } = await benchrest(flow, { limit: 3, iterations: ITERATIONS, timeout: 15_000, ...options });
    balance(stats);
    return stats;
  });

/** Every iteration fails in the same way. */
async function failing(flow, [kind, code], options) {
  const stats = await run(flow, options);
  expect(stats.iterations.failed, JSON.stringify(stats.errors)).to.equal(ITERATIONS);
  expect(stats.errors.details, JSON.stringify(stats.errors)).to.have.lengthOf(1);
  expect(stats.errors.details[0]).to.include({ kind, code, count: ITERATIONS });
  return stats;
}

/** A server that answers the handshake with `answer(head)`, then plays `more(io)`. */
const handshaking = (answer, story, more = () => {}) =>
  faulting(
    async (io) => {
      const head = await io.readRequest();
      await io.send(answer(head));
      await more(io);
      return io.hang();
    },
    (url, seen) => story(url.replace('http:', 'ws:'), seen),
  );

const operation = (ws, more) => ({ ws, send: 'hello', ...more });

describe('faults of WebSockets', () => {
  it('F72 a refused connection is counted for the handshake', async () => {
    const stats = await failing(operation(REFUSED_URL.replace('http', 'ws')), ['connect', 'ECONNREFUSED']);
    expect(stats.errors.details[0].operation).to.match(/ws connect \/$/);
    expect(stats.connections.opened).to.equal(0);
  });

  for (const status of [401, 404, 503]) {
    it(`F73 a handshake that is answered with ${status} has that status`, () =>
      handshaking(
        () => `HTTP/1.1 ${status} No\r\ncontent-length: 2\r\n\r\nno`,
        async (url) => {
          const stats = await failing(operation(url), ['status', 'E_STATUS']);
          expect(stats.requests.statusCodes).to.deep.equal({ [status]: ITERATIONS });
        },
      ));
  }

  it('F73 a handshake that is answered with 200 is refused', () =>
    handshaking(
      () => 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok',
      (url) => failing(operation(url), ['protocol', 'E_WS_REFUSED']),
    ));

  it('F73 a redirect of a handshake is not followed, and its target is named', () =>
    handshaking(
      () => 'HTTP/1.1 302 Found\r\nlocation: ws://other.test/\r\ncontent-length: 0\r\n\r\n',
      async (url) => {
        const { errors } = await failing(operation(url), ['protocol', 'E_WS_REFUSED']);
        expect(errors.details[0].message).to.include('302, to ws://other.test/');
      },
    ));

  it('F74 a wrong Sec-WebSocket-Accept is malformed', () =>
    handshaking(
      (head) => acceptance(head, 'bm90IHRoZSBrZXk='),
      async (url) => {
        const { errors } = await failing(operation(url), ['protocol', 'E_WS_HANDSHAKE']);
        expect(errors.details[0].message).to.include('invalid Sec-WebSocket-Accept header');
      },
    ));

  it('F74 a subprotocol that was not offered is malformed', () =>
    handshaking(
      (head) => acceptance(head).replace('\r\n\r\n', '\r\nSec-WebSocket-Protocol: other\r\n\r\n'),
      (url) => failing(operation(url, { protocols: 'chat' }), ['protocol', 'E_WS_HANDSHAKE']),
    ));

  for (const [what, bytes, line] of [
    ['an answer that is not HTTP', 'hello\r\n\r\n', 'hello'],
    ['an alert of a server of TLS', '\x15\x03\x01\x00\x02\x02\x46', '\\x15\\x03'],
  ])
    it(`F74 ${what} is a malformed status line`, () =>
      handshaking(
        () => bytes,
        async (url) => {
          const { errors } = await failing(operation(url), ['protocol', 'E_STATUS_LINE']);
          expect(errors.details[0].message).to.include(`malformed status line: ${line}`);
        },
      ));

  it('F75 a handshake that is never answered ends at the timeout of the operation', () =>
    handshaking(
      () => '',
      async (url) => {
        const stats = await failing(operation(url, { timeout: 100 }), ['timeout', 'E_TIMEOUT_REQUEST']);
        expect(stats.errors.details[0].operation).to.include('ws connect');
      },
    ));

  it('F75 a connection that is closed instead of an answer is reset', () =>
    faulting(
      async (io) => {
        await io.readRequest();
        io.fin();
      },
      (url) => failing(operation(url.replace('http', 'ws')), ['reset', 'E_RESET_BEFORE_HEAD']),
    ));

  it('F75 a TLS handshake that is never answered ends at the time limit for connecting', () =>
    faulting(
      (io) => io.hang(),
      async (url) => {
        const stats = await failing(operation(url.replace('http', 'wss')), ['timeout', 'E_TIMEOUT_CONNECT'], {
          connectTimeout: 100,
        });
        expect(stats.requests.sent).to.equal(0);
      },
    ));

  it('F75 the answer to a handshake has at most maxHeaderSize bytes and maxHeaderFields fields', () =>
    handshaking(
      (head) => acceptance(head).replace('\r\n\r\n', `\r\n${'a: b\r\n'.repeat(500)}\r\n`),
      async (url) => {
        await failing(operation(url), ['protocol', 'E_TOO_MANY_FIELDS'], { maxHeaderFields: 100 });
        await failing(operation(url), ['protocol', 'E_HEADERS_TOO_LARGE'], { maxHeaderSize: 1000 });
      },
    ));

  it('F76 a message that is never answered ends at the timeout of the operation, and the connection is closed', () =>
    chatting(
      () => {},
      async (url, seen) => {
        const stats = await failing(operation(url, { timeout: 200 }), ['timeout', 'E_TIMEOUT_REQUEST']);
        expect(stats.errors.details[0].operation).to.include('ws message');
        await until(() => seen.closes.length === ITERATIONS);
      },
    ));

  for (const code of [1000, 1001, 1003, 1007, 1008, 1009, 1011, 1012, 1013, 1014]) {
    it(`F77 a server that closes with ${code} while an answer is awaited`, () =>
      chatting(
        (socket) => socket.on('message', () => socket.close(code, 'because')),
        async (url) => {
          const stats = await failing(operation(url), ['reset', `E_WS_CLOSED_${code}`]);
          expect(stats.errors.details[0].message)
            .to.include(`code ${code} (${CLOSE_CODES[code].meaning}): because`)
            .and.include(CLOSE_CODES[code].remedy);
          expect(stats.connections.closedByServer).to.equal(ITERATIONS);
        },
      ));
  }

  it('F77 a close frame without a code', () =>
    chatting(
      (socket) => socket.on('message', () => socket.close()),
      (url) => failing(operation(url), ['reset', 'E_WS_CLOSED_1005']),
    ));

  it("F77 a close code of the server's own is in the message", () =>
    chatting(
      (socket) => socket.on('message', () => socket.close(4321, 'quota')),
      async (url) => {
        const { errors } = await failing(operation(url), ['reset', 'E_WS_CLOSED']);
        expect(errors.details[0].message).to.include('code 4321: quota');
      },
    ));

  it('F78 a server that is gone while an answer is awaited closed without a close frame', () =>
    chatting(
      (socket) => socket.on('message', () => socket.terminate()),
      (url) => failing(operation(url), ['reset', 'E_WS_CLOSED_1006']),
    ));

  it('F78 a connection that was closed between two operations fails the next one, with the reason', () =>
    chatting(
      (socket) =>
        socket.on('message', (data) => {
          socket.send(data);
          socket.close(1001);
        }),
      (url, seen) => {
        const wait = () => until(() => seen.closes.length === seen.handshakes.length);
        return failing({ main: [operation(url, { afterHooks: [wait] }), operation(url)] }, [
          'reset',
          'E_WS_CLOSED_1001',
        ]);
      },
    ));

  it('F78 a kept connection that the server closed is opened again', () =>
    chatting(
      (socket) =>
        socket.on('message', (data) => {
          socket.send(data);
          socket.close(1000);
        }),
      async (url, seen) => {
        const hooks = { afterHooks: [() => until(() => seen.closes.length === seen.handshakes.length)] };
        const stats = await run(operation(url, { keepOpen: true, ...hooks }), { limit: 1 });
        expect(stats.iterations.completed, JSON.stringify(stats.errors)).to.equal(ITERATIONS);
        expect(seen.handshakes).to.have.lengthOf(ITERATIONS);
      },
    ));

  it('F79 pings are answered, and are no messages', () =>
    chatting(
      (socket) => {
        socket.on('message', (data) => {
          socket.ping('are you there');
          socket.once('pong', () => socket.send(data, { binary: false }));
        });
      },
      async (url) => {
        const stats = await run(operation(url, { receive: 'hello' }));
        expect(stats.iterations.completed).to.equal(ITERATIONS);
        expect(stats.messages.received).to.equal(ITERATIONS);
      },
    ));

  itSlow('F80 messages of 10 MB are sent and received', () =>
    chatting(echo, async (url) => {
      const stats = await run(
        { main: [{ ws: url, send: Buffer.alloc(10_000_000, 'x') }] },
        { iterations: 2, limit: 1 },
      );
      expect(stats.iterations.completed, JSON.stringify(stats.errors)).to.equal(2);
      expect(stats.bytes.sent).to.be.above(20_000_000);
      expect(stats.bytes.received).to.be.above(20_000_000);
    }),
  );

  it('F80 a message above maxBodySize is refused', () =>
    chatting(
      (socket) => socket.on('message', () => socket.send('x'.repeat(2000))),
      (url) => failing(operation(url), ['protocol', 'E_WS_MESSAGE_TOO_LARGE'], { maxBodySize: 1000 }),
    ));

  it('F81 a fragmented message is one message, with a ping between its fragments', () =>
    handshaking(
      acceptance,
      async (url) => {
        const stats = await run({ ws: url, receive: 'hello' });
        expect(stats.iterations.completed, JSON.stringify(stats.errors)).to.equal(ITERATIONS);
      },
      async (io) => {
        await io.send(frame('he', { fin: false }));
        await io.send(frame('', { opcode: 9 }));
        await io.send(frame('llo', { opcode: 0 }));
      },
    ));

  for (const [what, bytes] of [
    ['text that is not UTF-8', frame(Buffer.of(0xc3, 0x28))],
    ['a masked frame', frame('hello', { masked: true })],
    ['an unknown opcode', frame('hello', { opcode: 5 })],
    ['a continuation of nothing', frame('hello', { opcode: 0 })],
    ['a close frame with an invalid code', frame(Buffer.of(0, 5), { opcode: 8 })],
  ]) {
    it(`F82 ${what} is malformed`, () =>
      handshaking(
        acceptance,
        (url) => failing({ ws: url, receive: 1 }, ['protocol', 'E_WS_FRAME'], { limit: 6 }),
        (io) => io.send(bytes),
      ));
  }

  it('F83 an answer that is not the expected one fails the operation', () =>
    chatting(
      (socket) => socket.on('message', () => socket.send('bye\u001b[2J')),
      async (url) => {
        const { errors } = await failing(operation(url, { receive: 'hello' }), ['expect', 'E_WS_EXPECT']);
        expect(errors.details[0].message).to.include('message 1 is not the expected one: expected "hello", got "bye');
      },
    ));

  it('F83 more messages than expected are counted, and are no answers to what is sent later', () => {
    let pongs = 0;
    return chatting(
      (socket) => {
        socket.on('pong', () => pongs++);
        socket.on('message', (data) => {
          for (const text of [data, 'second', 'third']) socket.send(String(text));
          // the client has read them when it answers
          socket.ping();
        });
      },
      async (url, seen) => {
        const afterHooks = [() => until(() => pongs === seen.messages.length)];
        const first = operation(url, { send: 'one', receive: 'one', afterHooks });
        const stats = await run({ main: [first, operation(url, { send: 'two', receive: 'two', afterHooks })] });
        expect(stats.iterations.completed, JSON.stringify(stats.errors)).to.equal(ITERATIONS);
        expect(stats.messages.unexpected).to.equal(4 * ITERATIONS);
        expect(stats.messages.received).to.equal(6 * ITERATIONS);
      },
    );
  });

  itSlow('F83 messages that arrive while one is written that awaits no answer are counted', () =>
    chatting(
      (socket) => {
        const tick = () => {
          if (socket.readyState !== socket.OPEN) return;
          socket.send('tick');
          setImmediate(tick);
        };
        tick();
      },
      async (url) => {
        const stats = await run(
          { main: [{ ws: url, send: Buffer.alloc(3_000_000), receive: 0 }] },
          { maxBodySize: 5e6 },
        );
        expect(stats.errors.count, JSON.stringify(stats.errors)).to.equal(0);
        expect(stats.messages.unexpected).to.be.above(0);
      },
    ),
  );

  it('F83 a flood of messages that nothing expects takes little memory', () =>
    chatting(
      (socket) => {
        for (let i = 0; i < 3000; i++) socket.send(`${i}`);
        socket.on('message', (data) => socket.send(data, { binary: false }));
        socket.ping();
      },
      async (url, seen, sockets) => {
        let pongs = 0;
        sockets.on('connection', (socket) => socket.on('pong', () => pongs++));
        const flow = {
          main: [
            { ws: url, afterHooks: [() => until(() => pongs === 1)] },
            { ws: url, receive: '2000' },
          ],
        };
        const stats = await run(flow, { limit: 1, iterations: 1 });
        expect(stats.errors.count, JSON.stringify(stats.errors)).to.equal(0);
        expect(stats.messages).to.include({ received: 3000, unexpected: 2999 });
      },
    ));

  it('F84 a close that the server never completes ends at the timeout of the operation', () =>
    handshaking(acceptance, async (url) => {
      const stats = await failing({ ws: url, close: true, timeout: 100 }, ['timeout', 'E_TIMEOUT_REQUEST']);
      expect(stats.errors.details[0].operation).to.include('ws close');
    }));

  it('F84 a close that the server never completes does not hold up the end of a run', () =>
    handshaking(acceptance, async (url) => {
      const stats = await run({ ws: url });
      expect(stats.iterations.completed).to.equal(ITERATIONS);
    }));

  it('F85 a stop lets answers arrive, an abort does not wait for them, and both close all connections', async () => {
    for (const act of ['stop', 'abort']) {
      await chatting(
        (socket) => socket.on('message', () => {}),
        async (url, seen) => {
          const stats = await leavingNothing(async () => {
            const running = benchrest(operation(url), { limit: 3, iterations: 3, gracefulStop: 100, timeout: 0 });
            await until(() => seen.messages.length === 3);
            running[act]();
            return (await running).stats;
          });
          expect(stats.iterations).to.include({ started: 3, completed: 0, failed: 0, cancelled: 3 });
          expect(stats.requests).to.include({ sent: 6, answered: 3, cancelled: 3 });
          await until(() => seen.closes.length === 3);
        },
      );
    }
  });

  it('F85 a server that is gone while many wait fails each of them once', () =>
    chatting(
      () => {},
      async (url, seen, sockets) => {
        const running = benchrest(operation(url), { limit: 20, iterations: 20, timeout: 15_000 });
        await until(() => seen.messages.length === 20);
        for (const socket of sockets.clients) socket.terminate();
        const { stats } = await running;
        balance(stats);
        expect(stats.errors.details[0]).to.include({ code: 'E_WS_CLOSED_1006', count: 20 });
      },
    ));
});

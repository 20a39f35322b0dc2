import { expect } from 'chai';

import benchrest from '../../index.js';
import { brokenError } from '../../lib/addons/websocket/transport/received.js';
import { faulting } from '../support/faulty-server.js';
import { until } from '../support/until.js';
import { acceptance, chatting, frame } from '../support/web-socket-server.js';
import { balance, leavingNothing } from './ground.js';
import { messagesOf } from '../support/messages.js';

const ITERATIONS = 6;

const run = (flow, options) =>
  leavingNothing(async () => {
    const { stats } = await benchrest(flow, { limit: 3, iterations: ITERATIONS, timeout: 15_000, ...options });
    balance(stats);
    return stats;
  });

const completed = async (flow, options) => {
  const stats = await run(flow, options);
  expect(stats.iterations.completed, JSON.stringify(stats.errors)).to.equal(options?.iterations ?? ITERATIONS);
  return stats;
};

/** Sends all texts in one write, so that they arrive together. */
function together(socket, ...texts) {
  socket._socket.cork();
  for (const text of texts) socket.send(text);
  socket._socket.uncork();
}

const question = '{"id":"#{INDEX}"}';

describe('answers of WebSockets', () => {
  it('F126 a greeting that arrives with the handshake is not the answer, and is reported', () =>
    faulting(
      async (io) => {
        const head = await io.readRequest();
        await io.send(Buffer.concat([Buffer.from(acceptance(head)), frame('welcome')]));
        return io.hang();
      },
      async (url, _seen, server) => {
        const frames = [frame('answer'), frame(Buffer.of(3, 232), { opcode: 8 })];
        server.on('connection', (socket) => {
          const answers = [null, ...frames];
          socket.on('data', () => {
            const answer = answers.shift();
            if (answer) socket.write(answer);
          });
        });
        const { messages, validity } = await completed({ ws: url.replace('http:', 'ws:'), send: 'hello' });
        expect(messages).to.include({ unexpectedGreetings: ITERATIONS, unexpected: ITERATIONS, surplus: 0 });
        expect(validity.status).to.equal('suspect');
        expect(messagesOf(validity.reasons).join('\n')).to.include("read it first, { ws: '…', receive: 1 }");
      },
    ));

  it('F126 a greeting that an operation reads is no finding', () =>
    chatting(
      (socket) => {
        socket.send('welcome');
        socket.on('message', (data) => socket.send(`re ${data}`));
      },
      async (ws) => {
        const flow = {
          main: [
            { ws, receive: 'welcome' },
            { ws, send: 'a', receive: 're a' },
            { ws, send: 'b' },
          ],
        };
        const { messages, validity } = await completed(flow);
        expect(messages).to.include({ unexpectedGreetings: 0, unexpected: 0, surplus: 0 });
        expect(messagesOf(validity.reasons).join('\n')).not.to.include('unread');
      },
    ));

  it('F127 a push that arrives together with an answer is not the answer to the next message', () =>
    chatting(
      (socket) => socket.on('message', (data) => together(socket, `re ${data}`, 'push', 'push')),
      async (ws) => {
        const ask = (text) => ({ ws, send: text, receive: `re ${text}` });
        const { messages } = await completed({ main: [ask('a'), ask('b'), ask('c')] });
        expect(messages).to.include({ unexpected: 6 * ITERATIONS, unexpectedGreetings: 0 });
      },
    ));

  it('F127 a push that arrives between two operations is not the answer to the later one', () => {
    let pongs = 0;
    return chatting(
      (socket) => {
        socket.on('pong', () => pongs++);
        socket.on('message', (data) => {
          socket.send(`re ${data}`);
          setImmediate(() => {
            socket.send('push');
            socket.ping();
          });
        });
      },
      async (ws) => {
        const arrived = (_all, next) => until(() => pongs > 0).then(() => next?.());
        const main = [
          { ws, send: 'a', afterHooks: [() => arrived()] },
          { ws, send: 'b', receive: 're b' },
        ];
        const { messages, validity } = await completed({ main }, { limit: 1, iterations: 1 });
        expect(messages.surplus).to.be.above(0);
        expect(messagesOf(validity.reasons).join('\n')).to.match(
          /messages: \d more than the operations of a WebSocket expected/,
        );
      },
    );
  });

  it('F128 messages that cross the first question are found at the end of the connection', () =>
    chatting(
      (socket) => {
        // sent while the question is in flight: no client can tell it from the answer
        socket.once('message', () => socket.send('welcome'));
        socket.on('message', (data) => socket.send(`re ${data}`));
      },
      async (ws) => {
        const { messages, validity } = await completed({ ws, send: 'n #{INDEX}', keepOpen: true }, { limit: 2 });
        expect(messages.surplus).to.be.above(0);
        expect(messages.unexpectedGreetings).to.equal(0);
        expect(validity.status).to.equal('suspect');
      },
    ));

  describe('F129 match ties answers to questions', () => {
    const deep = '['.repeat(10_000) + ']'.repeat(10_000);
    const foreign = ['{"id":"other"}', '{"__proto__":{"id":"0"}}', '{"constructor":0}'];
    const noise = ['not JSON', ...foreign, deep, '{}', '[1]', 'null', '{"id":{"id":"0"}}'];
    for (const [what, send, match, answer] of [
      ['a value by JSONPath', question, { '$.id': '#{INDEX}' }, (id) => `{"of":1,"id":"${id}"}`],
      ['a number for a text', question, { '$.id': '#{INDEX}' }, (id) => `{"id":${id}}`],
      ['a text for a number', { json: { id: '#{INDEX}' } }, { '$.id': '#{INDEX}' }, (id) => `{"id":"${id}"}`],
      ['several values', question, { '$.id': '#{INDEX}', '$.type': 're' }, (id) => `{"id":"${id}","type":"re"}`],
      ['a value in a list', question, { '$.ids[*]': '#{INDEX}' }, (id) => `{"ids":["z","${id}"]}`],
      ['a comparison', question, { '$.type': { in: ['a', 'b'] } }, () => '{"type":"b"}'],
      ['a text', question, 're-#{INDEX}.', (id) => `- re-${id}. -`],
      ['a regular expression', question, /^re-\d+$/, (id) => `re-${id}`],
    ])
      it(what, () =>
        chatting(
          (socket) => {
            socket.on('message', (data) => {
              const { id } = JSON.parse(data);
              for (const text of noise) socket.send(text);
              setTimeout(() => together(socket, ...noise, answer(id), ...noise), 5);
            });
          },
          async (ws) => {
            const bodies = [];
            const afterHooks = [({ body, env }) => void bodies.push([env.index, String(body?.id ?? body)])];
            const flow = { main: [{ ws, send, match, afterHooks, keepOpen: true }] };
            const { messages, validity } = await completed(flow);
            expect(bodies).to.have.lengthOf(ITERATIONS);
            expect(messages.surplus + messages.unexpectedGreetings).to.equal(0);
            expect(messagesOf(validity.reasons).join('\n')).not.to.match(/messages:|greetings:/);
            for (const [, body] of bodies) expect(noise).not.to.include(body);
          },
        ),
      );

    it('several answers, of which each is expected', () =>
      chatting(
        (socket) => socket.on('message', () => together(socket, 'x', 'a1', 'x', 'a2', 'x')),
        (ws) => completed({ main: [{ ws, send: 'q', match: 'a', receive: ['a1', 'a2'] }] }),
      ));

    it('a hook changes it', () =>
      chatting(
        (socket) => socket.on('message', () => together(socket, 'x', 'y')),
        (ws) => {
          const beforeHooks = [({ requestOptions }) => void (requestOptions.match = 'y')];
          return completed({ main: [{ ws, send: 'q', match: 'z', receive: 'y', beforeHooks }] });
        },
      ));

    for (const [match, reason] of [
      ['', /match.*expected a text, a regular expression, or values by JSONPath/],
      [5, /match.*expected a text/],
      [{}, /match.*expected a text/],
      [{ id: 5 }, /is no JSONPath, which begins with \$: write \$\.id/],
      [{ '.id': 5 }, /is no JSONPath, which begins with \$: write \$\.id/],
      [{ '[0].id': 5 }, /is no JSONPath, which begins with \$: write \$\[0\]\.id/],
      [{ '$.id': () => 5 }, /match.*expected a JSON value/],
      [/(a+)+\1/, /match.*lookahead, a lookbehind or a backreference/],
      ['#{NOWHERE}', /match.*#\{NOWHERE\}/],
    ])
      it(`an invalid one is refused before the run: ${match instanceof RegExp ? match : JSON.stringify(match)}`, () => {
        const operation = { ws: 'ws://h.test/', send: 'a', match };
        expect(() => benchrest(operation, { iterations: 1, limit: 1 })).to.throw(reason);
      });

    for (const operation of [{ match: 'a' }, { send: 'a', receive: 0, match: 'a' }])
      it(`without an answer it is refused: ${JSON.stringify(operation)}`, () => {
        const start = () => benchrest({ ws: 'ws://h.test/', ...operation }, { iterations: 1, limit: 1 });
        expect(start).to.throw('has no effect: the operation waits for no message');
      });
  });

  it('F130 a burst of pings ends no connection, and the last one is answered', () => {
    const pongs = [];
    return chatting(
      (socket) => {
        socket.on('pong', (data) => pongs.push(String(data)));
        for (let i = 0; i < 5000; i++) socket.ping(`${i}`);
        socket.on('message', (data) => socket.send(data, { binary: false }));
      },
      async (ws) => {
        const { connections } = await completed({ ws, send: 'a', keepOpen: true }, { limit: 1, iterations: 20 });
        expect(connections.closedByServer).to.equal(0);
        // the last one is answered in any case (RFC 6455 5.5.3)
        await until(() => pongs.at(-1) === '4999');
      },
    );
  });

  it('F131 too many parts of a message are a limit of ours, and are not blamed on the server', () =>
    faulting(
      async (io) => {
        await io.send(acceptance(await io.readRequest()));
        const part = Buffer.of(0, 0);
        await io.send(Buffer.concat([Buffer.of(1, 0), Buffer.alloc(2 * (2 ** 18 + 1), part)]));
        return io.hang();
      },
      async (url) => {
        const stats = await run({ ws: url.replace('http:', 'ws:'), receive: 1 }, { limit: 1, iterations: 1 });
        expect(stats.errors.details[0]).to.include({ code: 'E_WS_TOO_MANY_PARTS', kind: 'protocol' });
        expect(stats.errors.details[0].message).to.match(
          /^WebSocket closed by bench-rest: a message has more than 262144/,
        );
        expect(stats.connections.closedByServer).to.equal(0);
      },
    ));

  it('F131 an error of the socket that is no reset is not the end by the server', () => {
    const timedOut = Object.assign(new Error('read ETIMEDOUT'), { code: 'ETIMEDOUT' });
    expect(brokenError(timedOut)).to.equal(timedOut);
    expect(brokenError(Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' }))).to.equal(null);
    expect(brokenError(null)).to.equal(null);
  });
});

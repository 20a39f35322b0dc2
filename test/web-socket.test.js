import http from 'node:http';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect } from 'chai';
import { WebSocketServer } from 'ws';

import benchrest from '../index.js';
import { open } from '../lib/addons/websocket/transport/index.js';
import { CERTIFICATES } from './support/certificate.js';
import { commandHere } from './support/command.js';
import { here } from './support/threads-here.js';
import { requestTo } from './support/transports.js';
import { uncaught } from './support/uncaught.js';
import { chatting, echo } from './support/web-socket-server.js';
import { until } from './support/until.js';
import { balance } from './faults/ground.js';

/** Runs a flow that must succeed. */
async function run(flow, options) {
  const { stats } = await benchrest(flow, { limit: 2, iterations: 4, timeout: 15_000, ...options });
  balance(stats);
  expect(stats.errors.count, JSON.stringify(stats.errors.details)).to.equal(0);
  return stats;
}

const rowsOf = ({ operations }) => operations.map(({ phase, name, count }) => `${phase}: ${name} ${count}`);

describe('WebSockets', () => {
  it('expected messages are a check; a number of messages is none', () =>
    chatting(echo, async (url) => {
      const main = [
        { ws: url, send: 'n #{INDEX}', receive: 'n #{INDEX}' },
        { ws: url, send: 'n #{INDEX}', receive: /[02]/ },
        { ws: url, send: 'x', receive: 1 },
      ];
      const { stats } = await benchrest({ main }, { limit: 2, iterations: 4, timeout: 15_000 });
      balance(stats);
      expect(stats.errors.kinds).to.deep.equal({ expect: 2 });
      expect(stats.checks).to.include({ passed: 6, failed: 2 });
      const [first, second] = stats.checks.details;
      expect(first).to.include({ name: 'messages', path: 'flow.main[0].receive', passed: 4, failed: 0 });
      expect(second).to.include({ path: 'flow.main[1].receive', passed: 2, failed: 2 });
      expect(second.firstFailure.index).to.equal(1);
      expect(second.firstFailure.message).to.match(/^message 1 is not the expected one/);
    }));

  it('messages are repeated on one connection, which is opened and closed once', () =>
    chatting(echo, async (url) => {
      let count = 0;
      const send = () => `n ${count++}`;
      const main = [
        { ws: url, send, receive: 1, repeat: 3, close: true },
        { ws: url, send: 'x', repeat: 2 },
      ];
      const { stats } = await benchrest({ main }, { limit: 1, iterations: 2, timeout: 15_000 });
      expect([stats.errors.count, count]).to.deep.equal([0, 6]);
      expect(rowsOf(stats).map((row) => row.replace(/ws:.*\//, ''))).to.deep.equal([
        'main: ws connect / 2',
        'main: ws message / 6',
        'main: ws close / 2',
        'main: ws connect / 2',
        'main: ws message / 4',
      ]);
    }));

  it('the time of a message ends when it arrives, before it is checked', () =>
    chatting(echo, async (url) => {
      const { parse } = JSON;
      const main = [1, 2].map((n) => ({ ws: url, send: { json: { n } }, receive: { json: { n } } }));
      const started = benchrest({ main }, { limit: 1, iterations: 2, timeout: 15_000 });
      let last = 0;
      let checkedAt = 0;
      const times = [];
      started.on('response', ({ operation, serviceTime }) => {
        if (operation.includes('message')) times.push([serviceTime, checkedAt - last]);
        last = performance.now();
      });
      JSON.parse = (text) => {
        checkedAt = performance.now();
        while (performance.now() < checkedAt + 3);
        return parse(text);
      };
      try {
        const { errorCount } = await started;
        expect(errorCount).to.equal(0);
      } finally {
        JSON.parse = parse;
      }
      expect(times.length).to.equal(4);
      for (const [ms, most] of times) expect(ms).to.be.at.most(most);
    }));

  it('an internal error of the receiver of a message is not blamed on the server', () =>
    chatting(echo, async (url) => {
      const transport = open({ maxBodySize: 1000, maxHeaderSize: 1000, maxHeaderFields: 100 });
      const connection = transport.connect(requestTo(url).endpoint);
      const send = (task, receiver) => connection.send({ ...requestTo(url), task }, 'status', receiver);
      await new Promise((onResponse, onError) => send({ kind: 'connect', protocols: [] }, { onResponse, onError }));
      const errors = [];
      const thrown = uncaught();
      send(
        { kind: 'message', messages: ['a'], expected: [null], isAnswer: null },
        {
          onResponse() {
            throw new Error('internal');
          },
          onError: (error) => errors.push(error.message),
        },
      );
      expect((await thrown).message).to.equal('internal');
      expect(errors).to.deep.equal([]);
      connection.close();
      await transport.close();
    }));

  it('a URL alone sends messages in a row, on one connection per virtual user that is closed at the end', () =>
    chatting(echo, async (url, seen) => {
      const stats = await run(`${url}/echo`, { iterations: 40, limit: 4 });
      expect(rowsOf(stats)).to.deep.equal(['main: ws connect /echo 4', 'main: ws message /echo 40']);
      expect(seen.handshakes.map((one) => one.url)).to.deep.equal(Array(4).fill('/echo'));
      expect(seen.messages).to.deep.equal(Array(40).fill('hello'));
      expect(stats.requests.count).to.equal(44);
      expect(stats.messages).to.include({ sent: 40, received: 40, unexpected: 0 });
      expect(stats.messages.receivedRate).to.be.closeTo(40_000 / stats.measuredElapsed, 1e-6);
      expect(stats.connections.connect.count).to.equal(4);
      expect(stats.connections).to.include({ opened: 4, closedByServer: 0 });
      expect(stats.virtualUsers).to.include({ started: 4, answered: 4 });
      expect(stats.bytes.received).to.be.above(40 * 'hello'.length);
      await until(() => seen.closes.length === 4);
      expect(seen.closes).to.deep.equal(Array(4).fill(1000));
    }));

  it('the command takes ws:// URLs, reports messages per second, and has a threshold for them', () =>
    chatting(echo, async (url) => {
      const { code, stdout } = await commandHere([
        '-n',
        '20',
        '-c',
        '2',
        '--threshold',
        'messages.receivedRate>0',
        `${url}/echo`,
      ]);
      expect(stdout).to.match(/20 messages received, [\d.,]+\/s/);
      expect(stdout).to.include('ws message /echo');
      expect(code).to.equal(0);
    }));

  it('operations of one iteration use one connection, which is closed at its end', () =>
    chatting(echo, async (url, seen) => {
      const stats = await run({
        baseUrl: url.replace('ws:', 'http:'),
        beforeMain: [{ ws: '/chat' }],
        main: [
          { get: '/items' },
          { ws: '/chat', send: 'a #{INDEX}', receive: 'a #{INDEX}' },
          { ws: '/chat', send: 'b' },
        ],
        afterMain: [{ ws: '/chat', close: { code: 4000, reason: 'done' } }],
      });
      expect(rowsOf(stats)).to.deep.equal([
        'beforeMain: ws connect /chat 4',
        'main: GET /items 4',
        'main: ws message /chat 4',
        'main: ws message /chat 4',
        'afterMain: ws close /chat 4',
      ]);
      expect(seen.handshakes).to.have.lengthOf(4);
      await until(() => seen.closes.length === 4);
      expect(seen.closes).to.deep.equal(Array(4).fill(4000));
      expect(new Set(seen.messages)).to.deep.equal(new Set(['a 0', 'a 1', 'a 2', 'a 3', 'b']));
      expect(stats.requests.statusCodes).to.deep.equal({ 101: 16, 200: 4 });
    }));

  it('before and after share a connection, which iterations do not use', () =>
    chatting(echo, async (url, seen) => {
      const send = (text) => [{ ws: url, send: text }];
      await run({ before: send('first'), main: send('main'), after: send('last') }, { iterations: 2 });
      expect(seen.messages).to.deep.equal(['first', 'main', 'main', 'last']);
      expect(seen.handshakes).to.have.lengthOf(3);
    }));

  it('a handshake and a close can be measured alone', () =>
    chatting(echo, async (url) => {
      const stats = await run({ ws: url, close: true });
      expect(rowsOf(stats)).to.deep.equal(['main: ws connect / 4', 'main: ws close / 4']);
    }));

  it('messages are text, JSON, binary data or lists, and so is what is expected', () =>
    chatting(echo, async (url, seen) => {
      await run(
        {
          main: [
            { ws: url, send: { json: { id: '#{INDEX}', more: [1, 2] } }, receive: { json: { id: '#{INDEX}' } } },
            { ws: url, send: Buffer.of(0, 255), receive: Buffer.of(0, 255) },
            { ws: url, send: ['one', { json: 2 }], receive: [/^o/g, { json: 2 }] },
            { ws: url, send: 'three', receive: 1 },
            { ws: url, send: 'nothing comes back', receive: 0 },
          ],
        },
        { iterations: 1 },
      );
      await until(() => seen.messages.length === 6);
      expect(seen.messages).to.deep.equal([
        '{"id":"0","more":[1,2]}',
        Buffer.of(0, 255),
        'one',
        '2',
        'three',
        'nothing comes back',
      ]);
    }));

  it('an operation that only expects takes messages that have arrived since the operation before it', () =>
    chatting(
      (socket) => {
        socket.send('welcome');
        socket.send('news');
      },
      async (url) => {
        const stats = await run({
          main: [{ ws: url }, { ws: url, receive: 'welcome' }, { ws: url, receive: ['news'] }],
        });
        expect(stats.messages).to.include({ sent: 0, received: 8 });
      },
    ));

  it('headers, credentials, cookies and subprotocols are sent in the handshake, and its cookies are kept', () =>
    chatting(
      echo,
      async (url, seen, sockets) => {
        sockets.on('headers', (headers) => headers.push('Set-Cookie: seat=#1; Path=/'));
        await run(
          {
            main: [
              { get: `${url.replace('ws', 'http')}/login`, beforeHooks: [({ env }) => env.jar.setCookie('a=b', url)] },
              { ws: `${url}/x`, qs: { n: '#{INDEX}' }, headers: { 'X-Tag': 't' }, protocols: ['chat', 'other'] },
              { ws: `${url}/again` },
            ],
          },
          { iterations: 1, user: 'joe', password: 'secret', headers: { Connection: 'close', 'X-All': '1' } },
        );
        const [first, second] = seen.handshakes;
        expect(first.url).to.equal('/x?n=0');
        expect(first.headers).to.include({
          'x-tag': 't',
          'x-all': '1',
          connection: 'Upgrade',
          cookie: 'a=b',
          'sec-websocket-protocol': 'chat,other',
          authorization: `Basic ${Buffer.from('joe:secret').toString('base64')}`,
        });
        expect(second.headers.cookie).to.equal('a=b; seat=#1');
      },
      { handleProtocols: () => 'chat' },
    ));

  it('a handshake answers a challenge of the server', () => {
    const verifyClient = ({ req }, done) =>
      req.headers.authorization ? done(true) : done(false, 401, '', { 'WWW-Authenticate': 'Basic realm="x"' });
    return chatting(
      echo,
      async (url) => {
        const auth = { user: 'joe', pass: 'x', sendImmediately: false };
        const { stats } = await benchrest({ ws: url, auth, send: 'hello' }, { limit: 1, iterations: 1 });
        expect(stats.errors.count).to.equal(0);
        expect(stats.requests).to.include({ sent: 3, answered: 3, authChallenges: 1, count: 2 });
      },
      { verifyClient },
    );
  });

  it('TLS properties apply to wss://', () =>
    chatting(
      echo,
      async (url) => {
        const stats = await run({ ws: url, ca: CERTIFICATES.ca, send: 'hello' });
        expect(stats.connections.tls.count).to.equal(4);
        const { stats: refused } = await benchrest(url, { iterations: 2, limit: 1 });
        balance(refused);
        expect(refused.errors.kinds).to.deep.equal({ tls: 2 });
      },
      { tls: CERTIFICATES.here },
    ));

  it('a unix socket has WebSockets, too', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'bench-rest-'));
    const path = join(folder, 'socket');
    const server = http.createServer();
    const sockets = new WebSocketServer({ server });
    sockets.on('connection', echo);
    await new Promise((resolve) => server.listen(path, resolve));
    try {
      await run({ ws: `unix:${path}:/chat`, send: 'hello' });
      await run({ ws: 'ws://localhost/chat', socketPath: path, send: 'hello' });
    } finally {
      for (const socket of sockets.clients) socket.terminate();
      await new Promise((resolve) => server.close(resolve));
      rmSync(folder, { recursive: true });
    }
  });

  it('after-hooks read the messages, and the close of the server', () =>
    chatting(
      (socket) => {
        socket.on('message', (data, binary) => socket.send(data, { binary }));
      },
      async (url) => {
        const seen = [];
        const note = (all) => {
          const { statusCode, messages, close, headers } = all.response;
          seen.push({ body: all.body, statusCode, messages, close, upgrade: headers.upgrade });
        };
        const common = { ws: url, afterHooks: [note, 'verify2XX'] };
        await run(
          {
            main: [
              common,
              { ...common, send: { json: { a: 1 } } },
              { ...common, send: ['x', Buffer.of(1)] },
              { ...common, close: 3000 },
            ],
          },
          { iterations: 1 },
        );
        const head = { statusCode: 101, upgrade: 'websocket' };
        expect(seen).to.deep.equal([
          { ...head, body: undefined, messages: [], close: undefined },
          { ...head, body: { a: 1 }, messages: ['{"a":1}'], close: undefined },
          { ...head, body: ['x', Buffer.of(1)], messages: ['x', Buffer.of(1)], close: undefined },
          { ...head, body: undefined, messages: [], close: { code: 3000, reason: '' } },
        ]);
      },
    ));

  it('before-hooks change the handshake, the messages and what is expected', () =>
    chatting(echo, async (url, seen) => {
      const options = [];
      const change = (changes) => (all) => {
        options.push(all.requestOptions.send);
        Object.assign(all.requestOptions, changes);
      };
      await run(
        {
          main: [
            { ws: url, beforeHooks: [change({ headers: { 'X-Hook': 'yes' }, qs: { a: 1 } })] },
            { ws: url, send: 'n #{INDEX}', beforeHooks: [change({ send: ['x', 'y'], receive: ['x', /y/] })] },
          ],
        },
        { iterations: 1 },
      );
      expect(options).to.deep.equal([undefined, 'n 0']);
      expect(seen.handshakes[0]).to.deep.include({ url: '/?a=1' });
      expect(seen.handshakes[0].headers).to.include({ 'x-hook': 'yes' });
      expect(seen.messages).to.deep.equal(['x', 'y']);
    }));

  for (const [what, change, message] of [
    ['the URL', { ws: 'ws://other.test/' }, 'requestOptions.ws cannot be changed by a hook'],
    ['headers of an open connection', { headers: { a: 'b' } }, 'it may change send, receive, match, timeout, pause'],
    ['a message to a number', { send: 5 }, 'requestOptions.send expected a text'],
    ['the method', { method: 'PUT' }, 'requestOptions.method cannot be changed'],
  ]) {
    it(`N8 a before-hook that changes ${what} fails`, () =>
      chatting(echo, async (url) => {
        const hook = (all) => void Object.assign(all.requestOptions, change);
        const { stats } = await benchrest({ ws: url, send: 'a', beforeHooks: [hook] }, { iterations: 1, limit: 1 });
        expect(stats.errors.kinds).to.deep.equal({ hook: 1 });
        expect(stats.errors.details[0].message).to.include(message);
      }));
  }

  it('an arrival rate, a warm-up, a maximum rate and preallocated messages apply', () =>
    chatting(echo, async (url, seen) => {
      const stats = await run(url, { rate: 200, iterations: 20, limit: 4, warmup: '100ms' });
      expect(stats.iterations.completed).to.equal(20);
      expect(stats.messages.received).to.equal(20);
      expect(seen.messages.length).to.be.above(20);
      const paced = await run(url, { ratePerUser: 100, iterations: 3, limit: 1, maxRequests: 3 });
      expect(paced.iterations.completed).to.equal(3);
      await run({ ws: url, send: 'n #{INDEX}', receive: 'n #{INDEX}' }, { prealloc: 2 });
    }));

  it('options that would break its connections are refused before the run', () => {
    const refused = (options) => () => benchrest('ws://127.0.0.1:1/', { limit: 1, iterations: 1, ...options });
    expect(refused({ pipelining: 2, httpClient: 'builtin' })).to.throw(
      /runOptions\.pipelining: each virtual user has WebSockets of its own \(flow\.main\[0\]\): remove pipelining/,
    );
    expect(refused({ keepAlive: false })).to.throw(/runOptions\.keepAlive: is for HTTP/);
    expect(refused({ proxy: 'http://127.0.0.1:2' })).to.throw(
      /flow\.main\[0\]: WebSockets cannot be sent through a proxy/,
    );
    expect(refused({ requestsPerConnection: 2 })).to.throw(/runOptions\.requestsPerConnection: would close WebSockets/);
  });

  it('messages and the handshake come from functions and tokens of the flow, called once for each operation', () =>
    chatting(echo, async (url, seen) => {
      const called = [];
      const returning = (name, value) => () => (called.push(name), value);
      await run(
        {
          tokens: { room: returning('room', 'a "b"'), late: async () => 7 },
          main: [
            {
              ws: `${url}/#{room}`,
              headers: returning('headers', { 'X-Own': 'yes' }),
              qs: { n: returning('qs', 1) },
              send: [
                '#{room}',
                { json: { room: '#{room}', n: returning('n', { deep: [1] }) } },
                returning('buffer', Buffer.of(1)),
                async () => ({ json: [2] }),
                { json: returning('json', 5) },
              ],
              receive: [returning('expect', 'a "b"'), { json: { n: { deep: [returning('one', 1)] } } }, /./, /./, '5'],
            },
            { ws: `${url}/#{room}`, send: () => 'x#{INDEX}', receive: 1 },
            { ws: `${url}/#{room}`, send: '#{late}', receive: '7', close: true },
          ],
        },
        { iterations: 1 },
      );
      expect(seen.handshakes[0].url).to.equal('/a%20%22b%22?n=1');
      expect(seen.handshakes[0].headers).to.include({ 'x-own': 'yes' });
      const json = '{"room":"a \\"b\\"","n":{"deep":[1]}}';
      expect(seen.messages).to.deep.equal(['a "b"', json, Buffer.of(1), '[2]', '5', 'x#{INDEX}', '7']);
      const sorted = [...called].sort().join();
      expect(sorted).to.equal('buffer,expect,headers,json,n,one,qs,room,room,room');
    }));

  it('a function that returns no message fails the messages; one in the handshake fails that', () =>
    chatting(echo, async (url) => {
      const failed = async (operation) => {
        const { stats } = await benchrest({ ws: url, ...operation }, { iterations: 1, limit: 1 });
        balance(stats);
        return `${stats.errors.details[0].operation}: ${stats.errors.details[0].message}`;
      };
      expect(await failed({ send: () => 5 })).to.match(
        /ws message .*: flow\.main\[0\]\.send returned 5: return a text/,
      );
      expect(await failed({ send: [() => ['a']] })).to.match(/flow\.main\[0\]\.send\[0\] returned an array/);
      expect(await failed({ send: { json: { a: () => 5n } } })).to.match(/flow\.main\[0\]\.send\.json\.a returned/);
      expect(await failed({ send: 'a', headers: () => 5 })).to.match(
        /ws connect .*: flow\.main\[0\]\.headers returned 5/,
      );
    }));

  it('a before-hook reads and changes what functions returned', () =>
    chatting(echo, async (url, seen) => {
      const change = ({ requestOptions }) => {
        expect(requestOptions.send).to.deep.equal({ json: { n: 1 } });
        requestOptions.send.json.n++;
      };
      const operation = { ws: url, send: { json: { n: () => 1 } }, receive: { json: { n: 2 } }, beforeHooks: [change] };
      await run(operation, { iterations: 1 });
      expect(seen.messages).to.deep.equal(['{"n":2}']);
    }));

  it('hooks leave messages out, end the iteration, stop the run, and know times and bytes', () =>
    chatting(echo, async (url, seen) => {
      const known = [];
      const stats = await run(
        {
          main: [
            { ws: url, send: 'one', beforeHooks: [(all) => void (all.env.index === 0 && all.skip())] },
            {
              ws: url,
              send: ['two', '2'],
              afterHooks: [
                (all) => {
                  known.push([all.serviceTime > 0, all.ttfb > 0, all.bodyBytes]);
                  if (all.env.index === 1) all.end();
                  if (all.env.index === 2) all.stop();
                },
              ],
            },
            { ws: url, send: 'three' },
          ],
          afterMain: [{ ws: url, close: true }],
        },
        { limit: 1, iterations: 10 },
      );
      expect(seen.messages.join()).to.equal('two,2,three,one,two,2,one,two,2,three');
      expect(known).to.deep.equal(Array(3).fill([true, true, 4]));
      expect(stats.requests.skipped).to.equal(1);
      expect(stats.iterations).to.include({ completed: 3, endedEarly: 1 });
      await until(() => seen.closes.length === 3);
      expect(seen.closes).to.deep.equal([1000, 1000, 1000]);
    }));

  it('cookies of the operation and of the run are sent in the handshake', () =>
    chatting(echo, async (url, seen) => {
      await run({ ws: url, send: 'a', cookies: { own: 1 } }, { iterations: 1, cookies: { all: 'x' } });
      expect(seen.handshakes[0].headers.cookie.split('; ').sort()).to.deep.equal(['all=x', 'own=1']);
    }));

  it('TLS options of the run apply to wss://', () =>
    chatting(
      echo,
      async (url) => {
        const stats = await run(url, { ca: CERTIFICATES.ca, tlsMin: 1.3 });
        expect(stats.connections.tls.count).to.equal(2);
      },
      { tls: CERTIFICATES.here },
    ));

  it('-b is the message of a ws:// URL, and --expect-body the one that is expected', () =>
    chatting(echo, async (url, seen) => {
      const { code } = await commandHere([
        '-n',
        '2',
        '-c',
        '1',
        '-b',
        'n #{INDEX}',
        '--expect-body',
        'n #{INDEX}',
        url,
      ]);
      expect(code).to.equal(0);
      expect(seen.messages).to.deep.equal(['n 0', 'n 1']);
    }));

  it('a refused connection sent nothing', async () => {
    const { stats } = await benchrest('ws://127.0.0.1:1/', { limit: 1, iterations: 2 });
    balance(stats);
    expect(stats.errors.kinds).to.deep.equal({ connect: 2 });
    expect(stats.bytes).to.include({ sent: 0, received: 0 });
    expect(stats.connections.opened).to.equal(0);
  });

  it('workers share the load', () =>
    chatting(echo, async (url, seen) => {
      // each virtual user has its share, however late its worker begins
      const options = { iterations: 20, limit: 4, maxRequestsPerUser: 5, workers: 2 };
      const stats = await here('workers', () => run(url, options));
      expect(stats.iterations.completed).to.equal(20);
      expect(stats.messages.received).to.equal(20);
      expect(seen.handshakes).to.have.lengthOf(4);
    }));

  it('--debug prints the handshake, the messages and the close', () =>
    chatting(echo, async (url) => {
      const { stdout, stderr } = await commandHere(['--debug', '-e', `{ ws: '${url}/chat', send: 'hi', close: true }`]);
      const text = stdout + stderr;
      expect(text).to.match(/> GET ws:.*\/chat/);
      expect(text).to.match(/> MESSAGE ws:.*\/chat\n>\n> hi\n/);
      expect(text).to.match(/< 101[^]*< hi\n/);
      expect(text).to.match(/> CLOSE ws:/);
    }));
});

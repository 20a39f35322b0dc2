import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import http from 'node:http';
import net from 'node:net';
import { join } from 'node:path';
import tls from 'node:tls';
import { gzipSync } from 'node:zlib';

import { expect } from 'chai';
import WebSocket from 'ws';

import { Authority } from '../lib/addons/record/certificate.js';
import { correlate } from '../lib/addons/import/correlation/correlate.js';
import { replaceSecrets } from '../lib/addons/import/secrets.js';
import { writeFlow } from '../lib/addons/import/write-flow.js';
import { CERTIFICATES } from './support/certificate.js';
import { ROOT, command } from './support/command.js';
import { exchanges } from './support/exchanges.js';
import { inFolder } from './support/in-folder.js';
import { recording } from './support/recording.js';
import { serving } from './support/serve.js';
import { itSlow } from './support/slow.js';
import { chatting, echo } from './support/web-socket-server.js';
import { until } from './support/until.js';

/** A connection through a tunnel of the proxy to the target. */
async function tunnel(proxy, target) {
  const { hostname, port } = new URL(proxy);
  const request = http.request({ hostname, port, method: 'CONNECT', path: new URL(target).host }).end();
  const [response, socket] = await new Promise((resolve, reject) => {
    request.once('connect', (...both) => resolve(both));
    request.once('error', reject);
  });
  expect(response.statusCode).to.equal(200);
  return socket;
}

/** A certificate authority, whose own one clients know. */
const authority = () => {
  const { cert, key } = CERTIFICATES.middle;
  return new Authority({ text: cert, name: 'ca.pem' }, { text: key, name: 'ca.pem' });
};

const overTls = (socket, ca) => tls.connect({ socket, servername: 'here.test', ca });

const json = (res, value, headers = {}, status = 200) =>
  res.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(value));

describe('record', () => {
  it('the guide shows the flow of its five requests', () => {
    const token = 'eyJhbGciOiJIUzI1NiJ9.eyJ1c2VyIjoiYW5uIn0.c2lnbmF0dXJl';
    const headers = { Authorization: `Bearer ${token}` };
    const draft = correlate(
      exchanges(
        ['POST http://localhost:3000/login', { json: { user: 'ann', password: 'pw' } }, { json: { token } }],
        [
          'POST http://localhost:3000/items',
          { json: { name: 'lamp' }, headers },
          { status: 201, json: { id: 17, name: 'lamp' } },
        ],
        ['GET http://localhost:3000/items/17', { headers }, { headers: { ETag: '"v1"' } }],
        [
          'PUT http://localhost:3000/items/17',
          { json: { name: 'lamp', price: 40 }, headers: { ...headers, 'If-Match': '"v1"' } },
        ],
        ['DELETE http://localhost:3000/items/17', { headers }, 204],
      ),
    );
    const guide = readFileSync(join(ROOT, 'docs/guide/recording.md'), 'utf8');
    const [, shown] = /^```js imported\n(.*?)^```$/ms.exec(guide);
    expect(writeFlow(replaceSecrets(draft), 'mjs')).to.equal(shown);
  });

  itSlow('a command becomes a flow, and its exit code that of bench-rest', () =>
    serving(
      (req, res) => (req.method === 'POST' ? json(res, { id: 41 }, {}, 201) : json(res, {})),
      (target, seen) =>
        inFolder(
          async (cwd) => {
            const words = [process.execPath, 'story.mjs'];
            const args = ['record', '--target', target, '--port', '0', '-o', 'flow.yaml', '--', ...words];
            const { code, stderr } = await command(args, { cwd });
            expect(code, stderr).to.equal(3);
            expect(readFileSync(join(cwd, 'flow.yaml'), 'utf8')).to.contain("get: '/items/#{itemId}'");
            expect(stderr).to.contain('wrote flow.yaml: 2 operations');
            const from = seen.length;
            const run = await command(['-n', '2', '-c', '1', 'flow.yaml'], { cwd });
            expect(run.code, run.stderr).to.equal(0);
            expect(seen.slice(from).map(({ line }) => line)).to.deep.equal([
              ...['POST /items', 'GET /items/41', 'POST /items', 'GET /items/41'],
            ]);
          },
          {
            'story.mjs': `
              const { BASE_URL } = process.env;
              const { id } = await (await fetch(BASE_URL + '/items', { method: 'POST', body: '{"a":1}', headers: { 'content-type': 'application/json' } })).json();
              await (await fetch(BASE_URL + '/items/' + id)).text();
              process.exit(3);`,
          },
        ),
    ),
  );

  it('without a command, Ctrl-C ends the recording', () =>
    serving(
      (req, res) => json(res, {}),
      (target) =>
        inFolder(async (cwd) => {
          const { code } = await command(['record', '--target', target, '--port', '0', '-o', 'flow.json'], {
            cwd,
            async act(child, heard) {
              const [, url] = await heard(/requests to (http:\/\/\S+?),/);
              await (await fetch(`${url}/a`)).text();
              child.kill('SIGINT');
            },
          });
          expect(code).to.equal(0);
          expect(JSON.parse(readFileSync(join(cwd, 'flow.json'), 'utf8'))).to.deep.include({
            baseUrl: target,
            main: [{ get: '/a' }],
          });
        }),
    ));

  itSlow('several clients become one flow each, or one with --merge', () =>
    serving(
      (req, res) => json(res, {}),
      (target) =>
        inFolder(
          async (cwd) => {
            const args = ['record', '--target', target, '--port', '0', '-o', 'flow.json'];
            await command([...args, '--', process.execPath, 'story.mjs'], { cwd });
            const main = (name) => JSON.parse(readFileSync(join(cwd, name), 'utf8')).main;
            expect([main('flow.json'), main('flow-2.json')]).to.deep.equal([
              [{ get: '/a' }, { get: '/c' }, { get: '/without-agent' }],
              [{ get: '/b' }],
            ]);
            await command([...args, '--force', '--merge', '--', process.execPath, 'story.mjs'], { cwd });
            expect(main('flow.json').map(({ get }) => get)).to.deep.equal(['/a', '/b', '/c', '/without-agent']);
          },
          {
            'story.mjs': `
              import http from 'node:http';
              for (const [path, agent] of [['/a', 'one'], ['/b', 'two'], ['/c', 'one']])
                await (await fetch(process.env.BASE_URL + path, { headers: { 'user-agent': agent } })).text();
              await new Promise((resolve) => http.get(process.env.BASE_URL + '/without-agent', (res) => res.resume().on('end', resolve)));`,
          },
        ),
    ),
  );

  itSlow('a recording without requests, a missing program and a file that exists are errors', () =>
    inFolder(
      async (cwd) => {
        const record = (...words) =>
          command(['record', '--target', 'http://127.0.0.1:9', '--port', '0', '-o', 'flow.mjs', '--', ...words], {
            cwd,
          });
        const none = await record(process.execPath, '-e', '0');
        expect([none.code, existsSync(join(cwd, 'flow.mjs'))]).to.deep.equal([1, false]);
        expect(none.stderr).to.contain(
          'nothing was recorded, and no flow is written: does the program send its requests to BASE_URL?',
        );
        const missing = await record('no-such-program');
        expect(missing.code).to.equal(2);
        expect(missing.stderr).to.contain('no-such-program was not started: ENOENT');
        const taken = await command(['record', '--target', 'http://127.0.0.1:9', '-o', 'taken.mjs'], { cwd });
        expect(taken.stderr).to.contain('taken.mjs exists');
      },
      { 'taken.mjs': '' },
    ),
  );

  itSlow('a recording whose folder is gone is written beside files that exist', () =>
    serving(
      (req, res) => json(res, {}),
      (target) =>
        inFolder(
          async (cwd) => {
            mkdirSync(join(cwd, 'sub'));
            const words = ['-o', 'sub/flow.json', '--', process.execPath, 'story.mjs'];
            const { code, stderr } = await command(['record', '--target', target, '--port', '0', ...words], { cwd });
            expect([code, stderr]).to.satisfy(([exit, text]) => exit === 1 && text.includes('the flow is in '));
            expect(readFileSync(join(cwd, 'flow.json'), 'utf8')).to.equal('mine');
            expect(JSON.parse(readFileSync(join(cwd, 'flow-2.json'), 'utf8')).main).to.deep.equal([{ get: '/a' }]);
          },
          {
            'story.mjs': `
              import { rmSync, writeFileSync } from 'node:fs';
              await (await fetch(process.env.BASE_URL + '/a')).text();
              writeFileSync('flow.json', 'mine');
              rmSync('sub', { recursive: true });`,
          },
        ),
    ),
  );

  for (const [args, reason] of [
    [['-o', 'f.mjs'], '--target is missing'],
    [['--target', 'http://localhost:1'], '-o is missing'],
    [['--target', 'http://localhost:1/path', '-o', 'f.mjs'], 'scheme, host and port'],
    [['--target', 'http://localhost:8080', '-o', 'f.mjs'], 'is the address of the proxy'],
    [['--target', 'http://localhost:1', '-o', 'no-folder/f.mjs'], 'does not exist'],
    [['--target', 'http://localhost:1', '-o', 'f.txt'], 'extension .mjs, .yaml or .json'],
    [['--target', 'http://localhost:1', '-o', 'f.mjs', '--again'], '--again needs a command'],
    [['--target', 'http://localhost:1', '--proxy', '-o', 'f.mjs'], 'use either --target or --proxy'],
    [['--target', 'http://localhost:1', '--ca', 'ca.pem', '-o', 'f.mjs'], '--ca belongs to --proxy'],
    [['--proxy', '--ca-key', 'ca.key', '-o', 'f.mjs'], '--ca-key needs --ca'],
  ])
    it(`record ${args.join(' ')}: ${reason}`, async () => {
      const { code, stderr } = await command(['record', ...args]);
      expect([code, stderr]).to.satisfy(([exit, text]) => exit === 2 && text.includes(reason));
    });

  it('a port that is in use is named', () =>
    serving(
      (req, res) => res.end(),
      async (target) => {
        const { port } = new URL(target);
        const { code, stderr } = await command([
          'record',
          '--target',
          'http://127.0.0.1:9',
          '--port',
          port,
          '-o',
          'none.mjs',
        ]);
        expect([code, stderr]).to.satisfy(
          ([exit, text]) => exit === 2 && text.includes(`port ${port} of 127.0.0.1 is in use`),
        );
      },
    ));

  it('forwards what it gets: method, fields, chunked bodies; and records the decoded response', () =>
    serving(
      (req, res, text) =>
        res
          .writeHead(201, { 'content-encoding': 'gzip', 'x-two': ['a', 'b'], 'content-type': 'text/plain' })
          .end(gzipSync(`got ${text}`)),
      async (target, seen) => {
        const { exchanges } = await recording(target, async (url) => {
          const body = new ReadableStream({
            start(controller) {
              controller.enqueue(Buffer.from('in '));
              controller.enqueue(Buffer.from('pieces'));
              controller.close();
            },
          });
          const response = await fetch(`${url}/a//b?x=%20y`, {
            method: 'PATCH',
            body,
            duplex: 'half',
            headers: { 'x-own': '1' },
          });
          expect([response.status, response.headers.get('x-two'), await response.text()]).to.deep.equal([
            201,
            'a, b',
            'got in pieces',
          ]);
        });
        expect(seen[0]).to.deep.include({ line: 'PATCH /a//b?x=%20y', body: 'in pieces' });
        expect(seen[0].headers).to.include({
          'x-own': '1',
          host: new URL(target).host,
          'transfer-encoding': 'chunked',
        });
        expect(exchanges).to.have.length(1);
        expect(exchanges[0].request).to.deep.include({
          method: 'PATCH',
          url: `${target}/a//b?x=%20y`,
          body: Buffer.from('in pieces'),
        });
        expect(exchanges[0].response.body.toString()).to.equal('got in pieces');
      },
    ));

  it('absolute URLs in texts, and Location, lead to the proxy; the recording has those of the target', () =>
    serving(
      (req, res) => json(res, { next: `http://${req.headers.host}/b` }, { location: `http://${req.headers.host}/c` }),
      async (target) => {
        const { exchanges } = await recording(target, async (url) => {
          const response = await fetch(`${url}/a`);
          expect(await response.json()).to.deep.equal({ next: `${url}/b` });
          expect(response.headers.get('location')).to.equal(`${url}/c`);
        });
        expect(exchanges[0].response.body.toString()).to.equal(`{"next":"${target}/b"}`);
      },
    ));

  it('100-continue: the body is sent when the target asks for it', async () => {
    const server = http.createServer((req, res) => req.resume().on('end', () => res.end('ok')));
    const asked = [];
    server.on('checkContinue', (req, res) => {
      asked.push(req.headers.expect);
      res.writeContinue();
      req.resume().on('end', () => res.end('ok'));
    });
    await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { exchanges } = await recording(`http://127.0.0.1:${server.address().port}`, async (url) => {
      const request = http.request(`${url}/x`, {
        method: 'PUT',
        headers: { expect: '100-continue', 'content-length': 4 },
      });
      request.flushHeaders();
      await new Promise((resolve) => request.once('continue', resolve));
      const [response] = await Promise.all([
        new Promise((resolve) => request.once('response', resolve)),
        request.end('body'),
      ]);
      await response.resume().toArray();
    });
    await new Promise((resolve) => server.close(resolve));
    expect(asked).to.deep.equal(['100-continue']);
    expect(exchanges.map(({ request }) => request.body.toString())).to.deep.equal(['body']);
  });

  it('100-continue: the connection to a target that refuses it, and stays open, is closed', async () => {
    const server = net.createServer((socket) =>
      socket.once('data', () => socket.write('HTTP/1.1 417 Expectation Failed\r\nContent-Length: 0\r\n\r\n')),
    );
    const closed = new Promise((resolve) =>
      server.once('connection', (socket) => socket.on('error', () => {}).once('close', resolve)),
    );
    await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
    await recording(`http://127.0.0.1:${server.address().port}`, async (url) => {
      const request = http.request(`${url}/x`, {
        method: 'PUT',
        headers: { expect: '100-continue', 'content-length': 4 },
      });
      request.flushHeaders();
      const response = await new Promise((resolve) => request.once('response', resolve));
      expect(response.statusCode).to.equal(417);
      await response.resume().toArray();
      await closed;
      request.destroy();
    });
    await new Promise((resolve) => server.close(resolve));
  });

  it('a WebSocket is recorded with its messages', () =>
    chatting(echo, async (target) => {
      const { exchanges } = await recording(target.replace('ws:', 'http:'), async (url) => {
        const socket = new WebSocket(`${url.replace('http:', 'ws:')}/chat`);
        await new Promise((resolve) => socket.once('open', resolve));
        const answer = new Promise((resolve) => socket.once('message', resolve));
        socket.send('hello');
        expect(String(await answer)).to.equal('hello');
        socket.close();
        await new Promise((resolve) => socket.once('close', resolve));
      });
      expect(
        exchanges.map(({ request, messages }) => [request.url, messages.map(({ from, data }) => [from, data])]),
      ).to.deep.equal([
        [
          `${target}/chat`,
          [
            ['client', 'hello'],
            ['server', 'hello'],
          ],
        ],
      ]);
    }));

  it('a refusal of a WebSocket that breaks off ends the connection of the client', async () => {
    const server = net.createServer((socket) =>
      socket.once('data', () => socket.end('HTTP/1.1 403 Forbidden\r\nContent-Length: 10\r\n\r\nhalf')),
    );
    await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { exchanges } = await recording(`http://127.0.0.1:${server.address().port}`, async (url) => {
      const socket = net.connect(new URL(url).port, '127.0.0.1');
      socket.write(`GET / HTTP/1.1\r\nHost: ${new URL(url).host}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n`);
      const answer = Buffer.concat(await socket.toArray()).toString();
      expect(answer).to.match(/^HTTP\/1\.1 403 Forbidden\r\n[^]*half$/);
    });
    await new Promise((resolve) => server.close(resolve));
    expect(exchanges.map(({ response }) => response.status)).to.deep.equal([403]);
  });

  it('a client that stops in the middle of a request is not recorded, and the proxy goes on', () =>
    serving(
      (req, res) => res.end('ok'),
      async (target) => {
        const { exchanges, lacks } = await recording(target, async (url, proxy) => {
          const socket = net.connect(new URL(url).port, '127.0.0.1');
          const half = `POST /half HTTP/1.1\r\nHost: ${new URL(url).host}\r\nContent-Length: 100\r\n\r\nhalf`;
          await new Promise((resolve) => socket.write(half, resolve));
          socket.destroy();
          await until(() => proxy.recorder.lacks().length > 0);
          await (await fetch(`${url}/whole`)).text();
        });
        expect(exchanges.map(({ request }) => new URL(request.url).pathname)).to.deep.equal(['/whole']);
        expect(lacks).to.deep.equal([{ what: '1 request', why: 'the client stopped before the response' }]);
      },
    ));

  it('requests that the proxy answers itself, and those in flight at the end, are named', () =>
    serving(
      (req, res) => (req.url === '/stream' ? res.write('data: 1\n\n') : undefined),
      async (target, seen) => {
        const { exchanges, lacks } = await recording(target, async (url, proxy) => {
          const { port } = new URL(url);
          for (const head of [
            `GET / HTTP/1.1\r\nHost: x\r\nA: ${'a'.repeat(17_000)}`,
            'NONSENSE',
            'CONNECT a:1 HTTP/1.1\r\nHost: a',
          ])
            await new Promise((resolve) =>
              net
                .connect(port, '127.0.0.1')
                .on('error', () => {})
                .once('close', resolve)
                .resume()
                .write(`${head}\r\n\r\n`),
            );
          const stream = await fetch(`${url}/stream`);
          stream.text().catch(() => {});
          fetch(`${url}/hangs?token=1`).catch(() => {});
          await until(() => seen.length === 2);
          expect(proxy.recorder.lacks()).to.have.lengthOf(3);
        });
        expect(exchanges.map(({ response }) => response.hasNoEnd)).to.deep.equal([true]);
        expect(lacks.map(({ why }) => why.replace(/HPE_\w+/, 'code'))).to.deep.equal([
          'has header fields above 16 KiB: the proxy answered it with 400',
          'is malformed (code): the proxy answered it with 400',
          'CONNECT asks for a tunnel, which only a forward proxy opens; see --proxy',
          'GET /hangs was in flight when the recording ended',
        ]);
      },
    ));

  it('a target that dies: the client gets 502, or a connection that ends, and it is named', async () => {
    const server = net.createServer((socket) =>
      socket
        .on('error', () => {})
        .once('data', (bytes) => {
          if (!String(bytes).startsWith('GET /half')) return socket.destroy();
          return socket.write('HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf', () => socket.destroy());
        }),
    );
    await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
    const target = `http://127.0.0.1:${server.address().port}`;
    const { exchanges, lacks } = await recording(target, async (url) => {
      const response = await fetch(`${url}/none`, { method: 'POST' });
      expect([response.status, await response.text()]).to.deep.equal([
        502,
        `bench-rest record: ${target} did not answer: ECONNRESET\n`,
      ]);
      const half = await fetch(`${url}/half`)
        .then((res) => res.text())
        .catch(() => 'failed');
      expect(half).to.equal('failed');
    });
    await new Promise((resolve) => server.close(resolve));
    expect(exchanges.map(({ request, response }) => [new URL(request.url).pathname, response.isCut])).to.deep.equal([
      ['/half', true],
    ]);
    expect(lacks).to.deep.equal([{ what: '1 request', why: `${target} did not answer: ECONNRESET` }]);
  });

  it('a body above 4 MiB is forwarded, and named as not recorded', () =>
    serving(
      (req, res, text) => res.end(String(text.length)),
      async (target) => {
        const size = 5 * 1024 * 1024;
        const { exchanges } = await recording(target, async (url) => {
          const response = await fetch(`${url}/upload`, { method: 'POST', body: Buffer.alloc(size, 'x') });
          expect(await response.text()).to.equal(String(size));
        });
        expect(exchanges[0].request).to.deep.include({
          bodyLacks: `has ${size} bytes, more than a recording keeps`,
          body: Buffer.alloc(0),
        });
      },
    ));

  it('a forward proxy records requests to any server, and tunnels TLS unrecorded', () =>
    serving(
      (req, res) => res.end('ok'),
      async (target) => {
        const { exchanges, lacks } = await recording(null, async (url) => {
          const { hostname, port } = new URL(url);
          const text = await new Promise((resolve, reject) =>
            http
              .get({ hostname, port, path: `${target}/a`, headers: { host: new URL(target).host } }, (res) =>
                res.toArray().then((all) => resolve(String(Buffer.concat(all)))),
              )
              .on('error', reject),
          );
          expect(text).to.equal('ok');
          for (const first of ['\x16\x03\x01', 'STARTTLS\r\n']) {
            const socket = await tunnel(url, target);
            socket.end(first, 'latin1');
            await new Promise((resolve) => socket.once('close', resolve).resume());
          }
          expect((await fetch(url)).status).to.equal(400);
        });
        expect(exchanges.map(({ request }) => request.url)).to.deep.equal([`${target}/a`]);
        expect(lacks).to.deep.equal([
          {
            what: '1 request',
            why: `TLS to ${new URL(target).host}: it is tunnelled, and cannot be read without --ca`,
          },
          { what: '1 request', why: `${new URL(target).host}: it is tunnelled, and neither TLS nor HTTP` },
          { what: '1 request', why: 'names no server: the proxy answered it with 400' },
        ]);
      },
    ));

  /** Sends `hello` by a WebSocket through the connection that `connect` opens; resolves with the echo. */
  const chatThrough = async (url, createConnection) => {
    const socket = new WebSocket(url, { createConnection });
    await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject));
    const answer = new Promise((resolve) => socket.once('message', (data) => resolve(String(data))));
    socket.send('hello');
    expect(await answer).to.equal('hello');
    socket.close();
    await new Promise((resolve) => socket.once('close', resolve));
  };

  it('HTTP and WebSockets in tunnels are recorded', () =>
    chatting(echo, async (target) => {
      const { exchanges, lacks } = await recording(null, async (url) => {
        const socket = await tunnel(url, target);
        const bytes = new Promise((resolve) => socket.toArray().then((all) => resolve(String(Buffer.concat(all)))));
        for (const piece of ['G', 'ET /a HTTP/1.1\r\nHo', 'st: x\r\nConnection: close\r\n\r\n']) {
          socket.write(piece);
          await new Promise(setImmediate);
        }
        expect(await bytes).to.match(/^HTTP\/1.1 200 OK/);
        const chat = await tunnel(url, target);
        await chatThrough(`${target}/chat`, () => chat);
      });
      expect(exchanges.map(({ request }) => request.url)).to.deep.equal([
        `${target.replace('ws:', 'http:')}/a`,
        `${target}/chat`,
      ]);
      expect(exchanges[1].messages.map(({ data }) => data)).to.deep.equal(['hello', 'hello']);
      expect(lacks).to.deep.equal([]);
    }));

  it('with an authority, TLS in tunnels is recorded, and WebSockets in it', () =>
    chatting(
      echo,
      async (target) => {
        const { exchanges, lacks } = await recording(
          null,
          async (url) => {
            const secure = overTls(await tunnel(url, target), CERTIFICATES.ca);
            secure.write('GET /a HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
            expect(String(Buffer.concat(await secure.toArray()))).to.match(/^HTTP\/1.1 200 OK/);
            const chat = overTls(await tunnel(url, target), CERTIFICATES.ca);
            await chatThrough(`${target}/chat`, () => chat);
          },
          { authority: authority(), insecure: true },
        );
        expect(exchanges.map(({ request }) => request.url)).to.deep.equal([
          `${target.replace('wss:', 'https:')}/a`,
          `${target}/chat`,
        ]);
        expect(exchanges[1].messages.map(({ data }) => data)).to.deep.equal(['hello', 'hello']);
        expect(lacks).to.deep.equal([]);
      },
      { tls: CERTIFICATES.here },
    ));

  it('a client that closes a tunnel in the handshake of TLS is named', () =>
    serving(
      (req, res) => res.end('ok'),
      async (target) => {
        const { lacks } = await recording(
          null,
          async (url, proxy) => {
            // The beginning of a hello, and a malformed one.
            for (const [i, hello] of [
              Buffer.of(0x16, 3, 1, 0, 200, 1),
              Buffer.of(0x16, 3, 1, 0, 5, 1, 0, 0, 1, 0),
            ].entries()) {
              (await tunnel(url, target)).end(hello);
              await until(() => proxy.recorder.lacks().length > i);
            }
          },
          { authority: authority() },
        );
        expect(lacks.map(({ why }) => why.replace(/ERR_\w+/, 'code'))).to.deep.equal(
          ['it closed the connection', 'code'].map(
            (reason) =>
              `TLS to ${new URL(target).host}: the client refused it, does it trust the authority of --ca? (${reason})`,
          ),
        );
      },
    ));

  itSlow('--ca is checked before the command runs, which gets its variables', () =>
    inFolder(
      async (folder) => {
        for (const [files, message] of [
          ['--ca none.pem', /none.pem does not exist/],
          ['--ca other.key', /cannot record: other.key is no certificate in PEM; --ca needs/],
          ['--ca ca.pem --ca-key other.key', /the key in other.key does not belong to the certificate/],
          ['--ca ca.pem --ca-key locked.key', /locked.key has a private key with a passphrase/],
          ['--ca here.pem', /the certificate in here.pem is not one of an authority/],
        ]) {
          const args = ['record', '--proxy', ...files.split(' '), '--port', '0', '-o', 'flow.mjs', '--', 'false'];
          const { code, stderr } = await command(args, { cwd: folder });
          expect(stderr).to.match(message);
          expect(code).to.equal(2);
        }
        const script = 'const e = process.env; console.log(e.HTTPS_PROXY === e.http_proxy, e.NODE_EXTRA_CA_CERTS)';
        const words = ['--', process.execPath, '-e', script];
        const { stdout } = await command(
          ['record', '--proxy', '--ca', 'ca.pem', '--port', '0', '-o', 'flow.mjs', ...words],
          { cwd: folder },
        );
        expect(stdout).to.equal(`true ${join(folder, 'ca.pem')}\n`);
      },
      {
        'ca.pem': `${CERTIFICATES.middle.cert}${CERTIFICATES.middle.key}`,
        'other.key': CERTIFICATES.here.key,
        'here.pem': `${CERTIFICATES.here.cert}${CERTIFICATES.here.key}`,
        'locked.key': CERTIFICATES.lockedKey,
      },
    ),
  );
});

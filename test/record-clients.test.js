import { once } from 'node:events';
import http from 'node:http';
import net from 'node:net';
import { brotliCompressSync, gzipSync } from 'node:zlib';

import { expect } from 'chai';

import { recording } from './support/recording.js';
import { listen, ok, serving, shut } from './support/serve.js';
import { until } from './support/until.js';

/** Sends bytes to the proxy; resolves with what comes back until the proxy closes the connection. */
/** Writes texts to a connection; `Host: x` in them becomes the host of the URL. */
async function talk(url, ...texts) {
  const { host, hostname, port } = new URL(url);
  const socket = net.connect(Number(port), hostname.replace(/[[\]]/g, ''));
  for (const text of texts) socket.write(typeof text === 'string' ? text.replace('Host: x', `Host: ${host}`) : text);
  return Buffer.concat(await socket.toArray()).toString();
}
const sent = (exchanges) => exchanges.map(({ request }) => `${request.method} ${new URL(request.url).pathname}`);

describe('record: clients', () => {
  it('a client of HTTP/1.0 without Host gets its response, and the end of the connection', () =>
    serving(ok, async (target) => {
      const { exchanges } = await recording(target, async (url) => {
        expect(await talk(url, 'GET /old HTTP/1.0\r\n\r\n')).to.match(/^HTTP\/1\.1 200 OK\r\n[^]*\r\n\r\nok$/);
      });
      expect(sent(exchanges)).to.deep.equal(['GET /old']);
    }));

  it('pipelined requests reach the target one after the other, and are recorded in their order', async () => {
    const open = new Set();
    let most = 0;
    const slow = (request, response) => {
      open.add(response);
      most = Math.max(most, open.size);
      setImmediate(() => setImmediate(() => open.delete(response) && response.end(request.url)));
    };
    await serving(slow, async (target, seen) => {
      const { exchanges } = await recording(target, async (url) => {
        const { host } = new URL(url);
        const post = `POST /a HTTP/1.1\r\nHost: ${host}\r\nContent-Length: 2\r\n\r\nhi`;
        const get = `GET /b HTTP/1.1\r\nHost: ${host}\r\n\r\n`;
        const last = `GET /c HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`;
        const answers = await talk(url, post + get + last);
        expect(answers.match(/\/[abc](?=HTTP|$)/g)).to.deep.equal(['/a', '/b', '/c']);
      });
      expect([most, ...seen.map(({ line }) => line)]).to.deep.equal([1, 'POST /a', 'GET /b', 'GET /c']);
      expect(sent(exchanges)).to.deep.equal(['POST /a', 'GET /b', 'GET /c']);
    });
  });

  it('a malformed request is counted once, and refused after the response to the request before it', () =>
    serving(
      (request, response) => setImmediate(() => response.end('first')),
      async (target) => {
        const { exchanges, lacks } = await recording(target, async (url) => {
          const answers = await talk(url, `GET / HTTP/1.1\r\nHost: x\r\n\r\nNONSENSE\r\n\r\n${'x'.repeat(500_000)}`);
          expect(answers).to.match(/^HTTP\/1\.1 200 OK\r\n[^]*firstHTTP\/1\.1 400 Bad Request\r\n/);
        });
        expect(sent(exchanges)).to.deep.equal(['GET /']);
        expect(lacks.map(({ what }) => what)).to.deep.equal(['1 request']);
      },
    ));

  it('a tunnel forwards mail, chat and HTTP/2 without TLS as they are, and ends when an unused one ends', async () => {
    const server = net.createServer({ allowHalfOpen: true }, (socket) =>
      socket.once('data', (bytes) => socket.end(bytes)).once('end', () => socket.end()),
    );
    const { port } = new URL(await listen(server));
    try {
      const { lacks } = await recording(null, async (url) => {
        for (const first of ['PRI * HTTP/2.0\r\n\r\n', 'EHLO host.example\r\n', 'USER harry\r\n']) {
          const answer = await talk(url, `CONNECT 127.0.0.1:${port} HTTP/1.1\r\nHost: x\r\n\r\n`, first);
          expect(answer.split('Established\r\n\r\n')[1]).to.equal(first);
        }
        const unused = net.connect(Number(new URL(url).port), '127.0.0.1');
        unused.end(`CONNECT 127.0.0.1:${port} HTTP/1.1\r\nHost: x\r\n\r\n`);
        expect(String(Buffer.concat(await unused.toArray()))).to.match(/^HTTP\/1\.1 200 /);
      });
      expect(lacks).to.deep.equal([
        { what: '3 requests', why: `127.0.0.1:${port}: it is tunnelled, and neither TLS nor HTTP` },
      ]);
    } finally {
      await shut(server);
    }
  });

  it('a tunnel to a server that does not answer is refused with 502, and named', async () => {
    const { lacks } = await recording(null, async (url) =>
      expect(await talk(url, 'CONNECT 127.0.0.1:1 HTTP/1.1\r\nHost: x\r\n\r\n')).to.match(/^HTTP\/1\.1 502 /),
    );
    expect(lacks).to.deep.equal([{ what: '1 request', why: '127.0.0.1:1 did not answer: ECONNREFUSED' }]);
  });

  it('a handshake of TLS that is in flight at the end is not named as refused', async () => {
    const server = net.createServer();
    const { port } = new URL(await listen(server));
    let isRead = false;
    const authority = { contextFor: () => void (isRead = true) };
    try {
      const { lacks } = await recording(
        null,
        async (url) => {
          const socket = net.connect(Number(new URL(url).port), '127.0.0.1').on('error', () => {});
          socket.write(`CONNECT 127.0.0.1:${port} HTTP/1.1\r\nHost: x\r\n\r\n`);
          socket.write(Buffer.of(0x16, 3, 1, 0, 200, 1, 0, 0, 196));
          await until(() => isRead);
        },
        { authority },
      );
      expect(lacks.map(({ why }) => why)).to.deep.equal([
        `TLS to 127.0.0.1:${port}: the handshake was in flight when the recording ended`,
      ]);
    } finally {
      await shut(server);
    }
  });

  it('a forward proxy reads the server from the URL, also if Host is empty', () =>
    serving(ok, async (target) => {
      const { exchanges } = await recording(null, async (url) =>
        expect(await talk(url, `GET ${target}/a HTTP/1.1\r\nHost:\r\nConnection: close\r\n\r\n`)).to.match(/ok$/),
      );
      expect(sent(exchanges)).to.deep.equal(['GET /a']);
    }));

  it('a host that is no address of this machine is named', () =>
    recording(null, () => {}, { host: '192.0.2.1' }).then(
      () => expect.fail(),
      ({ message }) => expect(message).to.include('192.0.2.1 is no address of this machine; let --host name one'),
    ));

  it('an upgrade to h2c, as clients of Java ask for it, is ignored: the request is sent with its body', () =>
    serving(
      (request, response, text) => response.end(`got ${text} ${request.headers.upgrade}`),
      async (target) => {
        const { exchanges } = await recording(target, async (url) => {
          const { hostname, port } = new URL(url);
          const socket = net.connect(Number(port), hostname);
          const fields = 'Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk\r\n';
          socket.write(`POST /a HTTP/1.1\r\nHost: ${new URL(url).host}\r\n${fields}Content-Length: 5\r\n\r\nhello`);
          // Node 24.9 and newer lose what is pipelined behind such a request.
          const [first] = await once(socket, 'data');
          socket.write(`GET /b HTTP/1.1\r\nHost: ${new URL(url).host}\r\nConnection: close\r\n\r\n`);
          const answers = Buffer.concat([first, ...(await socket.toArray())]).toString();
          expect(answers).to.contain('got hello undefined').and.contain('got  undefined');
        });
        expect(sent(exchanges)).to.deep.equal(['POST /a', 'GET /b']);
        expect(exchanges[0].request.body.toString()).to.equal('hello');
      },
    ));

  for (const [title, continues] of [
    ['does not know 100-continue gets the body after a second', false],
    ['sends 100-continue after that second gets the body once', true],
  ])
    it(`a target that ${title}`, async () => {
      let text = '';
      let socket;
      const target = net.createServer((one) => {
        socket = one;
        socket.on('data', (bytes) => {
          text += bytes;
          if (text.endsWith('body')) setTimeout(() => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok'), 50);
        });
        socket.on('error', () => {});
      });
      const url = await listen(target);
      const { exchanges } = await recording(url, async (proxy) => {
        const request = http.request(`${proxy}/x`, {
          method: 'PUT',
          headers: { expect: '100-continue', 'content-length': 4 },
        });
        request.flushHeaders();
        request.once('continue', () => {
          if (continues) socket.write('HTTP/1.1 100 Continue\r\n\r\n');
          setTimeout(() => request.end('body'), 50);
        });
        const [response] = await new Promise((resolve) => request.once('response', (...all) => resolve(all)));
        expect(Buffer.concat(await response.toArray()).toString()).to.equal('ok');
      });
      await shut(target);
      expect(text.match(/body/g)).to.deep.equal(['body']);
      expect(exchanges.map(({ request }) => request.body.toString())).to.deep.equal(['body']);
    });

  it('a target that refuses 100-continue is answered at once, and the request is named', async () => {
    const server = http.createServer();
    server.on('checkContinue', (request, response) => response.writeHead(417, { connection: 'close' }).end());
    const target = await listen(server);
    const { exchanges, lacks } = await recording(target, async (url) => {
      const fields = 'Host: x\r\nExpect: 100-continue\r\nContent-Length: 4\r\nConnection: close';
      expect(await talk(url, `PUT /x HTTP/1.1\r\n${fields}\r\n\r\n`)).to.match(/^HTTP\/1\.1 417 /);
    });
    await shut(server);
    expect([exchanges.length, lacks[0].why]).to.deep.equal([0, 'the request was not complete when it was answered']);
  });

  for (const [coding, encode] of [
    ['gzip', gzipSync],
    ['br', brotliCompressSync],
  ])
    it(`absolute URLs in texts with ${coding} lead to the proxy`, () =>
      serving(
        (request, response) =>
          response
            .writeHead(200, { 'content-type': 'text/html', 'content-encoding': coding })
            .end(encode(`<a href="http://${request.headers.host}/b">`)),
        async (target) => {
          const { exchanges } = await recording(target, async (url) => {
            const response = await fetch(`${url}/a`);
            expect([response.headers.get('content-encoding'), await response.text()]).to.deep.equal([
              coding,
              `<a href="${url}/b">`,
            ]);
          });
          expect(exchanges[0].response.body.toString()).to.equal(`<a href="${target}/b">`);
        },
      ));

  it('a body that is not of its coding ends the response, and the proxy goes on', () =>
    serving(
      (request, response) =>
        response.writeHead(200, { 'content-type': 'text/html', 'content-encoding': 'gzip' }).end('plain'),
      async (target) => {
        const { exchanges } = await recording(target, async (url) => {
          for (let i = 0; i < 2; i++) {
            const read = async () => (await fetch(`${url}/a`)).text();
            expect(await read().catch(() => 'broken')).to.equal('broken');
          }
        });
        expect(exchanges).to.have.length(2);
      },
    ));

  it('a parameter with the address of the proxy has that of the target', () =>
    serving(ok, async (target, seen) => {
      const { exchanges } = await recording(target, async (url) => {
        const to = encodeURIComponent(`${url}/back`);
        await fetch(`${url}/login?to=${to}`, { method: 'POST', body: new URLSearchParams({ to: `${url}/back` }) });
      });
      const to = encodeURIComponent(`${target}/back`);
      expect(seen[0].line).to.equal(`POST /login?to=${to}`);
      expect(exchanges[0].request.url).to.equal(`${target}/login?to=${to}`);
      expect(exchanges[0].request.body.toString()).to.equal(`to=${to}`);
    }));

  it('proxy and target may have addresses of IPv6', async function () {
    const server = http.createServer((request, response) => response.end(request.headers.host));
    const failure = await new Promise((resolve) => server.once('error', resolve).listen(0, '::1', () => resolve(null)));
    if (failure) return this.skip();
    const target = `http://[::1]:${server.address().port}`;
    const { exchanges } = await recording(
      target,
      async (url) => {
        expect(url).to.match(/^http:\/\/\[::1\]:\d+$/);
        expect(await (await fetch(`${url}/a`)).text()).to.equal(new URL(target).host);
      },
      { host: '::1' },
    );
    await shut(server);
    expect(exchanges.map(({ request }) => request.url)).to.deep.equal([`${target}/a`]);
  });
});

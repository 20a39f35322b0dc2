import { once } from 'node:events';
import http from 'node:http';
import net from 'node:net';

import { expect } from 'chai';

import { webListener } from '../../../lib/addons/server/web-listener.js';
import { listen, shut } from '../../support/serve.js';

/** A story about a server whose requests a function of web standards answers. */
async function answering(handler, story) {
  const server = http.createServer(webListener({ fetch: handler }));
  try {
    return await story(await listen(server));
  } finally {
    await shut(server);
  }
}

/** The response to a request as it was written. */
async function raw(url, text) {
  const { port } = new URL(url);
  const socket = net.connect(port, '127.0.0.1').end(text);
  let received = '';
  for await (const chunk of socket) received += chunk;
  return received;
}

const stream = (chunks) =>
  new ReadableStream({
    async pull(controller) {
      const next = chunks.shift();
      if (next instanceof Error) controller.error(next);
      else if (next === undefined) controller.close();
      else controller.enqueue(new TextEncoder().encode(await next));
    },
  });

describe('C40 run/server/web-listener', () => {
  it('passes on method, URL, header fields and body', () =>
    answering(
      async (request) => Response.json([request.method, request.url, request.headers.get('x-a'), await request.text()]),
      async (url) => {
        const init = {
          method: 'PUT',
          headers: [
            ['x-a', '1'],
            ['x-a', '2'],
          ],
          body: 'text',
        };
        expect(await (await fetch(`${url}/a%20b?c=d`, init)).json()).to.deep.equal([
          'PUT',
          `${url}/a%20b?c=d`,
          '1, 2',
          'text',
        ]);
      },
    ));

  it('passes on status, reason, header fields and each cookie', () =>
    answering(
      () => {
        const headers = [
          ['set-cookie', 'a=1; Expires=Wed, 21 Oct 2037 07:28:00 GMT'],
          ['set-cookie', 'b=2'],
          ['x-a', '1'],
        ];
        return new Response('made', { status: 201, statusText: 'Made', headers });
      },
      async (url) => {
        const response = await fetch(url);
        expect([response.status, response.statusText, await response.text()]).to.deep.equal([201, 'Made', 'made']);
        expect(response.headers.getSetCookie()).to.deep.equal(['a=1; Expires=Wed, 21 Oct 2037 07:28:00 GMT', 'b=2']);
      },
    ));

  for (const [method, status] of [
    ['HEAD', 200],
    ['GET', 204],
    ['GET', 304],
  ]) {
    it(`a response to ${method} with ${status} has no body`, () =>
      answering(
        () => new Response(status === 200 ? 'body' : null, { status }),
        async (url) => {
          for (let i = 0; i < 2; i++) expect(await (await fetch(url, { method })).text()).to.equal('');
        },
      ));
  }

  it('bodies are streamed both ways: the first chunk arrives before the last one is sent', () =>
    answering(
      (request) => new Response(request.body),
      async (url) => {
        let send;
        const second = new Promise((resolve) => (send = resolve));
        const response = await fetch(url, { method: 'POST', body: stream(['one', second]), duplex: 'half' });
        const reader = response.body.getReader();
        expect(Buffer.from((await reader.read()).value).toString()).to.equal('one');
        send('two');
        expect(Buffer.from((await reader.read()).value).toString()).to.equal('two');
        expect((await reader.read()).done).to.equal(true);
      },
    ));

  it('a body of several megabytes arrives complete', () =>
    answering(
      async (request) => new Response((await request.arrayBuffer()).byteLength),
      async (url) => {
        const body = Buffer.alloc(5_000_000, 'x');
        expect(await (await fetch(url, { method: 'POST', body })).text()).to.equal('5000000');
      },
    ));

  it('a body that is not read, or not to its end, does not hold up the next request on the connection', () => {
    const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
    const handler = async (request) => {
      if (request.url.endsWith('/first')) await request.body.getReader().read();
      return new Response('ok');
    };
    return answering(handler, async (url) => {
      for (const path of ['/none', '/first', '/none']) {
        const request = http.request(url + path, { method: 'POST', agent }).end(Buffer.alloc(2_000_000));
        const [response] = await once(request, 'response');
        expect((await response.toArray()).join('')).to.equal('ok');
      }
      agent.destroy();
    });
  });

  for (const [what, handler] of [
    [
      'a function that throws',
      () => {
        throw new Error('ouch');
      },
    ],
    ['a function that rejects', () => Promise.reject(new Error('ouch'))],
    ['a function that throws a text', () => Promise.reject('ouch')],
    ['a function that throws null', () => Promise.reject(null)],
    ['a function that throws what has no text', () => Promise.reject(Object.create(null))],
    ['a function that returns nothing', () => {}],
    ['a function that returns a text', () => 'text'],
    ['a body that was read already', () => readResponse()],
  ]) {
    it(`${what} answers 500`, () =>
      answering(handler, async (url) => {
        const response = await fetch(url);
        expect(response.status).to.equal(500);
        expect(await response.text()).to.match(/ouch|no Response|read already|null|cannot be converted/);
      }));
  }

  it('answers 500 if another package has replaced writeHead()', () => {
    const { writeHead } = http.ServerResponse.prototype;
    http.ServerResponse.prototype.writeHead = function replaced(...args) {
      writeHead.apply(this, args);
    };
    const restore = () => (http.ServerResponse.prototype.writeHead = writeHead);
    return answering(
      () => Promise.reject(new Error('ouch')),
      async (url) => expect((await fetch(url)).status).to.equal(500),
    ).finally(restore);
  });

  it('a body that fails in the middle cuts off the response', () =>
    answering(
      () => new Response(stream(['one', new Error('ouch')])),
      async (url) => {
        const error = await fetch(url)
          .then((response) => response.text())
          .catch((thrown) => thrown);
        expect(error).to.be.an.instanceOf(Error);
      },
    ));

  for (const [what, request] of [
    ['an invalid Host', 'GET / HTTP/1.1\r\nHost: a b\r\nConnection: close\r\n\r\n'],
    ['a method that web standards forbid', 'TRACE / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n'],
  ]) {
    it(`a request with ${what} is answered with 400`, () =>
      answering(
        () => new Response('ok'),
        async (url) => expect(await raw(url, request)).to.match(/^HTTP\/1\.1 400 /),
      ));
  }

  it('a path that begins with // names no other host', () =>
    answering(
      (request) => new Response(request.url),
      async (url) => {
        const said = await raw(url, 'GET //evil.test/x HTTP/1.1\r\nHost: h.test\r\nConnection: close\r\n\r\n');
        expect(said).to.match(/http:\/\/h\.test\/\/evil\.test\/x/);
      },
    ));

  it('a client that leaves aborts the signal of its request and cancels the body of the response', async () => {
    const ended = [];
    let all;
    const isOver = new Promise((resolve) => (all = resolve));
    const note = (what) => {
      if (ended.push(what) === 2) all();
    };
    const handler = ({ signal }) => {
      signal.addEventListener('abort', () => note('signal'));
      const body = new ReadableStream({
        start: (controller) => controller.enqueue(new Uint8Array(10)),
        cancel: () => note('body'),
      });
      return new Response(body);
    };
    await answering(handler, async (url) => {
      const left = new AbortController();
      const response = await fetch(url, { signal: left.signal });
      await response.body.getReader().read();
      left.abort();
      await isOver;
      expect(ended.sort()).to.deep.equal(['body', 'signal']);
    });
  });
});

async function readResponse() {
  const response = new Response('text');
  await response.text();
  return response;
}

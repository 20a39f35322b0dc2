import { once } from 'node:events';
import http from 'node:http';
import net from 'node:net';
import { text as textOf } from 'node:stream/consumers';

import { expect } from 'chai';
import { WebSocket } from 'ws';

import benchrest from '../../../index.js';
import { readDelay } from '../../../lib/core/ground/units.js';
import { createDelays } from '../../../lib/addons/serve/delays.js';
import { startTarget } from '../../../lib/addons/serve/server.js';
import { startTargetThread } from '../../../lib/addons/serve/thread.js';
import { heapInUse } from '../../faults/ground.js';
import { itSlow } from '../../support/slow.js';

/** Runs `story(target)` with a target that is closed afterwards. */
async function targeting(options, story) {
  const target = await startTarget(options);
  try {
    return await story(target);
  } finally {
    await target.close();
  }
}

const statuses = async (url, count) => {
  const codes = [];
  for (let i = 0; i < count; i++) codes.push((await fetch(url)).status);
  return codes;
};

describe('the embedded service', () => {
  it('counts requests, and does not listen after close()', async () => {
    const { url } = await targeting({}, async (target) => {
      const { stats } = await benchrest(
        { main: [{ put: '/a_#{INDEX}', json: 1 }, { get: '/a_#{INDEX}' }] },
        { baseUrl: target.url, limit: 5, iterations: 20 },
      );
      expect(stats.errors.count).to.equal(0);
      expect(target.requests).to.equal(40);
      return target;
    });
    const { stats } = await benchrest(url, { limit: 1, iterations: 1 });
    expect(stats.errors.kinds).to.deep.equal({ connect: 1 });
  });

  it('fails an even share of the responses', () =>
    targeting({ error: 503, percent: 25 }, async ({ url }) => {
      expect(await statuses(url, 8)).to.deep.equal([200, 200, 200, 503, 200, 200, 200, 503]);
    }));

  it('delays every response, and /delay in addition', () =>
    targeting({ delay: 20 }, async ({ url }) => {
      const { stats } = await benchrest(`${url}/delay/20`, { limit: 1, iterations: 3 });
      expect(stats.main.histogram.min).to.be.at.least(38);
    }));

  it('the delays of a range and of a slow tail are those of its seed, in the order of requests', () => {
    const options = { delay: '1ms,2ms,50%:21ms,22ms', seed: 3 };
    return targeting(options, async ({ url }) => {
      const next = createDelays(readDelay(options.delay), options.seed);
      for (let i = 0; i < 6; i++) {
        const expected = next();
        const start = performance.now();
        await (await fetch(url)).text();
        // timers have whole milliseconds
        expect(performance.now() - start).to.be.at.least(Math.floor(expected) - 1);
      }
    });
  });

  it('body answers every request with a text, with bytes, or with as many bytes as its number', async () => {
    for (const [body, length, type] of [
      ['hällo', 6, 'text/plain; charset=utf-8'],
      [Buffer.from([1, 2]), 2, 'application/octet-stream'],
      [10_000, 10_000, 'application/octet-stream'],
      ['', 0, 'text/plain; charset=utf-8'],
    ]) {
      await targeting({ body }, async ({ url }) => {
        for (const method of ['GET', 'POST', 'DELETE']) {
          const response = await fetch(`${url}/status/404`, { method });
          expect([response.status, response.headers.get('content-type')]).to.deep.equal([200, type]);
          expect((await response.arrayBuffer()).byteLength).to.equal(length);
        }
        expect((await fetch(url, { method: 'HEAD' })).headers.get('content-length')).to.equal(String(length));
      });
    }
  });

  it('sends server-sent events, and ends, also behind a response that takes longer on its connection', () =>
    targeting({}, async ({ port }) => {
      const socket = net.connect(port, '127.0.0.1');
      socket.write(`GET /delay/250 HTTP/1.1\r\nHost: localhost:${port}\r\n\r\n`);
      socket.write(`GET /events/1 HTTP/1.1\r\nHost: localhost:${port}\r\nConnection: close\r\n\r\n`);
      const [, , events] = (await textOf(socket)).split('HTTP/1.1 ');
      expect(events).to.match(/content-type: text\/event-stream/);
      expect(events).to.contain('id: 0\ndata: {"number":0}\n\n\r\n0\r\n');
    }));

  it('body and percent together fail a share of the responses', () =>
    targeting({ body: 'x', percent: 50 }, async ({ url }) => {
      expect(await statuses(url, 2)).to.have.members([200, 500]);
    }));

  itSlow('X6 refuses a body above 16 MiB with status 413', () =>
    targeting({}, async ({ url }) => {
      const put = (size) =>
        new Promise((resolve, reject) => {
          const request = http.request(url, { method: 'PUT', headers: { 'content-length': size } }, (response) =>
            resolve(response.statusCode),
          );
          request.on('error', reject).end(Buffer.alloc(size));
        });
      expect(await put(16 * 1024 * 1024)).to.equal(201);
      expect(await put(16 * 1024 * 1024 + 1)).to.equal(413);
    }),
  );

  itSlow('N11 keeps a body in chunks of one byte in about as much memory as its length', () =>
    targeting({}, async ({ url, port }) => {
      const start = heapInUse() + process.memoryUsage().external;
      const socket = net.connect(port, '127.0.0.1');
      socket.write(`PUT /small HTTP/1.1\r\nHost: localhost:${port}\r\nTransfer-Encoding: chunked\r\n\r\n`);
      // everything except the end, to measure the memory of the target
      socket.write('1\r\nx\r\n'.repeat(150_000));
      while (socket.bytesWritten < 900_000 || socket.writableLength > 0) await new Promise(setImmediate);
      for (let i = 0; i < 50; i++) await new Promise(setImmediate);
      // a Buffer for each byte is 190 bytes: 29 MB
      expect(heapInUse() + process.memoryUsage().external - start).to.be.below(15e6);
      socket.write('0\r\n\r\n');
      await once(socket, 'data');
      socket.destroy();
      expect(await (await fetch(`${url}/small`)).text()).to.have.lengthOf(150_000);
    }),
  );

  it('a share of failing responses without a status fails with 500', () =>
    targeting({ percent: 50 }, async ({ url }) => {
      expect(await statuses(url, 4)).to.have.members([200, 200, 500, 500]);
    }));

  for (const [what, options, message] of [
    ['an invalid port', { port: 70_000 }, /port: expected 0 to 65535, got 70000/],
    [
      'a host that is none',
      { host: '', percent: '50' },
      /host: expected a name or an address, got ""\npercent: expected/,
    ],
    ['an error that is not a status', { error: 42 }, /error: expected a status from 200 to 599, got 42/],
    ['unknown options', { percnt: 5, foo: 1 }, /percnt: unknown option, did you mean percent\?\nfoo: unknown option/],
    [
      'a body that is none',
      { body: -1, seed: 0.5 },
      /seed: expected a whole number, .*\nbody: expected a text, a Buffer/,
    ],
    ['an object as body', { body: {} }, /body: expected a text/],
    [
      'a delay that ends before it begins',
      { delay: '50ms,10ms' },
      /delay: expected a time such as 20ms, .* got "50ms,10ms"/,
    ],
    ['a percentage above 100', { percent: 101, delay: -1 }, /delay: .*\npercent: expected 0 to 100, got 101/],
  ]) {
    it(`refuses ${what}`, async () => {
      const error = await startTarget(options).catch((reason) => reason);
      expect(error).to.include({ code: 'E_TARGET' });
      expect(error.message).to.match(message);
    });
  }

  it('reports a port in use, in this thread and in a thread of its own', () =>
    targeting({}, async ({ port }) => {
      for (const start of [startTarget, startTargetThread]) {
        const error = await start({ port }).catch((reason) => reason);
        expect(error).to.include({
          code: 'E_TARGET',
          message: `port ${port} of 127.0.0.1 is in use; stop the program that uses it, or use another port`,
        });
      }
    }));

  it('runs in a thread of its own', async () => {
    const target = await startTargetThread({ error: 500 });
    try {
      expect(await statuses(target.url, 2)).to.deep.equal([500, 500]);
    } finally {
      await target.close();
    }
  });
});

/** What the service answers to a text: the message, or the status that refuses the handshake. */
async function answerTo(text, options, path = '/chat') {
  const target = await startTarget(options);
  try {
    const socket = new WebSocket(`${target.url.replace('http', 'ws')}${path}`);
    const refused = once(socket, 'unexpected-response').then(([, { statusCode }]) => statusCode);
    const answered = once(socket, 'open').then(async () => {
      socket.send(text);
      const [data, isBinary] = await once(socket, 'message');
      return isBinary ? data : String(data);
    });
    socket.on('error', () => {});
    return await Promise.race([answered, refused]);
  } finally {
    await target.close();
  }
}

describe('WebSockets of the target', () => {
  it('answers a message with itself, text as text and bytes as bytes', async () => {
    expect(await answerTo('hello')).to.equal('hello');
    expect(await answerTo(Buffer.of(1, 2))).to.deep.equal(Buffer.of(1, 2));
    expect(await answerTo('late', { delay: 5 })).to.equal('late');
  });

  it('answers every message with the body, if there is one', async () => {
    expect(await answerTo('hello', { body: 'mine' })).to.equal('mine');
    expect(await answerTo('hello', { body: 3 })).to.deep.equal(Buffer.from('xxx'));
  });

  it('refuses a handshake with the status of failing responses', async () => {
    expect(await answerTo('hello', { error: 503 })).to.equal(503);
  });

  it('close() ends open connections', async () => {
    const target = await startTarget();
    const socket = new WebSocket(target.url.replace('http', 'ws'));
    await once(socket, 'open');
    const closed = once(socket, 'close');
    await target.close();
    expect((await closed)[0]).to.equal(1006);
    expect(target.requests).to.equal(1);
  });
});

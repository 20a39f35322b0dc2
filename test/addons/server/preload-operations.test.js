import { once } from 'node:events';
import http from 'node:http';
import http2 from 'node:http2';
import { createRequire } from 'node:module';
import { setTimeout as delay } from 'node:timers/promises';

import { expect } from 'chai';

import { serving } from '../../support/serve.js';
import { awake } from '../../support/until.js';

const markOperations = createRequire(import.meta.url)('../../../lib/addons/server/preload/operations.cjs');

const MARKS = { names: ['GET /a'], patterns: [{ operation: 0, method: 'GET', url: '^/a$' }] };
const PROTOTYPES = [http.Server, http.IncomingMessage, http.ServerResponse].map(({ prototype }) => prototype);

describe('operations that Node in a server follows', () => {
  it('a request is handled below the function of its operation, and nothing of it stays', async () => {
    const own = PROTOTYPES.map((one) => Object.getOwnPropertyNames(one));
    const { end } = http.ServerResponse.prototype;
    const stop = markOperations(MARKS);
    const stacks = [];
    const answer = (request, response) => {
      stacks.push(new Error(request.url).stack);
      request.on('end', () => {
        stacks.push(new Error(request.url).stack);
        response.end('done');
      });
      request.resume();
    };
    const server = http.createServer(answer).listen(0, '127.0.0.1');
    try {
      await once(server, 'listening');
      const url = `http://127.0.0.1:${server.address().port}`;
      for (const path of ['/a', '/b']) expect(await (await fetch(url + path)).text()).to.equal('done');
    } finally {
      stop();
      server.close();
    }
    expect(stacks.map((stack) => /GET \/a|other requests/.exec(stack)?.[0])).to.deep.equal([
      ...['GET /a', 'GET /a'],
      ...['other requests', 'other requests'],
    ]);
    expect(PROTOTYPES.map((one) => Object.getOwnPropertyNames(one))).to.deep.equal(own);
    expect(http.ServerResponse.prototype.end).to.equal(end);
  });

  it('a request of HTTP/2, too', async () => {
    const stop = markOperations(MARKS);
    let stack = '';
    const server = http2.createServer((_request, response) => {
      ({ stack } = new Error('here'));
      response.end();
    });
    try {
      await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
      const client = http2.connect(`http://127.0.0.1:${server.address().port}`);
      await new Promise((resolve) => client.request({ ':path': '/a' }).on('close', resolve).resume());
      client.close();
    } finally {
      stop();
      server.close();
    }
    expect(stack).to.include('GET /a');
  });

  it('a listener that throws throws, and wrong parameters of an event are passed on', () => {
    const stop = markOperations(MARKS);
    try {
      const server = http.createServer((request) => {
        throw new Error(`of ${request}`);
      });
      expect(() => server.emit('request')).to.throw('of undefined');
      expect(() => server.emit('request', 'text', {})).to.throw('of text');
    } finally {
      stop();
    }
  });

  it('code after an await belongs to its operation while requests are followed', async () => {
    const handled = [];
    const answer = async (_request, response) => {
      await delay(1);
      const from = performance.now();
      while (performance.now() < from + 0.2);
      handled.push(process.hrtime().reduce((seconds, ns) => seconds * 1e6 + ns / 1e3));
      response.end();
    };
    let followed;
    await serving(answer, async (url) => {
      const stop = markOperations(MARKS);
      try {
        // The first requests that are followed begin after 250 ms, in as many.
        let isOver = false;
        const over = awake(600).then(() => (isOver = true));
        while (!isOver) await (await fetch(`${url}/a`)).text();
        await over;
      } finally {
        followed = stop();
      }
    });
    let at = 0;
    const times = followed.times.map((past) => (at += past));
    const found = handled.map((end) => followed.operations[times.findLastIndex((time) => time < end)]);
    expect(found).to.include(0);
    expect(followed.operations.at(-1)).to.equal(-1);
  });
});

import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import http2 from 'node:http2';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import zlib from 'node:zlib';

import { expect } from 'chai';

import benchrest from '../../index.js';
import { bodyMemoryInUse } from '../../lib/core/process/body-memory.js';
import { faulting } from '../support/faulty-server.js';
import { scaled } from '../support/scale.js';
import { itSlow } from '../support/slow.js';
import { here } from '../support/threads-here.js';
import { NAMES } from '../support/transports.js';
import { until } from '../support/until.js';
import { balance, heapInUse } from './ground.js';
import { messagesOf } from '../support/messages.js';

const MIB = 1024 * 1024;
const FLOW = new URL('../support/flows/bodies.mjs', import.meta.url);
const response = (body, ...fields) =>
  Buffer.concat([
    Buffer.from(
      `HTTP/1.1 200 OK\r\nContent-Length: ${body.length}\r\n${fields.map((field) => `${field}\r\n`).join('')}\r\n`,
    ),
    Buffer.from(body),
  ]);
const reading = (hook) => ({ get: '/', afterHooks: [hook] });
const answering = (bytes) => async (io) => {
  for (;;) {
    await io.readRequest();
    await io.send(bytes);
  }
};

/** Faults of a server in a body; `rest` is never sent. */
const FAULTS = [
  ...[
    response('x'.repeat(50_000)),
    response(JSON.stringify({ items: Array(2000).fill('item') })),
    response(zlib.gzipSync('x'.repeat(500_000)), 'Content-Encoding: gzip'),
    response('throw'.repeat(1000)),
    response(zlib.gzipSync('x'.repeat(5000)).subarray(0, -1), 'Content-Encoding: gzip'),
    response(zlib.gzipSync(Buffer.alloc(3 * MIB)), 'Content-Encoding: gzip'),
    response('x'.repeat(2 * MIB)),
  ].map((bytes) => (io) => io.send(bytes)),
  (io) => io.send(`HTTP/1.1 302 Found\r\nLocation: /1\r\nContent-Length: 30000\r\n\r\n${'x'.repeat(30_000)}`),
  (io) => io.send(`HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n${'1\r\nx\r\n'.repeat(5000)}0\r\n\r\n`),
  (io) => io.send(`HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\nno chunk\r\n`),
  async (io) => {
    await io.send(`HTTP/1.1 200 OK\r\nContent-Length: 90000\r\n\r\n${'x'.repeat(40_000)}`);
    await io.read();
    io.rst();
    return 'over';
  },
  async (io) => {
    await io.send(`HTTP/1.1 200 OK\r\nContent-Length: 90000\r\n\r\n${'x'.repeat(40_000)}`);
    return io.hang();
  },
  (io) => {
    io.fin();
    return 'over';
  },
];
const playAll = (faults) => async (io) => {
  for (;;) {
    const index = Number(/\/(\d+) /.exec(await io.readRequest())?.[1]);
    if ((await faults[index % faults.length](io)) === 'over') return;
  }
};

describe('N11 limits count what keeping data costs', () => {
  let usedBefore;
  beforeEach(() => (usedBefore = bodyMemoryInUse()));
  afterEach('all body memory is released', () => expect(bodyMemoryInUse()).to.equal(usedBefore));
  const inUse = () => bodyMemoryInUse() - usedBefore;

  for (const httpClient of NAMES) {
    describe(httpClient, () => {
      itSlow('a body in chunks of one byte costs about as much as in one piece', () =>
        faulting(
          answering(`HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n${'1\r\nx\r\n'.repeat(400_000)}0\r\n\r\n`),
          async (baseUrl) => {
            const start = heapInUse() + process.memoryUsage().external;
            let grown;
            let counted;
            const hook = () => {
              grown = heapInUse() + process.memoryUsage().external - start;
              counted = inUse();
            };
            const { stats } = await benchrest(reading(hook), { limit: 1, iterations: 1, baseUrl, httpClient });
            expect(stats.errors.details).to.deep.equal([]);
            expect(counted).to.be.within(400_000, 800_000);
            // a Buffer for each byte was 160 bytes: 64 MB
            expect(grown).to.be.below(20e6);
          },
        ),
      );

      itSlow('small compressed bodies that become large share the memory: some fail, the limit holds', () =>
        faulting(
          answering(response(zlib.gzipSync(Buffer.alloc(4 * MIB)), 'Content-Encoding: gzip')),
          async (baseUrl) => {
            let most = 0;
            let failures = 0;
            const hook = async ({ err }) => {
              if (err) failures++;
              most = Math.max(most, inUse());
              // bodies are held until there is no memory for another one
              await until(() => failures > 0);
            };
            const { stats } = await benchrest(
              { gzip: true, encoding: null, ...reading(hook) },
              { limit: 20, iterations: scaled(40, 100), maxBodyMemory: 16 * MIB, baseUrl, httpClient },
            );
            balance(stats);
            const { details } = stats.errors;
            expect(details.map(({ code }) => code)).to.deep.equal(['E_BODY_MEMORY']);
            expect(details[0].message).to.match(/16777216 bytes.*raise maxBodyMemory/);
            expect(stats.iterations.completed).to.be.above(0);
            expect(most).to.be.within(4 * MIB, 16 * MIB);
            expect(messagesOf(stats.loadGenerator.reasons).join()).to.match(/ran out of memory for bodies/);
          },
        ),
      );

      itSlow('memory is released after every kind of fault', () =>
        faulting(playAll(FAULTS), async (baseUrl) => {
          const { stats } = await benchrest(FLOW, {
            limit: 10,
            iterations: 130,
            maxBodySize: MIB,
            baseUrl,
            httpClient,
          });
          balance(stats);
          expect(stats.iterations).to.include({ started: 130, cancelled: 0 });
          expect(Object.keys(stats.errors.kinds)).to.include.members(['reset', 'protocol', 'hook', 'timeout']);
          expect(inUse()).to.equal(0);
        }),
      );

      it('memory is released if a run is aborted while it receives bodies', () =>
        faulting(
          async (io) => {
            await io.readRequest();
            await io.send(`HTTP/1.1 200 OK\r\nContent-Length: 900000\r\n\r\n${'x'.repeat(40_000)}`);
            await io.hang();
          },
          async (baseUrl) => {
            const run = benchrest(FLOW, { limit: 5, iterations: 5, timeout: 0, baseUrl, httpClient });
            while (inUse() < 5 * 40_000) await new Promise(setImmediate);
            run.leave();
            const { stats } = await run;
            balance(stats);
            expect(inUse()).to.equal(0);
          },
        ));

      it('a parsed body counts with its values', () =>
        faulting(answering(response(JSON.stringify(Array(20_000).fill(1234)))), async (baseUrl) => {
          const sum = (json) => ({ ...reading(({ body }) => void body.length), ...(json && { json }) });
          const options = { limit: 1, iterations: 2, maxBodyMemory: 300_000, baseUrl, httpClient };
          expect((await benchrest(sum(false), options)).errorCount).to.equal(0);
          const { stats } = await benchrest(sum(true), options);
          expect(stats.errors.details.map(({ code, count }) => [code, count])).to.deep.equal([['E_BODY_MEMORY', 2]]);
        }));

      it('nothing is counted if no hook reads bodies', () =>
        faulting(answering(response('x'.repeat(100_000))), async (baseUrl) => {
          const flow = { main: ['/', { get: '/', afterHooks: ['verify2XX'] }] };
          const { errorCount } = await benchrest(flow, {
            limit: 5,
            iterations: 50,
            maxBodyMemory: 1,
            baseUrl,
            httpClient,
          });
          expect(errorCount).to.equal(0);
        }));

      it('bodies that only a trace reads are released', () =>
        faulting(answering(response('x'.repeat(100_000))), async (baseUrl) => {
          const sizes = [];
          const trace = ({ response: { body } }) => sizes.push([body.length, inUse() >= 100_000]);
          await benchrest('/', { limit: 1, iterations: 2, trace, baseUrl, httpClient });
          expect(sizes).to.deep.equal(Array(2).fill([100_000, true]));
          expect(inUse()).to.equal(0);
        }));
    });
  }

  itSlow('bodies of all streams of HTTP/2 share the memory, also those on one connection', async () => {
    const server = http2.createServer();
    server.on('stream', (stream) => {
      stream.on('error', () => {});
      stream.respond();
      const write = () => {
        while (stream.write(Buffer.alloc(64 * 1024)));
      };
      stream.on('drain', write);
      write();
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    let most = 0;
    const timer = setInterval(() => (most = Math.max(most, inUse())), 1);
    try {
      for (const connections of [1, 4]) {
        const baseUrl = `http://127.0.0.1:${server.address().port}`;
        const options = { limit: 20, iterations: 20, connections, maxBodyMemory: 8 * MIB, baseUrl };
        const { stats } = await benchrest(
          reading(() => {}),
          { http2: 'prior-knowledge', ...options },
        );
        expect(stats.errors.details.map(({ code, count }) => [code, count])).to.deep.equal([['E_BODY_MEMORY', 20]]);
        expect(most).to.be.within(MIB, 8 * MIB);
      }
    } finally {
      clearInterval(timer);
      server.close();
    }
  });

  for (const httpClient of scaled(['builtin'], NAMES)) {
    itSlow(`two workers share the memory and release it: ${httpClient}`, () =>
      faulting(playAll(FAULTS), async (baseUrl) => {
        const options = { limit: 10, iterations: 130, workers: 2, maxBodyMemory: MIB, baseUrl, httpClient };
        const { stats } = await here('workers', () => benchrest(FLOW, options));
        balance(stats);
        expect(stats.errors.details.map(({ code }) => code)).to.include('E_BODY_MEMORY');
        expect(inUse()).to.equal(0);
      }),
    );
  }

  it('pipelined requests release bodies that a trace read', () =>
    faulting(answering(response('x'.repeat(10_000))), async (baseUrl) => {
      const trace = () => {};
      const { errorCount } = await benchrest('/', { limit: 1, pipelining: 5, iterations: 50, trace, baseUrl });
      expect(errorCount).to.equal(0);
    }));

  itSlow('the memory of a worker that dies is released', async () => {
    process.env.BODIES_ACT = 'exit';
    try {
      await faulting(answering(response('x'.repeat(100_000))), async (baseUrl) => {
        const { stats } = await benchrest(FLOW, { limit: 4, iterations: 200, workers: scaled(1, 2), baseUrl });
        expect(stats.errors.kinds).to.have.property('worker');
      });
    } finally {
      delete process.env.BODIES_ACT;
    }
    expect(inUse()).to.equal(0);
  });

  it('preallocated requests that do not fit are refused before the first request', async () => {
    const flow = { put: 'http://127.0.0.1:1/#{INDEX}', body: `#{INDEX}${'x'.repeat(1000)}` };
    const options = { limit: 1, iterations: 10_000, prealloc: 10_000, maxBodyMemory: MIB };
    const error = await benchrest(flow, options).then(
      () => null,
      (reason) => reason,
    );
    expect(error).to.include({ code: 'E_RUN_OPTIONS' });
    expect(error.message).to.match(/prealloc: the requests of \d{3,4} of 10000 iterations fit.*preallocate fewer/);
  });

  it('preallocated requests are released as they are sent', () =>
    faulting(answering(response('ok')), async (baseUrl) => {
      const flow = { put: '/#{INDEX}', body: '#{INDEX}' };
      for (const options of [{}, { workers: 2 }]) {
        const all = { limit: 4, iterations: 100, prealloc: 50, baseUrl, ...options };
        const { errorCount } = await here('workers', () => benchrest(flow, all));
        expect(errorCount).to.equal(0);
        expect(inUse()).to.equal(0);
      }
    }));

  describe('files in forms', () => {
    let folder;
    before(() => (folder = mkdtempSync(join(tmpdir(), 'bench-rest-'))));
    after(() => rmSync(folder, { recursive: true, force: true }));
    const sending = (fields) => {
      writeFileSync(join(folder, 'file'), Buffer.alloc(MIB));
      return { post: 'http://127.0.0.1:1/', formData: { file: { file: join(folder, 'file') }, ...fields } };
    };
    const refusalOf = async (flow, options) => {
      try {
        await benchrest(flow, options);
        return 'none';
      } catch ({ message }) {
        return message;
      }
    };

    it('count once per thread', async () => {
      const options = { limit: 10, iterations: 10, maxBodyMemory: 2.5 * MIB };
      expect(await refusalOf(sending({}), options)).to.equal('none');
      expect(await refusalOf(sending({}), { ...options, workers: 2 })).to.match(
        /maxBodyMemory: the bodies that this flow sends take 31\d{5} bytes: raise maxBodyMemory/,
      );
    });

    it('count per request in flight if the form has a token', async () => {
      const options = { limit: 10, iterations: 10, maxBodyMemory: 10 * MIB };
      expect(await refusalOf(sending({ name: '#{INDEX}' }), options)).to.match(/take 11534336 bytes/);
      expect(await refusalOf(sending({ name: '#{INDEX}' }), { ...options, limit: 5 })).to.equal('none');
    });
  });
});

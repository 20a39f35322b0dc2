import { once } from 'node:events';

import { expect } from 'chai';

import benchrest from '../../index.js';
import { scaled } from '../support/scale.js';
import { serving } from '../support/serve.js';
import { NAMES } from '../support/transports.js';
import { turns } from '../support/until.js';
import { heapInUse } from './ground.js';

const SSE = { 'content-type': 'text/event-stream' };
const PIECE = Buffer.alloc(64 * 1024, 'x');
/** Bytes of one event: a gigabyte with the full counts. */
const LARGE = scaled(2 ** 25, 2 ** 30);

/** Writes pieces until there are as many bytes, or the client is gone; returns the bytes. */
async function pour(res, most) {
  let written = 0;
  const gone = once(res, 'close');
  while (written < most && !res.destroyed) {
    written += PIECE.length;
    if (!res.write(PIECE)) await Promise.race([new Promise((resolve) => res.once('drain', resolve)), gone]);
  }
  return written;
}

for (const httpClient of NAMES) {
  describe(`faults of streams: ${httpClient}`, () => {
    const run = (handler, operation, options, use) =>
      serving(handler, async (baseUrl) => {
        const flow = { get: '/', ...operation };
        const { stats } = await benchrest(flow, { baseUrl, httpClient, limit: 1, iterations: 1, ...options });
        const [{ stream, ...row }] = stats.operations;
        await use({ stats, stream, row, errors: stats.errors.details });
      });

    for (const [id, kind, beginning] of [
      ['F160', 'sse', 'data: '],
      ['F161', 'lines', ''],
    ])
      it(`${id} it is an error, long before it has arrived, and takes no memory`, async () => {
        let written = 0;
        const before = heapInUse();
        await run(
          async (_, res) => {
            res.writeHead(200, SSE).write(beginning || 'x');
            written = await pour(res, LARGE);
            res.end();
          },
          { stream: { kind, first: '$.a' } },
          { maxBodySize: 2 ** 20 },
          ({ errors, stream }) => {
            expect(errors[0]).to.include({ code: 'E_EVENT_TOO_LARGE', count: 1 });
            expect(stream).to.include({ count: 1, events: 0 });
          },
        );
        expect(written).to.be.below(LARGE);
        expect(heapInUse() - before).to.be.below(2 ** 24);
      });

    it('F162 the timeout of the operation ends it, with the counts so far', () =>
      run(
        (_, res) => res.writeHead(200, SSE).write('data: a\n\n'),
        { stream: 'sse', timeout: 300 },
        {},
        ({ errors, stream, row }) => {
          expect(errors[0]).to.include({ code: 'E_TIMEOUT_REQUEST', count: 1 });
          expect(errors[0].message).to.contain('no complete response within 300 ms, after 1 event of the stream');
          expect(row).to.include({ count: 1, errors: 1 });
          expect(stream).to.include({ count: 1, events: 1 });
          expect(stream.firstEvent.count).to.equal(1);
        },
      ));

    for (const [where, last] of [
      ['between two events', ''],
      ['within an event', 'data: c'],
    ])
      it(`F163 ${where}, it is an error of the kind reset, with its counts`, () =>
        run(
          (_, res) => {
            res.writeHead(200, SSE).write(`data: a\n\ndata: b\n\n${last}`);
            // a reset discards what the client has not read
            setTimeout(() => turns(5).then(() => res.socket.resetAndDestroy()), 30);
          },
          { stream: 'sse' },
          { iterations: 2 },
          ({ errors, stream, stats }) => {
            expect(errors.map(({ kind, count }) => [kind, count])).to.deep.equal([['reset', 2]]);
            expect(errors[0].message).to.match(/, after 2 events of the stream$/);
            expect(stream).to.include({ count: 2, events: 4 });
            expect(stats.requests).to.include({ sent: 2, unanswered: 2 });
          },
        ));
  });
}

describe('F164 many streams that are open at the same time', () => {
  const COUNT = scaled(200, 5000);
  const EVENTS = 10;

  it('all of their events count, and their memory does not grow with the events', async () => {
    const open = [];
    const data = `data: ${'x'.repeat(1000)}\n\n`;
    let early;
    let late;
    const handler = (_, res) => {
      res.writeHead(200, SSE);
      if (open.push(res) < COUNT) return;
      const round = (n) => {
        if (n === 1) early = heapInUse();
        if (n === EVENTS) late = heapInUse();
        for (const one of open)
          if (n === EVENTS) one.end(data);
          else one.write(data);
        if (n < EVENTS) setTimeout(round, 10, n + 1);
      };
      round(1);
    };
    await serving(handler, async (baseUrl) => {
      const flow = { get: '/', stream: { kind: 'sse', end: 'never' } };
      const { stats } = await benchrest(flow, { baseUrl, limit: COUNT, iterations: COUNT, timeout: 120_000 });
      expect(stats.errors.details).to.deep.equal([]);
      expect(stats.operations[0].stream).to.include({ count: COUNT, events: COUNT * EVENTS });
    });
    expect((late - early) / COUNT).to.be.below(20_000);
  });
});

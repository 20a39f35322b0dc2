import { execFileSync, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';

import { expect } from 'chai';

import benchrest from '../../index.js';
import { manyStreams } from '../support/many-streams.js';
import { IS_FULL, scaled } from '../support/scale.js';
import { serving } from '../support/serve.js';
import { itSlow } from '../support/slow.js';
import { NAMES } from '../support/transports.js';
import { turns } from '../support/until.js';
import { heapInUse } from './ground.js';

const SSE = { 'content-type': 'text/event-stream' };
const PROGRAM = fileURLToPath(new URL('../support/many-streams.js', import.meta.url));
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
      itSlow(`${id} it is an error, long before it has arrived, and takes no memory`, async () => {
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

    itSlow(
      'F168 a response of a few bytes that becomes a large one takes no memory, and its events are refused',
      () => {
        // with the full counts 16 MiB of one event, and of many: 16 kB
        const size = scaled(2 ** 23, 2 ** 24);
        const one = gzipSync(Buffer.concat([Buffer.from('data: '), Buffer.alloc(size, 'x')]));
        const many = gzipSync(Buffer.alloc(size, 'data: xxxxxxxxxxxxxxxxxxxxxxxx\n\n'));
        const before = heapInUse();
        const answer = (req, res) =>
          res.writeHead(200, { ...SSE, 'content-encoding': 'gzip' }).end(req.url === '/one' ? one : many);
        return run(answer, { get: '/one', stream: 'sse' }, { maxBodySize: 2 ** 16 }, ({ errors, stream }) => {
          expect(errors[0]).to.include({ code: 'E_EVENT_TOO_LARGE', count: 1 });
          expect(stream).to.include({ count: 1, events: 0 });
        }).then(() =>
          run(
            answer,
            { get: '/many', stream: { kind: 'sse', end: 'x' } },
            { maxBodySize: 2 ** 16 },
            ({ errors, stream }) => {
              expect(errors).to.deep.equal([]);
              expect(stream).to.include({ count: 1, events: size / 32 });
              expect(heapInUse() - before).to.be.below(size);
            },
          ),
        );
      },
    );

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
  const COUNT = scaled(200, 10_000);
  const EVENTS = 10;
  const FILES = COUNT + 200;

  /** The heap at the first round of events, and at the last one. */
  const heaps = {};
  const onRound = (round) => {
    if (round === 1) heaps.early = heapInUse();
    if (round === EVENTS) heaps.late = heapInUse();
  };
  const run = async (baseUrl) => {
    const flow = { get: '/', stream: { kind: 'sse', end: 'never' } };
    const { stats } = await benchrest(flow, { baseUrl, limit: COUNT, iterations: COUNT, timeout: 120_000 });
    expect(stats.errors.details).to.deep.equal([]);
    expect(stats.operations[0].stream).to.include({ count: COUNT, events: COUNT * EVENTS });
    expect((heaps.late - heaps.early) / COUNT).to.be.below(20_000);
  };

  const needed = mostFiles() < FILES ? ` (skipped: needs ulimit -n ${FILES})` : '';
  (needed === '' ? itSlow : it.skip)(
    `${COUNT} streams: all of their events count, and their memory does not grow with the events${needed}`,
    async () => {
      if (!IS_FULL) return serving(manyStreams({ count: COUNT, events: EVENTS, onRound }), run);
      const server = fork(PROGRAM, [COUNT, EVENTS]);
      try {
        const url = await new Promise((resolve) =>
          server.on('message', (message) => (message.url ? resolve(message.url) : onRound(message.round))),
        );
        return await run(url);
      } finally {
        server.kill();
      }
    },
  );
});

/** How many files a process may open. */
function mostFiles() {
  const text = execFileSync('sh', ['-c', 'ulimit -n'], { encoding: 'utf8' }).trim();
  return text === 'unlimited' ? Infinity : Number(text);
}

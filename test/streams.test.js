import { setTimeout as wait } from 'node:timers/promises';
import zlib, { gzipSync } from 'node:zlib';

import { expect } from 'chai';

import benchrest from '../index.js';
import { command } from './support/command.js';
import { compiledFlow } from './support/compiled-flow.js';
import { serving } from './support/serve.js';
import { NAMES } from './support/transports.js';
import { undisturbed } from './support/until.js';

const ONE = { limit: 1, iterations: 1 };
const SSE = { 'content-type': 'text/event-stream' };

/** The codings of this Node. */
const CODINGS = [
  ['gzip', zlib.createGzip],
  ['br', zlib.createBrotliCompress],
  ['deflate', zlib.createDeflate],
  ['deflate', zlib.createDeflateRaw],
  ...(zlib.createZstdCompress ? [['zstd', zlib.createZstdCompress]] : []),
];

/** The paths of the server, each with its stream. */
const STREAMS = {
  '/events': (res) => res.writeHead(200, SSE).end('data: a\n\ndata: b\n\ndata: c\n\n'),
  '/lines': (res) => res.writeHead(200, { 'content-type': 'application/x-ndjson' }).end('{"a":1}\n{"a":2}'),
  '/nothing': (res) => res.writeHead(200, SSE).end(': nothing\n\n'),
  '/typed': (res) =>
    res
      .writeHead(200, SSE)
      .end('event: start\ndata: {"n":0}\n\nevent: created\ndata: {"id":7}\n\nevent: created\ndata: {"id":8}\n\n'),
  '/chat': async (res) => {
    res.writeHead(200, SSE);
    for (const content of [null, '', 'Hel', 'lo'])
      res.write(`data: ${JSON.stringify({ choices: [{ delta: { role: 'assistant', content } }] })}\n\n`);
    res.write('data: {"choices":[],"usage":{"completion_tokens":5}}\n\n');
    res.write('data: [DONE]\n\n');
    await wait(20);
    res.end();
  },
  '/endless': async (res) => {
    res.writeHead(200, SSE);
    for (let n = 1; !res.destroyed; n++) {
      res.write(`id: ${n}\ndata: ${n}\n\n`);
      await wait(5);
    }
  },
  '/silent': (res) => res.writeHead(200, SSE).write(': nothing comes\n\n'),
  '/cut': async (res) => {
    res.writeHead(200, SSE).write('data: a\n\ndata: b\n\n');
    await wait(20);
    res.destroy();
  },
  '/encoded': (res) => res.writeHead(200, { ...SSE, 'content-encoding': 'compress' }).end('x'),
  '/refused': (res) => res.writeHead(503).end('busy'),
};

/** Runs a flow against a server with these streams. `seen` are its requests; `closed` counts streams cut by the client. */
function streaming(flow, options, use) {
  const closed = { count: 0 };
  const handler = async (req, res) => {
    res.on('close', () => {
      if (!res.writableFinished) closed.count++;
    });
    await STREAMS[req.url.split('?')[0]](res, req);
  };
  return serving(handler, async (url, seen) => {
    const { stats } = await benchrest(flow, { baseUrl: url, ...ONE, ...options });
    const [operation] = stats.operations;
    await use({ stats, seen, closed, operation, stream: operation.stream, errors: stats.errors.details });
  });
}

const countsOf = ({ count, events, counted }) => ({ count, events, ...(counted !== undefined && { counted }) });

for (const httpClient of NAMES) {
  describe(`streams: ${httpClient}`, () => {
    const run = (flow, options, use) => streaming(flow, { httpClient, ...options }, use);

    it('an operation has the counts and times of its streams', () =>
      run({ get: '/events', stream: 'sse' }, { iterations: 3 }, ({ stats, operation, stream, errors }) => {
        expect(errors).to.deep.equal([]);
        expect(operation).to.deep.include({ count: 3, errors: 0, statusCodes: { 200: 3 } });
        expect(stream).to.deep.include({ count: 3, events: 9, bytes: 81 });
        expect(stream.eventRate).to.be.above(0);
        const counts = ['firstEvent', 'gap', 'meanGap', 'duration'].map((key) => stream[key].count);
        expect(counts).to.deep.equal([3, 6, 3, 3]);
        expect(stream.firstEvent.max).to.be.at.most(stats.main.completed.max);
      }));

    it('true takes the kind from the content type', () =>
      run(
        [
          { get: '/events', stream: true },
          { get: '/lines', stream: true },
        ],
        {},
        ({ stats }) => expect(stats.operations.map(({ stream }) => stream.events)).to.deep.equal([3, 2]),
      ));

    it('first counts events with a value alone, count reads a number, and end keeps the connection', () =>
      run(
        {
          post: '/chat',
          json: {},
          stream: {
            kind: 'sse',
            first: '$.choices[0].delta.content',
            count: '$.usage.completion_tokens',
            end: '[DONE]',
          },
        },
        { iterations: 2 },
        ({ stats, stream, errors }) => {
          expect(errors).to.deep.equal([]);
          expect(countsOf(stream)).to.deep.equal({ count: 2, events: 4, counted: 10 });
          expect(stats.connections).to.include({ opened: 1, closedByServer: 0, requestsOnReused: 1 });
        },
      ));

    it('a path of count that finds nothing is a count of 0', () =>
      run({ get: '/lines', stream: { kind: 'ndjson', count: '$.tokens' } }, {}, ({ stream }) =>
        expect(countsOf(stream)).to.deep.equal({ count: 1, events: 2, counted: 0 }),
      ));

    it('a number of events ends a stream without an error, and closes its connection', () =>
      run({ get: '/endless', stream: { events: 3 } }, { iterations: 2 }, ({ stats, stream, errors }) => {
        expect(errors).to.deep.equal([]);
        expect(countsOf(stream)).to.deep.equal({ count: 2, events: 6 });
        expect(stats.requests).to.deep.include({ sent: 2, answered: 2, statusCodes: { 200: 2 } });
        expect(stats.connections).to.include({ opened: 2, closedByServer: 0 });
      }));

    it('a time ends a stream without an error, even if it has no event', () =>
      run([{ get: '/silent', stream: { for: '50ms' } }], {}, ({ stream, errors }) => {
        expect(errors).to.deep.equal([]);
        expect(countsOf(stream)).to.deep.equal({ count: 1, events: 0 });
        expect(stream.duration.min).to.be.at.least(49);
      }));

    it('a stream that stalls until its time is over has that gap, which checks and thresholds see', () => {
      STREAMS['/stalls'] = (res) => res.writeHead(200, SSE).write('data: a\n\ndata: b\n\n');
      const stream = { for: '200ms' };
      return run(
        { get: '/stalls', name: 'op', stream, expect: { gap: 100 } },
        { thresholds: ['op gap.max<100ms'] },
        (all) => {
          expect(all.errors[0]).to.include({ kind: 'expect' });
          expect(all.stream.gap.count).to.equal(2);
          expect(all.stats.thresholds[0].passed).to.equal(false);
        },
      );
    });

    it('a stream that ends with its connection is complete, and functions request streams as well', () => {
      STREAMS['/closes'] = (res) => {
        res.socket.end('HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n\r\ndata: a\n\ndata: b\n\n');
      };
      const bodies = [];
      const flow = [
        async ({ request }) => {
          bodies.push((await request({ get: '/closes', stream: 'sse' })).body);
        },
      ];
      return run(flow, {}, ({ stats, errors }) => {
        expect(errors).to.deep.equal([]);
        expect(bodies).to.deep.equal(['a\nb']);
        expect(stats.operations.find(({ stream }) => stream).stream).to.include({ count: 1, events: 2 });
      });
    });

    for (const [how, operation, options] of [
      ['its timeout', { timeout: 300 }, {}],
      ['the end of the run', {}, { gracefulStop: 0, duration: '300ms', iterations: undefined }],
    ])
      it(`${how} completes a stream that has ended, though the rest of its response does not come`, async () => {
        STREAMS['/rest'] = (res) => res.writeHead(200, SSE).write('data: a\n\ndata: [DONE]\n\n');
        const stream = { kind: 'sse', end: '[DONE]' };
        // It ends in less than the second that the rest has.
        const {
          stats,
          stream: figures,
          errors,
        } = await undisturbed(async () => {
          let result;
          await run({ get: '/rest', stream, ...operation }, options, (all) => (result = all));
          return result;
        });
        expect(errors).to.deep.equal([]);
        expect(stats.iterations).to.include({ started: 1, completed: 1 });
        expect(stats.requests).to.include({ sent: 1, answered: 1 });
        expect(figures).to.include({ count: 1, events: 1 });
      });

    it('the timeout of an operation begins to count after the time of its stream', () =>
      run({ get: '/endless', timeout: 10_000, stream: { for: '30ms' } }, { timeout: '20ms' }, ({ errors }) =>
        expect(errors).to.deep.equal([]),
      ));

    it('a stream that is cut is an error, with its counts', () =>
      run({ get: '/cut', stream: 'sse' }, {}, ({ stats, operation, stream, errors }) => {
        expect(errors.map(({ kind }) => kind)).to.deep.equal(['reset']);
        expect(operation).to.include({ count: 1, errors: 1 });
        expect(countsOf(stream)).to.deep.equal({ count: 1, events: 2 });
        // the wait for the third event, which did not come, was longer than the gap before
        expect([stream.firstEvent.count, stream.gap.count, stream.duration.count]).to.deep.equal([1, 2, 0]);
        expect(stats.requests).to.include({ sent: 1, answered: 0, unanswered: 1 });
      }));

    it('a stream without an event is an error, unless expect allows it', () =>
      run(
        [
          { get: '/nothing', stream: 'sse' },
          { get: '/nothing', stream: 'sse', expect: { events: { gte: 0 } } },
        ],
        { iterations: 2 },
        ({ errors }) =>
          expect(errors.map(({ code, path, count }) => [code, path, count])).to.deep.equal([
            ['E_STREAM_EMPTY', 'flow.main[0]', 2],
          ]),
      ));

    it('a stream with an unknown content coding is an error, and the response to a refused request is no stream', () =>
      run({ get: '/encoded', stream: 'sse' }, {}, ({ errors }) =>
        expect(errors[0]).to.include({ code: 'E_STREAM_ENCODED', kind: 'protocol' }),
      ).then(() =>
        run({ get: '/refused', stream: 'sse' }, {}, ({ errors, stream, operation }) => {
          expect(errors[0]).to.include({ kind: 'status' });
          expect(errors[0].exchange.join('\n')).to.contain('busy');
          expect(operation.statusCodes).to.deep.equal({ 503: 1 });
          expect(countsOf(stream)).to.deep.equal({ count: 0, events: 0 });
        }),
      ));

    for (const [coding, create] of CODINGS)
      it(`an encoded stream is decoded as it arrives: ${coding}`, () => {
        STREAMS['/coded'] = async (res) => {
          res.writeHead(200, { ...SSE, 'content-encoding': coding });
          const encoder = create();
          encoder.on('data', (piece) => res.write(piece));
          for (let n = 1; n < 3; n++) {
            encoder.write(`data: {"n":${n}}\n\n`);
            await new Promise((resolve) => encoder.flush(resolve));
          }
          // the third event never comes
        };
        const stream = { kind: 'sse', events: 2, first: '$.n' };
        return run({ get: '/coded', stream, capture: { n: { event: true, json: '$.n', join: true } } }, {}, (all) => {
          expect(all.errors).to.deep.equal([]);
          expect(countsOf(all.stream)).to.deep.equal({ count: 1, events: 2 });
        });
      });

    it('the end of an encoded stream has its last events, and hooks and traces read its text', () => {
      const bodies = [];
      STREAMS['/gzip'] = (res) =>
        res.writeHead(200, { ...SSE, 'content-encoding': 'gzip' }).end(gzipSync('data: a\n\ndata: b\n\n'));
      const afterHooks = [({ body, iterCtx }) => bodies.push(body) && iterCtx];
      const trace = ({ response }) => bodies.push(String(response.body));
      const options = { iterations: 2, trace };
      return run({ get: '/gzip', stream: 'sse', afterHooks }, options, ({ stats, stream, errors }) => {
        expect(errors).to.deep.equal([]);
        expect(bodies).to.deep.equal(Array(4).fill('a\nb'));
        expect(stream).to.include({ count: 2, events: 4 });
        expect(stats.connections.opened).to.equal(1);
      });
    });

    it('an encoded stream that is cut, or no such bytes, is an error with the events so far', () => {
      const whole = gzipSync('data: a\n\ndata: b\n\n');
      STREAMS['/cut-gzip'] = (res) =>
        res.writeHead(200, { ...SSE, 'content-encoding': 'gzip' }).end(whole.subarray(0, -4));
      STREAMS['/no-gzip'] = (res) => res.writeHead(200, { ...SSE, 'content-encoding': 'gzip' }).end('data: a\n\n');
      const flow = [{ get: '/cut-gzip', stream: 'sse' }];
      return run(flow, {}, ({ errors, stream }) => {
        expect(errors[0]).to.include({ kind: 'protocol', code: 'E_DECODE' });
        expect(errors[0].message).to.contain('gzip: unexpected end of file');
        expect(stream).to.include({ count: 1, events: 2 });
      }).then(() =>
        run([{ get: '/no-gzip', stream: 'sse' }], { iterations: 2 }, ({ errors }) =>
          expect(errors.map(({ code, count }) => [code, count])).to.deep.equal([['E_DECODE', 2]]),
        ),
      );
    });

    it('the content coding none is none: servers send it so that no proxy compresses a stream', () => {
      STREAMS['/plain'] = (res) => res.writeHead(200, { ...SSE, 'content-encoding': 'none' }).end('data: a\n\n');
      return run({ get: '/plain', stream: 'sse' }, {}, ({ errors, stream }) => {
        expect(errors).to.deep.equal([]);
        expect(stream.events).to.equal(1);
      });
    });

    it('an event that is larger than a body may be is an error', () =>
      run({ get: '/endless', stream: 'lines' }, { maxBodySize: 4 }, ({ errors }) =>
        expect(errors[0]).to.include({ code: 'E_EVENT_TOO_LARGE', kind: 'protocol' }),
      ));

    it('captures take values of single events, and join those of all', () =>
      run(
        {
          main: [
            {
              get: '/typed',
              stream: 'sse',
              capture: {
                id: { event: 'created', json: '$.id' },
                all: { event: 'created', json: '$.id', join: true },
                first: { event: true, json: '$.n' },
                text: { text: '"id":(8)' },
                none: { event: 'deleted', json: '$.id', default: 'none' },
              },
            },
            '/events?id=#{id}&all=#{all}&first=#{first}&text=#{text}&none=#{none}',
            { get: '/typed', stream: 'sse', capture: { gone: { event: 'deleted', json: '$.id' } } },
          ],
        },
        {},
        ({ seen, errors }) => {
          expect(seen[1].url).to.equal('/events?id=7&all=78&first=0&text=8&none=none');
          expect(errors[0]).to.include({ code: 'E_CAPTURE' });
          expect(errors[0].message).to.contain('$.id finds nothing in an event of the type');
        },
      ));

    it('expect checks the number of events, the first one and the gaps', () =>
      run(
        [
          { get: '/events', stream: 'sse', expect: { events: 3, firstEvent: '50s', gap: '50s' } },
          { get: '/events', stream: 'sse', expect: { events: { gte: 5 } } },
        ],
        {},
        ({ stats }) =>
          expect(stats.checks.details.map(({ name, passed, failed }) => [name, passed, failed])).to.deep.equal([
            ['events', 1, 0],
            ['firstEvent 50 s', 1, 0],
            ['gap 50 s', 1, 0],
            ['events', 0, 1],
          ]),
      ));

    it('a stream without an event fails the check of its first one', () =>
      run({ get: '/silent', stream: { for: 20 }, expect: { firstEvent: '50s', gap: '50s' } }, {}, ({ errors }) =>
        expect(errors[0].message).to.contain('expected firstEvent of at most 50 s, received no event'),
      ));

    it('after-hooks get the data of all events as the body, a line each', () => {
      const bodies = [];
      const afterHooks = [({ body, iterCtx }) => bodies.push(body) && iterCtx];
      return run([{ get: '/events', stream: 'sse', afterHooks }], {}, () => expect(bodies).to.deep.equal(['a\nb\nc']));
    });

    it('reconnect opens a stream again, which continues after the last event', () => {
      // Each connection but the first is asked for at /again and redirected to /moved, which keeps the identifier.
      STREAMS['/again'] = (res, { headers }) => {
        if (headers['last-event-id'] === undefined) STREAMS['/moved'](res, { headers });
        else res.writeHead(307, { location: '/moved' }).end();
      };
      STREAMS['/moved'] = (res, { headers }) => {
        const from = Number(headers['last-event-id'] ?? 0);
        if (from === 6) res.writeHead(204).end();
        else {
          res.writeHead(200, SSE).write(`retry: 5\nid: ${from + 1}\ndata: x\n\nid: ${from + 2}\ndata: y\n\n`);
          if (from === 2) setTimeout(() => res.destroy(), 20);
          else res.end();
        }
      };
      const bodies = [];
      const afterHooks = [({ body, iterCtx }) => bodies.push(body) && iterCtx];
      const operation = { get: '/again', stream: { kind: 'sse', reconnect: true }, afterHooks };
      return run([operation], {}, ({ stats, seen, stream, errors }) => {
        expect(errors).to.deep.equal([]);
        const ids = [undefined, '2', '2', '4', '4', '6', '6'];
        expect(seen.map(({ headers }) => headers['last-event-id'])).to.deep.equal(ids);
        expect(bodies, 'a redirect has none of the events').to.deep.equal(['x\ny\nx\ny\nx\ny']);
        expect(stream).to.include({ count: 1, events: 6, reconnects: 3 });
        expect(stats.requests).to.include({
          sent: 7,
          answered: 6,
          unanswered: 1,
          count: 1,
          reconnects: 3,
          redirects: 3,
        });
      });
    });

    it('the line that a lost connection has cut is no event when the next response is no stream', () => {
      STREAMS['/half'] = (res) => {
        res.writeHead(200).write('a\nb');
        STREAMS['/half'] = (again) => again.writeHead(307, { location: '/none' }).end();
        setTimeout(() => res.destroy(), 20);
      };
      STREAMS['/none'] = (res) => res.writeHead(204).end();
      return run({ get: '/half', stream: { kind: 'lines', reconnect: true } }, {}, ({ stream, errors }) => {
        expect(errors).to.deep.equal([]);
        expect(stream).to.include({ events: 1, reconnects: 1 });
      });
    });

    const ends = (res) => res.end();
    const resets = (res) => setTimeout(() => res.socket.resetAndDestroy(), 20);
    for (const [title, own, options, kinds, leave] of [
      ['its time ends a stream', { stream: { for: '100ms' } }, {}, [], ends],
      ['the end of the run completes a stream', {}, { iterations: undefined, duration: '100ms' }, [], ends],
      ['a timeout fails a stream', { timeout: 200 }, {}, ['timeout'], ends],
      ['its time ends a stream that was reset and', { stream: { for: '100ms' } }, {}, [], resets],
      ['the end of the run completes one that', {}, { iterations: undefined, duration: '200ms' }, [], resets],
    ])
      it(`${title} that waits to be opened again, and no connection follows: ${leave.name}`, () => {
        STREAMS['/later'] = (res) => {
          res.writeHead(200, SSE).write('retry: 600000\ndata: a\n\n');
          leave(res);
        };
        const stream = { kind: 'sse', reconnect: true, ...own.stream };
        return run({ get: '/later', ...own, stream }, options, ({ stats, operation, seen, errors }) => {
          expect(errors.map(({ kind }) => kind)).to.deep.equal(kinds);
          expect(seen).to.have.lengthOf(1);
          if (kinds.length === 0)
            expect([operation.times.serviceTime.min >= 0, stats.main.completed.min >= 0]).to.deep.equal([true, true]);
          expect(stats.iterations).to.include({ started: 1, failed: kinds.length, cancelled: 0 });
        });
      });

    it('its time ends a stream without an error while its next connection is not answered', () => {
      STREAMS['/mute'] = (res, { headers }) => {
        if (headers['last-event-id'] === undefined) res.writeHead(200, SSE).end('retry: 5\nid: 1\ndata: a\n\n');
      };
      const operation = { get: '/mute', stream: { kind: 'sse', for: '100ms', reconnect: true }, timeout: 200 };
      return run(operation, {}, ({ stats, stream, errors }) => {
        expect(errors).to.deep.equal([]);
        expect(stream).to.include({ count: 1, events: 1, reconnects: 1 });
        expect(stats.requests).to.include({ sent: 2, answered: 1, unanswered: 1 });
      });
    });

    it('in an open model the first event includes the wait of the iteration', () => {
      STREAMS['/slow'] = async (res) => {
        await wait(50);
        res.writeHead(200, SSE).end('data: a\n\n');
      };
      const flow = { get: '/slow', stream: 'sse' };
      return run(flow, { limit: 1, iterations: 3, rate: 100 }, ({ stream, operation }) =>
        expect(stream.firstEvent.max).to.be.above(operation.times.serviceTime.max),
      );
    });

    it('the end of a run cuts off a stream, whose events count', () => {
      const stop = new AbortController();
      STREAMS['/until-stop'] = async (res) => {
        res.writeHead(200, SSE);
        for (let n = 0; !res.destroyed; n++) {
          res.write('data: a\n\n');
          await wait(5);
          if (n === 20) stop.abort();
        }
      };
      const options = { gracefulStop: 0, signal: stop.signal };
      return run({ get: '/until-stop', stream: 'sse' }, options, ({ stats, stream }) => {
        expect(stats.iterations).to.include({ started: 1, cancelled: 1 });
        expect(stream.count).to.equal(1);
        expect(stream.events).to.be.above(0);
        expect([stream.firstEvent.count, stream.duration.count]).to.deep.equal([1, 0]);
      });
    });
  });
}

describe('streams: thresholds and reports', () => {
  const flow = { get: '/events', stream: 'sse', name: 'chat' };

  it('thresholds judge the figures of streams, and the share of those that keep all limits', () =>
    streaming(
      { main: [flow, { get: '/cut', stream: 'sse', name: 'cut' }] },
      {
        thresholds: [
          'chat firstEvent.p95<60s',
          'chat gap.max<60s',
          'chat events==3',
          'chat eventRate>1000000',
          'goodput(firstEvent<60s, gap.p99<60s)>40%',
          'chat goodput(events>=3)==100%',
          'cut goodput(events>=2)>0%',
        ],
      },
      ({ stats }) => {
        expect(stats.thresholds.map(({ passed }) => passed)).to.deep.equal([
          true,
          true,
          true,
          false,
          true,
          true,
          false,
        ]);
        expect(stats.thresholds[4]).to.include({ actual: 0.5, unit: 'ratio' });
        expect(stats.operations[0].stream.goodput).to.deep.equal([
          { limits: 'firstEvent<60s, gap.p99<60s', good: 1, count: 1 },
          { limits: 'events>=3', good: 1, count: 1 },
        ]);
      },
    ));

  it('tags have the streams of their operations, and goodput is also of tags, scenarios and groups', () =>
    streaming(
      {
        scenarios: {
          talk: {
            main: [
              { ...flow, tags: { team: 'search' }, group: 'first' },
              { ...flow, name: 'other', tags: { team: 'search' } },
              { get: '/cut', stream: 'sse', name: 'cut' },
            ],
          },
        },
      },
      {
        thresholds: [
          'team:search firstEvent.p95<60s',
          'team:search events==6',
          ...['team:search', 'talk', 'first', 'chat'].map((name) => `${name} goodput(firstEvent<60s)==100%`),
          'goodput(firstEvent<60s)>60%',
        ],
      },
      ({ stats }) => {
        expect(stats.thresholds.map(({ passed }) => passed)).to.deep.equal([true, true, true, false, true, true, true]);
        expect(stats.thresholds[3].actual).to.be.closeTo(2 / 3, 1e-9);
        expect(stats.tags[0].stream).to.deep.include({ count: 2, events: 6 });
        expect(stats.tags[0].stream.gap.count).to.equal(4);
        expect(stats.operations[0].stream.goodput).to.deep.equal([{ limits: 'firstEvent<60s', good: 1, count: 1 }]);
      },
    ));

  it('the report has a table of the times of streams, and their counts', () =>
    serving(STREAMS_HANDLER, async (url) => {
      const { stdout } = await command([...['-n', '1', '-e', JSON.stringify({ ...flow, get: `${url}/events` })]]);
      expect(stdout).to.match(/streams, [muµ]s .*p50 .*\n +first event .*\n +gap /);
      expect(stdout).to.match(/chat +1 stream, 3 events \([\d,.]+ per second\), 27 B/);
    }));

  it('the report of streams that all fail has their counts as well', () =>
    serving(STREAMS_HANDLER, async (url) => {
      const { stdout } = await command([
        '-n',
        '1',
        '-e',
        JSON.stringify({ get: `${url}/cut`, stream: 'sse', name: 'chat' }),
      ]);
      expect(stdout).to.match(/no request was answered completely/i);
      expect(stdout).to.match(/chat +1 stream, 2 events/);
      expect(stdout).to.match(/after 2 events of\s+the stream/);
    }));

  const STREAMS_HANDLER = (req, res) => STREAMS[req.url](res, req);

  it('reconnect: true has no limit, and a number is one', () => {
    const limitOf = (reconnect) =>
      compiledFlow({ main: [{ get: 'http://a/', stream: { reconnect } }] }).main[0].reader.reconnects;
    expect([true, 3, false].map(limitOf)).to.deep.equal([Infinity, 3, 0]);
  });

  const wrong = [
    [{ stream: 'see' }, {}, /stream: expected true, or one of sse, ndjson, lines, chunks, or an object/],
    [{ stream: { evnts: 3 } }, {}, /stream\.evnts: unknown property, did you mean events\?/],
    [{ stream: { events: 0 } }, {}, /stream\.events: expected a whole number from 1/],
    [{ stream: { first: 'choices' } }, {}, /stream\.first: the path/],
    [{ stream: 'lines', post: '/', get: undefined, graphql: '{ a }' }, {}, /stream: of graphql is of the kind sse/],
    [{ stream: { end: '#{INDEX}' } }, {}, /stream\.end: has a token/],
    [{ expect: { events: 3 } }, {}, /expect\.events: is for streams/],
    [{ capture: { a: { event: 'x', json: '$.a' } } }, {}, /capture\.a\.event: is for streams/],
    [{ stream: 'sse', capture: { a: { event: 'x', header: 'a' } } }, {}, /an event has no header/],
    [{ stream: 'sse', capture: { a: { json: '$.a', join: true } } }, {}, /needs event/],
    [{ stream: 'sse' }, { pipelining: 2, httpClient: 'builtin' }, /is a stream, which needs a connection of its own/],
    [{}, { thresholds: ['goodput(firstEvent<1s)>90%'] }, /no operation of the flow has a stream/],
    [{ stream: 'sse' }, { thresholds: ['op meanGap<1s'] }, /unknown figure meanGap .*, did you mean meanGap\.p95\?/],
    [{ stream: 'sse' }, { thresholds: ['op gap.p101<1s'] }, /of streams also events .* times of firstEvent gap/],
    [{ stream: 'sse' }, { thresholds: ['meanGap<1s'] }, /write its name first, as in 'chat meanGap\.p95<800ms'/],
    [{}, { thresholds: ['op gap.p99<1s'] }, /"op" is no operation or tag with a stream: add stream/],
  ];
  for (const [own, options, reason] of wrong)
    it(`${JSON.stringify({ ...own, ...options })} is refused`, async () => {
      const run = async () => benchrest({ get: 'http://127.0.0.1:1/', name: 'op', ...own }, { ...ONE, ...options });
      const error = await run().catch((thrown) => thrown);
      expect(error?.message).to.match(reason);
    });
});

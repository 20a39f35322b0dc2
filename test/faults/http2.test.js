import { once } from 'node:events';
import http2 from 'node:http2';
import tls from 'node:tls';

import { expect } from 'chai';

import benchrest from '../../index.js';
import { selfSigned } from '../support/certificate.js';
import { faulting } from '../support/faulty-server.js';
import {
  CODES,
  FLAGS,
  TYPES,
  dataFrame,
  frame,
  framing,
  headersFrame,
  responseTo,
  settingsFrame,
  uint32,
} from '../support/frame-server.js';
import { scaled } from '../support/scale.js';
import { itSlow } from '../support/slow.js';
import { exchange, requestTo, sending, transporting } from '../support/transports.js';
import { turns, until } from '../support/until.js';
import { balance, leavingNothing } from './ground.js';

const HTTP2 = 'prior-knowledge';
const INITIAL_WINDOW = 4;
const MAX_STREAMS = 3;
const goAway = (last, code = 0, debug = '') =>
  frame(TYPES.GOAWAY, 0, 0, Buffer.concat([uint32(last, code), Buffer.from(debug, 'latin1')]));
const reset = (id, code) => frame(TYPES.RST_STREAM, 0, id, uint32(code));
const windowUpdate = (id, more) => frame(TYPES.WINDOW_UPDATE, 0, id, uint32(more));

/** Runs a flow over HTTP/2, and checks that its counters balance and that it leaves nothing behind. */
const run = (flow, options) =>
  leavingNothing(async () => {
    const { stats } = await benchrest(flow, { http2: HTTP2, timeout: 15_000, ...options });
    balance(stats);
    return stats;
  });

/** `visit(path, request)` over connections that share what `options` allow; `connect` opens another one. */
const visiting = (url, story, options) =>
  transporting(
    'builtin',
    (transport) => {
      const connect = (http2 = HTTP2) => {
        const connection = transport.connect(requestTo(url, { http2 }).endpoint);
        const visit = (path, request) => exchange(connection, requestTo(url + path, { ...request, http2 }));
        return Object.assign(visit, { connection });
      };
      return story(connect(), connect);
    },
    options,
  );

/** Runs `story(advance)`, whose transports have a clock that can be advanced by ms. */
async function withTimeAhead(story) {
  const { now } = performance;
  let ahead = 0;
  performance.now = () => now.call(performance) + ahead;
  try {
    return await story((ms) => (ahead += ms));
  } finally {
    performance.now = now;
  }
}

/** Answers each request with its path. */
async function serve(io) {
  for (;;) {
    const { id, path } = await io.readRequest();
    await io.respond(id, { body: path });
  }
}

const post = (body) => ({ method: 'POST', body });

describe('HTTP/2: windows and settings', () => {
  it('F181 a body is not sent while the window is 0, and its stream is cancelled at the deadline', () =>
    framing(
      async (io) => {
        await io.hello([[INITIAL_WINDOW, 0]]);
        for (;;) {
          const { id, path } = await io.readRequest();
          if (path === '/get') await io.respond(id);
        }
      },
      async (url, seen) => {
        // The settings arrive with the first response.
        const flow = [{ get: `${url}/get` }, { post: `${url}/`, body: 'x'.repeat(100) }];
        const stats = await run(flow, { limit: 2, iterations: 4, timeout: '60ms', connections: 1 });
        expect(stats.errors.details[0]).to.include({ code: 'E_TIMEOUT_REQUEST', count: 4 });
        expect(seen.frames.filter(({ type }) => type === 'DATA')).to.have.lengthOf(0);
        const cancelled = seen.frames.filter(
          ({ type, payload }) => type === 'RST_STREAM' && payload[3] === CODES.CANCEL,
        );
        expect(cancelled).to.have.lengthOf(4);
      },
    ));

  it('F181 a body that is sent before the settings arrive fills the default window, and no more (RFC 9113 6.9.2)', () =>
    framing(
      async (io) => {
        await io.until('preface');
        const { id } = await io.readRequest();
        const parts = [];
        const sent = () => parts.reduce((sum, { length }) => sum + length, 0);
        const readUpTo = async (size) => {
          while (sent() < size) parts.push((await io.until('DATA')).payload);
          expect(sent()).to.equal(size);
        };
        await readUpTo(65_535);
        await io.send(Buffer.concat([settingsFrame([[INITIAL_WINDOW, 0]]), windowUpdate(0, 100_000)]));
        await io.until('SETTINGS');
        await io.send(windowUpdate(id, 65_535 + 4_000));
        await readUpTo(69_535);
        await io.send(windowUpdate(id, 1000));
        await readUpTo(70_000);
        await io.respond(id);
        await serve(io);
      },
      (url) =>
        visiting(url, async (visit) => {
          expect(await visit('/', post('x'.repeat(70_000)))).to.include({ status: 200, body: 'ok' });
        }),
    ));

  it('F181 DATA within the windows that were announced is read, however much of it arrives at once', () => {
    const size = scaled(400, 3000) * 16_384;
    return framing(
      async (io) => {
        const { payload } = await io.until('SETTINGS');
        const settings = Array.from({ length: payload.length / 6 }, (_, i) => [
          payload.readUInt16BE(6 * i),
          payload.readUInt32BE(6 * i + 2),
        ]);
        expect(new Map(settings).get(INITIAL_WINDOW)).to.be.at.least(size);
        expect((await io.until('WINDOW_UPDATE')).payload.readUInt32BE()).to.be.at.least(size);
        await io.send(Buffer.concat([settingsFrame([]), frame(TYPES.SETTINGS, FLAGS.ACK, 0)]));
        const { id } = await io.readRequest();
        const part = dataFrame(id, Buffer.alloc(16_384), 0);
        await io.send(Buffer.concat([headersFrame(id, [':status', '200']), ...Array(size / 16_384).fill(part)]));
        await io.send(dataFrame(id, ''));
        await serve(io);
      },
      (url, seen) =>
        visiting(url, async (visit) => {
          expect((await visit('/')).body).to.have.lengthOf(size);
          expect(await visit('/after')).to.include({ status: 200, body: '/after' });
          expect(seen.connections).to.equal(1);
        }),
    );
  });

  it('F181 a body follows windows of any size, also negative ones (RFC 9113 6.9.2)', () => {
    const body = Array.from({ length: 500 }, (_, i) => `${i}`).join();
    return framing(
      async (io) => {
        await io.hello([[INITIAL_WINDOW, 10]]);
        await io.respond((await io.readRequest()).id);
        const { id } = await io.readRequest();
        const parts = [(await io.until('DATA')).payload];
        // The window is -10 after this: 20 more are 10.
        await io.send(
          Buffer.concat([settingsFrame([[INITIAL_WINDOW, 0]]), windowUpdate(id, 10), settingsFrame([[5, 16_384]])]),
        );
        await io.until('SETTINGS');
        await io.send(windowUpdate(id, 10));
        parts.push((await io.until('DATA')).payload);
        expect(parts.map(({ length }) => length)).to.deep.equal([10, 10]);
        for (let size = 1; ; size++) {
          await io.send(windowUpdate(id, size));
          const { payload, flags } = await io.until('DATA');
          parts.push(payload);
          expect(payload.length).to.be.at.most(size);
          if (flags & FLAGS.END_STREAM) break;
        }
        await io.respond(id, { body: Buffer.concat(parts) });
        await serve(io);
      },
      (url) =>
        visiting(url, async (visit) => {
          await visit('/before');
          expect(await visit('/', post(body))).to.include({ status: 200, body });
          expect(await visit('/after')).to.include({ status: 200, body: '/after' });
        }),
    );
  });

  it('F190 windows for a body that waits are no flood, however many they are', () =>
    framing(
      async (io) => {
        await io.hello([[INITIAL_WINDOW, 1]]);
        await io.respond((await io.readRequest()).id);
        const { id } = await io.readRequest();
        const more = Buffer.concat([...Array(2000).fill(windowUpdate(0, 1)), windowUpdate(id, 1)]);
        const parts = [];
        for (let last = 0; !(last & FLAGS.END_STREAM);) {
          const { payload, flags } = await io.until('DATA');
          parts.push(payload);
          last = flags;
          await io.send(more);
        }
        await io.respond(id, { body: Buffer.concat(parts) });
        await serve(io);
      },
      (url) =>
        visiting(url, async (visit) => {
          await visit('/before');
          expect(await visit('/', post('eight more'))).to.include({ status: 200, body: 'eight more' });
        }),
    ));

  it('F190 windows that return the bytes of a body are no flood, however small they are', () =>
    framing(
      async (io) => {
        await io.hello([[INITIAL_WINDOW, 2 ** 31 - 1]]);
        await io.respond((await io.readRequest()).id);
        const { id } = await io.readRequest();
        let size = 0;
        for (let last = 0; !(last & FLAGS.END_STREAM);) {
          const { payload, flags } = await io.until('DATA');
          size += payload.length;
          last = flags;
        }
        await io.send(Buffer.concat(Array(size).fill(Buffer.concat([windowUpdate(id, 1), windowUpdate(0, 1)]))));
        await io.respond(id, { body: `${size}` });
        await serve(io);
      },
      (url, seen) =>
        visiting(url, async (visit) => {
          await visit('/before');
          expect(await visit('/', post('x'.repeat(20_000)))).to.include({ status: 200, body: '20000' });
          expect(await visit('/after')).to.include({ status: 200, body: '/after' });
          expect(seen.connections).to.equal(1);
        }),
    ));

  it('F181 bodies that share a window of the connection all arrive, and no frame is larger than allowed', () => {
    const body = 'x'.repeat(150_000);
    return framing(
      async (io) => {
        await io.hello([[INITIAL_WINDOW, 2 ** 31 - 1]]);
        const sizes = new Map();
        let done = 0;
        while (done < 3) {
          const { type, id, flags, payload } = await io.readFrame();
          if (type !== 'DATA') continue;
          expect(payload.length).to.be.at.most(16_384);
          sizes.set(id, (sizes.get(id) ?? 0) + payload.length);
          await io.send(windowUpdate(0, Math.max(1, payload.length)));
          if (!(flags & FLAGS.END_STREAM)) continue;
          done++;
          await io.respond(id, { body: `${sizes.get(id)}` });
        }
      },
      (url) =>
        visiting(
          url,
          async (first, connect) => {
            const visits = [first, connect(), connect()].map((visit) => visit('/', post(body)));
            for (const result of await Promise.all(visits)) expect(result).to.include({ status: 200, body: '150000' });
          },
          { connections: 1 },
        ),
    );
  });

  it('F181 a response before the end of the request ends the exchange, and its body is not sent', () =>
    framing(
      async (io) => {
        await io.hello([[INITIAL_WINDOW, 10]]);
        await io.respond((await io.readRequest()).id);
        const { id } = await io.readRequest();
        await io.send(Buffer.concat([responseTo(id, { status: 413, body: 'no' }), reset(id, CODES.NO_ERROR)]));
        await serve(io);
      },
      (url, seen) =>
        visiting(url, async (visit) => {
          await visit('/before');
          expect(await visit('/', post('x'.repeat(1000)))).to.include({ status: 413, body: 'no' });
          expect(await visit('/after')).to.include({ status: 200, body: '/after' });
          expect(seen.connections).to.equal(1);
        }),
    ));

  it('F188 settings that make a window larger than 2^31 - 1 end the connection (RFC 9113 6.9.2)', () =>
    framing(
      async (io, connection) => {
        await io.hello([[INITIAL_WINDOW, connection === 0 ? 0 : 65_535]]);
        if (connection > 0) return serve(io);
        await io.respond((await io.readRequest()).id);
        const { id } = await io.readRequest();
        await io.send(Buffer.concat([windowUpdate(id, 2 ** 31 - 1), settingsFrame([[INITIAL_WINDOW, 1]])]));
        await io.until('end of the connection');
      },
      (url, seen) =>
        visiting(url, async (visit) => {
          await visit('/before');
          expect((await visit('/', post('x'.repeat(10)))).kind).to.be.oneOf(['protocol']);
          await until(() =>
            seen.frames.some(({ type, payload }) => type === 'GOAWAY' && payload[7] === CODES.FLOW_CONTROL_ERROR),
          );
          expect(await visit('/after')).to.include({ status: 200, body: '/after' });
          // The body of the failed request does not follow GOAWAY.
          expect(seen.frames.some(({ type }) => type === 'DATA')).to.equal(false);
        }),
    ));

  it('F194 a server that sends no settings is refused, and one that never acknowledges ours can be used', async () => {
    await framing(
      async (io) => {
        await io.until('preface');
        await io.send(frame(TYPES.PING, 0, 0, Buffer.alloc(8)));
        await io.hang();
      },
      (url) =>
        visiting(url, async (visit) => expect(await visit('/')).to.include({ code: 'E_NO_HTTP2', kind: 'protocol' })),
    );
    await framing(
      async (io) => {
        await io.until('preface');
        await io.send(settingsFrame([]));
        await serve(io);
      },
      (url) => visiting(url, async (visit) => expect(await visit('/a')).to.include({ status: 200, body: '/a' })),
    );
  });

  it('F194 a server that sends nothing ends each request at its deadline, and each gets a new connection', () =>
    framing(
      async (io) => {
        await io.until('preface');
        await io.hang();
      },
      async (url, seen) => {
        const stats = await run([{ get: `${url}/` }], { limit: 1, iterations: 3, timeout: '50ms' });
        expect(stats.errors.details[0]).to.include({ code: 'E_TIMEOUT_SETTINGS', kind: 'timeout', count: 3 });
        expect(stats.errors.details[0].message).to.include('sent no settings of HTTP/2 within 50 ms');
        expect(seen.connections).to.equal(3);
      },
    ));

  for (const [what, answers] of [
    ['answers', true],
    ['is silent', false],
  ])
    it(`F194 settings that are not acknowledged within 10 s end the connection if the server ${what}`, () =>
      withTimeAhead((advance) =>
        framing(
          async (io) => {
            await io.until('preface');
            await io.send(settingsFrame([]));
            await io.respond((await io.readRequest()).id);
            if (answers) await serve(io);
            else await io.hang();
          },
          (url, seen) =>
            visiting(url, async (visit) => {
              expect(await visit('/before')).to.include({ status: 200 });
              advance(5_000);
              const inTime = visit('/in-time');
              if (answers) expect(await inTime).to.include({ status: 200 });
              advance(6_000);
              if (answers) expect(await visit('/late')).to.include({ status: 200 });
              else {
                await until(() => seen.requests === 2);
                visit.connection.abort(Object.assign(new Error('over'), { code: 'OVER' }));
                expect(await inTime).to.include({ code: 'OVER' });
              }
              await until(() =>
                seen.frames.some(({ type, payload }) => type === 'GOAWAY' && payload[7] === CODES.SETTINGS_TIMEOUT),
              );
            }),
        ),
      ));

  for (const [what, size] of [
    ['of 0 bytes', 0],
    ['of 100 bytes', 100],
    ['of a gigabyte', 2 ** 30],
  ])
    it(`F194 a table ${what} for heads is respected`, () =>
      framing(
        async (io) => {
          await io.hello([[1, size]]);
          await serve(io);
        },
        (url, seen) =>
          visiting(url, async (visit) => {
            const fields = ['x-a', 'a'.repeat(50), 'x-b', 'b'.repeat(50)];
            for (let i = 0; i < 4; i++)
              expect(await visit(`/${i}`, { fields })).to.include({ status: 200, body: `/${i}` });
            expect(seen.connections).to.equal(1);
          }),
      ));
});

describe('HTTP/2: streams', () => {
  const LANES = 6;
  const ITERATIONS = scaled(12, 200);
  const flowTo = (url) => [{ get: `${url}/#{INDEX}` }];

  it('F200 requests wait while a server allows few streams, or none', () =>
    framing(
      async (io) => {
        await io.hello([[MAX_STREAMS, 0]]);
        let [open, most] = [0, 0];
        const first = await Promise.race([io.readRequest(), turns(20)]);
        // Requests that were sent before the setting arrived are answered.
        if (first) await io.respond(first.id);
        await io.send(settingsFrame([[MAX_STREAMS, 2]]));
        for (;;) {
          const { id } = await io.readRequest();
          most = Math.max(most, ++open);
          void turns(2).then(() => open-- && io.respond(id));
        }
      },
      async (url, seen) => {
        const stats = await run(flowTo(url), { limit: LANES, iterations: ITERATIONS, connections: 1 });
        expect(stats.iterations.completed).to.equal(ITERATIONS);
        expect(stats.http2.waits).to.be.greaterThan(0);
        expect(seen.connections).to.equal(1);
      },
    ));

  it('F200 a server that announces no limit of streams gets as many as the run allows (RFC 9113 6.5.2)', () =>
    framing(
      async (io) => {
        await io.hello();
        const waiting = [];
        while (waiting.length < 150) waiting.push(await io.readRequest());
        for (const { id } of waiting) await io.respond(id);
        for (;;) await io.readRequest();
      },
      async (url) => {
        const stats = await run(flowTo(url), { limit: 150, iterations: 150, connections: 1, streams: 150 });
        expect(stats.iterations.completed).to.equal(150);
      },
    ));

  it('F199 a refused stream is repeated once, whatever its method', () =>
    framing(
      async (io) => {
        await io.hello();
        const refused = new Set();
        for (;;) {
          const { id, path } = await io.readRequest();
          if (refused.has(path)) await io.respond(id, { body: path });
          else await io.send(reset(id, CODES.REFUSED_STREAM));
          refused.add(path);
        }
      },
      async (url, seen) => {
        const flow = [{ post: `${url}/#{INDEX}`, body: 'x' }];
        const stats = await run(flow, { limit: LANES, iterations: ITERATIONS, connections: 2 });
        expect(stats.iterations, JSON.stringify(stats.errors)).to.include({ completed: ITERATIONS, failed: 0 });
        expect(stats.requests).to.include({ retries: ITERATIONS, sent: 2 * ITERATIONS });
        expect(seen.requests).to.equal(2 * ITERATIONS);
      },
    ));

  it('F199 a stream that is refused again fails', () =>
    framing(
      async (io) => {
        await io.hello();
        for (;;) await io.send(reset((await io.readRequest()).id, CODES.REFUSED_STREAM));
      },
      async (url, seen) => {
        const stats = await run(flowTo(url), { limit: LANES, iterations: ITERATIONS });
        expect(stats.iterations.failed).to.equal(ITERATIONS);
        expect(stats.errors.kinds).to.deep.equal({ reset: ITERATIONS });
        expect(stats.requests.sent).to.equal(2 * ITERATIONS);
        expect(seen.requests).to.equal(2 * ITERATIONS);
        expect(seen.connections).to.equal(LANES);
      },
    ));

  it('F185 requests that GOAWAY leaves out are repeated on a new connection, the others are answered', () =>
    framing(
      async (io, connection) => {
        await io.hello();
        if (connection > 0) return serve(io);
        const requests = [
          await io.readRequest(),
          await io.readRequest(),
          await io.readRequest(),
          await io.readRequest(),
        ];
        const [first, second] = requests;
        await io.send(Buffer.concat([goAway(2 ** 31 - 1), goAway(second.id)]));
        await turns(5);
        for (const { id, path } of [second, first]) await io.respond(id, { body: path });
      },
      (url, seen) =>
        visiting(
          url,
          async (first, connect) => {
            const visits = [first, connect(), connect(), connect()];
            const results = await Promise.all(visits.map((visit, i) => visit(`/${i}`)));
            const answered = results.filter(({ status }) => status === 200);
            expect(answered.map(({ body }) => body)).to.deep.equal(['/0', '/1']);
            for (const result of results.slice(2)) expect(result).to.include({ code: 'E_GOAWAY', kind: 'reset' });
            for (const [i, visit] of visits.entries()) expect(await visit(`/${i}`)).to.include({ body: `/${i}` });
            expect(seen.connections).to.equal(2);
          },
          { connections: 1 },
        ),
    ));

  it('F185 a run goes on if each connection ends after a few requests', () =>
    framing(
      async (io) => {
        await io.hello();
        for (let i = 0; i < 3; i++) {
          const { id, path } = await io.readRequest();
          await io.respond(id, { body: path });
          if (i === 2) await io.send(goAway(id));
        }
        for (;;) await io.readRequest();
      },
      async (url, seen) => {
        const stats = await run(flowTo(url), { limit: LANES, iterations: 4 * ITERATIONS, connections: 2 });
        expect(stats.iterations, JSON.stringify(stats.errors)).to.include({ completed: 4 * ITERATIONS, failed: 0 });
        expect(stats.requests.sent).to.equal(stats.requests.count + stats.requests.retries);
        expect(seen.connections).to.be.at.least((4 * ITERATIONS) / 3 - 2);
        expect(stats.http2.goAways).to.be.at.least(seen.connections - 2);
      },
    ));

  it('F185 requests that GOAWAY leaves out are repeated until a connection takes them', () =>
    framing(
      async (io) => {
        await io.hello();
        const { id, path } = await io.readRequest();
        await io.respond(id, { body: path });
        await io.send(goAway(id));
        for (;;) await io.readRequest();
      },
      async (url) => {
        const stats = await run(flowTo(url), { limit: LANES, iterations: LANES, connections: 1 });
        expect(stats.iterations, JSON.stringify(stats.errors)).to.include({ completed: LANES, failed: 0 });
        expect(stats.requests.sent).to.equal(stats.requests.count + stats.requests.retries);
      },
    ));

  it('F185 an error by which a connection ends after GOAWAY without one has its code among those of the run', () =>
    framing(
      async (io) => {
        await io.hello();
        const { id } = await io.readRequest();
        await io.send(Buffer.concat([goAway(2 ** 31 - 1), goAway(id), goAway(id, CODES.ENHANCE_YOUR_CALM)]));
        io.fin();
      },
      async (url) => {
        const { errors, http2 } = await run(flowTo(url), { limit: 1, iterations: 1 });
        expect(errors.details[0].code).to.equal('ENHANCE_YOUR_CALM');
        expect(http2.goAways).to.equal(1);
        expect(http2.codes).to.deep.equal([
          { event: 'goAway', code: 'NO_ERROR', count: 1, message: 'NO_ERROR' },
          { event: 'goAway', code: 'ENHANCE_YOUR_CALM', count: 1, message: 'ENHANCE_YOUR_CALM' },
        ]);
      },
    ));

  it('F185 a server that answers nothing but GOAWAY fails each request once it was repeated', () =>
    framing(
      async (io) => {
        await io.hello();
        await io.readRequest();
        await io.send(goAway(0, CODES.ENHANCE_YOUR_CALM));
        await io.hang();
      },
      async (url) => {
        const stats = await run(flowTo(url), { limit: 2, iterations: 6 });
        expect(stats.iterations.failed).to.equal(6);
        expect(stats.requests.sent).to.equal(12);
        expect(stats.errors.details[0].message).to.include('ENHANCE_YOUR_CALM');
      },
    ));

  for (const [what, begins, message] of [
    ['before a response', () => [], /^the server ended the connection before a response: /],
    [
      'in a body',
      (id) => [headersFrame(id, [':status', '200']), dataFrame(id, 'abc', 0)],
      /in the body of the response, after 3 bytes: /,
    ],
  ])
    it(`F185 a connection that ends ${what}, after GOAWAY with an error, fails by its code`, () =>
      framing(
        async (io) => {
          await io.hello();
          const { id } = await io.readRequest();
          const said = goAway(id, CODES.ENHANCE_YOUR_CALM, `too_many_pings \x1b[31m${'x'.repeat(1000)}`);
          await io.send(Buffer.concat([...begins(id), said]));
          io.fin();
        },
        async (url) => {
          const { errors, iterations } = await run(flowTo(url), { limit: 1, iterations: 2 });
          expect(iterations.failed).to.equal(2);
          expect(errors.details.map(({ kind, code }) => [kind, code])).to.deep.equal([['reset', 'ENHANCE_YOUR_CALM']]);
          expect(errors.details[0].message)
            .to.match(message)
            .and.include('ENHANCE_YOUR_CALM, "too_many_pings \\x1b[31m');
          expect(errors.details[0].message.length).to.be.below(200);
        },
      ));

  it('F185 a connection that ends without a reason is named as one of HTTP/2', () =>
    framing(
      async (io) => {
        await io.hello();
        await io.readRequest();
        io.fin();
      },
      async (url) => {
        const { errors } = await run(flowTo(url), { limit: 1, iterations: 1 });
        expect(errors.details.map(({ code }) => code)).to.deep.equal(['E_HTTP2_CLOSED']);
      },
    ));

  it('F200 a request that gets no stream in time says so, and counts as a wait', () =>
    framing(
      async (io) => {
        await io.hello([[MAX_STREAMS, 0]]);
        await serve(io);
      },
      async (url) => {
        const flow = { main: [{ get: `${url}/a` }, { get: `${url}/b`, timeout: '50ms' }] };
        const { errors, http2: figures } = await run(flow, { limit: 1, iterations: 1 });
        expect(errors.details.map(({ kind, code }) => [kind, code])).to.deep.equal([['timeout', 'E_TIMEOUT_STREAM']]);
        expect(errors.details[0].message).to.include('no free stream of HTTP/2 within 50 ms');
        expect(figures).to.include({ requests: 1, waits: 1 });
        expect(figures.waitTime).to.be.above(0);
      },
    ));

  it('F200 a request that was cancelled while it waited for a stream is not sent later', () => {
    let end;
    const isOver = new Promise((resolve) => (end = resolve));
    return framing(
      async (io) => {
        await io.hello([[MAX_STREAMS, 0]]);
        await io.respond((await io.readRequest()).id);
        await isOver;
        await io.send(settingsFrame([[MAX_STREAMS, 10]]));
        await serve(io);
      },
      (url, seen) =>
        visiting(url, async (visit) => {
          const acknowledged = () =>
            seen.frames.filter(({ type, flags }) => type === 'SETTINGS' && flags === FLAGS.ACK);
          expect(await visit('/one')).to.include({ status: 200 });
          const waiting = visit('/two');
          visit.connection.abort(Object.assign(new Error('over'), { code: 'OVER' }));
          expect(await waiting).to.include({ code: 'OVER' });
          end();
          await until(() => acknowledged().length === 2);
          await turns(20);
          expect(await visit('/three')).to.include({ status: 200, body: '/three' });
          expect(seen.lines).to.deep.equal(['GET /one', 'GET /three']);
        }),
    );
  });

  it('the beginning of the body of an error is kept if the receiver reads it, and no other', () =>
    framing(
      async (io) => {
        await io.hello();
        for (const [status, ...pieces] of [
          [503, 'er', 'ror'],
          [503, 'x'.repeat(10_000)],
          [503],
          [503, 'error'],
          [399, 'error'],
        ]) {
          const { id } = await io.readRequest();
          await io.send(headersFrame(id, [':status', `${status}`]));
          for (const piece of pieces) await io.send(dataFrame(id, piece, 0));
          await io.send(dataFrame(id, ''));
        }
      },
      (url) =>
        visiting(url, async ({ connection }) => {
          const request = requestTo(url, { http2: HTTP2 });
          const excerpt = async (needs, reads = true) =>
            (await sending(connection, request, needs, () => reads)).excerpt?.latin1Slice() ?? '';
          expect(await excerpt('status')).to.equal('error');
          expect(await excerpt('head')).to.equal('x'.repeat(4096));
          expect(await excerpt('status')).to.equal('');
          expect(await excerpt('status', false)).to.equal('');
          expect(await excerpt('status')).to.equal('');
        }),
    ));

  it('F184 connections that break the protocol after their responses are counted', () =>
    framing(
      async (io) => {
        await io.hello();
        const { id } = await io.readRequest();
        await io.send(Buffer.concat([responseTo(id), dataFrame(id, 'late')]));
        await io.hang();
      },
      async (url, seen) => {
        const stats = await run(flowTo(url), { limit: 1, iterations: 3 });
        expect(stats.iterations.completed).to.equal(3);
        expect(stats.http2.violations).to.equal(seen.connections);
        expect(stats.http2.codes).to.have.lengthOf(1);
        const [{ message, ...group }] = stats.http2.codes;
        expect(group).to.deep.equal({ event: 'violation', code: 'STREAM_CLOSED', count: seen.connections });
        expect(message).to.include('a frame of stream 1, which has ended');
      },
    ));

  itSlow('F197 10,000 streams are cancelled at once, and the connections can be used again', function () {
    const streams = scaled(2000, 10_000);
    return framing(
      async (io) => {
        await io.hello([[MAX_STREAMS, 20_000]]);
        for (;;) {
          const { id, path } = await io.readRequest();
          if (!path.startsWith('/hang')) await io.respond(id, { body: path });
        }
      },
      (url, seen) =>
        visiting(
          url,
          async (first, connect) => {
            expect(await first('/first')).to.include({ body: '/first' });
            const visits = Array.from({ length: streams }, () => connect());
            const results = visits.map((visit, i) => visit(`/hang/${i}`));
            await until(() => seen.requests === streams + 1);
            for (const { connection } of visits)
              connection.abort(Object.assign(new Error('over'), { code: 'E_CANCELLED' }));
            for (const { code } of await Promise.all(results)) if (code !== 'E_CANCELLED') throw new Error(code);
            await until(() => seen.frames.filter(({ type }) => type === 'RST_STREAM').length === streams);
            expect(await first('/last')).to.include({ body: '/last' });
            expect(seen.connections).to.be.at.most(2);
          },
          { connections: 1 },
        ),
    );
  });

  for (const end of ['fin', 'rst'])
    it(`F198 a server that ends with ${end.toUpperCase()} in the middle fails what it had not answered`, () =>
      framing(
        async (io, connection) => {
          await io.hello();
          for (let i = 0; ; i++) {
            const { id, path } = await io.readRequest();
            if (connection === 0 && i === 20) {
              await io.send(headersFrame(id, [':status', '200']));
              await io.send(dataFrame(id, path, 0));
              await io.read();
              return void io[end]();
            }
            await io.respond(id, { body: path });
          }
        },
        async (url, seen) => {
          const stats = await run(flowTo(url), { limit: LANES, iterations: 100, connections: 1 });
          const { failed, completed } = stats.iterations;
          expect(failed).to.be.within(1, LANES);
          expect(completed + failed).to.equal(100);
          expect(stats.errors.kinds).to.deep.equal({ reset: failed });
          expect(seen.connections).to.equal(2);
        },
      ));
});

describe('HTTP/2: servers without it', () => {
  const { key, cert } = selfSigned();

  it('F195 a server of HTTP/1.1 is named as such', () =>
    faulting(
      async (io) => {
        await io.readRequest();
        await io.send('HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\nConnection: close\r\n\r\n');
        io.fin();
      },
      async (url) => {
        const { errors } = await run([{ get: `${url}/` }], { limit: 1, iterations: 2 });
        expect(errors.details[0]).to.include({ code: 'E_NO_HTTP2', kind: 'protocol', count: 2 });
        expect(errors.details[0].message).to.include('HTTP/1.1 400 Bad Request');
      },
    ));

  for (const [what, bytes] of [
    ['a greeting of another protocol', '220 mail.example ESMTP\r\n'],
    ['noise', '\x7f'.repeat(40)],
  ])
    it(`F195 ${what} is no HTTP/2`, () =>
      faulting(
        (io) => io.send(Buffer.from(bytes, 'latin1')).then(() => io.hang()),
        (url) => visiting(url, async (visit) => expect((await visit('/')).kind).to.equal('protocol')),
      ));

  for (const [what, ALPNProtocols] of [
    ['chooses HTTP/1.1', ['http/1.1']],
    ['knows no ALPN', undefined],
    ['refuses both protocols', ['imap']],
  ])
    it(`F195 a server that ${what} is refused with http2: 'only', and falls back with http2: true if it can`, async () => {
      const server = tls.createServer({ key, cert, ALPNProtocols }, (socket) =>
        socket.on('error', () => {}).on('data', () => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok')),
      );
      server.on('tlsClientError', () => {});
      await once(server.listen(0, '127.0.0.1'), 'listening');
      const url = `https://127.0.0.1:${server.address().port}`;
      try {
        const flow = [{ get: `${url}/` }];
        const only = await run(flow, { limit: 2, iterations: 4, http2: 'only', insecure: true });
        expect(only.errors.details[0], JSON.stringify(only.errors)).to.include({ code: 'E_NO_HTTP2', count: 4 });
        const either = await run(flow, { limit: 2, iterations: 4, http2: true, insecure: true });
        if (ALPNProtocols?.[0] === 'imap') expect(either.errors.count).to.equal(4);
        else expect(either.iterations, JSON.stringify(either.errors)).to.include({ completed: 4 });
      } finally {
        server.close();
      }
    });
});

describe('HTTP/2: frames cut anywhere', () => {
  const { END_STREAM, END_HEADERS, PADDED } = FLAGS;
  for (const [what, say] of [
    ['a response', (id) => responseTo(id, { fields: ['content-length', '2', 'a', 'b'] })],
    [
      'CONTINUATION, padding, interim responses and trailers',
      (id) =>
        Buffer.concat([
          headersFrame(id, [':status', '103']),
          frame(TYPES.HEADERS, 0, id, Buffer.of(0x88)),
          frame(TYPES.CONTINUATION, END_HEADERS, id),
          frame(TYPES.DATA, PADDED, id, Buffer.from('\x02o\0\0', 'latin1')),
          dataFrame(id, 'k', 0),
          headersFrame(id, ['x', 'y'], END_HEADERS | END_STREAM),
        ]),
    ],
  ])
    it(`F196 ${what}, split at every byte, is read`, () => {
      const length = say(1).length;
      return framing(
        async (io) => {
          await io.hello();
          for (let at = 0; ; at++) {
            const bytes = say((await io.readRequest()).id);
            await io.send(bytes.subarray(0, at % length));
            await io.read();
            await io.send(bytes.subarray(at % length));
          }
        },
        (url, seen) =>
          visiting(url, async (visit) => {
            for (let at = 0; at < length; at++)
              expect(await visit(`/${at}`), `at ${at}`).to.include({ status: 200, body: 'ok' });
            expect(seen.connections).to.equal(1);
          }),
      );
    });

  it('F196 all bytes of a connection, one at a time, are read', () =>
    framing(
      async (io) => {
        await io.until('preface');
        const { id, path } = await io.readRequest();
        const all = [
          settingsFrame([[MAX_STREAMS, 10]]),
          frame(TYPES.SETTINGS, FLAGS.ACK, 0),
          responseTo(id, { body: path }),
        ];
        for (const byte of Buffer.concat(all)) {
          await io.send(Buffer.of(byte));
          await io.read();
        }
        await serve(io);
      },
      (url) =>
        visiting(url, async (visit) => {
          expect(await visit('/one')).to.include({ status: 200, body: '/one' });
          expect(await visit('/two')).to.include({ status: 200, body: '/two' });
        }),
    ));
});

describe('HTTP/2: large heads of requests', () => {
  it('a head of 60 kB is split, and the server reads it', async () => {
    const server = http2.createServer({ maxHeaderListPairs: 1000, settings: { maxHeaderListSize: 1e6 } });
    server.on('stream', (stream, headers) => {
      stream.respond({ ':status': 200 });
      stream.end(`${headers['x-large'].length}`);
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    try {
      await visiting(`http://127.0.0.1:${server.address().port}`, async (visit) => {
        for (const size of [10, 16_000, 16_384, 20_000, 60_000])
          expect(await visit('/', { fields: ['x-large', 'é'.repeat(size)] }), `${size}`).to.include({
            body: `${size}`,
          });
      });
    } finally {
      server.close();
    }
  });
});

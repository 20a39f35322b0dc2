import { setImmediate as turn } from 'node:timers/promises';
import zlib from 'node:zlib';

import { expect } from 'chai';

import benchrest from '../index.js';
import { faulting } from './support/faulty-server.js';
import { NAMES } from './support/transports.js';

const OPTIONS = { limit: 3, iterations: 12, timeout: 10_000 };
const TEXT = Buffer.from('hello hello hello');

const lines = (...all) => all.join('\r\n');
const head = (...fields) => lines('HTTP/1.1 200 OK', ...fields, '', '');
const chunked = (...pieces) => head('transfer-encoding: chunked') + lines(...pieces);
const good = (body) => `${head(`content-length: ${body.length}`)}${body}`;
const encoded = (coding, body) => Buffer.concat([Buffer.from(head(`content-encoding: ${coding}`, `content-length: ${body.length}`)), body]);

/** Books that must hold after every run; `requests.sent` is what the server counted. */
function balance({ iterations, requests, errors }, errorCount, arrived) {
  expect(iterations.started).to.equal(iterations.completed + iterations.failed + iterations.cancelled);
  expect(requests.sent).to.equal(requests.answered + requests.failed + requests.cancelled);
  expect(requests.sent).to.equal(arrived);
  expect(errors.count).to.equal(errorCount);
}

/** Sends `piece` until the client leaves; a turn of the event loop each, as the client lives in this process. */
async function pour(io, piece, pause = turn) {
  while (!(await io.send(piece))) await pause();
}

/**
 * Each iteration asks for `/good/<index>` and for the response under test, so that each lane has a healthy exchange
 * before and after: none of them may get bytes that are not its own. `say` is what the server sends for `/odd`, or a
 * function that sends it.
 */
async function between(transport, say, { operation = {}, options = {}, end } = {}) {
  let result;
  await faulting(async (io) => {
    for (;;) {
      const path = (await io.readRequest()).split(' ')[1];
      if (path.startsWith('/good')) await io.send(good(path));
      else if (typeof say === 'function') await say(io);
      else await io.send(typeof say === 'string' ? Buffer.from(say, 'latin1') : say);
      if (end && path === '/odd') return void io[end]();
    }
  }, async (url, seen) => {
    const { stats, errorCount } = await benchrest([
      { get: '/good/#{INDEX}', afterHooks: [(all) => { expect(all.body).to.equal(`/good/${all.env.index}`); }] },
      { ...('head' in operation ? {} : { get: '/odd' }), ...operation },
    ], { ...OPTIONS, ...options, transport, baseUrl: url });
    balance(stats, errorCount, seen.requests);
    expect(stats.requests.retries).to.equal(0);
    expect(stats.requests.count).to.equal(24);
    expect(seen.lines.filter((line) => line.includes('/good/')).sort()).to.deep.equal(Array.from({ length: 12 }, (_, i) => `GET /good/${i} HTTP/1.1`).sort());
    result = { stats, errorCount, connections: seen.connections };
  });
  return result;
}

/** All of the twelve failed at the second operation, and in one way. */
function expectFailures({ stats, errorCount }, kind, code) {
  expect(stats.errors.kinds).to.deep.equal({ [kind]: 12 });
  expect(stats.errors.samples).to.have.lengthOf(1);
  expect(stats.errors.samples[0]).to.include({ kind, count: 12, firstIndex: 0 });
  if (code) expect(stats.errors.samples[0].code).to.equal(code);
  expect(errorCount).to.equal(12);
  expect(stats.iterations).to.include({ started: 12, failed: 12 });
}

function expectNoErrors({ stats, errorCount }) {
  expect(stats.errors.samples).to.deep.equal([]);
  expect(errorCount).to.equal(0);
  expect(stats.iterations).to.include({ started: 12, completed: 12 });
  expect(stats.requests).to.include({ sent: 24, answered: 24 });
}

for (const transport of NAMES) {
  const isOurs = transport === 'wire';
  /** undici says E_PROTOCOL of whatever its parser refuses. */
  const ours = (code) => (isOurs ? code : 'E_PROTOCOL');

  describe(`faults of the body: ${transport}`, () => {
    describe('F48 a chunk that is none is kind protocol', () => {
      const rows = [
        ['a size that is no number', 'G', 'ok'], ['a negative size', '-1', 'ok'], ['a size with 0x', '0x2', 'ok'], ['an empty size', '', 'ok'],
        ['no end of line after the data', '2', 'okk'], ['a bare LF after the size', '2\nok', '0'],
        ['a space after the size', '2 ', 'ok'], ['an extension without a name', '2;', 'ok'], ['a quote that does not end', '2;a="b', 'ok'],
        ['a control in an extension', '2;a=\x01', 'ok'],
      ];
      // llhttp counts to 2^64, values and not digits, and limits extensions not by themselves
      if (isOurs) rows.push(['a size beyond counting', 'FFFFFFFFFFFFFFFF', 'ok'], ['17 digits', '00000000000000002', 'ok'], ['20 KB of extensions', `2;a=${'b'.repeat(20_000)}`, 'ok']);
      for (const [what, size, data] of rows) {
        it(what, async () => expectFailures(await between(transport, chunked(size, data, '0', '', '')), 'protocol', ours('E_CHUNK')));
      }
    });

    describe('F49 chunks cut short are kind reset', () => {
      const rows = [
        ['in a size', '2'], ['in the data', '5\r\nok'], ['before the last chunk', '2\r\nok\r\n'], ['in the last chunk', '2\r\nok\r\n0'],
        ['before the end of the trailers', '2\r\nok\r\n0\r\n'], ['in a trailer', '2\r\nok\r\n0\r\na: b'],
      ];
      for (const [what, said] of rows) {
        for (const end of ['fin', 'rst']) {
          it(`${what}, by ${end}`, async () => {
            const { stats, errorCount } = await between(transport, chunked(said), { end });
            expectFailures({ stats, errorCount }, 'reset', isOurs && end === 'fin' ? 'E_CHUNK_SHORT' : undefined);
            expect(stats.requests).to.include({ answered: 12, failed: 12 });
          });
        }
      }
    });

    describe('lengths', () => {
      for (const excess of [1, 1000]) {
        it(`F46 ${excess} more bytes than the length says are nobody's`, async () => {
          const seen = [];
          const operation = { afterHooks: [({ body }) => { seen.push(body); }] };
          const result = await between(transport, `${good('ok')}${'x'.repeat(excess)}`, { operation });
          expectNoErrors(result);
          expect(seen).to.deep.equal(Array(12).fill('ok'));
          expect(result.connections).to.equal(12);
        });
      }

      it('F46 a second response that nobody asked for is nobody\'s', async () => {
        const result = await between(transport, good('ok') + good('/good/0'));
        expectNoErrors(result);
        expect(result.connections).to.equal(12);
      });

      for (const wanted of [false, true]) {
        it(`F47 fewer bytes than the length says end at the timeout${wanted ? ' of a body that a hook wants' : ''}`, async () => {
          const operation = { timeout: 100, ...(wanted && { afterHooks: [() => {}] }) };
          expectFailures(await between(transport, `${head('content-length: 9')}ok`, { operation }), 'timeout', 'E_TIMEOUT_REQUEST');
        });
      }

      it('F58 bytes that trickle in do not put the deadline off', async () => {
        const trickle = async (io) => {
          await io.send(head('content-length: 1000000'));
          await pour(io, 'x', () => io.wait(10));
        };
        expectFailures(await between(transport, trickle, { operation: { timeout: 150 } }), 'timeout', 'E_TIMEOUT_REQUEST');
      });

      it('F51 an endless body ends at the timeout, where nobody wants it', async () => {
        const forever = async (io) => {
          await io.send(head('transfer-encoding: chunked'));
          await pour(io, `400\r\n${'x'.repeat(1024)}\r\n`);
        };
        expectFailures(await between(transport, forever, { operation: { timeout: 150 } }), 'timeout', 'E_TIMEOUT_REQUEST');
      });

      it('F51 an endless body is too large, where a hook wants it', async () => {
        for (const how of ['transfer-encoding: chunked', 'content-length: 1000000000000', 'connection: close']) {
          const forever = async (io) => {
            await io.send(head(how));
            await pour(io, how.endsWith('chunked') ? `400\r\n${'x'.repeat(1024)}\r\n` : 'x'.repeat(1024));
          };
          const result = await between(transport, forever, { operation: { afterHooks: [() => {}] }, options: { maxBodySize: 10_000 } });
          expectFailures(result, 'protocol', 'E_BODY_TOO_LARGE');
          expect(result.stats.errors.samples[0].message).to.match(/10000 bytes.*maxBodySize/);
        }
      });
    });

    describe('F50 trailers', () => {
      const rows = [['none', []], ['some', ['x: y', 'Server-Timing: a;dur=1']]];
      // llhttp refuses it
      if (isOurs) rows.push(['a length among them', ['Content-Length: 5']]);
      for (const [what, trailers] of rows) {
        it(what, async () => {
          const result = await between(transport, chunked('2', 'ok', '0', ...trailers, '', ''));
          expectNoErrors(result);
          expect(result.connections).to.equal(3);
        });
      }

      it('NUL in one is kind protocol', async () =>
        expectFailures(await between(transport, chunked('2', 'ok', '0', 'a: \0', '', '')), 'protocol', ours('E_FIELD')));

      it('trailers without an end are kind protocol', async () => {
        const forever = async (io) => {
          await io.send(chunked('2', 'ok', '0', ''));
          await pour(io, 'x-a: 1\r\n'.repeat(100));
        };
        expectFailures(await between(transport, forever), 'protocol');
      });
    });

    describe('content codings', () => {
      const operation = { gzip: true, afterHooks: [({ body }) => { expect(body).to.equal(String(TEXT)); }] };

      const bombs = [['gzip', zlib.gzipSync], ['deflate', zlib.deflateSync], ['br', zlib.brotliCompressSync], ['zstd', zlib.zstdCompressSync],
        ['gzip, gzip', (bytes) => zlib.gzipSync(zlib.gzipSync(bytes))], ['gzip, br', (bytes) => zlib.brotliCompressSync(zlib.gzipSync(bytes))]];
      for (const [coding, compress] of bombs) {
        if (!compress) continue;
        it(`F54 a bomb of ${coding} ends at maxBodySize decoded bytes`, async () => {
          const bomb = compress(Buffer.alloc(10_000_000));
          expect(bomb.length).to.be.below(30_000);
          const result = await between(transport, encoded(coding, bomb), { operation, options: { maxBodySize: 30_000 } });
          expectFailures(result, 'protocol', 'E_DECODED_TOO_LARGE');
          expect(result.stats.errors.samples[0].message).to.match(/30000 bytes.*maxBodySize/);
          expect(result.stats.requests).to.include({ answered: 24, failed: 0 });
        });
      }

      it('F54 a bomb that nobody looks into is not opened', async () =>
        expectNoErrors(await between(transport, encoded('gzip', zlib.gzipSync(Buffer.alloc(1_000_000))), { options: { maxBodySize: 1000 } })));

      it('F54 exactly maxBodySize decoded bytes are not too large', async () => {
        const of = (size) => between(transport, encoded('gzip', zlib.gzipSync('x'.repeat(size))), {
          operation: { gzip: true, afterHooks: [({ body }) => { expect(body).to.have.lengthOf(size); }] }, options: { maxBodySize: 20_000 } });
        expectNoErrors(await of(20_000));
        expectFailures(await of(20_001), 'protocol', 'E_DECODED_TOO_LARGE');
      });

      const nested = (times) => Array.from({ length: times }).reduce((bytes) => zlib.gzipSync(bytes), TEXT);
      it('F55 five codings are undone', async () =>
        expectNoErrors(await between(transport, encoded(Array(5).fill('gzip').join(', '), nested(5)), { operation })));

      for (const [times, separator] of [[6, ', '], [1000, ', '], [900, '\r\ncontent-encoding: ']]) {
        it(`F55 ${times} codings ${separator === ', ' ? 'in one field' : 'in as many fields'} are too many`, async () => {
          const result = await between(transport, encoded(Array(times).fill('gzip').join(separator), nested(1)), { operation });
          expectFailures(result, 'protocol', 'E_ENCODING_CHAIN');
          expect(result.stats.errors.samples[0].message).to.have.length.below(200);
        });
      }

      const gzipped = zlib.gzipSync(TEXT);
      const broken = [
        ['no gzip at all', 'gzip', TEXT], ['a magic number that is wrong', 'gzip', Buffer.concat([Buffer.from([0x1f, 0x8c]), gzipped.subarray(2)])],
        ['a gzip that was cut', 'gzip', gzipped.subarray(0, -1)], ['nothing but the head of a gzip', 'gzip', gzipped.subarray(0, 10)],
        ['a wrong checksum', 'gzip', Buffer.concat([gzipped.subarray(0, -8), Buffer.alloc(4), gzipped.subarray(-4)])],
        ['a wrong size', 'gzip', Buffer.concat([gzipped.subarray(0, -4), Buffer.from([1, 2, 3, 4])])],
        ['a second member that is broken', 'gzip', Buffer.concat([gzipped, gzipped.subarray(0, 15)])],
        ['deflate that was cut', 'deflate', zlib.deflateSync(TEXT).subarray(0, -1)], ['br that was cut', 'br', zlib.brotliCompressSync(TEXT).subarray(0, -1)],
        ['gzip called br', 'br', gzipped], ['one gzip that is said to be two', 'gzip, gzip', gzipped],
      ];
      for (const [what, coding, body] of broken) {
        it(`F56 ${what} is kind protocol`, async () => {
          const result = await between(transport, encoded(coding, body), { operation });
          expectFailures(result, 'protocol', 'E_DECODE');
          expect(result.stats.requests).to.include({ answered: 24, failed: 0 });
          expect(result.connections).to.equal(3);
        });
      }

      const fine = [
        ['gzip in two members', 'gzip', Buffer.concat([zlib.gzipSync(TEXT.subarray(0, 5)), zlib.gzipSync(TEXT.subarray(5))])],
        ['x-gzip', 'x-gzip', gzipped], ['GZIP', 'GZIP', gzipped], ['deflate', 'deflate', zlib.deflateSync(TEXT)],
        ['deflate without its wrapper', 'deflate', zlib.deflateRawSync(TEXT)], ['br', 'br', zlib.brotliCompressSync(TEXT)],
        ['a coding that nobody knows', 'foo', TEXT], ['one named as no property should be', '__proto__', TEXT],
      ];
      for (const [what, coding, body] of fine) it(`F56 ${what} is read`, async () => expectNoErrors(await between(transport, encoded(coding, body), { operation })));

      const empty = { gzip: true, afterHooks: [({ body }) => { expect(body).to.equal(''); }] };
      it('F56 no body is no broken gzip', async () => expectNoErrors(await between(transport, encoded('gzip', Buffer.alloc(0)), { operation: empty })));
      it('F56 HEAD of a gzip is none', async () =>
        expectNoErrors(await between(transport, head('content-encoding: gzip', 'content-length: 40'), { operation: { ...empty, head: '/odd' } })));
      it('F56 nor is 304', async () =>
        expectNoErrors(await between(transport, 'HTTP/1.1 304 Not Modified\r\ncontent-encoding: gzip\r\n\r\n', { operation: empty })));
    });

    describe('interim responses', () => {
      const hint = 'HTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\n';

      it('F38 some of them are passed over', async () => {
        const result = await between(transport, `HTTP/1.1 102 Processing\r\n\r\n${hint.repeat(19)}${good('ok')}`);
        expectNoErrors(result);
        expect(result.connections).to.equal(3);
        expect(result.stats.requests.statusCodes).to.deep.equal({ 200: 24 });
      });

      // undici has no limit
      if (isOurs) {
        it('F39 21 of them are a flood', async () =>
          expectFailures(await between(transport, `${hint.repeat(21)}${good('ok')}`), 'protocol', 'E_1XX_FLOOD'));
      }

      it('F39 a flood of them ends', async () => {
        const operation = isOurs ? {} : { timeout: 200 };
        const result = await between(transport, (io) => pour(io, hint), { operation });
        expectFailures(result, ...(isOurs ? ['protocol', 'E_1XX_FLOOD'] : ['timeout', 'E_TIMEOUT_REQUEST']));
      });

      it('F40 another protocol that nobody asked for is refused', async () =>
        expectFailures(await between(transport, 'HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n'), ...(isOurs ? ['protocol', 'E_UPGRADE'] : ['reset'])));
    });

    describe('F41 responses without a body', () => {
      const none = [({ body }) => { expect(body).to.equal(''); }];
      const rows = [
        ['204', 'HTTP/1.1 204 No Content\r\n\r\n', {}], ['304', 'HTTP/1.1 304 Not Modified\r\n\r\n', {}],
        ['304 that says chunked', 'HTTP/1.1 304 Not Modified\r\ntransfer-encoding: chunked\r\n\r\n', {}],
        ['HEAD that says a length', head('content-length: 5'), { head: '/odd' }], ['HEAD that says chunked', head('transfer-encoding: chunked'), { head: '/odd' }],
        ['HEAD that says nothing', head(), { head: '/odd' }], ['a length of 0', head('content-length: 0'), {}],
      ];
      // undici misses the body
      if (isOurs) rows.push(['204 that says a length', 'HTTP/1.1 204 No Content\r\ncontent-length: 5\r\n\r\n', {}], ['304 that says a length', 'HTTP/1.1 304 Not Modified\r\ncontent-length: 5\r\n\r\n', {}]);
      for (const [what, said, method] of rows) {
        it(`${what} has none, and the connection goes on`, async () => {
          const result = await between(transport, said, { operation: { ...method, afterHooks: none } });
          expectNoErrors(result);
          // undici closes the connection after each HEAD
          if (isOurs || !method.head) expect(result.connections).to.equal(3);
        });

        it(`${what} with a body all the same: it is nobody's`, async () => {
          const result = await between(transport, `${said}12345`, { operation: { ...method, afterHooks: none } });
          expectNoErrors(result);
          expect(result.connections).to.equal(12);
        });

        it(`${what} with a response all the same: it is nobody's`, async () => {
          const result = await between(transport, said + good('/good/0'), { operation: { ...method, afterHooks: none } });
          expectNoErrors(result);
          expect(result.connections).to.equal(12);
        });
      }
    });
  });
}

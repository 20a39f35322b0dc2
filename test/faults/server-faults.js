import zlib from 'node:zlib';

import { scaled } from '../support/scale.js';
import { turns, until } from '../support/until.js';
import { LANES } from './ground.js';

/** @import { Fault } from './ground.js' */

const lines = (...all) => all.join('\r\n');
const head = (...fields) => lines('HTTP/1.1 200 OK', ...fields, '', '');
const chunked = (...pieces) => head('Transfer-Encoding: chunked') + lines(...pieces);
const good = (body) => `${head(`Content-Length: ${body.length}`)}${body}`;
const encoded = (coding, body) =>
  Buffer.concat([Buffer.from(head(`Content-Encoding: ${coding}`, `Content-Length: ${body.length}`)), body]);
const times = (count, fault) => ({ ...fault, iterations: count });
/** Rows of responses with more bytes than they have: each takes a connection of its own. */
const STRAYS = scaled(10, 50);
const looksAt = (expected) => ({
  afterHooks: [
    ({ err, body }) => {
      if (!err && body !== expected) throw new Error(`got ${JSON.stringify(body)}`);
    },
  ],
});
const wanted = { afterHooks: [() => {}] };
/** The deadline of the request that meets the fault. The healthy requests of the row keep the long one of the run. */
const soon = { timeout: 400 };
/** Rows that wait for a deadline: each lane meets the fault once, or twice with the full counts. */
const waiting = (fault) => times(scaled(LANES, 2 * LANES), { fails: ['timeout', 'E_TIMEOUT_REQUEST'], ...fault });

/** Runs `act(io)` on a connection that has carried another request; a new connection gets a good response. */
const onReused = (act) => async (io) => (io.carried > 0 ? act(io) : io.send(good('ok')));

/** A good response, then an unexpected one; a hook keeps the lane until the second one has arrived. */
function poisoning() {
  let answered = 0;
  let poisoned = 0;
  return {
    say: async (io) => {
      answered++;
      await io.send(good('ok'));
      await io.read();
      await io.send(good('/good/0'));
      poisoned++;
    },
    operation: {
      afterHooks: [
        async ({ err, body }) => {
          if (!err && body !== 'ok') throw new Error(`got ${JSON.stringify(body)}`);
          await until(() => poisoned >= answered);
          await turns();
        },
      ],
    },
  };
}

const TEXT = 'hello hello hello';
const gzipped = zlib.gzipSync(TEXT);
const nested = (count) => Array.from({ length: count }).reduce((bytes) => zlib.gzipSync(bytes), Buffer.from(TEXT));
const unzips = { gzip: true, ...looksAt(TEXT) };

/** @type {Fault[]} */
const connections = [
  {
    id: 'F8',
    what: 'FIN before any byte, on a new connection',
    say: '',
    end: 'fin',
    isNew: true,
    fails: ['reset', 'E_RESET_BEFORE_HEAD'],
  },
  {
    id: 'F9',
    what: 'RST before any byte, on a new connection',
    say: '',
    end: 'rst',
    isNew: true,
    fails: ['reset', 'E_RESET_BEFORE_HEAD'],
  },
  {
    id: 'F12',
    what: 'FIN before any byte on a reused connection during a GET: the request is retried once',
    say: onReused((io) => io.fin()),
    isRetried: true,
  },
  {
    id: 'F12',
    what: 'FIN before any byte on a reused connection and on the new one: the request fails',
    say: '',
    end: 'fin',
    isRetried: true,
    fails: ['reset', 'E_RESET_BEFORE_HEAD'],
  },
  {
    id: 'F13',
    what: 'FIN before any byte on a reused connection during a POST: the request is not retried',
    say: '',
    end: 'fin',
    operation: { post: '/odd', body: 'x' },
    fails: ['reset', 'E_RESET_BEFORE_HEAD'],
  },
  {
    id: 'F13',
    what: 'RST before any byte on a reused connection during a POST: the request is not retried',
    say: '',
    end: 'rst',
    operation: { post: '/odd', body: 'x' },
    fails: ['reset', 'E_RESET_BEFORE_HEAD'],
  },
  {
    id: 'F14',
    what: 'RST before any byte on a reused connection during a PUT: the request is retried once',
    say: onReused((io) => io.rst()),
    operation: { put: '/odd', body: 'x' },
    isRetried: true,
  },
  {
    id: 'F14',
    what: 'FIN after the first byte of a response: the request is not retried',
    say: 'H',
    end: 'fin',
    fails: ['reset', 'E_RESET_IN_HEAD'],
  },
  waiting({ id: 'F6', what: 'no response on a new connection', say: '', end: 'hang', isNew: true, operation: soon }),
  waiting({ id: 'F6', what: 'no response on a reused connection', say: '', end: 'hang', operation: soon }),
  times(2 * LANES, {
    id: 'F19',
    what: 'unexpected bytes on an idle connection: the connection is dropped',
    connections: 2 * LANES,
    ...poisoning(),
    check: ({ connections }) => {
      if (connections.discarded !== 2 * LANES) throw new Error(`discarded ${connections.discarded}`);
    },
  }),
  times(2 * LANES, {
    id: 'F20',
    what: '1,000 responses in one packet: the first one counts',
    say: good('ok') + good('no').repeat(999),
    operation: looksAt('ok'),
    connections: 2 * LANES,
  }),
  {
    id: 'F23',
    what: 'FIN after a complete response',
    say: good('ok'),
    end: 'fin',
    isRaced: true,
    operation: looksAt('ok'),
  },
];

/** @type {Fault[]} */
const heads = [
  waiting({
    id: 'F26',
    what: 'a field that trickles in forever',
    say: (io) => io.send('HTTP/1.1 200 OK\r\nx: ').then(() => io.drip('y'.repeat(60_000), 5)),
    operation: soon,
  }),
  times(2 * LANES, {
    id: 'F31',
    what: 'fields without an end',
    say: (io) => io.send('HTTP/1.1 200 OK\r\n').then(() => io.pour('A: b\r\n'.repeat(50))),
    fails: ['protocol', 'E_TOO_MANY_FIELDS'],
    undici: { fails: ['protocol', 'E_HEADERS_TOO_LARGE'] },
  }),
  times(2 * LANES, {
    id: 'F31',
    what: 'one field without an end',
    say: (io) => io.send('HTTP/1.1 200 OK\r\nA: ').then(() => io.pour('b'.repeat(1000))),
    fails: ['protocol', 'E_HEADERS_TOO_LARGE'],
  }),
  times(2 * LANES, {
    id: 'F39',
    what: 'a flood of 103 responses',
    say: (io) => io.pour('HTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\n'),
    fails: ['protocol', 'E_1XX_FLOOD'],
    undici: {
      why: 'only the deadline limits it',
      operation: soon,
      fails: ['timeout', 'E_TIMEOUT_REQUEST'],
      iterations: LANES,
    },
  }),
  {
    id: 'F44',
    what: 'RST in a body that ends with its connection',
    say: (io) => io.send(`${head()}ok`).then(io.read),
    end: 'rst',
    fails: ['reset', 'E_BODY_SHORT'],
  },
];

const withoutBody = [
  ['204', 'HTTP/1.1 204 No Content\r\n\r\n'],
  ['304', 'HTTP/1.1 304 Not Modified\r\n\r\n'],
  ['304 with Transfer-Encoding: chunked', 'HTTP/1.1 304 Not Modified\r\nTransfer-Encoding: chunked\r\n\r\n'],
  ['a response to HEAD with Content-Length', head('Content-Length: 5'), 'head'],
  ['a response to HEAD with Transfer-Encoding: chunked', head('Transfer-Encoding: chunked'), 'head'],
  ['Content-Length: 0', head('Content-Length: 0')],
];
/** @type {Fault[]} */
const strayBodies = withoutBody.flatMap(([what, say, method = 'get']) =>
  [
    ['an unexpected body', '12345'],
    ['an unexpected response', good('/good/0')],
  ].map(([name, more]) => ({
    id: 'F41',
    what: `${what} followed by ${name}: the bytes are dropped`,
    say: say + more,
    operation: { [method]: '/odd', ...looksAt('') },
    connections: STRAYS,
    iterations: STRAYS,
  })),
);

/** @type {Fault[]} */
const bodies = [
  {
    id: 'F45',
    what: 'FIN within the body',
    say: `${head('Content-Length: 5')}abc`,
    end: 'fin',
    fails: ['reset', 'E_BODY_SHORT'],
    check: ({ errors }) => {
      if (!/after 3 (of 5 )?bytes$/.test(errors.details[0].message)) throw new Error(errors.details[0].message);
    },
  },
  ...[1, 1000].map((excess) => ({
    id: 'F46',
    what: `${excess} more bytes than Content-Length`,
    say: `${good('ok')}${'x'.repeat(excess)}`,
    operation: looksAt('ok'),
    connections: STRAYS,
    iterations: STRAYS,
  })),
  ...[{}, wanted].map((operation) =>
    waiting({
      id: 'F47',
      what: `fewer bytes than Content-Length${operation === wanted ? ', read by a hook' : ''}`,
      say: `${head('Content-Length: 9')}ok`,
      operation: { ...operation, ...soon },
    }),
  ),
  waiting({
    id: 'F58',
    what: 'a body that trickles in',
    say: (io) => io.send(head('Content-Length: 1000000')).then(() => io.drip('x'.repeat(1_000_000), 10)),
    operation: soon,
  }),
  ...[
    ['2', 'in a chunk size'],
    ['5\r\nok', 'in the data of a chunk'],
    ['2\r\nok\r\n', 'before the last chunk'],
    ['2\r\nok\r\n0', 'in the last chunk'],
    ['2\r\nok\r\n0\r\n', 'before the end of the trailers'],
    ['2\r\nok\r\n0\r\na: b', 'in a trailer'],
  ].flatMap(([said, where]) => [
    {
      id: 'F49',
      what: `FIN ${where}`,
      say: chunked(said),
      end: 'fin',
      fails: ['reset', 'E_CHUNK_SHORT'],
      undici: { fails: ['reset', 'E_BODY_SHORT'] },
    },
    {
      id: 'F49',
      what: `RST ${where}`,
      say: (io) => io.send(chunked(said)).then(io.read),
      end: 'rst',
      fails: ['reset'],
    },
  ]),
  times(2 * LANES, {
    id: 'F50',
    what: 'trailers without an end',
    say: (io) => io.send(chunked('2', 'ok', '0', '')).then(() => io.pour('x-a: 1\r\n'.repeat(100))),
    fails: ['protocol'],
  }),
  ...['Transfer-Encoding: chunked', `Content-Length: ${2 ** 50}`, 'Connection: close'].flatMap((framing) => {
    const piece = framing.endsWith('chunked') ? `400\r\n${'x'.repeat(1024)}\r\n` : 'x'.repeat(1024);
    const say = (pause) => (io) => io.send(head(framing)).then(() => io.pour(piece, pause && (() => io.wait(pause))));
    return [
      times(LANES, {
        id: 'F51',
        what: `a body without an end that no hook reads (${framing})`,
        // until the deadline: as fast as it can, that takes all CPU
        say: say(2),
        operation: soon,
        fails: ['timeout', 'E_TIMEOUT_REQUEST'],
      }),
      times(LANES, {
        id: 'F51',
        what: `a body without an end that a hook reads (${framing})`,
        say: say(),
        operation: wanted,
        options: { maxBodySize: 10_000 },
        fails: ['protocol', 'E_BODY_TOO_LARGE'],
      }),
    ];
  }),
];

const bombs = [
  ['gzip', zlib.gzipSync],
  ['deflate', zlib.deflateSync],
  ['br', zlib.brotliCompressSync],
  ['zstd', zlib.zstdCompressSync],
  ['gzip, gzip', (bytes) => zlib.gzipSync(zlib.gzipSync(bytes))],
  ['gzip, br', (bytes) => zlib.brotliCompressSync(zlib.gzipSync(bytes))],
].filter(([, compress]) => compress);
const broken = [
  ['gzip that is plain text', 'gzip', Buffer.from(TEXT)],
  ['gzip with a wrong magic number', 'gzip', Buffer.concat([Buffer.from([0x1f, 0x8c]), gzipped.subarray(2)])],
  ['truncated gzip', 'gzip', gzipped.subarray(0, -1)],
  ['only the head of a gzip', 'gzip', gzipped.subarray(0, 10)],
  [
    'gzip with a wrong checksum',
    'gzip',
    Buffer.concat([gzipped.subarray(0, -8), Buffer.alloc(4), gzipped.subarray(-4)]),
  ],
  ['gzip with a wrong size', 'gzip', Buffer.concat([gzipped.subarray(0, -4), Buffer.from([1, 2, 3, 4])])],
  ['gzip with a truncated second member', 'gzip', Buffer.concat([gzipped, gzipped.subarray(0, 15)])],
  ['truncated deflate', 'deflate', zlib.deflateSync(TEXT).subarray(0, -1)],
  ['truncated br', 'br', zlib.brotliCompressSync(TEXT).subarray(0, -1)],
  ['gzip declared as br', 'br', gzipped],
  ['one gzip declared as two', 'gzip, gzip', gzipped],
];
const readable = [
  ['gzip in two members', 'gzip', Buffer.concat([zlib.gzipSync(TEXT.slice(0, 5)), zlib.gzipSync(TEXT.slice(5))])],
  ['x-gzip', 'x-gzip', gzipped],
  ['GZIP', 'GZIP', gzipped],
  ['deflate', 'deflate', zlib.deflateSync(TEXT)],
  ['deflate without its zlib wrapper', 'deflate', zlib.deflateRawSync(TEXT)],
  ['br', 'br', zlib.brotliCompressSync(TEXT)],
  ['an unknown coding', 'foo', Buffer.from(TEXT)],
  ['a coding named __proto__', '__proto__', Buffer.from(TEXT)],
];
const isAnswered = ({ requests }) => {
  if (requests.unanswered !== 0)
    throw new Error('a complete response counts as answered, even if it cannot be decoded');
};
const decoded = (size) => ({
  id: 'F54',
  what: `${size} decoded bytes with a limit of 20,000`,
  say: encoded('gzip', zlib.gzipSync('x'.repeat(size))),
  operation: { gzip: true, ...wanted },
  options: { maxBodySize: 20_000 },
  iterations: 2 * LANES,
});
/** @type {Fault[]} */
const codings = [
  ...bombs.map(([coding, compress]) =>
    times(2 * LANES, {
      id: 'F54',
      what: `a decompression bomb: ${coding}`,
      say: encoded(coding, compress(Buffer.alloc(scaled(1_000_000, 10_000_000)))),
      operation: unzips,
      options: { maxBodySize: 30_000 },
      fails: ['protocol', 'E_DECODED_TOO_LARGE'],
      check: isAnswered,
    }),
  ),
  {
    id: 'F54',
    what: 'a decompression bomb that no hook reads is not decoded',
    say: encoded('gzip', zlib.gzipSync(Buffer.alloc(1_000_000))),
    options: { maxBodySize: 1000 },
  },
  decoded(20_000),
  { ...decoded(20_001), fails: ['protocol', 'E_DECODED_TOO_LARGE'] },
  times(2 * LANES, {
    id: 'F55',
    what: 'five codings are decoded',
    say: encoded(Array(5).fill('gzip').join(', '), nested(5)),
    operation: unzips,
  }),
  ...[
    [6, ', '],
    [1000, ', '],
    [900, '\r\nContent-Encoding: '],
  ].map(([count, separator]) =>
    times(2 * LANES, {
      id: 'F55',
      what: `${count} codings, ${separator === ', ' ? 'in one field' : 'one per field'}`,
      say: encoded(Array(count).fill('gzip').join(separator), nested(1)),
      operation: unzips,
      fails: ['protocol', 'E_ENCODING_CHAIN'],
      check: ({ errors }) => {
        if (errors.details[0].message.length > 200) throw new Error('a long message');
      },
    }),
  ),
  ...broken.map(([what, coding, body]) =>
    times(2 * LANES, {
      id: 'F56',
      what,
      say: encoded(coding, body),
      operation: unzips,
      fails: ['protocol', 'E_DECODE'],
      check: isAnswered,
      connections: LANES,
    }),
  ),
  ...readable.map(([what, coding, body]) =>
    times(2 * LANES, { id: 'F56', what: `${what} is read`, say: encoded(coding, body), operation: unzips }),
  ),
  {
    id: 'F56',
    what: 'an empty body with Content-Encoding: gzip is not an error',
    say: encoded('gzip', Buffer.alloc(0)),
    operation: { gzip: true, ...looksAt('') },
  },
  {
    id: 'F56',
    what: 'a response to HEAD with Content-Encoding: gzip is not decoded',
    say: head('Content-Encoding: gzip', 'Content-Length: 40'),
    operation: { head: '/odd', gzip: true, ...looksAt('') },
  },
  {
    id: 'F56',
    what: '304 with Content-Encoding: gzip is not decoded',
    say: 'HTTP/1.1 304 Not Modified\r\nContent-Encoding: gzip\r\n\r\n',
    operation: { gzip: true, ...looksAt('') },
  },
];

const json = (text) => ({
  say: Buffer.concat([
    Buffer.from(head('Content-Type: application/json', `Content-Length: ${Buffer.byteLength(text)}`)),
    Buffer.from(text),
  ]),
});
const asJson = (check) => ({
  json: true,
  afterHooks: [
    ({ body }) => {
      if (!check(body)) throw new Error(`got ${JSON.stringify(body)}`);
    },
  ],
});
/** @type {Fault[]} */
const documents = [
  { id: 'F57', what: 'invalid JSON stays text', ...json('{"a":'), operation: asJson((body) => body === '{"a":') },
  {
    id: 'F57',
    what: 'invalid UTF-8 is text with replacement characters',
    ...json(Buffer.from([0x22, 0xff, 0xfe, 0x22])),
    operation: asJson((body) => body === '\ufffd\ufffd'),
  },
  {
    id: 'F57',
    what: 'JSON after a byte order mark is read',
    ...json('\ufeff{"a":1}'),
    operation: asJson((body) => body.a === 1 || body === '\ufeff{"a":1}'),
  },
  {
    id: 'F57',
    what: '__proto__ is an ordinary key in JSON',
    ...json('{"__proto__":{"x":1}}'),
    operation: asJson((body) => Object.hasOwn(body, '__proto__') && {}.x === undefined),
  },
  times(LANES, {
    id: 'F57',
    what: '100,000 nested arrays',
    ...json('['.repeat(100_000) + ']'.repeat(100_000)),
    operation: { json: true, ...wanted },
  }),
];

/** Faults in the middle of a run: the rows of the catalogue that take more than one response in one piece. */
export const SERVER_FAULTS = [...connections, ...heads, ...strayBodies, ...bodies, ...codings, ...documents];

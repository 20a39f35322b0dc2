import {
  CODES,
  FLAGS,
  TYPES,
  block,
  dataFrame,
  frame,
  headersFrame,
  responseTo,
  settingsFrame,
  uint32,
} from './frame-server.js';

const { END_STREAM, END_HEADERS, PADDED, PRIORITY, ACK } = FLAGS;
const STATUS_200 = [':status', '200'];
const join = (...frames) => Buffer.concat(frames);
const data = (id, text) => dataFrame(id, text, 0);
const headers = (id, fields = STATUS_200, flags = END_HEADERS) => headersFrame(id, fields, flags);
const goAway = (last, code = 0, debug = '') => frame(TYPES.GOAWAY, 0, 0, join(uint32(last, code), Buffer.from(debug)));
const reset = (id, code) => frame(TYPES.RST_STREAM, 0, id, uint32(code));
const windowUpdate = (id, increment) => frame(TYPES.WINDOW_UPDATE, 0, id, uint32(increment));
const good = (id) => responseTo(id);
const bytes = (hex) => Buffer.from(hex, 'hex');
/** An id that no request has had. */
const IDLE = 1001;

/**
 * Responses that a server may send, in frames: `say(id)`. A row has either `status`, `body` (default 'ok') and `headers`,
 * or `ends`: our client ends the 'stream' or the 'connection', and sends the code `sends`. `section`: of RFC 9113.
 * `lives: false`: the response is read, and the next request gets another connection. `id`: the row of the fault
 * catalogue.
 */
export const HTTP2_RESPONSES = [
  { what: 'a head and a body', say: good },
  { what: 'a head without a body', say: (id) => headers(id, STATUS_200, END_HEADERS | END_STREAM), body: '' },
  { what: 'an empty body', say: (id) => join(headers(id), dataFrame(id, '')), body: '' },
  {
    what: 'a body in many frames',
    say: (id) => join(headers(id), ...Array(30).fill(data(id, 'x')), dataFrame(id, '')),
    body: 'x'.repeat(30),
  },
  {
    what: 'a body of a whole frame',
    say: (id) => join(headers(id), dataFrame(id, 'x'.repeat(16_384))),
    body: 'x'.repeat(16_384),
  },
  {
    what: 'a head in CONTINUATION frames, some of them empty',
    say: (id) => {
      const head = block(...STATUS_200, 'a', 'b');
      const parts = [head.subarray(1, 5), Buffer.alloc(0), head.subarray(5)];
      return join(
        frame(TYPES.HEADERS, 0, id, head.subarray(0, 1)),
        ...parts.map((part, i) => frame(TYPES.CONTINUATION, i === 2 ? END_HEADERS : 0, id, part)),
        dataFrame(id, 'ok'),
      );
    },
    headers: { a: 'b' },
  },
  {
    id: 'F182',
    what: 'padding and a priority',
    say: (id) =>
      join(
        frame(
          TYPES.HEADERS,
          END_HEADERS | PADDED | PRIORITY,
          id,
          join(Buffer.of(3), uint32(0), Buffer.of(9), block(...STATUS_200), Buffer.alloc(3)),
        ),
        frame(TYPES.DATA, PADDED, id, join(Buffer.of(255), Buffer.from('o'), Buffer.alloc(255))),
        frame(TYPES.DATA, PADDED, id, Buffer.of(0)),
        frame(TYPES.DATA, PADDED | END_STREAM, id, join(Buffer.of(1), Buffer.from('k'), Buffer.alloc(1))),
      ),
  },
  {
    what: 'interim responses',
    say: (id) => join(headers(id, [':status', '100']), headers(id, [':status', '103', 'link', '</a>']), good(id)),
  },
  {
    what: 'trailers',
    say: (id) => join(headers(id), data(id, 'ok'), headers(id, ['grpc-status', '0'], END_HEADERS | END_STREAM)),
  },
  {
    what: 'trailers without a body, in a CONTINUATION frame',
    say: (id) =>
      join(
        headers(id),
        frame(TYPES.HEADERS, END_STREAM, id),
        frame(TYPES.CONTINUATION, END_HEADERS, id, block('a', 'b')),
      ),
    body: '',
  },
  { what: 'a length', say: (id) => join(headers(id, [...STATUS_200, 'content-length', '2']), dataFrame(id, 'ok')) },
  {
    what: 'a length, and trailers',
    say: (id) =>
      join(
        headers(id, [...STATUS_200, 'content-length', '2']),
        data(id, 'ok'),
        headers(id, [], END_HEADERS | END_STREAM),
      ),
  },
  {
    what: 'a length of a response that has no body',
    say: (id) => headers(id, [':status', '304', 'content-length', '2'], END_HEADERS | END_STREAM),
    status: 304,
    body: '',
  },
  { what: 'a status above 599', say: (id) => responseTo(id, { status: 999 }), status: 999 },

  // frames of unknown meaning, and those that no response needs
  ...[
    ['a frame of an unknown type', frame(0x0b, 0xff, 0, Buffer.alloc(100))],
    ['a frame of an unknown type on an idle stream', frame(0xfe, 0, IDLE, 'x')],
    ['PRIORITY of an idle stream', frame(TYPES.PRIORITY, 0, IDLE, join(uint32(0), Buffer.of(1)))],
    [
      'a setting that is unknown',
      settingsFrame([
        [0x99, 1],
        [0xffff, 2 ** 32 - 1],
      ]),
    ],
    ['settings without any', settingsFrame([])],
    ['flags without a meaning', frame(TYPES.PING, 0xfe, 0, Buffer.alloc(8))],
    ['a window for the connection', windowUpdate(0, 1000)],
  ].map(([what, said]) => ({ id: 'F183', what, say: (id) => join(headers(id), said, dataFrame(id, 'ok'), said) })),
  {
    id: 'F183',
    what: 'a reserved bit',
    say: (id) => join(headers(id), frame(TYPES.DATA, END_STREAM, id + 0x8000_0000, 'ok')),
  },
  { id: 'F184', what: 'a window for a stream that has ended', say: (id) => join(good(id), windowUpdate(id, 10)) },
  { id: 'F184', what: 'a reset of a stream that has ended', say: (id) => join(good(id), reset(id, CODES.CANCEL)) },
  {
    id: 'F184',
    what: 'a reset without an error after a response',
    say: (id) => join(good(id), reset(id, CODES.NO_ERROR)),
  },

  // GOAWAY (6.8)
  { id: 'F185', what: 'GOAWAY before the response', say: (id) => join(goAway(id), good(id)), lives: false },
  {
    id: 'F185',
    what: 'GOAWAY within the response',
    say: (id) => join(headers(id), goAway(id, 0, 'bye'), dataFrame(id, 'ok')),
    lives: false,
  },
  {
    id: 'F185',
    what: 'GOAWAY twice',
    say: (id) => join(goAway(2 ** 31 - 1), headers(id), goAway(id), dataFrame(id, 'ok')),
    lives: false,
  },
  { id: 'F185', what: 'GOAWAY after the response', say: (id) => join(good(id), goAway(id)), lives: false },
  {
    id: 'F185',
    what: 'GOAWAY with an error',
    say: (id) => join(goAway(id, CODES.ENHANCE_YOUR_CALM, 'slow down'), good(id)),
    lives: false,
  },

  // errors of the connection
  ...[
    ['DATA', '6.1', frame(TYPES.DATA, END_STREAM, 0, 'x')],
    ['HEADERS', '6.2', headers(0)],
    ['RST_STREAM', '6.4', reset(0, 8)],
    ['PRIORITY', '6.3', frame(TYPES.PRIORITY, 0, 0, Buffer.alloc(5))],
    ['CONTINUATION', '6.10', frame(TYPES.CONTINUATION, END_HEADERS, 0)],
  ].map(([type, section, said]) => broken('F184', `${type} on stream 0`, section, 'PROTOCOL_ERROR', said)),
  ...[
    ['SETTINGS', '6.5', frame(TYPES.SETTINGS, 0, 1)],
    ['PING', '6.7', frame(TYPES.PING, 0, 1, Buffer.alloc(8))],
    ['GOAWAY', '6.8', frame(TYPES.GOAWAY, 0, 1, Buffer.alloc(8))],
  ].map(([type, section, said]) => broken('F184', `${type} on a stream`, section, 'PROTOCOL_ERROR', said)),
  ...[IDLE, 2].flatMap((idle) =>
    [
      ['DATA', data(idle, 'x')],
      ['HEADERS', headers(idle)],
      ['RST_STREAM', reset(idle, 8)],
      ['WINDOW_UPDATE', windowUpdate(idle, 1)],
    ].map(([type, said]) => broken('F184', `${type} on the idle stream ${idle}`, '5.1', 'PROTOCOL_ERROR', said)),
  ),
  broken(
    'F184',
    'HEADERS after the end of a stream',
    '5.1',
    'STREAM_CLOSED',
    (id) => join(good(id), headers(id)),
    true,
  ),
  broken('F184', 'DATA after the end of a stream', '5.1', 'STREAM_CLOSED', (id) => join(good(id), data(id, 'x')), true),
  broken('F184', 'PUSH_PROMISE', '8.4', 'PROTOCOL_ERROR', (id) =>
    frame(TYPES.PUSH_PROMISE, END_HEADERS, id, join(uint32(2), block(':path', '/'))),
  ),
  broken('F184', 'CONTINUATION without a head', '6.10', 'PROTOCOL_ERROR', (id) =>
    frame(TYPES.CONTINUATION, END_HEADERS, id),
  ),
  broken('F184', 'another frame within a head', '6.2', 'PROTOCOL_ERROR', (id) =>
    join(headers(id, STATUS_200, 0), data(id, 'x')),
  ),
  broken('F184', 'an unknown frame within a head', '5.5', 'PROTOCOL_ERROR', (id) =>
    join(headers(id, STATUS_200, 0), frame(0xfe, 0, 0)),
  ),
  broken('F184', 'CONTINUATION of another stream', '6.10', 'PROTOCOL_ERROR', (id) =>
    join(headers(id, STATUS_200, 0), frame(TYPES.CONTINUATION, END_HEADERS, id + 2)),
  ),
  ...[
    ['SETTINGS', '6.5', frame(TYPES.SETTINGS, 0, 0, Buffer.alloc(5))],
    ['an acknowledgement of settings', '6.5', frame(TYPES.SETTINGS, ACK, 0, Buffer.alloc(6))],
    ['PING', '6.7', frame(TYPES.PING, 0, 0, Buffer.alloc(7))],
    ['RST_STREAM', '6.4', (id) => frame(TYPES.RST_STREAM, 0, id, Buffer.alloc(3))],
    ['WINDOW_UPDATE', '6.9', (id) => frame(TYPES.WINDOW_UPDATE, 0, id, Buffer.alloc(5))],
    ['GOAWAY', '6.8', frame(TYPES.GOAWAY, 0, 0, Buffer.alloc(7))],
    ['DATA', '4.2', (id) => join(headers(id), data(id, Buffer.alloc(16_385)))],
    ['HEADERS', '4.2', (id) => frame(TYPES.HEADERS, END_HEADERS, id, Buffer.alloc(16_385))],
    ['an unknown type', '4.2', frame(0xfe, 0, 0, Buffer.alloc(16_385))],
    [
      'HEADERS with a priority that is cut',
      '6.2',
      (id) => frame(TYPES.HEADERS, END_HEADERS | PRIORITY, id, Buffer.alloc(4)),
    ],
  ].map(([what, section, said]) => broken('F186', `a wrong size: ${what}`, section, 'FRAME_SIZE_ERROR', said)),
  broken('F182', 'padded DATA without the length of its padding', '6.1', 'PROTOCOL_ERROR', (id) =>
    join(headers(id), frame(TYPES.DATA, PADDED, id)),
  ),
  broken('F182', 'DATA with more padding than octets', '6.1', 'PROTOCOL_ERROR', (id) =>
    join(headers(id), frame(TYPES.DATA, PADDED, id, Buffer.of(1))),
  ),
  broken('F182', 'HEADERS with more padding than octets', '6.2', 'PROTOCOL_ERROR', (id) =>
    frame(TYPES.HEADERS, PADDED | END_HEADERS, id, Buffer.of(9, 0x88)),
  ),
  ...[
    ['SETTINGS_ENABLE_PUSH of 1', '6.5.2', 'PROTOCOL_ERROR', [2, 1]],
    ['SETTINGS_ENABLE_PUSH of 2', '6.5.2', 'PROTOCOL_ERROR', [2, 2]],
    ['a window of 2^31 in settings', '6.5.2', 'FLOW_CONTROL_ERROR', [4, 2 ** 31]],
    ['a maximum frame size of 16,383', '6.5.2', 'PROTOCOL_ERROR', [5, 16_383]],
    ['a maximum frame size of 2^24', '6.5.2', 'PROTOCOL_ERROR', [5, 2 ** 24]],
  ].map(([what, section, sends, setting]) => broken('F187', what, section, sends, settingsFrame([setting]))),
  broken(
    'F188',
    'a window of the connection above 2^31 - 1',
    '6.9.1',
    'FLOW_CONTROL_ERROR',
    join(windowUpdate(0, 2 ** 31 - 1), windowUpdate(0, 2 ** 31 - 1)),
  ),
  broken('F188', 'an increment of 0 for the connection', '6.9', 'PROTOCOL_ERROR', windowUpdate(0, 0)),
  ...[
    ['an index without an entry', 'be'],
    ['the index 0', '80'],
    ['a text that is cut', '880004'],
    ['a text that is not in the Huffman code', '880001618100'],
    ['a table that is too large', '3fe2ff03'],
  ].map(([what, hex]) =>
    broken('F189', `HPACK: ${what}`, '4.3', 'COMPRESSION_ERROR', (id) =>
      frame(TYPES.HEADERS, END_HEADERS, id, bytes(hex)),
    ),
  ),
  ...[
    ['SETTINGS', settingsFrame([])],
    ['acknowledgements', frame(TYPES.SETTINGS, ACK, 0)],
    ['PING', frame(TYPES.PING, 0, 0, Buffer.alloc(8))],
    ['PRIORITY', frame(TYPES.PRIORITY, 0, IDLE, Buffer.alloc(5))],
    ['unknown types', frame(0xfe, 0, 0)],
    ['GOAWAY', goAway(2 ** 31 - 1)],
    ['RST_STREAM of a stream that has ended', reset(1, 8)],
    ['WINDOW_UPDATE of a stream that has ended', windowUpdate(1, 1)],
    ['empty DATA', (id) => data(id, ''), headers],
  ].map(([what, said, before = () => Buffer.alloc(0)]) =>
    broken('F180', `a flood: ${what}`, '10.5', 'ENHANCE_YOUR_CALM', (id) =>
      join(before(id), ...Array(10_100).fill(typeof said === 'function' ? said(id) : said)),
    ),
  ),
  broken('F190', 'a head that never ends', '10.5.1', 'ENHANCE_YOUR_CALM', (id) =>
    join(frame(TYPES.HEADERS, 0, id), ...Array(40).fill(frame(TYPES.CONTINUATION, 0, id, Buffer.alloc(2000)))),
  ),
  broken('F190', 'CONTINUATION frames without octets and without end', '10.5.1', 'ENHANCE_YOUR_CALM', (id) =>
    join(frame(TYPES.HEADERS, 0, id), ...Array(10_000).fill(frame(TYPES.CONTINUATION, 0, id))),
  ),

  // errors of a stream
  ...[
    ['a window of a stream above 2^31 - 1', '6.9.1', 'FLOW_CONTROL_ERROR', (id) => windowUpdate(id, 2 ** 31 - 1)],
    ['an increment of 0 for a stream', '6.9', 'PROTOCOL_ERROR', (id) => windowUpdate(id, 0)],
  ].map(([what, section, sends, say]) => ({ id: 'F188', what, section, ends: 'stream', sends, say })),
  { id: 'F190', what: 'a compression bomb', ends: 'stream', say: bomb, section: '10.5.1' },
  ...[
    ['a field name in upper case', '8.2.1', [...STATUS_200, 'Server', 'x']],
    ['a field name with a space', '8.2.1', [...STATUS_200, 'a b', 'x']],
    ['an empty field name', '8.2.1', [...STATUS_200, '', 'x']],
    ['a field value with a line feed', '8.2.1', [...STATUS_200, 'a', 'x\ny: z']],
    ['a field value with NUL', '8.2.1', [...STATUS_200, 'a', '\0']],
    ['a field value with a space at its end', '8.2.1', [...STATUS_200, 'a', 'x ']],
    ...['connection', 'keep-alive', 'proxy-connection', 'transfer-encoding', 'upgrade'].map((name) => [
      `the field ${name}`,
      '8.2.2',
      [...STATUS_200, name, 'chunked'],
    ]),
    ['no :status', '8.3.2', ['a', 'b']],
    ['two :status', '8.3.2', [...STATUS_200, ...STATUS_200]],
    [':status after a field', '8.3', ['a', 'b', ...STATUS_200]],
    ['a :status that is none', '8.3.2', [':status', '2 0']],
    ['a pseudo-field of requests', '8.3', [...STATUS_200, ':path', '/']],
    ['the status 101', '8.6', [':status', '101']],
  ].map(([what, section, fields]) => ({
    ...malformed(what, section, (id) => join(headers(id, fields), dataFrame(id, 'ok'))),
    id: 'F191',
  })),
  ...[
    [
      'a body that is longer than its length',
      '8.1.1',
      (id) => join(headers(id, [...STATUS_200, 'content-length', '1']), dataFrame(id, 'ok')),
    ],
    [
      'a body that is shorter than its length',
      '8.1.1',
      (id) => join(headers(id, [...STATUS_200, 'content-length', '3']), dataFrame(id, 'ok')),
    ],
    [
      'a head without the body of its length',
      '8.1.1',
      (id) => headers(id, [...STATUS_200, 'content-length', '3'], END_HEADERS | END_STREAM),
    ],
    [
      'two lengths',
      '8.1.1',
      (id) => join(headers(id, [...STATUS_200, 'content-length', '2', 'content-length', '3']), dataFrame(id, 'ok')),
    ],
    [
      'a length that is no number',
      '8.1.1',
      (id) => join(headers(id, [...STATUS_200, 'content-length', '2x']), dataFrame(id, 'ok')),
    ],
    ['a body without a head', '8.1', (id) => dataFrame(id, 'ok')],
    ['an empty body before a head', '8.1', (id) => join(data(id, ''), responseTo(id))],
    ['a second head that ends nothing', '8.1', (id) => join(headers(id), headers(id), dataFrame(id, 'ok'))],
    [
      'an interim response that ends the stream',
      '8.1',
      (id) => headers(id, [':status', '103'], END_HEADERS | END_STREAM),
    ],
    [
      'trailers with a :status',
      '8.1',
      (id) => join(headers(id), data(id, 'ok'), headers(id, STATUS_200, END_HEADERS | END_STREAM)),
    ],
    [
      'trailers in upper case',
      '8.2.1',
      (id) => join(headers(id), data(id, 'ok'), headers(id, ['A', 'b'], END_HEADERS | END_STREAM)),
    ],
  ].map(([what, section, say]) => ({ ...malformed(what, section, say), id: 'F192' })),
  {
    id: 'F39',
    what: 'a flood of interim responses',
    ends: 'stream',
    say: (id) => Buffer.concat(Array(30).fill(headers(id, [':status', '103']))),
  },
  ...Object.entries(CODES)
    .filter(([name]) => name !== 'REFUSED_STREAM')
    .map(([name, code]) => ({
      id: 'F193',
      what: `RST_STREAM with ${name}`,
      ends: 'stream',
      say: (id) => reset(id, code),
    })),
  {
    id: 'F193',
    what: 'RST_STREAM with an unknown code',
    ends: 'stream',
    say: (id) => join(headers(id), data(id, 'o'), reset(id, 0xdead_beef)),
  },
];

/**
 * An error of the connection.
 * @param {Buffer | ((id: number) => Buffer)} said
 * @param {boolean} [isAfter] it follows the whole response, which is read
 */
function broken(id, what, section, sends, said, isAfter = false) {
  const say = typeof said === 'function' ? said : () => said;
  return isAfter
    ? { id, what, section, sends, say, lives: false }
    : { id, what, section, sends, say, ends: 'connection' };
}

function malformed(what, section, say) {
  return { what, section, say, ends: 'stream', sends: 'PROTOCOL_ERROR' };
}

/** One field of 4 kB, added to the table, and a block of references to it, which stands for 40 MB. */
function bomb(id) {
  const field = join(Buffer.of(0x40, 1, 0x61), bytes('7fa11e'), Buffer.alloc(4000, 'x'));
  return frame(TYPES.HEADERS, END_HEADERS | END_STREAM, id, join(Buffer.of(0x88), field, Buffer.alloc(10_000, 0xbe)));
}

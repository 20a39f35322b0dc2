import { expect } from 'chai';

import { BodyMemory } from '../../../../lib/core/process/body-memory.js';
import { createEventParser, kindOfContent } from '../../../../lib/addons/streams/kinds/index.js';
import fc from '../../../support/fast-check.js';

/** Parses a stream in pieces, each of which is overwritten after it was read, as the buffer of a connection is. */
function parsed(kind, pieces, { keeps = true, maxEventBytes = 1000, lastEventId } = {}) {
  const events = [];
  const parser = createEventParser(kind, {
    onEvent: ({ type, data, lastEventId: id }) => events.push({ type, data, id }),
    keeps,
    maxEventBytes,
    lastEventId,
  });
  for (const piece of pieces) {
    const shared = Buffer.concat([Buffer.from('#'), piece, Buffer.from('#')]);
    parser.feed(shared, 1, shared.length - 1);
    shared.fill('\n');
  }
  parser.end();
  const { retryMs } = parser;
  parser.release();
  return { events, retryMs, lastEventId: parser.lastEventId };
}

const bytesOf = (stream) => (typeof stream === 'string' ? Buffer.from(stream) : stream);
const inOne = (kind, stream, options) => parsed(kind, [bytesOf(stream)], options);
/** The same stream in two pieces, cut at every byte, and in pieces of one byte. */
function* cuts(stream) {
  const bytes = bytesOf(stream);
  for (let at = 0; at <= bytes.length; at++) yield [bytes.subarray(0, at), bytes.subarray(at)];
  yield [...bytes].map((byte) => Buffer.from([byte]));
}

const event = (data, more = {}) => ({ type: 'message', data, id: '', ...more });

/** Server-Sent Events as the WHATWG HTML standard has them, 9.2.5 and 9.2.6. */
const STREAMS = [
  ['data lines are joined with LF', 'data: YHOO\ndata: +2\ndata: 10\n\n', [event('YHOO\n+2\n10')]],
  [
    'a comment is no event, id is kept, an empty id resets it, and only one space after the colon is left out',
    ': test stream\n\ndata: first event\nid: 1\n\ndata:second event\nid\n\ndata:  third event\n\n',
    [event('first event', { id: '1' }), event('second event'), event(' third event')],
  ],
  [
    'data without a value is an event, two are a line feed, and one without an empty line is none',
    'data\n\ndata\ndata\n\ndata:',
    [event(''), event('\n')],
  ],
  ['a space after the colon does not matter', 'data:test\n\ndata: test\n\n', [event('test'), event('test')]],
  ['LF, CR and CR LF end lines', 'data: a\r\rdata: b\r\n\r\ndata: c\n\n', [event('a'), event('b'), event('c')]],
  ['line ends may be mixed', 'data: a\r\n\ndata: b\r\r\ndata: c\n\r', [event('a'), event('b'), event('c')]],
  ['a byte order mark at the beginning is left out', '\ufeffdata: a\n\n', [event('a')]],
  ['a second byte order mark begins another field', '\ufeff\ufeffdata: a\n\ndata: b\n\n', [event('b')]],
  ['a byte order mark later is data', 'data: \ufeffa\n\n', [event('\ufeffa')]],
  [
    'the beginning of a byte order mark is a field',
    Buffer.from([0xef, 0xbb, ...Buffer.from('data: a\n\ndata: b\n\n')]),
    [event('b')],
  ],
  [
    'event names the type of one event alone',
    'event: add\ndata: 1\n\ndata: 2\n\n',
    [event('1', { type: 'add' }), event('2')],
  ],
  ['the last one of several types counts', 'event: a\nevent: b\ndata: 1\n\n', [event('1', { type: 'b' })]],
  ['an event without data is none, and its type is forgotten', 'event: add\n\ndata: 1\n\n', [event('1')]],
  ['an id without data counts for the next event', 'id: 7\n\ndata: 1\n\n', [event('1', { id: '7' })]],
  [
    'an id with NUL is ignored',
    'id: 1\ndata: a\n\nid: 2\0\ndata: b\n\n',
    [event('a', { id: '1' }), event('b', { id: '1' })],
  ],
  ['a line without a colon is a field without a value', 'id: 1\nid\ndata: a\n\n', [event('a')]],
  [
    'other fields are ignored, also those that begin like one',
    'datas: x\ndat: x\nDATA: x\n data: x\neventx: x\ndata: a\n\n',
    [event('a')],
  ],
  ['a colon in a value is data', 'data: a:b: c\n\n', [event('a:b: c')]],
  [
    'UTF-8 of two to four bytes',
    'data: é€😀\n\nevent: é\nid: 😀\ndata: x\n\n',
    [event('é€😀'), event('x', { type: 'é', id: '😀' })],
  ],
  [
    'broken UTF-8 becomes U+FFFD as in a decoder of the whole',
    Buffer.from([
      ...Buffer.from('data: a'),
      0xe2,
      0x82,
      ...Buffer.from('\n\ndata: '),
      0xff,
      0xc3,
      ...Buffer.from('b\n\n'),
    ]),
    [event('a\ufffd'), event('\ufffd\ufffdb')],
  ],
  ['empty data lines are kept', 'data:\ndata: a\ndata:\n\n', [event('\na\n')]],
  ['an event that is not complete is none', 'data: a\n\ndata: b\n', [event('a')]],
  ['a stream of nothing', '', []],
  ['a stream of line ends', '\n\r\r\n\n', []],
];

describe('text/streams: Server-Sent Events', () => {
  for (const [fact, stream, expected] of STREAMS)
    it(`${fact}, wherever the stream is cut`, () => {
      for (const pieces of cuts(stream)) expect(parsed('sse', pieces).events).to.deep.equal(expected);
    });

  it('events are counted without their data', () => {
    for (const [, stream, expected] of STREAMS)
      for (const pieces of cuts(stream))
        expect(parsed('sse', pieces, { keeps: false }).events.map(({ type, id }) => [type, id])).to.deep.equal(
          expected.map(({ type, id }) => [type, id]),
        );
  });

  it('retry is a number of digits alone', () => {
    expect(inOne('sse', 'retry: 1500\n\n').retryMs).to.equal(1500);
    expect(inOne('sse', 'retry: 1500\nretry: 2s\nretry:\nretry: -1\n').retryMs).to.equal(1500);
    expect(inOne('sse', 'retry: x\n').retryMs).to.equal(null);
  });

  it('the last event ID of the connection before is kept until the stream has another one', () => {
    const { events } = inOne('sse', 'data: a\n\nid: 8\ndata: b\n\n', { lastEventId: '7' });
    expect(events.map(({ id }) => id)).to.deep.equal(['7', '8']);
  });

  it('any stream in any pieces has the events of a parser of its whole text', () => {
    const part = fc.constantFrom(
      ...[
        'data',
        'event',
        'id',
        'retry',
        'other',
        ':',
        ': ',
        ' ',
        'a',
        'é',
        '😀',
        '\0',
        '1',
        '\n',
        '\r',
        '\r\n',
        '\n\n',
      ],
      '\ufeff',
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 40 }), fc.array(fc.nat(200)), (parts, at) => {
        const text = parts.join('');
        const bytes = Buffer.from(text);
        const ends = [...new Set(at.map((n) => n % (bytes.length + 1)))].sort((a, b) => a - b);
        const pieces = [...ends, bytes.length].map((end, i) => bytes.subarray(i === 0 ? 0 : ends[i - 1], end));
        expect(parsed('sse', pieces).events).to.deep.equal(eventsOf(text));
      }),
    );
  });
});

/** The steps of the standard, for the whole text. */
function eventsOf(stream) {
  const lines = stream.replace(/^\ufeff/, '').split(/\r\n|\n|\r/);
  // after the last line end there is no line
  lines.pop();
  const events = [];
  let [data, type, id] = ['', '', ''];
  for (const line of lines) {
    if (line === '') {
      if (data !== '') events.push({ type: type || 'message', data: data.slice(0, -1), id });
      [data, type] = ['', ''];
      continue;
    }
    const colon = line.indexOf(':');
    const name = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /, '');
    if (name === 'data') data += `${value}\n`;
    else if (name === 'event') type = value;
    else if (name === 'id' && !value.includes('\0')) id = value;
  }
  return events;
}

describe('text/streams: lines', () => {
  const LINES = [
    ['lines end with LF or CR LF', '{"a":1}\n{"a":2}\r\n', ['{"a":1}', '{"a":2}']],
    ['the last line needs no end', 'a\nb', ['a', 'b']],
    ['empty lines are no events', '\na\n\n\r\nb\r\n\r', ['a', 'b']],
    ['CR within a line is part of it', 'a\rb\n', ['a\rb']],
    ['UTF-8', 'é€😀\n😀', ['é€😀', '😀']],
    ['nothing', '', []],
  ];
  for (const [fact, stream, expected] of LINES)
    it(`${fact}, wherever the stream is cut`, () => {
      for (const kind of ['lines', 'ndjson'])
        for (const pieces of cuts(stream)) {
          expect(parsed(kind, pieces).events.map(({ data }) => data)).to.deep.equal(expected);
          expect(parsed(kind, pieces, { keeps: false }).events).to.have.lengthOf(expected.length);
        }
    });
});

describe('text/streams: chunks', () => {
  it('every piece that has bytes is an event', () => {
    const { events } = parsed('chunks', ['a', '', 'bc'].map(bytesOf));
    expect(events.map(({ data }) => data)).to.deep.equal(['a', 'bc']);
  });
});

describe('text/streams: limits', () => {
  const TOO_LARGE = /an event of the stream is larger than 1000 bytes; raise maxBodySize/;
  const piece = Buffer.alloc(100, 'x');
  for (const [kind, beginning] of [
    ['sse', 'data: '],
    ['sse', 'event: '],
    ['sse', 'id: '],
    ['lines', ''],
    ['ndjson', ''],
  ])
    for (const keeps of [true, false])
      it(`${kind}: ${beginning || 'a line'} without an end is an error, ${keeps ? 'kept' : 'counted'}`, () => {
        const pieces = [bytesOf(beginning), ...Array(11).fill(piece)];
        expect(() => parsed(kind, pieces, { keeps })).to.throw(TOO_LARGE);
      });

  it('an event of many lines is an error', () => {
    expect(() => inOne('sse', 'data: 12345\n'.repeat(200))).to.throw(TOO_LARGE);
  });

  it('comments and unknown fields have no limit, and no memory', () => {
    const { events } = parsed('sse', [
      bytesOf(': '),
      ...Array(100).fill(piece),
      bytesOf('\nx: '),
      ...Array(100).fill(piece),
      bytesOf('\ndata: a\n\n'),
    ]);
    expect(events).to.deep.equal([event('a')]);
  });

  it('events that arrive in pieces use the memory of bodies, and one after another the same', () => {
    const memory = new BodyMemory(10_000);
    const account = memory.open();
    const parser = createEventParser('lines', { onEvent() {}, keeps: true, maxEventBytes: 5000, account });
    for (let i = 0; i < 1000; i++) {
      parser.feed(Buffer.alloc(1000, 'x'), 0, 1000);
      parser.feed(Buffer.from('x\n'), 0, 2);
    }
    expect(account.isUsed).to.equal(true);
    const other = createEventParser('lines', {
      onEvent() {},
      keeps: true,
      maxEventBytes: 50_000,
      account: memory.open(),
    });
    expect(() => {
      for (let i = 0; i < 20; i++) other.feed(Buffer.alloc(1000, 'x'), 0, 1000);
    }).to.throw(/limit of 10000 bytes/);
    parser.release();
    other.release();
  });
});

describe('text/streams: kinds', () => {
  for (const [type, kind] of [
    ['text/event-stream', 'sse'],
    ['Text/Event-Stream; charset=utf-8', 'sse'],
    ['application/x-ndjson', 'ndjson'],
    ['application/ndjson; charset=utf-8', 'ndjson'],
    ['application/jsonl', 'ndjson'],
    ['application/stream+json', 'ndjson'],
    ['text/plain; charset=utf-8', 'lines'],
    ['application/json', 'chunks'],
    ['', 'chunks'],
  ])
    it(`${type || 'no content type'} is a stream of ${kind}`, () => expect(kindOfContent(type)).to.equal(kind));
});

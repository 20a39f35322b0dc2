import { expect } from 'chai';

import { HeadMemo } from '../../../../lib/core/transport/wire/head-memo.js';
import { ResponseParser } from '../../../../lib/core/transport/wire/parser.js';
import { parse } from '../../../support/parse.js';
import { RESPONSES } from '../../../support/responses.js';
import { scaled } from '../../../support/scale.js';

const bytesOf = (text) => Buffer.from(text, 'latin1');
const halves = (bytes, at) => [bytes.subarray(0, at), bytes.subarray(at)];

describe('transport/wire/parser', () => {
  for (const row of RESPONSES) {
    const { what, say, status, headers, body = 'ok', reuse = true, code } = row;

    it(`${code ? 'refuses' : 'reads'} ${what}, split into any pieces`, () => {
      const bytes = bytesOf(say);
      const whole = parse([bytes], row);
      if (code) {
        expect(whole).to.have.keys('code');
        if (code !== true) expect(whole.code).to.equal(code);
      } else {
        expect(whole).to.include({ status, body, reuse });
        if (headers) expect(whole.headers).to.deep.include(headers);
      }
      const step = bytes.length < 400 ? 1 : Math.ceil(bytes.length / scaled(50, 400));
      for (let at = 1; at < bytes.length; at += step)
        expect(parse(halves(bytes, at), row), `split at ${at}`).to.deep.equal(whole);
      if (bytes.length < 2000)
        expect(
          parse(
            Array.from(bytes, (octet) => Buffer.from([octet])),
            row,
          ),
          'byte by byte',
        ).to.deep.equal(whole);
    });
  }

  it('a response is plain if its status is 2xx and it has neither cookies nor a coding', () => {
    const isPlain = (status, field) => {
      const parser = new ResponseParser();
      const bytes = bytesOf(`HTTP/1.1 ${status} x\r\n${field}content-length: 0\r\n\r\n`);
      parser.begin({ method: 'GET', head: false, body: false, maxBodySize: 0 });
      parser.feed(bytes, 0, bytes.length);
      return parser.head.isPlain;
    };
    expect([200, 204, 299].map((status) => isPlain(status, ''))).to.deep.equal([true, true, true]);
    expect([302, 401, 500].map((status) => isPlain(status, ''))).to.deep.equal([false, false, false]);
    for (const field of ['Set-Cookie: a=b\r\n', 'CONTENT-ENCODING: gzip\r\n'])
      expect(isPlain(200, field)).to.equal(false);
  });

  for (const [line, shown] of [
    ['Location: http://bob:hunter2hunter2hunter2@h/\x01\r\n', 'Location: http://***@h/\\x01'],
    ['X-Api-Key: abc123\n', 'X-Api-Key: ***, which does not end with CR LF'],
    ['a b http://bob:hunter2hunter2hunter2@h/\r\n', 'a b http://***@h/'],
  ])
    it(`hides the secret of a malformed field before it shows ${shown}`, () => {
      const parser = new ResponseParser();
      const bytes = bytesOf(`HTTP/1.1 200 OK\r\n${line}`);
      parser.begin({ method: 'GET', head: false, body: false, maxBodySize: 0 });
      expect(() => parser.feed(bytes, 0, bytes.length)).to.throw(`malformed header field: ${shown}`);
    });

  it('refuses an empty line before the first head, even if an earlier head followed an interim response', () => {
    const memo = new HeadMemo();
    const rest = '\r\nHTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok';
    for (let i = 0; i < 40; i++)
      expect(parse([bytesOf(`HTTP/1.1 103 Early Hints\r\n\r\n${rest}`)], { memo })).to.include({ status: 200 });
    expect(parse([bytesOf(rest)], { memo })).to.deep.equal({ code: 'E_STATUS_LINE' });
  });

  it('counts the fields of a known head together with the trailers', () => {
    const memo = new HeadMemo();
    const bytes = bytesOf('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\na: b\r\nc: d\r\n\r\n');
    for (let i = 0; i < 40; i++) {
      const parser = new ResponseParser({ memo, maxFields: 2 });
      parser.begin({ method: 'GET', head: false, body: false, maxBodySize: 0 });
      expect(() => parser.feed(bytes, 0, bytes.length)).to.throw('more than 2 header fields');
    }
  });

  it('reads a body in chunks of all sizes, from pieces of all sizes', () => {
    const body = Array.from({ length: 300 }, (_, i) => String.fromCharCode(i % 256)).join('');
    for (let size = 1; size <= 300; size += 7) {
      let text = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n';
      for (let at = 0; at < body.length; at += size)
        text += `${Math.min(size, body.length - at).toString(16)}\r\n${body.slice(at, at + size)}\r\n`;
      const bytes = bytesOf(`${text}0\r\n\r\n`);
      for (const piece of [1, 2, 3, 5, 64, 1000]) {
        const pieces = [];
        for (let at = 0; at < bytes.length; at += piece) pieces.push(bytes.subarray(at, at + piece));
        expect(parse(pieces)).to.include({ status: 200, body, reuse: true });
      }
    }
  });

  it('keeps a body up to maxBodySize', () => {
    const bytes = bytesOf('HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n12345');
    expect(parse([bytes], { maxBodySize: 5 }).body).to.equal('12345');
    expect(parse([bytes], { maxBodySize: 4 })).to.deep.equal({ code: 'E_BODY_TOO_LARGE' });
  });

  it('counts a body that is not needed, and keeps neither body nor head', () => {
    const parser = new ResponseParser();
    for (let i = 0; i < 40; i++) {
      parser.begin({ method: 'GET', head: false, body: false, maxBodySize: 1 });
      const bytes = bytesOf(`HTTP/1.1 200 OK\r\nx: ${i}\r\nContent-Length: 5\r\n\r\n12345`);
      parser.feed(bytes, 0, bytes.length);
      expect(parser).to.include({ isDone: true, bodyBytes: 5 });
      expect(parser.takeBody()).to.equal(null);
      expect(parser.head.text === null || i % 16 === 0, 'only what the memo keeps').to.equal(true);
    }
  });

  it('a kept beginning of a body is of this response alone', () => {
    const parser = new ResponseParser();
    const bodyOf = (method, bytes) => {
      parser.begin({ method, head: false, body: false, maxBodySize: 1, receiver: { readsExcerpt: () => true } });
      parser.feed(bytes, 0, bytes.length);
      return parser.takeExcerpt()?.latin1Slice() ?? null;
    };
    const error = bytesOf('HTTP/1.1 500 No\r\nContent-Length: 5\r\n\r\nerror');
    expect(bodyOf('GET', error)).to.equal('error');
    expect(bodyOf('HEAD', error.subarray(0, -5)) ?? '').to.equal('');
    bodyOf('GET', error.subarray(0, -1));
    parser.drop();
    expect(bodyOf('GET', bytesOf('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok'))).to.equal(null);
    for (const piece of [1, 2, 3]) {
      parser.begin({ method: 'GET', head: false, body: false, maxBodySize: 1, receiver: { readsExcerpt: () => true } });
      for (let at = 0; at < error.length; at += piece) parser.feed(error, at, Math.min(error.length, at + piece));
      expect(parser.takeExcerpt().latin1Slice()).to.equal('error');
    }
  });

  it('a response cut by a reset is incomplete, even if it would end with the connection', () => {
    const parser = new ResponseParser();
    parser.begin({ method: 'GET', head: false, body: false, maxBodySize: 1 });
    const bytes = bytesOf('HTTP/1.1 200 OK\r\n\r\nok');
    parser.feed(bytes, 0, bytes.length);
    expect(parser.end('reset')).to.equal('E_BODY_SHORT');
    expect(parser.end('closed')).to.equal(null);
  });

  it('a known head is read like the first one, for every kind of response', () => {
    const memo = new HeadMemo();
    for (let round = 0; round < scaled(20, 40); round++) {
      for (const row of RESPONSES) {
        if (row.say.length > 2000) continue;
        expect(parse([bytesOf(row.say)], { ...row, memo }), row.what).to.deep.equal(parse([bytesOf(row.say)], row));
      }
    }
  });

  it('a head in several pieces is not mistaken for one that begins at the second piece', () => {
    const memo = new HeadMemo();
    const bytes = bytesOf('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok');
    for (let at = 1; at < bytes.length; at++) for (let i = 0; i < 20; i++) parse(halves(bytes, at), { memo });
    for (let at = 1; at < 38; at++)
      expect(parse([bytes.subarray(at)], { memo, closes: true })).to.deep.equal({ code: 'E_STATUS_LINE' });
  });
});

import { expect } from 'chai';

import { ParserPool } from '../../../../lib/core/transport/wire/index.js';

const expected = { method: 'GET', head: true, body: true, maxBodySize: 100 };
const feed = (parser, text) => parser.feed(Buffer.from(text, 'latin1'), 0, text.length);

describe('parsers that are used again', () => {
  it('lends one parser to responses that arrive one after the other, and several to those that arrive together', () => {
    const pool = new ParserPool({});
    const first = pool.borrow(expected);
    const second = pool.borrow(expected);
    expect(second).to.not.equal(first);
    pool.release(first);
    expect(pool.borrow(expected)).to.equal(first);
  });

  it('a parser that comes back in the middle of a response begins the next one anew', () => {
    const pool = new ParserPool({});
    const parser = pool.borrow(expected);
    feed(parser, 'HTTP/1.1 200 OK\r\ncontent-length: 9\r\nx-a: 1\r\n\r\npart');
    pool.release(parser);
    const again = pool.borrow(expected);
    feed(again, 'HTTP/1.1 404 No\r\ncontent-length: 2\r\n\r\nab');
    expect([
      again.isDone,
      again.head.statusCode,
      again.head.fields().toObject(),
      String(again.takeBody()),
    ]).to.deep.equal([true, 404, { 'content-length': '2' }, 'ab']);
  });
});

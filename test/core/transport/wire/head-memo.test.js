import { expect } from 'chai';

import { HeadMemo } from '../../../../lib/core/transport/wire/head-memo.js';

const bytesOf = (date) => Buffer.from(`HTTP/1.1 200 OK\r\nDate: ${date}\r\n\r\n`);

describe('transport/wire/head-memo', () => {
  it('finds a kept head at any position, and only if all of its bytes are equal', () => {
    const memo = new HeadMemo();
    memo.keep(bytesOf('1'), 'head 1');
    const stream = Buffer.concat([Buffer.from('xx'), bytesOf('1'), Buffer.from('body')]);
    expect(memo.find(stream, 2, stream.length)?.head).to.equal('head 1');
    expect(memo.find(stream, 2, bytesOf('1').length + 1), 'a part of the head').to.equal(null);
    expect(memo.find(bytesOf('2'), 0, bytesOf('2').length), 'another Date').to.equal(null);
  });

  it('finds a head of any length wherever its buffer begins, and none that differs in any byte', () => {
    for (const length of [0, 1, 2, 3, 4, 5, 6, 7, 40]) {
      const memo = new HeadMemo();
      const head = bytesOf('x'.repeat(length));
      memo.keep(head, 'head');
      for (const offset of [0, 1, 4, 7]) {
        const view = Buffer.from(new Uint8Array(offset + head.length).buffer, offset);
        head.copy(view);
        expect(memo.find(view, 0, view.length)?.head, `${length} at ${offset}`).to.equal('head');
        for (let i = 0; i < view.length; i++) {
          view[i] ^= 0x20;
          expect(memo.find(view, 0, view.length), `${length} at ${offset}, another byte ${i}`).to.equal(null);
          view[i] ^= 0x20;
        }
      }
    }
  });

  it('leaves a head to the parser whose bytes are no number as a word', () => {
    const memo = new HeadMemo();
    const head = bytesOf('x'.repeat(16)).fill('\xff', 23, 39, 'latin1');
    memo.keep(head, 'head');
    expect(memo.find(Buffer.from(head), 0, head.length)).to.equal(null);
  });

  for (const [title, { text, statusCode, framing }, expected] of [
    ['a known head and all of its body', { text: 'abc', statusCode: 200, framing: 3 }, true],
    ['a head without a body', { text: '', statusCode: 201, framing: 0 }, true],
    ['a part of the body', { text: 'ab', statusCode: 200, framing: 3 }, false],
    ['bytes after the body', { text: 'abcd', statusCode: 200, framing: 3 }, false],
    ['an error, whose body may be kept', { text: 'abc', statusCode: 404, framing: 3 }, false],
    ['a status that has no body', { text: 'abc', statusCode: 204, framing: 3 }, false],
    ['chunks', { text: 'abc', statusCode: 200, framing: 'chunked' }, false],
    ['a body that the end of the connection ends', { text: 'abc', statusCode: 200, framing: 'close' }, false],
  ])
    it(`a response needs ${expected ? 'no' : 'a'} parser: ${title}`, () => {
      const memo = new HeadMemo();
      const head = { statusCode, framing };
      memo.keep(bytesOf('1'), head);
      const bytes = Buffer.concat([bytesOf('1'), Buffer.from(text)]);
      expect(memo.findWhole(bytes, bytes.length)).to.equal(expected ? head : null);
      expect(memo.findWhole(bytes, 5), 'a part of the head').to.equal(null);
    });

  it('keeps the last four heads', () => {
    const memo = new HeadMemo();
    for (const date of ['1', '2', '3', '4', '5']) memo.keep(bytesOf(date), date);
    const found = ['1', '2', '3', '4', '5'].map((date) => memo.find(bytesOf(date), 0, bytesOf(date).length)?.head);
    expect(found).to.deep.equal([undefined, '2', '3', '4', '5']);
  });

  it('keeps one in 16 unknown heads, the first of them', () => {
    const memo = new HeadMemo();
    const kept = Array.from({ length: 33 }, () => memo.shouldKeep()).flatMap((isKept, i) => (isKept ? [i] : []));
    expect(kept).to.deep.equal([0, 16, 32]);
  });
});

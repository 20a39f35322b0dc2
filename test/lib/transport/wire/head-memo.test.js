import { expect } from 'chai';

import { HeadMemo } from '../../../../lib/transport/wire/head-memo.js';

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
    for (const length of [0, 1, 2, 3, 4]) {
      const memo = new HeadMemo();
      const head = bytesOf('x'.repeat(length));
      memo.keep(head, 'head');
      for (const offset of [0, 1, 2, 3]) {
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

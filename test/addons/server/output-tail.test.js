import { expect } from 'chai';

import { OutputTail } from '../../../lib/addons/server/output-tail.js';

describe('the last output of a program', () => {
  it('the last lines are kept, those without text at the end are not', () => {
    const tail = new OutputTail();
    for (const text of ['one\ntw', 'o\r\nthree\n', '\n\n']) tail.add(Buffer.from(text));
    expect(tail.lines(2)).to.deep.equal(['two', 'three']);
    expect(tail.lines(10)).to.deep.equal(['one', 'two', 'three']);
  });

  it('a program that wrote nothing, or line breaks alone, has no lines', () => {
    const tail = new OutputTail();
    expect(tail.lines(10)).to.deep.equal([]);
    tail.add(Buffer.from('\n \n'));
    expect(tail.lines(10)).to.deep.equal([]);
  });

  it('of a gigabyte, 64 KiB are kept, beginning with a whole line', () => {
    const tail = new OutputTail();
    const chunk = Buffer.from(`${'x'.repeat(999)}\n`.repeat(64));
    for (let bytes = 0; bytes < 1e9; bytes += chunk.length) tail.add(chunk);
    tail.add(Buffer.from('last'));
    const lines = tail.lines(Infinity);
    expect(lines.at(-1)).to.equal('last');
    expect(lines.slice(0, -1).every((line) => line.length === 999)).to.equal(true);
    expect(lines).to.have.lengthOf.within(64, 66);
  });

  it('one long line without an end is kept in part', () => {
    const tail = new OutputTail();
    tail.add(Buffer.from('x'.repeat(200_000)));
    expect(tail.lines(1)[0]).to.have.lengthOf(65_536);
  });
});

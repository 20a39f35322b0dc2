import { expect } from 'chai';

import { BodyMemory, JoinedBytes, bodyMemoryInUse } from '../../../lib/core/process/body-memory.js';

const ENOUGH = 1e9;

describe('joined-bytes', () => {
  const join = (pieces, joined = new JoinedBytes()) => {
    for (const piece of pieces) joined.add(Buffer.from(piece), 0, piece.length, ENOUGH);
    return joined;
  };

  it('joins pieces of any size, and is empty afterwards', () => {
    const joined = join(['a', 'bcd', '', 'efghijklm']);
    expect(String(joined.take())).to.equal('abcdefghijklm');
    expect(String(joined.take())).to.equal('');
    expect(String(join(['x'], joined).take())).to.equal('x');
  });

  it('copies a part of a Buffer that is reused', () => {
    const shared = Buffer.from('0123');
    const joined = new JoinedBytes();
    joined.add(shared, 1, 3, ENOUGH);
    shared.fill('x');
    expect(String(joined.take())).to.equal('12');
  });

  it('keeps a body in pieces of one byte in little more memory than its length', () => {
    const before = bodyMemoryInUse();
    const account = new BodyMemory(ENOUGH).open();
    const joined = new JoinedBytes(account);
    const byte = Buffer.from('x');
    for (let i = 0; i < 100_001; i++) joined.add(byte, 0, 1, ENOUGH);
    expect(bodyMemoryInUse() - before).to.be.within(100_001, 2 * 100_001);
    const whole = joined.take();
    expect(whole).to.have.lengthOf(100_001);
    expect(whole.buffer.byteLength).to.be.below(120_000);
    expect(bodyMemoryInUse() - before).to.be.within(100_001, 120_000);
    account.close();
    expect(bodyMemoryInUse()).to.equal(before);
  });

  it('allocates no more than the maximum', () => {
    const joined = new JoinedBytes();
    const piece = Buffer.alloc(60_000);
    joined.add(piece, 0, 60_000, 65_000);
    joined.add(piece, 0, 5_000, 65_000);
    expect(joined.take().buffer.byteLength).to.equal(65_000);
  });

  it('releases the memory of dropped bytes', () => {
    const before = bodyMemoryInUse();
    const account = new BodyMemory(ENOUGH).open();
    const joined = join(['x'.repeat(5000)], new JoinedBytes(account));
    joined.drop();
    joined.drop();
    expect(bodyMemoryInUse()).to.equal(before);
  });
});

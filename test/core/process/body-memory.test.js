import { expect } from 'chai';

import { BodyMemory, JoinedBytes, bodyMemoryInUse, countersOf } from '../../../lib/core/process/body-memory.js';

const KIB = 1024;

describe('body-memory', () => {
  let memory;
  let before;
  beforeEach(() => {
    memory = new BodyMemory(10 * KIB);
    before = bodyMemoryInUse();
  });
  const inUse = () => bodyMemoryInUse() - before;
  const codeOf = (act) => {
    try {
      act();
      return 'none';
    } catch ({ code }) {
      return code;
    }
  };

  it('counts bytes per account, rounded up to KiB', () => {
    const [one, other] = [memory.open(), memory.open()];
    one.reserve(1);
    one.reserve(1023);
    other.reserve(1);
    expect(inUse()).to.equal(2 * KIB);
    one.reserve(1);
    expect(inUse()).to.equal(3 * KIB);
    one.free(1);
    expect(inUse()).to.equal(2 * KIB);
    one.release();
    other.release();
    expect(inUse()).to.equal(0);
  });

  it('reserves nothing if the whole size does not fit', () => {
    const [one, other] = [memory.open(), memory.open()];
    one.reserve(6 * KIB);
    expect(codeOf(() => other.reserve(5 * KIB))).to.equal('E_BODY_MEMORY');
    expect(inUse()).to.equal(6 * KIB);
    other.reserve(4 * KIB);
    one.release();
    other.release();
    expect(inUse()).to.equal(0);
  });

  it('releases memory once, however often an account is released or closed', () => {
    const account = memory.open();
    account.reserve(5 * KIB);
    account.release();
    account.release();
    account.reserve(KIB);
    account.close();
    account.close();
    account.reserve(KIB);
    account.free(KIB);
    expect(inUse()).to.equal(0);
  });

  it('counts as many bytes as joined pieces have, of which some stay unused', () => {
    const account = memory.open();
    const joined = new JoinedBytes(account);
    joined.add(Buffer.alloc(4 * KIB), 0, 4 * KIB, 9 * KIB);
    joined.add(Buffer.alloc(4 * KIB), 0, 3.5 * KIB, 9 * KIB);
    account.free(joined.take().length);
    expect(inUse()).to.equal(0);
  });

  it('is shared by threads and runs', () => {
    const counters = countersOf(2);
    const [first, second] = [0, 1].map((part) => new BodyMemory(10 * KIB, counters, part).open());
    const ofAnotherRun = memory.open();
    first.reserve(4 * KIB);
    second.reserve(4 * KIB);
    expect(codeOf(() => ofAnotherRun.reserve(3 * KIB))).to.equal('E_BODY_MEMORY');
    first.release();
    second.release();
    expect(inUse()).to.equal(0);
  });

  it('releases the memory of a lost thread once', () => {
    const counters = countersOf(2);
    const main = new BodyMemory(10 * KIB, counters);
    new BodyMemory(10 * KIB, counters, 1).open().reserve(4 * KIB);
    main.freeThread(1);
    main.freeThread(1);
    expect(inUse()).to.equal(0);
  });
});

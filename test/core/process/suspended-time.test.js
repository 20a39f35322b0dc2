import { expect } from 'chai';

import { SuspendedTime } from '../../../lib/core/process/stops.js';

describe('suspended-time', () => {
  it('a late timer of a thread that neither ran nor waited for a CPU is a suspension', () => {
    const time = new SuspendedTime();
    expect(time.find(3000, 10)).to.equal(2990);
    expect(time.find(3000, 2900)).to.equal(0);
    expect(time.find(500, 0)).to.equal(0);
  });

  it('three of them count: hooks that block in system calls look the same', () => {
    const time = new SuspendedTime();
    expect([1, 2, 3, 4, 5].map(() => time.find(1000, 0))).to.deep.equal([1000, 1000, 1000, 0, 0]);
  });
});

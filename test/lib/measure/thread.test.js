import { expect } from 'chai';

import { addThreads, watchThread } from '../../../lib/measure/thread.js';

const turn = () => new Promise((resolve) => setTimeout(resolve, 1));

describe('measure/thread', () => {
  it('one that computes is busy, and used the CPU for it; afterwards nothing changes', async () => {
    const thread = watchThread();
    await turn();
    thread.begin();
    const end = performance.now() + 100;
    while (performance.now() < end);
    await turn();
    thread.end();
    const { utilization, cpu } = thread.toJSON();
    expect(utilization).to.be.above(0.5);
    expect(cpu).to.be.within(20, 2000);
    await turn();
    expect(thread.toJSON()).to.deep.equal(thread.toJSON());
  });

  it('of several the busiest counts, and the sum of what they used', () => {
    const one = { utilization: 0.9, delay: { mean: 1, p99: 5, max: 9 }, cpu: 100, gc: 1 };
    const other = { utilization: 0.2, delay: { mean: 2, p99: 3, max: 4 }, cpu: 50, gc: 2 };
    expect(addThreads([one, other])).to.deep.equal({
      utilization: 0.9,
      delay: { mean: 2, p99: 5, max: 9 },
      cpu: 150,
      gc: 3,
    });
    expect(addThreads([])).to.deep.equal({ utilization: 0, delay: { mean: 0, p99: 0, max: 0 }, cpu: 0, gc: 0 });
  });
});

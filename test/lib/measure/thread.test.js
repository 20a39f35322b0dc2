import { expect } from 'chai';

import { addSenders, addThreads, watchThread } from '../../../lib/measure/thread.js';

const turn = () => new Promise((resolve) => setTimeout(resolve, 1));

describe('measure/thread', () => {
  it('a thread that computes is busy and uses CPU; after end() its figures do not change', async () => {
    const thread = watchThread();
    await turn();
    thread.begin();
    // ends by the limit of mocha if the CPU of this thread is never counted
    while (thread.toJSON().cpu < 20);
    const { utilization } = thread.toJSON();
    thread.end();
    const ended = structuredClone(thread.toJSON());
    expect(utilization, 'it did nothing but compute').to.be.above(0.99);
    expect(ended.utilization).to.be.above(0.99);
    expect(ended.cpu).to.be.at.least(20);
    await turn();
    expect(thread.toJSON()).to.deep.equal(ended);
  });

  it('several threads have the utilization of the busiest and the sum of their CPU time', () => {
    const one = { utilization: 0.9, delay: { mean: 1, p99: 5, max: 9 }, cpu: 100, gc: 1 };
    const other = { utilization: 0.2, delay: { mean: 2, p99: 3, max: 4 }, cpu: 50, gc: 2 };
    expect(addThreads([one, other])).to.deep.equal({
      utilization: 0.9,
      delay: { mean: 2, p99: 5, max: 9 },
      cpu: 150,
      gc: 3,
    });
    const senders = [
      { ...one, standstill: { longest: 700, spared: 1 } },
      { ...other, standstill: { longest: 30, spared: 2 } },
      other,
    ];
    expect(addSenders(senders).standstill, 'an earlier version has none').to.deep.equal({ longest: 700, spared: 3 });
    expect(addThreads([])).to.deep.equal({ utilization: 0, delay: { mean: 0, p99: 0, max: 0 }, cpu: 0, gc: 0 });
  });
});

import { expect } from 'chai';

import { addSenders, addThreads, ThreadWatch } from '../../../lib/core/measure/thread.js';
import { noStops } from '../../support/no-stops.js';
import { until } from '../../support/until.js';

const turn = () => new Promise((resolve) => setTimeout(resolve, 1));

describe('measure/thread', () => {
  it('a thread that computes is busy and uses CPU; after end() its figures do not change', async () => {
    const thread = new ThreadWatch();
    await turn();
    thread.begin();
    // ends by the limit of mocha if the CPU of this thread is never counted
    while (thread.toJSON().cpuTime < 20);
    const { eventLoopUtilization } = thread.toJSON();
    thread.end();
    const ended = structuredClone(thread.toJSON());
    expect(eventLoopUtilization, 'it did nothing but compute').to.be.above(0.99);
    expect(ended.eventLoopUtilization).to.be.above(0.99);
    expect(ended.cpuTime).to.be.at.least(20);
    await turn();
    expect(thread.toJSON()).to.deep.equal(ended);
  });

  it('the work of a thread before it began is not counted', () => {
    const thread = new ThreadWatch();
    while (thread.toJSON().cpuTime < 50);
    thread.begin();
    expect(thread.toJSON().cpuTime).to.be.below(50);
    thread.end();
  });

  it('delays of the event loop are in ms', async () => {
    const thread = new ThreadWatch();
    thread.begin();
    while (thread.toJSON().cpuTime < 50);
    await until(() => thread.toJSON().eventLoopDelay.max > 0);
    const { mean, max } = thread.toJSON().eventLoopDelay;
    thread.end();
    expect(max).to.be.within(mean, 60_000);
  });

  it('several threads have the utilization of the busiest and the sum of their CPU time', () => {
    const one = { eventLoopUtilization: 0.9, eventLoopDelay: { mean: 1, p99: 5, max: 9 }, cpuTime: 100, gcTime: 1 };
    const other = { eventLoopUtilization: 0.2, eventLoopDelay: { mean: 2, p99: 3, max: 4 }, cpuTime: 50, gcTime: 2 };
    expect(addThreads([one, other])).to.deep.equal({
      eventLoopUtilization: 0.9,
      eventLoopDelay: { mean: 2, p99: 5, max: 9 },
      cpuTime: 150,
      gcTime: 3,
    });
    const senders = [
      { ...one, stall: { longest: 700, extendedTimeouts: 1 }, stops: noStops() },
      { ...other, stall: { longest: 30, extendedTimeouts: 2 }, stops: noStops() },
    ];
    expect(addSenders(senders).stall).to.deep.equal({
      longest: 700,
      extendedTimeouts: 3,
    });
    expect(addThreads([])).to.deep.equal({
      eventLoopUtilization: 0,
      eventLoopDelay: { mean: 0, p99: 0, max: 0 },
      cpuTime: 0,
      gcTime: 0,
    });
  });
});

import { expect } from 'chai';

import { STOPS, addStops, countStop, noStop } from '../../../lib/core/process/stops.js';

describe('times in which a thread stopped', () => {
  it('of several threads add up, and the longest one stays the longest', () => {
    const stopsOf = (...lengths) => {
      const stops = Object.fromEntries(STOPS.map((cause) => [cause, noStop()]));
      for (const ms of lengths) countStop(stops.blocked, ms);
      return stops;
    };
    const { blocked, gc } = addStops([stopsOf(10, 30), stopsOf(), stopsOf(20)]);
    expect(blocked).to.deep.equal({ count: 3, longest: 30, total: 60 });
    expect(gc).to.deep.equal(noStop());
  });

  it('one suspension of a process suspends all of its threads, and is counted once', () => {
    const threads = [310, 305, 308].map((ms) => {
      const stops = Object.fromEntries(STOPS.map((cause) => [cause, noStop()]));
      countStop(stops.suspended, ms);
      return stops;
    });
    expect(addStops(threads, { isOneProcess: true }).suspended).to.deep.equal({ count: 1, longest: 310, total: 923 });
    expect(addStops(threads).suspended.count, 'of several machines').to.equal(3);
  });
});

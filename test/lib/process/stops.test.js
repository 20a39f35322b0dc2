import { expect } from 'chai';

import { STOPS, addStops, countStop, noStop } from '../../../lib/process/stops.js';

describe('measure/stops', () => {
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
});

import { expect } from 'chai';

import { logScale, timeLabel, timeTicks } from '../../../../../lib/report/html/client/scales.js';

describe('report/html/client/scales', () => {
  it('equal factors have equal distances, and nothing leaves the axis', () => {
    const x = logScale(1, 100, 200);
    expect([1, 10, 100, 0.1, 0, 1e6].map((ms) => Math.round(x(ms)))).to.deep.equal([0, 100, 200, 0, 0, 200]);
  });

  it('ticks are round times', () => {
    expect(timeTicks(2, 50)).to.deep.equal([2, 5, 10, 20, 50]);
    expect(timeTicks(0.05, 0.5)).to.deep.equal([0.05, 0.1, 0.2, 0.5]);
    expect(timeTicks(0.001, 1000)).to.deep.equal([0.001, 0.01, 0.1, 1, 10, 100, 1000]);
  });

  it('labels have a unit', () => {
    expect([0.2, 5, 2000, 90_000].map(timeLabel)).to.deep.equal(['200 µs', '5 ms', '2 s', '90 s']);
  });
});

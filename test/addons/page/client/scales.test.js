import { expect } from 'chai';

import {
  changeScale,
  heatOpacity,
  logScale,
  silhouettePath,
  timeLabel,
  timeTicks,
} from '../../../../lib/addons/page/client/scales.js';

describe('scales of charts', () => {
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

  it('a time that rounds up to the next unit has that one', () => {
    expect([0.9996, 999.4, 999.6].map(timeLabel)).to.deep.equal(['1 ms', '999 ms', '1 s']);
  });

  it('a level of a heat map can be seen, and the fullest one is not opaque', () => {
    expect(heatOpacity(0.01)).to.be.above(0.1);
    expect(heatOpacity(1)).to.be.below(0.9);
  });

  it('a silhouette begins and ends at its base', () => {
    expect(silhouettePath([0.5, 1], { width: 20, base: 10, perShare: -10 })).to.equal('M0,10L5.0,5.0L15.0,0.0L20,10Z');
  });

  it('a scale of changes has no change in its middle, and equal factors at equal distances', () => {
    const { x, ticks } = changeScale([-0.5, 0.2]);
    expect(x(0)).to.equal(50);
    expect(x(1) - 50).to.be.closeTo(50 - x(-0.5), 1e-9);
    expect(ticks.map(({ label }) => label)).to.deep.equal(['-50 %', '0 %', '+100 %']);
    for (const { share } of ticks) expect(x(share)).to.be.within(0, 100);
  });

  it('a scale of tiny, huge or no changes stays readable', () => {
    for (const shares of [[], [0.0001], [-1, 1e6]]) {
      const { x, ticks } = changeScale(shares);
      for (const share of [...shares, -1, 1e9, ...ticks.map((tick) => tick.share)])
        expect(x(share)).to.be.within(0, 100);
      expect(ticks).to.have.lengthOf(3);
    }
  });
});

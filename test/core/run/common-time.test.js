import { expect } from 'chai';

import { fromCommonTime, toCommonTime } from '../../../lib/core/run/clock.js';

describe('the common time of threads', () => {
  it('an instant is the same after both conversions', () => {
    const now = performance.now();
    expect(fromCommonTime(toCommonTime(now))).to.be.closeTo(now, 0.001);
  });

  it('common time is that of the monotonic clock of the machine', () => {
    const before = Number(process.hrtime.bigint()) / 1e6;
    const common = toCommonTime(performance.now());
    const after = Number(process.hrtime.bigint()) / 1e6;
    // both clocks were read one after the other when the module was loaded
    expect(common).to.be.within(before - 1000, after + 1000);
  });
});

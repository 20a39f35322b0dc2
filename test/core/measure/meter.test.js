import { expect } from 'chai';

import { Meter, createTimer } from '../../../lib/core/measure/user-metrics.js';

describe('the meter of 1.2.4', () => {
  const finished = { mean: 5, count: 10, currentRate: 1, '1MinuteRate': 2, '5MinuteRate': 3, '15MinuteRate': 4 };
  const meters = [];
  const meter = () => {
    meters.push(new Meter());
    return meters.at(-1);
  };
  afterEach(() => meters.splice(0).forEach((one) => one.end()));

  it('events are marked at once, and none is not one', () => {
    const one = meter();
    one.markAll(3);
    one.markAll(0);
    expect(one.toJSON().count).to.equal(3);
  });

  it('the meters of finished runs are added up', () => {
    const one = meter();
    one.addFinished(finished);
    one.addFinished(finished);
    one.markAll(2);
    expect(one.toJSON()).to.include({ count: 22, '15MinuteRate': 8 });
    expect(one.toJSON().mean).to.be.at.least(10);
  });

  it('a timer updates its meter and its histogram', () => {
    const recorded = [];
    const timer = createTimer(meter(), {
      update: (ms) => recorded.push(ms),
      toJSON: () => ({ count: recorded.length }),
    });
    timer.update(5);
    expect(recorded).to.deep.equal([5]);
    expect(timer.toJSON().meter.count).to.equal(1);
    expect(timer.toJSON().histogram.count).to.equal(1);
  });
});

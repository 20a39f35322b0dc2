import { expect } from 'chai';

import { ControlWatch } from '../../../lib/shard/run-control.js';

const LIMITS = { missingMs: 1500, unreachableMs: 15_000, pollMs: 200 };

describe('shard/control-watch', () => {
  let time;
  let watch;
  beforeEach(() => {
    time = 0;
    watch = new ControlWatch(LIMITS, () => time);
  });
  /** The queue answers at these times. */
  const answer = (hasControl, times, tookMs = 1) =>
    times.forEach((at) => {
      time = at;
      watch.answered(hasControl, tookMs);
    });

  it('a control that is missing for some time has no coordinator', () => {
    answer(true, [100]);
    answer(false, [300, 500, 1800]);
    expect(watch.isMissing).to.equal(false);
    answer(false, [1801]);
    expect(watch.isMissing).to.equal(true);
  });

  it('one that comes back in time has', () => {
    answer(false, [300, 1500]);
    answer(true, [1700]);
    answer(false, [1900, 3300]);
    expect(watch.isMissing).to.equal(false);
  });

  it('A5 an answer that the queue gave late begins the time anew', () => {
    answer(true, [100]);
    time = 4100;
    watch.failed();
    // the queue was suspended: the control has expired, and its renewal comes after this answer
    answer(false, [6000], 1900);
    expect(watch.isMissing).to.equal(false);
    answer(false, [8000], 1900);
    expect(watch.isMissing).to.equal(false);
  });

  it('A5 time in which the queue does not answer is no time without a control', () => {
    answer(false, [300]);
    time = 10_000;
    watch.failed();
    answer(false, [10_100]);
    expect(watch.isMissing).to.equal(false);
    expect(watch.isCutOff).to.equal(false);
  });

  it('a queue that does not answer for long cuts a shard off', () => {
    answer(true, [100]);
    time = 15_100;
    watch.failed();
    expect(watch.isCutOff).to.equal(false);
    time = 15_101;
    expect(watch.isCutOff).to.equal(true);
  });
});

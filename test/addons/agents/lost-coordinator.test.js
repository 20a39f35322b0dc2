import { expect } from 'chai';

import { ControlWatch } from '../../../lib/addons/agents/run-control.js';

const TIMING = { missingMs: 1500, unreachableMs: 15_000, pollMs: 200, reportMs: 1000 };

describe('the loss of a coordinator', () => {
  /** The control is read each 200 ms, until `until`: `answer(at)` is what the queue answers. */
  const lostAfter = (until, answer) => {
    const watch = new ControlWatch(TIMING);
    for (let at = 0; at <= until; at += 200) watch.read(at, answer(at));
    return watch.lost;
  };

  it('a control that is missing for some time has no coordinator', () => {
    const answer = (at) => ({ hasControl: at <= 1000 });
    expect(lostAfter(2400, answer)).to.equal(null);
    expect(lostAfter(2600, answer)).to.equal('coordinator');
  });

  it('one that comes back in time has', () => {
    const answer = (at) => ({ hasControl: at === 1400 });
    expect(lostAfter(2800, answer)).to.equal(null);
    expect(lostAfter(3000, answer)).to.equal('coordinator');
  });

  it('A5 an answer that the queue gave late begins the time anew', () => {
    const answer = (at) => ({ hasControl: false, tookMs: at === 1400 ? 1900 : 1 });
    expect(lostAfter(2800, answer)).to.equal(null);
    expect(lostAfter(3000, answer)).to.equal('coordinator');
  });

  it('A5 time in which the queue does not answer is no time without a control', () => {
    const answer = (at) => ({ hasControl: false, hasAnswered: at > 10_000 });
    expect(lostAfter(11_400, answer)).to.equal(null);
    expect(lostAfter(11_600, answer)).to.equal('coordinator');
  });

  it('a queue that does not answer for long cuts a shard off', () => {
    const answer = (at) => ({ hasControl: at === 0, hasAnswered: at === 0 });
    expect(lostAfter(15_000, answer)).to.equal(null);
    expect(lostAfter(15_200, answer)).to.equal('queue');
  });
});

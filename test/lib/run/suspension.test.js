import { expect } from 'chai';

import { afterTime, afterTimeToAnswer } from '../../../lib/run/suspension.js';
import { withClock } from '../../support/clock.js';

describe('run/suspension', () => {
  const rows = [
    [0, { at: 1000, wasSuspended: false }, 'a timer on time'],
    [400, { at: 1000, wasSuspended: false }, 'a thread that was busy for 400 ms'],
    [1500, { at: 1500, wasSuspended: false }, 'a timer that is 500 ms late'],
    [3000, { at: 3000, wasSuspended: true }, 'a timer that is 2 s late'],
  ];
  for (const [standStillMs, expected, what] of rows) {
    it(`${what} means suspended: ${expected.wasSuspended}`, () =>
      withClock((clock) => {
        let called;
        afterTime((wasSuspended) => (called = { at: clock.now(), wasSuspended }), 1000);
        clock.standStill(standStillMs);
        clock.advance(5000);
        expect(called).to.deep.equal(expected);
      }));
  }

  /** The instants at which the time to answer, 1 s and after a suspension 300 ms, is over. */
  const endsAt = (story) =>
    withClock((clock) => {
      const instants = [];
      const cancel = afterTimeToAnswer(() => instants.push(clock.now()), 1000, 300);
      story(clock, cancel);
      clock.advance(60_000);
      return instants;
    });

  it('another thread has its time once', () => expect(endsAt(() => {})).to.deep.equal([1000]));

  it('an answer that was posted before the time is over is read first', () =>
    expect(endsAt((clock, cancel) => void clock.add(cancel, 1000))).to.deep.equal([]));

  it('after each suspension another thread has time again', () =>
    expect(
      endsAt((clock) => {
        clock.standStill(3000);
        clock.advance(100);
        clock.standStill(3000);
      }),
    ).to.deep.equal([6400]));

  it('a cancelled wait never ends, before and after a suspension', () => {
    expect(endsAt((_, cancel) => cancel())).to.deep.equal([]);
    expect(
      endsAt((clock, cancel) => {
        clock.standStill(3000);
        clock.advance(100);
        cancel();
      }),
    ).to.deep.equal([]);
  });
});

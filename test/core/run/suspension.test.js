import { expect } from 'chai';

import { afterRunnableTime, afterTimeToAnswer } from '../../../lib/core/run/clock.js';
import { withClock } from '../../support/clock.js';

describe('a process that was suspended', () => {
  /** The instants at which the time to answer, 1 s and after a suspension 300 ms, is over. */
  const endsAt = (story) =>
    withClock((clock) => {
      const instants = [];
      const cancel = afterTimeToAnswer(() => instants.push(clock.now()), 1000, 300);
      story(clock, cancel);
      clock.advance(60_000);
      return instants;
    });

  for (const [standStillMs, expected, what] of [
    [400, 1000, 'this thread was busy for 400 ms, another thread has its time once'],
    [1500, 1500, 'a timer is 500 ms late, another thread has its time once'],
    [3000, 3300, 'a timer is 2 s late, another thread has its time again'],
  ])
    it(`if ${what}`, () => expect(endsAt((clock) => clock.standStill(standStillMs))).to.deep.equal([expected]));

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

  /** When a wait of 2 s ends that begins at 0, of a thread that ran for `ran.ms` so far. */
  const runnableUntil = (story) =>
    withClock((clock) => {
      const ran = { ms: 0 };
      const instants = [];
      const cancel = afterRunnableTime(
        () => instants.push(clock.now()),
        2000,
        () => ran.ms,
      );
      story(clock, ran, cancel);
      clock.advance(60_000);
      return instants;
    });

  it('a wait of a thread that can run takes its time', () => expect(runnableUntil(() => {})).to.deep.equal([2000]));

  it('C44 a suspension is no part of a wait, and responses that have arrived can be read after it', () => {
    expect(
      runnableUntil((clock) => {
        clock.advance(1000);
        clock.standStill(10_000);
      }),
    ).to.deep.equal([12_000]);
    // in the last slice
    expect(
      runnableUntil((clock) => {
        clock.advance(1999);
        clock.standStill(10_000);
      }),
    ).to.deep.equal([12_249]);
  });

  it('the time of own work is part of a wait', () =>
    expect(
      runnableUntil((clock, ran) => {
        clock.standStill(10_000);
        ran.ms += 10_000;
      }),
    ).to.deep.equal([10_000]));

  it('N4 hooks that block in system calls, which look the same, prolong a wait three times', () =>
    expect(
      runnableUntil((clock) => {
        for (let i = 0; i < 10; i++) {
          clock.standStill(1000);
          clock.advance(0);
        }
      }),
    ).to.deep.equal([5000]));

  it('a wait that is cancelled in its middle never ends', () =>
    expect(
      runnableUntil((clock, _, cancel) => {
        clock.advance(700);
        cancel();
      }),
    ).to.deep.equal([]));
});

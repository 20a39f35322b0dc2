import { expect } from 'chai';

import { createEnding } from '../../../lib/run/ending.js';

/** A clock whose timers go off when told to. */
function handClock() {
  const timers = [];
  return {
    timers,
    now: () => 1000,
    after(fn, ms) {
      const timer = { fn, ms };
      timers.push(timer);
      return () => timers.splice(timers.indexOf(timer), 1);
    },
  };
}

const started = (more = {}) => {
  const clock = handClock();
  const cancelled = [];
  return {
    clock,
    cancelled,
    ending: createEnding({
      clock,
      gracefulStopMs: 30_000,
      teardownMs: 5000,
      cancel: (at) => cancelled.push(at),
      ...more,
    }),
  };
};

describe('run/ending', () => {
  it('is not over before somebody says so', () => {
    const { ending } = started();
    expect(ending).to.include({ isOver: false, why: null });
  });

  it('the first reason wins', () => {
    const { ending, clock } = started();
    ending.stop('SIGINT');
    ending.stop('aborted');
    expect(ending).to.include({ isOver: true, why: 'SIGINT' });
    expect(clock.timers).to.have.lengthOf(1);
  });

  it('cancels what still runs after the graceful stop; tear-down has its time from then on', () => {
    const { ending, clock, cancelled } = started();
    ending.stop('stopped');
    expect(clock.timers[0].ms).to.equal(30_000);
    expect(cancelled).to.deep.equal([]);
    clock.timers[0].fn();
    expect(cancelled).to.deep.equal([6000]);
  });

  it('a signal may be in more of a hurry than the graceful stop, never in less', () => {
    for (const [within, ms] of [
      [3000, 3000],
      [60_000, 30_000],
      [0, 0],
    ]) {
      const { ending, clock } = started();
      ending.stop('SIGTERM', { within });
      expect(clock.timers[0].ms).to.equal(ms);
    }
  });

  it('who leaves gives no time, to tear-down neither, whether it was stopped before or not', () => {
    for (const reason of ['SIGINT', null]) {
      const { ending, clock, cancelled } = started();
      const heard = [];
      ending.onOver((why) => heard.push(why));
      ending.onLeft(() => heard.push('left at once'));
      if (reason) ending.stop(reason);
      ending.leave();
      ending.leave();
      expect(ending).to.include({ isOver: true, isLeft: true, why: reason ?? 'left' });
      expect(heard).to.deep.equal([reason ?? 'left', 'left at once']);
      expect(cancelled).to.deep.equal([-Infinity]);
      expect(clock.timers).to.deep.equal([]);
    }
  });

  it('a run that is over cancels nothing any more', () => {
    const { ending, clock } = started();
    ending.stop('stopped');
    ending.close();
    ending.leave();
    expect(ending.isLeft).to.equal(false);
    expect(clock.timers).to.deep.equal([]);
  });
});

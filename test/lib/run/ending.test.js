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
  return { clock, cancelled, ending: createEnding({ clock, gracefulStopMs: 30_000, teardownMs: 5000, cancel: (at) => cancelled.push(at), ...more }) };
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
    for (const [within, ms] of [[3000, 3000], [60_000, 30_000], [0, 0]]) {
      const { ending, clock } = started();
      ending.stop('SIGTERM', { within });
      expect(clock.timers[0].ms).to.equal(ms);
    }
  });

  it('a run that is over cancels nothing any more', () => {
    const { ending, clock } = started();
    ending.stop('stopped');
    ending.close();
    expect(clock.timers).to.deep.equal([]);
  });
});

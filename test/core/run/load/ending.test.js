import { expect } from 'chai';

import { Ending } from '../../../../lib/core/run/load/ending.js';

/** A clock whose timers fire on demand. */
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
    ending: new Ending({
      clock,
      gracefulStopMs: 30_000,
      teardownMs: 5000,
      cancel: (at) => cancelled.push(at),
      ...more,
    }),
  };
};

describe('run/load/ending', () => {
  it('a run is not over before it is stopped', () => {
    const { ending } = started();
    expect(ending).to.include({ isOver: false, why: null });
  });

  it('the first reason for a stop wins', () => {
    const { ending, clock } = started();
    ending.stop('SIGINT');
    ending.stop('aborted');
    expect(ending).to.include({ isOver: true, why: 'SIGINT' });
    expect(clock.timers).to.have.lengthOf(1);
  });

  it('running iterations are cancelled after the graceful stop, and teardown has its time from then on', () => {
    const { ending, clock, cancelled } = started();
    ending.stop('stopped');
    expect(clock.timers[0].ms).to.equal(30_000);
    expect(cancelled).to.deep.equal([]);
    clock.timers[0].fn();
    expect(cancelled).to.deep.equal([6000]);
  });

  it('a run that ends as planned is cut short if its iterations take longer than the graceful stop', () => {
    const { ending, clock } = started();
    expect(ending.isCutShort).to.equal(false);
    ending.stop('completed');
    expect(ending.isCutShort).to.equal(false);
    clock.timers[0].fn();
    expect(ending.isCutShort).to.equal(true);
  });

  it('a run that is stopped or aborted is cut short', () => {
    const [stopped, aborted] = [started().ending, started().ending];
    stopped.stop('SIGINT');
    aborted.abort();
    expect([stopped.isCutShort, aborted.isCutShort]).to.deep.equal([true, true]);
  });

  it('a stop may shorten the graceful stop, but not extend it', () => {
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

  it('a later stop with less time shortens the graceful stop, once and for all listeners', () => {
    const { ending, clock, cancelled } = started();
    const heard = [];
    ending.onStop((why, { within }) => heard.push([why, within]));
    for (const [why, within] of [['completed'], ['SIGTERM', 3000], ['stopped'], ['server', 3000]])
      ending.stop(why, { within });
    expect(heard).to.deep.equal([
      ['completed', 30_000],
      ['SIGTERM', 3000],
    ]);
    expect(clock.timers.map(({ ms }) => ms)).to.deep.equal([3000]);
    expect(ending.why).to.equal('completed');
    clock.timers[0].fn();
    expect(cancelled).to.deep.equal([6000]);
    ending.stop('SIGTERM', { within: 0 });
    expect(cancelled).to.deep.equal([6000]);
  });

  it('a stop after all iterations have ended cancels nothing', () => {
    const { ending, clock } = started();
    ending.stop('completed');
    ending.drained();
    ending.stop('SIGTERM', { within: 0 });
    expect(clock.timers).to.deep.equal([]);
  });

  it('an abort cancels at once and leaves no time for teardown, after a stop and without one', () => {
    for (const reason of ['SIGINT', null]) {
      const { ending, clock, cancelled } = started();
      const heard = [];
      ending.onStop((why) => heard.push(why));
      ending.onAbort(() => heard.push('aborted'));
      if (reason) ending.stop(reason);
      ending.abort();
      ending.abort();
      expect(ending).to.include({ isOver: true, isAborted: true, why: reason ?? 'aborted' });
      expect(heard).to.deep.equal([reason ?? 'aborted', 'aborted']);
      expect(cancelled).to.deep.equal([-Infinity]);
      expect(clock.timers).to.deep.equal([]);
    }
  });

  it('a run with a planned end stops there, unless that is cancelled; others have none', () => {
    const { ending, clock } = started();
    ending.stopAt(Infinity)();
    ending.stopAt(1200)();
    expect(clock.timers).to.deep.equal([]);
    ending.stopAt(1200);
    expect(clock.timers[0].ms).to.equal(200);
    clock.timers[0].fn();
    expect(ending.why).to.equal('completed');
  });

  it('a closed run cancels nothing', () => {
    const { ending, clock } = started();
    ending.stop('stopped');
    ending.close();
    ending.abort();
    expect(ending.isAborted).to.equal(false);
    expect(clock.timers).to.deep.equal([]);
  });
});

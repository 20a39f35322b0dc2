import { expect } from 'chai';

import { Pacer } from '../../../../lib/run/load/pacer.js';

/** A clock that is moved by hand; its timers fire when they are due. */
function handClock() {
  let now = 0;
  let timers = [];
  return {
    now: () => now,
    after(fn, ms) {
      const timer = { fn, at: now + ms };
      timers.push(timer);
      return () => (timers = timers.filter((one) => one !== timer));
    },
    async moveTo(ms) {
      now = ms;
      const due = timers.filter(({ at }) => at <= ms);
      timers = timers.filter(({ at }) => at > ms);
      for (const { fn } of due) fn();
      await new Promise((resolve) => setImmediate(resolve));
    },
    get count() {
      return timers.length;
    },
  };
}

describe('run/load/pacer', () => {
  const waiting = (...instants) => {
    const clock = handClock();
    const pacer = new Pacer(clock);
    const woken = [];
    for (const at of instants) pacer.until(at).then(() => woken.push(at));
    return { clock, pacer, woken };
  };

  it('lanes are woken in order when their instants come, not before', async () => {
    const { clock, woken } = waiting(10, 10.5, 30);
    await clock.moveTo(9);
    expect(woken).to.deep.equal([]);
    await clock.moveTo(11);
    expect(woken).to.deep.equal([10, 10.5]);
    await clock.moveTo(30);
    expect(woken).to.deep.equal([10, 10.5, 30]);
  });

  it('one timer serves all waiting lanes, and none runs without them', async () => {
    const { clock } = waiting(10, 20, 30);
    expect(clock.count).to.equal(1);
    await clock.moveTo(15);
    expect(clock.count).to.equal(1);
    await clock.moveTo(30);
    expect(clock.count).to.equal(0);
  });

  it('wakeAll() wakes all lanes at once', async () => {
    const { clock, pacer, woken } = waiting(10, 1e9);
    pacer.wakeAll();
    await clock.moveTo(1);
    expect(woken).to.deep.equal([10, 1e9]);
    expect(clock.count).to.equal(0);
  });

  it('a timer that fires too early wakes no lane and is set again', async () => {
    const { clock, woken } = waiting(10.4);
    await clock.moveTo(10.3);
    expect(woken).to.deep.equal([]);
    await clock.moveTo(12);
    expect(woken).to.deep.equal([10.4]);
  });
});

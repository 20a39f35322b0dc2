import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

import { expect } from 'chai';

import { Pacer, timerAlarm } from '../../../../lib/core/run/load/pacer.js';
import fc from '../../../support/fast-check.js';
import { itSlow } from '../../../support/slow.js';

/** A clock that is moved by hand; its timers fire when they are due, and each turn of the event loop is requested. */
function handClock() {
  let now = 0;
  let timers = [];
  let reads = [];
  const settle = () => new Promise((resolve) => setImmediate(resolve));
  return {
    now: () => now,
    after(fn, ms) {
      const timer = { fn, at: now + ms };
      timers.push(timer);
      return () => (timers = timers.filter((one) => one !== timer));
    },
    afterReads(fn) {
      reads.push(fn);
      return () => (reads = reads.filter((one) => one !== fn));
    },
    async moveTo(ms) {
      now = ms;
      const due = timers.filter(({ at }) => at <= ms);
      timers = timers.filter(({ at }) => at > ms);
      for (const { fn } of due) fn();
      await settle();
    },
    /** one turn of the event loop, which ends at this time */
    async turnTo(ms) {
      now = ms;
      for (const fn of reads.splice(0)) fn();
      await settle();
    },
    get count() {
      return timers.length;
    },
    get polls() {
      return reads.length;
    },
  };
}

/** @returns {number} bytes */
function heapAfterCollection() {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')();
  return process.memoryUsage().heapUsed;
}

/** An alarm that is set this long before an instant, on the timers of the clock. */
const alarmBefore = (leadMs, clock) => ({ leadMs, set: (at, wake) => clock.after(wake, at - clock.now()) });

function waiting(instants, alarmOf = timerAlarm) {
  const clock = handClock();
  const pacer = new Pacer(clock, alarmOf(clock));
  const woken = [];
  for (const at of instants) pacer.until(at).then(() => woken.push(at));
  return { clock, pacer, woken };
}

describe('run/load/pacer', () => {
  it('lanes are woken in order when their instants come, not before', async () => {
    const { clock, woken } = waiting([10, 10.5, 30]);
    await clock.moveTo(9);
    expect(woken).to.deep.equal([]);
    await clock.moveTo(11);
    expect(woken).to.deep.equal([10, 10.5]);
    await clock.moveTo(30);
    expect(woken).to.deep.equal([10, 10.5, 30]);
  });

  it('one timer serves all waiting lanes, and none runs without them', async () => {
    const { clock } = waiting([10, 20, 30]);
    expect(clock.count).to.equal(1);
    await clock.moveTo(15);
    expect(clock.count).to.equal(1);
    await clock.moveTo(30);
    expect(clock.count).to.equal(0);
  });

  it('wakeAll() wakes all lanes at once', async () => {
    const { clock, pacer, woken } = waiting([10, 1e9]);
    pacer.wakeAll();
    await clock.moveTo(1);
    expect(woken).to.deep.equal([10, 1e9]);
    expect(clock.count).to.equal(0);
  });

  it('a timer that fires too early wakes no lane and is set again', async () => {
    const { clock, woken } = waiting([10.4]);
    await clock.moveTo(10.3);
    expect(woken).to.deep.equal([]);
    await clock.moveTo(12);
    expect(woken).to.deep.equal([10.4]);
  });

  it('an alarm wakes the event loop before the instant, and turns of the loop decide for the rest', async () => {
    const { clock, woken } = waiting([10], (clock) => alarmBefore(0.5, clock));
    expect(clock.polls).to.equal(0);
    await clock.moveTo(9.5);
    expect([clock.count, clock.polls]).to.deep.equal([0, 1]);
    await clock.turnTo(9.99);
    expect(woken).to.deep.equal([]);
    await clock.turnTo(10);
    expect(woken).to.deep.equal([10]);
    expect([clock.count, clock.polls]).to.deep.equal([0, 0]);
  });

  it('without an alarm every turn of the event loop looks at the clock', async () => {
    const { clock, woken } = waiting([10, 20], () => ({ leadMs: Infinity, set: () => expect.fail('no alarm') }));
    for (const at of [1, 5, 9]) await clock.turnTo(at);
    expect(woken).to.deep.equal([]);
    await clock.turnTo(10.1);
    expect(woken).to.deep.equal([10]);
    expect(clock.polls).to.equal(1);
  });

  /** A clock that moves on by 0.001 ms with each reading. */
  function tickingClock() {
    const clock = handClock();
    let [readings, added] = [0, 0];
    return {
      ...clock,
      now: () => clock.now() + (++readings - added) * 0.001,
      async turnTo(ms) {
        added = readings;
        await clock.turnTo(ms);
      },
      /** in one turn, which ends at this time */
      async readingsIn(ms) {
        const before = readings;
        await this.turnTo(ms);
        return readings - before;
      },
    };
  }

  it('a poll watches the clock after an empty turn, and reads it once after one that read sockets', async () => {
    const clock = tickingClock();
    const pacer = new Pacer(clock, alarmBefore(Infinity, clock));
    void pacer.until(100);
    await clock.turnTo(1);
    expect(await clock.readingsIn(1.002)).to.be.within(4, 20);
    expect(await clock.readingsIn(1.01)).to.be.within(4, 20);
    expect(await clock.readingsIn(3)).to.equal(1);
  });

  it('a poll that watches the clock wakes a lane in the same turn when its instant comes', async () => {
    const clock = tickingClock();
    const pacer = new Pacer(clock, alarmBefore(Infinity, clock));
    const woken = [];
    void pacer.until(1.0065).then(() => woken.push(clock.now()));
    await clock.turnTo(1);
    await clock.turnTo(1.002);
    expect(woken).to.have.lengthOf(1);
    expect(woken[0]).to.be.within(1.0065, 1.02);
  });

  it('the time in which a poll watches the clock counts as idle, and without a CPU not as polling', async () => {
    const clock = tickingClock();
    const pacer = new Pacer(clock, alarmBefore(Infinity, clock));
    void pacer.until(100);
    await clock.turnTo(1);
    await clock.turnTo(1.002);
    const { idleMs, pollMs } = pacer;
    expect(pollMs).to.be.above(0.004).and.equal(idleMs);
    const { now } = clock;
    let readings = 0;
    // It has no CPU for 4 ms after the first reading.
    clock.now = () => now() + (++readings > 1 ? 4 : 0);
    await clock.turnTo(1.01);
    expect(pacer.pollMs - pollMs).to.be.below(0.1);
    expect(pacer.idleMs - idleMs).to.be.within(4, 4.1);
  });

  it('a lane that begins to wait wakes those that are due, before the event loop has read all sockets', async () => {
    const { clock, pacer, woken } = waiting([10], (clock) => alarmBefore(1, clock));
    await clock.moveTo(9);
    // a socket is read, late
    clock.now = () => 12;
    pacer.until(30).then(() => woken.push(30));
    await new Promise((resolve) => setImmediate(resolve));
    expect(woken).to.deep.equal([10]);
  });

  it('turns without work count as idle, turns that read sockets or wake lanes do not', async () => {
    const { clock, pacer } = waiting([100], (clock) => alarmBefore(Infinity, clock));
    await clock.turnTo(1);
    await clock.turnTo(1.001);
    await clock.turnTo(1.003);
    expect(pacer.idleMs).to.be.closeTo(0.003, 1e-9);
    await clock.turnTo(3);
    expect(pacer.idleMs).to.be.closeTo(0.003, 1e-9);
    await clock.turnTo(3.002);
    expect(pacer.idleMs).to.be.closeTo(0.005, 1e-9);
    await clock.turnTo(100);
    expect(pacer.idleMs).to.be.closeTo(0.005, 1e-9);
  });

  it('a turn in which the thread had no CPU, or was suspended, counts as idle, one of work does not', async () => {
    const clock = handClock();
    let cpuMs = 0;
    const pacer = new Pacer(clock, alarmBefore(Infinity, clock), () => cpuMs);
    void pacer.until(1000);
    const turn = async (ms, workMs = ms) => {
      cpuMs += workMs;
      await clock.turnTo(clock.now() + ms);
      return pacer.idleMs;
    };
    for (const ms of [1, 0.5, 0.5]) await turn(ms);
    expect(pacer.idleMs).to.be.closeTo(1, 1e-9);
    expect(await turn(300, 2)).to.be.closeTo(1 + 298, 1e-9);
    expect(await turn(40)).to.be.closeTo(1 + 298, 1e-9);
    expect(await turn(0.5)).to.be.closeTo(1.5 + 298, 1e-9);
  });

  it('a suspension counts as idle for the event that is handled first after it, and once', async () => {
    const clock = handClock();
    const pacer = new Pacer(clock, alarmBefore(Infinity, clock), () => 1);
    void pacer.until(5000);
    for (const at of [1, 1.5, 2]) await clock.turnTo(at);
    const before = pacer.idleMs;
    expect(pacer.idleAt(1002) - before).to.be.within(999, 1001);
    await clock.turnTo(1002.3);
    expect(pacer.idleMs - before).to.be.within(999, 1001);
    expect(pacer.pollMs).to.be.below(2);
  });

  it('polls that end within a millisecond read no CPU time', async () => {
    const clock = handClock();
    const pacer = new Pacer(clock, alarmBefore(0.5, clock), () => expect.fail('read'));
    for (const at of [10, 20]) {
      void pacer.until(at);
      await clock.moveTo(at - 0.5);
      for (const ms of [0.4, 0.3, 0]) await clock.turnTo(at - ms);
    }
    expect(pacer.idleMs).to.be.above(0);
  });

  it('the time in which the event loop slept is not counted as idle a second time', async () => {
    const clock = handClock();
    const pacer = new Pacer(clock, alarmBefore(Infinity, clock), () => 0);
    void pacer.until(1);
    await clock.turnTo(0.5);
    await clock.turnTo(1);
    const before = pacer.idleMs;
    // no lane waits: the event loop sleeps until a socket is read
    clock.now = () => 500;
    void pacer.until(600);
    await clock.turnTo(500.2);
    expect(pacer.idleMs).to.equal(before);
  });

  it('users of several loads wake in the order of their instants, none early, beside many that wait for long', () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.nat(50), fc.nat(20)), { maxLength: 40 }),
        fc.nat(60),
        async (steps, slow) => {
          const clock = handClock();
          const pacer = new Pacer(clock, timerAlarm(clock));
          const woken = [];
          const waits = [];
          const waitUntil = (at) => {
            waits.push(at);
            void pacer.untilInAnyOrder(at).then(() => woken.push(at));
          };
          for (let i = 0; i < slow; i++) waitUntil(1e6 + i);
          for (const [afterMs, moveMs] of steps) {
            waitUntil(clock.now() + afterMs);
            await clock.moveTo(clock.now() + moveMs);
            await clock.turnTo(clock.now());
            const due = waits.filter((at) => at <= clock.now());
            expect(woken).to.deep.equal(due.toSorted((a, b) => a - b));
          }
          await clock.moveTo(2e6);
          expect(woken).to.have.length(waits.length);
        },
      ),
      { numRuns: 30 },
    ));

  itSlow('a woken lane leaves only garbage, while others wait', async () => {
    const clock = handClock();
    const pacer = new Pacer(clock, timerAlarm(clock));
    const woken = new WeakRef(pacer.until(1));
    const waits = pacer.until(2);
    await clock.moveTo(1);
    heapAfterCollection();
    expect(woken.deref()).to.equal(undefined);
    await clock.moveTo(2);
    await waits;
  });

  itSlow('woken lanes are not kept while others wait', async () => {
    const { clock, pacer } = waiting([1]);
    const before = heapAfterCollection();
    for (let at = 2; at < 100_000; at++) {
      void pacer.until(at);
      if (at % 100 === 0) await clock.moveTo(at - 1);
    }
    expect(heapAfterCollection() - before).to.be.below(5e6);
  });
});

import { expect } from 'chai';

import { ReadDelay } from '../../../../lib/core/run/load/read-delay.js';
import fc from '../../../support/fast-check.js';
import { scaled } from '../../../support/scale.js';

/** A loop whose times are moved by hand. */
function loop() {
  let [now, idle, cpuWait, ran] = [0, 0, 0, 0];
  let immediates = [];
  let hasRead = false;
  const clock = {
    now: () => now,
    afterReads: (fn) => immediates.push(fn),
  };
  const delay = new ReadDelay({ clock, idleMs: () => idle, cpuTimes: () => ({ waitedMs: cpuWait, ranMs: ran }) });
  return {
    delay,
    at: () => delay.at(now),
    read: () => {
      hasRead = true;
      delay.onRead(now);
    },
    busy: () => delay.busyAt(now),
    tick: () => delay.tick(now),
    works: (ms) => {
      now += ms;
      ran += ms;
    },
    isStoppedAtWork: (ms) => void (now += ms),
    waits: (ms) => {
      now += ms;
      idle += ms;
    },
    /** is ready to run, and seems to wait for events */
    getsNoCpu: (ms) => {
      now += ms;
      idle += ms;
      cpuWait += ms;
    },
    /** while it works */
    losesCpu: (ms) => {
      now += ms;
      cpuWait += ms;
    },
    turnEnds: async () => {
      await null;
      const due = immediates;
      immediates = [];
      for (const fn of due) fn();
      if (hasRead) delay.onHandled();
      hasRead = false;
    },
  };
}

describe('run/load/read-delay', () => {
  it('a loop that waited reads at once; what it reads later in the turn has waited for the work before', () => {
    const { at, waits, works } = loop();
    waits(4);
    expect(at()).to.equal(0);
    works(2);
    expect(at()).to.equal(2);
  });

  it('a loop that did not wait has last looked at its sockets when the turn before began', async () => {
    const { at, waits, works, turnEnds } = loop();
    waits(4);
    at();
    works(30);
    await turnEnds();
    works(1);
    expect(at()).to.equal(31);
    await turnEnds();
    waits(1);
    expect(at()).to.equal(0);
  });

  it('a turn that a timer began ends after the responses that it reads are handled', async () => {
    const { at, read, tick, waits, works, turnEnds } = loop();
    waits(4);
    tick();
    await null;
    read();
    works(30);
    // handled at the end of the turn, which began with the timer
    expect(at()).to.equal(30);
    await turnEnds();
    works(1);
    read();
    expect(at()).to.equal(31);
    await turnEnds();
    waits(1);
    read();
    expect(at()).to.equal(0);
  });

  it('work between two turns, such as a timer of the flow, delays what is read after it', async () => {
    const { at, delay, waits, works, turnEnds } = loop();
    at();
    await turnEnds();
    waits(3);
    works(20);
    expect(at()).to.equal(20);
    expect(delay.stops.blocked).to.deep.equal({ count: 1, longest: 20, total: 20 });
  });

  it('a wait for a CPU seems to be one for events', async () => {
    const { at, delay, waits, getsNoCpu, turnEnds } = loop();
    at();
    await turnEnds();
    waits(3);
    getsNoCpu(4);
    expect(at()).to.equal(4);
    expect(delay.stops.noCpu).to.deep.equal({ count: 1, longest: 4, total: 4 });
    expect(delay.stops.blocked.count).to.equal(0);
  });

  it('a wait for a CPU within a turn does not delay a response that is read after the next wait for events', async () => {
    const { at, delay, losesCpu, waits, turnEnds } = loop();
    at();
    losesCpu(4);
    await turnEnds();
    waits(3);
    expect(at()).to.equal(0);
    expect(delay.stops.noCpu).to.deep.equal({ count: 1, longest: 4, total: 4 });
    expect(delay.stops.blocked.count).to.equal(0);
  });

  it('a wait for a CPU that is shorter than a stop is a part of the total only', async () => {
    const { at, delay, losesCpu, getsNoCpu, turnEnds } = loop();
    for (let i = 0; i < 20; i++) {
      at();
      losesCpu(0.25);
      await turnEnds();
      getsNoCpu(0.25);
    }
    at();
    expect(delay.stops.noCpu).to.deep.equal({ count: 0, longest: 0, total: 10 });
  });

  it('a wait for a CPU before the restart is none after it', async () => {
    const { at, delay, losesCpu, turnEnds } = loop();
    at();
    losesCpu(0.75);
    await turnEnds();
    delay.restart();
    at();
    losesCpu(1.5);
    await turnEnds();
    expect(delay.stops.noCpu).to.deep.equal({ count: 1, longest: 1.5, total: 1.5 });
  });

  it('a tick that is late for no other reason reveals a stop, which counts once', async () => {
    const { at, delay, tick, waits, works, turnEnds } = loop();
    tick();
    await turnEnds();
    waits(300);
    expect(at()).to.be.within(290, 300);
    expect(delay.stops.suspended.count).to.equal(1);
    works(1);
    await turnEnds();
    waits(2);
    expect(at()).to.be.below(1);
    tick();
    expect(delay.stops.suspended.count).to.equal(1);
    delay.restart();
    expect(delay.stops.suspended).to.deep.equal({ count: 0, longest: 0, total: 0 });
  });

  it('a wait for a CPU before a stop explains nothing of the next one', async () => {
    const { at, delay, tick, getsNoCpu, waits, turnEnds } = loop();
    tick();
    await turnEnds();
    for (const act of [() => getsNoCpu(40), () => waits(300), () => waits(30)]) {
      act();
      at();
      await turnEnds();
    }
    expect(delay.stops.noCpu.total).to.equal(40);
    expect(delay.stops.suspended).to.deep.equal({ count: 2, longest: 300, total: 330 });
  });

  it('a process that is stopped in the middle of its work is suspended, and not blocked by a hook', async () => {
    const { at, delay, works, isStoppedAtWork, turnEnds } = loop();
    at();
    works(20);
    isStoppedAtWork(1300);
    works(3);
    await turnEnds();
    expect(delay.stops.suspended).to.deep.equal({ count: 1, longest: 1300, total: 1300 });
    expect(delay.stops.blocked).to.deep.equal({ count: 1, longest: 23, total: 23 });
  });

  it('counts the time in which the loop does not wait', async () => {
    const { busy, waits, works, turnEnds } = loop();
    waits(5);
    const from = busy();
    works(2);
    expect(busy() - from).to.equal(2);
    await turnEnds();
    waits(5);
    works(3);
    expect(busy() - from).to.equal(5);
  });

  it('the causes of delays never add up to more than the time that passed, in any order of events', async () => {
    const step = fc.oneof(
      fc.record({
        act: fc.constantFrom('works', 'waits', 'getsNoCpu', 'losesCpu', 'isSuspended', 'isStoppedAtWork'),
        ms: fc.oneof(fc.integer({ min: 0, max: 90 }), fc.integer({ min: 500, max: 900 })),
      }),
      fc.record({ act: fc.constantFrom('at', 'read', 'tick', 'busy', 'turnEnds') }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
        const one = loop();
        let passed = 0;
        for (const { act, ms } of steps) {
          // The loop starts a turn for each event that it handles.
          if (act === 'isSuspended') one.waits(ms);
          else await one[act](ms);
          passed += ms ?? 0;
        }
        await one.turnEnds();
        const { blocked, noCpu, suspended } = one.delay.stops;
        expect(blocked.total + noCpu.total + suspended.total).to.be.at.most(passed + 1e-6);
      }),
      { numRuns: scaled(2000, 20_000) },
    );
  });

  it('a wait for a CPU that a socket ends before the tick is no suspension, too', async () => {
    const { delay, getsNoCpu, works, read, tick, turnEnds } = loop();
    tick();
    await turnEnds();
    getsNoCpu(80);
    works(5);
    read();
    await turnEnds();
    works(1);
    tick();
    await turnEnds();
    expect(delay.stops.noCpu.total).to.equal(80);
    expect(delay.stops.suspended.total).to.equal(0);
  });
});

import { expect } from 'chai';

import { clock } from '../../../lib/core/run/clock.js';

describe('run/clock', () => {
  const real = { setTimeout: globalThis.setTimeout, clearTimeout: globalThis.clearTimeout };
  const { now } = clock;
  afterEach(() => {
    Object.assign(globalThis, real);
    clock.now = now;
  });

  /** Replaces the time and Node's timers: `fire(ms)` fires the only one that is set, so many ms later. */
  const handTimers = () => {
    let at = 1000;
    clock.now = () => at;
    const waits = [];
    let pending = null;
    globalThis.setTimeout = (fn, ms) => {
      waits.push(ms);
      pending = fn;
      return waits.length;
    };
    globalThis.clearTimeout = () => (pending = null);
    const fire = (ms = waits.at(-1)) => {
      const fn = pending;
      at += ms;
      pending = null;
      fn?.();
    };
    return { waits, fire };
  };

  it('a wait beyond 24.8 days is a chain of timers', () => {
    const { waits, fire } = handTimers();
    let isOver = false;
    clock.after(() => (isOver = true), 2 ** 32);
    fire();
    fire();
    expect(isOver).to.equal(false);
    fire();
    expect(isOver).to.equal(true);
    expect(waits).to.deep.equal([2 ** 31 - 1, 2 ** 31 - 1, 2]);
  });

  it('a negative wait is none, as Node 24 warns about negative delays', () => {
    const { waits } = handTimers();
    clock.after(() => {}, -5);
    expect(waits).to.deep.equal([0]);
  });

  it('a timer that is early waits for the rest', () => {
    const { waits, fire } = handTimers();
    let isOver = false;
    clock.after(() => (isOver = true), 20);
    fire(17.5);
    expect(isOver).to.equal(false);
    fire();
    expect(isOver).to.equal(true);
    expect(waits).to.deep.equal([20, 3]);
  });

  it('a chain of timers can be cancelled in any of its parts', () => {
    const { fire } = handTimers();
    let isOver = false;
    const cancel = clock.after(() => (isOver = true), 2 ** 32);
    fire();
    cancel();
    fire();
    expect(isOver).to.equal(false);
  });

  it('an interval is at most the longest one of Node', () => {
    const { setInterval } = globalThis;
    const intervals = [];
    globalThis.setInterval = (_, ms) => void intervals.push(ms);
    try {
      for (const ms of [1000, 1e12]) clock.every(() => {}, ms);
    } finally {
      globalThis.setInterval = setInterval;
    }
    expect(intervals).to.deep.equal([1000, 2 ** 31 - 1]);
  });

  it('every() and afterReads() call until they are cancelled', async () => {
    let calls = 0;
    await new Promise((resolve) => {
      const cancel = clock.every(() => {
        calls++;
        cancel();
        resolve();
      }, 1);
    });
    const cancelReads = clock.afterReads(() => calls++);
    cancelReads();
    await new Promise((resolve) => clock.afterReads(resolve));
    expect(calls).to.equal(1);
  });
});

import { expect } from 'chai';

import { Sleepers } from '../../../lib/core/iteration/sleepers.js';
import { seeded } from '../../support/random.js';

/** A clock that stands still until `passTo(instant)`, with one timer at most. */
function stillClock() {
  let now = 0;
  let timer = null;
  return {
    now: () => now,
    after(fn, ms) {
      expect(timer, 'timers at once').to.equal(null);
      timer = { fn, at: now + ms };
      return () => (timer = null);
    },
    passTo(instant) {
      while (timer !== null && timer.at <= instant) {
        const { fn, at } = timer;
        timer = null;
        now = at;
        fn();
      }
      now = instant;
    },
    /** Stands still for so long that all timers are late. */
    jumpTo(instant) {
      now = instant;
      const due = timer;
      timer = null;
      due?.fn();
    },
    hasTimer: () => timer !== null,
  };
}

/** Lanes that pause: `woken` lists their names with the instants at which they went on. */
function sleeping() {
  const clock = stillClock();
  const woken = [];
  const sleepers = new Sleepers(clock, (name) => woken.push([name, clock.now()]));
  return { clock, woken, sleepers };
}

describe('iteration/sleepers', () => {
  it('no lane goes on after close, which leaves no timer', () => {
    const { clock, woken, sleepers } = sleeping();
    sleepers.add('a', 10);
    sleepers.close();
    expect(clock.hasTimer()).to.equal(false);
    clock.passTo(20);
    expect(woken).to.deep.equal([]);
  });

  it('lanes go on when their pauses end, in any order', () => {
    const { clock, woken, sleepers } = sleeping();
    const { below } = seeded(5);
    const expected = [];
    for (let i = 0; i < 300; i++) {
      const ms = 1 + below(500);
      sleepers.add(i, ms);
      expected.push([i, clock.now() + ms]);
      if (i % 3 === 0) clock.passTo(clock.now() + below(4));
    }
    clock.passTo(10_000);
    expect(woken.map(([, at]) => at)).to.deep.equal(expected.map(([, at]) => at).sort((a, b) => a - b));
    expect(woken).to.have.deep.members(expected);
    expect(clock.hasTimer()).to.equal(false);
  });

  it('all whose pauses have ended go on with a late timer, in the order of their ends', () => {
    const { clock, woken, sleepers } = sleeping();
    [40, 10, 30, 20, 90].forEach((ms, i) => sleepers.add(i, ms));
    clock.jumpTo(50);
    expect(woken.map(([name]) => name)).to.deep.equal([1, 3, 2, 0]);
    clock.passTo(90);
    expect(woken.at(-1)).to.deep.equal([4, 90]);
  });

  it('a lane that goes on may pause again at once, also for a shorter time than the others', () => {
    const clock = stillClock();
    const woken = [];
    const sleepers = new Sleepers(clock, (name) => {
      woken.push([name, clock.now()]);
      if (name === 'a' && woken.length < 4) sleepers.add('a', 1);
    });
    sleepers.add('b', 100);
    sleepers.add('a', 10);
    clock.passTo(200);
    expect(woken).to.deep.equal([
      ['a', 10],
      ['a', 11],
      ['a', 12],
      ['a', 13],
      ['b', 100],
    ]);
  });

  it('wakeAll ends all pauses, and leaves no timer', () => {
    const { clock, woken, sleepers } = sleeping();
    sleepers.wakeAll();
    for (const name of ['a', 'b', 'c']) sleepers.add(name, 1000);
    sleepers.wakeAll();
    expect(woken.map(([name]) => name)).to.have.members(['a', 'b', 'c']);
    expect(clock.hasTimer()).to.equal(false);
    clock.passTo(5000);
    expect(woken).to.have.lengthOf(3);
    sleepers.add('a', 5);
    clock.passTo(6000);
    expect(woken.at(-1)).to.deep.equal(['a', 5005]);
  });
});

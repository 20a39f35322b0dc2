import { expect } from 'chai';

import { createDeadlines } from '../../../lib/iteration/deadlines.js';

/** Deadlines on a clock that is moved by hand; `ended` lists what was interrupted, with why. */
function waiting() {
  const ended = [];
  let now = 0;
  let tick;
  const deadlines = createDeadlines({ now: () => now, every: (fn) => ((tick = fn), () => (tick = null)) });
  const enter = (name) => {
    const deadline = deadlines.enter();
    deadline.interrupt = (why) => ended.push(`${name} ${why}`);
    return deadline;
  };
  return {
    ended,
    enter,
    deadlines,
    isTicking: () => tick !== null,
    moveTo: (ms) => {
      now = ms;
      tick();
    },
  };
}

describe('iteration/deadlines', () => {
  it('interrupt who is late, and nobody else', () => {
    const { ended, enter, moveTo } = waiting();
    enter('early').at = 100;
    enter('late').at = 200;
    enter('never');
    moveTo(99);
    expect(ended).to.deep.equal([]);
    moveTo(100);
    expect(ended).to.deep.equal(['early timeout']);
    moveTo(1e9);
    expect(ended).to.include('late timeout').and.not.include('never timeout');
  });

  it('the limit of a lane counts whatever it waits for', () => {
    const { ended, enter, moveTo } = waiting();
    const deadline = enter('lane');
    deadline.at = 1000;
    deadline.limit = 50;
    moveTo(50);
    expect(ended).to.deep.equal(['lane timeout']);
  });

  it('leave nobody behind who has left, or who waits for nothing', () => {
    const { ended, enter, moveTo } = waiting();
    const gone = enter('gone');
    gone.at = 10;
    gone.leave();
    const idle = enter('idle');
    idle.at = 10;
    idle.interrupt = null;
    moveTo(20);
    expect(ended).to.deep.equal([]);
  });

  it('stop their timer when they are closed', () => {
    const { deadlines, isTicking } = waiting();
    deadlines.close();
    expect(isTicking()).to.equal(false);
  });
});

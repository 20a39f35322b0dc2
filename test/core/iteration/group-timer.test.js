import { expect } from 'chai';

import { GroupTimer } from '../../../lib/core/iteration/iteration-run.js';
import { TIMES, createTimes } from '../../../lib/core/iteration/lane-times.js';

/** A recorder of a transaction that keeps what it gets. */
const recorder = () => {
  const log = [];
  return { log, ended: (outcome) => log.push(outcome), took: (ms, ownMs) => log.push(ms, ownMs) };
};

/** A timer, and the times of its lane. */
const timerOf = () => {
  const times = createTimes();
  const timer = new GroupTimer({ times });
  const at = (now, call) => {
    times[TIMES.NOW] = now;
    call(timer);
  };
  return { times, at };
};

describe('times of groups', () => {
  it('a transaction lasts from its first operation to the end, without the pauses in it', () => {
    const [{ at }, group] = [timerOf(), recorder()];
    at(100, (timer) => timer.enter(group, 5));
    at(120, (timer) => timer.enter(group, 15));
    at(150, (timer) => timer.end('completed', 25));
    expect(group.log).to.deep.equal(['completed', 30, 0]);
  });

  it('an operation of another group, or of none, ends it', () => {
    const [{ at }, first, second] = [timerOf(), recorder(), recorder()];
    at(0, (timer) => timer.enter(first, 0));
    at(10, (timer) => timer.enter(second, 0));
    at(30, (timer) => timer.enter(null, 0));
    at(50, (timer) => timer.enter(null, 0));
    at(60, (timer) => timer.end('completed', 0));
    expect([first.log, second.log]).to.deep.equal([
      ['completed', 10, 0],
      ['completed', 20, 0],
    ]);
  });

  it('only a completed one is timed, and each ends once', () => {
    for (const [outcome, log] of [
      ['completed', ['completed', 7, 0]],
      ['failed', ['failed']],
      ['cancelled', ['cancelled']],
    ]) {
      const [{ at }, group] = [timerOf(), recorder()];
      at(0, (timer) => timer.enter(group, 0));
      at(7, (timer) => timer.end(outcome, 0));
      at(9, (timer) => timer.end('completed', 0));
      expect(group.log).to.deep.equal(log);
    }
  });

  it('the part of the load generator is that of its exchanges, and the busy time between them', () => {
    const [{ times, at }, group] = [timerOf(), recorder()];
    Object.assign(times, { [TIMES.EXCHANGED]: 1000, [TIMES.EXCHANGED_OWN]: 500, [TIMES.BUSY]: 80 });
    at(0, (timer) => timer.enter(group, 0));
    Object.assign(times, { [TIMES.EXCHANGED]: 1030, [TIMES.EXCHANGED_OWN]: 502, [TIMES.BUSY]: 100 });
    at(40, (timer) => timer.end('completed', 0));
    expect(group.log).to.deep.equal(['completed', 40, 2 + 10]);
  });
});

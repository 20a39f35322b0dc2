import { expect } from 'chai';

import { GroupTimer } from '../../../lib/iteration/group-timer.js';

/** A recorder of a transaction that keeps what it gets. */
const recorder = () => {
  const log = [];
  return { log, ended: (outcome) => log.push(outcome), time: { update: (ms) => log.push(ms) } };
};

describe('iteration/group-timer', () => {
  it('a transaction lasts from its first operation to the end, without the pauses in it', () => {
    const [timer, group] = [new GroupTimer(), recorder()];
    timer.enter(group, 100, 5);
    timer.enter(group, 120, 15);
    timer.end('completed', 150, 25);
    expect(group.log).to.deep.equal(['completed', 30]);
  });

  it('an operation of another group, or of none, ends it', () => {
    const [timer, first, second] = [new GroupTimer(), recorder(), recorder()];
    timer.enter(first, 0, 0);
    timer.enter(second, 10, 0);
    timer.enter(null, 30, 0);
    timer.enter(null, 50, 0);
    timer.end('completed', 60, 0);
    expect([first.log, second.log]).to.deep.equal([
      ['completed', 10],
      ['completed', 20],
    ]);
  });

  it('a failed one is timed, a cancelled one is not, and each ends once', () => {
    for (const [outcome, log] of [
      ['failed', ['failed', 7]],
      ['cancelled', ['cancelled']],
    ]) {
      const [timer, group] = [new GroupTimer(), recorder()];
      timer.enter(group, 0, 0);
      timer.end(outcome, 7, 0);
      timer.end('completed', 9, 0);
      expect(group.log).to.deep.equal(log);
    }
  });
});

import { expect } from 'chai';

import { Arrivals, indexMemory, localIndexes, sharedIndexes } from '../../../../lib/core/run/load/arrivals.js';
import { Stride } from '../../../../lib/core/run/options/shard.js';
import { scheduleFor } from '../../../../lib/core/schedule/index.js';

/** Arrivals on a clock that is moved by hand. */
function arriving({ shard, ...options }, maxBacklog, indexes = localIndexes()) {
  const at = { now: 0 };
  const backlog = { late: 0, maxBacklog: 0, dropped: 0 };
  const schedule = scheduleFor(options).create({ limit: 10, ...options });
  const arrivals = new Arrivals(schedule, {
    indexes,
    stride: new Stride(shard),
    elapsed: () => at.now,
    backlog,
    maxBacklog,
  });
  const next = (wasBusy = true) => {
    const index = arrivals.next(wasBusy);
    return index === null ? null : { index, due: arrivals.due };
  };
  return { at, next, backlog, arrivals };
}

describe('run/load/arrivals', () => {
  it('iterations of a closed model are due at once and each is handed out once', () => {
    const { next, at, backlog } = arriving({ iterations: 3 });
    at.now = 1e6;
    expect([next(), next(), next(), next()]).to.deep.equal([
      { index: 0, due: 0 },
      { index: 1, due: 0 },
      { index: 2, due: 0 },
      null,
    ]);
    expect(backlog).to.deep.equal({ late: 0, maxBacklog: 0, dropped: 0 });
  });

  it('an iteration that is handed out before it is due is not late', () => {
    const { next, backlog } = arriving({ rate: 10 });
    expect([next(), next()]).to.deep.equal([
      { index: 0, due: 0 },
      { index: 1, due: 100 },
    ]);
    expect(backlog.late).to.equal(0);
  });

  it('S45 an iteration that a free virtual user starts late has not waited for one', () => {
    const { at, next, backlog } = arriving({ rate: 1000 });
    at.now = 20;
    next(false);
    expect(backlog).to.include({ late: 0, maxBacklog: 0 });
  });

  it('iterations handed out after they are due are late, and the peak of the backlog is counted', () => {
    const { next, at, backlog } = arriving({ rate: 10 });
    next();
    at.now = 450;
    // 100, 200, 300 and 400 wait
    expect(next()).to.deep.equal({ index: 1, due: 100 });
    expect(backlog).to.include({ late: 1, maxBacklog: 4 });
    next();
    expect(backlog).to.include({ late: 2, maxBacklog: 4 });
  });

  it('iterations beyond maxBacklog are dropped, the oldest first', () => {
    const { next, at, backlog } = arriving({ rate: 10 }, 2);
    next();
    at.now = 450;
    expect(next()).to.deep.equal({ index: 3, due: 300 });
    expect(backlog).to.deep.equal({ late: 1, maxBacklog: 2, dropped: 2 });
  });

  it('no iteration is due at or after the end', () => {
    const { next, at } = arriving({ rate: 10, duration: 300 });
    at.now = 5000;
    expect([next(), next(), next(), next()].map((one) => one?.due)).to.deep.equal([0, 100, 200, undefined]);
  });

  it('two threads share one schedule: each iteration is handed out once, and a backlog is dropped once', () => {
    const memory = indexMemory(2);
    const [one, other] = [0, 1].map(() => arriving({ rate: 10 }, 2, sharedIndexes(memory)));
    expect([one.next(), other.next(), one.next()].map(({ index }) => index)).to.deep.equal([0, 1, 2]);
    one.at.now = other.at.now = 1050;
    expect(one.next()).to.deep.equal({ index: 9, due: 900 });
    expect(other.next()).to.deep.equal({ index: 10, due: 1000 });
    expect(one.backlog.dropped + other.backlog.dropped).to.equal(6);
  });

  it('C7 the backlog of a server that is a thousand times too slow is a number, so a day of it takes no memory', () => {
    const { next, at, backlog } = arriving({ rate: 1000, duration: 24 * 3.6e6 });
    for (let second = 0; second < 86_400; second++) {
      at.now = second * 1000;
      next();
    }
    expect(backlog.maxBacklog).to.be.within(86_300_000, 86_400_000);
  });
});

import { expect } from 'chai';

import { createArrivals } from '../../../lib/run/arrivals.js';
import { createSchedule } from '../../../lib/schedule/index.js';

/** Arrivals on a clock that is moved by hand. */
function arriving(options, maxBacklog) {
  const at = { now: 0 };
  const schedule = createSchedule({ limit: 10, ...options });
  const arrivals = createArrivals(schedule, { elapsed: () => at.now, maxBacklog });
  const next = () => {
    const due = arrivals.nextDue();
    return due === Infinity ? null : { index: arrivals.claim(), due };
  };
  return { at, arrivals: { ...arrivals, next } };
}

describe('run/arrivals', () => {
  it('of a closed schedule are due at once, each once, and wait for nobody', () => {
    const { arrivals, at } = arriving({ iterations: 3 });
    at.now = 1e6;
    expect([arrivals.next(), arrivals.next(), arrivals.next(), arrivals.next()]).to.deep.equal([{ index: 0, due: 0 }, { index: 1, due: 0 }, { index: 2, due: 0 }, null]);
    arrivals.close(3, 1e6);
    expect(arrivals.books).to.deep.equal({ late: 0, maxBacklog: 0, dropped: 0 });
  });

  it('that are claimed before they are due are not late', () => {
    const { arrivals } = arriving({ rate: 10 });
    expect([arrivals.next(), arrivals.next()]).to.deep.equal([{ index: 0, due: 0 }, { index: 1, due: 100 }]);
    expect(arrivals.books.late).to.equal(0);
  });

  it('that found no lane free are late, and the longest line is told', () => {
    const { arrivals, at } = arriving({ rate: 10 });
    arrivals.next();
    at.now = 450;
    // 100, 200, 300 and 400 wait
    expect(arrivals.next()).to.deep.equal({ index: 1, due: 100 });
    expect(arrivals.books).to.include({ late: 1, maxBacklog: 4 });
    arrivals.next();
    expect(arrivals.books).to.include({ late: 2, maxBacklog: 4 });
  });

  it('beyond maxBacklog are dropped, the oldest first', () => {
    const { arrivals, at } = arriving({ rate: 10 }, 2);
    arrivals.next();
    at.now = 450;
    expect(arrivals.next()).to.deep.equal({ index: 3, due: 300 });
    expect(arrivals.books).to.deep.equal({ late: 1, maxBacklog: 2, dropped: 2 });
  });

  it('that did not start before the end are dropped', () => {
    const { arrivals, at } = arriving({ rate: 10, duration: 1000 });
    at.now = 999;
    for (let i = 0; i < 4; i++) arrivals.next();
    arrivals.close(4, 5000);
    expect(arrivals.books.dropped).to.equal(6);
  });

  it('a day of a server that is a thousand times too slow is arithmetic, no list', () => {
    const { arrivals, at } = arriving({ rate: 1000, duration: 24 * 3.6e6 });
    for (let second = 0; second < 86_400; second++) {
      at.now = second * 1000;
      arrivals.next();
    }
    expect(arrivals.books.maxBacklog).to.be.within(86_300_000, 86_400_000);
  });
});

import { expect } from 'chai';

import { createArrivals } from '../../../lib/run/arrivals.js';
import { claimsMemory, localClaims, sharedClaims } from '../../../lib/run/claims.js';
import { createSchedule } from '../../../lib/schedule/index.js';

/** Arrivals on a clock that is moved by hand. */
function arriving(options, maxBacklog, claims = localClaims()) {
  const at = { now: 0 };
  const books = { late: 0, most: 0, dropped: 0 };
  const schedule = createSchedule({ limit: 10, ...options });
  const arrivals = createArrivals(schedule, { claims, elapsed: () => at.now, books, maxBacklog });
  const next = () => {
    const index = arrivals.take();
    return index < 0 ? null : { index, due: arrivals.due };
  };
  return { at, next, books };
}

describe('run/arrivals', () => {
  it('of a closed schedule are due at once, each once, and wait for nobody', () => {
    const { next, at, books } = arriving({ iterations: 3 });
    at.now = 1e6;
    expect([next(), next(), next(), next()]).to.deep.equal([
      { index: 0, due: 0 },
      { index: 1, due: 0 },
      { index: 2, due: 0 },
      null,
    ]);
    expect(books).to.deep.equal({ late: 0, most: 0, dropped: 0 });
  });

  it('that are claimed before they are due are not late', () => {
    const { next, books } = arriving({ rate: 10 });
    expect([next(), next()]).to.deep.equal([
      { index: 0, due: 0 },
      { index: 1, due: 100 },
    ]);
    expect(books.late).to.equal(0);
  });

  it('that found no lane free are late, and the longest line is told', () => {
    const { next, at, books } = arriving({ rate: 10 });
    next();
    at.now = 450;
    // 100, 200, 300 and 400 wait
    expect(next()).to.deep.equal({ index: 1, due: 100 });
    expect(books).to.include({ late: 1, most: 4 });
    next();
    expect(books).to.include({ late: 2, most: 4 });
  });

  it('beyond maxBacklog are dropped, the oldest first', () => {
    const { next, at, books } = arriving({ rate: 10 }, 2);
    next();
    at.now = 450;
    expect(next()).to.deep.equal({ index: 3, due: 300 });
    expect(books).to.deep.equal({ late: 1, most: 2, dropped: 2 });
  });

  it('none is due at or after the end', () => {
    const { next, at } = arriving({ rate: 10, duration: 300 });
    at.now = 5000;
    expect([next(), next(), next(), next()].map((one) => one?.due)).to.deep.equal([0, 100, 200, undefined]);
  });

  it('of two threads are one schedule: each is given once, and a backlog is dropped once', () => {
    const memory = claimsMemory(2);
    const [one, other] = [0, 1].map(() => arriving({ rate: 10 }, 2, sharedClaims(memory)));
    expect([one.next(), other.next(), one.next()].map(({ index }) => index)).to.deep.equal([0, 1, 2]);
    one.at.now = other.at.now = 1050;
    expect(one.next()).to.deep.equal({ index: 9, due: 900 });
    expect(other.next()).to.deep.equal({ index: 10, due: 1000 });
    expect(one.books.dropped + other.books.dropped).to.equal(6);
  });

  it('C7 a day of a server that is a thousand times too slow is arithmetic, no list', () => {
    const { next, at, books } = arriving({ rate: 1000, duration: 24 * 3.6e6 });
    for (let second = 0; second < 86_400; second++) {
      at.now = second * 1000;
      next();
    }
    expect(books.most).to.be.within(86_300_000, 86_400_000);
  });
});

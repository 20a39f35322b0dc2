import { expect } from 'chai';

import closed from '../../../lib/core/schedule/closed.js';
import fc from '../../support/fast-check.js';

describe('schedule/closed', () => {
  const rows = [
    [{ limit: 3, iterations: 10 }, 3, Infinity, 'the limit is the number of lanes'],
    [{ limit: 50, iterations: 2 }, 2, Infinity, 'there are no more lanes than iterations'],
    [{ limit: 1, iterations: 1 }, 1, Infinity, 'one iteration needs one lane'],
    [{ limit: 3, duration: 500 }, 3, 500, 'a duration alone ends the schedule'],
    [{ limit: 50, iterations: 2, duration: 500 }, 2, 500, 'with iterations and a duration, both can end the schedule'],
    [{ limit: 3 }, 3, Infinity, 'without an end the schedule is endless'],
  ];
  for (const [options, count, end, why] of rows) {
    it(why, () => {
      const schedule = closed.create(options);
      expect(schedule).to.include({ most: count, end, arrived: null });
      expect([0, 1, 1e9].map(schedule.lanes)).to.deep.equal([count, count, count]);
    });
  }

  const ramps = [
    [0, 1],
    [99, 1],
    [101, 2],
    [450, 5],
    [999, 10],
    [1000, 10],
    [1e9, 10],
  ];
  for (const [t, lanes] of ramps) {
    it(`a ramp-up of 10 lanes in a second has ${lanes} at ${t} ms`, () =>
      expect(closed.create({ limit: 10, iterations: 100, rampUp: 1000 }).lanes(t)).to.equal(lanes));
  }

  it('the closed schedule suits all options', () => expect(closed.suits({ limit: 1 })).to.equal(true));

  it('iterations without an end are always due', () =>
    expect(closed.create({ limit: 1, duration: 5 }).arrival(Number.MAX_SAFE_INTEGER)).to.equal(0));

  it('exactly the requested iterations are due, at once', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1000 }), fc.integer({ min: 1, max: 1000 }), (iterations, limit) => {
        const { arrival, most } = closed.create({ iterations, limit });
        const due = Array.from({ length: iterations + 3 }, (_, n) => arrival(n));
        expect(due.filter((at) => at === 0)).to.have.lengthOf(iterations);
        expect(due.lastIndexOf(0)).to.equal(iterations - 1);
        expect(due.slice(iterations)).to.deep.equal([Infinity, Infinity, Infinity]);
        expect(most).to.be.within(1, Math.min(limit, iterations));
      }),
      { numRuns: 50 },
    );
  });
});

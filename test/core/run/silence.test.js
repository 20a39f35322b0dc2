import { expect } from 'chai';

import { Overdue, Silence } from '../../../lib/core/run/silence.js';
import { withClock } from '../../support/clock.js';

describe('run/silence', () => {
  /** The silence after looks, each of them `[at, known]`. */
  const silentFor = (looks, options = { mostMs: 500 }) => {
    const silence = new Silence(options);
    for (const [at, known] of looks) silence.look(at, { hasReported: false, ...known });
    return silence.ms;
  };

  for (const [what, looks, expected] of [
    ['is nothing at the first look', [[7000]], 0],
    ['is the time since the last report', [[0], [300, { hasReported: true }], [700], [1100]], 800],
    ['does not count if nothing could arrive', [[0], [500], [1000, { isCutOff: true }], [1400]], 400],
    ['does not count after a look that is late, as this process was suspended', [[0], [500], [60_000], [60_400]], 400],
    ['counts no more than the longest time between two looks', [[0], [900]], 500],
  ])
    it(`${what}`, () => expect(silentFor(looks)).to.equal(expected));

  it('counts all of the time without a longest one', () => expect(silentFor([[0], [60_000]], {})).to.equal(60_000));

  it('a look that did not count is known', () => {
    const silence = new Silence({ mostMs: 500 });
    const known = [0, 900, 2000, 2500].map((at) => {
      silence.look(at, { hasReported: true });
      return silence.wasCutOff;
    });
    expect(known).to.deep.equal([false, false, true, false]);
  });

  /** Calls `act(overdue, clock)`, and returns the instants at which a thread is lost within a minute. */
  const lostAt = (act) =>
    withClock((clock) => {
      const instants = [];
      const overdue = new Overdue((silentMs) => {
        overdue.close();
        instants.push([clock.now(), silentMs]);
      });
      act(overdue, clock);
      clock.advance(60_000);
      overdue.close();
      return instants;
    });

  it('a thread that nothing ends is never lost', () => expect(lostAt(() => {})).to.deep.equal([]));

  it('a thread that should be over is lost when it is silent for two seconds', () => {
    expect(lostAt((overdue) => overdue.expect(0))).to.deep.equal([[2000, 2000]]);
    expect(lostAt((overdue) => overdue.expect(9800))).to.deep.equal([[10_000, 10_000]]);
  });

  it('a longer silence can be allowed', () =>
    expect(lostAt((overdue) => overdue.expect(0, 7000))).to.deep.equal([[7000, 7000]]));

  it('a thread that reports is not lost until it is silent', () =>
    expect(
      lostAt((overdue, clock) => {
        overdue.expect(0);
        for (let i = 0; i < 12; i++) {
          clock.advance(250);
          overdue.reported();
        }
      }),
    ).to.deep.equal([[5500, 2000]]));

  it('a thread that has just reported is not lost, however long it was silent before', () =>
    expect(
      lostAt((overdue, clock) => {
        clock.advance(30_000);
        overdue.reported();
        overdue.expect(0);
      }),
    ).to.deep.equal([[32_500, 2000]]));

  it('C44 a process that was suspended gives its threads time to report', () =>
    expect(
      lostAt((overdue, clock) => {
        overdue.expect(0);
        clock.standStill(30_000);
      }),
    ).to.deep.equal([[32_000, 2000]]));
});

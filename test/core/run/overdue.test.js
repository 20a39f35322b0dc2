import { expect } from 'chai';

import { Overdue, OverdueRun } from '../../../lib/core/run/silence.js';
import { withClock } from '../../support/clock.js';

const LIMITS = { leadMs: 0, endMs: 0, gracefulStopMs: 0, teardownMs: 0 };

const begin = (overdue) => {
  overdue.begin(LIMITS);
  overdue.start();
};

/** Calls `act(overdue, clock)`, and returns the instants at which the run is lost within a minute. */
const lostAt = (act) =>
  withClock((clock) => {
    const instants = [];
    const overdue = new OverdueRun(() => {
      overdue.close();
      instants.push(clock.now());
    });
    act(overdue, clock);
    clock.advance(60_000);
    return instants;
  });

describe('N4 run/silence: a run', () => {
  it('a run that should be over is lost when its thread is silent for two seconds', () =>
    expect(lostAt((overdue) => begin(overdue))).to.deep.equal([2000]));

  it('C43 a thread that gets no CPU before its first phase begins is given a minute, and its silence counts from then on', () =>
    expect(
      lostAt((overdue, clock) => {
        overdue.begin(LIMITS);
        clock.advance(50_000);
        overdue.reported();
        overdue.start();
      }),
    ).to.deep.equal([52_500]));

  it('C43 a thread that never begins its first phase is lost after a minute', () =>
    expect(lostAt((overdue) => overdue.begin(LIMITS))).to.deep.equal([60_000]));

  it('a thread that reports is not lost until it is silent', () =>
    expect(
      lostAt((overdue, clock) => {
        begin(overdue);
        for (let i = 0; i < 12; i++) {
          clock.advance(250);
          overdue.reported();
        }
      }),
    ).to.deep.equal([5500]));

  it('a run without a duration is lost only after a stop', () =>
    expect(
      lostAt((overdue, clock) => {
        overdue.begin({ ...LIMITS, endMs: Infinity });
        overdue.measure();
        clock.advance(10_000);
        overdue.stop(0);
      }),
    ).to.deep.equal([10_000]));

  it('a stop before the measured time shortens that, too', () =>
    expect(
      lostAt((overdue) => {
        overdue.begin({ ...LIMITS, endMs: 30_000 });
        overdue.stop();
        overdue.measure();
      }),
    ).to.deep.equal([2000]));

  it('a process that was suspended gives its thread time to report', () =>
    expect(
      lostAt((overdue, clock) => {
        begin(overdue);
        clock.standStill(3000);
      }),
    ).to.deep.equal([5000]));
});

describe('run/silence: a thread without a planned end', () => {
  const lostWhen = (act) =>
    withClock((clock) => {
      const instants = [];
      const overdue = new Overdue((ms) => {
        overdue.close();
        instants.push([clock.now(), ms]);
      });
      overdue.expect(Infinity, undefined, 31_000);
      act(overdue, clock);
      clock.advance(60_000);
      return instants;
    });

  it('is lost when it is silent for longer than code of the flow may run', () =>
    expect(lostWhen(() => {})).to.deep.equal([[31_000, 31_000]]));

  it('is not lost as long as it reports', () =>
    expect(
      lostWhen((overdue, clock) => {
        for (let i = 0; i < 40; i++) {
          clock.advance(1000);
          overdue.reported();
        }
        overdue.close();
      }),
    ).to.deep.equal([]));
});

import { expect } from 'chai';

import { dividedReasons } from '../../../lib/addons/capacity/starvation.js';
import { judgeStep } from '../../../lib/addons/capacity/step.js';

/** A step of ten seconds; `doneAt(s)` iterations have ended after s seconds. */
function measured({ load = 100, doneAt = (s) => load * s - 1, ...more } = {}) {
  const due = load * 10;
  return {
    load,
    isOpen: true,
    durationMs: 10_000,
    due,
    completed: due,
    failed: 0,
    progress: Array.from({ length: 10 }, (_, i) => ({ at: (i + 1) * 1000, done: doneAt(i + 1) })),
    median: 5,
    thresholds: [],
    failures: [],
    saturation: [],
    ...more,
  };
}
const threshold = (actual, more) => ({
  expression: 'p99<200ms',
  figure: 'p99',
  operator: '<',
  bound: 200,
  unit: 'ms',
  actual,
  passed: actual < 200,
  ...more,
});
const codesOf = ({ reasons }) => reasons.map(({ code }) => code);

describe('capacity/step: judgement', () => {
  it('a step passes whose thresholds hold and whose backlog does not grow', () => {
    expect(judgeStep(measured({ thresholds: [threshold(50)] }))).to.deep.include({
      ...{ verdict: 'passed', reasons: [], held: null, strain: 0.25, backlogGrowth: 0, isOverloaded: false },
    });
  });

  it('a threshold that fails is named with its value', () => {
    const { verdict, reasons, strain } = judgeStep(measured({ thresholds: [threshold(50), threshold(300)] }));
    expect({ verdict, strain }).to.deep.equal({ verdict: 'failed', strain: 1.5 });
    expect(reasons).to.deep.equal([{ code: 'threshold', message: 'p99<200ms failed with 300 ms' }]);
  });

  it('a growing backlog fails a step whose thresholds hold, and shows what the service copes with', () => {
    const judged = judgeStep(measured({ doneAt: (s) => 80 * s, completed: 1000, thresholds: [threshold(50)] }));
    expect(judged).to.deep.include({ verdict: 'failed', isOverloaded: true, held: 80, backlogGrowth: 20 });
    expect(judged.reasons[0].message).to.equal('the backlog grew by 20.0 iterations per second');
  });

  it('a service copes with what it did before an overload made it slower', () => {
    const doneAt = (s) => 100 * Math.min(s, 5) + 50 * Math.max(0, s - 5);
    expect(judgeStep(measured({ load: 150, doneAt, completed: 1500 })).held).to.be.closeTo(100, 1);
    const steady = judgeStep(measured({ load: 150, doneAt: (s) => 75 * s, completed: 1500 }));
    expect(steady.held).to.be.closeTo(75, 1);
  });

  it('a backlog that wanders, or grows only at the start of a step, does not fail it', () => {
    const wandering = [3, 9, 2, 8, 1, 7, 12, 4, 10, 9];
    expect(judgeStep(measured({ doneAt: (s) => 100 * s - wandering[s - 1] })).verdict).to.equal('passed');
    expect(judgeStep(measured({ doneAt: (s) => 100 * s - 40 * Math.min(1, s / 2) })).verdict).to.equal('passed');
  });

  it('failed iterations are no load that the service copes with', () => {
    const judged = judgeStep(
      measured({ completed: 780, failed: 220, failures: [{ code: 'errors', message: '220 errors' }] }),
    );
    expect(judged).to.deep.include({ verdict: 'failed', isOverloaded: true });
    expect(judged.held).to.be.closeTo(78, 0.01);
  });

  describe('a few failed iterations', () => {
    const errors = (actual) =>
      threshold(actual, { expression: 'errors<0.1%', figure: 'errors', unit: 'ratio', bound: 0.001, passed: false });
    const judged = (failed, more) =>
      judgeStep(measured({ completed: 1000 - failed, failed, thresholds: [errors(failed / 1000)], ...more }));
    const failures = [{ code: 'errors', message: '1 error in 1,000 iterations' }];

    it('fail a step, which may be chance', () => {
      expect(judged(1)).to.deep.include({ verdict: 'failed', isChance: true });
      expect(judged(3, { thresholds: [], failures })).to.deep.include({ verdict: 'failed', isChance: true });
      const checks = { ...errors(0.999), expression: 'checks>99.99%', figure: 'checks', operator: '>', bound: 0.9999 };
      expect(judged(1, { thresholds: [checks] }).isChance).to.equal(true);
    });

    it('are no chance if they are more, or if something else fails the step', () => {
      expect(judged(4).isChance).to.equal(false);
      expect(judged(1, { thresholds: [errors(0.001), threshold(300)] }).isChance).to.equal(false);
      expect(judged(1, { failures: [{ code: 'cutOff', message: '' }] }).isChance).to.equal(false);
      expect(judged(1, { doneAt: (s) => 80 * s }).isChance).to.equal(false);
      expect(judgeStep(measured({ thresholds: [threshold(50)] })).isChance).to.equal(false);
    });
  });

  it('a load generator that was the bottleneck decides before the figures', () => {
    const saturation = [{ code: 'saturated', message: 'busy 99 % of the time' }];
    expect(judgeStep(measured({ saturation }))).to.deep.include({ verdict: 'saturated', reasons: saturation });
    expect(judgeStep(measured({ saturation, thresholds: [threshold(300)] })).verdict).to.equal('saturated');
  });

  it('a threshold that failed only because of the load generator says nothing about the service', () => {
    const doubtful = threshold(300, { doubt: 'up to 200 ms are the load generator’s' });
    expect(judgeStep(measured({ thresholds: [doubtful] })).verdict).to.equal('saturated');
    const firm = { ...threshold(300), expression: 'p95<200ms' };
    expect(codesOf(judgeStep(measured({ thresholds: [doubtful, firm] })))).to.deep.equal(['threshold']);
  });

  it('a lower bound strains as it is approached from above', () => {
    const lower = threshold(400, { operator: '>', bound: 300, unit: '/s', passed: true });
    expect(judgeStep(measured({ thresholds: [lower] })).strain).to.equal(0.75);
  });

  it('virtual users have no backlog', () => {
    expect(judgeStep(measured({ isOpen: false, doneAt: (s) => 10 * s })).verdict).to.equal('passed');
  });

  describe('while the load generator lacks CPU', () => {
    const loss = { share: 0.2, longestMs: 40 };
    const starved = {
      code: 'starved',
      message: 'the load generator lacked CPU for 20 % of the time, up to 40.0 ms at once',
    };
    const judged = (actual, more) => judgeStep(measured({ loss, thresholds: [threshold(actual)], ...more }));

    it('a step whose thresholds hold passes: stops only lengthen times', () => {
      expect(judged(150)).to.deep.include({ verdict: 'passed', isStarved: false });
    });

    it('a threshold that stops may have broken says nothing', () => {
      expect(judged(250)).to.deep.include({ verdict: 'saturated', isStarved: true });
      expect(judged(250).reasons).to.deep.equal([
        starved,
        { code: 'threshold', message: 'p99<200ms failed with 250 ms' },
      ]);
    });

    it('a threshold that fails by more than stops can add, or on a percentile that they do not reach, fails', () => {
      expect(judged(300)).to.deep.include({ verdict: 'failed', isStarved: false });
      const p50 = { ...threshold(250), figure: 'p50', expression: 'p50<200ms' };
      expect(judgeStep(measured({ loss, thresholds: [p50] })).verdict).to.equal('failed');
      const errors = { ...threshold(0.5), figure: 'errors', unit: 'ratio', bound: 0.01, passed: false };
      expect(judgeStep(measured({ loss, thresholds: [errors] })).verdict).to.equal('failed');
    });

    it('a rate that would be high enough without the loss says nothing', () => {
      const atLeast = (actual) =>
        threshold(actual, { figure: 'rate', operator: '>', bound: 300, unit: '/s', passed: false });
      expect(judgeStep(measured({ loss, thresholds: [atLeast(250)] })).isStarved).to.equal(true);
      expect(judgeStep(measured({ loss, thresholds: [atLeast(200)] })).verdict).to.equal('failed');
    });

    it('a backlog fails a step if it is longer than what became due in a stop', () => {
      const growing = (perSecond) => judgeStep(measured({ loss, doneAt: (s) => (100 - perSecond) * s }));
      expect(growing(20).verdict).to.equal('failed');
      const long = { share: 0.2, longestMs: 2000 };
      expect(judgeStep(measured({ loss: long, doneAt: (s) => 80 * s })).isStarved).to.equal(true);
    });

    it('a missed rate says nothing, unless less load has failed already', () => {
      const starvation = [{ code: 'missedRate', message: 'missed the rate' }];
      expect(judged(150, { starvation })).to.deep.include({
        verdict: 'saturated',
        isStarved: true,
        reasons: starvation,
      });
      expect(judged(900, { starvation }).verdict).to.equal('failed');
    });
  });

  it('a busy event loop is the load generator’s own, unless it only waited for a CPU', () => {
    const reasonsAt = (eventLoopUtilization, share, code = 'saturated') =>
      dividedReasons({ reasons: [{ code, message: '' }], eventLoopUtilization }, { share, longestMs: 5 });
    expect(reasonsAt(0.99, 0).own).to.have.length(1);
    expect(reasonsAt(0.99, 0.3)).to.deep.equal({ own: [], lost: [] });
    expect(reasonsAt(0.99, 0.3, 'missedRate').lost).to.have.length(1);
    expect(reasonsAt(0.99, 0.02, 'missedRate').own).to.have.length(1);
    expect(reasonsAt(0.5, 0.3, 'exhausted').own).to.have.length(1);
  });
});

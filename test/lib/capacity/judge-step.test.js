import { expect } from 'chai';

import { judgeStep } from '../../../lib/capacity/step.js';

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
});

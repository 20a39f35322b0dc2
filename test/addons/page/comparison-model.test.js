import { expect } from 'chai';

import { comparisonOf, withReasons } from '../../../lib/addons/compare/report/index.js';
import { comparisonModel } from '../../../lib/addons/page/comparison.js';
import { literalResult } from '../../support/literal-result.js';

/** A run with `level` times the times of the literal result. */
const run = (level, failed = 0) => {
  const result = literalResult();
  result.main.completed.p95 *= level;
  result.iterations.failed = failed;
  result.thresholds = [];
  delete result.outcome;
  result.errors.count = failed;
  return result;
};
const runs = (...levels) => levels.map((level) => run(level));
const modelOf = (bases, others, reasons = []) =>
  comparisonModel(
    withReasons(comparisonOf(bases, others, { isPaired: true, isInTurn: true, labels: ['old.js', 'new.js'] }), reasons),
  );

describe('report/html/comparison: its data', () => {
  for (const [what, model, outcome] of [
    ['better', () => modelOf(runs(0.99, 1, 1.01), runs(0.5, 0.51, 0.49)), { status: 'passed', word: '✓ better' }],
    ['worse', () => modelOf(runs(0.5, 0.51, 0.49), runs(0.99, 1, 1.01)), { status: 'failed', word: '✗ worse' }],
    ['noise', () => modelOf(runs(1, 2, 3), runs(3, 1, 2)), { status: 'noise', word: 'not significant' }],
    ['not tested', () => modelOf(runs(1), runs(2)), { status: 'noise', word: 'cannot tell' }],
    [
      'beyond a limit',
      () => modelOf(runs(1), runs(1), [{ code: 'regression', message: 'p99 is worse' }]),
      { status: 'failed', word: '✗ failed' },
    ],
    [
      'faster with more failures',
      () => modelOf(runs(0.99, 1, 1.01), [run(0.5, 9), run(0.51, 9), run(0.49, 9)]),
      { status: 'failed', word: '✗ failed' },
    ],
  ])
    it(`the band of a comparison that is ${what} has its color and word`, () =>
      expect(model().outcome).to.include(outcome));

  it('a side says how many planned iterations never started, and has no date without a start', () => {
    const other = run(1);
    other.iterations.dropped = 50;
    delete other.startedAt;
    const { sides } = modelOf(runs(1), [other]);
    expect(sides[1].counts).to.include('50 never started');
    expect(sides[1].hasFailed).to.equal(true);
    expect(sides[1].about.join()).to.not.include('UTC');
  });

  it('a side has reasons for doubt, and no word about all its figures', () => {
    const { sides } = modelOf(runs(1), runs(1));
    const { reasons } = literalResult().validity;
    expect(sides[0])
      .to.deep.include({ reasons: reasons.map(({ message }) => message) })
      .and.not.have.property('validity');
  });

  it('sides have a name, counts and the measurement; operations have their errors', () => {
    const { title, sides, operations, figures } = modelOf(runs(1), [run(1, 8)]);
    expect(title).to.equal('old.js and new.js');
    expect(sides[1].counts).to.deep.equal(['1 run', '100 iterations, 8 failed', '8 errors']);
    expect(sides.map(({ hasFailed }) => hasFailed)).to.deep.equal([false, true]);
    expect(operations[0]).to.deep.include({ name: 'GET /items', hasErrors: [true, true] });
    expect(operations[0].figures[0]).to.include.keys('name', 'base', 'drawn');
    expect(figures.at(-1).drawn).to.deep.equal({ change: 0, low: null, high: null, verdict: 'unknown' });
  });
});

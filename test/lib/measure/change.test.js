import { expect } from 'chai';

import { comparedFigure } from '../../../lib/measure/change.js';

const row = { figure: 'p95', unit: 'ms' };
const fast = [9.9, 10, 10.1];
const slow = [19.8, 20, 20.2];

describe('measure/change', () => {
  it('the change is that of the geometric means, and its bounds enclose it', () => {
    const { base, other, change, low, high, verdict } = comparedFigure(row, [fast, slow], 'runs');
    expect(base).to.be.closeTo(10, 0.01);
    expect(other).to.be.closeTo(20, 0.01);
    expect(change).to.be.closeTo(1, 1e-9);
    expect(low).to.be.below(1);
    expect(high).to.be.above(1);
    expect(verdict).to.equal('worse');
  });

  it('more is better where the row says so', () => {
    const verdictOf = (isMoreBetter) => comparedFigure({ ...row, isMoreBetter }, [fast, slow], 'runs').verdict;
    expect([verdictOf(true), verdictOf(false)]).to.deep.equal(['better', 'worse']);
  });

  it('pairs are tested as pairs, if both sides have as many values', () => {
    const noisy = [1, 100, 10_000];
    const sides = [noisy, noisy.map((value, i) => value * (1.1 + i / 1000))];
    expect(comparedFigure(row, sides, 'runs').verdict).to.equal('noise');
    expect(comparedFigure(row, sides, 'pairs').verdict).to.equal('worse');
    expect(comparedFigure(row, [noisy, [...sides[1], 1]], 'pairs').verdict).to.equal('noise');
  });

  it('without a test, or with too few values, there is a change and no verdict', () => {
    for (const [sides, method] of [
      [[fast, slow], 'none'],
      [[[10], [20]], 'runs'],
      [[fast, [20, null, null]], 'runs'],
    ])
      expect(comparedFigure(row, sides, method)).to.include({ low: null, high: null, verdict: 'unknown' });
    expect(comparedFigure(row, [[10], [20]], 'none').change).to.be.closeTo(1, 1e-9);
    expect(comparedFigure(row, [[null], [20]], 'runs')).to.include({ base: null, change: null, verdict: 'unknown' });
  });
});

import { expect } from 'chai';

import { comparedFigure } from '../../../../lib/addons/compare/measure/compare.js';

const row = { figure: 'p95', unit: 'ms' };
const fast = [9.9, 10, 10.1];
const slow = [19.8, 20, 20.2];

describe('the change of a figure', () => {
  it('the change is that of the geometric means, and its bounds enclose it', () => {
    const { base, new: other, change, interval, verdict } = comparedFigure(row, [fast, slow], { method: 'runs' });
    expect(base).to.be.closeTo(10, 0.01);
    expect(other).to.be.closeTo(20, 0.01);
    expect(change).to.be.closeTo(1, 1e-9);
    expect(interval.low).to.be.below(1);
    expect(interval.high).to.be.above(1);
    expect(verdict).to.equal('worse');
  });

  it('more is better where the row says so', () => {
    const verdictOf = (isMoreBetter) =>
      comparedFigure({ ...row, isMoreBetter }, [fast, slow], { method: 'runs' }).verdict;
    expect([verdictOf(true), verdictOf(false)]).to.deep.equal(['better', 'worse']);
  });

  it('pairs are tested as pairs, without those that lack a value', () => {
    const noisy = [1, 100, 10_000];
    const sides = [noisy, noisy.map((value, i) => value * (1.1 + i / 1000))];
    expect(comparedFigure(row, sides, { method: 'runs' }).verdict).to.equal('noise');
    expect(comparedFigure(row, sides, { method: 'pairs' }).verdict).to.equal('worse');
    expect(
      comparedFigure(
        row,
        [
          [...noisy, null],
          [...sides[1], 1],
        ],
        { method: 'pairs' },
      ).verdict,
    ).to.equal('worse');
  });

  it('without a test, or with too few values, there is a change and no verdict', () => {
    for (const [sides, method] of [
      [[fast, slow], 'none'],
      [[[10], [20]], 'runs'],
      [[fast, [20, null, null]], 'runs'],
    ])
      expect(comparedFigure(row, sides, { method })).to.include({ interval: null, verdict: 'unknown' });
    expect(comparedFigure(row, [[10], [20]], { method: 'none' }).change).to.be.closeTo(1, 1e-9);
    expect(comparedFigure(row, [[null], [20]], { method: 'runs' })).to.include({
      base: null,
      change: null,
      verdict: 'unknown',
    });
  });

  it('equal values that are one bin of the histogram apart do not differ; three bins apart they do', () => {
    const verdictOf = (other) =>
      comparedFigure(row, [Array(3).fill(20), Array(3).fill(other)], { method: 'runs' }).verdict;
    expect([20, 20.02, 20.1].map(verdictOf)).to.deep.equal(['noise', 'noise', 'worse']);
    const pair = (other) => comparedFigure(row, [Array(3).fill(0.02), Array(3).fill(other)], { method: 'pairs' });
    expect([pair(0.021).verdict, pair(0.023).verdict]).to.deep.equal(['noise', 'worse']);
  });

  it('with noise that the user knows, several runs have no smaller error, but a larger one if they differ more', () => {
    const by = (sides) => comparedFigure(row, sides, { method: 'noise', noise: { deviation: 0.04, df: Infinity } });
    const single = by([[10], [12]]);
    expect(single.verdict).to.equal('worse');
    expect(by([Array(4).fill(10), Array(4).fill(12)]).interval.high).to.be.closeTo(single.interval.high, 1e-9);
    expect(by([[8, 10, 12.5], Array(3).fill(12)]).verdict).to.equal('noise');
  });
});

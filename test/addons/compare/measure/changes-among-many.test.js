import { expect } from 'chai';

import { withDiscoveries } from '../../../../lib/addons/compare/measure/compare.js';

const figure = (name, p, verdict = p > 0.04 ? 'noise' : 'worse') => ({ figure: name, p, verdict });
const verdictsOf = (figures, operations = []) => {
  const found = withDiscoveries({ figures, operations: operations.map((one) => ({ figures: one })) }, ['p95']);
  return [...found.figures, ...found.operations.flatMap((one) => one.figures)].map(({ verdict }) => verdict);
};

describe('changes among many figures', () => {
  it('the figure of the conclusion keeps its verdict', () =>
    expect(verdictsOf([figure('p50', 0.5), figure('p95', 0.04)])).to.deep.equal(['noise', 'worse']));

  it('others need more evidence if that figure has not changed', () => {
    expect(verdictsOf([figure('p50', 0.03), figure('p95', 0.5)])).to.deep.equal(['noise', 'noise']);
    expect(verdictsOf([figure('p50', 0.004), figure('p95', 0.5)])).to.deep.equal(['worse', 'noise']);
    expect(verdictsOf([figure('p50', 0.03), figure('p95', 0.01)])).to.deep.equal(['worse', 'worse']);
  });

  it('one operation of many needs more evidence than one of one', () => {
    const many = (p) =>
      verdictsOf(
        [figure('p95', 0.01)],
        Array.from({ length: 20 }, (_, i) => [figure('p95', i === 0 ? p : 0.9)]),
      );
    expect([many(0.03)[1], many(0.002)[1]]).to.deep.equal(['noise', 'worse']);
  });

  it('two figures that limits name have the whole level each, more of them share it', () => {
    const level = (...ps) => {
      const figures = ps.map((p, i) => figure(`p${i}`, p));
      const names = figures.map((one) => one.figure);
      return withDiscoveries({ figures, operations: [] }, names).figures.map(({ verdict }) => verdict);
    };
    expect(level(0.04, 0.04)).to.deep.equal(['worse', 'worse']);
    expect(level(0.04, 0.5, 0.5)).to.deep.equal(['noise', 'noise', 'noise']);
    expect(level(0.02, 0.03, 0.04)).to.deep.equal(['worse', 'worse', 'worse']);
  });

  it('figures that are not tested stay unknown, and do not count', () => {
    const { figures, tests } = withDiscoveries(
      { figures: [figure('p50', null, 'unknown'), figure('p95', 0.5)], operations: [] },
      ['p95'],
    );
    expect([figures[0].verdict, tests]).to.deep.equal(['unknown', 1]);
  });
});

import { expect } from 'chai';

import { compareCapacities, withCapacityLimits } from '../../../lib/addons/capacity/report/comparison.js';
import { capacityComparisonModel, render } from '../../../lib/addons/page/capacity-comparison.js';
import { literalCapacity } from '../../support/literal-capacity.js';
import { expectOneScope } from '../../support/one-scope.js';

const compared = (load) => {
  const { conclusion, ...capacity } = literalCapacity();
  const interval = { low: load * 0.97, high: load * 1.07 };
  return compareCapacities(literalCapacity(), { ...capacity, conclusion: { ...conclusion, load, interval } }, [
    'a.json',
    'b.json',
  ]);
};

describe('the page of a comparison of capacities', () => {
  it('the modules of the script are one script, in which no name is used twice', () => {
    expectOneScope(render(compared(300)));
  });

  it('has the curves, the capacity and the sentence of both sides', () => {
    const { outcome, sides, capacities } = capacityComparisonModel(compared(300));
    expect(outcome).to.deep.include({ status: 'passed', word: '✓ higher' });
    expect(sides.map(({ label, load, loadText }) => ({ label, load, loadText }))).to.deep.equal([
      { label: 'A, a.json', load: 198, loadText: '198/s' },
      { label: 'B, b.json', load: 300, loadText: '300/s' },
    ]);
    expect(sides[0].message).to.include('at 208/s p99<300ms failed with 748 ms');
    expect(sides[0].points.map(({ load }) => load)).to.deep.equal([20, 80, 198, 198, 208, 320]);
    expect(capacities.rows).to.have.length(2);
  });

  it('a limit of --max-regression that was exceeded has a red band', () => {
    const limited = withCapacityLimits(compared(100), [{ expression: '10%', bound: 0.1 }]);
    const { outcome } = capacityComparisonModel(limited);
    expect(outcome).to.deep.include({ status: 'failed', word: '✗ failed' });
    expect(outcome.regressions).to.have.length(1);
  });
});

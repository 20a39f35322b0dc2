import { expect } from 'chai';

import { populationsOf, withoutOverdue } from '../../../../lib/core/measure/cut-off.js';
import { mergeStats } from '../../../../lib/addons/merge/measure/merge.js';
import { MAX_SAMPLES } from '../../../../lib/core/measure/samples.js';
import { cutOffResult, named } from '../../../support/cut-off-runs.js';
import { recorded, resultOf } from '../../../support/recorded.js';

describe('iterations that the end cut off, in a sum', () => {
  it('an iteration is compared with those of its scenario, also in a sum', () => {
    const one = recorded([{ at: 0, ms: 1900, status: 200 }]);
    const [fast, slow] = ['fast', 'slow'].map((name) => one.scenarios.add(name));
    fast.took(20, 0);
    slow.took(1900, 0);
    const operation = one.operations.add('GET /fast', 'main', { labels: { scenario: 'fast' } });
    for (const cut of [
      [fast, 1800, operation],
      [slow, 1800],
      [fast, 10],
    ]) {
      const [scenario, ms, cutIn] = cut;
      for (const measured of [one, scenario, ...(cutIn ? [cutIn] : [])]) measured.cutOff(ms);
    }
    const stats = resultOf(one);
    expect([stats.iterations.overdue, stats.errors.count]).to.deep.equal([1, 1]);
    expect(stats.scenarios.map(({ errors }) => errors)).to.deep.equal([1, 0]);
    expect(mergeStats([stats]).scenarios.map(({ errors }) => errors)).to.deep.equal([1, 0]);
    expect(populationsOf(one).map(({ slowest }) => slowest)).to.deep.equal([20, 1900, 1900]);
  });

  it('a sum counts them anew: the recorded errors come back', () => {
    const parts = [cutOffResult({ completed: [10], cut: [2000] }), cutOffResult({ completed: [100], cut: [50, 3000] })];
    const sum = mergeStats(parts);
    expect([sum.iterations.overdue, sum.errors.count]).to.deep.equal([2, 2]);
    expect(named(sum.operations, 'GET /hang')).to.include({ count: 3, errors: 2, overdue: 2 });
    expect(named(sum.groups, 'cart')).to.include({ count: 2, errors: 2, overdue: 2 });
    expect(withoutOverdue(parts[0].errors)).to.deep.include({ count: 0, kinds: {}, details: [] });
  });

  it('a result has no more details than before, and a sum still knows how many there were', () => {
    const names = Array.from({ length: 2 * MAX_SAMPLES }, (_, i) => `GET /${i}`);
    const { errors } = cutOffResult({ completed: [1], cut: names.map(() => 2000), names });
    expect(errors.details).to.have.lengthOf(MAX_SAMPLES);
    expect(errors.overdue).to.equal(names.length);
    expect(withoutOverdue(errors)).to.deep.include({ count: 0, kinds: {}, details: [] });
  });
});

import { expect } from 'chai';

import { DERIVED, setAt, valueAt } from '../../../lib/core/measure/figures.js';
import { completeStats, contradictionIn } from '../../../lib/core/measure/received-stats.js';
import { recorded, resultOf } from '../../support/recorded.js';

const stats = () => resultOf(recorded([{ at: 0, ms: 2, status: 200, waited: 1 }]), { planned: 1 });

describe('measure/complete', () => {
  it('a saved result that lacks derived figures gets them', () => {
    const whole = stats();
    const old = structuredClone(whole);
    for (const { path } of DERIVED) if (valueAt(old, path) !== undefined) setAt(old, path, undefined);
    delete old.series.rates;
    for (const one of [...old.series.points, ...old.operations]) {
      delete one.rate;
      delete one.errorRate;
    }
    const complete = completeStats(old);
    for (const { path } of DERIVED) expect(valueAt(complete, path), path).to.deep.equal(valueAt(whole, path));
    expect(complete.operations).to.deep.equal(whole.operations);
    expect(complete.series).to.deep.equal(whole.series);
  });

  it('times by status that lack a status of the operation are a contradiction', () => {
    const result = resultOf(recorded([200, 304].map((status, at) => ({ at, ms: 2, status }))));
    expect(contradictionIn(result, { isOver: true })).to.equal(undefined);
    delete result.operations[0].serviceTimeByStatus[200];
    expect(contradictionIn(result, { isOver: true })).to.match(/^operations: not as many times in serviceTimeByStatus/);
  });
});

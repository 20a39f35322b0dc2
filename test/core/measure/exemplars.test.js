import { expect } from 'chai';

import { Exemplars } from '../../../lib/core/measure/samples.js';
import fc from '../../support/fast-check.js';

const slow = (serviceTime) => ({ serviceTime, path: 'flow.main[0]', operation: 'a' });
const failed = (index, code = 'E_STATUS', operation = 'a') => ({
  index,
  code,
  path: 'flow.main[0]',
  operation,
  serviceTime: 1,
});
const at = (operation) => ({ path: 'flow.main[0]', operation });

describe('exemplars', () => {
  it('the ten slowest requests are kept, in any order of arrival', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.integer({ min: 1, max: 1000 }), { maxLength: 60 }), (times) => {
        const exemplars = new Exemplars();
        for (const ms of times) if (ms > exemplars.bar) exemplars.addSlow(slow(ms));
        expect(exemplars.toJSON().slowest.map(({ serviceTime }) => serviceTime)).to.deep.equal(
          times.sort((a, b) => b - a).slice(0, 10),
        );
      }),
    );
  });

  it('at most ten failed requests are kept, and at most three per kind', () => {
    const exemplars = new Exemplars();
    for (let i = 0; i < 5; i++) exemplars.addFailed(failed(i));
    expect(exemplars.accepts('E_STATUS', at('a'))).to.equal(false);
    expect(exemplars.accepts('E_STATUS', at('b'))).to.equal(true);
    for (let i = 5; i < 50; i++) exemplars.addFailed(failed(i, `E${i}`));
    const { failed: kept } = exemplars.toJSON();
    expect(kept).to.have.lengthOf(10);
    expect(kept.map(({ index }) => index)).to.deep.equal([0, 1, 2, 5, 6, 7, 8, 9, 10, 11]);
    expect(exemplars.accepts('E_NEW', at('a'))).to.equal(false);
  });

  it('exemplars drained and added to another recorder stay the same', () => {
    const [one, other] = [new Exemplars(), new Exemplars()];
    for (let ms = 1; ms <= 30; ms++) (ms % 2 ? one : other).addSlow(slow(ms));
    one.addFailed(failed(1));
    other.addFailed(failed(2));
    one.add(structuredClone(other.drain()));
    expect(one.toJSON().slowest.map(({ serviceTime }) => serviceTime)).to.deep.equal([
      30, 29, 28, 27, 26, 25, 24, 23, 22, 21,
    ]);
    expect(one.toJSON().failed.map(({ index }) => index)).to.deep.equal([1, 2]);
    expect(other.toJSON()).to.deep.equal({ slowest: [], failed: [] });
    expect(other.bar).to.equal(-1);
  });
});

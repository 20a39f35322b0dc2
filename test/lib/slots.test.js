import { expect } from 'chai';

import { selectorOf, slotCount } from '../../lib/slots.js';

const choice = (index) => index % 2;
const plain = (opIndex) => ({ opIndex, choice: null });
const STEPS = [plain(0), { opIndex: 1, choice }, { opIndex: 1, choice }, plain(2)];

describe('slots', () => {
  it('the steps of a oneOf count as one', () => {
    expect(slotCount(STEPS)).to.equal(3);
    expect(slotCount([])).to.equal(0);
  });

  it('an iteration performs the chosen step of a oneOf, and all others in their order', () => {
    const select = selectorOf(STEPS, ['a', 'b0', 'b1', 'c']);
    expect([select(0), select(1), select(2)]).to.deep.equal([
      ['a', 'b0', 'c'],
      ['a', 'b1', 'c'],
      ['a', 'b0', 'c'],
    ]);
  });

  it('the steps of one operation without a choice are all performed, and count each', () => {
    const steps = [plain(0), plain(0), { opIndex: 1, choice }, { opIndex: 1, choice }];
    expect(slotCount(steps)).to.equal(3);
    expect(selectorOf(steps, ['open', 'send', 'b0', 'b1'])(1)).to.deep.equal(['open', 'send', 'b1']);
  });

  it('steps without a oneOf need no selector', () => {
    expect(selectorOf([plain(0), plain(1)], ['a', 'b'])).to.equal(null);
    expect(selectorOf([], [])).to.equal(null);
  });
});

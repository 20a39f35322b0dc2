import { expect } from 'chai';

import { createChoice } from '../../../lib/core/ground/random.js';

const AT = { seed: 1, place: 'flow.main[0]' };
const first = (count, choose, from = 0) => Array.from({ length: count }, (_, i) => choose(from + i));
const counted = (chosen, count) => Array.from({ length: count }, (_, i) => chosen.filter((one) => one === i).length);

describe('choices by weight', () => {
  it('without weights the alternatives are in turn by INDEX', () => {
    expect(first(7, createChoice([undefined, undefined, undefined], AT))).to.deep.equal([0, 1, 2, 0, 1, 2, 0]);
    expect(createChoice([undefined, undefined], AT)(1e12 + 1)).to.equal(1);
  });

  it('with weights each alternative has its share', () => {
    const [a, b, c] = counted(first(100_000, createChoice([8, 2, 0.5], AT)), 3).map((count) => count / 100_000);
    expect(a).to.be.closeTo(8 / 10.5, 0.01);
    expect(b).to.be.closeTo(2 / 10.5, 0.01);
    expect(c).to.be.closeTo(0.5 / 10.5, 0.005);
  });

  it('an alternative without a weight beside one with a weight has the weight 1', () => {
    const [a, b] = counted(first(40_000, createChoice([3, undefined], AT)), 2);
    expect(a / b).to.be.closeTo(3, 0.15);
  });

  it('weights whose sum is above the largest number have their shares', () => {
    const [a, b] = counted(first(40_000, createChoice([1.5e308, 0.5e308], AT)), 2);
    expect(a / b).to.be.closeTo(3, 0.15);
  });

  it('iterations next to each other are independent: pairs have the product of their shares', () => {
    const chosen = first(50_001, createChoice([1, 1], AT));
    const pairs = chosen.slice(1).filter((one, i) => one === chosen[i]).length;
    expect(pairs / 50_000).to.be.closeTo(0.5, 0.015);
  });

  it('the choice repeats with the same seed and place, and differs with others', () => {
    const weights = [1, 1];
    const base = first(64, createChoice(weights, AT));
    expect(first(64, createChoice(weights, AT))).to.deep.equal(base);
    expect(first(64, createChoice(weights, { ...AT, seed: 2 }))).to.not.deep.equal(base);
    expect(first(64, createChoice(weights, { ...AT, place: 'flow.main[1]' }))).to.not.deep.equal(base);
  });

  it('INDEX beyond 32 bits counts in full', () => {
    const choose = createChoice([1, 1], AT);
    expect(first(64, choose, 2 ** 32)).to.not.deep.equal(first(64, choose));
    expect(counted(first(10_000, choose, 1e12), 2)[0] / 10_000).to.be.closeTo(0.5, 0.03);
  });

  it('a single alternative is always chosen, and a rounded sum leaves no gap', () => {
    expect(first(20, createChoice([5], AT))).to.deep.equal(Array(20).fill(0));
    const tiny = createChoice([Number.MIN_VALUE, Number.MIN_VALUE], AT);
    expect(first(20, tiny).every((one) => one === 0 || one === 1)).to.equal(true);
  });
});

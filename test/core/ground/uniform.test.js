import { expect } from 'chai';

import { createUniform } from '../../../lib/core/ground/random.js';

const AT = { seed: 1, place: 'flow.main[0]' };
const numbers = (count, uniform, from = 0) => Array.from({ length: count }, (_, i) => uniform(from + i));

describe('ground/random: uniform', () => {
  it('numbers are from 0 to below 1, and equally spread', () => {
    const all = numbers(20_000, createUniform(AT));
    expect(all.every((one) => one >= 0 && one < 1)).to.equal(true);
    for (let tenth = 0; tenth < 10; tenth++)
      expect(all.filter((one) => Math.floor(10 * one) === tenth).length).to.be.closeTo(2000, 200);
  });

  it('no two indexes have the same number', () =>
    expect(new Set(numbers(50_000, createUniform(AT))).size).to.equal(50_000));

  it('a number repeats with the same seed, place and INDEX, and differs with others', () => {
    const first = numbers(8, createUniform(AT));
    expect(numbers(8, createUniform(AT))).to.deep.equal(first);
    for (const other of [
      { ...AT, seed: 2 },
      { ...AT, place: 'flow.main[1]' },
    ])
      expect(numbers(8, createUniform(other))).to.not.deep.equal(first);
    expect(numbers(8, createUniform(AT), 2 ** 32)).to.not.deep.equal(first);
  });
});

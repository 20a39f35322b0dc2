import { expect } from 'chai';

import { createRandom } from '../../../lib/core/ground/random.js';

const COUNT = 10_000;
const drawn = (seed) => Array.from({ length: COUNT }, createRandom(seed));

describe('random', () => {
  it('numbers are from 0 to below 1, and evenly distributed', () => {
    const numbers = drawn(1);
    expect(numbers.every((one) => one >= 0 && one < 1)).to.equal(true);
    for (let tenth = 0; tenth < 10; tenth++) {
      const share = numbers.filter((one) => Math.floor(one * 10) === tenth).length / COUNT;
      expect(share, `tenth ${tenth}`).to.be.closeTo(0.1, 0.02);
    }
  });

  it('the same seed gives the same numbers, another seed others', () => {
    expect(drawn(7)).to.deep.equal(drawn(7));
    expect(drawn(7)).to.not.deep.equal(drawn(8));
  });
});

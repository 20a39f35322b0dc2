import { expect } from 'chai';

import { readDelay } from '../../../lib/core/ground/units.js';
import { createDelays } from '../../../lib/addons/serve/delays.js';

const COUNT = 20_000;

function drawn(text, seed = 1) {
  const next = createDelays(readDelay(text), seed);
  return Array.from({ length: COUNT }, next);
}

describe('delays of the embedded service', () => {
  it('a fixed delay is the same for every response', () => expect(new Set(drawn('20ms'))).to.deep.equal(new Set([20])));

  it('the delays of a range are within it and reach both ends', () => {
    const all = drawn('10ms,50ms');
    expect(Math.min(...all)).to.be.within(10, 10.1);
    expect(Math.max(...all)).to.be.within(49.9, 50);
  });

  it('each tail has its share of the responses', () => {
    const all = drawn('20ms,5%:100ms,1%:500ms,600ms');
    const share = (from, to) => all.filter((ms) => ms >= from && ms <= to).length / COUNT;
    expect(share(20, 20)).to.be.closeTo(0.94, 0.01);
    expect(share(100, 100)).to.be.closeTo(0.05, 0.01);
    expect(share(500, 600)).to.be.closeTo(0.01, 0.005);
  });

  it('a tail of all responses replaces the first delay', () =>
    expect(new Set(drawn('20ms,100%:5ms'))).to.deep.equal(new Set([5])));

  it('the same seed draws the same delays, another seed others', () => {
    expect(drawn('10ms,50ms', 7)).to.deep.equal(drawn('10ms,50ms', 7));
    expect(drawn('10ms,50ms', 7)).to.not.deep.equal(drawn('10ms,50ms', 8));
  });

  it('a tail leaves the other delays of a range as they are', () => {
    const without = drawn('10ms,50ms');
    const differing = drawn('10ms,50ms,1%:500ms').filter((ms, i) => ms !== without[i]);
    expect(new Set(differing)).to.deep.equal(new Set([500]));
  });
});

import { expect } from 'chai';

import { agreeStart, skewOf } from '../../../lib/shard/start-agreement.js';

describe('shard/start-agreement', () => {
  it('starts after the shortest lead if the agents are near', () => {
    expect(agreeStart(1000, [0.2, 0.4], 400)).to.equal(1400);
  });

  it('waits for three round trips of the farthest agent', () => {
    expect(agreeStart(1000, [1, 300], 400)).to.equal(1000 + 200 + 900);
  });

  it('reports the time between the first and the last start', () => {
    expect(skewOf([3, -1, null])).to.equal(4);
    expect(skewOf([null])).to.equal(null);
  });
});

import { expect } from 'chai';

import { ConnectionShare } from '../../../lib/core/iteration/lane.js';

describe('connections that lanes share', () => {
  it('has a new generation of connections after requestsPerConnection requests, whichever lane sends them', () => {
    const share = new ConnectionShare({ requestsPerConnection: 2 });
    const generations = Array.from({ length: 6 }, () => (share.countRequest(), share.generation));
    expect(generations.map((one) => generations.indexOf(one))).to.deep.equal([0, 0, 2, 2, 4, 4]);
  });

  it('without a requestsPerConnection stays with its connections', () => {
    const share = new ConnectionShare();
    const { generation } = share;
    for (let i = 0; i < 1000; i++) share.countRequest();
    expect(share.generation).to.equal(generation);
  });

  it('with a ratePerUser gives turns, and does not make up for missed turns', () => {
    const share = new ConnectionShare({ ratePerUser: 100 });
    expect([0, 0, 0, 500, 500].map((now) => share.takeTurn(now))).to.deep.equal([0, 10, 20, 0, 10]);
    expect([0, 0].map((now) => new ConnectionShare().takeTurn(now))).to.deep.equal([0, 0]);
  });

  it('calls functions one after the other', async () => {
    const share = new ConnectionShare();
    const log = [];
    const act = async (name) => {
      log.push(`${name} begins`);
      await null;
      log.push(`${name} ends`);
      return name;
    };
    const all = await Promise.all(['a', 'b'].map((name) => share.inTurn(() => act(name))));
    expect(all).to.deep.equal(['a', 'b']);
    expect(log).to.deep.equal(['a begins', 'a ends', 'b begins', 'b ends']);
  });

  it('gives out as many iterations as a virtual user may run', () => {
    const share = new ConnectionShare();
    expect([1, 2, 3].map(() => share.claimIteration(2))).to.deep.equal([true, true, false]);
    share.resetIterations();
    expect(share.claimIteration(2)).to.equal(true);
  });
});

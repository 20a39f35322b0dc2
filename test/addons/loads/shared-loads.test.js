import { expect } from 'chai';

import { SharedLoads, loadsMemory } from '../../../lib/addons/loads/shared-loads.js';
import { localIndexes } from '../../../lib/core/run/load/arrivals.js';

/** What each of some threads sees of the memory of three loads. */
const threadsOf = (count) => {
  const memory = loadsMemory(3);
  return Array.from({ length: count }, () => new SharedLoads(memory, count));
};

describe('loads that share their end and requests', () => {
  it('a load starts with the run, or after its time', () => {
    const [shared] = threadsOf(1);
    expect(shared.startOf({ from: 0, after: null })).to.equal(0);
    expect(shared.startOf({ from: 30, after: null })).to.equal(30);
  });

  it('a load that starts after another one starts when that has ended in all threads', () => {
    const [a, b, c] = threadsOf(3);
    const load = { from: 500, after: 1 };
    a.end(1, 100);
    b.end(0, 150);
    c.end(1, 300);
    expect([a, b, c].map((one) => one.startOf(load))).to.deep.equal([Infinity, Infinity, Infinity]);
    b.end(1, 200.5);
    const start = a.startOf(load);
    expect(start).to.be.at.least(700.5);
    expect([b, c].map((one) => one.startOf(load))).to.deep.equal([start, start]);
  });

  it('loads share the requests of a run, in whole iterations', () => {
    const [a, b] = threadsOf(2);
    const isDue = () => true;
    const pair = a.limited(localIndexes(), { requests: 2, most: 6, isDue });
    const single = b.limited(localIndexes(), { requests: 1, most: 6, isDue });
    expect([pair.next(), single.next(), pair.next()]).to.deep.equal([0, 0, 1]);
    expect(pair.count()).to.equal(Infinity);
    expect([pair.next(), single.next(), single.next()]).to.deep.equal([Infinity, 1, Infinity]);
  });

  it('a load that has had its iterations takes no requests from the others', () => {
    const [a] = threadsOf(1);
    const short = a.limited(localIndexes(), { requests: 2, most: 6, isDue: (n) => n < 1 });
    const long = a.limited(localIndexes(), { requests: 1, most: 6, isDue: () => true });
    expect([short.next(), short.next(), short.next()]).to.deep.equal([0, 1, 2]);
    expect([1, 2, 3, 4, 5].map(() => long.next())).to.deep.equal([0, 1, 2, 3, Infinity]);
  });
});

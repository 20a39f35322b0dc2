import { expect } from 'chai';

import { Stride, WHOLE } from '../../../../lib/core/run/options/shard.js';
import fc from '../../../support/fast-check.js';

const shards = (of) => Array.from({ length: of }, (_, i) => new Stride({ number: i + 1, of }));

describe('the iterations of a shard', () => {
  it('each INDEX belongs to one shard, and each shard knows how many it has', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 20 }), fc.nat(200), (of, count) => {
        const all = shards(of).flatMap((stride) =>
          Array.from({ length: stride.countOf(count) }, (_, k) => {
            const index = stride.indexOf(k);
            expect(stride.positionOf(index)).to.equal(k);
            return index;
          }),
        );
        expect(all.sort((a, b) => a - b)).to.deep.equal(Array.from({ length: count }, (_, index) => index));
      }),
    );
  });

  it('without shards it is every INDEX', () => {
    for (const stride of [new Stride(), new Stride(WHOLE)])
      expect([stride.indexOf(7), stride.positionOf(7), stride.countOf(7), stride.countOf(Infinity)]).to.deep.equal([
        7,
        7,
        7,
        Infinity,
      ]);
  });

  it('nothing is due before the first INDEX of a shard', () => {
    expect(new Stride({ number: 3, of: 3 }).countOf(-5)).to.equal(0);
    expect(new Stride({ number: 3, of: 3 }).countOf(2)).to.equal(0);
  });
});

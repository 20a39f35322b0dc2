import { expect } from 'chai';

import { isShard, isShardOption, readShard, refuseShard } from '../../../../lib/core/run/options/shard.js';

describe('run/options/shard', () => {
  it('reads a shard', () => {
    expect(readShard('2/3', {})).to.deep.equal({ number: 2, of: 3 });
    expect(readShard(' 1 / 1 ', {})).to.deep.equal({ number: 1, of: 1 });
  });

  it('auto takes the number from Kubernetes, which counts from 0', () => {
    expect(readShard('auto/3', { JOB_COMPLETION_INDEX: '2' })).to.deep.equal({ number: 3, of: 3 });
    expect(readShard('auto/3', { JOB_COMPLETION_INDEX: '3' })).to.equal(null);
  });

  it('the reason says what the environment lacks for auto', () => {
    expect(refuseShard('auto/3', {})).to.match(/JOB_COMPLETION_INDEX in the environment.*write 1\/3/);
    expect(refuseShard('auto/3', { JOB_COMPLETION_INDEX: '3' })).to.match(/is 3, which is not below/);
    for (const index of ['abc', ''])
      expect(refuseShard('auto/3', { JOB_COMPLETION_INDEX: index })).to.match(/is "(abc)?", not a whole number/);
    expect(refuseShard('4/3', {})).to.equal(undefined);
    expect(refuseShard('auto/x', { JOB_COMPLETION_INDEX: '0' })).to.equal(undefined);
  });

  it('the reason names the highest number of shards', () => {
    for (const text of ['1/20000', 'auto/20000'])
      expect(refuseShard(text, { JOB_COMPLETION_INDEX: '5' })).to.equal('a run has at most 10,000 shards');
  });

  for (const text of ['', '1', '0/3', '4/3', '1/0', '1/99999', '-1/3', '1.5/3', '1/3/5', 'x/3'])
    it(`${JSON.stringify(text)} is no shard`, () => expect(readShard(text, {})).to.equal(null));

  it('a program may pass an object', () => {
    expect(isShardOption({ number: 1, of: 2 })).to.equal(true);
    expect(isShardOption({ number: 1, of: 2, count: 3 })).to.equal(false);
    for (const value of [null, {}, { number: 3, of: 2 }, { number: '1', of: 2 }])
      expect(isShard(value)).to.equal(false);
  });
});

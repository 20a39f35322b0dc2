import { expect } from 'chai';

import { checkShards } from '../../../lib/addons/merge/shards.js';
import { literalResult } from '../../support/literal-result.js';

/** Results of shards; each with its shard, and its changes of `run` and of the whole. */
function shards(...changes) {
  return changes.map(({ measuredAt, shard, ...change }, i) => {
    const result = literalResult();
    result.measuredAt = measuredAt ?? `2026-11-22T12:00:00.${String(i).padStart(3, '0')}Z`;
    result.id = `${i}`;
    result.run = { ...result.run, ...change };
    result.loadGenerators = [{ ...result.loadGenerators[0], shard: shard ?? { number: i + 1, of: changes.length } }];
    return result;
  });
}
const paths = (results) => results.map((_, i) => `${i + 1}.json`);
const check = (results, options) => checkShards(results, paths(results), options);

describe('shards of saved results', () => {
  it('whole runs are no shards', () => expect(check([literalResult(), literalResult()])).to.equal(null));

  it('complete shards have the skew of their starts', () =>
    expect(check(shards({}, {}, { measuredAt: '2026-11-22T12:00:01.500Z' }))).to.deep.equal({
      of: 3,
      missing: [],
      skewMs: 1500,
    }));

  it('shards that did not run at the same time are refused, and both are named', () => {
    const results = shards({}, {}, { measuredAt: '2026-11-22T11:00:00.000Z' });
    expect(() => check(results)).to.throw(
      /3\.json ended at 2026-11-22T11:00:.*, before 2\.json began at 2026-11-22T12:00:00\.001Z/,
    );
    expect(check(results, { isPartial: true }).skewMs).to.equal(3_600_001);
  });

  it('the skew is not known without times', () => {
    const results = shards({}, {});
    delete results[1].measuredAt;
    expect(check(results).skewMs).to.equal(null);
  });

  it('missing shards are named, unless the merge is partial', () => {
    const results = shards({}, {}, {}, {}).filter((_, i) => i === 0 || i === 2);
    expect(() => check(results)).to.throw(/1\.json is shard 1 of 4, and shards 2, 4 are missing.*--partial/s);
    expect(check(results, { isPartial: true }).missing).to.deep.equal([2, 4]);
  });

  it('of many missing shards the first ones are named, and the others are counted', () => {
    const [first] = shards({ shard: { number: 1, of: 10_000 } });
    expect(() => check([first])).to.throw('and shards 2, 3, 4, 5, 6, 7, 8, 9, 10, 11 and 9989 more are missing');
  });

  const options = { rate: 100 };
  for (const [what, results, says] of [
    ['a whole run', [...shards({}, {}), literalResult()], /3\.json is not a shard, but 1\.json is shard 1 of 2/],
    ['a shard of another number', shards({}, { shard: { number: 2, of: 3 } }), /2\.json is shard 2 of 3, but/],
    ['a shard twice', shards({}, { shard: { number: 1, of: 2 } }), /2\.json is shard 1, and so is 1\.json/],
    ['another run', shards({ id: 'a' }, { id: 'b' }), /2\.json is of the run "b", but 1\.json is of "a"/],
    ['a run without a name', shards({ id: 'a' }, {}), /is of the run without a --run-id, but/],
    ['another flow', shards({}, { flow: { source: 'x.js', sha256: 'f' } }), /2\.json ran another flow than 1\.json/],
    [
      'another flow of a program, which has no file',
      shards({}, { flow: { source: '', sha256: 'f' } }),
      /2\.json ran another flow than 1\.json; merge the shards/,
    ],
    ['other options', shards({ options }, { options: { rate: 50 } }), /2\.json ran with rate 50, but 1\.json with 100/],
  ])
    it(`${what} is refused`, () => expect(() => check(results, { isPartial: true })).to.throw(says));

  it('shards may differ in their number and their workers', () =>
    expect(
      check(shards({ options: { shard: '1/2', workers: 2 } }, { options: { shard: '2/2', workers: 8 } })).missing,
    ).to.deep.equal([]));
});

import { expect } from 'chai';

import { Transactions } from '../../../lib/core/measure/transactions.js';

function measured(...rows) {
  const all = new Transactions('groups');
  for (const [name, outcome, ms] of rows) {
    all.add(name).ended(outcome);
    if (ms !== undefined) all.add(name).time.update(ms);
  }
  return all;
}
const shown = (all) =>
  all
    .summary()
    .map(({ name, count, errors, times: { duration } }) => [...[name, count, errors, duration.count, duration.max]]);

describe('Transactions', () => {
  it('count those that have ended, and those of them that failed, by name', () => {
    const all = measured(['a', 'completed', 10], ['b', 'failed', 20], ['a', 'failed'], ['a', 'cancelled']);
    expect(shown(all)).to.deep.equal([
      ['a', 2, 1, 1, 10],
      ['b', 1, 1, 1, 20],
    ]);
    expect(all.isEmpty).to.equal(false);
    expect(new Transactions('groups').isEmpty).to.equal(true);
  });

  it('add up to the same whole, however they are split', () => {
    const whole = new Transactions('groups');
    const one = measured(['a', 'completed', 10]);
    const other = measured(['b', 'completed', 1], ['a', 'failed', 30]);
    for (const part of [one, other]) {
      whole.addState(structuredClone(part.drain()));
    }
    expect(shown(whole)).to.deep.equal([
      ['a', 2, 1, 2, 30],
      ['b', 1, 0, 1, 1],
    ]);
    whole.addState(one.drain());
    expect(shown(whole)[0]).to.deep.equal(['a', 2, 1, 2, 30]);
  });

  it('beyond 1,000 names are added up as other', () => {
    const all = measured(...Array.from({ length: 1500 }, (_, i) => [`g${i}`, 'completed', 1]));
    expect(all.summary()).to.have.lengthOf(1001);
    expect(shown(all).at(-1).slice(0, 2)).to.deep.equal(['other', 500]);
  });
});

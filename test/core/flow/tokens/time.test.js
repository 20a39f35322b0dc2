import { expect } from 'chai';

import { TIME } from '../../../../lib/core/flow/tokens/index.js';

const entry = (name) => TIME.find((one) => one.name === name);
const read = (name) => entry(name).value({ name }, { refuse: expect.fail })({});

describe('tokens of the time', () => {
  it('all of them are the time of the call', () => {
    const before = Date.now();
    const [now, timestamp, isoDate] = ['timestampMs', 'timestamp', 'isoTimestamp'].map(read);
    const after = Date.now();
    expect(now).to.be.within(before, after);
    expect(timestamp).to.be.within(Math.floor(before / 1000), Math.floor(after / 1000));
    expect(Date.parse(isoDate)).to.be.within(before, after);
    expect(isoDate).to.match(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  });

  it('takes no argument', () => {
    const reasons = [];
    for (const { name } of TIME)
      entry(name).value({ name, argument: '1' }, { refuse: (reason) => reasons.push(reason) });
    expect(reasons).to.deep.equal(Array(3).fill('takes no argument'));
  });
});

import { expect } from 'chai';

import { loadParts, needsParts } from '../../../lib/flow/compile.js';

describe('flow/parts', () => {
  it('only a flow with data needs the code of feeders', async () => {
    expect(needsParts({ data: {} })).to.equal(false);
    expect(await loadParts({ data: {} })).to.deep.equal({});
    const withData = { data: { users: 'users.csv' } };
    expect(needsParts(withData)).to.equal(true);
    expect(await loadParts(withData)).to.have.all.keys('openFeeders');
  });
});

import { expect } from 'chai';

import { loadParts, needsParts } from '../../../lib/flow/parts.js';

describe('flow/parts', () => {
  it('only a flow with data needs the code of feeders', async () => {
    expect([{ main: [] }, 'http://a/', [], null, 7].map(needsParts)).to.deep.equal(Array(5).fill(false));
    expect(await loadParts({ main: [] })).to.deep.equal({});
    expect(needsParts({ main: [], data: {} })).to.equal(true);
    expect(await loadParts({ main: [], data: {} })).to.have.all.keys('openFeeders');
  });
});

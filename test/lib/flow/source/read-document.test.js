import { expect } from 'chai';

import { readDocument } from '../../../../lib/flow/source/read-document.js';

describe('flow/source/read-document', () => {
  for (const flow of ['http://a/', ['http://a/'], { main: [] }]) {
    it(`${JSON.stringify(flow)} is a flow as it is`, () => expect(readDocument(flow, 'x.json')).to.equal(flow));
  }

  for (const value of [null, 5, true]) {
    it(`${value} cannot be a flow`, () =>
      expect(() => readDocument(value, 'x.json'))
        .to.throw('x.json: contains')
        .with.property('code', 'E_FLOW_FILE'));
  }

  it('problems of a dialect are reported with the path of the file', () => {
    expect(() => readDocument({ log: { version: '1.2', entries: [] } }, 'x.har'))
      .to.throw(/x\.har/)
      .with.property('code', 'E_FLOW');
  });
});

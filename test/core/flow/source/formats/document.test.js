import { expect } from 'chai';

import { readDocument } from '../../../../../lib/core/flow/source/formats/document.js';
import { refused } from '../../../../support/refused.js';

describe('flow/source/formats/document', () => {
  for (const flow of ['http://a/', ['http://a/'], { main: [] }]) {
    it(`${JSON.stringify(flow)} is a flow as it is`, async () =>
      expect(await readDocument(flow, 'x.json')).to.equal(flow));
  }

  for (const value of [null, 5, true]) {
    it(`${value} cannot be a flow`, () => refused(readDocument(value, 'x.json'), 'E_FLOW_FILE', /^x\.json: contains/));
  }
});

import { expect } from 'chai';

import { isEmpty } from '../../../lib/core/flow/record.js';

describe('empty values', () => {
  for (const value of [null, undefined, false, 0, '', NaN])
    it(`${JSON.stringify(value)} stands for nothing`, () => expect(isEmpty(value)).to.equal(true));
  for (const value of [true, 1, ' ', [], {}])
    it(`${JSON.stringify(value)} stands for something`, () => expect(isEmpty(value)).to.equal(false));
});

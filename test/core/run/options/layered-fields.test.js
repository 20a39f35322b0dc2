import { expect } from 'chai';

import { mergeFields } from '../../../../lib/core/run/options/requests.js';

describe('header fields of several layers', () => {
  it('the stronger field replaces the weaker one of the same name, whatever their case', () => {
    expect(mergeFields({ 'X-A': 1, b: 2 }, { 'x-a': 3 })).to.deep.equal({ b: 2, 'x-a': 3 });
  });

  it('null stays, as it removes the field from the request', () => {
    expect(mergeFields({ a: 1 }, { A: null })).to.deep.equal({ A: null });
  });

  for (const stronger of ['text', null, ['a']]) {
    it(`${JSON.stringify(stronger)} is returned as it is`, () =>
      expect(mergeFields({ a: 1 }, stronger)).to.equal(stronger));
  }
});

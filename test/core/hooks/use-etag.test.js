import { expect } from 'chai';

import { HOOKS } from '../../../lib/core/hooks/index.js';

const useEtag = HOOKS.find(({ name }) => name === 'useEtag');

const URI = 'http://a/items';
const before = (method, etags) => ({ env: { etags }, requestOptions: { method, uri: URI, headers: {} } });

describe('the hook useEtag', () => {
  for (const [method, field] of [
    ['GET', 'If-None-Match'],
    ['HEAD', 'If-None-Match'],
    ['PUT', 'If-Match'],
    ['DELETE', 'If-Match'],
  ]) {
    it(`${method} sends the etag as ${field}`, () => {
      const { requestOptions } = useEtag.hook(before(method, { [URI]: '"1"' }));
      expect(requestOptions.headers).to.deep.equal({ [field]: '"1"' });
    });
  }

  it('without an etag of this URI nothing is sent', () => {
    for (const etags of [undefined, { 'http://a/other': '"1"' }])
      expect(useEtag.hook(before('GET', etags)).requestOptions.headers).to.deep.equal({});
  });
});

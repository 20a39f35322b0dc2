import { expect } from 'chai';

import { withRequest } from '../../../../lib/core/flow/source/load.js';

describe('a URL with flags of a request', () => {
  const request = { method: 'POST', body: 'x' };

  it('makes an operation of a URL, and of each of several', () => {
    expect(withRequest('/a', request, '-e')).to.deep.equal({ url: '/a', ...request });
    expect(withRequest(['/a', '/b'], request, '-e')).to.deep.equal([
      { url: '/a', ...request },
      { url: '/b', ...request },
    ]);
    expect(withRequest({ oneOf: ['/a'] }, request, '-e')).to.deep.equal({ oneOf: [{ url: '/a', ...request }] });
  });

  for (const flow of [{ get: '/a' }, ['/a', { get: '/b' }], { main: ['/a'] }, { oneOf: [{ get: '/a' }] }, null])
    it(`is refused with ${JSON.stringify(flow)}`, () =>
      expect(() => withRequest(flow, request, './flow.js'))
        .to.throw(/^\.\/flow\.js describes its requests itself: .* are for a URL; write an operation such as/)
        .with.property('code', 'E_USAGE'));
});

import { expect } from 'chai';

import { createEndpoints } from '../../../../lib/flow/endpoints.js';
import { followRedirect } from '../../../../lib/iteration/session/redirects.js';

const endpointOf = createEndpoints();
const FIELDS = ['Authorization', 'Basic x', 'Cookie', 'a=b', 'Content-Type', 'text/plain', 'X-Own', '1'];

/** What becomes of a request to http://one.test/dir/a?x=1. */
function follow({ method = 'GET', status = 302, location, redirects = 0, body = null, extra = null }) {
  const request = {
    endpoint: endpointOf(new URL('http://one.test/'), {}),
    method,
    path: '/dir/a?x=1',
    fields: FIELDS,
    extra,
    body,
  };
  return followRedirect(
    request,
    { statusCode: status, headers: location === undefined ? {} : { location } },
    { step: { maxRedirects: 10 }, redirects, endpointOf },
  );
}

describe('iteration/session/redirects', () => {
  describe('F63 method and body (RFC 9110 15.4)', () => {
    const rows = [
      [301, { GET: 'GET', HEAD: 'HEAD', POST: 'GET', PUT: 'PUT', DELETE: 'DELETE' }],
      [302, { GET: 'GET', HEAD: 'HEAD', POST: 'GET', PUT: 'PUT', DELETE: 'DELETE' }],
      [303, { GET: 'GET', HEAD: 'HEAD', POST: 'GET', PUT: 'GET', DELETE: 'GET' }],
      [307, { GET: 'GET', HEAD: 'HEAD', POST: 'POST', PUT: 'PUT', DELETE: 'DELETE' }],
      [308, { GET: 'GET', HEAD: 'HEAD', POST: 'POST', PUT: 'PUT', DELETE: 'DELETE' }],
    ];
    for (const [status, methods] of rows) {
      for (const [method, next] of Object.entries(methods)) {
        it(`${method} is ${next} after ${status}`, () => {
          const followed = follow({ method, status, location: '/b', body: 'data' });
          const isNewGet = method !== next || (status === 303 && method !== 'HEAD');
          expect(followed).to.include({ method: next, body: isNewGet ? null : 'data' });
          expect(followed.fields.includes('Content-Type')).to.equal(!isNewGet);
        });
      }
    }
    for (const status of [300, 304, 305, 399, 200])
      it(`${status} is not followed`, () => expect(follow({ status, location: '/b' })).to.equal(null));
  });

  describe('F60 where to (RFC 3986)', () => {
    const rows = [
      ['/b', 'http://one.test/b'],
      ['b', 'http://one.test/dir/b'],
      ['../b', 'http://one.test/b'],
      ['?q=1', 'http://one.test/dir/a?q=1'],
      ['#frag', 'http://one.test/dir/a?x=1'],
      ['//two.test/b', 'http://two.test/b'],
      ['https://two.test:8443/b', 'https://two.test:8443/b'],
      ['/\xc3\xa9', 'http://one.test/%C3%A9'],
      ['http://user:pass@two.test/', 'http://two.test/'],
    ];
    for (const [location, expected] of rows) {
      it(`${JSON.stringify(location)} leads to ${expected}`, () => {
        const { endpoint, path } = follow({ location });
        expect(endpoint.origin + path).to.equal(expected);
      });
    }
    for (const location of ['ftp://x/', 'javascript:1', 'file:///etc/passwd', 'http://', 'http://[::1', 'data:,x']) {
      it(`${location} is refused`, () =>
        expect(() => follow({ location }))
          .to.throw()
          .with.property('code', 'E_REDIRECT_TARGET'));
    }
    for (const location of [undefined, ''])
      it(`${location === '' ? 'an empty' : 'a missing'} Location is no redirect`, () =>
        expect(follow({ location })).to.equal(null));
  });

  it('ends after maxRedirects', () => {
    expect(follow({ location: '/b', redirects: 9 })).to.include({ path: '/b' });
    expect(() => follow({ location: '/b', redirects: 10 }))
      .to.throw()
      .with.property('code', 'E_REDIRECT_LOOP');
  });

  it('F61 leaves credentials behind at another origin: host, port or scheme', () => {
    const secrets = ['Authorization', 'Cookie'];
    for (const location of ['http://two.test/', 'http://one.test:8080/', 'https://one.test/']) {
      const { fields, extra } = follow({ location, extra: ['authorization', 'Basic y', 'cookie', 'c=d'] });
      expect(
        fields.filter((name) => secrets.includes(name)),
        location,
      ).to.deep.equal([]);
      expect(fields).to.include('X-Own');
      expect(extra).to.equal(null);
    }
    const same = follow({ location: 'http://one.test/b', extra: ['authorization', 'Basic y', 'cookie', 'c=d'] });
    expect(same.fields).to.include.members(secrets);
    expect(same.extra, 'the jar gives cookies anew').to.deep.equal(['authorization', 'Basic y']);
  });
});

import { expect } from 'chai';

import { NamedOrigins } from '../../../../lib/core/flow/origins.js';
import { createEndpoints } from '../../../../lib/core/http/endpoint.js';
import redirects from '../../../../lib/core/iteration/session/redirects.js';
import { hide } from '../../../../lib/core/text/mask.js';

const endpointOf = createEndpoints();
const FIELDS = ['Authorization', 'Basic x', 'Cookie', 'a=b', 'Content-Type', 'text/plain', 'X-Own', '1'];

/** The session after the response to a request to http://one.test/dir/a?x=1. */
function sessionAfter({
  method = 'GET',
  status = 302,
  location,
  followed = 0,
  body = null,
  extra = null,
  kept = null,
  returned = [],
  mayFollow = null,
  sendsReferer = true,
  from = 'http://one.test/',
  fields = FIELDS,
  runSecrets = null,
}) {
  const request = {
    endpoint: endpointOf(new URL(from), {}),
    method,
    path: '/dir/a?x=1',
    fields,
    extra,
    body,
  };
  const session = {
    run: { endpointOf },
    rules: { maxRedirects: 10, mayFollow, sendsReferer, runSecrets },
    bodies: { free: (bytes) => returned.push(bytes) },
    own: request,
    next: null,
    redirects: followed,
    isElsewhere: false,
  };
  redirects.after(
    request,
    { statusCode: status, headers: location === undefined ? {} : { location }, body: kept },
    session,
  );
  return session;
}

/** The request that follows, null if none does. */
const follow = (options) => sessionAfter(options).next;

describe('iteration/session/redirects', () => {
  describe('the Referer', () => {
    const refererAfter = (options) => {
      const { fields } = follow({ location: '/b', ...options });
      const at = fields.findIndex((name, i) => i % 2 === 0 && name.toLowerCase() === 'referer');
      return at < 0 ? undefined : fields[at + 1];
    };
    const own = ['Referer', 'http://mine.test/'];
    const rows = [
      [{}, 'http://one.test/dir/a?x=1', 'the same origin learns the whole URL'],
      [{ fields: own }, 'http://one.test/dir/a?x=1', 'it replaces that of the operation, as in 1.2.4'],
      [{ location: 'http://two.test/' }, 'http://one.test/', 'another origin learns the origin alone'],
      [{ from: 'https://one.test/', location: 'http://one.test/' }, undefined, 'nothing from https to http'],
      [{ sendsReferer: false }, undefined, 'none with removeRefererHeader'],
      [{ sendsReferer: false, fields: own }, own[1], 'that of the operation stays with removeRefererHeader'],
    ];
    for (const [options, expected, why] of rows) it(why, () => expect(refererAfter(options)).to.equal(expected));
  });

  describe('a function that decides', () => {
    it('gets the response, and returns whether the redirect is followed', () => {
      const asked = [];
      const mayFollow = ({ statusCode, headers }) => {
        asked.push(`${statusCode} ${headers.location}`);
        return headers.location === '/yes';
      };
      expect(follow({ location: '/yes', mayFollow })).to.include({ path: '/yes' });
      expect(follow({ location: '/no', mayFollow })).to.equal(null);
      follow({ status: 200, location: '/yes', mayFollow });
      expect(asked).to.deep.equal(['302 /yes', '302 /no']);
    });

    it('that returns a promise is an error, as the promise would be true', () => {
      for (const mayFollow of [async () => false, () => Promise.reject(new Error('no'))])
        expect(() => follow({ location: '/b', mayFollow })).to.throw(
          'followRedirect: the function returned a promise: return true or false',
        );
    });

    it('that throws is an error of kind hook, under its name', () => {
      const mayFollow = () => {
        throw new Error('boom');
      };
      expect(() => follow({ location: '/b', mayFollow }))
        .to.throw('followRedirect: boom')
        .with.property('kind', 'hook');
    });
  });

  describe('F63 the method and the body (RFC 9110 15.4)', () => {
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

  describe('F60 the target (RFC 3986)', () => {
    const rows = [
      ['/b', 'http://one.test/b'],
      ['b', 'http://one.test/dir/b'],
      ['../b', 'http://one.test/b'],
      ['?q=1', 'http://one.test/dir/a?q=1'],
      ['#frag', 'http://one.test/dir/a?x=1'],
      ['//two.test/b', 'http://two.test/b'],
      ['https://two.test:8443/b', 'https://two.test:8443/b'],
      ['/\xc3\xa9', 'http://one.test/%C3%A9'],
      ['http://\xc3\xa9.test/', 'http://xn--9ca.test/'],
      ['/caf\xe9', 'http://one.test/caf%E9'],
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

  it('is needed unless redirects are not followed', () => {
    expect([0, 1].map((maxRedirects) => redirects.needed({ maxRedirects }))).to.deep.equal([false, true]);
  });

  it('releases the memory of the body of a redirect', () => {
    const returned = [];
    follow({ location: '/b', kept: Buffer.alloc(7), returned });
    follow({ status: 200, kept: Buffer.alloc(9), returned });
    expect(returned).to.deep.equal([7]);
  });

  it('remembers that a redirect led to another origin', () => {
    const isElsewhere = (location) => sessionAfter({ location }).isElsewhere;
    expect(['/b', 'http://two.test/'].map(isElsewhere)).to.deep.equal([false, true]);
  });

  it('throws after maxRedirects', () => {
    expect(sessionAfter({ location: '/b', followed: 9 })).to.include({ redirects: 10 });
    expect(() => follow({ location: '/b', followed: 10 }))
      .to.throw()
      .with.property('code', 'E_REDIRECT_LOOP');
  });

  it('F61 sends no credentials to another origin: host, port or scheme', () => {
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
    expect(same.extra, 'the other middleware adds cookies and credentials again').to.equal(null);
  });

  describe('a redirect from https to http gets the credentials of the run', () => {
    for (const [names, expected, title] of [
      [{ vars: { host: 'two.test' } }, false, 'not if the flow names the host alone'],
      [{ credentialsFor: ['two.test'] }, false, 'nor if the command names the host alone'],
      [{ vars: { url: 'http://two.test' } }, true, 'if the flow names the scheme'],
    ])
      it(title, () => {
        const runSecrets = { fields: new Set(['authorization']), origins: new NamedOrigins(names) };
        const after = (from) => sessionAfter({ from, location: 'http://two.test/', runSecrets });
        const { next, isUntrusted } = after('https://one.test/');
        expect([next.fields.includes('Authorization'), isUntrusted]).to.deep.equal([expected, !expected]);
        expect(after('http://one.test/').next.fields).to.include('Authorization');
      });
  });

  it('X68 fields that are secret by their values are not sent to another origin', () => {
    hide('value of the environment');
    const secrets = ['X-Bearer', 'Bearer abcd', 'X-Env', 'a value of the environment'];
    const others = ['Accept', 'a value of the environment', 'X-Own', '1'];
    const fields = [...secrets, ...others];
    const fieldsAfter = (location) => follow({ location, fields, sendsReferer: false }).fields;
    expect(fieldsAfter('http://two.test/')).to.deep.equal(others);
    expect(fieldsAfter('/b')).to.deep.equal(fields);
  });
});

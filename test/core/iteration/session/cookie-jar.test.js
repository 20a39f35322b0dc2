import { expect } from 'chai';
import { CookieJar } from 'tough-cookie';

import { IterationJar, storeOf } from '../../../../lib/core/iteration/session/cookies.js';

const URL = 'http://127.0.0.1/';

describe('IterationJar', () => {
  it('returns values, not promises', () => {
    const jar = new IterationJar(CookieJar);
    expect(jar.setCookie('sid=1; Path=/', URL)).to.include({ key: 'sid', value: '1' });
    jar.setCookie('b=2', URL);
    expect(jar.getCookieString(URL)).to.equal('sid=1; b=2');
    expect(jar.getCookies(URL).map(({ key }) => key)).to.deep.equal(['sid', 'b']);
  });

  it('keeps a cookie without a name, as request.jar() did', () => {
    const jar = new IterationJar(CookieJar);
    jar.setCookie('alone', URL);
    expect(jar.getCookieString(URL)).to.equal('alone');
  });

  for (const at of ['http://a.test/a%20b/c', 'http://a.test/a b/c'])
    it(`compares the encoded path of ${at}, as requests do`, () => {
      const jar = new IterationJar(CookieJar);
      jar.setCookie('default=1', at);
      jar.setCookie('own=1; Path=/a%20b', new globalThis.URL(at));
      expect(jar.getCookies(at).map(({ path }) => path)).to.deep.equal(['/a%20b', '/a%20b']);
      expect(jar.getCookieString('http://a.test/a%2520b')).to.equal('');
    });

  it('throws what tough-cookie throws', () => {
    expect(() => new IterationJar(CookieJar).setCookie('a=1; Domain=example.com', URL)).to.throw(/domain/i);
  });

  it('has the jar of tough-cookie as store; that of tough-cookie is its own', () => {
    const jar = new IterationJar(CookieJar);
    const other = new CookieJar();
    expect(storeOf(jar)).to.be.instanceOf(CookieJar);
    expect(storeOf(other)).to.equal(other);
  });
});

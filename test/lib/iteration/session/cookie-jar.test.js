import { expect } from 'chai';
import { CookieJar } from 'tough-cookie';

import { IterationJar, storeOf } from '../../../../lib/iteration/session/cookie-jars.js';

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

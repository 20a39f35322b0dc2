import { expect } from 'chai';
import fc from 'fast-check';
import * as library from 'tough-cookie';

import { CookieStore } from '../../../../lib/iteration/session/cookie-jars.js';

const { Cookie, CookieJar } = library;

const cookie = (text, domain) => Object.assign(Cookie.parse(text), { domain });
/** as endpoints have them: an IPv6 address without brackets */
const partsOf = (text) => {
  const { protocol, hostname, pathname } = new URL(text);
  return { protocol, hostname: hostname.replace(/[[\]]/g, ''), pathname };
};
/** the cookies of a jar without times */
const timeless = ({ store }) => {
  let all;
  store.getAllCookies(
    (_, cookies) => (all = cookies.map((one) => ({ ...one.toJSON(), creation: 0, lastAccessed: 0 }))),
  );
  return all;
};
const keys = (cookies) => cookies.map(({ key }) => key);

describe('CookieStore', () => {
  it('sends the cookies that the store of tough-cookie sends', () => {
    const host = fc.constantFrom(
      '127.0.0.1',
      'localhost',
      'a.co.uk',
      'x.a.co.uk',
      'y.x.a.co.uk',
      'b.example.com',
      '[::1]',
    );
    const path = fc.constantFrom('/', '/a', '/a/', '/a/b', '/ab', '/%61');
    const url = fc
      .tuple(fc.constantFrom('http', 'https'), host, path)
      .map(([scheme, at, to]) => `${scheme}://${at}${to}`);
    const attribute = fc.constantFrom('Path=/', 'path=/a', 'Path=a', 'Path', 'Secure', 'HttpOnly', 'SameSite=Lax', 'Max-Age=0', 'Max-Age=60', 'Domain=a.co.uk', ' domain=co.uk', 'Domain=example.com', 'Domain=', 'x'); // prettier-ignore
    const line = fc
      .tuple(
        fc.constantFrom('a', 'b', 'c', '', '__Secure-a', '__Host-a'),
        fc.nat(9),
        fc.array(attribute, { maxLength: 3 }),
      )
      .map(([name, value, attributes]) => [`${name}=${value}`, ...attributes].join('; '));
    const step = fc.record({ set: fc.tuple(line, url), get: url });
    fc.assert(
      fc.property(fc.array(step, { minLength: 1, maxLength: 12 }), (steps) => {
        const own = new CookieJar(new CookieStore(), { looseMode: true });
        const other = new CookieJar(undefined, { looseMode: true });
        const fast = new CookieJar(new CookieStore(), { looseMode: true });
        for (const { set, get } of steps) {
          for (const jar of [own, other]) jar.setCookieSync(...set, { ignoreError: true });
          const [text, at] = set;
          if (!fast.store.accept(text, partsOf(at), library)) fast.setCookieSync(...set, { ignoreError: true });
          const expected = other.getCookieStringSync(get);
          for (const jar of [own, fast]) {
            expect(jar.store.fieldFor(partsOf(get), library)).to.be.oneOf([expected, null]);
            expect(jar.getCookieStringSync(get)).to.equal(expected);
          }
          expect(timeless(fast)).to.deep.equal(timeless(own));
        }
      }),
    );
  });

  describe('accept', () => {
    const AT = 'http://h.example/a/b';
    const accepts = (line, url = AT, store = new CookieStore()) => store.accept(line, partsOf(url), library);

    it('stores what the jar would store', async () => {
      const store = new CookieStore();
      expect(accepts('a=1; HttpOnly', AT, store)).to.equal(true);
      const jar = new CookieJar(new CookieStore());
      jar.setCookieSync('a=1; HttpOnly', AT);
      const [own] = await store.getAllCookies();
      expect(own).to.include({ domain: 'h.example', hostOnly: true, path: '/a', pathIsDefault: true, httpOnly: true });
      expect(own.lastAccessed).to.equal(own.creation);
      expect(timeless({ store })).to.deep.equal(timeless(jar));
    });

    it('keeps the first creation of a cookie, and its place among those of the same time', async () => {
      const store = new CookieStore();
      for (const line of ['a=1', 'b=1', 'a=2']) accepts(line, AT, store);
      expect(store.fieldFor(partsOf(AT), library)).to.equal('a=2; b=1');
    });

    for (const [what, line, url] of [
      ['it has a domain', 'a=1; Domain=h.example', AT],
      ['it is Secure, and the connection is not', 'a=1; Secure', AT],
      ['its name has a prefix that demands attributes', '__Host-a=1; Secure; Path=/', 'https://h.example/'],
      ['the path is encoded', 'a=1', 'http://h.example/%78'],
      ['the name of the host begins with a dot', 'a=1', 'http://.h.example/'],
    ]) {
      it(`leaves a cookie to the jar if ${what}`, async () => {
        const store = new CookieStore();
        expect(accepts(line, url, store)).to.equal(false);
        expect(await store.getAllCookies()).to.deep.equal([]);
      });
    }
  });

  describe('fieldFor', () => {
    const LINES = ['a=1; Path=/x', 'b=2; Path=/', 'c=3; Domain=h.example; Path=/', 'd=4; Path=/y'];
    const storeWith = (...lines) => {
      const jar = new CookieJar(new CookieStore());
      for (const line of lines) jar.setCookieSync(line, 'https://h.example/');
      return jar.store;
    };
    const fieldFor = (store, url) => store.fieldFor(partsOf(url), library);

    it('writes the cookies of the host, or of the domain above it, and the path, longest path first', () => {
      const store = storeWith(...LINES);
      expect(fieldFor(store, 'http://h.example/x')).to.equal('a=1; b=2; c=3');
      expect(fieldFor(store, 'http://sub.h.example/x')).to.equal('c=3');
      expect(fieldFor(store, 'http://other.example/x')).to.equal('');
    });

    it('counts Max-Age from the last access, as the jar does', async () => {
      const store = storeWith('a=1; Max-Age=60');
      const [kept] = await store.getAllCookies();
      kept.lastAccessed = new Date(Date.now() - 59_000);
      expect(fieldFor(store, 'http://h.example/')).to.equal('a=1');
      expect(Date.now() - kept.lastAccessed).to.be.below(58_000);
    });

    for (const [what, lines, url] of [
      ['a cookie has expired', ['a=1; Max-Age=0'], 'http://h.example/'],
      ['a cookie is Secure, and the connection is not', ['a=1; Secure'], 'http://h.example/'],
      ['the path is encoded', ['a=1'], 'http://h.example/%78'],
      ['the name of the host begins with a dot', ['a=1'], 'http://.h.example/'],
    ]) {
      it(`leaves it to the jar if ${what}`, () => {
        expect(fieldFor(storeWith(...lines), url)).to.equal(null);
      });
    }

    it('writes a Secure cookie where TLS is used, also for a WebSocket', () => {
      for (const scheme of ['https', 'wss'])
        expect(fieldFor(storeWith('a=1; Secure'), `${scheme}://h.example/`)).to.equal('a=1');
    });
  });

  it('removes an expired cookie while the jar reads the list', () => {
    const store = new CookieStore();
    const jar = new CookieJar(store);
    for (const text of ['a=1; Max-Age=0', 'b=2', 'c=3']) jar.setCookieSync(text, 'http://localhost/');
    expect(jar.getCookieStringSync('http://localhost/')).to.equal('b=2; c=3');
    expect(keys(jar.serializeSync().cookies)).to.deep.equal(['b', 'c']);
  });

  it('keeps one cookie of a domain, a path and a name, and the first creation', () => {
    const jar = new CookieJar(new CookieStore());
    const set = (text) => jar.setCookieSync(text, 'http://localhost/a/b');
    const first = set('a=1');
    set('a=2; Path=/');
    expect(set('a=3').creation).to.equal(first.creation);
    expect(jar.getCookieStringSync('http://localhost/a/b')).to.equal('a=3; a=2');
  });

  it('removes the cookies of a domain, of a path of it, and all of them', async () => {
    const store = new CookieStore();
    await store.putCookie(cookie('a=1; Path=/', 'one'));
    await store.putCookie(cookie('b=1; Path=/x', 'one'));
    await store.putCookie(cookie('c=1; Path=/', 'two'));
    await store.removeCookies('one', '/x');
    expect(keys(await store.getAllCookies())).to.deep.equal(['a', 'c']);
    await store.removeCookies('one', null);
    expect(keys(await store.getAllCookies())).to.deep.equal(['c']);
    expect(await store.findCookie('two', '/', 'c')).to.include({ key: 'c' });
    await store.removeCookie('two', '/', 'other');
    expect(keys(await store.findCookies('two', '/'))).to.deep.equal(['c']);
    await store.removeAllCookies();
    expect(await store.getAllCookies()).to.deep.equal([]);
  });

  it('serves the methods of tough-cookie that return promises', async () => {
    const jar = new CookieJar(new CookieStore());
    await jar.setCookie('a=1', 'http://localhost/');
    expect(await jar.getCookieString('http://localhost/')).to.equal('a=1');
    const copy = await jar.clone(new CookieStore());
    await jar.removeAllCookies();
    expect(await jar.getCookies('http://localhost/')).to.deep.equal([]);
    expect(keys(await copy.getCookies('http://localhost/'))).to.deep.equal(['a']);
  });
});

import { expect } from 'chai';
import * as library from 'tough-cookie';

import { CookieStore } from '../../../../lib/core/iteration/session/cookie-store.js';
import fc from '../../../support/fast-check.js';

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
  store.getAllCookies((_, cookies) => (all = cookies));
  return all.map((one) => ({ ...one.toJSON(), creation: 0, lastAccessed: 0, expires: one.expires !== 'Infinity' }));
};
/** as RFC 6265bis 5.7 wants: tough-cookie removes an expired cookie when it would send it, and keeps its place until then */
const evictExpired = ({ store }) =>
  store.getAllCookies((_, cookies) => {
    for (const { domain, path, key } of cookies.filter((one) => one.expiryTime() <= Date.now()))
      store.removeCookie(domain, path, key, () => {});
  });
const keys = (cookies) => cookies.map(({ key }) => key);

describe('CookieStore', () => {
  it('an expired cookie is not there for any method, and a cookie of http: replaces an expired Secure one', () => {
    const store = new CookieStore();
    const all = () => {
      let found;
      store.getAllCookies((_, cookies) => (found = cookies));
      return found;
    };
    store.receive('a=1; Secure; Max-Age=60', partsOf('https://a.test/'), library);
    store.receive('a=2', partsOf('http://a.test/'), library);
    expect(all().map(({ value }) => value)).to.deep.equal(['1']);
    all()[0].expires = new Date(0);
    store.receive('a=3', partsOf('http://a.test/'), library);
    expect(all().map(({ value }) => value)).to.deep.equal(['3']);
    all()[0].expires = new Date(0);
    store.findCookie('a.test', '/', 'a', (_, cookie) => expect(cookie).to.equal(undefined));
    store.receive('b=1', partsOf('http://a.test/'), library);
    all()[0].expires = new Date(0);
    expect(all()).to.deep.equal([]);
  });

  it('sends the cookies that tough-cookie sends, where that follows RFC 6265bis', () => {
    const host = fc.constantFrom(
      '127.0.0.1',
      'localhost',
      'a.co.uk',
      'x.a.co.uk',
      'y.x.a.co.uk',
      'b.example.com',
      '[::1]',
    );
    const path = fc.constantFrom('/', '/a', '/a/', '/a/b', '/ab');
    const at = fc.tuple(host, path).map((parts) => parts.join(''));
    const attribute = fc.constantFrom('Path=/', 'path=/a', 'Path=a', 'Path', 'Secure', 'HttpOnly', 'SameSite=Lax', 'Max-Age=0', 'Max-Age=60', 'Domain=a.co.uk', ' domain=co.uk', 'Domain=example.com', 'x', ''); // prettier-ignore
    const line = fc
      .tuple(
        fc.constantFrom('a', 'b', 'c', '', '__Secure-a', '__Host-a'),
        fc.nat(9),
        fc.array(attribute, { maxLength: 3 }),
      )
      // tough-cookie takes a cookie with Domain and one without for the same one
      .map(([name, value, attributes]) => {
        const hasDomain = attributes.some((one) => /domain/i.test(one));
        return [`${name}${hasDomain ? 'd' : ''}=${value}`, ...attributes].join('; ');
      });
    const step = fc.record({ set: fc.tuple(line, at), get: at });
    // tough-cookie lets http: replace Secure cookies
    const scheme = fc.constantFrom('http://', 'https://');
    fc.assert(
      fc.property(scheme, fc.array(step, { minLength: 1, maxLength: 12 }), (protocol, steps) => {
        const hooks = new CookieJar(new CookieStore(), { looseMode: true });
        const responses = new CookieJar(new CookieStore(), { looseMode: true });
        const other = new CookieJar(undefined, { looseMode: true });
        for (const { set, get } of steps) {
          const [text, from, to] = [set[0], protocol + set[1], protocol + get];
          for (const jar of [hooks, other]) jar.setCookieSync(text, from, { ignoreError: true });
          evictExpired(other);
          responses.store.receive(text, partsOf(from), library);
          const expected = other.getCookieStringSync(to);
          for (const jar of [hooks, responses]) {
            expect(jar.store.fieldFor(partsOf(to), library)).to.equal(expected);
            expect(jar.getCookieStringSync(to)).to.equal(expected);
          }
          expect(timeless(responses)).to.deep.equal(timeless(hooks));
        }
      }),
      {
        examples: [
          [
            'http://',
            ['a=0; Max-Age=0', 'b=0', 'a=0', 'c=0'].map((text, i) => ({
              set: [text, 'localhost/'],
              get: i < 3 ? '127.0.0.1/' : 'localhost/',
            })),
          ],
        ],
      },
    );
  });

  const AT = partsOf('http://h.example/a/b');
  /** a store with the cookies of Set-Cookie fields */
  const storeOf = (...lines) => {
    const store = new CookieStore();
    for (const line of lines) store.receive(line, AT, library);
    return store;
  };

  it('has what hooks read of a cookie', async () => {
    const [own] = await storeOf('a=1; HttpOnly; SameSite=LAX; Priority=High; x; ').getAllCookies();
    expect(own).to.include({
      key: 'a',
      value: '1',
      domain: 'h.example',
      hostOnly: true,
      path: '/a',
      pathIsDefault: true,
    });
    expect(own).to.include({ httpOnly: true, secure: false, sameSite: 'lax', maxAge: null, expires: 'Infinity' });
    expect(own.extensions).to.deep.equal(['Priority=High', 'x']);
    expect(own.lastAccessed).to.equal(own.creation);
  });

  for (const [who, set] of [
    ['a response', (store) => store.receive('a=1; Max-Age=60', AT, library)],
    ['a hook', (store) => void new CookieJar(store).setCookieSync('a=1; Max-Age=60', 'http://h.example/a/b')],
  ])
    it(`counts the Max-Age of ${who} from the time of storage, not from the last access`, async () => {
      const store = new CookieStore();
      const start = Date.now();
      set(store);
      const [{ expires }] = await store.getAllCookies();
      expect(expires - start).to.be.within(60_000, 120_000);
      expect(store.fieldFor(AT, library)).to.equal('a=1');
      const [kept] = await store.getAllCookies();
      kept.lastAccessed = new Date(start + 50_000);
      expect(kept.expiryTime()).to.equal(Number(expires));
    });

  it('keeps no cookie that has expired', async () => {
    const store = storeOf('a=1', 'b=1', 'a=1; Max-Age=0', 'c=1; Max-Age=-1');
    expect(keys(await store.getAllCookies())).to.deep.equal(['b']);
    const [b] = await store.getAllCookies();
    b.expires = new Date(Date.now() - 1);
    expect(store.fieldFor(AT, library)).to.equal('');
    expect(await store.getAllCookies()).to.deep.equal([]);
  });

  it('keeps 3,000 cookies: those that were sent last', async () => {
    const lines = Array.from({ length: 3000 }, (_, i) => `c${i}=1; Path=/${i}`);
    const store = storeOf(...lines);
    for (const cookie of await store.getAllCookies()) cookie.lastAccessed = new Date(0);
    store.fieldFor({ ...AT, pathname: '/0' }, library);
    store.receive('last=1', AT, library);
    const all = keys(await store.getAllCookies());
    expect(all).to.have.lengthOf(3000);
    expect(all).to.include.members(['c0', 'c2', 'last']).and.not.include('c1');
  });

  it('at 3,000 cookies removes those that have expired first', async () => {
    const store = storeOf(...Array.from({ length: 3000 }, (_, i) => `c${i}=1`));
    const all = await store.getAllCookies();
    for (const cookie of all.slice(1000)) cookie.expires = new Date(0);
    store.receive('last=1', AT, library);
    expect(keys(await store.getAllCookies()))
      .to.have.lengthOf(1001)
      .and.include('c0');
  });

  it('removes an expired cookie while the jar reads the list', () => {
    const store = new CookieStore();
    const jar = new CookieJar(store);
    for (const text of ['a=1; Max-Age=0', 'b=2', 'c=3']) jar.setCookieSync(text, 'http://localhost/');
    expect(jar.getCookieStringSync('http://localhost/')).to.equal('b=2; c=3');
    expect(keys(jar.serializeSync().cookies)).to.deep.equal(['b', 'c']);
  });

  it('removes of two cookies that differ in the host-only flag the one that has expired', async () => {
    const store = storeOf('a=1', 'a=2; Domain=h.example');
    const [first] = await store.getAllCookies();
    first.expires = new Date(0);
    expect(new CookieJar(store).getCookieStringSync('http://h.example/a/b')).to.equal('a=2');
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

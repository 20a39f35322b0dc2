import { expect } from 'chai';
import { CookieJar } from 'tough-cookie';

import { readFlow } from '../../../../lib/core/flow/compile.js';
import cookies, { CookieJars } from '../../../../lib/core/iteration/session/cookies.js';
import { MIDDLEWARE } from '../../../../lib/core/iteration/session/index.js';

const AT = 'http://127.0.0.1:8000/';
const GET = { get: AT };
const HOOK = { ...GET, afterHooks: [() => {}] };
const jarsOf = (flow) => CookieJars.open(readFlow(flow).compile({}));

describe('CookieJars', () => {
  const flows = [
    ['one operation', AT, false],
    ['one operation in before, main and after', { before: [GET], main: [GET], after: [{ ...GET, jar: false }] }, false],
    ['two operations', [AT, AT], true],
    ['one of two operations', { oneOf: [AT, AT] }, false],
    ['one of two operations and another', [{ oneOf: [AT, AT] }, AT], true],
    ['two operations, one with jar: false', [AT, { ...GET, jar: false }], false],
    ['two operations of different phases', { main: [GET], afterMain: [GET] }, true],
    ['before and after', { before: [GET], main: [GET], after: [GET] }, true],
    ['a hook', HOOK, true],
    ['a hook of before', { before: [HOOK], main: [GET] }, true],
    ['a hook and jar: false', { ...HOOK, jar: false }, true],
    ['hooks around every operation', { main: [GET], beforeHooks: [() => {}] }, true],
  ];
  for (const [what, flow, areRead] of flows) {
    it(`${what}: a jar is ${areRead ? '' : 'not '}read, except after a redirect`, async () => {
      const jars = await jarsOf(flow);
      expect(jars.areRead).to.equal(areRead);
      const jar = jars.create();
      jar.setCookie('a=1', AT);
      expect(jar.getCookieString(AT)).to.equal('a=1');
    });
  }

  for (const [own, sent] of [
    ['sid=a;x=1', 'sid=a; x=1; y=2'],
    ['', 'sid=b; y=2'],
  ])
    it(`a cookie of the operation replaces that of the jar: '${own}' is sent as '${sent}'`, () => {
      const request = { fields: ['Cookie', own], endpoint: { hostname: 'a.test', protocol: 'http:' }, path: '/' };
      const jars = { runCookies: null, fieldFor: () => 'sid=b; y=2' };
      cookies.before(request, { env: { hasJar: true }, isUntrusted: false, run: { jars } });
      expect(request.fields).to.deep.equal(['Cookie', sent]);
    });

  describe('the cookies of the run', () => {
    const opened = async (origin, cookies, at) => {
      const jars = await CookieJars.open(readFlow([origin, origin]).compile({}), {
        cookies: () => cookies,
        origins: [origin],
      });
      const jar = jars.create({});
      return [jars.fieldFor(jar, at ?? new URL(origin)), jar.getCookieString(origin)];
    };
    for (const [what, origin, cookies, at] of [
      ['an IPv6 address', 'http://[::1]:80', { s: '1' }, { protocol: 'http:', hostname: '::1', pathname: '/' }],
      ['a host name', 'http://a.test', { s: '1' }],
    ])
      it(`are in the jar of ${what}, for requests and hooks`, async () =>
        expect(await opened(origin, cookies, at)).to.deep.equal(['s=1', 's=1']));

    for (const [what, name, value] of [
      ['a prefix that servers may use with Secure only', '__Host-sid', '1'],
      ['more than 4,096 bytes', 's', 'x'.repeat(5000)],
    ])
      it(`may have ${what}`, async () =>
        expect(await opened('http://a.test', { [name]: value })).to.deep.equal(Array(2).fill(`${name}=${value}`)));
  });

  it('the next request of an exchange gets the cookies of a response, though no other can read them', async () => {
    const jars = await jarsOf(AT);
    const request = { endpoint: { hostname: 'a.test', protocol: 'http:' }, path: '/', fields: [], extra: null };
    const session = (next) => ({ env: { hasJar: true, jar: jars.create() }, rules: {}, next, run: { jars } });
    const sentAfter = (one) => {
      cookies.after(request, { statusCode: 401, setCookies: ['s=1'] }, one);
      const sent = { ...request };
      cookies.before(sent, one);
      return sent.extra;
    };
    expect([sentAfter(session({})), sentAfter(session(null))]).to.deep.equal([['cookie', 's=1'], null]);
    const names = MIDDLEWARE.map(({ name }) => name);
    for (const name of ['challenge', 'resend']) expect(names.indexOf(name), name).to.be.below(names.indexOf('cookies'));
  });

  it('a cookie that a hook has set for a host stays, and a field is split without spaces, too', async () => {
    const run = { cookies: () => ({ theme: 'light' }), origins: [] };
    const jars = await CookieJars.open(readFlow(HOOK).compile({}), run);
    const jar = jars.create({});
    jar.setCookie('theme=dark; path=/', AT);
    jar.setCookie('b=1', AT);
    const request = { endpoint: { hostname: '127.0.0.1', protocol: 'http:' }, path: '/', extra: null };
    request.fields = ['Cookie', 'theme=light;a=1;b=2;plain'];
    cookies.before(request, { env: { hasJar: true, jar }, run: { jars } });
    expect(request.fields).to.deep.equal(['Cookie', 'a=1; b=2; plain; theme=dark']);
  });

  it('a jar of a hook decides itself', async () => {
    const jars = await jarsOf(HOOK);
    const jar = new CookieJar();
    jars.store(jar, 'a=1', new URL(AT));
    jars.store(jar, '=', new URL(AT));
    expect(jars.fieldFor(jar, new URL(AT))).to.equal('a=1');
  });
});

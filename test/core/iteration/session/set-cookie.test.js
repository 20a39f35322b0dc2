import { expect } from 'chai';
import { CookieJar } from 'tough-cookie';

import { readFlow } from '../../../../lib/core/flow/compile.js';
import { CookieJars } from '../../../../lib/core/iteration/session/cookies.js';

const H = 'http://a.test/';
const S = 'https://a.test/';
const LOCAL = 'http://localhost/';
const x = (length) => 'x'.repeat(length);
/** UTF-8 as responses have it: latin1, one character per byte */
const bytes = (text) => Buffer.from(text).toString('latin1');
/** as endpoints have them: an IPv6 address without brackets */
const partsOf = (text) => {
  const { protocol, hostname, pathname } = new URL(text);
  return { protocol, hostname: hostname.replace(/[[\]]/g, ''), pathname };
};
const flow = readFlow([H, H]).compile({});
/** The Cookie field of a request after responses with Set-Cookie fields, and what hooks find in the jar. */
async function fieldAfter(from, lines, to, { atOther = [] } = {}) {
  const jars = await CookieJars.open(flow);
  const jar = jars.create({});
  for (const line of lines) jars.store(jar, line, partsOf(from));
  for (const [url, line] of atOther) jars.store(jar, line, partsOf(url));
  return { field: jars.fieldFor(jar, partsOf(to)), seen: jar.getCookieString(to) };
}

/**
 * The sections of RFC 6265bis, each with its steps: [step, a fact, URL that sets, Set-Cookie fields, URL of the next
 * request, its Cookie field]. tough-cookie alone would differ in the rows whose step ends with `*`.
 */
const SECTIONS = {
  '5.6 Set-Cookie': [
    ['1', 'a control character is refused', H, ['a=b\u0001c'], H, ''],
    ['1*', 'DEL is refused', H, ['a=b\u007f'], H, ''],
    ['1*', 'a control character in an attribute is refused', H, ['a=b; x=\u0001'], H, ''],
    ['1*', 'a tab within a value is kept', H, ['a=b\tc'], H, 'a=b\tc'],
    ['1*', 'a tab within a name is kept', H, ['a\tb=c'], H, 'a\tb=c'],
    ['2', 'the first semicolon ends the value', H, ['a=b;'], H, 'a=b'],
    ['3', 'the first = ends the name', H, ['a=b=c; Path=/'], H, 'a=b=c'],
    ['3', 'without = there is no name', H, ['alone; Path=/'], H, 'alone'],
    ['3', 'the name may be empty', H, ['=foo'], H, 'foo'],
    ['3', 'a value without name may have a =', H, ['=foo=bar'], H, 'foo=bar'],
    ['3', 'a value may be =', H, ['=='], H, '='],
    ['4', 'spaces and tabs around name and value are removed', H, ['\t a\t= b '], H, 'a=b'],
    ['4', 'spaces within a name and quotes are kept', H, ['a b="c d"'], H, 'a b="c d"'],
    ['4*', 'the byte A0 at the end of a letter is kept', H, [bytes('a=voilà')], H, bytes('a=voilà')],
    ['4*', 'the byte A0 in front of a name is kept', H, ['\u00a0a=b'], H, '\u00a0a=b'],
    ['5', '4,096 bytes are kept', H, [`a=${x(4095)}`], H, `a=${x(4095)}`],
    ['5', '3,000 bytes of UTF-8 are kept', H, [bytes(`a=${'ж'.repeat(1500)}`)], H, bytes(`a=${'ж'.repeat(1500)}`)],
    ['5*', '4,097 bytes are refused', H, [`a=${x(4096)}`], H, ''],
    ['5*', '4,097 bytes of UTF-8 are refused', H, [bytes(`a=${'ü'.repeat(2048)}`)], H, ''],
  ],
  '5.6 Attributes': [
    ['4', 'Secure may have a value', H, ['a=b; Secure=false'], H, ''],
    ['5', 'names are compared without case', 'http://a.test/d/x', ['a=b; pATH \t=\t /'], H, 'a=b'],
    ['6*', 'a Path of more than 1,024 bytes is ignored', H, [`a=b; Path=/${x(1024)}`], H, 'a=b'],
    ['6*', 'so it is beside a Domain', H, [`a=b; Domain=a.test; Path=/${x(1024)}`], H, 'a=b'],
    ['6', 'attributes named like properties of objects are ignored', H, ['a=b; constructor; __proto__=1'], H, 'a=b'],
  ],
  '5.6.1 Expires': [
    ['1', 'a date in the past deletes', H, ['a=1', 'a=; Expires=Thu, 01-Jan-1970 00:00:01 GMT'], H, ''],
    ['1', 'the year 70 is 1970', H, ['a=1; Expires=Thu, 01-Jan-70 00:00:01 GMT'], H, ''],
    ['1', 'the year 69 is 2069', H, ['a=1; Expires=Thu, 01-Jan-69 00:00:01 GMT'], H, 'a=1'],
    ['1', 'the format of asctime is read', H, ['a=1; Expires=Sun Nov  6 08:49:37 1994'], H, ''],
    ['1', 'full names of months are read', H, ['a=1; Expires=1 January 2000 1:2:3'], H, ''],
    ['1', 'time zones are ignored', H, ['a=1; Expires=Thu Jan 01 1970 00:00:00 GMT+0100 (x)'], H, ''],
    ['2', 'a year before 1601 is no date', H, ['a=1; Expires=Thu, 01 Jan 1600 00:00:00 GMT'], H, 'a=1'],
    ['2', 'a year of three digits is before 1601', H, ['a=1; Expires=01 Jan 200 00:00:00'], H, 'a=1'],
    ['2', '24:00:00 is no time', H, ['a=1; Expires=Thu, 01 Jan 1970 24:00:00 GMT'], H, 'a=1'],
    ['2', '31 February is no date', H, ['a=1; Expires=Thu, 31 Feb 2000 00:00:00 GMT'], H, 'a=1'],
    ['2', '0 and -1 are no dates', H, ['a=1; Expires=0', 'b=1; Expires=-1'], H, 'a=1; b=1'],
    ['3', 'the year 9999 is kept', H, ['a=1; Expires=Fri, 31 Dec 9999 23:59:59 GMT'], H, 'a=1'],
  ],
  '5.6.2 Max-Age': [
    ['1', 'an empty one is ignored', H, ['a=1; Max-Age='], H, 'a=1'],
    ['2', '+1 is ignored', H, ['a=1; Max-Age=+1'], H, 'a=1'],
    ['3', '1e3 and abc are ignored', H, ['a=1; Max-Age=1e3', 'b=1; Max-Age=abc'], H, 'a=1; b=1'],
    ['5', 'a huge one is limited', H, [`a=1; Max-Age=${'9'.repeat(400)}`], H, 'a=1'],
    ['7', '0 and negative numbers delete', H, ['a=1', 'b=1', 'a=; Max-Age=0', 'b=; Max-Age=-1'], H, ''],
  ],
  '5.7 Storage': [
    ['2*', 'neither name nor value is refused', H, ['=', ' = ; Path=/', '', '; a=b', 'a=1'], H, 'a=1'],
    ['2', 'an empty value is kept', H, ['a='], H, 'a='],
    ['6', 'Max-Age wins over Expires', H, ['a=1; Max-Age=100; Expires=Thu, 01 Jan 1970 00:00:00 GMT'], H, 'a=1'],
    ['6', 'the last Max-Age counts', H, ['a=1; Max-Age=0; Max-Age=10'], H, 'a=1'],
    ['7', 'a dot in front of Domain is ignored', 'http://x.a.test/', ['a=1; Domain=.A.TEST'], 'http://y.a.test/', 'a=1'],
    ['7*', 'the last Domain counts: empty', 'http://x.a.test/', ['a=1; Domain=a.test; Domain='], 'http://y.a.test/', ''],
    ['7', 'an empty Domain is none', 'http://x.a.test/', ['a=1; Domain=a.test; Domain'], 'http://x.a.test/', 'a=1'],
    ['7', 'the last Domain counts: another host', H, ['a=1; Domain=a.test; Domain=b.test'], H, ''],
    ['8', 'a Domain beyond ASCII is refused', 'http://x.a.test/', ['a=1; Domain=\u00fc.test'], 'http://x.a.test/', ''],
    ['9*', 'a host of one label may be its Domain', 'http://app/', ['a=1; Domain=app'], 'http://app/', 'a=1'],
    ['9', 'localhost may be its Domain', LOCAL, ['a=1; Domain=localhost'], LOCAL, 'a=1'],
    ['9', 'hosts below localhost are refused', 'http://x.localhost/', ['a=1; Domain=localhost'], 'http://x.localhost/', ''],
    ['9*', 'a public suffix may be its Domain', 'http://github.io/', ['a=1; Domain=github.io'], 'http://github.io/', 'a=1'],
    ['9', 'then hosts below have none', 'http://github.io/', ['a=1; Domain=github.io'], 'http://x.github.io/', ''],
    ['9', 'hosts below a public suffix are refused', 'http://x.github.io/', ['a=1; Domain=github.io'], 'http://x.github.io/', ''],
    ['10', 'a sibling is refused', 'http://x.a.test/', ['a=1; Domain=y.a.test'], 'http://y.a.test/', ''],
    ['10', 'a parent is kept', 'http://x.a.test/', ['a=1; Domain=a.test'], 'http://y.a.test/', 'a=1'],
    ['10', 'without Domain only the host has it', H, ['a=1'], 'http://x.a.test/', ''],
    ['10', 'an IPv4 address may be its Domain', 'http://127.0.0.1/', ['a=1; Domain=127.0.0.1'], 'http://127.0.0.1/', 'a=1'],
    ['10', 'an end of an IPv4 address is refused', 'http://127.0.0.1/', ['a=1; Domain=0.0.1'], 'http://127.0.0.1/', ''],
    ['10*', 'an IPv6 address may be its Domain', 'http://[::1]/', ['a=1; Domain=[::1]'], 'http://[::1]/', 'a=1'],
    ['10', 'brackets are for IPv6', H, ['a=1; Domain=[a.test]'], H, ''],
    ['10', 'an IPv6 address is a host', 'http://[::1]/', ['a=1'], 'http://[::1]/', 'a=1'],
    ['11', 'the last Path counts', H, ['a=1; Path=/x; Path=/y'], 'http://a.test/y', 'a=1'],
    ['11', 'an empty Path is the default', H, ['a=1; Path=/x; Path='], H, 'a=1'],
    ['11', 'a relative Path is the default', 'http://a.test/d/e', ['a=1; Path=x'], 'http://a.test/d/f', 'a=1'],
    ['11', 'the default path is not decoded', 'http://a.test/a%20b/c', ['a=1'], 'http://a.test/a%20b/d', 'a=1'],
    ['13', 'Secure over http is refused', H, ['a=1; Secure'], S, ''],
    ['13', 'Secure over https is kept', S, ['a=1; Secure'], S, 'a=1'],
    ['13', 'http to localhost is secure', LOCAL, ['a=1; Secure'], LOCAL, 'a=1'],
    ['19*', 'SameSite=None needs Secure over http', H, ['a=b; SameSite=None'], H, ''],
    ['19*', 'SameSite=None needs Secure over https', S, ['a=b; SameSite=none'], S, ''],
    ['19', 'SameSite=None with Secure is kept', S, ['a=b; SameSite=None; Secure'], S, 'a=b'],
    ['19', 'other values of SameSite are kept', S, ['a=1; SameSite=Lax', 'b=1; SameSite=x'], S, 'a=1; b=1'],
    ['20*', '__secure- needs Secure', S, ['__Secure-a=1', '__secure-b=1', '__SECURE-c=1'], S, ''],
    ['20', '__Secure- with Secure is kept', S, ['__Secure-a=b; Secure'], S, '__Secure-a=b'],
    ['21', '__Host- with Secure and Path=/ is kept', S, ['__Host-a=b; Secure; Path=/'], S, '__Host-a=b'],
    ['21', '__Host- needs Path', S, ['__Host-a=b; Secure', '__Host-b=b; Secure; Path=/x'], S, ''],
    ['21', '__Host- must not have Domain', S, ['__Host-a=b; Secure; Path=/; Domain=a.test'], S, ''],
    ['21*', '__HOST- is the same', S, ['__HOST-a=b; Secure', '__host-b=b'], S, ''],
    ['22*', 'a value alone must not have a prefix', S, ['=__Host-a=b; Secure; Path=/', '__secure-a'], S, ''],
    ['23', 'the same name, domain and path are one cookie, in its place', H, ['b=1', 'a=1', 'b=2'], H, 'b=2; a=1'],
    ['23*', 'with Domain it is another one', H, ['a=1', 'a=2; Domain=a.test'], H, 'a=1; a=2'],
    ['23*', 'each has its own expiry', H, ['a=1', 'a=2; Domain=a.test', 'a=3; Max-Age=0'], H, 'a=2'],
    ['23', 'those without name are one', H, ['=foo', 'bar'], H, 'bar'],
    ['23', 'nameless is a name', H, ['nameless=1', '2'], H, 'nameless=1; 2'],
  ],
  '5.8.3 Retrieval': [
    ['1', 'another path gets none', 'http://a.test/A', ['a=1; Path=/A'], 'http://a.test/a', ''],
    ['1', 'a path ends at a slash', 'http://a.test/foo', ['a=1; Path=/foo'], 'http://a.test/foobar', ''],
    ['1', 'a slash at the end counts', 'http://a.test/foo/', ['a=1; Path=/foo/'], 'http://a.test/foo', ''],
    ['1*', 'paths are compared encoded', 'http://a.test/a%20b', ['a=1; Path=/a%20b'], 'http://a.test/a%20b', 'a=1'],
    ['1*', 'not decoded', 'http://a.test/a%20b', ['a=1; Path=/a b'], 'http://a.test/a%20b', ''],
    ['1*', 'below, too', 'http://a.test/%C3%A9/x', ['a=1; Path=/%C3%A9'], 'http://a.test/%C3%A9/y', 'a=1'],
    ['1', 'wss is secure', S, ['a=1; Secure'], 'wss://a.test/', 'a=1'],
    ['1', 'http is not', S, ['a=1; Secure', 'b=1'], H, 'b=1'],
    ['2', 'the longest path is first', 'http://a.test/p/q', ['b=1; Path=/', 'c=1; Path=/p', 'a=1; Path=/'], 'http://a.test/p/q', 'c=1; b=1; a=1'],
  ],
}; // prettier-ignore

describe('Set-Cookie', () => {
  for (const [section, rows] of Object.entries(SECTIONS)) {
    describe(`RFC 6265bis ${section}`, () => {
      for (const [step, fact, from, lines, to, expected] of rows) {
        it(`step ${step.replace('*', '')}: ${fact}: ${lines.join(', ').slice(0, 60)}`, async () => {
          const { field, seen } = await fieldAfter(from, lines, to);
          expect(field).to.equal(expected);
          // hooks see in the jar what requests send
          expect(seen).to.equal(expected);
          const other = new CookieJar(undefined, { looseMode: true });
          for (const line of lines) other.setCookieSync(line, from, { ignoreError: true });
          const isSame = other.getCookieStringSync(to) === expected;
          expect(isSame, 'the row has a * if tough-cookie differs').to.equal(!step.endsWith('*'));
        });
      }
    });
  }

  describe('RFC 6265bis 5.7 step 16: http must not replace a Secure cookie', () => {
    const set = (...atOther) => fieldAfter(S, ['a=1; Secure; Path=/login'], 'https://a.test/login/en', { atOther });
    for (const [fact, line, expected] of [
      ['of the same path', 'a=2; Path=/login', 'a=1'],
      ['of a path above', 'a=2; Path=/login/en', 'a=1'],
      ['but may set one of a shorter path', 'a=2; Path=/', 'a=1; a=2'],
      ['of its host by one of a domain', 'a=2; Path=/login; Domain=a.test', 'a=1'],
      ['but may set one of another name', 'b=2; Path=/login', 'a=1; b=2'],
    ])
      it(fact, async () => expect((await set([H, line])).field).to.equal(expected));

    it('of the domain below', async () =>
      expect((await set(['http://x.a.test/', 'a=2; Path=/login; Domain=a.test'])).field).to.equal('a=1'));

    it('https may replace it', async () => expect((await set([S, 'a=2; Path=/login'])).field).to.equal('a=2'));
  });
});

import { expect } from 'chai';
import { Cookie } from 'tough-cookie';

import { readFlow } from '../../../../lib/flow/compile.js';
import { CookieJars, readSetCookie } from '../../../../lib/iteration/session/cookie-jars.js';

const long = (length) => 'x'.repeat(length);

describe('iteration/session/set-cookie', () => {
  for (const [line, name, value] of [
    ['a=b', 'a', 'b'],
    ['a=b=c; Path=/', 'a', 'b=c'],
    [' a = b ', 'a', 'b'],
    ['alone', '', 'alone'],
    ['alone; Path=/', '', 'alone'],
    ['=alone', '', 'alone'],
    ['=foo=bar', '', 'foo=bar'],
    ['a=; Path=/', 'a', ''],
    [`a=${long(4095)}`, 'a', long(4095)],
  ])
    it(`${line.slice(0, 30)} has the name '${name}' and the value '${value.slice(0, 10)}'`, () =>
      expect(readSetCookie(line, Cookie)).to.include({ key: name, value }));

  for (const [what, line] of [
    ['neither name nor value', '='],
    ['neither name nor value, but a path', '=; Path=/'],
    ['spaces alone', ' = ; Path=/'],
    ['nothing', ''],
    ['more than 4,096 bytes', `a=${long(4096)}`],
    ['more than 4,096 bytes in fewer characters', `a=${'ü'.repeat(2048)}`],
    ['no name and a value that looks like a prefix', '=__Host-a=b'],
    ['a control character', 'a=b\u0001c'],
  ])
    it(`a cookie with ${what} is ignored`, () => expect(readSetCookie(line, Cookie)).to.equal(undefined));

  it('an attribute of more than 1,024 bytes is ignored, the cookie and its other attributes are kept', () => {
    const cookie = readSetCookie(`a=b; Path=/${long(1024)}; Secure`, Cookie);
    expect([cookie.value, cookie.path, cookie.secure]).to.deep.equal(['b', null, true]);
  });

  it('a jar sends a nameless cookie as its value, and none that was ignored', async () => {
    const flow = readFlow(['http://a.test/', 'http://a.test/']).compile({});
    const jars = await CookieJars.open(flow);
    const jar = jars.create();
    const url = new URL('http://a.test/');
    for (const line of ['a=b', '=', '=foo=bar', `big=${long(5000)}`, 'c=d']) jars.store(jar, line, url);
    expect(jars.fieldFor(jar, url)).to.equal('a=b; foo=bar; c=d');
    jars.store(jar, '=x=y; Domain=a.test', url);
    expect(jars.fieldFor(jar, url).split('; ')).to.include('x=y');
  });
});

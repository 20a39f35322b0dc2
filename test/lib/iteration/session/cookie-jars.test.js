import { expect } from 'chai';

import { readFlow } from '../../../../lib/flow/compile.js';
import { CookieJars } from '../../../../lib/iteration/session/cookie-jars.js';

const URL = 'http://127.0.0.1:8000/';
const GET = { get: URL };
const HOOK = { ...GET, afterHooks: [() => {}] };
const jarsOf = (flow) => CookieJars.open(readFlow(flow).compile({}));

describe('iteration/session/cookie-jars', () => {
  const flows = [
    ['one operation', URL, false],
    ['one operation in before, main and after', { before: [GET], main: [GET], after: [{ ...GET, jar: false }] }, false],
    ['two operations', [URL, URL], true],
    ['one of two operations', { oneOf: [URL, URL] }, false],
    ['one of two operations and another', [{ oneOf: [URL, URL] }, URL], true],
    ['two operations, one with jar: false', [URL, { ...GET, jar: false }], false],
    ['two operations of different phases', { main: [GET], afterMain: [GET] }, true],
    ['before and after', { before: [GET], main: [GET], after: [GET] }, true],
    ['a hook', HOOK, true],
    ['a hook of before', { before: [HOOK], main: [GET] }, true],
    ['a hook and jar: false', { ...HOOK, jar: false }, true],
    ['hooks around every operation', { main: [GET], beforeEach: [() => {}] }, true],
  ];
  for (const [what, flow, areRead] of flows) {
    it(`${what}: a jar is ${areRead ? '' : 'not '}read, except after a redirect`, async () => {
      const jars = await jarsOf(flow);
      expect(jars.areRead).to.equal(areRead);
      const jar = jars.create();
      jar.setCookie('a=1', URL);
      expect(jar.getCookieString(URL)).to.equal('a=1');
    });
  }
});

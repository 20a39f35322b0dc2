import { expect } from 'chai';

import { targetText } from '../../../lib/core/report/rows.js';

describe('the target in words', () => {
  for (const [run, expected] of [
    [{ origins: [] }, ''],
    [{ origins: ['http://a', 'http://b'] }, ' against http://a, http://b'],
    [{ origins: ['http://a'], proxies: [] }, ' against http://a'],
    [
      { origins: ['http://a'], proxies: ['http://p (HTTP_PROXY)'] },
      ' against http://a through the proxy http://p (HTTP_PROXY)',
    ],
    [{ origins: [], proxies: ['http://p', 'http://q'] }, ' through the proxy http://p, http://q'],
  ])
    it(`${JSON.stringify(run)} is "${expected}"`, () => expect(targetText(run)).to.equal(expected));
});

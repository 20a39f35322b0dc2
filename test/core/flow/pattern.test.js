import { expect } from 'chai';

import { compilePattern } from '../../../lib/core/flow/pattern.js';

describe('flow/pattern', () => {
  for (const [pattern, text, found] of [
    [/page=(\d+)/, 'a?page=42&page=43', ['page=42', '42']],
    ['page=(\\d+)', 'page=42', ['page=42', '42']],
    [/(?<name>a)(x)?/i, 'A', ['A', 'A', null]],
    [/^b$/m, 'a\nb\nc', ['b']],
    [/a.b/s, 'a\nb', ['a\nb']],
    [/\u00e9+/u, 'éé', ['éé']],
    [/a/g, 'b', null],
  ])
    it(`${pattern} finds ${JSON.stringify(found)} in ${JSON.stringify(text)}`, () => {
      const { find } = compilePattern(pattern);
      expect([find(text), find(text)]).to.deep.equal([found, found]);
    });

  for (const [pattern, reason] of [
    ['[', 'is malformed: error parsing regexp'],
    [/(?=a)b/, 'has a lookahead, a lookbehind or a backreference'],
    [/(?<!a)b/, 'has a lookahead, a lookbehind or a backreference'],
    [/(a)\1/, 'has a lookahead, a lookbehind or a backreference'],
    ['(a{1,100}){1,100}', 'is malformed'],
    [new RegExp('[a--b]', 'v'), 'has the flag v, whose sets of characters RE2 does not know: write it with u'],
    ['a'.repeat(1001), 'is longer than 1000 characters'],
  ])
    it(`${String(pattern).slice(0, 20)} is refused`, () => expect(() => compilePattern(pattern)).to.throw(reason));

  it('the time of a match is linear: RegExp would try out more ways than can ever be tried', () => {
    const evil = `${'a'.repeat(5000)}b`;
    for (const pattern of [/^(a+)+$/, /^(a|aa)+$/, /(a*)*c/]) expect(compilePattern(pattern).find(evil)).to.equal(null);
  });
});

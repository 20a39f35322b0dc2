import { expect } from 'chai';

import {
  TOKEN,
  firstWord,
  hasToken,
  hasTokenInPattern,
  parseUse,
  refuseConversion,
} from '../../../../lib/core/flow/tokens/index.js';

describe('flow/tokens: uses', () => {
  for (const [source, use] of [
    ['a', { name: 'a' }],
    ['a.b-c.d', { name: 'a', member: 'b-c.d' }],
    ['a(1, é)', { name: 'a', argument: '1, é' }],
    ['a.b(c):json', { name: 'a', member: 'b', argument: 'c', conversion: 'json' }],
    ['a:number', { name: 'a', conversion: 'number' }],
  ])
    it(`${source} is a use of ${use.name}`, () =>
      expect(JSON.parse(JSON.stringify(parseUse(source)))).to.deep.equal(use));

  for (const source of ['', 'a b', 'a(', 'a:', 'a:b:c', ':text', 'a("b")', 'a.'])
    it(`${JSON.stringify(source)} is malformed`, () => expect(parseUse(source)).to.equal(null));

  it('a token is written with braces or angle brackets', () => {
    const uses = Array.from('#{a} #<b(1)> #{c #<d} #e'.matchAll(TOKEN), ([, braced, angled]) => braced ?? angled);
    expect(uses).to.deep.equal(['a', 'b(1)']);
  });

  it('a text seems to have a token if a name follows the bracket', () => {
    const patterns = ['a#{INDEX}', '#<b>', 'a#{2}', '#{2,3}', '#'];
    expect(patterns.map(hasTokenInPattern)).to.deep.equal([true, true, false, false, false]);
    expect(['/#{a', '/#<b>', '/#a', '/#{ }'].map(hasToken)).to.deep.equal([true, true, false, false]);
  });

  it('the first word of a malformed token can be read', () => {
    expect([firstWord('INDEX(7'), firstWord(' a')]).to.deep.equal(['INDEX', '']);
  });

  for (const [conversion, reason] of [
    ['numbr', 'has the unknown conversion numbr, did you mean number?'],
    ['date', 'has the unknown conversion date: use number, text, json'],
    ['text', undefined],
    [undefined, undefined],
  ])
    it(`the conversion ${conversion} is ${reason ? 'refused' : 'known'}`, () =>
      expect(refuseConversion({ name: 'a', conversion })).to.equal(reason));
});

import { expect } from 'chai';

import { codeFrame, faultDetails, maskCode, positionOf } from '../../../lib/core/text/code-frame.js';
import { itSlow } from '../../support/slow.js';

describe('text/code-frame', () => {
  for (const [text, offset, expected, why] of [
    ['abc', 0, { line: 1, column: 1, code: 'abc' }, 'the first character is 1:1'],
    ['a\nbc', 3, { line: 2, column: 2, code: 'bc' }, 'LF ends a line'],
    ['a\r\nbc', 4, { line: 2, column: 2, code: 'bc' }, 'CR LF ends one line'],
    ['a\rb', 2, { line: 2, column: 1, code: 'b' }, 'CR ends a line'],
    ['a\n', 2, { line: 2, column: 1, code: '' }, 'the end of the text is a position'],
  ])
    it(why, () => expect(positionOf(text, offset)).to.deep.equal(expected));

  for (const [code, shown] of [
    [
      `const apiKey = 'abc', o = { password: "d\\"e", x: 'f' };`,
      `const apiKey = '***', o = { password: "****", x: 'f' };`,
    ],
    [`{"x-api-key":"abc","a":"b"}`, `{"x-api-key":"***","a":"b"}`],
    [
      `headers: { 'x-api-key': 'abc', authorization: \`Bearer abc\` }`,
      `headers: { 'x-api-key': '***', authorization: \`**********\` }`,
    ],
    ['  password: p.w!d 1', '  password: *******'],
    [`token: 'cut of`, `token: '******`],
    ['password: process.env.PASSWORD', 'password: process.env.PASSWORD'],
    ['const token = tokenOf(all);', 'const token = tokenOf(all);'],
    ['if (token == 5) return { token, a: 1 };', 'if (token == 5) return { token, a: 1 };'],
  ])
    it(`X1 secrets in a line are hidden, and columns stay: ${code}`, () => expect(maskCode(code)).to.equal(shown));

  itSlow('X10 a line without spaces takes linear time', () => {
    for (const piece of ['a', 'a:', 'key:"', `key:'"`, 'key=', 'key: ', 'key:,', "'key'"])
      expect(maskCode(piece.repeat(300_000))).to.be.a('string');
  });

  it('the caret is below the column', () => expect(codeFrame('get: x', 6)).to.equal('  get: x\n       ^'));

  it('tabs before the column are kept, so that the caret is aligned', () =>
    expect(codeFrame('\ta b', 4, '')).to.equal('\ta b\n\t  ^'));

  it('the width can be smaller', () => expect(codeFrame('0123456789', 7, '', 4)).to.equal('5678\n ^'));

  it('a long line is truncated around the column', () => {
    const [code, caret] = codeFrame(`${'a'.repeat(500)}X${'b'.repeat(500)}`, 501).split('\n');
    expect(code).to.have.length(102);
    expect(code[caret.indexOf('^')]).to.equal('X');
  });

  it('an error has a path with line and column, a reason and a frame', () =>
    expect(faultDetails('x.json', '{\n  a', { offset: 4, reason: 'no' })).to.deep.equal({
      path: 'x.json:2:3',
      reason: 'no',
      cure: 'correct this line:\n    a\n    ^',
    }));

  it('a long reason is truncated', () =>
    expect(faultDetails('x', 'y', { offset: 0, reason: 'r'.repeat(1000) }).reason).to.have.length(301));
});

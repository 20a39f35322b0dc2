import { expect } from 'chai';

import { mergeCookies, readCookies } from '../../../lib/core/http/field-values.js';

describe('cookie-values', () => {
  for (const [given, cookies] of [
    ['a=b', { a: 'b' }],
    ['a=', { a: '' }],
    ['a=b=c', { a: 'b=c' }],
    ['a=1; b=2;c=3', { a: '1', b: '2', c: '3' }],
    [['a=1', 'b=2'], { a: '1', b: '2' }],
    [
      { a: 1, b: '#{INDEX}' },
      { a: '1', b: '#{INDEX}' },
    ],
  ])
    it(`${JSON.stringify(given)} is ${JSON.stringify(cookies)}`, () =>
      expect(readCookies(given)).to.deep.equal(cookies));

  for (const given of [
    'a',
    '',
    '=b',
    'http://h/?a=b',
    'a=b\r\n',
    [7],
    7,
    null,
    {},
    [],
    { a: 'b;c' },
    { 'a b': 'c' },
    { a: {} },
  ])
    it(`${JSON.stringify(given)} is refused`, () => expect(readCookies(given)).to.equal(undefined));

  it('a stronger layer wins name by name', () => {
    expect(mergeCookies('a=1; b=1', { b: 2 })).to.deep.equal({ a: '1', b: '2' });
    expect(mergeCookies('a=1', 'nothing')).to.equal('nothing');
  });
});

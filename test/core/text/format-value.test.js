import { expect } from 'chai';

import { anyText, typeName, formatValue, listOf } from '../../../lib/core/text/format-value.js';

const endless = {};
endless.endless = endless;

describe('text/format-value', () => {
  it('any value becomes a text, also one whose member toString is no function', () =>
    expect([{ toString: {} }, [{ toString: 1 }], Object.create(null), null, ['a'], 7].map(anyText)).to.deep.equal([
      'an object',
      'an array',
      'an object',
      'null',
      'a',
      '7',
    ]));

  const rows = [
    ['a string', '5x', '"5x"'],
    ['an empty string', '', '""'],
    ['a number', -1, '-1'],
    ['NaN', NaN, 'NaN'],
    ['null', null, 'null'],
    ['nothing', undefined, 'undefined'],
    ['an array', ['30s:x'], '["30s:x"]'],
    ['a text of JSON with a secret', '{"token":"CANARY"}', '"{\\"token\\":\\"***\\"}"'],
    ['an object', { a: 1 }, '{"a":1}'],
    ['an object without a prototype', Object.assign(Object.create(null), { a: 1 }), '{"a":1}'],
    ['a circular object', endless, 'an object'],
    ['an object with a BigInt', { a: 1n }, 'an object'],
    [
      'an object whose toJSON throws',
      {
        toJSON() {
          throw new Error('no');
        },
      },
      'an object',
    ],
    ['a BigInt', 1n, 'a bigint'],
    ['a symbol', Symbol('x'), 'a symbol'],
    ['a function', () => {}, 'a function'],
    ['a Date', new Date(0), 'a Date'],
    ['a Map', new Map(), 'a Map'],
    ['an object with an invalid constructor', { constructor: 7 }, '{"constructor":7}'],
    [
      'a Proxy that throws',
      new Proxy(
        {},
        {
          get() {
            throw new Error('no');
          },
        },
      ),
      'an object',
    ],
    ['an object whose toJSON returns undefined', { toJSON() {} }, 'an object'],
    ['a secret', { password: 'x' }, '{"password":"***"}'],
    ['a long string', 'x'.repeat(1e6), `"${'x'.repeat(99)}…`],
    ['a secret at the end of a long string', `http://${'x'.repeat(80)}:secret@h/`, '"http://***@h/"'],
  ];
  for (const [what, value, text] of rows)
    it(`${what} is ${text.slice(0, 20)}`, () => expect(formatValue(value)).to.equal(text));

  const kinds = [
    ['secret', 'a string'],
    [7, '7'],
    [true, 'true'],
    [null, 'null'],
    [[1], 'an array'],
    [{}, 'an object'],
    [new Error('x'), 'an Error'],
    [Object.create(null), 'an object'],
    [Buffer.from('x'), 'a Buffer'],
  ];
  it('a list shows its first texts, and that there are more', () => {
    expect(listOf(['a', 'b'], 2)).to.equal('a, b');
    expect(listOf(['a', 'b', 'c'], 2)).to.equal('a, b, …');
    expect(listOf(['a'], 2, 5)).to.equal('a, …');
  });

  for (const [value, kind] of kinds) it(`the type name is ${kind}`, () => expect(typeName(value)).to.equal(kind));
});

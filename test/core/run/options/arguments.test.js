import { expect } from 'chai';

import { areArguments, mergeArguments, readArguments } from '../../../../lib/core/run/options/requests.js';

describe('arguments of a flow', () => {
  const texts = [
    ['a=1', { a: '1' }],
    [['a=1', 'b.c-d='], { a: '1', 'b.c-d': '' }],
    [['a=b=c\nd'], { a: 'b=c\nd' }],
    [['a=1', 'a=2'], { a: '2' }],
  ];
  for (const [given, args] of texts)
    it(`${JSON.stringify(given)} is read`, () => expect(readArguments(given)).to.deep.equal(args));

  it('an object stays as it is', () => {
    const args = { a: 1, b: false, c: 'x' };
    expect(readArguments(args)).to.equal(args);
    expect(areArguments(args)).to.equal(true);
  });

  for (const given of ['a', ['=1'], ['a b=1'], ['a=1', 'b'], [1], 5, { 'a b': 1 }, { a: {} }, { a: null }, null])
    it(`${JSON.stringify(given)} is refused`, () => expect(areArguments(readArguments(given))).to.equal(false));

  it('__proto__ is an ordinary name', () => {
    const args = readArguments('__proto__=1');
    expect(Object.entries(args)).to.deep.equal([['__proto__', '1']]);
    expect(Object.entries(mergeArguments({ a: 1 }, args))).to.deep.equal([
      ['a', 1],
      ['__proto__', '1'],
    ]);
  });

  it('the stronger of two layers wins name by name', () => {
    expect(mergeArguments({ a: 1, b: 1 }, ['b=2'])).to.deep.equal({ a: 1, b: '2' });
    expect(mergeArguments({ a: 1 }, 5)).to.equal(5);
  });
});

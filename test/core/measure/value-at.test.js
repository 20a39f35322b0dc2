import { expect } from 'chai';

import { setAt, valueAt } from '../../../lib/core/measure/figures.js';

describe('measure/figures: paths', () => {
  it('a path leads through objects, and to undefined where one is missing', () => {
    expect(valueAt({ a: { b: { c: 1 } } }, 'a.b.c')).to.equal(1);
    expect(valueAt({ a: null }, 'a.b.c')).to.equal(undefined);
  });

  it('setting a value makes the missing objects and keeps the others', () => {
    const object = { a: { x: 1 } };
    setAt(object, 'a.b.c', 2);
    setAt(object, 'd', 3);
    expect(object).to.deep.equal({ a: { x: 1, b: { c: 2 } }, d: 3 });
  });
});

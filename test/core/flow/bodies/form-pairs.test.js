import { expect } from 'chai';

import { encodePairs } from '../../../../lib/core/flow/bodies/form.js';

describe('pairs of a form', () => {
  const rows = [
    [{}, '', 'no values are an empty text'],
    [{ a: 1, b: true }, 'a=1&b=true', 'values become texts, in their order'],
    [{ a: { b: { c: 1 } } }, 'a%5Bb%5D%5Bc%5D=1', 'nested objects become brackets'],
    [{ a: ['x', 'y'] }, 'a%5B0%5D=x&a%5B1%5D=y', 'arrays are numbered'],
    [{ a: null, b: undefined }, 'a=', 'null is empty, and undefined is left out'],
    [{ a: new Date(0) }, 'a=1970-01-01T00%3A00%3A00.000Z', 'a date is its ISO text'],
    [{ 'a b': 'c&d=é' }, 'a%20b=c%26d%3D%C3%A9', 'names and values are percent-encoded'],
    [{ a: "!'()*~-._" }, 'a=%21%27%28%29%2A~-._', 'all marks that RFC 3986 reserves are percent-encoded'],
    [{ a: '\ud800' }, 'a=%EF%BF%BD', 'a lone surrogate becomes U+FFFD'],
  ];
  for (const [values, expected, title] of rows) {
    it(title, () => expect(encodePairs(values, 'form', (text) => text)).to.equal(expected));
  }

  it('tokens are marked in names and values, with the property for messages', () => {
    const marked = [];
    encodePairs({ a: { b: 'c' } }, 'qs', (text, key) => marked.push([text, key]) && text);
    expect(marked).to.deep.equal([
      ['a[b]', 'qs'],
      ['c', 'qs'],
    ]);
  });
});

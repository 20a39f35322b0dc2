import { expect } from 'chai';

import { withoutSpace } from '../../../lib/core/http/field-values.js';
import { Fields } from '../../../lib/core/transport/exchange-parts.js';

const fields = (...pairs) => {
  const all = new Fields();
  for (const [name, value] of pairs) all.add(name, value);
  return all.toObject();
};

describe('header fields', () => {
  const rows = [
    [[['A', ' x\t']], { a: 'x' }, 'names are in lower case, and space around values is removed'],
    [
      [
        ['a', '1'],
        ['A', '2'],
      ],
      { a: '1, 2' },
      'repeated fields are joined by a comma',
    ],
    [
      [
        ['set-cookie', 'a=1'],
        ['Set-Cookie', 'b=2'],
      ],
      { 'set-cookie': ['a=1', 'b=2'] },
      'set-cookie is a list',
    ],
    [
      [
        ['location', '/a'],
        ['location', '/a'],
      ],
      { location: '/a' },
      'the same location twice is one',
    ],
    [
      [
        ['location', '/a'],
        ['location', '/b'],
      ],
      { location: ['/a', '/b'] },
      'locations that differ are a list',
    ],
  ];
  for (const [pairs, expected, title] of rows) it(title, () => expect(fields(...pairs)).to.deep.equal(expected));

  it('names of Object.prototype are fields like others', () => {
    const all = fields(['__proto__', 'a'], ['constructor', 'b'], ['constructor', 'c']);
    expect(Object.getPrototypeOf(all)).to.equal(Object.prototype);
    expect(all.constructor).to.equal('b, c');
  });

  it('a copy can be changed without effect on the next one', () => {
    const all = new Fields();
    all.add('set-cookie', 'a=1');
    all.toObject()['set-cookie'].push('b=2');
    expect(all.toObject()['set-cookie']).to.deep.equal(['a=1']);
  });

  it('only spaces and tabs are removed, NBSP stays', () => {
    expect(withoutSpace('\t \u00a0x \t')).to.equal('\u00a0x');
    expect(withoutSpace(' \t ')).to.equal('');
  });
});

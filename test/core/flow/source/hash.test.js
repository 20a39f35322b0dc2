import { expect } from 'chai';

import { hashFlow } from '../../../../lib/core/flow/source/load.js';

describe('flow/source/load: the hash of a flow', () => {
  it('a hash is 64 hexadecimal digits', () => expect(hashFlow('http://a/')).to.match(/^[\da-f]{64}$/));

  const equal = [
    [{ a: 1, b: 2 }, { b: 2, a: 1 }, 'the order of keys has no effect'],
    [{ a: undefined }, { a: undefined }, 'undefined has a hash'],
    [Buffer.from('x'), new Uint8Array([120]), 'bytes are equal whatever holds them'],
    [{ hook: (all) => all }, { hook: (all) => all }, 'functions are equal by their source text'],
  ];
  for (const [one, other, title] of equal) it(title, () => expect(hashFlow(one)).to.equal(hashFlow(other)));

  const different = [
    [['a', 'b'], ['b', 'a'], 'the order of an array matters'],
    ['1', 1, 'a text is no number'],
    [{ hook: (all) => all }, { hook: () => null }, 'functions differ by their source text'],
  ];
  for (const [one, other, title] of different) it(title, () => expect(hashFlow(one)).to.not.equal(hashFlow(other)));

  it('an object that holds itself has a hash, and one that stands twice is written twice', () => {
    const cyclic = {};
    cyclic.self = cyclic;
    expect(hashFlow(cyclic)).to.equal(hashFlow(cyclic));
    const shared = { a: 1 };
    expect(hashFlow([shared, shared])).to.equal(hashFlow([{ a: 1 }, { a: 1 }]));
  });

  it('depends on regular expressions, URLs, dates and bigints, which JSON cannot express', () => {
    const values = [1n, '1n', /a/, /b/, /a/i, new URL('http://a/'), new URL('http://b/'), new Date(0), new Date(1), {}];
    expect(new Set(values.map((value) => hashFlow({ value }))).size).to.equal(values.length);
    expect(hashFlow([/a/])).to.equal(hashFlow([/a/]));
  });
});

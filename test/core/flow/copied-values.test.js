import { expect } from 'chai';

import { copier } from '../../../lib/core/flow/placeholder.js';

const copyOf = (value) => copier(value, (text) => text)({});

describe('copies of values for iterations', () => {
  it('copies arrays and plain objects at every level, and nothing else', () => {
    const bytes = Buffer.from('x');
    const made = new Date(0);
    const act = () => 1;
    const given = { list: [{ n: 1 }], bytes, made, act, none: null };
    const copy = copyOf(given);
    expect(copy).to.deep.equal(given);
    expect(copy.list).to.not.equal(given.list);
    expect(copy.list[0]).to.not.equal(given.list[0]);
    expect([copy.bytes, copy.made, copy.act]).to.deep.equal([bytes, made, act]);
    expect(copy.made).to.equal(made);
  });

  it('copies an object without nested ones as well', () => {
    const given = { n: 1 };
    expect(copyOf(given)).to.deep.equal({ n: 1 });
    expect(copyOf(given)).to.not.equal(given);
  });

  it('renders keys and values with the given template', () => {
    const copy = copier(
      { a: ['b'] },
      (text) =>
        ({ n }) =>
          `${text}${n}`,
    );
    expect(copy({ n: 1 })).to.deep.equal({ a1: ['b1'] });
  });
});

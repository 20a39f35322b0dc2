import { expect } from 'chai';

import { createVariables } from '../../../lib/core/run/plan.js';

describe('variables of a run', () => {
  it('begin with those of the flow, and have no prototype', () => {
    const vars = createVariables(JSON.parse('{"a":1,"__proto__":2}'));
    expect(Object.getPrototypeOf(vars)).to.equal(null);
    expect(Object.entries(vars)).to.deep.equal([
      ['a', 1],
      ['__proto__', 2],
    ]);
  });
});

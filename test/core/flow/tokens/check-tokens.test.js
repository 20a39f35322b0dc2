import { expect } from 'chai';

import { checkTokens } from '../../../../lib/core/flow/tokens/index.js';
import { createProblems } from '../../../../lib/core/ground/problems.js';

describe('flow/tokens: names of the flow', () => {
  it('returns the valid tokens and reports the others', () => {
    const problems = createProblems('E_FLOW');
    const user = () => 1;
    expect(checkTokens({ user, index: user, 'a-b': user, c: 'x' }, problems)).to.deep.equal({ user });
    expect(problems.list.map(({ path }) => path)).to.deep.equal(['flow.tokens.index', 'flow.tokens.a-b', 'flow.tokens.c']);
  }); // prettier-ignore
});

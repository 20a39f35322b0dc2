import { expect } from 'chai';

import { TOKENS } from '../../../lib/core/flow/tokens/index.js';
import { isBuiltIn } from '../../../lib/addons/import/variables.js';

describe('names of tokens in imported flows', () => {
  it('knows all built-in tokens', () =>
    expect(TOKENS.map(({ name }) => name).filter((name) => !isBuiltIn(name))).to.deep.equal([]));
});

import { expect } from 'chai';

import { wrapped } from '../../../lib/core/text/format-value.js';

describe('text/format-value: wrapped', () => {
  for (const [what, expected] of [
    ['a short line stays', [['a b', 2, 20], 'a b']],
    ['further lines are indented', [['aaaa bbbb cccc', 2, 14], 'aaaa bbbb\n  cccc']],
    ['a long word has a line of its own', [[`a ${'b'.repeat(30)} c`, 1, 14], `a\n ${'b'.repeat(30)}\n c`]],
    ['columns are counted by a function', [['aa aa', 0, 12, (text) => text.length * 4], 'aa\naa']],
  ])
    it(what, () => expect(wrapped(...expected[0])).to.equal(expected[1]));
});

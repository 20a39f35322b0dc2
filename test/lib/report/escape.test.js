import { expect } from 'chai';

import { escapeText } from '../../../lib/report/escape.js';

describe('X4 report/escape', () => {
  const rows = [
    ['plain text, ü and 日本 stay', 'ü 日本', 'ü 日本'],
    ['escape sequences are spelled out', '\u001b[31mred\u0007', '\\x1b[31mred\\x07'],
    ['C1 controls too: one byte that starts a sequence', '\u009b31m', '\\x9b31m'],
    ['a text stays on its line', 'a\r\nb\tc', 'a\\r\\nb\\tc'],
    ['marks that turn the direction of text', 'a\u202eb\u2066c\u200f', 'a\\u202eb\\u2066c\\u200f'],
    ['line separators', 'a\u2028b\u2029', 'a\\u2028b\\u2029'],
    ['NUL and DEL', '\0\u007f', '\\x00\\x7f'],
  ];
  for (const [what, text, shown] of rows) it(what, () => expect(escapeText(text)).to.equal(shown));
});

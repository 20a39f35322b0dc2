import { expect } from 'chai';

import { escapeText, safe } from '../../../lib/core/text/safe.js';

describe('X4 text/safe', () => {
  const rows = [
    ['plain text, ü and 日本 are kept', 'ü 日本', 'ü 日本'],
    ['escape sequences are spelled out', '\u001b[31mred\u0007', '\\x1b[31mred\\x07'],
    ['C1 controls are spelled out: one byte can start a sequence', '\u009b31m', '\\x9b31m'],
    ['line breaks and tabs are spelled out', 'a\r\nb\tc', 'a\\r\\nb\\tc'],
    ['marks that turn the direction of text are spelled out', 'a\u202eb\u2066c\u200f', 'a\\u202eb\\u2066c\\u200f'],
    ['line separators are spelled out', 'a\u2028b\u2029', 'a\\u2028b\\u2029'],
    ['NUL and DEL are spelled out', '\0\u007f', '\\x00\\x7f'],
  ];
  for (const [title, text, escaped] of rows) it(title, () => expect(escapeText(text)).to.equal(escaped));

  it('safe() masks secrets and escapes control characters', () => {
    expect(safe('http://ann:CANARY@host/?token=CANARY\n')).to.equal('http://***@host/?token=***\\n');
  });
});

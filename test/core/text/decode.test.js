import { expect } from 'chai';

import { decodePercent, decodeReferences, encodePercent } from '../../../lib/core/text/decode.js';

describe('text/decode', () => {
  it('character references: names and numbers; unknown ones are left', () =>
    expect(decodeReferences('&lt;a&#43;b&#x2B;c&amp;lt;&quot; &copy; &constructor; &#x110000; &;')).to.equal(
      '<a+b+c&lt;" &copy; &constructor; &#x110000; &;',
    ));

  it('percent-encoded text; a malformed one is left', () => {
    expect(decodePercent('a%3D%c3%a9+b')).to.equal('a=é+b');
    expect(decodePercent('100%')).to.equal('100%');
  });

  it('percent-encodes any text; a lone surrogate becomes U+FFFD', () =>
    expect(['a=é', '\ud83d\ude00', '\ud800x'].map(encodePercent)).to.deep.equal([
      'a%3D%C3%A9',
      '%F0%9F%98%80',
      '%EF%BF%BDx',
    ]));
});

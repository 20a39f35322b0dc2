import { expect } from 'chai';

import { glyphsOf } from '../../../lib/report/terminal.js';

describe('report/glyphs', () => {
  it('both sets have the same keys', () => {
    expect(Object.keys(glyphsOf(false))).to.deep.equal(Object.keys(glyphsOf(true)));
  });

  it('one of them is ASCII', () => {
    expect(Object.values(glyphsOf(false)).flat().join('')).to.match(/^[!-~]+$/);
  });
});

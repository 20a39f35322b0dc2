import { expect } from 'chai';

import { escaped } from '../../../lib/addons/formats/markup.js';

describe('tables of Markdown', () => {
  it('leaves tokens as they are: they are no Markdown', () =>
    expect(escaped('PUT /items/#{INDEX}')).to.equal('PUT /items/#{INDEX}'));

  it('escapes references to issues, headings, lists, links, mentions and HTML', () => {
    expect(escaped('# a #1')).to.equal('&#35; a &#35;1');
    expect(escaped('- a')).to.equal('&#45; a');
    expect(escaped('[a](b) @ann <b>')).to.equal('&#91;a&#93;(b) &#64;ann &#60;b&#62;');
  });
});

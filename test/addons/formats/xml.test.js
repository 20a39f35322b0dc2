import { expect } from 'chai';

import { xml } from '../../../lib/addons/formats/markup.js';
import { elementsOfXml } from '../../support/xml.js';

describe('texts in XML', () => {
  it('markup, lone surrogates and noncharacters cannot break a document', () => {
    const text = xml('<a b="c" d=\'e\'>&amp; ]]> \ud800 \ufffe \uffff 🎉');
    expect(elementsOfXml(`<x y="${text}">${text}</x>`)).to.deep.equal(['x']);
    expect(text).to.include('🎉');
  });

  it('the check of the tests refuses what is not well-formed', () => {
    for (const bad of [
      '<a>',
      '<a></b>',
      '<a b=c/>',
      '<a b="1" b="2"/>',
      '<a>&</a>',
      '<a b="&"/>',
      '<a/><b/>',
      'a',
      '<a>\u0001</a>',
      '<a b="<"/>',
    ])
      expect(() => elementsOfXml(bad), bad).to.throw();
  });
});

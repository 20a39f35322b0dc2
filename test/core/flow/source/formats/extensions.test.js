import { expect } from 'chai';

import { EXTENSIONS, hasFlowExtension, isCode } from '../../../../../lib/core/flow/source/formats/index.js';

describe('extensions of flows', () => {
  it('no two formats share an extension', () => expect(new Set(EXTENSIONS).size).to.equal(EXTENSIONS.length));

  for (const name of ['flow.js', '/x/flow.MJS', 'flow.ts', 'file:///x/flow.json', 'a.b.yaml']) {
    it(`${name} names a flow file`, () => expect(hasFlowExtension(name)).to.equal(true));
  }
  it('modules are code, data and other files are not', () => {
    expect(['a.js', 'a.MTS', 'a.cjs'].map(isCode)).to.deep.equal([true, true, true]);
    expect(['a.json', 'a.yaml', 'js', 'a.txt'].map(isCode)).to.deep.equal([false, false, false, false]);
  });
  for (const name of ['flow', '.js', 'http://a/', 'flow.json.gz']) {
    it(`${name} does not`, () => expect(hasFlowExtension(name)).to.equal(false));
  }
});

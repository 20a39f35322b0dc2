import { expect } from 'chai';

import { firstFlow } from '../../../lib/addons/init/init-project.js';
import { compiledFlow } from '../../support/compiled-flow.js';

/** The flow that the text exports. */
const flowIn = (text) =>
  new Function('defineFlow', text.replace(/^import .*$/m, '').replace('export default', 'return'))((flow) => flow);

describe('cli/init/firstFlow', () => {
  const rows = [
    ['http://localhost:3000/', 'http://localhost:3000', '/'],
    ['https://example.com/a/b?c=1#d', 'https://example.com', '/a/b?c=1'],
    ["http://[::1]:8080/it's\\here?q='", 'http://[::1]:8080', "/it's/here?q=%27"],
  ];
  for (const [url, baseUrl, path] of rows) {
    it(`requests ${url}`, () => {
      const flow = flowIn(firstFlow(new URL(url)));
      expect(flow).to.deep.include({ baseUrl, main: [{ get: path }], afterMain: [] });
      compiledFlow(flow);
    });
  }

  it('requests documents of the embedded target without a URL', () => {
    const flow = flowIn(firstFlow());
    expect(flow.main).to.have.lengthOf(2);
    compiledFlow(flow);
  });

  it('has at most 15 lines, and comments that explain them', () => {
    for (const text of [firstFlow(), firstFlow(new URL('http://h/'))]) {
      expect(text.trimEnd().split('\n').length).to.be.at.most(15);
      expect(text.match(/\/\/ /g)).to.have.lengthOf.at.least(4);
    }
  });
});

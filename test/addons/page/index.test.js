import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

import { expect } from 'chai';

import { pageOf, render } from '../../../lib/addons/page/index.js';
import { expectOneScope } from '../../support/one-scope.js';
import { literalResult } from '../../support/literal-result.js';

describe('the page of a result', () => {
  it('the modules of the script are one script, in which no name is used twice', () => {
    expectOneScope(pageOf(''));
  });

  it('a page is rendered without its sources: the package may be updated during the run', () => {
    const { readFileSync } = fs;
    fs.readFileSync = (path) => {
      throw new Error(`${path} is gone`);
    };
    syncBuiltinESMExports();
    try {
      expect(render(literalResult())).to.include('</html>');
    } finally {
      fs.readFileSync = readFileSync;
      syncBuiltinESMExports();
    }
  });
});

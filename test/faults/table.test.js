import { fileURLToPath } from 'node:url';

import { expect } from 'chai';

import { saidBy } from '../support/command.js';
import { itSlow } from '../support/slow.js';

describe('the fault catalogue', () => {
  // loads the files of most tests
  itSlow('has a test for every row, and a row for every id in a title', async () => {
    const { code, stdout, stderr } = await saidBy(process.execPath, [
      fileURLToPath(new URL('table.js', import.meta.url)),
    ]);
    expect(code, stdout + stderr).to.equal(0);
  });
});

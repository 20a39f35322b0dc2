import { fileURLToPath } from 'node:url';

import { expect } from 'chai';

import { saidBy } from '../support/command.js';
import { scaled } from '../support/scale.js';

/** The test loads the files of most tests, so it runs with the full counts only. */
const FACTS = scaled([], ['has a test for every row, and a row for every id in a title']);

describe('the fault catalogue', () => {
  for (const fact of FACTS)
    it(fact, async () => {
      const { code, stdout, stderr } = await saidBy(process.execPath, [
        fileURLToPath(new URL('table.js', import.meta.url)),
      ]);
      expect(code, stdout + stderr).to.equal(0);
    });
});

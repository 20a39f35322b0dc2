import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect } from 'chai';

import { startFile } from '../../../../lib/core/cli/result/replace-file.js';

describe('cli/result/replace-file', () => {
  let folder;
  before(() => (folder = mkdtempSync(join(tmpdir(), 'bench-rest-'))));
  after(() => rmSync(folder, { recursive: true }));

  const openFiles = () => readdirSync('/proc/self/fd').length;
  const itOnLinux = existsSync('/proc/self/fd') ? it : it.skip;

  for (const end of ['commit', 'discard'])
    itOnLinux(`a file that is written step by step is closed by ${end}`, () => {
      const path = join(folder, `${end}.txt`);
      const before = openFiles();
      const pending = startFile(path);
      pending.append('one\n');
      pending.append('two\n');
      pending[end]();
      expect(openFiles()).to.equal(before);
      expect(existsSync(path) && readFileSync(path, 'utf8')).to.equal(end === 'commit' && 'one\ntwo\n');
      expect(readdirSync(folder).filter((name) => name.endsWith('.partial'))).to.deep.equal([]);
    });
});

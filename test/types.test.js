import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { expect } from 'chai';

import { ROOT } from './support/command.js';

const run = promisify(execFile);
const tsc = join(ROOT, 'node_modules/typescript/bin/tsc');

describe('types', function () {
  this.timeout(120_000);
  let folder;
  before(() => (folder = mkdtempSync(join(tmpdir(), 'bench-rest-'))));
  after(() => rmSync(folder, { recursive: true, force: true }));

  it('a program in strict mode compiles against those of the package, and mistakes are found', async () => {
    const home = join(folder, 'node_modules', 'bench-rest');
    mkdirSync(home, { recursive: true });
    await run(process.execPath, [tsc, '-p', ROOT, '--noEmit', 'false', '--outDir', join(home, 'types')]);
    const built = join(home, 'types', 'index.d.ts');
    await run(process.execPath, [
      '-e',
      `const f=${JSON.stringify(built)},s=require('fs');s.writeFileSync(f,s.readFileSync(f,'utf8').replace('as module.exports',"as 'module.exports'"))`,
    ]);
    for (const name of ['package.json', 'index.js']) cpSync(join(ROOT, name), join(home, name));
    cpSync(join(ROOT, 'lib'), join(home, 'lib'), { recursive: true });
    symlinkSync(join(ROOT, 'node_modules', '@types'), join(folder, 'node_modules', '@types'), 'dir');
    for (const name of ['undici-types', 'tough-cookie'])
      symlinkSync(join(ROOT, 'node_modules', name), join(folder, 'node_modules', name), 'dir');
    cpSync(join(ROOT, 'test/types/program.ts'), join(folder, 'program.mts'));
    writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
    const { stdout } = await run(
      process.execPath,
      [
        tsc,
        '--noEmit',
        '--strict',
        '--skipLibCheck',
        '--target',
        'es2023',
        '--module',
        'nodenext',
        '--types',
        'node',
        'program.mts',
      ],
      { cwd: folder },
    ).catch((error) => error);
    expect(stdout).to.equal('');
  });
});

import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { expect } from 'chai';

import { ROOT } from '../support/command.js';

const run = promisify(execFile);

describe('types', () => {
  let folder;
  before(() => (folder = mkdtempSync(join(tmpdir(), 'bench-rest-'))));
  after(() => rmSync(folder, { recursive: true, force: true }));

  before('a package with built types is installed', async () => {
    const home = join(folder, 'node_modules', 'bench-rest');
    mkdirSync(home, { recursive: true });
    await run(process.execPath, [join(ROOT, 'scripts/build-types.js'), join(home, 'types')]);
    for (const name of ['package.json', 'index.js']) cpSync(join(ROOT, name), join(home, name));
    cpSync(join(ROOT, 'lib'), join(home, 'lib'), { recursive: true });
    symlinkSync(join(ROOT, 'node_modules', '@types'), join(folder, 'node_modules', '@types'), 'dir');
    for (const name of ['undici-types', 'tough-cookie'])
      symlinkSync(join(ROOT, 'node_modules', name), join(folder, 'node_modules', name), 'dir');
    cpSync(join(ROOT, 'test/tools/types/program.ts'), join(folder, 'program.mts'));
    writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  });

  it('a program compiles in strict mode without skipLibCheck, and type errors are found', async () => {
    const tsc = join(ROOT, 'node_modules/typescript/bin/tsc');
    const flags = ['--noEmit', '--strict', '--skipLibCheck', 'false', '--types', 'node'];
    const { stdout } = await run(
      process.execPath,
      [tsc, ...flags, '--target', 'es2022', '--lib', 'es2023', '--module', 'nodenext', 'program.mts'],
      { cwd: folder },
    ).catch((error) => error);
    expect(stdout).to.equal('');
  });

  it('TypeScript before 5.6 gets an index without string export names, and no default type arguments', () => {
    const { exports } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
    const conditions = Object.keys(exports['.']);
    expect(conditions.indexOf('types@<5.6')).to.be.within(0, conditions.indexOf('types') - 1);
    const types = (path) => readFileSync(join(folder, 'node_modules/bench-rest', path), 'utf8');
    expect(types(exports['.']['types@<5.6'])).to.include('benchrest as default').and.not.include('module.exports');
    expect(types(exports['.'].types)).to.include("benchrest as 'module.exports'");
    expect(types('types/lib/public-types.d.ts')).not.to.match(/(Buffer|Uint8Array)</);
  });
});

import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { expect } from 'chai';
import ts from 'typescript';

import { FLOW_PROPERTIES } from '../../lib/flow/normalize.js';
import { PROPERTIES } from '../../lib/flow/properties.js';
import { SCENARIO_PROPERTIES } from '../../lib/flow/scenarios.js';
import { RUN_OPTIONS } from '../../lib/run/options/index.js';
import { PROGRAM, ROOT } from '../support/command.js';

const run = promisify(execFile);
/** the oldest one that reads the types */
const OLDEST_TYPESCRIPT = '5.4';
const STRICT = ['--noEmit', '--strict', '--skipLibCheck', 'false', '--types', 'node'];
const TARGET = ['--target', 'es2022', '--lib', 'es2023', '--module', 'nodenext'];

describe('types', function () {
  this.timeout(180_000);
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

  /** What a compiler prints about the program. */
  const compiled = async (tsc) => {
    const { stdout } = await run(process.execPath, [tsc, ...STRICT, ...TARGET, 'program.mts'], { cwd: folder }).catch(
      (error) => error,
    );
    return stdout;
  };

  it('a program compiles in strict mode without skipLibCheck, and type errors are found', async () => {
    expect(await compiled(join(ROOT, 'node_modules/typescript/bin/tsc'))).to.equal('');
  });

  it('a flow in TypeScript runs with tsx where Node does not strip types, in a package of either type', async function () {
    if (process.features.typescript) this.skip();
    const home = join(folder, 'tsx');
    mkdirSync(home);
    writeFileSync(join(home, 'package.json'), '{}');
    await run('npm', ['install', '--no-audit', '--no-fund', 'tsx@4'], { cwd: home });
    writeFileSync(join(home, 'path.ts'), "export const path: string = '/';");
    writeFileSync(join(home, 'flow.ts'), "import { path } from './path.js';\nexport default [path as string];");
    for (const type of ['module', 'commonjs']) {
      writeFileSync(join(home, 'package.json'), JSON.stringify({ type }));
      const { stdout } = await run(process.execPath, [PROGRAM, '--serve', '-n', '20', '-w', '1', 'flow.ts'], {
        cwd: home,
      });
      expect(stdout).to.include('200: 20');
    }
  });

  it(`the same program compiles with TypeScript ${OLDEST_TYPESCRIPT}`, async () => {
    const home = join(folder, 'old');
    mkdirSync(home);
    writeFileSync(join(home, 'package.json'), '{}');
    await run('npm', ['install', '--no-audit', '--no-fund', `typescript@${OLDEST_TYPESCRIPT}`], { cwd: home });
    const tsc = join(home, 'node_modules/typescript/bin/tsc');
    expect((await run(process.execPath, [tsc, '--version'])).stdout).to.include(`Version ${OLDEST_TYPESCRIPT}.`);
    expect(await compiled(tsc)).to.equal('');
  });

  it('TypeScript before 5.6 gets an index without string export names, and no default type arguments', () => {
    const { exports } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
    const conditions = Object.keys(exports['.']);
    expect(conditions.indexOf('types@<5.6')).to.be.within(0, conditions.indexOf('types') - 1);
    const types = (path) => readFileSync(join(folder, 'node_modules/bench-rest', path), 'utf8');
    expect(types(exports['.']['types@<5.6'])).to.include('benchrest as default').and.not.include('module.exports');
    expect(types(exports['.'].types)).to.include("as 'module.exports'");
    expect(types('types/lib/public-types.d.ts')).not.to.match(/(Buffer|Uint8Array)</);
  });

  it('editors show a text for every property of flows, operations and run options', () => {
    const file = join(folder, 'node_modules/bench-rest/types/index.d.ts');
    const program = ts.createProgram([file], { module: ts.ModuleKind.NodeNext, types: ['node'], strict: true });
    const checker = program.getTypeChecker();
    const exported = checker.getExportsOfModule(checker.getSymbolAtLocation(program.getSourceFile(file)));
    const typeOf = (name) => checker.getDeclaredTypeOfSymbol(exported.find((symbol) => symbol.getName() === name));
    const propertiesOf = (name) =>
      [typeOf(name)].flatMap((type) => (type.isUnion() ? type.types : [type])).flatMap((type) => type.getProperties());
    const expected = {
      PhasesFlow: Object.keys(FLOW_PROPERTIES).filter((name) => name !== 'scenarios'),
      Scenario: Object.keys(SCENARIO_PROPERTIES),
      Operation: Object.keys(PROPERTIES),
      OneOf: ['oneOf'],
      RunOptions: RUN_OPTIONS.map(({ name }) => name),
    };
    for (const [name, keys] of Object.entries(expected)) {
      const texts = new Map();
      for (const symbol of propertiesOf(name))
        texts.set(symbol.getName(), ts.displayPartsToString(symbol.getDocumentationComment(checker)));
      expect([...texts.keys()], name).to.have.members(keys);
      for (const [key, text] of texts) expect(text, `${name}.${key}`).to.match(/^[A-Z].*\.$/s);
    }
  });
});

import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { expect } from 'chai';
import ts from 'typescript';

import { FLOW_PROPERTIES } from '../../lib/core/flow/normalize.js';
import { PROPERTIES } from '../../lib/core/flow/properties.js';
import { SCENARIO_PROPERTIES } from '../../lib/core/flow/scenarios.js';
import { OLD_OPTIONS } from '../../lib/core/flow/settle-operation.js';
import { RUN_OPTIONS } from '../../lib/core/run/options/index.js';
import { PROGRAM, ROOT } from '../support/command.js';

const run = promisify(execFile);
/** the oldest one that reads the types */
const OLDEST_TYPESCRIPT = '5.4';
const STRICT = ['--noEmit', '--strict', '--skipLibCheck', 'false', '--types', 'node'];
const TARGET = ['--target', 'es2022', '--lib', 'es2023', '--module', 'nodenext'];

describe('types', function () {
  this.timeout(600_000);
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

  it('the tests in the documents compile in strict mode', async () => {
    const text = readFileSync(join(ROOT, 'docs/guide/library.md'), 'utf8');
    const examples = [...text.matchAll(/^```js mocha\n(.*?)^```$/gms)].map(([, code]) => code);
    expect(examples).to.have.lengthOf(2);
    const names = examples.map((code, i) => {
      writeFileSync(join(folder, `example${i}.mts`), code);
      return `example${i}.mts`;
    });
    const tsc = join(ROOT, 'node_modules/typescript/bin/tsc');
    const args = [tsc, '--noEmit', '--strict', '--skipLibCheck', '--types', 'node,mocha', ...TARGET, ...names];
    const { stdout } = await run(process.execPath, args, { cwd: folder }).catch((error) => error);
    expect(stdout).to.equal('');
  });

  it('operations and checks of an add-on have the types that it declares', async () => {
    const text = readFileSync(join(ROOT, 'docs/guide/addons.md'), 'utf8');
    const [, declared] = /^```ts types\n(.*?)^```$/ms.exec(text);
    writeFileSync(
      join(folder, 'declared.mts'),
      `import { defineFlow } from 'bench-rest';
      ${declared}
      defineFlow({ main: [{ line: 'line://h:1', say: 'ping', timeout: 50, expect: { reply: 'pong' } }, { get: '/' }] });
      // @ts-expect-error without say
      defineFlow({ main: [{ line: 'line://h:1' }] });
      // @ts-expect-error of another type
      defineFlow({ main: [{ line: 'line://h:1', say: 5 }] });
      // @ts-expect-error unknown
      defineFlow({ main: [{ line: 'line://h:1', say: 'ping', expect: { replies: 'pong' } }] });`,
    );
    const tsc = join(ROOT, 'node_modules/typescript/bin/tsc');
    const args = [tsc, ...STRICT, ...TARGET, 'declared.mts'];
    const { stdout } = await run(process.execPath, args, { cwd: folder }).catch((error) => error);
    expect(stdout).to.equal('');
  });

  it('a typo in defineFlow is named with its place', async () => {
    const lines = [
      "defineFlow({ main: [{ gett: '/' }] });",
      "defineFlow({ main: [{ get: '/', header: {} }] });",
      "defineFlow({ main: [{ get: '/', expect: { statusCode: 200 } }] });",
      "defineFlow({ scenarios: { a: { main: [{ oneOf: [{ gett: '/' }] }] } } });",
      "defineFlow({ main: [{ get: '/', timeout: true }] });",
      "defineFlow({ main: [{ get: '/', afterHooks: ['verify2xx'] }] });",
      "defineFlow({ main: [{ get: '/' }], runOptions: { limitt: 1 } });",
      "defineFlow({ main: [{ get: '/' }], thresholds: { p95: 200 } });",
    ];
    /** The words at which errors are, each with what a compiler says. */
    const typos = {
      ...{
        gett: /'gett' does not exist/,
        header: /'header' does not exist/,
        statusCode: /'statusCode' does not exist/,
      },
      ...{ timeout: /Type '\w+' is not assignable/, "'verify2xx'": /Did you mean '"verify2XX"'/ },
      ...{ limitt: /Did you mean to write 'limit'/, thresholds: /is not assignable to type 'Thresholds/ },
    };
    writeFileSync(join(folder, 'typos.mts'), ["import { defineFlow } from 'bench-rest';", ...lines].join('\n'));
    const args = [join(ROOT, 'node_modules/typescript/bin/tsc'), ...STRICT, ...TARGET, 'typos.mts'];
    const { stdout } = await run(process.execPath, args, { cwd: folder }).catch((error) => error);
    for (const [i, line] of lines.entries()) {
      const typo = Object.keys(typos).find((one) => line.includes(one));
      const [, said] = stdout.split(`typos.mts(${i + 2},${line.indexOf(typo) + 1})`);
      expect(said?.split('typos.mts(')[0], stdout).to.match(typos[typo]);
    }
  });

  it('an editor offers the properties of an operation, not those of URL', () => {
    const file = join(folder, 'offer.mts');
    const code = "import type { Flow } from 'bench-rest';\nexport const flow: Flow = { main: [{ get: '/', }] };\n";
    writeFileSync(file, code);
    const service = ts.createLanguageService({
      getScriptFileNames: () => [file],
      getScriptVersion: () => '1',
      getScriptSnapshot: (path) =>
        ts.sys.fileExists(path) ? ts.ScriptSnapshot.fromString(ts.sys.readFile(path)) : undefined,
      getCurrentDirectory: () => folder,
      getCompilationSettings: () => ({ strict: true, module: ts.ModuleKind.NodeNext, target: ts.ScriptTarget.ES2022 }),
      getDefaultLibFileName: ts.getDefaultLibFilePath,
      fileExists: ts.sys.fileExists,
      readFile: ts.sys.readFile,
    });
    const names = service.getCompletionsAtPosition(file, code.indexOf(', }]') + 2, {}).entries.map(({ name }) => name);
    expect(names).to.include('headers').and.include('expect').and.not.include('hash').and.not.include('searchParams');
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

  it('programs that become CommonJS compile, however they import the package', async () => {
    const tsc = join(ROOT, 'node_modules/typescript/bin/tsc');
    const home = join(folder, 'commonjs');
    mkdirSync(home);
    writeFileSync(join(home, 'package.json'), '{}');
    const use =
      'const run: Run = benchrest(flow, { limit: 1, iterations: 1 }).on("end", (stats) => stats.totalElapsed);';
    const imports = {
      equals: "import benchrest = require('bench-rest');\ntype Flow = benchrest.Flow;\ntype Run = benchrest.Run;",
      star: "import * as benchrest from 'bench-rest';\nimport { Flow, Run } from 'bench-rest';",
      byDefault: "import benchrest, { Flow, Run, defineFlow } from 'bench-rest';\ndefineFlow({ main: [] });",
      parts:
        "import benchrest, { Flow, Run } from 'bench-rest';\nimport results = require('bench-rest/results');\nimport target = require('bench-rest/target');\nvoid [results.assertThresholds, target.startTarget];",
    };
    for (const [name, head] of Object.entries(imports))
      writeFileSync(
        join(home, `${name}.ts`),
        `${head}\nconst flow: Flow = 'http://localhost/';\n${use}\nexport { run };`,
      );
    // interop changes nothing in the types of the package, and node16 resolves them as nodenext does
    for (const [options, ...names] of [
      ['--module commonjs --moduleResolution node10', 'equals', 'star', 'byDefault'],
      ['--module commonjs --moduleResolution node10 --esModuleInterop --skipLibCheck', 'equals', 'byDefault'],
      ['--module node16 --skipLibCheck', 'equals', 'byDefault'],
      ['--module nodenext', 'equals', 'byDefault', 'parts'],
    ]) {
      const files = names.map((name) => `${name}.ts`);
      const args = [...STRICT, '--target', 'es2022', '--lib', 'es2023', ...options.split(' '), ...files];
      const { stdout } = await run(process.execPath, [tsc, ...args], { cwd: home }).catch((error) => error);
      expect(stdout, options).to.equal('');
    }
  });

  it('TypeScript before 5.6 gets an index without string export names, and no default type arguments', () => {
    const { exports } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
    const conditions = Object.keys(exports['.']);
    expect(conditions.indexOf('types@<5.6')).to.be.within(0, conditions.indexOf('types') - 1);
    const types = (path) => readFileSync(join(folder, 'node_modules/bench-rest', path), 'utf8');
    expect(types(exports['.']['types@<5.6'])).to.include('benchrest as default').and.not.include('module.exports');
    expect(types(exports['.'].types)).to.include('as "module.exports"');
    expect(types('types/lib/types.d.ts')).not.to.match(/(Buffer|Uint8Array)</);
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
      Operation: Object.keys({ ...PROPERTIES, ...OLD_OPTIONS.properties }),
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

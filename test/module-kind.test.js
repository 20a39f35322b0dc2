import { expect } from 'chai';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { command, spawned } from './support/command.js';
import { combinations, scaled } from './support/scale.js';
import { itSlow } from './support/slow.js';

const SOURCES = {
  'ES module': "import path from './path.js';\nexport default { main: [{ get: path }] };\n",
  CommonJS: "const path = require('./path.cjs');\nmodule.exports = { main: [{ get: path }] };\n",
};

describe('a .js flow', () => {
  let folder = '';

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'module-kind-'));
    writeFileSync(join(folder, 'path.js'), "export default '/echo?#{INDEX}';\n");
    writeFileSync(join(folder, 'path.mjs'), "export default '/echo?#{INDEX}';\n");
    writeFileSync(join(folder, 'path.cjs'), "module.exports = '/echo?#{INDEX}';\n");
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const types = ['module', 'commonjs', undefined];
  const kinds = Object.keys(SOURCES);
  for (const [type, kind, workers] of combinations(types, kinds, [0, scaled(1, 2)])) {
    const where = `in a package of type ${type}${workers ? ` with workers` : ''}`;
    itSlow(`as ${kind} runs ${where} without a warning`, async () => {
      writeFileSync(join(folder, 'package.json'), JSON.stringify({ type }));
      writeFileSync(join(folder, 'flow.js'), SOURCES[kind]);
      const args = [
        '--serve',
        '--json',
        '-n',
        '4',
        '-c',
        '2',
        ...(workers ? ['-w', `${workers}`] : []),
        join(folder, 'flow.js'),
      ];
      // nothing warns of an ES module in a package of its type
      const { code, stdout, stderr } = await (type === 'module' ? command : spawned)(args);
      expect(code, stderr).to.equal(0);
      expect(JSON.parse(stdout).requests.statusCodes).to.deep.equal({ 200: 4 });
      expect(stderr).not.to.match(/Warning/);
    });
  }

  for (const type of types) {
    it(`as CommonJS imports ES modules and keeps the rules of sloppy mode in a package of type ${type}`, async () => {
      writeFileSync(join(folder, 'package.json'), JSON.stringify({ type }));
      const source = `#!/usr/bin/env node
        undeclared = 0o17;
        module.exports = async () => ({ main: [{ get: (await import('./path.mjs')).default }] });
        module.exports.runOptions = { iterations: 3 };
        module.exports.section = () => 'mine';`;
      writeFileSync(join(folder, 'flow.js'), source);
      const { code, stdout, stderr } = await command(['--serve', '--json', join(folder, 'flow.js')]);
      expect(code, stderr).to.equal(0);
      expect(JSON.parse(stdout).requests.statusCodes).to.deep.equal({ 200: 3 });
      expect(JSON.parse(stdout).section.lines).to.deep.equal(['mine']);
    });

    itSlow(`with a syntax error is reported at its line in a package of type ${type}`, async () => {
      writeFileSync(join(folder, 'package.json'), JSON.stringify({ type }));
      writeFileSync(join(folder, 'flow.js'), "export default {\n  main: [{ get '/' }],\n};\n");
      const { code, stderr } = await command(['--serve', join(folder, 'flow.js')]);
      expect(code, stderr).to.equal(2);
      expect(stderr).to.match(/flow\.js:2:\d+: SyntaxError/);
    });
  }

  it('leaves packages in node_modules to Node', async () => {
    mkdirSync(join(folder, 'node_modules', 'dependency'), { recursive: true });
    writeFileSync(join(folder, 'package.json'), '{ "type": "commonjs" }');
    writeFileSync(join(folder, 'node_modules/dependency/package.json'), '{ "type": "commonjs" }');
    writeFileSync(join(folder, 'node_modules/dependency/index.js'), 'export default 1;\n');
    writeFileSync(join(folder, 'flow.js'), "import 'dependency';\nexport default 'http://localhost/';\n");
    const { code, stderr } = await command([join(folder, 'flow.js')]);
    expect(code, stderr).to.equal(2);
    expect(stderr).to.include("Unexpected token 'export'");
  });
});

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { expect } from 'chai';

import { command, commandHere } from './support/command.js';
import { ok, serving } from './support/serve.js';
import { describeSlow } from './support/slow.js';

/** A package that removes `: string`, as tsx would, and fails for `: =`. */
const STRIPPER = `import { register as add } from 'node:module';
const hook = \`import { readFileSync } from 'node:fs';
export async function load(url, context, next) {
  if (!url.endsWith('.ts')) return next(url, context);
  const source = readFileSync(new URL(url), 'utf8');
  if (source.includes(': =')) throw Object.assign(new Error('Transform failed with 1 error:\\\\n' + url + ':1:9: ERROR'), { name: 'TransformError' });
  return { format: 'module', source: source.replaceAll(': string', ''), shortCircuit: true };
}\`;
export const register = () => add('data:text/javascript,' + encodeURIComponent(hook));`;

/** It compiles what is required, as tsx does: here nothing of this package may reach it. */
const REQUIRE_STRIPPER = `const { _extensions: readers } = require('module');
const read = readers['.js'];
exports.register = () => {
  readers['.js'] = (module, path) => {
    if (path.startsWith(${JSON.stringify(fileURLToPath(new URL('../lib', import.meta.url)))})) throw new Error('tsx reads ' + path);
    read(module, path);
  };
};`;

describeSlow('flows in TypeScript', () => {
  let cwd;
  before(() => {
    cwd = mkdtempSync(join(tmpdir(), 'bench-rest-'));
    for (const folder of ['with', 'without', 'with/node_modules/tsx'])
      mkdirSync(join(cwd, folder), { recursive: true });
    const write = (name, text) => writeFileSync(join(cwd, name), text);
    const exported = {
      './package.json': './package.json',
      './cjs/api': './cjs.cjs',
      './esm/api': { import: { default: './esm.mjs' } },
    };
    write('with/node_modules/tsx/package.json', JSON.stringify({ name: 'tsx', exports: exported }));
    write('with/node_modules/tsx/esm.mjs', STRIPPER);
    write('with/node_modules/tsx/cjs.cjs', REQUIRE_STRIPPER);
    for (const folder of ['with', 'without']) {
      write(`${folder}/package.json`, '{ "type": "module" }');
      write(`${folder}/flow.ts`, "const path: string = '/typed';\nexport default [path];");
      write(`${folder}/bad.ts`, 'const x: = 3;');
    }
  });
  after(() => rmSync(cwd, { recursive: true }));

  const run = (folder, ...args) => commandHere(['-n', '2', ...args], { cwd: join(cwd, folder), engine: 'thread' });

  for (const workers of [[], ['-w', '1']])
    it(`run where tsx is installed, or where Node strips types${workers.length > 0 ? ', in workers too' : ''}`, () =>
      serving(ok, async (url, seen) => {
        const { code, stderr } = await run('with', '--base-url', url, ...workers, 'flow.ts');
        expect(code, stderr).to.equal(0);
        expect(seen.map((request) => request.url)).to.deep.equal(['/typed', '/typed']);
      }));

  it('are read by the main thread too, which only checks them', async () => {
    const args = ['--print-plan', '--base-url', 'http://127.0.0.1:9', 'flow.ts'];
    const { code, stderr } = await command(args, { cwd: join(cwd, 'with') });
    expect(code, stderr).to.equal(0);
  });

  it('name the error of a file that cannot be read', async () => {
    const { code, stderr } = await run('with', 'bad.ts');
    expect(code).to.equal(2);
    expect(stderr).to.match(process.features.typescript ? /bad\.ts/ : /Transform failed with 1 error: file:/);
  });

  it('are refused with what to install otherwise', async () => {
    const { code, stderr } = await run('without', '--base-url', 'http://127.0.0.1:9', 'flow.ts');
    if (process.features.typescript) expect(code).to.equal(1);
    else {
      expect(code).to.equal(2);
      expect(stderr).to.match(/flow\.ts: Node v.* does not strip types; install tsx beside it \(npm install -D tsx\)/);
    }
  });

  if (process.features.typescript)
    for (const type of ['commonjs', undefined])
      it(`are ES modules without a warning in a package of type ${type}, as their imports are`, () =>
        serving(ok, async (url, seen) => {
          const write = (name, text) => writeFileSync(join(cwd, 'without', name), text);
          write('package.json', JSON.stringify({ type }));
          write('part.ts', "export const path: string = '/part';");
          write('whole.ts', "import { path } from './part.ts'; export default [path];");
          write('common.ts', "import type { Some } from './none.ts';\nconst one: Some = '/c'; module.exports = [one];");
          for (const name of ['whole.ts', 'common.ts']) {
            const { code, stderr } = await run('without', '--base-url', url, name);
            expect(code, stderr).to.equal(0);
            expect(stderr).not.to.include('Warning');
          }
          expect(seen.map((request) => request.url)).to.deep.equal(['/part', '/part', '/c', '/c']);
        }));
});

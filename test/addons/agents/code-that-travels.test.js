import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { expect } from 'chai';

import { bundleCode } from '../../../lib/addons/agents/pack-files.js';

describe('code of a flow that travels to agents', () => {
  let folder;
  let count = 0;
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'bench-rest-bundle-'));
    for (const name of ['lib', 'node_modules/packed', 'away']) mkdirSync(join(folder, name), { recursive: true });
    writeFileSync(join(folder, 'node_modules/packed/package.json'), '{ "name": "packed", "main": "index.js" }');
    writeFileSync(join(folder, 'node_modules/packed/index.js'), "exports.os = require('os').EOL.length;");
    writeFileSync(join(folder, 'lib/part.ts'), 'export const part: number = 7;');
    writeFileSync(join(folder, 'lib/part.cjs'), 'exports.folder = __dirname;');
  });
  after(() => rmSync(folder, { recursive: true }));

  /** The bundle of a module, imported from a folder without what it imports. */
  const bundled = async (name, text) => {
    const path = join(folder, name);
    writeFileSync(path, text);
    const bundle = await bundleCode({ path });
    return { ...bundle, ...(await importAway(bundle.code)) };
  };
  const importAway = async (code) => {
    const away = join(folder, 'away', `${++count}.mjs`);
    writeFileSync(away, code);
    return import(pathToFileURL(away).href);
  };

  it('an ES module has its packages and its files', async () => {
    const flow = "import { os } from 'packed'; import { part } from './lib/part.js'; export default [os, part];";
    const module = await bundled('flow.js', flow.replace('part.js', 'part.ts'));
    expect(module.default).to.deep.equal([1, 7]);
    expect(module.path).to.equal(join(folder, 'flow.bundle.mjs'));
    expect(module.sources).to.deep.equal([join(folder, 'flow.js'), join(folder, 'lib/part.ts')]);
  });

  it('other exports stay', async () => {
    const module = await bundled('options.mjs', 'export default []; export const runOptions = { limit: 2 };');
    expect(module.runOptions).to.deep.equal({ limit: 2 });
  });

  it('a CommonJS module is an ES module with a default export', async () => {
    const module = await bundled(
      'flow.cjs',
      "module.exports = [require('packed').os, require('./lib/part.cjs').folder];",
    );
    expect(module.default).to.deep.equal([1, join(folder, 'away')]);
  });

  it('types of TypeScript are left out, on Node 20, too', async () => {
    expect((await bundled('flow.ts', 'const n: number = 3; export default n;')).default).to.equal(3);
  });

  it('bench-rest stays an import', async () => {
    const path = join(folder, 'own.mjs');
    writeFileSync(path, "import { defineFlow } from 'bench-rest'; export default defineFlow({ main: [] });");
    const { code, sources } = await bundleCode({ path });
    expect(Buffer.from(code).toString()).to.match(/from "bench-rest"/);
    expect(sources).to.deep.equal([path]);
  });

  it('a module may declare require itself', async () => {
    const text = "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);";
    const module = await bundled('require.mjs', `${text}\nexport default require('node:os').EOL.length;`);
    expect(module.default).to.equal(1);
  });

  it('the literal of -e is a module', async () => {
    const { code, path } = await bundleCode({ text: "{ get: require('packed').os, f() {} }", cwd: folder });
    expect(path).to.equal(join(folder, '-e.bundle.mjs'));
    expect((await importAway(code)).default).to.have.property('get', 1);
  });

  it('variables of the environment are read where the bundle runs', async () => {
    process.env.BUNDLE_TEST = 'of the command';
    const path = join(folder, 'env.mjs');
    writeFileSync(path, 'export default process.env.BUNDLE_TEST;');
    const { code } = await bundleCode({ path });
    delete process.env.BUNDLE_TEST;
    expect(Buffer.from(code).toString()).not.to.include('of the command');
  });

  for (const [what, text, says] of [
    ['a package that is missing', "import 'none-such'", /bad\.js:1:8: Could not resolve "none-such"; install what/],
    ['a file that is missing', "\nimport './none.js'", /bad\.js:2:8: Could not resolve/],
    ['a syntax error', 'export default {', /bad\.js:1:17: .*; correct it/],
    ['a file that is no code', "import './data.bin'", /No loader is configured.*--agents-include/],
  ])
    it(`${what} is reported with its place`, async () => {
      writeFileSync(join(folder, 'data.bin'), 'x');
      const path = join(folder, 'bad.js');
      writeFileSync(path, text);
      const error = await bundleCode({ path }).catch((thrown) => thrown);
      expect(error).to.have.property('code', 'E_BUNDLE');
      expect(error.message).to.match(says);
      expect(error.message).to.include(dirname(path));
    });
});

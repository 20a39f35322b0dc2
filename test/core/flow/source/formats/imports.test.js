import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';

import { expect } from 'chai';

import { importsOf, sourcesOf } from '../../../../../lib/core/flow/source/formats/imports.js';

describe('flow/source/formats/imports', () => {
  let folder;
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'bench-rest-imports-'));
    mkdirSync(join(folder, 'lib'));
    mkdirSync(join(folder, 'part'));
    for (const name of ['lib/b.cjs', 'lib/d.js', 'c.ts', 'part/index.js', 'data.json'])
      writeFileSync(join(folder, name), '');
    writeFileSync(join(folder, 'a.mjs'), "import './flow.mjs'; export * from './lib/b.cjs';");
  });
  after(() => rmSync(folder, { recursive: true }));
  const importsIn = (text) => {
    writeFileSync(join(folder, 'flow.mjs'), text);
    return importsOf(join(folder, 'flow.mjs')).map((path) => relative(folder, path));
  };

  for (const [text, files, what] of [
    ["import { x } from './a.mjs'", ['a.mjs'], 'an import'],
    ['export * from "./lib/b.cjs"', ['lib/b.cjs'], 'an export'],
    ["await import('./a.mjs')", ['a.mjs'], 'a dynamic import'],
    ["require('./lib/d')", ['lib/d.js'], 'a require without an extension'],
    ["import './c'; import './part'", ['c.ts', 'part/index.js'], 'files that a bundler completes'],
    ["import data from './data.json' with { type: 'json' }", ['data.json'], 'a JSON file'],
    ["import 'mocha'; import fs from 'node:fs'; import './none.js'", [], 'no packages, and no file that is missing'],
    ["import './a.mjs/x.js'", [], 'no file below a file'],
  ])
    it(`finds ${what}`, () => {
      expect(importsIn(text)).to.deep.equal(files);
    });

  it('sources are the module and what it imports, each once, also in a circle', () => {
    importsIn("import './a.mjs'");
    const names = sourcesOf(join(folder, 'flow.mjs')).map((path) => relative(folder, path));
    expect(names).to.deep.equal(['flow.mjs', 'a.mjs', 'lib/b.cjs']);
  });
});

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { expect } from 'chai';

import { placeThrown } from '../../lib/thrown-place.js';

const stackOf = (...frames) => ({ stack: ['Error: x', ...frames.map((frame) => `    at ${frame}`)].join('\n') });
const LIBRARY = new URL('../../lib/run/x.js', import.meta.url).href;

describe('thrown-place', () => {
  let folder;
  let file;
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'bench-rest-'));
    file = join(folder, 'flow (1).mjs');
    writeFileSync(file, 'export const a = 1;\n\tthrow new Error();\n');
  });
  after(() => rmSync(folder, { recursive: true }));

  it('is the file of the user, with its line and a caret', () => {
    const frames = [`Array.map (<anonymous>)`, `work (${LIBRARY}:1:1)`, `${pathToFileURL(file)}:2:8`, `${LIBRARY}:9:9`];
    expect(placeThrown(stackOf(...frames))).to.equal(`${file}:2:8\n  \tthrow new Error();\n  \t      ^`);
  });

  for (const [what, frame] of [
    ['a named function', (path) => `async report (${pathToFileURL(path)}:1:7)`],
    ['a path', (path) => `report [as x] (${path.replace(' (1)', '')}:1:7)`],
  ])
    it(`reads the frame of ${what}`, () => {
      const text = placeThrown(stackOf(frame(file)));
      expect(text.split('\n')[0]).to.match(/flow( \(1\))?\.mjs:1:7$/);
    });

  it('skips Node, packages and bench-rest', () => {
    const frames = ['node:internal/x:1:1', '/x/node_modules/y/z.js:1:1', `f (${LIBRARY}:1:1)`];
    expect(placeThrown(stackOf(...frames))).to.equal(null);
  });

  it('is the position alone if the file is gone, or shorter', () => {
    expect(placeThrown(stackOf('/missing/flow.mjs:3:1'))).to.equal('/missing/flow.mjs:3:1');
    expect(placeThrown(stackOf(`${pathToFileURL(file)}:99:1`))).to.equal(`${file}:99:1`);
  });

  it('is null for what has no stack', () => {
    for (const thrown of [undefined, null, 'text', 7, {}, { stack: 7 }]) expect(placeThrown(thrown)).to.equal(null);
  });
});

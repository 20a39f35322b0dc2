import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect } from 'chai';

import { syntaxPlace } from '../../../../../lib/core/flow/source/formats/module-error.js';

const UNFINISHED = "export default {\n  main: [\n    { get: '/x' },\n\n";

/** @type {[fact: string, files: Record<string, string>, message: string, place: object][]} */
const ROWS = [
  [
    'of unfinished code is the end of its last line',
    { 'flow.mjs': UNFINISHED },
    'Unexpected end of input',
    { file: 'flow.mjs', line: 3, column: 19, code: "    { get: '/x' }," },
  ],
  [
    'of unfinished code in a .js file of a CommonJS package is the same',
    { 'flow.js': UNFINISHED, 'package.json': '{"type":"commonjs"}' },
    'Unexpected end of input',
    { file: 'flow.js', line: 3, column: 19, code: "    { get: '/x' }," },
  ],
  [
    'of a text that is not closed is the end of the file',
    { 'flow.mjs': 'const a = `abc;\nexport default a' },
    'Unexpected end of input',
    { file: 'flow.mjs', line: 2, column: 17, code: 'export default a' },
  ],
  [
    'in an imported file names that file',
    {
      'flow.mjs': "import { b } from './b.mjs';\nexport default b;\n",
      'b.mjs': "export * from './c.mjs';\nexport const b = '/';\n",
      'c.mjs': "// imports the flow: import './flow.mjs'\nexport const c = {\n  a: 1\n  b: 2 };\n",
    },
    "Unexpected identifier 'b'",
    { file: 'c.mjs', line: 4, column: 3, code: '  b: 2 };' },
  ],
  [
    'in a file that a dynamic import names is found',
    { 'flow.mjs': "export default (await import('./b.cjs')).default;\n", 'b.cjs': 'module.exports = [\n' },
    'Unexpected end of input',
    { file: 'b.cjs', line: 1, column: 19, code: 'module.exports = [' },
  ],
];

describe('syntaxPlace: the position of a syntax error', () => {
  /** @type {string} */
  let folder;
  beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'syntax-place-'))));
  afterEach(() => rmSync(folder, { recursive: true }));

  for (const [fact, files, message, { file, ...place }] of ROWS) {
    it(fact, async () => {
      for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
      const error = Object.assign(new SyntaxError(message), { stack: `SyntaxError: ${message}` });
      const [flow] = Object.keys(files);
      expect(await syntaxPlace(join(folder, flow), error)).to.deep.equal({ file: join(folder, file), ...place });
    });
  }

  it('is undefined if no file has the error', async () => {
    writeFileSync(join(folder, 'flow.mjs'), "import './missing.mjs';\nexport default '/';\n");
    const error = Object.assign(new SyntaxError('other'), { stack: 'SyntaxError: other' });
    expect(await syntaxPlace(join(folder, 'flow.mjs'), error)).to.equal(undefined);
  });
});

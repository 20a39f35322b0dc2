import { expect } from 'chai';

import { flowOf } from '../../../../lib/addons/import/draft.js';
import { read } from '../../../../lib/addons/import/k6/index.js';
import { inFolder } from '../../../support/in-folder.js';

const SCRIPT = `import list, { BASE, createItem as create } from './lib/api.js';
import http from 'k6/http';
export { options } from './options.js';
export default function () { http.get(BASE + '/a'); create(3); list(); }`;

/** The draft of the script beside these files. */
const draftOf = (files) => inFolder((folder) => read(SCRIPT, { from: 'script.js', folder }), files);

describe('import/k6/local-modules', () => {
  it('functions and values of local modules are followed: names, default, TypeScript, JSON', async () => {
    const draft = await draftOf({
      'lib/api.js': `import http from 'k6/http';
import data from '../data.json';
import { BASE } from './base';
export * from './base';
export const createItem = (n) => http.post(\`\${BASE}/items\`, JSON.stringify({ n, name: data.name }));
export default function () { http.get(\`\${BASE}/list\`); http.get(other()); }`,
      'lib/base.ts': "import './api.js';\nexport const BASE: string = 'http://shop.example';",
      'data.json': '{ "name": "ann" }',
      'options.js': 'exports.options = { vus: 3, iterations: 9 };',
    });
    expect(flowOf(draft)).to.deep.equal({
      baseUrl: 'http://shop.example',
      runOptions: { limit: 3, iterations: 9 },
      main: [
        { get: '/a' },
        { post: '/items', body: '{"n":3,"name":"ann"}', followAllRedirects: true },
        { get: '/list' },
      ],
    });
    expect(draft.skipped).to.deep.equal([
      { what: 'line 6 of lib/api.js: http.get(other())', why: 'other is not known: line 6 of lib/api.js: other()' },
    ]);
  });

  it('a module outside of the folder of the script is a note', async () => {
    const script =
      "import { hit } from '../lib/hit';\nimport http from 'k6/http';\nexport default function () { hit(http); }";
    const draft = await inFolder((folder) => read(script, { from: 'script.js', folder: `${folder}/scripts` }), {
      'lib/hit.js': "export const hit = (http) => http.get('http://shop.example/a');",
    });
    expect(flowOf(draft).main).to.deep.equal([{ get: '/a' }]);
    expect(draft.dialectNotes).to.include('The module ../lib/hit.js is read from outside of the folder of the script.');
  });

  it('files are named as the flow finds them, and rows outside of its folder by an absolute path', () => {
    const script = `import http from 'k6/http';
      const rows = new (require('k6/data').SharedArray)('u', () => JSON.parse(open('./users.json')));
      const file = open('./users.json', 'b');
      export default function () {
        http.post('http://shop.example/' + rows[__ITER % rows.length].name, file);
      }`;
    const flowFolder = '/work/flows/k6';
    const flow = flowOf(read(script, { from: 'script.js', folder: '/work/scripts', flowFolder }));
    expect(flow.main[0].body).to.deep.equal({ file: '../../scripts/users.json' });
    expect(JSON.stringify(flow.data)).to.include('"/work/scripts/users.json"');
  });

  it('a module that is missing, or cannot be read, is one note', async () => {
    const draft = await draftOf({ 'options.js': 'export const options = [;' });
    expect(draft.baseUrl).to.equal(undefined);
    expect(draft.dialectNotes.filter((one) => /module/.test(one))).to.deep.equal([
      'The module ./lib/api.js is not read: the file is missing. Import the script beside it.',
      'The module ./options.js is not read: line 1: Unexpected token.',
    ]);
    expect(draft.skipped.map(({ what }) => what)).to.deep.equal([
      "line 4: http.get(BASE + '/a')",
      'line 4: create(3)',
      'line 4: list()',
    ]);
  });
});

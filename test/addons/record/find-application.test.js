import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { expect } from 'chai';

import { findApplication } from '../../../lib/addons/record/suite/find-application.js';
import { inFolder } from '../../support/in-folder.js';

/** Finds the application of files, of which the callers are the first; paths start at their folder. */
const found = (files, callers = Object.keys(files).slice(0, 1)) =>
  inFolder((folder) => {
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, name)), { recursive: true });
      writeFileSync(join(folder, name), text);
    }
    const application = findApplication(callers.map((name) => join(folder, name)));
    const { file, name, givenTo } = application ?? {};
    return application && [file.slice(folder.length + 1), name, ...(givenTo === undefined ? [] : [givenTo])];
  });

describe('the application of a suite', () => {
  for (const [what, text, expected] of [
    [
      'a required module',
      "const request = require('supertest'); const app = require('../app'); request(app)",
      ['app.js', ''],
    ],
    [
      'an imported module',
      "import st from 'supertest';\nimport app from '../app.js';\nst(app).get('/')",
      ['app.js', ''],
    ],
    [
      'a named export',
      "import { agent } from 'supertest'; import { server as mine } from '../app'; agent(mine)",
      ['app.js', 'server'],
    ],
    [
      'one of several declarations',
      "var request = require('supertest')\n  , app = require('../app')\nrequest(app)",
      ['app.js', ''],
    ],
    ['a member', "const app = require('../app').server; const api = request(app)", ['app.js', 'server']],
    ['a module without a name', "request(require('../app')).get('/')", ['app.js', '']],
    ['a namespace', "import * as all from '../app.js'; request(all.app)", ['app.js', '']],
    [
      'a function',
      "import { build } from '../app'; let app; before(async () => { app = await build(); }); app.inject('/')",
      ['app.js', 'build'],
    ],
    [
      'a function that gets arguments',
      "import { build as make } from '../app'; beforeEach(async () => { app = await make({ a: 1 }); }); request(app)",
      ['app.js', 'build', 'make'],
    ],
    [
      'a function that gets arguments in the call',
      "import build from '../app'; request(build(\n  db)).get('/')",
      ['app.js', '', 'build'],
    ],
    ['a required function', "const app = require('../app')({ db }); request(app)", ['app.js', '', 'the export']],
    ['a function without a name', "request(require('../app').make(db)).get('/')", ['app.js', 'make', 'make']],
    [
      'an application that a test calls with a request',
      "import app from '../app'; const server = createServer((req, res) => app(req, res)); request(app)",
      ['app.js', ''],
    ],
    [
      'a server of it',
      "import app from '../app'; const server = http.createServer(app); server.listen(0); request(server)",
      ['app.js', ''],
    ],
    ['an import of a test', "const { app } = await import('../app.js'); await app.request('/x')", ['app.js', 'app']],
    ['a TypeScript module', "import app from '../typed.js'; request(app)", ['typed.ts', '']],
    ['a folder', "import app from '../src'; request(app)", ['src/index.ts', '']],
    ['an application of its own', 'const app = express(); request(app)', null],
    [
      'a function of a helper',
      "import { build } from './helper.js'; const app = await build(t); app.inject('/')",
      null,
    ],
    ['a module of a package', "import app from 'express'; request(app)", null],
  ])
    it(`is ${expected ? '' : 'not '}found by ${what}`, async () =>
      expect(
        await found({ 'test/a.test.js': text, 'app.js': '', 'typed.ts': '', 'src/index.ts': '', 'test/helper.js': '' }),
      ).to.deep.equal(expected));

  it('is the module that made it, with the name by which the test imports it', async () => {
    const files = {
      'app.js': 'export function build() { return fastify(); }',
      'test/a.test.js': "import { build } from '../app.js';",
    };
    expect(await found(files, ['app.js', 'test/a.test.js'])).to.deep.equal(['app.js', 'build']);
    expect(await found(files, ['app.js'])).to.deep.equal(['app.js', '']);
    files['test/a.test.js'] += ' const app = build({ a: 1 });';
    expect(await found(files, ['app.js', 'test/a.test.js'])).to.deep.equal(['app.js', 'build', 'build']);
  });

  it('is the module that calls functions of others, and none if a test calls what it imports by another name', async () => {
    const files = {
      'create.js': 'export const create = () => new Hono();',
      'app.js': 'export default create();',
      'a.test.js': '',
    };
    expect(await found(files, ['create.js', 'app.js'])).to.deep.equal(['app.js', '']);
    expect(await found(files, ['create.js', 'a.test.js'])).to.equal(null);
  });

  it('is not a test that exports something, and no file that is gone', async () => {
    expect(await found({ 'test/a.js': 'export const x = 1;' })).to.equal(null);
    expect(findApplication([pathToFileURL('/none/a.js').href])).to.equal(null);
    expect(findApplication([])).to.equal(null);
  });
});

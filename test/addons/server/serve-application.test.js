import { existsSync, mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';

import { expect } from 'chai';

import { readStart, refuseStart } from '../../../lib/addons/server/options/target.js';
import { ROOT, command } from '../../support/command.js';
import { inFolder } from '../../support/in-folder.js';
import { describeSlow } from '../../support/slow.js';

describe('start.app', () => {
  it('is a command of our own, which serves the module', () => {
    const { command: words } = readStart({ app: './app.js' });
    expect([words[0], words.at(-1)]).to.deep.equal([process.execPath, './app.js']);
  });

  it('replaces a command, and is refused beside one', () => {
    expect(refuseStart({ app: './app.js', command: 'node app.js' })).to.equal('use either command or app, not both');
    expect(refuseStart({ app: 1 })).to.contain('expected a module such as ./app.js');
  });
});

describeSlow('the application of a module is started', () => {
  const LISTENER = "(req, res) => res.end('hello')";
  for (const [what, file, text, name = ''] of [
    ['a listener', 'app.cjs', `module.exports = ${LISTENER};`],
    ['a server', 'app.mjs', `import http from 'node:http'; export default http.createServer(${LISTENER});`],
    ['one of several exports', 'app.mjs', `export const port = 1; export const app = ${LISTENER};`],
    ['a member of module.exports', 'app.cjs', `module.exports = { port: 1, app: ${LISTENER} };`],
    ['a function that makes it', 'app.mjs', `export const build = async (options = {}) => ${LISTENER};`],
    ['the export that is named', 'app.cjs', `exports.app = 1; exports.make = () => ${LISTENER};`, '#make'],
    ['an object with fetch', 'app.mjs', "export default { fetch: () => new Response('hello') };"],
    [
      'a default export that a compiler wrote as CommonJS',
      'app.cjs',
      `exports.default = ${LISTENER}; Object.defineProperty(exports, '__esModule', { value: true });`,
    ],
    [
      'a module that listens by itself',
      'app.cjs',
      `module.exports = require('node:http').createServer(${LISTENER}).listen(process.env.PORT);`,
    ],
  ])
    it(what, () =>
      inFolder(
        async (cwd) => {
          const { code, stderr } = await command(['-n', '3', '--start-app', `./${file}${name}`, '/'], { cwd });
          expect(code, stderr).to.equal(0);
        },
        { [file]: text },
      ),
    );

  for (const [what, text, reason] of [
    ['exports no application', 'export const port = 1;', 'exports no application, and no function that returns one'],
    ['throws', "throw new Error('no database');", 'no database'],
  ])
    it(`a module that ${what} ends the run with the reason`, () =>
      inFolder(
        async (cwd) => {
          const { code, stderr } = await command(['-n', '3', '--start-app', join(cwd, 'app.mjs'), '/'], { cwd });
          expect([code, stderr]).to.satisfy(
            ([exit, said]) => exit === 1 && said.replace(/\s+(\| )?/g, ' ').includes(reason),
          );
        },
        { 'app.mjs': text },
      ));

  const TYPED = `import { type Server } from 'node:http';\nexport default ((req: any, res: any) => res.end('hello'));`;
  const start = (cwd) => command(['-n', '3', '--start-app', './app.ts', '/'], { cwd });

  it('a module in TypeScript, by tsx where Node does not strip types', async function () {
    const tsx = join(ROOT, 'bench/node_modules/tsx');
    if (!existsSync(tsx)) this.skip();
    for (const type of ['module', 'commonjs'])
      await inFolder(
        async (cwd) => {
          mkdirSync(join(cwd, 'node_modules'));
          symlinkSync(tsx, join(cwd, 'node_modules/tsx'), 'dir');
          const { code, stderr } = await start(cwd);
          expect(code, stderr).to.equal(0);
        },
        { 'app.ts': TYPED, 'package.json': JSON.stringify({ type }) },
      );
  });

  it('a module in TypeScript without tsx says in one sentence what to install', async function () {
    if (process.features.typescript) this.skip();
    await inFolder(
      async (cwd) => {
        const { code, stderr } = await start(cwd);
        expect(code).to.equal(1);
        const [, output] = stderr.replace(/\s+/g, ' ').split('Its last output: ');
        expect(output.trim()).to.equal(
          `| ./app.ts is TypeScript, which Node ${process.version} does not run: npm install --save-dev tsx`,
        );
      },
      { 'app.ts': TYPED },
    );
  });
});

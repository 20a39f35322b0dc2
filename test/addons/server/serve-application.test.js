import { join } from 'node:path';

import { expect } from 'chai';

import { readStart, refuseStart } from '../../../lib/addons/server/options/target.js';
import { command } from '../../support/command.js';
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
});

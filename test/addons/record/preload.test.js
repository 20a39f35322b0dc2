import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect } from 'chai';

import { FOLDER } from '../../../lib/addons/record/suite/names.cjs';
import { ROOT } from '../../support/command.js';
import { inFolder } from '../../support/in-folder.js';
import { describeSlow } from '../../support/slow.js';

const PRELOAD = join(ROOT, 'lib/addons/record/suite/preload.cjs');

const BASE = `class Base {
  constructor({ mounted } = {}) { this.mounted = mounted; }
  fetch = (request) => this.mounted ? this.mounted.fetch(request) : new Response('hi');
  basePath() { return new Base(); }
}`;

/** A package with the name and the files of Hono, as far as the observation knows them. */
const HONO = {
  'node_modules/hono/package.json': JSON.stringify({
    name: 'hono',
    exports: { '.': { import: './dist/hono.js', require: './dist/cjs/hono.js' } },
    type: 'module',
  }),
  'node_modules/hono/dist/cjs/package.json': '{"type":"commonjs"}',
  'node_modules/hono/dist/cjs/hono.js': `${BASE}\nexports.Hono = class Hono extends Base {};`,
  'node_modules/hono/dist/hono.js': `${BASE}\nexport class Hono extends Base {};`,
};

const ASKS =
  "Promise.resolve(new Hono().fetch(new Request('http://localhost/a'))).then((r) => r.text()).then((text) => console.log(text));";

/** Runs Node with the preload; resolves with what it did, and the lines that were recorded. */
async function observed(files, words, { folder = 'recorded', options = '' } = {}) {
  return inFolder(async (cwd) => {
    const own = join(cwd, folder);
    const env = { ...process.env, [FOLDER]: own, NODE_OPTIONS: `--require ${PRELOAD} ${options}` };
    if (folder === 'recorded') mkdirSync(own);
    const ended = await new Promise((resolve) => {
      execFile(process.execPath, words, { cwd, env }, (error, stdout, stderr) =>
        resolve({ code: error ? error.code : 0, stdout, stderr }),
      );
    });
    const names = existsSync(own) ? readdirSync(own) : [];
    return { ...ended, lines: names.flatMap((name) => readFileSync(join(own, name), 'utf8').trim().split('\n')) };
  }, files);
}

describeSlow('the observation of a suite never changes the suite', () => {
  const SAYS_ONE = ['-e', "console.log(1); process.exitCode = 3; console.error('two')"];
  for (const [what, files, options] of [
    ['alone', {}],
    ['beside Hono', HONO],
    ['beside a Hono that cannot be read', { 'node_modules/hono/package.json': '{' }],
    ['beside a Hono of another kind', { 'node_modules/hono/index.js': 'throw new Error("no")' }],
    ['without its folder', HONO, { folder: 'absent' }],
    [
      'with another preload, which ends threads that it does not know',
      { ...HONO, 'own.cjs': "if (!require('worker_threads').isMainThread) process.exit(9);" },
      { options: '--require ./own.cjs' },
    ],
  ])
    it(what, async () => {
      const { code, stdout, stderr } = await observed(files, SAYS_ONE, options);
      expect([code, stdout, stderr]).to.deep.equal([3, '1\n', 'two\n']);
    });

  it('in a thread', async () => {
    const thread = "new (require('worker_threads').Worker)('console.log(1)', { eval: true })";
    const { code, stdout } = await observed(HONO, ['-e', thread]);
    expect([code, stdout]).to.deep.equal([0, '1\n']);
  });

  for (const [kind, file, load] of [
    ['a module', 'a.mjs', "import { Hono } from 'hono';"],
    ['CommonJS', 'a.cjs', "const { Hono } = require('hono');"],
  ])
    it(`while it records Hono as ${kind}`, async () => {
      const { code, stdout, stderr, lines } = await observed({ ...HONO, [file]: `${load}\n${ASKS}` }, [file]);
      expect([code, stdout, stderr]).to.deep.equal([0, 'hi\n', '']);
      expect(lines.map((line) => JSON.parse(line).url)).to.deep.equal(['/a']);
    });

  it('while it records Hono as a module beside the preload of Vitest', async () => {
    const preload = 'node_modules/vitest/suppress-warnings.cjs';
    const files = { ...HONO, [preload]: '', 'a.mjs': `import { Hono } from 'hono';\n${ASKS}` };
    const { stdout, lines } = await observed(files, ['--require', `./${preload}`, 'a.mjs']);
    expect([stdout, lines.length]).to.deep.equal(['hi\n', 1]);
  });

  it('while it records each instance of Hono, and a request that it passes on to another one once', async () => {
    const text = `
      const { Hono } = require('hono');
      const ask = (app, path) => app.fetch(new Request('http://localhost' + path));
      const inner = new Hono();
      ask(new Hono().basePath('/api').basePath('/v1'), '/base');
      ask(new Hono({ mounted: inner }), '/outer');
      console.log(1);`;
    const { stdout, lines } = await observed({ ...HONO, 'a.cjs': text }, ['a.cjs']);
    const recorded = lines.map((line) => JSON.parse(line));
    expect([stdout, recorded.map(({ url }) => url)]).to.deep.equal(['1\n', ['/base', '/outer']]);
    expect(recorded[0].app).not.to.equal(recorded[1].app);
  });

  it('while it tells applications apart, whatever makes their servers', async () => {
    const client = 'node_modules/supertest/index.js';
    const files = {
      [client]: "module.exports = (app) => require('http').createServer(app);",
      'a.cjs': `
        const http = require('http');
        const supertest = require('supertest');
        const make = () => (request, response) => response.end();
        const [bare, express, other] = [make(), Object.assign(make(), { use() {} }), Object.assign(make(), { use() {} })];
        const servers = [bare, bare, make()].map((one) => http.createServer(one));
        servers.push(...[express, express, other, bare, make()].map(supertest));
        (async () => {
          for (const server of servers) {
            await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
            await fetch('http://127.0.0.1:' + server.address().port + '/', { headers: { connection: 'close' } });
            server.close();
          }
        })();`,
    };
    const { lines } = await observed(files, ['a.cjs']);
    const apps = lines.map((line) => JSON.parse(line).app);
    expect(apps.map((app) => (app === 0 ? 'unknown' : apps.indexOf(app)))).to.deep.equal([
      ...[0, 0, 2],
      ...[3, 3, 5, 'unknown', 'unknown'],
    ]);
  });

  it('whose application answers with nothing', async () => {
    const silent = Object.fromEntries(
      Object.entries(HONO).map(([name, text]) => [name, text.replace("new Response('hi')", 'undefined')]),
    );
    const text = "const { Hono } = require('hono'); console.log(new Hono().fetch(new Request('http://localhost/a')));";
    const { code, stdout, stderr } = await observed({ ...silent, 'a.cjs': text }, ['a.cjs']);
    expect([code, stdout, stderr]).to.deep.equal([0, 'undefined\n', '']);
  });
});

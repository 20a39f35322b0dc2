import { execFile, execFileSync } from 'node:child_process';
import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs';
import { cp, mkdtemp, readFile, readdir, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';

import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { expect } from 'chai';
import { build } from 'esbuild';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';

import { ENTRIES } from '../../scripts/entries.js';
import { linksOf } from '../../scripts/markdown.js';
import { ok, serving } from '../support/serve.js';

const run = promisify(execFile);
const root = new URL('../..', import.meta.url).pathname;
const OTHER_NODES = (process.env.OTHER_NODE_PROGRAMS ?? '').split(delimiter).filter(Boolean);

/** The files of a folder, which may be missing, and of those in it. */
function filesIn(folder) {
  if (!existsSync(folder)) return [];
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
}

describe('the package', function () {
  this.timeout(600_000);
  let folder;
  let packed;
  let tarball;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'bench-rest-'));
    await run(process.execPath, ['scripts/build-package.js', join(folder, 'package')], { cwd: root });
    const { stdout } = await run('npm', ['pack', './package', '--json', '--pack-destination', folder], { cwd: folder });
    const [{ filename, files }] = JSON.parse(stdout.slice(stdout.indexOf('[')));
    packed = files.map(({ path }) => path);
    tarball = await readFile(join(folder, filename));
    await writeFile(join(folder, 'package.json'), '{}');
    await run(
      'npm',
      ['install', '--no-audit', '--no-fund', '--ignore-scripts', '--omit=optional', join(folder, filename)],
      {
        cwd: folder,
      },
    );
  });

  after(() => rm(folder, { recursive: true, force: true }));

  it('has documents whose links lead to pages of the package, or to the repository', async () => {
    const pages = packed.filter((path) => path.endsWith('.md'));
    expect(pages).to.include.members(['README.md', 'docs/guide/flows.md']);
    for (const page of pages) {
      const text = await readFile(join(folder, 'node_modules/bench-rest', page), 'utf8');
      const paths = linksOf(text).filter((target) => !/^([a-z]+:|#)/.test(target));
      const targets = paths.map((target) => join(dirname(page), target.split('#')[0]));
      expect(
        targets.filter((path) => !existsSync(join(folder, 'node_modules/bench-rest', path))),
        page,
      ).to.be.empty;
    }
  });

  const evaluate = async (code, type) =>
    (await run(process.execPath, [`--input-type=${type}`, '-e', code], { cwd: folder })).stdout.trim();

  it('X8 holds what it needs and nothing else', () => {
    expect(packed).to.have.lengthOf.at.most(200);
    expect([...new Set(packed.map((path) => path.split('/')[0]))].sort()).to.deep.equal([
      'CHANGELOG.md',
      'LICENSE',
      'README.md',
      'THIRD_PARTY.md',
      'bin',
      'capacity.schema.json',
      'cjs',
      'comparison.schema.json',
      'docs',
      'examples',
      'flow.schema.json',
      'history.schema.json',
      'index.js',
      'lib',
      'man',
      'package.json',
      'result.schema.json',
      'types',
    ]);
  });

  it('has sources of its own in no file but those that pages and other processes read', () => {
    const sources = packed.filter(
      (path) => /^lib\/.*\/.*\.c?js$/.test(path) && !/\/(page\/client|preload)\//.test(path),
    );
    // those that are loaded by their URL
    expect(sources.sort()).to.deep.equal([
      'lib/addons/grpc/schema/reflection-thread.js',
      'lib/addons/mcp/child.js',
      'lib/addons/record/suite/hono-hooks.cjs',
      'lib/addons/record/suite/names.cjs',
      'lib/addons/record/suite/observe.cjs',
      'lib/addons/record/suite/preload.cjs',
      'lib/addons/serve/server.js',
      'lib/addons/serve/worker.js',
      'lib/addons/server/profile/thread.js',
      'lib/addons/server/serve-application.js',
      'lib/core/cli/engine/engine-worker.js',
      'lib/core/process/module-kind.js',
      'lib/core/process/own-package.js',
      'lib/core/process/thread.js',
      'lib/core/run/load/pacing-worker.js',
      'lib/core/run/workers/entry.js',
    ]);
  });

  describe('in bundles', () => {
    const RECORDER = join(root, 'test/support/record-modules.js');
    const home = () => join(folder, 'node_modules/bench-rest');
    const bin = (args, options = {}) =>
      run(process.execPath, [join(home(), 'bin/bench-rest.js'), ...args], { cwd: folder, ...options });

    /** What a command loads of the package, each with its thread, and in how many instances. */
    const loadedBy = async (args) => {
      const RECORD_MODULES = join(folder, 'modules');
      await rm(RECORD_MODULES, { force: true });
      await bin(args, { env: { ...process.env, NODE_OPTIONS: `--import ${RECORDER}`, RECORD_MODULES } });
      const lines = (await readFile(RECORD_MODULES, 'utf8')).split('\n');
      return lines.flatMap((line) => {
        const [thread, url] = line.split(' ');
        return url?.includes('/node_modules/') ? `${thread} ${url.split('/node_modules/').at(-1)}` : [];
      });
    };

    it('each can be loaded first', async () => {
      const all = (await readdir(join(home(), 'lib'))).filter((name) => name.endsWith('.js'));
      // the URL of this one has the path of an add-on
      const names = all.filter((name) => name !== 'joined-addon.js');
      for (const name of names) await evaluate(`await import('./node_modules/bench-rest/lib/${name}')`, 'module');
    });

    it('a run of a URL loads few files, and no package', () =>
      serving(ok, async (url) => {
        const files = (thread, names) => names.map((name) => `${thread} bench-rest/${name}.js`);
        const main = ['bin/bench-rest', 'lib/door', 'lib/facts-of-command', 'lib/base', 'lib/command'];
        const engine = ['lib/run', 'lib/thread', 'lib/core/cli/engine/engine-worker'];
        expect(await loadedBy(['-n', '1', url])).to.have.members(files('main', [...main, ...engine]));
        const roots = ['lib/addons', 'lib/addons-of-command', 'lib/facts-of-command', 'lib/door', 'lib/base'];
        expect(await loadedBy(['-n', '1k', url])).to.have.members([
          ...files('main', main),
          ...files('thread', ['lib/core/process/thread', ...roots, ...engine]),
        ]);
      }));

    it('a flow that imports bench-rest gets the instance that runs it, wherever it is', () =>
      serving(ok, async (url) => {
        const elsewhere = await mkdtemp(join(tmpdir(), 'bench-rest-'));
        const text = `import { defineFlow } from 'bench-rest'; export default defineFlow({ main: [{ get: '${url}' }] });`;
        try {
          for (const home of [folder, elsewhere]) {
            await writeFile(join(home, 'flow.mjs'), text);
            const loaded = await loadedBy(['-n', '1', join(home, 'flow.mjs')]);
            expect(
              loaded.filter((one) => one.endsWith('/base.js')),
              home,
            ).to.have.members(['main bench-rest/lib/base.js', 'thread bench-rest/lib/base.js']);
          }
        } finally {
          await rm(elsewhere, { recursive: true });
        }
      }));

    it('groups that are loaded later work: threads, hooks, cookies, other clients, formats and commands', () =>
      serving(ok, async (url) => {
        const hooks = `[{ get: '${url}', afterHooks: ['verify2XX'] }, { get: '${url}', expect: { body: 'ok' } }]`;
        const code = `[{ get: '${url}', beforeHooks: [(all) => all] }, async ({ request }) => void (await request({ get: '${url}' }))]`;
        // a busy machine may drop arrivals
        const paced = ['-t', '300ms', '-r', '50', '--threshold', 'dropped<15', '--threshold', 'backlog<15'];
        for (const args of [
          ['-n', '20', '-w', '2', '-c', '2', url],
          ['-n', '4', '--serve', join(root, 'examples/put-get.js')],
          ['-n', '4', '-e', hooks],
          ['-n', '4', '-e', code],
          ['-n', '4', '--http-client', 'undici', url],
          [...paced, '-o', 'page.html', '-o', 'result.json', '-o', 'card.svg', '-o', 'junit.xml', url],
          ['report', 'result.json'],
          [...paced, '-o', 'other.json', url],
          ['compare', 'result.json', 'other.json'],
          ['merge', '--help'],
          ['completion', 'bash'],
          ['list'],
        ])
          await bin(args).catch((error) => expect.fail(`${args.join(' ')}: ${error.stdout}${error.stderr}`));
        const { stderr } = await bin(['-n', '1', '-e', `{ get: '${url}', timout: 1 }`]).catch((error) => error);
        expect(stderr).to.include('did you mean timeout?');
      }));

    it('its pages are those of a clone', () =>
      serving(ok, async (url) => {
        for (const name of ['one', 'two']) await bin(['-n', '4', '-o', `${name}.json`, url]);
        for (const command of [
          ['report', 'one.json'],
          ['compare', 'one.json', 'two.json'],
        ]) {
          const [packed, clone] = ['packed.html', 'clone.html'].map((name) => join(folder, name));
          await bin([...command, '-o', packed]);
          await run(process.execPath, [join(root, 'bin/bench-rest.js'), ...command, '-o', clone], { cwd: folder });
          expect(await readFile(packed, 'utf8')).to.equal(await readFile(clone, 'utf8'));
        }
      }));

    const newer = OTHER_NODES.filter((node) => !/^v20/.test(execFileSync(node, ['--version'], { encoding: 'utf8' })));
    for (const node of newer)
      it(`the next start has what V8 made of our modules, and never of a flow: ${node}`, () =>
        serving(ok, async (url) => {
          const cache = join(home(), '.cache');
          const inCache = (text) => filesIn(cache).filter((path) => readFileSync(path).includes(text));
          const start = (args, env = {}) =>
            run(node, [join(home(), 'bin/bench-rest.js'), ...args], { cwd: folder, env: { ...process.env, ...env } });
          await writeFile(join(folder, 'config.mjs'), `export default { title: 'ownOfTest' };`);
          await writeFile(
            join(folder, 'own.mjs'),
            `export const ownOfTest = () => ({ get: '${url}' }); export default ownOfTest();`,
          );
          await start(['-n', '1', url], { NODE_DISABLE_COMPILE_CACHE: '1' });
          expect(filesIn(cache)).to.deep.equal([]);
          await start(['list', 'commands']);
          await start(['-n', '1', '--config', 'config.mjs', url]);
          expect(filesIn(cache)).to.deep.equal([]);
          await start(['-n', '1', join(folder, 'own.mjs')]);
          await start(['-n', '1', url]);
          const count = filesIn(cache).length;
          expect(count).to.be.within(4, 8);
          await start(['-n', '1', url]);
          expect(filesIn(cache)).to.have.lengthOf(count);
          expect(statSync(cache).mode & 0o777).to.equal(0o700);
          expect(inCache('prepareRun')).to.have.lengthOf(1);
          expect(inCache('ownOfTest')).to.deep.equal([]);
          await rm(cache, { recursive: true });
        }));

    it('an error of our own shows functions of our sources, and their lines with source maps', async () => {
      const code =
        "import run from 'bench-rest'; try { run([{ got: 1 }], { iterations: 1, limit: 1 }); } catch (error) { console.log(error.stack); }";
      expect(await evaluate(code, 'module')).to.match(/at prepareRun \(.*\/bench-rest\/lib\/run\.js:/);
      const { stdout } = await run(process.execPath, ['--enable-source-maps', '--input-type=module', '-e', code], {
        cwd: folder,
      });
      expect(stdout).to.match(/at prepareRun \(.*\/lib\/core\/run\/prepare\.js:\d+/);
    });
  });

  it('is imported by default and by name', async () => {
    const code = "import a, { benchrest as b } from 'bench-rest'; console.log(typeof a, a === b)";
    expect(await evaluate(code, 'module')).to.equal('function true');
  });

  it('is required as the function itself', async () => {
    expect(await evaluate("console.log(typeof require('bench-rest'))", 'commonjs')).to.equal('function');
  });

  it('exports the search for a capacity, for import and require', async () => {
    const search =
      "capacity('http://127.0.0.1:1/', { signal: AbortSignal.abort() }).then(({ type }) => console.log(type))";
    expect(await evaluate(`import { capacity } from 'bench-rest'; ${search}`, 'module')).to.equal('capacity');
    expect(await evaluate(`const { capacity } = require('bench-rest'); ${search}`, 'commonjs')).to.equal('capacity');
  });

  it('exports the target', async () => {
    expect(
      await evaluate("import { startTarget } from 'bench-rest/target'; console.log(typeof startTarget)", 'module'),
    ).to.equal('function');
  });

  it('exports the functions for results, with their types', async () => {
    const code = "import * as all from 'bench-rest/results'; console.log(Object.keys(all).sort().join(' '))";
    expect(await evaluate(code, 'module')).to.equal(
      'assertNoRegression assertThresholds compareResults mergeResults percentile readResult renderResult withBaseline writeResult',
    );
    const types = await readFile(join(folder, 'node_modules/bench-rest/types/lib/results.d.ts'), 'utf8');
    expect(types).to.include('declare function assertThresholds');
  });

  it('contains the command', async () => {
    const { stdout } = await run(join(folder, 'node_modules/.bin/bench-rest'), ['--version'], { cwd: folder });
    const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
    expect(stdout.trim()).to.equal(version);
  });

  it('contains its types', async () => {
    const types = await readFile(join(folder, 'node_modules/bench-rest/types/index.d.ts'), 'utf8');
    expect(types).to.include('benchrest');
  });

  it('is refused by no check of publint', async () => {
    const pack = { tarball: tarball.buffer.slice(tarball.byteOffset, tarball.byteOffset + tarball.byteLength) };
    const { messages, pkg } = await publint({ pack });
    expect(messages.map((one) => formatMessage(one, pkg, { color: false }))).to.deep.equal([]);
  });

  it('has types that resolve in node16, nodenext and bundler, for import and require', async () => {
    const { problems, entrypoints } = await checkPackage(createPackageFromTarballData(tarball));
    // TypeScript before 4.7, whose moduleResolution node10 knows no exports
    expect(problems.filter(({ resolutionKind }) => resolutionKind !== 'node10')).to.deep.equal([]);
    for (const { name } of ENTRIES)
      for (const kind of ['node16-cjs', 'node16-esm', 'bundler'])
        expect(
          entrypoints[name.replace('bench-rest', '.')].resolutions[kind].resolution?.isTypeScript,
          `${name} ${kind}`,
        ).to.equal(true);
  });

  it('runs in a program that is bundled as an ES module, also without its packages', async () => {
    await cp(join(root, 'test/tools/runners/program.js'), join(folder, 'program.mjs'));
    const outfile = join(folder, 'bundle/program.mjs');
    const { warnings } = await build({
      entryPoints: [join(folder, 'program.mjs')],
      outfile,
      bundle: true,
      platform: 'node',
      format: 'esm',
      logLevel: 'silent',
    });
    expect(warnings).to.deep.equal([]);
    const elsewhere = await mkdtemp(join(tmpdir(), 'bench-rest-'));
    try {
      await rename(outfile, join(elsewhere, 'program.mjs'));
      const { stdout } = await run(process.execPath, [join(elsewhere, 'program.mjs')], { cwd: elsewhere });
      expect(stdout).to.equal('10 iterations\n');
    } finally {
      await rm(elsewhere, { recursive: true });
    }
  });

  describe('in a test runner', () => {
    const RUNNERS = {
      ava: 'ava/entrypoints/cli.mjs',
      jest: 'jest/bin/jest.js',
      mocha: 'mocha/bin/mocha.js',
      tsx: 'tsx/dist/cli.mjs',
      vitest: 'vitest/vitest.mjs',
    };

    before(async () => {
      await cp(join(root, 'test/tools/runners'), join(folder, 'runners'), { recursive: true });
      await writeFile(join(folder, 'runners/package.json'), '{ "type": "module" }');
      for (const name of Object.keys(RUNNERS)) {
        const home = [join(root, 'bench/node_modules', name), join(root, 'node_modules', name)].find(existsSync);
        if (!home) throw new Error('these tests need the test runners: npm install --prefix bench --ignore-scripts');
        await symlink(home, join(folder, 'node_modules', name), 'dir');
      }
    });

    /** What a runner prints about a suite that passes. */
    const passes = async (name, args, node = process.execPath) => {
      const cwd = join(folder, 'runners');
      const env = { ...process.env, NO_COLOR: '1', FORCE_COLOR: undefined, NODE_OPTIONS: '', VITEST: undefined };
      const { stdout, stderr } = await run(node, [join('..', 'node_modules', RUNNERS[name]), ...args], { cwd, env });
      return `${stdout}${stderr}`;
    };

    // .ci/run names other Nodes
    for (const node of [process.execPath, ...OTHER_NODES])
      it(`runs in Jest, which requires it: ${node}`, async () => {
        const args = ['--rootDir', '.', '--testMatch', '**/jest.cjs', '--no-watchman', '--runInBand'];
        expect(await passes('jest', args, node)).to.match(/^Tests: +2 passed, 2 total$/m);
      });

    for (const pool of ['threads', 'vmThreads', 'forks'])
      it(`runs in Vitest with ${pool}`, async () => {
        await writeFile(
          join(folder, 'runners/vitest.config.js'),
          "export default { test: { include: ['vitest.js'] } };",
        );
        expect(await passes('vitest', ['run', '--pool', pool])).to.match(/Tests +1 passed \(1\)/);
      });

    it('runs in AVA', async () => {
      expect(await passes('ava', ['ava.js'])).to.include('1 test passed');
    });

    it('runs in mocha', async () => {
      expect(await passes('mocha', ['mocha.js'])).to.include('1 passing');
    });

    it('runs in TypeScript with tsx and the runner of Node', async () => {
      expect(await passes('tsx', ['--test', 'node-test.ts'])).to.match(/^. pass 1$/m);
    });
  });
});

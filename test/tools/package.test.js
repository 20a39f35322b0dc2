import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, mkdtemp, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';

import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { expect } from 'chai';
import { build } from 'esbuild';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';

import { ENTRIES } from '../../scripts/entries.js';

const run = promisify(execFile);
const root = new URL('../..', import.meta.url).pathname;

describe('the package', function () {
  this.timeout(600_000);
  let folder;
  let packed;
  let tarball;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'bench-rest-'));
    const { stdout } = await run('npm', ['pack', '--json', '--pack-destination', folder], { cwd: root });
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

  const evaluate = async (code, type) =>
    (await run(process.execPath, [`--input-type=${type}`, '-e', code], { cwd: folder })).stdout.trim();

  it('X8 holds what it needs and nothing else', () => {
    expect([...new Set(packed.map((path) => path.split('/')[0]))].sort()).to.deep.equal([
      'CHANGELOG.md',
      'LICENSE',
      'README.md',
      'THIRD_PARTY.md',
      'bin',
      'capacity.schema.json',
      'cjs',
      'comparison.schema.json',
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
    expect(types).to.include('export function assertThresholds');
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
    for (const node of [process.execPath, ...(process.env.OTHER_NODE_PROGRAMS ?? '').split(delimiter).filter(Boolean)])
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

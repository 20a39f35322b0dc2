import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { expect } from 'chai';

const run = promisify(execFile);
const root = new URL('../..', import.meta.url).pathname;

describe('the package', function () {
  this.timeout(180_000);
  let folder;
  let packed;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'bench-rest-'));
    const { stdout } = await run('npm', ['pack', '--json', '--pack-destination', folder], { cwd: root });
    const [{ filename, files }] = JSON.parse(stdout.slice(stdout.indexOf('[')));
    packed = files.map(({ path }) => path);
    await writeFile(join(folder, 'package.json'), '{}');
    await run('npm', ['install', '--no-audit', '--no-fund', '--ignore-scripts', join(folder, filename)], {
      cwd: folder,
    });
  });

  after(() => rm(folder, { recursive: true, force: true }));

  const evaluate = async (code, type) =>
    (await run(process.execPath, [`--input-type=${type}`, '-e', code], { cwd: folder })).stdout.trim();

  it('X8 holds what it needs and nothing else', () => {
    expect([...new Set(packed.map((path) => path.split('/')[0]))].sort()).to.deep.equal([
      'CHANGELOG.md',
      'LICENSE',
      'README.md',
      'bin',
      'examples',
      'flow.schema.json',
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

  it('exports the target', async () => {
    expect(
      await evaluate("import { startTarget } from 'bench-rest/target'; console.log(typeof startTarget)", 'module'),
    ).to.equal('function');
  });

  it('exports the functions for results, with their types', async () => {
    const code = "import * as all from 'bench-rest/report'; console.log(Object.keys(all).sort().join(' '))";
    expect(await evaluate(code, 'module')).to.equal(
      'assertNoRegression assertThresholds compare load merge percentile render save withBaseline',
    );
    const types = await readFile(join(folder, 'node_modules/bench-rest/types/lib/cli/result/programs.d.ts'), 'utf8');
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
});

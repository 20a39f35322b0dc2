import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';

import { expect } from 'chai';

import { runSetup } from '../../../../lib/addons/compare/ab/ref-packages.js';
import { RefTree, nameOfRef, nameOfTree } from '../../../../lib/addons/compare/ab/ref-tree.js';
import { makeOwnFolder } from '../../../../lib/addons/processes/private-folder.js';
import { command } from '../../../support/command.js';
import { describeSlow } from '../../../support/slow.js';

/** Answers 201 in the commit, and 200 in the working tree. */
const appOf = (status) => `
  require('own'); require('dep');
  require('node:http').createServer((req, res) => res.writeHead(${status}).end()).listen(process.env.PORT, '127.0.0.1');`;

describeSlow('the work tree of another commit', () => {
  let repository;
  const git = (...args) =>
    execFileSync('git', ['-c', 'user.name=x', '-c', 'user.email=x@example.org', ...args], {
      cwd: repository,
      encoding: 'utf8',
    });
  const write = (path, text) => {
    mkdirSync(join(repository, path, '..'), { recursive: true });
    writeFileSync(join(repository, path), text);
  };
  const open = (ref = 'main') => RefTree.open(ref, { cwd: join(repository, 'service') });
  const setupsOf = async (tree, given) => (await tree.setup(given)).map(({ command: text, folder }) => [text, folder]);
  const refusal = (promise) => promise.then(expect.fail, (error) => error.message);

  /** A service in a folder of its own, with a package of the repository (a workspace) and an installed one. */
  beforeEach(() => {
    repository = realpathSync(mkdtempSync(join(tmpdir(), 'bench-rest-ref-test-')));
    git('init', '--quiet', '--initial-branch', 'main');
    write('.gitignore', 'node_modules\n');
    write('package.json', '{ "name": "all" }');
    write('package-lock.json', '{}');
    write('own/package.json', '{ "name": "own" }');
    write('own/index.js', 'module.exports = 1;');
    write('service/app.js', appOf(201));
    git('add', '.');
    git('commit', '--quiet', '--message', 'Add the service');
    write('node_modules/dep/index.js', '');
    write('node_modules/@scope/dep/index.js', '');
    write('node_modules/.cache/file', '');
    symlinkSync('../own', join(repository, 'node_modules/own'));
    mkdirSync(join(repository, 'node_modules/.bin'));
    symlinkSync('../own/index.js', join(repository, 'node_modules/.bin/own'));
    write('service/app.js', appOf(200));
  });
  afterEach(() => rmSync(repository, { recursive: true, force: true }));

  it('checks the commit out beside the repository, with its packages, and removes it without a trace', async () => {
    const before = git('status', '--porcelain');
    const tree = await open();
    expect(readFileSync(join(tree.folderFor(), 'app.js'), 'utf8')).to.include('201');
    expect(await tree.setup()).to.deep.equal([]);
    const realPathOf = (name) => realpathSync(join(tree.folder, 'node_modules', name));
    expect(realPathOf('own')).to.equal(realpathSync(join(tree.folder, 'own')));
    expect(realPathOf('.bin/own')).to.equal(realpathSync(join(tree.folder, 'own/index.js')));
    expect(realPathOf('@scope/dep')).to.equal(join(repository, 'node_modules/@scope/dep'));
    expect(existsSync(join(tree.folder, 'node_modules/.cache'))).to.equal(false);
    await tree.remove();
    expect(existsSync(tree.folder)).to.equal(false);
    expect(git('worktree', 'list').trim().split('\n')).to.have.length(1);
    expect(git('status', '--porcelain')).to.equal(before);
    expect(existsSync(join(repository, 'node_modules/dep/index.js'))).to.equal(true);
  });

  it('links packages by a link and those above the repository, and keeps those of the commit', async () => {
    const [outer, repo] = [repository, join(repository, 'inner')];
    mkdirSync(join(outer, 'node_modules/above'));
    mkdirSync(join(outer, 'shared/linked'), { recursive: true });
    write('inner/service/node_modules/dep/index.js', 'committed');
    write('inner/service/package.json', '{}');
    write('inner/package.json', '{}');
    symlinkSync('../shared', join(repo, 'node_modules'));
    repository = repo;
    git('init', '--quiet', '--initial-branch', 'main');
    git('add', '--force', '.');
    git('commit', '--quiet', '--message', 'Add all');
    const tree = await open();
    await tree.setup();
    const linked = ['node_modules/linked', 'node_modules/above'].map((name) => realpathSync(join(tree.folder, name)));
    expect(linked).to.deep.equal([join(outer, 'shared/linked'), join(outer, 'node_modules/above')]);
    expect(readFileSync(join(tree.folder, 'service/node_modules/dep/index.js'), 'utf8')).to.equal('committed');
    await tree.remove();
    repository = outer;
    expect(existsSync(join(outer, 'shared/above'))).to.equal(false);
  });

  it('a folder outside the repository stays what it is', async () => {
    const tree = await open();
    expect([tree.folderFor('..'), tree.folderFor('../own'), tree.folderFor(tmpdir())]).to.deep.equal([
      tree.folder,
      join(tree.folder, 'own'),
      tmpdir(),
    ]);
    const link = `${repository}-link`;
    symlinkSync(join(repository, 'own'), link);
    expect(tree.folderFor(link)).to.equal(join(tree.folder, 'own'));
    rmSync(link);
    await tree.remove();
  });

  it('installs the packages of another lock file by that file, and links none', async () => {
    write('package-lock.json', '{ "lockfileVersion": 3 }');
    // The lock file of the repository is that of its workspaces.
    write('own/package.json', '{ "name": "own", "dependencies": { "dep": "2" } }');
    const tree = await open();
    expect(await setupsOf(tree)).to.deep.equal([['npm ci', tree.folder]]);
    expect(await setupsOf(tree, 'make')).to.deep.equal([['make', tree.folderFor()]]);
    expect(existsSync(join(tree.folder, 'node_modules'))).to.equal(false);
    await tree.remove();
  });

  it('installs the packages of each lock file that differs, and links the others', async () => {
    for (const name of ['service', 'web', 'fixture', 'same']) {
      write(`${name}/package.json`, '{}');
      write(`${name}/package-lock.json`, '{}');
    }
    git('add', '.');
    git('commit', '--quiet', '--message', 'Add packages');
    for (const name of ['service', 'web', 'fixture']) write(`${name}/package-lock.json`, '{ "lockfileVersion": 3 }');
    for (const name of ['web', 'same']) write(`${name}/node_modules/dep/index.js`, '');
    const tree = await open();
    // Nobody uses the fixture: it is not installed, and the service is not in it.
    expect(await setupsOf(tree)).to.deep.equal(['service', 'web'].map((name) => ['npm ci', join(tree.folder, name)]));
    expect(existsSync(join(tree.folder, 'node_modules/dep'))).to.equal(true);
    rmSync(join(tree.folder, 'same/node_modules'), { recursive: true });
    write('package-lock.json', '{ "lockfileVersion": 3 }');
    expect((await setupsOf(tree)).map(([, folder]) => folder)).to.include(tree.folder);
    expect(existsSync(join(tree.folder, 'same/node_modules/dep'))).to.equal(true);
    await tree.remove();
  });

  it('names submodules, which are not checked out', async () => {
    write('.gitmodules', '');
    git('add', '.');
    git('commit', '--quiet', '--message', 'Add a submodule');
    const tree = await open();
    expect((await tree.notices())[0]).to.match(/git submodule update --init/);
    expect(await tree.notices('make')).to.deep.equal([]);
    await tree.remove();
  });

  it('leaves the index of the user alone in a hook of git', async () => {
    git('add', 'service/app.js');
    const before = git('status', '--porcelain');
    const hook = { GIT_DIR: join(repository, '.git'), GIT_INDEX_FILE: join(repository, '.git/index'), GIT_PREFIX: '' };
    Object.assign(process.env, hook);
    try {
      const tree = await open();
      expect(readFileSync(join(tree.folderFor(), 'app.js'), 'utf8')).to.include('201');
      await tree.remove();
    } finally {
      for (const name of Object.keys(hook)) delete process.env[name];
    }
    expect(git('status', '--porcelain')).to.equal(before);
  });

  it('refuses other dependencies without a lock file', async () => {
    git('rm', '--quiet', 'package-lock.json');
    git('commit', '--quiet', '--message', 'Remove the lock file');
    mkdirSync(join(repository, 'own/node_modules'));
    write('own/package.json', '{ "name": "own", "dependencies": { "dep": "2" } }');
    const tree = await open();
    expect(await refusal(tree.setup())).to.match(/own[/\\]package.json has other dependencies there, .*--setup/);
    write('own/package.json', '{ "name": "own", "optionalDependencies": { "dep": "2" } }');
    expect(await refusal(tree.setup())).to.match(/has other dependencies there/);
    write('own/package.json', '{ "dependencies": {}, "name": "own" }');
    expect(await setupsOf(tree)).to.deep.equal([]);
    await tree.remove();
    write('own/package.json', '{{ template }}');
    const next = await open();
    expect(await refusal(next.setup())).to.match(/has other dependencies there/);
    await next.remove();
  });

  it('refuses a folder that the commit does not have', async () => {
    mkdirSync(join(repository, 'later'));
    const tree = await RefTree.open('main', { cwd: join(repository, 'later') });
    expect(await refusal(tree.refuseMissing())).to.match(/that commit has no folder later; choose one/);
    await tree.refuseMissing(tree.folderFor('../service'));
    await tree.remove();
  });

  it('refuses a command that names the files of the repository by their full path', async () => {
    const tree = await open();
    tree.refuseOwnPaths('node app.js');
    const link = `${repository}-link`;
    symlinkSync(repository, link);
    for (const own of [
      ['node', join(repository, 'service/app.js')],
      `cd ${repository} && node service/app.js`,
      `node "${link}/service/app.js"`,
    ])
      expect(() => tree.refuseOwnPaths(own)).to.throw(/write a relative path/);
    tree.refuseOwnPaths(`${process.execPath} app.js --cache=${tmpdir()}`);
    rmSync(link);
    await tree.remove();
  });

  it('names what is wrong with a ref', async () => {
    git('update-ref', 'refs/remotes/origin/next', 'HEAD');
    expect(await refusal(open('next'))).to.match(/did you mean origin\/next\?/);
    expect(await refusal(open('--help'))).to.match(/no such branch, tag or commit; git fetch/);
    expect(await refusal(RefTree.open('main', { cwd: tmpdir() }))).to.match(/is in none/);
    write('.git/shallow', git('rev-parse', 'HEAD'));
    expect(await refusal(open('HEAD~1'))).to.match(/this clone is shallow: 'git fetch --unshallow/);
  });

  it('runs no hook of the repository', async () => {
    write('.git/hooks/post-checkout', '#!/bin/sh\ntouch ../ran');
    execFileSync('chmod', ['+x', join(repository, '.git/hooks/post-checkout')]);
    const tree = await open();
    expect(existsSync(join(tree.folder, '../ran'))).to.equal(false);
    await tree.remove();
  });

  it('removes the work tree that a killed process left, and no other', async () => {
    const own = await makeOwnFolder('ref');
    const left = join(tmpdir(), basename(own).replace(/-\d+-(\d+)-/, '-999999999-$1-'));
    git('worktree', 'add', '--quiet', '--detach', own);
    git('worktree', 'add', '--quiet', '--detach', left);
    const tree = await open();
    expect([own, left].map((path) => existsSync(path))).to.deep.equal([true, false]);
    git('worktree', 'remove', '--force', own);
    await tree.remove();
  });

  it('a folder that cannot be removed is a notice, and no error', async () => {
    const place = { top: repository, cwd: repository, folder: join(repository, 'own/index.js/x'), commit: '' };
    expect(await new RefTree(place).remove()).to.match(/^its work tree could not be removed \(ENOTDIR.*: delete /);
  });

  it('names the working tree by its branch, or by its commit', async () => {
    expect(await nameOfTree(repository)).to.equal('main with changes');
    git('checkout', '--quiet', '--detach');
    expect(await nameOfTree(repository)).to.equal(`${git('rev-parse', '--short', 'HEAD').trim()} with changes`);
  });

  it('the hash of a commit is a short name, and other names are whole', () => {
    const names = ['15350bd8dea79da4d6151361bd1756a29dc2d001', 'origin/main', 'v1.0.0', 'deadbeef'].map(nameOfRef);
    expect(names).to.deep.equal(['15350bd8de', 'origin/main', 'v1.0.0', 'deadbeef']);
  });

  describe('setup', () => {
    it('shows the end of the output of a command that failed', async () => {
      const { outcome } = runSetup({ command: 'echo lost >&2; exit 4', folder: tmpdir() });
      expect(await refusal(outcome)).to.match(/ended with code 4: [^]*\| lost/);
    });

    it('knows the working directory of the user, and nothing of a hook that started it', async () => {
      process.env.GIT_DIR = '/nowhere';
      try {
        const script = 'test "$BENCH_REST_REPOSITORY" = /work && test -z "$GIT_DIR"';
        await runSetup({ command: script, folder: tmpdir(), repository: '/work' }).outcome;
      } finally {
        delete process.env.GIT_DIR;
      }
    });

    it('has ended when its shell has, although something of it runs in the background', async () => {
      const folder = mkdtempSync(join(tmpdir(), 'bench-rest-setup-'));
      await runSetup({ command: 'sleep 60 & echo $! > pid', folder }).outcome;
      process.kill(Number(readFileSync(join(folder, 'pid'), 'utf8')), 'SIGKILL');
      rmSync(folder, { recursive: true });
    });

    it('is ended by a stop', async () => {
      const { outcome, stop } = runSetup({ command: 'sleep 60', folder: tmpdir() });
      stop();
      await outcome;
    });
  });

  it('ab refuses settings of a server without its command', async () => {
    const args = ['ab', '--versus-ref', 'main', '--start-ready', '/', '-n', '1', 'http://localhost:1/'];
    const { code, stderr } = await command(args, { cwd: repository });
    expect(code, stderr).to.equal(2);
    expect(stderr).to.include('needs the command that starts the server');
  });

  it('ab compares the working tree with a ref, and names both', async () => {
    const runs = join(repository, 'runs');
    const { code, stdout, stderr } = await command(
      [
        'ab',
        '--start',
        'node app.js',
        '--versus-ref',
        'main',
        '--runs',
        '1',
        '-n',
        '4',
        '--save-runs',
        runs,
        '--json',
        '/',
      ],
      { cwd: join(repository, 'service') },
    );
    expect([code, stderr]).to.deep.equal([0, stderr]);
    const [base, other] = ['A', 'B'].map((side) => JSON.parse(readFileSync(join(runs, side, '1.json'), 'utf8')));
    expect([base.requests.statusCodes, other.requests.statusCodes]).to.deep.equal([{ 201: 4 }, { 200: 4 }]);
    const { sides } = JSON.parse(stdout);
    expect([sides.base.label, sides.new.label]).to.deep.equal(['main', 'main with changes']);
    expect([base.run.git.branch, other.run.git.branch]).to.deep.equal([undefined, 'main']);
    expect(git('worktree', 'list').trim().split('\n')).to.have.length(1);
  });
});

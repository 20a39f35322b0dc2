import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, sep } from 'node:path';

import { expect } from 'chai';

import { describeRun, gitState } from '../../../../lib/core/cli/result/describe-run.js';

describe('cli/result/describe-run', () => {
  const folder = join(sep, 'home', 'jane', 'shop');
  const fromOf = (from) => describeRun({ plan: { options: {} }, from, hash: '' }, folder).flow.source;

  for (const [from, shown, why] of [
    [join(folder, 'bench', 'flow.js'), join('bench', 'flow.js'), 'a file is relative to the working directory'],
    [join(sep, 'home', 'joe', 'flow.js'), 'flow.js', 'a file outside has its name alone'],
    [join(folder, '..cart.js'), '..cart.js', 'two dots can begin a name'],
    ['http://localhost:8000/', 'http://localhost:8000/', 'a URL stays'],
    ['-e', '-e', 'the command line stays'],
    ['standard input', 'standard input', 'standard input stays'],
  ])
    it(why, () => expect(fromOf(from)).to.equal(shown));

  const stage = { duration: 10_000, ramp: true };
  for (const [options, load] of [
    [{ iterations: 100 }, { model: 'closed', iterations: 100 }],
    [
      { rate: 5, duration: 1000, arrival: 'poisson' },
      { model: 'open', arrival: 'poisson', rate: 5, duration: 1000 },
    ],
    [{ stages: ['10s:5'] }, { model: 'open', arrival: 'constant', stages: [{ ...stage, rate: 5 }] }],
    [{ stages: ['10s:5c'] }, { model: 'closed', stages: [{ ...stage, virtualUsers: 5 }] }],
  ])
    it(`the load of ${JSON.stringify(options)} is ${load.model}, with what the options set`, () => {
      const plan = { options: { limit: 10, ...options }, shape: 'in words' };
      const { loads } = describeRun({ plan, from: '-e', hash: '' }, folder);
      expect(loads).to.deep.equal([{ name: 'main', ...load, virtualUsers: 10, text: 'in words' }]);
    });

  describe('git', () => {
    const [commit, other] = ['1f'.repeat(20), '2e'.repeat(20)];
    let root;
    beforeEach(() => (root = mkdtempSync(join(tmpdir(), 'bench-rest-'))));
    afterEach(() => rmSync(root, { recursive: true, force: true }));
    const write = (path, text) => {
      const file = join(root, path);
      mkdirSync(join(file, '..'), { recursive: true });
      writeFileSync(file, text);
    };
    const inFolder = (name) => {
      mkdirSync(join(root, name), { recursive: true });
      return gitState(join(root, name));
    };

    it('the commit of a branch, from a folder below', () => {
      write('.git/HEAD', 'ref: refs/heads/topic/one\n');
      write('.git/refs/heads/topic/one', `${commit}\n`);
      expect(inFolder('a/b')).to.deep.equal({ commit, branch: 'topic/one' });
    });

    it('the commit of a packed branch', () => {
      write('.git/HEAD', 'ref: refs/heads/main\n');
      write('.git/packed-refs', `# pack-refs with: peeled\n${other} refs/heads/not/main\n${commit} refs/heads/main\n`);
      expect(inFolder('.')).to.deep.equal({ commit, branch: 'main' });
    });

    it('none if a file is a FIFO, which would block', function fifo() {
      if (process.platform === 'win32') this.skip();
      execFileSync('mkfifo', [join(root, '.git')]);
      expect(inFolder('.')).to.equal(null);
      rmSync(join(root, '.git'));
      mkdirSync(join(root, '.git'));
      execFileSync('mkfifo', [join(root, '.git/HEAD')]);
      expect(inFolder('.')).to.equal(null);
    });

    it('a commit without a branch, as CI checks it out', () => {
      write('.git/HEAD', `${commit}\n`);
      expect(inFolder('.')).to.deep.equal({ commit });
    });

    it('a worktree, whose branches are in the repository', () => {
      write('main/.git/worktrees/one/HEAD', 'ref: refs/heads/one\n');
      write('main/.git/worktrees/one/commondir', '../..\n');
      write('main/.git/refs/heads/one', `${commit}\n`);
      write('one/.git', 'gitdir: ../main/.git/worktrees/one\n');
      expect(inFolder('one')).to.deep.equal({ commit, branch: 'one' });
    });

    for (const [about, head] of [
      ['a repository without a commit', 'ref: refs/heads/main'],
      ['references in another format', 'ref: refs/heads/.invalid'],
      ['a damaged file', 'https://ann:secret@example.com/'],
    ])
      it(`${about} has none`, () => {
        write('.git/HEAD', head);
        expect(inFolder('.')).to.equal(null);
      });
  });
});

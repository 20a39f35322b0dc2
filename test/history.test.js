import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect } from 'chai';

import { command } from './support/command.js';
import { commitOf, resultsAt } from './support/literal-history.js';
import { ok, serving } from './support/serve.js';
import { itSlow } from './support/slow.js';

const NOISE = [1, 1.01, 0.99, 1.005, 0.995, 1.012, 0.988, 1.003, 0.997, 1.008];

describe('bench-rest history', () => {
  let cwd;
  before(() => (cwd = mkdtempSync(join(tmpdir(), 'bench-rest-'))));
  after(() => rmSync(cwd, { recursive: true, force: true }));

  /** A folder of results with these levels. */
  const save = (name, levels) => {
    mkdirSync(join(cwd, name));
    for (const [i, result] of resultsAt(levels).entries())
      writeFileSync(join(cwd, name, `${String(i).padStart(3, '0')}.json`), JSON.stringify(result));
    return name;
  };
  const run = (...args) => command(['history', ...args], { cwd });

  itSlow('--check fails with 99 if the newest result is worse, and names figures, sizes and commit', async () => {
    save('slower', [...NOISE, 1.3]);
    const { code, stdout, stderr } = await run('slower', '--check');
    expect(code).to.equal(99);
    const words = new RegExp(`v10 \\(commit ${commitOf(10).slice(0, 7)}\\) is worse than the 10 results before it`);
    expect(stderr)
      .to.match(words)
      .and.match(/p95 95\.1 to 12\d ms \(\+29\.\d %; \+2\d\.\d % to \+3\d\.\d %\)/);
    expect(stdout.replaceAll(/\s+/g, ' ')).to.match(words);
    const without = await run('slower');
    expect(without.code).to.equal(0);
    expect(without.stdout).to.equal(stdout);
    expect(without.stderr).not.to.include('worse');
  });

  itSlow(
    '--check passes if the newest result is better, within the noise, or the first one with a notice',
    async () => {
      for (const [name, levels, said] of [
        ['better', [...NOISE, 0.8], /^$/],
        ['equal', [...NOISE, 1.01], /^$/],
        ['first', [1], /^bench-rest: cannot tell whether v0 \(commit \w+\) is a change, because no earlier result has/],
      ]) {
        const { code, stderr } = await run(save(name, levels), '--check');
        expect({ name, code }).to.deep.include({ code: 0 });
        expect(stderr).to.match(said);
      }
    },
  );

  it('writes its document, its page and both texts', async () => {
    save('all', [...NOISE, ...NOISE.map((factor) => 1.2 * factor)]);
    const files = ['h.json', 'h.html', 'h.md', 'h.txt'];
    const { code, stdout } = await run('all', '--json', ...files.flatMap((file) => ['-o', file]));
    expect(code).to.equal(0);
    const document = JSON.parse(stdout);
    expect(document).to.include({ type: 'history', schemaVersion: 2, message: '20 results: 1 change' });
    expect(document.$schema).to.match(/\/history\.schema\.json$/);
    expect(readFileSync(join(cwd, 'h.json'), 'utf8')).to.equal(stdout);
    for (const name of files.slice(1)) expect(readFileSync(join(cwd, name), 'utf8')).to.include('20 results: 1 change');
  });

  it('files that are no results are named and left out, and a document of a history is one of them', async () => {
    const folder = save('mixed', [1, 1, 1]);
    writeFileSync(join(cwd, folder, 'a.json'), '{"broken"');
    writeFileSync(join(cwd, folder, 'b.json'), '{}');
    writeFileSync(join(cwd, folder, 'c.json'), '{"get":"/"}');
    writeFileSync(join(cwd, folder, 'd.json'), readFileSync(join(cwd, 'h.json')));
    writeFileSync(join(cwd, folder, 'e.txt'), 'notes');
    symlinkSync(join(cwd, 'missing'), join(cwd, folder, 'f.json'));
    const { code, stdout } = await run(folder, '--json');
    expect(code).to.equal(0);
    const { groups, leftOut } = JSON.parse(stdout);
    expect(groups[0].results).to.have.length(3);
    expect(leftOut.map(({ code }) => code).join(' ')).to.equal('unreadable unreadable unreadable unreadable missing');
    expect(leftOut.map(({ file, message }) => `${file} ${message}`)).to.deep.equal([
      `${join(folder, 'a.json')} is damaged at 1:10: expected ':', got the end of the text`,
      `${join(folder, 'b.json')} is not a result of bench-rest`,
      `${join(folder, 'c.json')} is a flow, not a result`,
      `${join(folder, 'd.json')} is a history, not a result`,
      `${join(folder, 'f.json')} does not exist`,
    ]);
  });

  it('a folder without results, and one whose results cannot be read, fail', async () => {
    mkdirSync(join(cwd, 'empty'));
    const empty = await run('empty');
    expect(empty).to.include({ code: 2, stdout: '' });
    expect(empty.stderr).to.include('empty has no results');
    mkdirSync(join(cwd, 'broken'));
    writeFileSync(join(cwd, 'broken', 'a.json'), '');
    const broken = await run('broken', '--check');
    expect(broken.code).to.equal(2);
    expect(broken.stdout).to.include('a.json is empty').and.include('No results');
    expect(await run('gone.json')).to.include({ code: 2 });
  });

  it('a file that would replace a result is refused', async () => {
    const { code, stderr } = await run(save('kept', NOISE), '-o', 'kept/000.json');
    expect(code).to.equal(2);
    expect(stderr).to.include('is one of the results');
    expect(readdirSync(join(cwd, 'kept'))).to.have.length(NOISE.length);
  });

  it('a run has its label, and the commit and the branch of the repository around it', () =>
    serving(ok, async (url) => {
      const repository = join(cwd, 'repository');
      mkdirSync(join(repository, '.git', 'refs', 'heads'), { recursive: true });
      writeFileSync(join(repository, '.git', 'HEAD'), 'ref: refs/heads/topic\n');
      writeFileSync(join(repository, '.git', 'refs', 'heads', 'topic'), `${commitOf(1)}\n`);
      const args = ['-n', '20', '--label', 'v1.2.3', '-o', 'one.json', url];
      expect(await command(args, { cwd: repository })).to.include({ code: 0 });
      const { label, run: own } = JSON.parse(readFileSync(join(repository, 'one.json'), 'utf8'));
      expect({ label, git: own.git }).to.deep.equal({ label: 'v1.2.3', git: { commit: commitOf(1), branch: 'topic' } });
      const { stdout } = await command(['history', 'one.json', '--json'], { cwd: repository });
      const [{ results, differs }] = JSON.parse(stdout).groups;
      expect(results[0]).to.include({ name: `v1.2.3 (commit ${commitOf(1).slice(0, 7)})` });
      expect(results[0].git.branch).to.equal('topic');
      expect(differs).to.deep.equal([]);
    }));
});

import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect } from 'chai';
import { parse } from 'yaml';

import { releaseOf, releases } from '../scripts/changelog.js';
import { subjectProblems } from '../scripts/check-commits.js';
import { permissionProblems, pinProblems } from '../scripts/lint/workflows.js';
import { changelogProblems, provenanceProblems, unreleasedNames, versionProblems } from '../scripts/release-check.js';
import { linksOf } from '../scripts/markdown.js';
import { releaseNotes, tagsOf } from '../scripts/release-notes.js';
import { ROOT, saidBy } from './support/command.js';
import { documentsIn, textOf } from './support/documents.js';
import { describeSlow, itSlow } from './support/slow.js';

const { scripts, engines, version } = JSON.parse(textOf('package.json'));
const workflow = (name) => parse(textOf(`.github/workflows/${name}.yml`));

describe('CONTRIBUTING.md', () => {
  const text = textOf('CONTRIBUTING.md');

  it('leads to the first green test with two commands', () => {
    const [, commands] = /```sh\n([^`]*)```/.exec(text);
    expect(commands.split('\n').map((line) => line.replace(/ +#.*/, ''))).to.deep.equal(['npm ci', 'npm test', '']);
    expect(engines.node).to.equal('>=20.19');
    expect(text).to.include('Node 20.19 or newer');
  });

  it('names scripts, files and folders that exist', () => {
    const missing = Array.from(text.matchAll(/npm run ([\w:]+)/g), ([, name]) => name).filter((name) => !scripts[name]);
    const paths = Array.from(
      text.matchAll(/`((?:lib|test|docs|scripts)\/[\w./-]+)`|\]\((\w[^)#:]*)/g),
      (one) => one[1] ?? one[2],
    );
    expect(paths.length).to.be.above(15);
    const unknown = paths.filter((path) => !existsSync(join(ROOT, path)) && !path.endsWith('/x'));
    expect([...missing, ...unknown]).to.deep.equal([]);
  });
});

describe('CHANGELOG.md', () => {
  const [newest] = releases();
  const chapters = newest.text.split(/^### /m).slice(1);
  const chapterOf = (name) => chapters.find((text) => text.startsWith(`${name}\n`));

  it('begins with the version of package.json, or the next one', () => {
    expect(newest.version.replace(/-.*/, '')).to.equal(version.replace(/-.*/, ''));
    expect(newest.date).to.match(/^(unreleased|\d{4}-\d\d-\d\d)$/);
  });

  it('describes 2.0.0 in at most 200 lines, for users of 1.2.4', () => {
    const { text } = releaseOf('2.0.0');
    expect(text.split('\n').length).to.be.below(195);
    expect(text).to.not.match(/\balpha\b|\bbeta\b|\brc\b|release candidate/i);
  });

  it('has a line for each thing that is new, with a link to its page', () => {
    const entries = chapterOf('Added').match(/^- .*/gm);
    expect(entries).to.have.lengthOf.above(40);
    expect(entries.filter((entry) => !/^- \*\*.+\.? \[.*\]\(docs\/[^)]+\)$/.test(entry))).to.deep.equal([]);
  });

  it('has the chapters of Keep a Changelog, in this order', () => {
    const names = chapters.map((text) => text.slice(0, text.indexOf('\n')));
    const order = ['Added', 'Changed', 'Deprecated', 'Removed', 'Fixed', 'Security'];
    expect(names).to.deep.equal(order.filter((name) => names.includes(name)));
  });

  it('links each version to what it changed', () => {
    const links = Array.from(textOf('CHANGELOG.md').matchAll(/^\[(.*)\]: https:\/\/github\.com\/\S+\.\.\.v(.*)$/gm));
    expect(links.map(([, name, tag]) => [name, tag])).to.deep.equal(
      releases().map((one) => [one.version, one.version]),
    );
  });
});

describe('THIRD_PARTY.md', () => {
  it('lists every dependency', () => {
    const text = textOf('THIRD_PARTY.md');
    const { dependencies } = JSON.parse(textOf('package.json'));
    expect(Object.keys(dependencies).filter((name) => !text.includes(`\n- \`${name}\``))).to.deep.equal([]);
  });
});

describe('release notes', () => {
  it('are the section of the changelog, without the addresses of versions', () => {
    const [{ version: newest }] = releases();
    expect(releaseNotes(newest))
      .to.match(/^Flows and programs written for bench-rest 1.2.4 run unchanged/)
      .and.not.include('\n[');
    expect(releaseNotes(newest).length).to.be.below(125_000);
    const notes = releaseNotes('2.0.0-rc.0');
    expect(notes, 'a pre-release has those of its version').to.equal(
      releaseNotes('2.0.0').replaceAll('/v2.0.0/', '/v2.0.0-rc.0/'),
    );
    expect(() => releaseNotes('0.0.1')).to.throw('CHANGELOG.md has no section 0.0.1');
  });

  it('link to the files of the version', () => {
    const links = linksOf(releaseNotes('2.0.0'));
    expect(
      links.filter((link) => !/^https:\/\/github\.com\/[^/]+\/bench-rest\/blob\/v2\.0\.0\/\w/.test(link)),
    ).to.deep.equal([]);
    expect(links.join('\n')).to.match(/CHANGELOG\.md#changed$/m);
  });

  for (const [name, distTag, actionTag] of [
    ['2.0.0', 'latest', 'v2'],
    ['2.1.3', 'latest', 'v2'],
    ['2.0.0-rc.0', 'next', 'v2'],
    ['2.1.0-beta.1', 'next', 'next'],
    ['10.0.0', 'latest', 'v10'],
  ])
    it(`publish ${name} as ${distTag}, and the action as ${actionTag}`, () => {
      expect(tagsOf(name)).to.deep.equal([
        ['dist-tag', distTag],
        ['action-tag', actionTag],
      ]);
    });
});

describe('the check of a release', () => {
  const [final] = version.split('-');

  it('refuses an alpha version, and one that the package or the changelog does not have', () => {
    expect(versionProblems({ version: '9.0.0-alpha.1' }).map((line) => line.split(':')[0])).to.deep.equal([
      'package.json',
      'package-lock.json',
      'lib/core/ground/package.js',
      'run npm version 9.0.0-alpha.1 --no-git-tag-version',
      '9.0.0-alpha.1 is an alpha version',
    ]);
    expect(versionProblems({ version })).to.deep.equal([]);
    expect(changelogProblems({ version: '9.0.0' }).join()).to.include(', not 9.0.0');
  });

  it('refuses the tag next in documents, and in those of a final version the names of pre-releases', () => {
    const text = 'npx bench-rest@next, bench-rest 2.0.0-rc.1, @next/mdx, undici 8.0.0-rc.1';
    expect(unreleasedNames('docs/a.md', text, '2.0.0')).to.deep.equal([
      'docs/a.md: bench-rest@next; write bench-rest',
      'docs/a.md: 2.0.0-rc.1; run npm version 2.0.0 --no-git-tag-version',
    ]);
    expect(unreleasedNames('docs/a.md', text, '2.0.0-rc.1')).to.have.lengthOf(1);
    expect(unreleasedNames('docs/landing/a.svg', text, '2.0.0')[0]).to.include('run npm run site:record');
  });

  it('finds no tag next in Markdown', () => {
    const pages = ['README.md', 'CHANGELOG.md', 'CONTRIBUTING.md', ...documentsIn(), ...documentsIn('deploy')];
    const names = pages.flatMap((path) => unreleasedNames(path, textOf(path), version));
    expect(names).to.deep.equal([]);
  });

  it('refuses a workflow that publishes without provenance', () => {
    const text = textOf('.github/workflows/release.yml');
    expect(provenanceProblems(text)).to.deep.equal([]);
    expect(
      provenanceProblems(text.replace('--provenance ', '').replace('id-token: write', 'id-token: none')),
    ).to.have.lengthOf(2);
  });

  it('needs at most ten steps of a person', () => {
    const steps = textOf('CONTRIBUTING.md').match(/^\d+\. .*$/gm);
    expect(steps.length).to.be.within(5, 10);
    expect(steps.join('\n')).to.include(`npm version ${final} `).and.include(`release:check -- ${final}`);
  });
});

describe('subjects of commits', () => {
  for (const subject of [
    'Add CSV feeders',
    'Fix retries after a proxy reset',
    'Speed up the reading of heads',
    'Rename a lane after the term of the field',
    'Revert "Added feeders."',
  ])
    it(`may be "${subject}"`, () => expect(subjectProblems(subject)).to.deep.equal([]));

  for (const [subject, problem] of [
    ['Added CSV feeders', 'begin with one of Add, '],
    ['add CSV feeders', 'begin with one of '],
    ['feat: CSV feeders', 'begin with one of '],
    ['Let feeders read CSV', 'Remove, Rename, Speed up, Test'],
    ['Speed the reading of heads up', 'begin with one of '],
    ['Add CSV feeders.', 'leave out the punctuation'],
    [`Add ${'x'.repeat(70)}`, 'it has 74 characters of at most 72'],
    ['fixup! Add CSV feeders', 'squash it'],
  ])
    it(`may not be "${subject.slice(0, 30)}"`, () => expect(subjectProblems(subject).join()).to.include(problem));

  itSlow('are not judged without a history, or without the commit before them', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'bench-rest-'));
    try {
      const args = ['-C', folder, '-c', 'user.name=a', '-c', 'user.email=a@b'];
      const run = (base) => checkIn(folder, base);
      expect(await run('main')).to.deep.equal([0, 'no commit to check: main is not in this clone\n']);
      execFileSync('git', ['init', '--quiet', '--initial-branch=main', folder]);
      execFileSync('git', [...args, 'commit', '--quiet', '--allow-empty', '--message=old one']);
      expect(await run('origin/main')).to.deep.equal([0, 'no commit to check: origin/main is not in this clone\n']);
      expect(await run('main')).to.deep.equal([0, '0 commits since main, 0 problems\n']);
      execFileSync('git', [...args, 'switch', '--quiet', '--create', 'change']);
      execFileSync('git', [...args, 'commit', '--quiet', '--allow-empty', '--message=new one']);
      const [code, stdout] = await run('main');
      expect([code, stdout]).to.deep.equal([1, '1 commits since main, 1 problems\n']);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  async function checkIn(folder, base) {
    const script = join(ROOT, 'scripts/check-commits.js');
    const code = `process.chdir(${JSON.stringify(folder)}); process.argv[1] = ${JSON.stringify(script)};
      process.argv[2] = ${JSON.stringify(base)}; await import(${JSON.stringify(script)})`;
    const env = { ...process.env, GIT_CEILING_DIRECTORIES: tmpdir() };
    const done = await saidBy(process.execPath, ['--input-type=module', '-e', code], { env });
    return [done.code, done.stdout];
  }
});

describe('the workflows', () => {
  const names = readdirSync(join(ROOT, '.github/workflows')).map((name) => name.replace('.yml', ''));

  it('are for CI, CodeQL, releases and the site', () => {
    expect(names).to.have.members(['ci', 'codeql', 'release', 'site']);
  });

  it('run on every Node that the package supports', () => {
    const { node } = workflow('ci').jobs.linux.strategy.matrix;
    expect(node[0]).to.equal(Number(/\d+/.exec(engines.node)[0]));
    const others = /OTHER_NODES-([\d ]+)/.exec(textOf('.ci/run'))[1].split(' ').map(Number);
    expect(node.slice(1)).to.deep.equal(others);
    expect(node).to.include(Number(textOf('.nvmrc')));
  });

  it('call scripts that exist', () => {
    const runs = names.flatMap((name) => Object.values(workflow(name).jobs).flatMap(({ steps = [] }) => steps));
    const lines = runs.map(({ run }) => run ?? '').join('\n');
    const missing = Array.from(lines.matchAll(/npm run ([\w:]+)/g), ([, name]) => name).filter(
      (name) => !scripts[name],
    );
    const files = Array.from(lines.matchAll(/(?:node|bash) ([^\s-]\S*)/g), ([, path]) => path);
    expect([...missing, ...files.filter((path) => !existsSync(join(ROOT, path)))]).to.deep.equal([]);
    expect(files).to.have.lengthOf.above(3);
  });

  it('are refused with an action that is not pinned', () => {
    const text = `- uses: actions/checkout@v7\n- uses: ./action\n- uses: a/b@${'0'.repeat(40)} # v1.2.3\n- uses: a/b@0000000 # v1`;
    expect(pinProblems('x.yml', text).map((line) => line.slice(0, 9))).to.deep.equal(['x.yml:1: ', 'x.yml:4: ']);
    expect(pinProblems('action.yml', textOf('action.yml'))).to.deep.equal([]);
  });

  it('are refused with more permissions than they need', () => {
    const checkout = `jobs: { a: { steps: [{ uses: actions/checkout@v1 }] } }`;
    expect(permissionProblems('x.yml', `permissions: write-all\n${checkout}`)).to.have.lengthOf(2);
    expect(permissionProblems('x.yml', 'permissions: { contents: read }\njobs: { a: {} }')).to.deep.equal([]);
  });
});

describe('the forms of GitHub', () => {
  it('ask for what a maintainer needs to repeat a problem', () => {
    const required = (name) =>
      parse(textOf(`.github/ISSUE_TEMPLATE/${name}.yml`))
        .body.filter(({ validations }) => validations?.required)
        .map(({ id }) => id);
    expect(required('bug')).to.deep.equal(['command', 'actual', 'expected', 'versions']);
    expect(required('measurement')).to.deep.equal(['command', 'result', 'expected', 'machine']);
    expect(required('feature')).to.deep.equal(['task', 'today']);
  });

  it('send vulnerabilities to the page of SECURITY.md', () => {
    const { contact_links: links } = parse(textOf('.github/ISSUE_TEMPLATE/config.yml'));
    expect(textOf('SECURITY.md')).to.include(`(${links[0].url})`);
  });

  itSlow('update every folder that has packages', () => {
    const { updates } = parse(textOf('.github/dependabot.yml'));
    const npm = updates.find((one) => one['package-ecosystem'] === 'npm');
    expect(npm.directories).to.have.members(foldersOfPackages());
  });

  function foldersOfPackages() {
    const folders = [
      '',
      ...readdirSync(ROOT, { recursive: true, withFileTypes: true })
        .filter((one) => one.name === 'package.json' && !/node_modules|examples|fixtures/.test(one.parentPath))
        .map((one) => one.parentPath.slice(ROOT.length))
        // what `npm run package` writes
        .filter((folder) => folder !== 'package')
        .filter((folder) => /"(d|devD)ependencies"/.test(textOf(join(folder, 'package.json')))),
    ];
    return [...new Set(folders)].map((folder) => `/${folder}`);
  }
});

describeSlow('npm run bench', () => {
  it('loads all benchmarks, and lists them if it does not know a name', async () => {
    const { code, stderr } = await saidBy(process.execPath, ['bench/index.js', 'nonsense'], { cwd: ROOT });
    expect(stderr).to.match(/^bench: unknown nonsense; use any of plain-get, .*\bwrk\b.*\bspacing\b/);
    expect(code).to.equal(2);
  });
});

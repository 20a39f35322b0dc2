import { execFile, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';

import { startTarget } from 'bench-rest/target';
import { expect } from 'chai';
import { transform } from 'esbuild';
import { parseAllDocuments } from 'yaml';

import { loadCommands } from '../lib/core/cli/commands/index.js';
import { createProgram } from '../lib/core/cli/options.js';
import { titleOf as headingOf } from '../scripts/markdown.js';
import { ROOT, command } from './support/command.js';
import { blocksOf, commandLines, documentsIn, textOf, wordsOf } from './support/documents.js';
import { linkPackage } from './support/in-folder.js';
import { IS_FULL } from './support/scale.js';
import { elementsOfXml } from './support/xml.js';

const run = promisify(execFile);
const program = createProgram({ version: '', commands: await loadCommands(), env: {}, submit() {} });

/** Pages of a folder, without its list. */
const pagesOf = (folder) => documentsIn(folder).filter((path) => basename(path) !== 'README.md');
const titleOf = (path) => headingOf(textOf(path));
const RECIPES = pagesOf('docs/recipes');

describe('docs/coming-from', () => {
  it('README.md lists every page', () => {
    const list = textOf('docs/coming-from/README.md');
    for (const path of pagesOf('docs/coming-from'))
      expect(list).to.include(`[${titleOf(path).replace('Coming from ', '')}](${basename(path)})`);
  });
});

describe('docs/recipes', () => {
  it('README.md lists every page by its question', () => {
    const list = textOf('docs/recipes/README.md');
    for (const path of RECIPES) expect(list).to.include(`[${titleOf(path)}](${basename(path)})`);
  });

  for (const path of RECIPES)
    it(`${basename(path)} has a question, a command, its output, and what to look at`, () => {
      const text = textOf(path);
      expect(titleOf(path)).to.match(/\?$/);
      expect(
        commandLines(blocksOf(text)).length + blocksOf(text).filter(({ kind }) => kind === 'mocha').length,
      ).not.to.equal(0);
      expect(text).to.match(/^```text\n/m);
      expect(text).to.include('\n## What to look at\n');
      expect(text).to.match(/^More: \[/m);
    });

  describe('commands have flags that exist:', () => {
    for (const line of RECIPES.flatMap((path) => commandLines(blocksOf(textOf(path)))))
      it(line, () => {
        const [, word, ...rest] = wordsOf(line.split(' > ')[0]);
        const own =
          program.commands.find((one) => one.name() === word) ??
          program.commands.find((one) => one.name() === 'run') ??
          program;
        const flags = [word, ...rest].filter((one) => /^--?[a-zA-Z]/.test(one));
        const known = own.options.flatMap(({ short, long }) => [short, long]);
        expect(flags.filter((flag) => !known.includes(flag))).to.deep.equal([]);
      });
  });

  describe('in a folder', () => {
    let folder;
    beforeEach(() => {
      folder = mkdtempSync(join(tmpdir(), 'bench-rest-'));
      linkPackage(folder);
    });
    afterEach(() => rmSync(folder, { recursive: true, force: true }));

    const ofKind = (path, kind) => blocksOf(textOf(path)).filter((block) => block.kind === kind);

    it('the workflow of ci-github.md is what init writes', async () => {
      const [line] = commandLines(blocksOf(textOf('docs/recipes/ci-github.md')));
      const { code, stderr } = await command([...wordsOf(line).slice(1), '--workflow'], { cwd: folder });
      expect(code, stderr).to.equal(0);
      const [{ code: shown }] = ofKind('docs/recipes/ci-github.md', 'init');
      expect(shown).to.equal(readFileSync(join(folder, '.github/workflows/bench.yml'), 'utf8'));
    });

    it('the commands of kubernetes.md write a job, and one that merges, for the volume that it shows', async () => {
      const path = 'docs/recipes/kubernetes.md';
      const [{ code: flow }] = ofKind(path, 'flow');
      writeFileSync(join(folder, 'flow.js'), flow);
      const lines = commandLines(blocksOf(textOf(path))).filter((line) => line.includes(' k8s '));
      const written = [];
      for (const line of lines) {
        const { code, stdout, stderr } = await command(wordsOf(line.split(' > ')[0]).slice(1), { cwd: folder });
        expect(code, stderr).to.equal(0);
        written.push(...parseAllDocuments(stdout).map((document) => document.toJS()));
      }
      const jobs = written.filter(({ kind }) => kind === 'Job');
      expect(jobs.map(({ metadata }) => metadata.name)).to.deep.equal(['bench-rest-flow', 'bench-rest-flow-merge']);
      const [{ code: volume }] = ofKind(path, 'volume');
      const { kind, metadata } = parseAllDocuments(volume)[0].toJS();
      expect(kind).to.equal('PersistentVolumeClaim');
      for (const { spec } of jobs)
        expect(JSON.stringify(spec.template.spec.volumes)).to.include(`"claimName":"${metadata.name}"`);
      for (const [, name] of textOf(path).matchAll(/\bjob\/?\s*(bench-rest-[\w-]+)/g))
        expect(jobs.map((job) => job.metadata.name)).to.include(name);
    });

    it('the files of other tools can be parsed', async () => {
      for (const { language, code } of pagesOf('docs/coming-from').flatMap((path) => ofKind(path, 'theirs'))) {
        if (language === 'js') await transform(code);
        if (language === 'xml') elementsOfXml(code);
      }
    });

    if (IS_FULL) {
      it('the program for autocannon runs', async () => {
        symlinkSync(join(ROOT, 'bench/node_modules/autocannon'), join(folder, 'node_modules/autocannon'), 'dir');
        const [{ code }] = ofKind('docs/coming-from/autocannon.md', 'autocannon');
        const { stdout } = await withTarget((url) => {
          const text = code.replace('http://localhost:8000', url).replace('duration: 10', 'duration: 1');
          writeFileSync(join(folder, 'login.mjs'), text.replace(/^if .*\n/m, ''));
          return run(process.execPath, ['login.mjs'], { cwd: folder });
        });
        expect(stdout)
          .to.match(/requests in/)
          .and.not.match(/2xx responses, [1-9]\d* non 2xx/);
      });

      it('the script of wrk runs', async function () {
        if (spawnSync('wrk', ['-v']).error) this.skip();
        const [{ code }] = ofKind('docs/coming-from/wrk.md', 'theirs');
        writeFileSync(join(folder, 'login.lua'), code);
        const { stdout } = await withTarget((url) =>
          run('wrk', ['-t1', '-c2', '-d1s', '-s', 'login.lua', url], { cwd: folder }),
        );
        expect(stdout)
          .to.match(/requests in/)
          .and.not.match(/Non-2xx|Socket errors/);
      });

      // no test uses k6 itself, because of its licence (AGPL)
      it('the script of k6 runs with a double of its modules', async () => {
        cpSync(join(ROOT, 'test/support/k6'), join(folder, 'node_modules/k6'), { recursive: true });
        const [{ code }] = ofKind('docs/coming-from/k6.md', 'imported');
        const { stdout } = await withTarget((url) => {
          writeFileSync(join(folder, 'script.mjs'), code.replaceAll('http://localhost:8000', url));
          return run(process.execPath, ['node_modules/k6/run.js', '../../script.mjs'], { cwd: folder });
        });
        expect(JSON.parse(stdout)).to.deep.equal({
          requests: ['POST /login 200', 'GET /me 200', 'POST /orders 201'],
          checks: { 'status is 200': true },
          slept: 1,
        });
      });

      const SUITES = { nodetest: ['--test'], vitest: [join(ROOT, 'bench/node_modules/vitest/vitest.mjs'), 'run'] };
      for (const [kind, args] of Object.entries(SUITES))
        it(`the suite of ${kind} passes`, async () => {
          const vitest = join(ROOT, 'bench/node_modules/vitest');
          if (existsSync(vitest)) symlinkSync(vitest, join(folder, 'node_modules/vitest'), 'dir');
          const [{ code }] = ofKind('docs/recipes/test-suites.md', kind);
          writeFileSync(join(folder, 'p95.test.mjs'), code);
          // this process may run in a runner of Node or of Vitest
          const env = { ...process.env, NODE_TEST_CONTEXT: undefined, VITEST: undefined, NO_COLOR: '1' };
          const { stdout } = await run(process.execPath, [...args, 'p95.test.mjs'], { cwd: folder, env });
          expect(stdout).to.match(/pass(ed)?/);
        });
    }
  });
});

/** Runs `story(url)` with the embedded target. */
async function withTarget(story) {
  const target = await startTarget();
  try {
    return await story(target.url);
  } finally {
    await target.close();
  }
}

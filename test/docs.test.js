import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import { expect } from 'chai';
import { parse } from 'yaml';

import { ERRORS } from '../lib/errors.js';
import { PROPERTIES } from '../lib/flow/properties.js';
import { HOOKS } from '../lib/hooks/index.js';
import { RUN_OPTIONS } from '../lib/run/options/index.js';
import { startTarget } from '../lib/target/server.js';
import { ROOT, command } from './support/command.js';
import { mochaCounts, programOutput } from './support/programs.js';
import { scaled } from './support/scale.js';
import { startEcho } from './support/web-socket-server.js';

const DOCUMENTS = ['README.md', ...readdirSync(join(ROOT, 'docs'), { recursive: true }).filter(isMarkdown).map(inDocs)];
const textOf = (path) => readFileSync(join(ROOT, path), 'utf8');
const ALL = DOCUMENTS.map(textOf).join('\n');

function isMarkdown(name) {
  return name.endsWith('.md');
}

function inDocs(name) {
  return join('docs', name);
}

/** The same command with a shorter load. */
function shortened(line) {
  return line.replaceAll(/( -t | --stage | -W )\d+m?s/g, '$1100ms').replace(/ -n (1000|1k|500)\b/, ' -n 100');
}

function blocksOf(text) {
  const matches = text.matchAll(/^```(\w+) ?(\w*)\n(.*?)^```$/gms);
  return [...matches].map(([, language, kind, code]) => ({ language, kind, code }));
}

/** The commands of a workflow of GitHub Actions, for each shard of a matrix, without what the shell does with their output. */
function commandsOf({ jobs }) {
  return Object.values(jobs).flatMap(({ strategy, steps }) =>
    (strategy?.matrix.shard ?? ['']).flatMap((shard) =>
      steps
        .flatMap(({ run: line = '' }) => (line.startsWith('npx bench-rest') ? [line.split(' >')[0]] : []))
        .map((line) => line.replaceAll('${{ matrix.shard }}', shard).replaceAll('${{ github.run_id }}', '4711')),
    ),
  );
}

const FIRST_FLOW = blocksOf(textOf('README.md')).find(({ kind }) => kind === 'flow').code;

describe('the documents', () => {
  let target;
  let sockets;

  before(async () => {
    target = await startTarget();
    sockets = await startEcho();
  });
  after(() => Promise.all([target.close(), sockets.close()]));

  const atServers = (text) =>
    text.replaceAll('http://localhost:8000', target.url).replaceAll('ws://localhost:8080', sockets.url);

  for (const path of DOCUMENTS) {
    const blocks = blocksOf(textOf(path));
    const ofKind = (kind) => blocks.filter((block) => block.kind === kind);

    describe(path, () => {
      let folder;

      before(() => {
        folder = mkdtempSync(join(tmpdir(), 'bench-rest-'));
        mkdirSync(join(folder, 'node_modules'));
        symlinkSync(ROOT, join(folder, 'node_modules', 'bench-rest'), 'dir');
        symlinkSync(join(ROOT, 'examples'), join(folder, 'examples'), 'dir');
        writeFileSync(join(folder, 'package.json'), '{ "type": "commonjs" }'); // as `npm init` writes it
        for (const { kind, code } of blocks.filter(({ language }) => language === 'csv')) file(`${kind}.csv`, code);
        file('flow.js', ofKind('flow')[0]?.code.includes('export default') ? ofKind('flow')[0].code : FIRST_FLOW);
      });
      after(() => rmSync(folder, { recursive: true, force: true }));

      const file = (name, text) => {
        writeFileSync(join(folder, name), atServers(text));
        return join(folder, name);
      };

      for (const [i, { language, code: text }] of ofKind('flow').entries()) {
        it(`flow ${i + 1} (${language}) runs without errors`, async () => {
          const { code, stdout } = await command(['-n', '20', '--json', file(`flow${i}.${language}`, text)]);
          expect(JSON.parse(stdout).errors.samples).to.deep.equal([]);
          expect(code).to.equal(0);
        });
      }

      for (const line of ofKind('command').flatMap(({ code }) => code.trim().split('\n'))) {
        it(`${line} runs`, async () => {
          const args = atServers(scaled(shortened(line), line))
            .match(/"[^"]*"|'[^']*'|\S+/g)
            .slice(1)
            .map((arg) => arg.replace(/^(["'])(.*)\1$/, '$2'));
          const { code, stdout } = await command(args, { cwd: folder });
          expect(stdout)
            .to.match(/"count": 0|measurement|Too few data/)
            .and.not.match(/^ *[\d,]+ × /m);
          // two short runs on a shared machine may differ by more than the threshold of the example
          expect(code).to.be.oneOf(line.includes('--max-regression') ? [0, 97] : [0]);
        });
      }

      for (const [i, { code }] of ofKind('program').entries()) {
        it(`program ${i + 1} runs`, async () => {
          const writes = /^0 errors, p95 [\d.]+ ms\n$/m;
          const { stdout, stderr } = await programOutput(file(`program${i}.mjs`, code), { cwd: folder, writes });
          expect(stderr).to.equal('');
          expect(stdout).to.match(writes);
        });
      }

      for (const [i, { code }] of ofKind('mocha').entries()) {
        it(`mocha test ${i + 1} passes`, async () => {
          const counts = await mochaCounts(file(`p95-${i}.test.mjs`, code), { cwd: folder });
          expect(counts).to.include({ passes: 1, failures: 0 });
        });
      }

      for (const { language, code } of ofKind('config')) {
        it('the configuration file is accepted', async () => {
          file(`.bench-restrc.${language}`, code);
          const { code: exitCode, stderr } = await command(['--print-config', '--format', 'text', 'flow.js'], {
            cwd: folder,
          });
          rmSync(join(folder, `.bench-restrc.${language}`));
          expect(exitCode, stderr).to.equal(0);
        });
      }

      for (const { code: text } of ofKind('workflow')) {
        it('the commands of the workflow run', async () => {
          for (const line of commandsOf(parse(text))) {
            const { code, stderr } = await command(atServers(shortened(line)).split(/\s+/).slice(2).flatMap(expanded), {
              cwd: folder,
            });
            expect(code, `${line}: ${stderr}`).to.equal(0);
          }
        });
      }

      /** Files of a pattern such as `shard-*.json`. */
      const expanded = (word) => {
        if (!word.includes('*')) return [word];
        const [start, end] = word.split('*');
        return readdirSync(folder).filter((name) => name.startsWith(start) && name.endsWith(end));
      };

      it('has only blocks of kinds that a test executes, or plain text and shell commands', () => {
        // those of tools by test/tools/first-commands.test.js
        const kinds = ['', 'flow', 'command', 'program', 'mocha', 'config', 'workflow', 'tools', 'users'];
        for (const { kind } of blocks) expect(kind).to.be.oneOf(kinds);
        for (const { language } of ofKind('')) expect(language).to.be.oneOf(['sh', 'text']);
      });

      it('links to files and headings that exist', () => {
        for (const [, link] of textOf(path).matchAll(/\]\(([^)]+)\)/g)) {
          if (/^https?:/.test(link)) continue;
          const [name, anchor] = link.split('#');
          const linked = name === '' ? path : join(dirname(path), name);
          expect(existsSync(join(ROOT, linked)), `${link} in ${path}`).to.equal(true);
          if (anchor) expect(anchorsOf(textOf(linked)), link).to.include(anchor);
        }
      });
    });
  }

  it('name every flag, hook, property, run option and error', async () => {
    const { stdout: help } = await command(['--help']);
    const flags = help.split('Examples:')[0].match(/--[a-z-]+/g);
    const names = [
      ...flags,
      ...HOOKS.map(({ name }) => name),
      ...Object.keys(PROPERTIES).filter((name) => name !== 'method'),
      ...RUN_OPTIONS.map(({ name }) => name),
      ...Object.keys(ERRORS),
    ];
    for (const name of names) expect(ALL, name).to.match(new RegExp(`\`[^\`\\n]*${name}\\b`));
  });

  it('README.md has at most 130 lines', () => {
    expect(textOf('README.md').split('\n').length).to.be.at.most(131);
  });
});

function anchorsOf(text) {
  const slug = (title) =>
    title
      .toLowerCase()
      .replace(/[^\w\s-]/g, '')
      .replace(/ /g, '-');
  return [...text.matchAll(/^#+ (.+)$/gm)].map(([, title]) => slug(title));
}

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

import { PROPERTIES } from '../lib/flow/properties.js';
import { ERRORS } from '../lib/ground/errors.js';
import { HOOKS } from '../lib/hooks/index.js';
import { RUN_OPTIONS } from '../lib/run/options/index.js';
import { startTarget } from '../lib/target/server.js';
import { ROOT, command, spawned } from './support/command.js';
import { recorded, recording } from './support/har.js';
import { mochaCounts, programOutput } from './support/programs.js';
import { IS_FULL } from './support/scale.js';

const DOCUMENTS = ['README.md', ...readdirSync(join(ROOT, 'docs'), { recursive: true }).filter(isMarkdown).map(inDocs)];
const textOf = (path) => readFileSync(join(ROOT, path), 'utf8');
const ALL = DOCUMENTS.map(textOf).join('\n');

function isMarkdown(name) {
  return name.endsWith('.md');
}

function inDocs(name) {
  return join('docs', name);
}

/** The same command with a shorter load. The shards of one machine run in turn. */
function shortened(line) {
  return line
    .replace(/bench-rest merge (?!--log)/, 'bench-rest merge --partial ')
    .replaceAll(/( -t | --stage | -W )\d+(m?s|m)\b/g, '$1100ms')
    .replace(/( --precision .*) --max-duration \d+m\b/, '$1 -n 100')
    .replace(/ -n (1000|1k|10k|30k|500)\b/, ' -n 100')
    .replace(' -r 3000', ' -r 1000');
}

/** Commands of the documents that this test leaves to another one, or that need more than this machine. */
const ELSEWHERE = [
  / --(agents-)?queue /,
  / --(otlp|prometheus) /,
  / --serve -n 10k$/,
  /^bench-rest import /,
  /^bench-rest k8s /,
  /^bench-rest capacity /,
  /^bench-rest history /,
  /^bench-rest record /,
  /^bench-rest completion /,
];
/** Commands that start a process: with the full counts alone. */
const SLOW = [/ --start '/, / -- node /, / --log /];
/** Commands that print no figures. */
const SILENT = /^bench-rest merge --log /;
/** The outcome of a short run on a busy machine. */
const BUSY = [
  [/ --max-regression /, 97],
  [/ (-r|--stage) /, 96],
  [/ --precision /, 94],
];

/** The commands of bench-rest in blocks for a shell, also in those that have other commands, without comments. */
function commandLines(blocks) {
  return blocks
    .filter(({ language }) => language === 'sh')
    .flatMap(({ code }) => code.split('\n'))
    .map((line) => line.replace(/ +# .*/, '').replace(/^npx bench-rest(@next)?/, 'bench-rest'))
    .filter((line) => line.startsWith('bench-rest ') && !ELSEWHERE.some((one) => one.test(line)))
    .filter((line) => IS_FULL || !SLOW.some((one) => one.test(line)));
}

/** Words of a line of the shell. */
function wordsOf(line) {
  return line.match(/"[^"]*"|'[^']*'|\S+/g).map((word) => word.replace(/^(["'])(.*)\1$/, '$2'));
}

/** The server of `--start`. */
const APP = "require('node:http').createServer((_, response) => response.end('ok')).listen(process.env.PORT);";
const SITE = 'https://staging.example.com';

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
        .map((line) =>
          line
            .replaceAll('${{ matrix.shard }}', shard)
            .replaceAll('${{ github.run_id }}-${{ github.run_attempt }}', '4711-1'),
        ),
    ),
  );
}

const FIRST_FLOW = blocksOf(textOf('README.md')).find(({ kind }) => kind === 'flow').code;

describe('the documents', () => {
  let target;

  before(async () => {
    target = await startTarget();
  });
  after(() => target.close());

  // `bench-rest serve` listens on port 8000
  const atServers = (text) =>
    text.replaceAll('//localhost:8000', `//127.0.0.1:${target.port}`).replaceAll(SITE, target.url);

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
        file('site.har', JSON.stringify(recording(recorded(`GET ${SITE}/items`))));
        file('app.js', APP);
        file('photo.png', 'png');
      });
      after(() => rmSync(folder, { recursive: true, force: true }));

      const file = (name, text) => {
        writeFileSync(join(folder, name), atServers(text));
        return join(folder, name);
      };

      for (const [i, { language, code: text }] of ofKind('flow').entries()) {
        it(`flow ${i + 1} (${language}) runs without errors`, async () => {
          // loads of scenarios have ends of their own, and rates that a busy machine misses
          const hasLoads = /\bload:/.test(text);
          const end = hasLoads ? [] : ['-n', '20'];
          const { code, stdout } = await command([...end, '--json', file(`flow${i}.${language}`, text)]);
          expect(JSON.parse(stdout).errors.details).to.deep.equal([]);
          expect(code).to.be.oneOf(hasLoads ? [0, 96] : [0]);
        });
      }

      for (const line of commandLines(blocks)) {
        it(`${line} runs`, async () => {
          const [, ...args] = wordsOf(atServers(shortened(line)));
          // logs are files of the working directory, which a process has
          const run = / --log /.test(line) ? spawned : command;
          const { code, stdout, stderr } = await run(args, { cwd: folder });
          expect(code, stderr).to.be.oneOf([0, ...BUSY.flatMap(([lines, other]) => (lines.test(line) ? [other] : []))]);
          expect(stdout)
            .to.match(SILENT.test(line) ? /^$/ : /"count": 0|validity|Cannot tell/)
            .and.not.match(/^ *[\d,]+ × /m);
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
            const args = atServers(shortened(line)).split(/\s+/).slice(2).flatMap(expanded);
            // the jobs of the matrix run one after the other here
            const together = args[0] === 'merge' ? ['--partial'] : [];
            const { code, stderr } = await command([...args, ...together], { cwd: folder });
            // on a busy machine a short run drops some of its arrivals
            expect(code, `${line}: ${stderr}`).to.be.oneOf([0, 96]);
          }
        });
      }

      /** Files of a pattern such as `shard-*.json`. */
      const expanded = (word) => {
        if (!word.includes('*')) return [word];
        const [start, end] = word.split('*');
        return readdirSync(folder).filter((name) => name.startsWith(start) && name.endsWith(end));
      };

      it('has only blocks of kinds that a test executes, plain text, shell commands, or a result', () => {
        // those of tools by test/tools/first-commands.test.js
        const kinds = ['', 'imported', 'flow', 'command', 'program', 'mocha', 'config', 'workflow', 'tools', 'users'];
        for (const { kind } of blocks) expect(kind).to.be.oneOf(kinds);
        for (const { language } of ofKind('')) expect(language).to.be.oneOf(['sh', 'text', 'json']);
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
    const flags = help.split('Examples:')[0].match(/--[a-z0-9-]+/g);
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

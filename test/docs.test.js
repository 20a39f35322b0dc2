import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect } from 'chai';
import { parse } from 'yaml';

import { PROPERTIES } from '../lib/core/flow/properties.js';
import { ERRORS } from '../lib/core/ground/errors.js';
import { ascendingExitCodes } from '../lib/core/ground/exit-codes.js';
import { HOOKS } from '../lib/core/hooks/index.js';
import { RUN_OPTIONS } from '../lib/core/run/options/index.js';
import { freePort } from '../lib/addons/server/run-with-server.js';
import { startTarget } from '../lib/addons/serve/server.js';
import { linksOf } from '../scripts/markdown.js';
import { PROGRAM, ROOT, command, spawned, untilAnswered } from './support/command.js';
import { blocksOf, commandLines, documentsIn, textOf, wordsOf } from './support/documents.js';
import { recorded, recording } from './support/har.js';
import { linkPackage } from './support/in-folder.js';
import { mochaCounts, programOutput } from './support/programs.js';
import { proxying } from './support/proxy.js';
import { IS_FULL } from './support/scale.js';
import { itSlow } from './support/slow.js';

const DOCUMENTS = ['README.md', ...documentsIn()];
const ALL = DOCUMENTS.map(textOf).join('\n');

/** The same command with a shorter load. The shards of one machine run in turn. */
function shortened(line) {
  return line
    .replace(/bench-rest merge (?!--log)/, 'bench-rest merge --partial ')
    .replaceAll(/( -t | --stage | -W )\d+(m?s|m|h)\b/g, '$140ms')
    .replace(/( --precision .*) --max-duration \d+m\b/, '$1 -n 100')
    .replace(/ -n (1000|1k|10k|30k|500)\b/, ' -n 100')
    .replace(/ -r (2000|3000)\b/, ' -r 1000')
    .replaceAll(TIME_LIMIT, '$1<60s');
}

/** Limits on times of a threshold: a busy machine exceeds those that users would write. */
const TIME_LIMIT = /((?:p\d+|max|mean|median): ?'?|(?:p\d+|max|mean|median))<\d+m?s\b/g;

/** The same file with a shorter load. */
function shortenedFile(text) {
  return text
    .replaceAll(/'\d+[smh]:(=?\d+c?)/g, "'100ms:$1")
    .replaceAll(/pause: '?\d+(m?s)?'?/g, "pause: '1ms'")
    .replaceAll(TIME_LIMIT, '$1<60s');
}

/** Commands of the documents that this test leaves to another one, or that need more than this machine. */
const ELSEWHERE = [
  / --(agents-)?queue /,
  / --(otlp|prometheus) /,
  / --serve -n 10k$/,
  /^bench-rest import /,
  /^bench-rest k8s /,
  /^bench-rest init /,
  /^bench-rest mcp\b/,
  /^bench-rest capacity /,
  / --versus-ref /,
  / --start '(npx next start|node dist\/main\.js)'/,
  /^bench-rest history /,
  /^bench-rest record /,
  /^bench-rest completion /,
  /^bench-rest list grpc:/,
];
/** Commands that start a process: they run only with the full counts. */
const SLOW = [/ --start '/, / -- node /, / --log /];
/** Commands that print no figures. */
const SILENT = /^bench-rest merge --log /;
/** Pages that show the output of their commands. */
const EXAMPLES = /^docs\/(recipes|coming-from)\//;
/** Kinds of blocks that are `flow.js`. The embedded service has no paths for those of the kind `unserved`. */
const FLOWS = ['flow', 'unserved'];
/** The outcome of a short run on a busy machine. */
const BUSY = [
  [/ --max-regression /, 99],
  [/ (-r|--stage) | flow\.mjs$/, 96],
  [/ --precision /, 98],
];

/** Reports whether this test runs a command. @type {(line: string) => boolean} */
function isRunHere(line) {
  return !ELSEWHERE.some((one) => one.test(line)) && (IS_FULL || !SLOW.some((one) => one.test(line)));
}

/** The server of `--start`. */
const APP = "require('node:http').createServer((_, response) => response.end('ok')).listen(process.env.PORT);";
const SITE = 'https://staging.example.com';

/**
 * The commands of a workflow of GitHub Actions, or of the jobs of GitLab, for each shard of a matrix, without what the shell
 * does with their output.
 */
function commandsOf({ jobs, ...gitlab }) {
  return Object.values(jobs ?? gitlab).flatMap(({ strategy, steps, script }) =>
    (strategy?.matrix.shard ?? ['']).flatMap((shard) =>
      (script ?? steps.map(({ run }) => run ?? ''))
        .flatMap((line) => (line.startsWith('npx bench-rest') ? [line.split(' >')[0]] : []))
        .filter((line) => IS_FULL || !SLOW.some((one) => one.test(line)))
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
  let tlsPort;
  /** In a process of its own, as a run waits for what it tells about itself. */
  let grpcService;
  let grpcTarget;

  before(async () => {
    target = await startTarget();
    grpcService = spawn(process.execPath, [PROGRAM, 'serve', '0', '--grpc', '0'], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    [grpcTarget] = /127\S+:\d+/.exec(String((await once(grpcService.stdout, 'data'))[0]));
    tlsPort = await freePort();
  });
  after(() => {
    grpcService.kill();
    return target.close();
  });

  // `bench-rest serve` listens on port 8000
  const atServers = (text) =>
    text
      .replaceAll('//localhost:8000', `//127.0.0.1:${target.port}`)
      .replaceAll('localhost:50051', grpcTarget)
      .replaceAll(SITE, target.url)
      .replace(/(listen\(|localhost:)8443\b/, `$1${tlsPort}`);

  for (const path of DOCUMENTS) {
    const blocks = blocksOf(textOf(path));
    const ofKind = (kind) => blocks.filter((block) => block.kind === kind);
    const outputs = blocks.flatMap(({ language, code }) => (language === 'text' ? [code] : [])).join('\n');

    describe(path, () => {
      let folder;

      before(() => {
        folder = mkdtempSync(join(tmpdir(), 'bench-rest-'));
        linkPackage(folder);
        symlinkSync(join(ROOT, 'examples'), join(folder, 'examples'), 'dir');
        writeFileSync(join(folder, 'package.json'), '{ "type": "commonjs" }'); // as `npm init` writes it
        for (const { kind, code } of blocks.filter(({ language }) => language === 'csv')) file(`${kind}.csv`, code);
        const [own] = blocks.filter(({ kind, code }) => FLOWS.includes(kind) && code.includes('export default'));
        file('flow.js', shortenedFile(own?.code ?? FIRST_FLOW));
        for (const { code } of ofKind('server')) file('server.mjs', code);
        for (const { code } of ofKind('imported').filter(isFlowModule)) file('flow.mjs', shortenedFile(code));
        const certificates = blocks.filter(({ code }) => /^openssl /.test(code) && !/^bench-rest /m.test(code));
        for (const { code } of IS_FULL ? certificates : [])
          execFileSync('sh', ['-ec', code], { cwd: folder, stdio: 'ignore' });
        file('site.har', JSON.stringify(recording(recorded(`GET ${SITE}/items`))));
        file('app.js', APP);
        file('photo.png', 'png');
      });
      after(() => rmSync(folder, { recursive: true, force: true }));

      const file = (name, text) => {
        writeFileSync(join(folder, name), atServers(text));
        return join(folder, name);
      };

      const lines = commandLines(blocks).filter(isRunHere);
      // where a command runs the flow of a page, it does not run once more
      const isRun = EXAMPLES.test(path) && lines.some((line) => line.endsWith(' flow.js'));
      for (const [i, { language, code: text }] of isRun ? [] : ofKind('flow').entries()) {
        itSlow(`flow ${i + 1} (${language}) runs without errors`, async () => {
          // loads of scenarios have ends of their own, and rates that a busy machine misses
          const hasLoads = /\b(load|stages|rate):/.test(text);
          const end = hasLoads ? [] : ['-n', '20'];
          const base = text.includes('//') ? [] : ['--base-url', target.url];
          const path = file(`flow${i}.${language}`, shortenedFile(text));
          const { code, stdout } = await untilAnswered(() => command([...end, ...base, '--json', path]));
          expect(JSON.parse(stdout).errors.details).to.deep.equal([]);
          expect(code).to.be.oneOf(hasLoads ? [0, 96] : [0]);
        });
      }

      for (const { code: text } of ofKind('unserved')) {
        it('the flow, which needs a server of its own, is accepted', async () => {
          const path = file('flow.js', text);
          const { code, stderr } = await command(['--print-plan', '-n', '1', '--base-url', target.url, path]);
          expect(code, stderr).to.equal(0);
        });
      }

      for (const line of lines) {
        itSlow(`${line} runs`, async () => {
          const [, ...args] = wordsOf(atServers(shortened(line)));
          // logs and certificates are files of the working directory, which a process has
          const run = / --(log|ca) /.test(line) ? spawned : command;
          const { code, stdout, stderr } = await untilAnswered(() =>
            byProxy(line, args, (words) => run(words, { cwd: folder })),
          );
          expect(code, stderr).to.be.oneOf([0, ...BUSY.flatMap(([lines, other]) => (lines.test(line) ? [other] : []))]);
          expect(stdout)
            .to.match(SILENT.test(line) ? /^$/ : /"count": 0| iterations\/s |validity|Cannot tell/)
            .and.not.match(/^ *[\d,]+ × /m);
          if (EXAMPLES.test(path)) expect(namesIn(outputs)).to.include.members(namesIn(stdout));
        });
      }

      for (const [i, { code }] of ofKind('program').entries()) {
        itSlow(`program ${i + 1} runs`, async () => {
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
        itSlow('the commands of the workflow run', async () => {
          for (const line of commandsOf(parse(text))) {
            const args = wordsOf(atServers(shortened(line)))
              .slice(2)
              .flatMap(expanded);
            // the jobs of the matrix run one after the other here
            const together = args[0] === 'merge' ? ['--partial'] : [];
            const { code, stderr } = await untilAnswered(() => command([...args, ...together], { cwd: folder }));
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
        // those of recipes by test/recipes.test.js
        const others = ['unserved', 'server', 'init', 'volume', 'vitest', 'nodetest', 'autocannon', 'theirs'];
        // that of types by test/tools/types.test.js
        for (const { kind } of blocks) expect(kind).to.be.oneOf([...kinds, ...others, 'types']);
        for (const { language } of ofKind('')) expect(language).to.be.oneOf(['sh', 'text', 'json']);
      });
    });
  }

  itSlow('name every flag, hook, property, run option and error', async () => {
    const { stdout: help } = await command(['--help-all']);
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

  it('name exit codes that there are', () => {
    const named = [...ALL.matchAll(/exit codes? (?:is |are )?(?:\[)?(\d+)/gi)].map(([, code]) => Number(code));
    expect(named.length).to.be.above(20);
    // 137 is that of a killed process
    expect([...ascendingExitCodes().map(({ code }) => code), 137]).to.include.members(named);
  });

  it('are short: 32,000 words of the guide, 80,000 in all', () => {
    const wordsIn = (paths) => paths.map(textOf).join('\n').split(/\s+/).length;
    expect(wordsIn(documentsIn().filter((path) => path.startsWith('docs/guide/')))).to.be.at.most(32_000);
    expect(wordsIn(documentsIn())).to.be.at.most(80_000);
  });

  it('README.md has at most 90 lines and 25 links', () => {
    expect(textOf('README.md').split('\n').length).to.be.at.most(91);
    expect(linksOf(textOf('README.md')).length).to.be.at.most(25);
  });
});

/** @type {(block: { language: string, code: string }) => boolean} */
function isFlowModule({ language, code }) {
  return language === 'js' && code.includes('export default defineFlow(');
}

/** Rows of the iterations, some of which depend on the run. */
const TIMES = ['iteration', 'response time', 'service time', 'start delay', 'failed', 'cut off'];

/** The names of the operations in the table of a report. */
function namesIn(report) {
  const tables = report.matchAll(/^ {2}latency, .*\n((?: {2}\S.*\n)+)/gm);
  const rows = [...tables].flatMap(([, lines]) => lines.trimEnd().split('\n'));
  return rows.map((row) => row.trim().split(/ {2,}/)[0]).filter((name) => !TIMES.includes(name));
}

const PROXY = 'http://proxy.example:3128';

/** Runs a command, with a proxy if it names one. */
function byProxy(line, args, run) {
  if (!line.includes(PROXY)) return run(args);
  return proxying((url) => run(args.map((word) => word.replace(PROXY, url))));
}

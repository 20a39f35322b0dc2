import { execFile } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import { expect } from 'chai';
import { parse } from 'yaml';

import { workflow } from '../lib/addons/init/init-project.js';
import { PROGRAM, ROOT } from './support/command.js';
import { literalResult } from './support/literal-result.js';
import { recorded, resultOf } from './support/recorded.js';
import { scaled } from './support/scale.js';
import { describeSlow } from './support/slow.js';

const ACTION = parse(readFileSync(join(ROOT, 'action.yml'), 'utf8'));
const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
const PULL_REQUEST = { event_name: 'pull_request', event: { pull_request: { number: 7 } } };
const PUSH = { event_name: 'push', event: {} };

/** Evaluates an expression of a workflow: paths, texts, and operators that JavaScript has too. */
function evaluated(text, context) {
  const code = text.replace(/'[^']*'|[a-z]+(?:\.[a-z_-]+)+/g, (word) =>
    word.startsWith("'") ? word : `(at(${JSON.stringify(word.split('.'))}) ?? '')`,
  );
  const at = (path) => path.reduce((value, key) => value?.[key], context);
  return new Function('at', `return ${code}`)(at);
}

const filled = (text, context) =>
  String(text).replace(/\$\{\{(.*?)\}\}/g, (_, code) => String(evaluated(code.trim(), context)));

/** A folder with a project, a `gh` and an `npx` in PATH that write down how they are called, and the steps' own folders. */
class Runner {
  #folder = mkdtempSync(join(tmpdir(), 'bench-rest-'));
  project = join(this.#folder, 'project');
  temp = join(this.#folder, 'temp');
  summary = join(this.#folder, 'summary');
  #output = join(this.#folder, 'output');
  #log = join(this.#folder, 'log');

  constructor() {
    for (const folder of [this.project, this.temp]) mkdirSync(folder);
    this.script('gh', 'exit 0');
    this.script('npx', 'exit 0');
    this.write('flow.mjs', "export default { main: ['/'] };");
  }

  remove() {
    rmSync(this.#folder, { recursive: true });
  }

  /** The path of a file of the project. */
  write(name, text) {
    const path = join(this.project, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
    return path;
  }

  /** A program in PATH. */
  script(name, code, folder = join(this.#folder, 'bin')) {
    mkdirSync(folder, { recursive: true });
    const log = `printf '%s\\n' "${name} $*" >>${this.#log}`;
    writeFileSync(join(folder, name), `#!/usr/bin/env bash\n${log}\n${code}\n`);
    chmodSync(join(folder, name), 0o755);
  }

  /** bench-rest of the project: a script that writes this result. */
  benchRest(result, code = 0) {
    const json = this.write('canned.json', JSON.stringify(result));
    const copy = `for arg; do [[ $arg == *.json ]] && cp ${json} "$arg"; [[ $arg == *.md ]] && echo '### a report' >"$arg"; done`;
    const report = `if [[ $1 == report ]]; then echo '::notice of the report'; exit 99; fi`;
    this.script('bench-rest', `${report}\n${copy}\nexit ${code}`, join(this.project, 'node_modules/.bin'));
  }

  called() {
    return existsSync(this.#log) ? readFileSync(this.#log, 'utf8').trim().split('\n') : [];
  }

  /** Runs the steps as GitHub does: the first that fails is the last, and an action of another author is left out. */
  async run(inputs, github, env = {}) {
    const defaults = Object.entries(ACTION.inputs).map(([name, { default: value = '' }]) => [name, value]);
    const context = { inputs: { ...Object.fromEntries(defaults), token: 'TOKEN', ...inputs }, github, steps: {} };
    const ran = { steps: [], stdout: '', stderr: '', code: 0 };
    for (const step of ACTION.runs.steps.filter(({ run }) => run)) {
      if (step.if && !evaluated(step.if, context)) continue;
      ran.steps.push(step.name);
      writeFileSync(this.#output, '');
      const { code, stdout, stderr } = await this.#step(step, context, env);
      Object.assign(ran, { code, stdout: ran.stdout + stdout, stderr: ran.stderr + stderr });
      const lines = readFileSync(this.#output, 'utf8').split('\n').filter(Boolean);
      const outputs = Object.fromEntries(lines.map((line) => line.split(/=(.*)/s)));
      if (step.id) context.steps[step.id] = { outputs };
      if (code !== 0) break;
    }
    const outputs = Object.entries(ACTION.outputs).map(([name, { value }]) => [name, filled(value, context)]);
    return { ...ran, outputs: Object.fromEntries(outputs) };
  }

  #step({ run, env = {}, 'working-directory': folder = '.' }, context, more) {
    const given = Object.entries(env).map(([name, value]) => [name, filled(value, context)]);
    const options = {
      cwd: join(this.project, filled(folder, context)),
      env: {
        PATH: `${join(this.#folder, 'bin')}:${process.env.PATH}`,
        GITHUB_ACTION_PATH: ROOT,
        GITHUB_REPOSITORY: 'ann/shop',
        GITHUB_WORKFLOW_REF: 'ann/shop/.github/workflows/bench.yml@refs/pull/7/merge',
        GITHUB_BASE_REF: context.github === PULL_REQUEST ? 'main' : '',
        GITHUB_OUTPUT: this.#output,
        GITHUB_STEP_SUMMARY: this.summary,
        RUNNER_TEMP: this.temp,
        ...Object.fromEntries(given),
        ...more,
      },
    };
    return new Promise((resolve) =>
      execFile('bash', ['--noprofile', '--norc', '-eo', 'pipefail', '-c', run], options, (error, stdout, stderr) =>
        resolve({ code: error?.code ?? 0, stdout, stderr }),
      ),
    );
  }
}

describeSlow('action.yml', () => {
  let runner;
  beforeEach(() => (runner = new Runner()));
  afterEach(() => runner.remove());

  const passed = literalResult;

  it('runs the flow, reports it, and ends with its exit code', async () => {
    runner.write('node_modules/.bin/.keep', '');
    symlinkSync(PROGRAM, join(runner.project, 'node_modules/.bin/bench-rest'));
    const { code, outputs, stdout, steps } = await runner.run(
      { flow: 'flow.mjs', options: "--serve -n 20 --title 'two words $HOME'" },
      PUSH,
    );
    expect({ code, steps }, stdout).to.deep.equal({ code: 0, steps: ['Run the flow', 'Exit code'] });
    expect(outputs).to.include({ passed: 'true', 'exit-code': '0' });
    expect(JSON.parse(readFileSync(outputs.result, 'utf8'))).to.deep.include({ title: 'two words $HOME' });
    expect(readFileSync(outputs.page, 'utf8')).to.include('</html>');
    expect(stdout).to.match(
      /^::notice title=two words \$HOME::20 iterations completed without errors\. [\d,.]+ iterations\/s, p50 /m,
    );
    expect(readFileSync(runner.summary, 'utf8'))
      .to.equal(readFileSync(outputs.report, 'utf8'))
      .and.include('two words $HOME: passed');
  });

  it('ends with the exit code of the run, after it was reported', async () => {
    runner.benchRest(literalResult(), 99);
    const { code, outputs, stdout } = await runner.run({ flow: 'flow.mjs' }, PUSH);
    expect(code).to.equal(99);
    expect(outputs).to.include({ passed: 'false', 'exit-code': '99' });
    expect(runner.called().at(-1)).to.equal(`bench-rest report ${outputs.result} --format github`);
    expect(stdout).to.include('::notice of the report');
    expect(readFileSync(runner.summary, 'utf8')).to.equal('### a report\n');
  });

  it('X42 obeys no command of GitHub in what a server sends', async () => {
    const printed = 'echo "  ::stop-commands::x"; echo "::error::of a server" >&2; printf "no line break"; exit 2';
    runner.script('bench-rest', printed, join(runner.project, 'node_modules/.bin'));
    const { stdout } = await runner.run({ flow: 'http://h/' }, PUSH);
    const [, token, between] = /^::stop-commands::(\S+)\n([^]*?)\n::\1::\n/m.exec(stdout) ?? [];
    expect(token).to.have.lengthOf(36);
    expect(between)
      .to.include('::stop-commands::x')
      .and.include('::error::of a server')
      .and.match(/no line break$/);
    expect(stdout.split(`::${token}::`)[1]).to.include('::error title=bench-rest::no result: exit code 2');
  });

  it('annotates a run without a result with its exit code', async () => {
    runner.script('bench-rest', 'exit 2', join(runner.project, 'node_modules/.bin'));
    const { code, stdout } = await runner.run({ flow: 'http://h/', comment: 'true' }, PULL_REQUEST);
    expect(code).to.equal(2);
    expect(stdout).to.include('::error title=bench-rest::no result: exit code 2, see the log');
  });

  it('refuses options with an open quote before the run', async () => {
    runner.benchRest(passed());
    const { code, stdout } = await runner.run({ flow: 'flow.mjs', options: "--title 'open" }, PUSH);
    expect(code).to.equal(1);
    expect(stdout).to.match(/^::error title=bench-rest::options: a quote is not closed$/m);
    expect(runner.called()).to.deep.equal([]);
  });

  it('runs its own version with npx where the project has none, or the one that is asked for', async () => {
    await runner.run({ flow: 'flow.mjs', options: '-n 5' }, PUSH);
    await runner.run({ flow: 'flow.mjs', version: '2.3.4' }, PUSH);
    const [own, other] = runner.called();
    expect(own).to.match(new RegExp(`^npx --yes bench-rest@${version} -o .*result.json .*flow.mjs -n 5$`));
    expect(other).to.match(/^npx --yes bench-rest@2\.3\.4 -o /);
  });

  describe('X42 with hostile inputs', () => {
    /** What bench-rest of the project is called with, after the files of the result. */
    const argumentsFor = async (inputs) => {
      const calls = join(runner.project, 'calls');
      runner.script('bench-rest', `printf '%s\\0' "$@" >>${calls}`, join(runner.project, 'node_modules/.bin'));
      const { stderr } = await runner.run(inputs, PUSH);
      expect(existsSync(calls), stderr).to.equal(true);
      const words = readFileSync(calls, 'utf8').split('\0').slice(0, -1);
      expect(words.slice(0, 6).map((word) => word.replace(/.*\//, ''))).to.deep.equal(
        ['result.json', 'report.md', 'page.html'].flatMap((file) => ['-o', file]),
      );
      return words.slice(6);
    };

    const flows = [
      ['an option', '--start=touch x', './--start=touch x'],
      ['a short option', '-e', './-e'],
      ['the dashes before the command of a server', '--', './--'],
      ['a substitution', '$(touch x) `touch x`', '$(touch x) `touch x`'],
      ['quotes, globs and line breaks', `a 'b' "c" *\n--start=touch`, `a 'b' "c" *\n--start=touch`],
    ];
    for (const [what, flow, word] of flows)
      it(`a flow is one argument that is no option: ${what}`, async () => {
        expect(await argumentsFor({ flow })).to.deep.equal([word]);
        expect(existsSync(join(runner.project, 'x'))).to.equal(false);
      });

    const lists = [
      ["-x ''", ['-x', '']],
      [`"" -n 5 ''`, ['', '-n', '5', '']],
      ['-n  5\n\t-c 2\r\n', ['-n', '5', '-c', '2']],
      [`--title 'a b'"c d"e\\ f`, ['--title', 'a bc de f']],
      [`'$(touch x)' "\`touch x\`" $(touch x)`, ['$(touch x)', '`touch x`', '$(touch', 'x)']],
      [`"\\"\\$\\n" '\\n' \\\\`, ['"$\\n', '\\n', '\\']],
      ['* ~ #{INDEX} ; && | > x', ['*', '~', '#{INDEX}', ';', '&&', '|', '>', 'x']],
      [`'two\nlines' \\\n-ü`, ['two\nlines', '-ü']],
      ['-- node app.js', ['--', 'node', 'app.js']],
      [' \n ', []],
    ];
    // with the small counts all of them are one list
    const all = [lists.map(([args]) => args).join(' '), lists.flatMap(([, words]) => words)];
    for (const [args, words] of scaled([all, lists.at(-1)], lists))
      it(`the words of options are kept as they are: ${JSON.stringify(args)}`, async () => {
        expect(await argumentsFor({ flow: 'flow.mjs', options: args })).to.deep.equal(['flow.mjs', ...words]);
        expect(existsSync(join(runner.project, 'x'))).to.equal(false);
      });

    it('an option of options without its value takes no option of the action', async () => {
      runner.write('node_modules/.bin/.keep', '');
      symlinkSync(PROGRAM, join(runner.project, 'node_modules/.bin/bench-rest'));
      const { code, stdout } = await runner.run({ flow: 'flow.mjs', options: '-n 1 --title' }, PUSH);
      expect(code).to.equal(2);
      expect(stdout).to.match(/--title <text>' argument missing/);
    });

    it('a flow that is named as a command or as an option runs nothing else', async () => {
      runner.write('node_modules/.bin/.keep', '');
      symlinkSync(PROGRAM, join(runner.project, 'node_modules/.bin/bench-rest'));
      for (const flow of scaled(['--start=touch x'], ['init', '--start=touch x', '--'])) {
        const { code, stdout } = await runner.run({ flow, options: '-n 1' }, PUSH);
        expect(code, stdout).to.be.equal(2);
      }
      expect(existsSync(join(runner.project, 'x'))).to.equal(false);
    });

    it('a limit or a baseline that looks like an option is a value', async () => {
      runner.write('-o', '{}');
      const inputs = { flow: 'flow.mjs', baseline: '-o', 'max-regression': `--start '' "p95 = 1%"` };
      expect(await argumentsFor(inputs)).to.deep.equal([
        ...['--baseline=-o', '--max-regression=--start', '--max-regression=', '--max-regression=p95 = 1%', 'flow.mjs'],
      ]);
    });

    for (const name of ['../up', 'a/b', '..', '', 'a\nfolder=/etc', 'a"b', 'a*'])
      it(`a name that is no name of an artifact is refused: ${JSON.stringify(name)}`, async () => {
        runner.benchRest(passed());
        const { code, stdout } = await runner.run({ flow: 'flow.mjs', name }, PUSH);
        expect(code).to.equal(1);
        expect(stdout).to.match(/^::error title=bench-rest::name: '.*' cannot be the name of an artifact/);
        expect(runner.called()).to.deep.equal([]);
      });

    it('an input in an annotation begins no command of GitHub', async () => {
      const { stdout } = await runner.run({ flow: 'flow.mjs', baseline: 'a\n::stop-commands::x' }, PUSH);
      expect(stdout).to.equal('::error title=bench-rest::there is no baseline at a%0A::stop-commands::x\n');
    });

    it('an empty flow is refused', async () => {
      runner.benchRest(passed());
      const { code, stdout } = await runner.run({ flow: '' }, PUSH);
      expect(code).to.equal(1);
      expect(stdout).to.equal('::error title=bench-rest::flow: is empty; name a flow file or a URL\n');
    });

    it('the result of an earlier step with the same name is not that of a run without one', async () => {
      runner.benchRest(passed());
      await runner.run({ flow: 'flow.mjs' }, PUSH);
      runner.script('bench-rest', 'exit 2', join(runner.project, 'node_modules/.bin'));
      const { stdout } = await runner.run({ flow: 'flow.mjs' }, PUSH);
      expect(stdout).to.include('no result: exit code 2');
    });
  });

  describe('in a pull request', () => {
    /** gh lists two runs, of which the second has the artifact; `comments`: ids of earlier comments. */
    const gh = (comments = '') => {
      const base = runner.write('base.json', JSON.stringify(passed()));
      runner.script(
        'gh',
        `case "$1 $2 $3" in
          'run list '*) echo 11; echo 12 ;;
          'run download 11') exit 1 ;;
          'run download 12') mkdir -p "\${@: -1}"; cp ${base} "\${@: -1}/result.json" ;;
          'api graphql '*) echo 7 ;;
          'api repos/'*) echo '${comments}' ;;
        esac`,
      );
    };

    it('compares with the artifact of the base branch, and fails by a regression', async () => {
      gh();
      runner.benchRest(passed(), 99);
      const inputs = {
        flow: 'flow.mjs',
        'max-regression': 'p95=20% iterations.completedRate=10%',
        noise: 'p95=8% iterations.completedRate=4%',
      };
      const { code, outputs } = await runner.run(inputs, PULL_REQUEST);
      expect(code).to.equal(99);
      const base = join(runner.temp, 'baseline-of-bench-rest/result.json');
      const files = `-o ${outputs.result} -o ${outputs.report} -o ${outputs.page}`;
      expect(runner.called()).to.include(
        `bench-rest ${files} --baseline=${base} --max-regression=p95=20% --max-regression=iterations.completedRate=10% --noise=p95=8% --noise=iterations.completedRate=4% flow.mjs`,
      );
      expect(runner.called()[0]).to.match(
        /^gh run list --repo ann\/shop --workflow bench\.yml --branch main --event push /,
      );
    });

    it('runs the base branch and the pull request in turn if it can start the service', async () => {
      runner.script('git', '');
      runner.benchRest(passed());
      const inputs = {
        flow: 'flow.mjs',
        start: 'npm start',
        setup: 'npm ci && npm run build',
        'max-regression': 'p95=10%',
        runs: '5',
      };
      const event = { pull_request: { number: 7, base: { sha: 'abc' } } };
      const { code, stderr, outputs } = await runner.run(inputs, { ...PULL_REQUEST, event });
      expect(code, stderr).to.equal(0);
      const files = `-o ${outputs.result} -o ${outputs.report} -o ${outputs.page}`;
      expect(runner.called()).to.include(`git fetch --quiet --depth 1 origin abc`);
      expect(runner.called().at(-1)).to.equal(
        `bench-rest ab ${files} --runs=5 --start=npm start --versus-ref=abc --setup=npm ci && npm run build --max-regression=p95=10% flow.mjs`,
      );
    });

    it('leaves the packages of the base branch to the command without a setup', async () => {
      runner.script('git', '');
      runner.benchRest(passed());
      const event = { pull_request: { number: 7, base: { sha: 'abc' } } };
      await runner.run({ flow: 'flow.mjs', start: 'npm start', setup: '' }, { ...PULL_REQUEST, event });
      expect(runner.called().at(-1)).to.match(/--versus-ref=abc flow\.mjs$/);
    });

    it('runs another branch, tag or commit in turn, also for a push', async () => {
      runner.benchRest(passed());
      const hash = 'f'.repeat(40);
      for (const [versus, from, ref] of [
        ['v1.2', '+v1.2:refs/remotes/origin/v1.2', 'origin/v1.2'],
        [hash, hash, hash],
      ]) {
        runner.script('git', '');
        await runner.run({ flow: 'flow.mjs', start: 'npm start', versus }, PUSH);
        expect(runner.called()).to.include(`git fetch --quiet --depth 1 origin ${from}`);
        expect(runner.called().at(-1)).to.include(` --versus-ref=${ref} `);
      }
      runner.script('git', 'exit 1');
      const { code, stdout } = await runner.run({ flow: 'flow.mjs', start: 'npm start', versus: '..' }, PUSH);
      expect(code, stdout).to.equal(1);
      expect(stdout).to.include("versus: '..' cannot be the name of a branch or tag");
    });

    it('starts the service of a push, too', async () => {
      runner.benchRest(passed());
      await runner.run({ flow: 'flow.mjs', start: 'npm start' }, PUSH);
      expect(runner.called().at(-2)).to.match(/^bench-rest -o [^]* --start=npm start flow\.mjs$/);
    });

    it('reports each change as a table in Markdown, and the exceeded limit as an annotation', async () => {
      runner.write('node_modules/.bin/.keep', '');
      symlinkSync(PROGRAM, join(runner.project, 'node_modules/.bin/bench-rest'));
      // no run is as fast
      const { schema, run } = literalResult();
      const fast = { schema, run, ...resultOf(recorded([{ at: 0, ms: 0.001, status: 200 }])) };
      const baseline = runner.write('base.json', JSON.stringify(fast));
      const inputs = { flow: 'flow.mjs', options: '--serve -n 20', baseline, 'max-regression': 'p95=10%', noise: '8%' };
      const { code, stdout, outputs } = await runner.run(inputs, PUSH);
      expect(code).to.equal(99);
      expect(stdout).to.match(/^::error title=.*p95 is worse by [\d,]+\.\d %/m);
      expect(readFileSync(outputs.report, 'utf8')).to.match(/^\| compared with base\.json \|/m);
      expect(readFileSync(runner.summary, 'utf8')).to.match(/^\| p95, ms \| 0\.001 \|/m);
    });

    it('runs without a comparison if there is no artifact, and says so', async () => {
      runner.benchRest(passed());
      const { code, stdout } = await runner.run({ flow: 'flow.mjs' }, PULL_REQUEST);
      expect(code).to.equal(0);
      expect(stdout).to.include('::notice title=bench-rest::no result of main to compare with');
      expect(runner.called().filter((line) => line.includes('--baseline'))).to.deep.equal([]);
    });

    it('warns if it may not list the runs', async () => {
      runner.script('gh', 'exit 1');
      runner.benchRest(passed());
      const { code, stdout } = await runner.run({ flow: 'flow.mjs', comment: 'true' }, PULL_REQUEST);
      expect(code).to.equal(0);
      expect(stdout).to.include('permission actions: read?').and.include('permission pull-requests: write?');
    });

    it('takes a baseline of the project, which must exist', async () => {
      runner.benchRest(passed());
      const base = runner.write('saved/base.json', '{}');
      expect(await runner.run({ flow: 'flow.mjs', baseline: base }, PUSH)).to.include({ code: 0 });
      expect(runner.called().at(-2))
        .to.match(/^bench-rest -o /)
        .and.include(` --baseline=${base} flow.mjs`);
      const { code, stdout } = await runner.run({ flow: 'flow.mjs', baseline: 'gone.json' }, PUSH);
      expect(code).to.equal(1);
      expect(stdout).to.include('::error title=bench-rest::there is no baseline at gone.json');
    });

    const comments = [
      ['writes a comment', '', '--method POST repos/ann/shop/issues/7/comments'],
      ['updates its comment', '41', '--method PATCH repos/ann/shop/issues/comments/41'],
    ];
    for (const [what, earlier, request] of comments) {
      it(`${what} with the report`, async () => {
        gh(earlier);
        runner.benchRest(passed());
        const { code, stderr } = await runner.run({ flow: 'flow.mjs', comment: 'true', name: 'api' }, PULL_REQUEST);
        expect(code, stderr).to.equal(0);
        // Only a comment of this account is changed: anybody can write the marker.
        expect(runner.called().find((line) => line.includes('--paginate'))).to.include('.user.id');
        const body = join(runner.temp, 'comment-of-api.md');
        expect(runner.called().at(-1)).to.equal(`gh api ${request} --field body=@${body} --silent`);
        expect(readFileSync(body, 'utf8')).to.match(/^<!-- bench-rest: api -->\n### a report\n/);
      });
    }
  });

  it('passes inputs as variables: none is part of a script', () => {
    for (const { run = '' } of ACTION.runs.steps) expect(run).not.to.include('${{');
  });

  it('has the inputs that the workflow of bench-rest init uses', () => {
    const { jobs, permissions } = parse(workflow({ flow: 'flow.mjs', load: '-n 10' }));
    const { uses, with: inputs } = jobs.bench.steps.at(-1);
    expect(uses).to.equal('jeffbski/bench-rest@v2');
    expect(Object.keys(ACTION.inputs)).to.include.members(Object.keys(inputs));
    expect(permissions).to.deep.equal({ actions: 'read', contents: 'read', 'pull-requests': 'write' });
  });
});

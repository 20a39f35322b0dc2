import { closeSync, existsSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { expect } from 'chai';

import { PROGRAM, ROOT, command, commandHere, saidBy, spawned } from './support/command.js';
import { REFUSED_URL } from './support/faulty-server.js';
import { COMPUTE_FOREVER } from './support/scale.js';
import { holding, ok, serving } from './support/serve.js';
import { describeSlow, itSlow } from './support/slow.js';
import { until } from './support/until.js';
import { missingIn } from '../lib/core/measure/validity.js';

const CONTROL = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/;
const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));

describe('the command', () => {
  let folder;
  before(() => (folder = mkdtempSync(join(tmpdir(), 'bench-rest-'))));
  after(() => rmSync(folder, { recursive: true, force: true }));

  const flowFile = (name, text) => {
    const path = join(folder, name);
    writeFileSync(path, text);
    return path;
  };

  describe('result', () => {
    it('the plan is on stderr and the report on stdout, without control characters', () =>
      serving(ok, async (url, seen) => {
        const { code, stdout, stderr } = await command(['-n', '20', '-c', '3', url]);
        expect(code).to.equal(0);
        expect(seen).to.have.lengthOf(20);
        expect(stderr)
          .to.include(`bench-rest ${version}: 20 iterations, 3 virtual users against ${url}`)
          .and.include('GET /');
        expect(stdout)
          .to.match(/^✓ [\d.,–]+ iterations\/s [^]* 0 errors\n {2}mean .*\n {2}20 iterations in /)
          .and.match(/(· | {2})200: 20\n/)
          .and.not.match(/passed|validity:|too short|too few/);
        expect(stdout + stderr).not.to.match(CONTROL);
      }));

    it('--format object prints what bench-rest 1 printed', () =>
      serving(ok, async (url) => {
        const { code, stdout } = await command(['-n', '20', '--format', 'object', url]);
        expect(code).to.equal(0);
        expect(stdout)
          // on a busy machine the load generator may have stalled or been saturated
          .to.match(/^errors: 0\n([\w ,]+: .+\.\n)?stats: \{\n {2}totalElapsed: \d/)
          .and.match(/statusCodes: \{ '200': 20 \}/);
      }));

    itSlow('--json prints one document and nothing else', () =>
      serving(ok, async (url) => {
        const { code, stdout, stderr } = await command(['--json', '-n', '1k', url]);
        expect(code).to.equal(0);
        expect(stderr).to.equal('');
        const stats = JSON.parse(stdout);
        expect(stats.iterations).to.include({ started: 1000, completed: 1000 });
        expect(stats.main.histogram.count).to.equal(1000);
      }),
    );

    itSlow('groups errors, each with its count, and exits with 1', () =>
      serving(
        (req, res) => res.writeHead(req.url === '/bad' ? 503 : 200).end(),
        async (url) => {
          const { code, stdout } = await command(['-n', '300', '-e', `{ main: ['${url}/', '${url}/bad'] }`]);
          expect(code).to.equal(1);
          expect(stdout).to.include(
            '\n  300 × status in flow.main[1] GET /bad, first in iteration 0\n        error statusCode: 503\n',
          );
        },
      ),
    );

    it('T8 a result that stdout cannot take is printed on stderr: exit 5', async function () {
      if (process.platform !== 'linux') this.skip();
      const full = openSync('/dev/full', 'w');
      try {
        const { code, stderr } = await command(['--serve', '-n', '5'], { stdio: ['ignore', full, 'pipe'] });
        expect(code).to.equal(5);
        expect(stderr)
          .to.match(/result was not written: ENOSPC/)
          .and.match(/5 iterations in/);
      } finally {
        closeSync(full);
      }
    });

    itSlow('T6 a reader that closes the pipe early is no error', async () => {
      const { code, stderr } = await spawned(['--serve', '-n', '5', '--json'], {
        act: (child) => child.stdout.destroy(),
      });
      expect(code).to.equal(0);
      expect(stderr).to.equal('');
    });

    itSlow('output of the flow goes to stderr, not into the result', async () => {
      const file = flowFile(
        'chatty.js',
        "console.log('loaded'); export default { main: [{ get: '/', afterHooks: [() => console.log('hooked')] }] };",
      );
      const { stdout, stderr } = await command(['--serve', '--json', file], { engine: 'thread' });
      expect(JSON.parse(stdout).iterations.completed).to.equal(1);
      expect(stderr).to.include('loaded').and.include('hooked');
    });
  });

  describe('options', () => {
    it('flags may follow the flow; they override its runOptions, which override the defaults', () =>
      serving(ok, async (url) => {
        const file = flowFile(
          'options.json',
          JSON.stringify({ main: [{ get: '/' }], runOptions: { iterations: 30, limit: 7 } }),
        );
        const { code, stderr } = await command([file, '-c', '2', '--base-url', url]);
        expect(code).to.equal(0);
        expect(stderr).to.include('30 iterations, 2 virtual users');
      }));

    it('-H adds headers, -u and -p credentials', () =>
      serving(ok, async (url, seen) => {
        await command(['-H', 'X-One: 1', '-H', 'x-two: a: b', '-u', 'ann', '-p', 'secret', url]);
        expect(seen[0].headers).to.include({
          'x-one': '1',
          'x-two': 'a: b',
          authorization: `Basic ${btoa('ann:secret')}`,
        });
      }));

    itSlow('an empty user is none, and an empty password is one', () =>
      serving(ok, async (url, seen) => {
        for (const credentials of [
          ['-u', ''],
          ['-p', ''],
          ['-u', '', '-p', ''],
          ['-u', 'ann', '-p', ''],
        ])
          expect(await command([...credentials, url])).to.include({ code: 0 });
        expect(seen.map(({ headers }) => headers.authorization)).to.deep.equal([
          ...[undefined, undefined, undefined],
          `Basic ${btoa('ann:')}`,
        ]);
        const { code, stderr } = await command(['-u', '', '-p', 'secret', url]);
        expect(code).to.equal(2);
        expect(stderr).to.match(/-p is the password of a user: add -u/);
      }),
    );

    it('-u user:password has both, also beside a password in the environment, but not beside -p', () =>
      serving(ok, async (url, seen) => {
        await command(['-u', 'ann:a:b', url], { env: { BENCH_REST_PASSWORD: 'other' } });
        expect(seen[0].headers.authorization).to.equal(`Basic ${btoa('ann:a:b')}`);
        const { code, stderr } = await command(['-u', 'ann:secret', '-p', 'other', url]);
        expect([code, seen.length]).to.deep.equal([2, 1]);
        expect(stderr).to.match(/-u user:password has a password, and -p is another one/);
      }));

    it('digits alone are no user, unless there is a password', () =>
      serving(ok, async (url, seen) => {
        const { code, stderr } = await command(['-u', '10', '-n', '1', url]);
        expect(code).to.equal(2);
        expect(stderr).to.match(/-u 10 is a user: for 10 virtual users write -c 10/);
        await command(['-u', '10', '-p', 'secret', url]);
        expect(seen.map(({ headers }) => headers.authorization)).to.deep.equal([`Basic ${btoa('10:secret')}`]);
      }));

    it('user and password can come from the environment', () =>
      serving(ok, async (url, seen) => {
        await command([url], { env: { BENCH_REST_USER: 'ann', BENCH_REST_PASSWORD: 'secret' } });
        expect(seen[0].headers.authorization).to.equal(`Basic ${btoa('ann:secret')}`);
      }));

    for (const text of ["{ head: 'URL' }", '{ head: URL }', '< head: URL >', 'URL']) {
      it(`-e accepts ${text}`, () =>
        serving(ok, async (url, seen) => {
          const { code } = await command(['-n', '3', '-e', text.replace('URL', `${url}/`)]);
          expect(code).to.equal(0);
          expect(seen).to.have.lengthOf(3);
        }));
    }

    it('--debug shows every exchange of one iteration, redirects and cookies too, with secrets masked', async () => {
      const flow =
        "{ main: [{ post: '/login?token=CANARY', json: { user: 'ann', password: 'CANARY' } }, { get: '/redirect/1' }, { get: '/me', auth: { bearer: 'CANARY' } }] }";
      const { code, stderr } = await command(['--serve', '--debug', '-n', '50', '-H', 'X-Api-Key: CANARY', '-e', flow]);
      expect(code).to.equal(0);
      expect(stderr.match(/^flow\.main\[\d\] \(/gm)).to.have.lengthOf(4);
      expect(stderr)
        .to.include('> cookie: ***')
        .and.include('> {"user":"ann","password":"***"}')
        .and.include('< location: /redirect/0');
      expect(stderr)
        .not.to.include('CANARY')
        .and.not.match(/session=/);
    });

    it('--serve needs no flow; --serve-error and --serve-percent make responses fail', async () => {
      const { code, stdout } = await command([
        '--serve',
        '-n',
        '100',
        '-c',
        '4',
        '--serve-error',
        '503',
        '--serve-percent',
        '10',
        '--json',
      ]);
      expect(code).to.equal(1);
      expect(JSON.parse(stdout).requests.statusCodes).to.deep.equal({ 200: 90, 503: 10 });
    });

    for (const load of [
      ['-r', '100', '--max-backlog', '5'],
      ['--stage', '1s:100', '--max-backlog', '5'],
      ['--stage', '1s:5c'],
      ['--forever', '-w', '2', '-c', '4'],
      ['-t', '10s', '--ramp-up', '5s', '--pause', '1s'],
      ['--arrival', 'poisson', '-r', '5', '-t', '10s', '-W', '5s'],
      ['--max-requests', '90', '--rate-per-user', '1'],
      ['--max-requests-per-user', '90', '-a', '10'],
    ]) {
      it(`--debug runs one iteration instead of the load of ${load.join(' ')}`, () =>
        serving(ok, async (url, seen) => {
          const { code, stderr } = await command(['--debug', ...load, url]);
          expect(stderr).not.to.include('invalid options');
          expect(code).to.equal(0);
          expect(seen).to.have.lengthOf(1);
        }));
    }

    it('--debug judges no threshold, as one iteration runs one scenario, but refuses malformed ones', () =>
      serving(ok, async (url) => {
        const debug = (...thresholds) => {
          const scenarios = { a: { main: ['/a'] }, b: { main: [{ get: '/b', expect: { status: 200 } }] } };
          return command(['--debug', '-e', JSON.stringify({ baseUrl: url, scenarios, thresholds })]);
        };
        const { code, stdout, stderr } = await debug('b p95<1s', 'a max<0.001ms', 'checks>99%');
        expect(code).to.equal(0);
        expect(stderr).to.include('--debug runs one iteration: no threshold is judged');
        expect(stdout)
          .to.match(/^✓ [\d.,]+ iterations/)
          .and.not.match(/p95<1s|range/);
        const refused = await debug('c p95<1s');
        expect(refused.code).to.equal(2);
        expect(refused.stderr).to.include('flow.thresholds[0]: no operation is called "c"');
        expect((await command(['--debug', url])).stderr).not.to.include('threshold');
      }));

    it('a token of another tool and an undefined header have a hint', () =>
      serving(ok, async (url, seen) => {
        const flow = `export default [{ get: '${url}/\${INDEX}', headers: { authorization: process.env.NONE_SUCH } }];`;
        const { stderr } = await command(['-n', '1', flowFile('hints.mjs', flow)]);
        expect(stderr)
          .to.include('${INDEX} is sent as it is; write #{INDEX}')
          .and.match(/\.headers\.authorization: is undefined and not sent/);
        expect(seen).to.have.lengthOf(1);
      }));

    it('paths that replace the path of the base URL have one notice', () =>
      serving(ok, async (url, seen) => {
        const flow = flowFile('base.yaml', 'main: [{ get: /x }, { get: /y }, { get: z }]');
        const { code, stderr } = await command(['-n', '1', '--base-url', `${url}/api/`, flow]);
        expect(code).to.equal(0);
        expect(seen.map((request) => request.url)).to.deep.equal(['/x', '/y', '/api/z']);
        expect(stderr.replace(/\s+/g, ' ').split('without the path of the base URL')).to.have.lengthOf(2);
        expect(stderr.replace(/\s+/g, ' ')).to.include(
          `flow.main[0].get: "/x" is sent to ${url}/x, without the path of the base URL ${url}/api/; ` +
            `for ${url}/api/x write "x" and the base URL ${url}/api/ (and 1 more like this)`,
        );
      }));

    it('fewer iterations than virtual users have a hint', () =>
      serving(ok, async (url) => {
        const { stderr } = await command(['-c', '50', '-n', '5', url]);
        expect(stderr).to.include('only 5 of 50 virtual users have an iteration to run');
        expect((await command(['-n', '5', url])).stderr).not.to.include('have an iteration to run');
      }));

    it('a dashboard on a port in use is refused, and says what to do', () =>
      serving(ok, async (url, seen) => {
        const { code, stderr } = await command(['--dashboard', new URL(url).port, '-n', '5', url]);
        expect(stderr).to.match(/--dashboard \d+: another program listens on this port; --dashboard alone takes any/);
        expect([code, seen.length]).to.deep.equal([2, 0]);
      }));

    for (const [args, message] of [
      [['--profile', 'cput'], '--profile cput: expected cpu, heap, all, or the time at the end to record'],
      [['--trace-context', 'abc'], '--trace-context abc: expected a share such as 10%'],
      [['--trace-context', 'NaN%'], '--trace-context NaN%: expected a share such as 10%'],
      [['--dashboard', '80a'], '--dashboard 80a: expected a port'],
      [['--http2', 'onl'], "--http2 onl: expected true, false, 'only' or 'prior-knowledge'"],
      [['--http2', 'prior-knowledg'], '--http2 prior-knowledg: expected true'],
      [['-o', 'x.cpuprofile'], '-o x.cpuprofile: needs --profile'],
    ])
      it(`${args.join(' ')} is refused in the words of the flag`, async () => {
        const { code, stderr } = await command([...args, '-n', '1', 'http://127.0.0.1:1/']);
        expect(stderr.replace(/\s+/g, ' ')).to.include(message);
        expect(code).to.equal(2);
      });

    for (const [what, args, isHinted, { isTTY = true, config = {} } = {}] of [
      ['without an end', [], true],
      ['for programs, without an end', ['--json'], true],
      ['with -n 1', ['-n', '1'], false],
      ['with another end', ['--max-requests', '1'], false],
      ['with iterations in the configuration file', [], false, { config: { iterations: 1 } }],
      ['with --debug', ['--debug'], false],
      ['with --quiet', ['--quiet'], false],
      ['without a terminal', [], true, { isTTY: false }],
      ['for programs, without a terminal', ['--json'], true, { isTTY: false }],
    ]) {
      it(`a run ${what} has ${isHinted ? 'the' : 'no'} hint that one iteration is no benchmark`, () =>
        serving(ok, async (url, seen) => {
          const cwd = mkdtempSync(join(folder, 'hint-'));
          writeFileSync(join(cwd, '.bench-restrc.json'), JSON.stringify(config));
          const { code, stderr } = await commandHere([...args, url], { cwd, isTTY, env: { TERM: 'dumb' } });
          expect(code).to.equal(0);
          expect(stderr.includes('1 iteration; use -n 1000 or -t 10s for a benchmark\n')).to.equal(isHinted);
          expect(seen).to.have.lengthOf(1);
        }));
    }

    it('-V and --help-all print and exit with 0', async () => {
      const [printed, help] = await Promise.all([command(['-V']), command(['--help-all'])]);
      expect(printed).to.include({ code: 0, stdout: `${version}\n`, stderr: '' });
      expect(help).to.include({ code: 0, stderr: '' });
      expect(help.stdout)
        .to.include('Examples:')
        .and.include('--base-url <url>')
        .and.match(/100 {2}\S/);
    });
  });

  describe('refused before the first request', () => {
    const rows = [
      { what: 'no flow', args: [], code: 2, says: /a flow is missing; try: bench-rest http:/ },
      {
        what: 'a misspelled flag',
        args: ['--concurency', '5', 'URL'],
        code: 2,
        says: /did you mean --concurrency/i,
      },
      {
        what: 'too many workers, in the words of the flags',
        args: ['-w', '99', '-n', '10', 'URL'],
        code: 2,
        says: /-w, --workers: 99 workers need .* got -c 10/,
      },
      {
        what: 'stages that mix rates and virtual users',
        args: ['--stage', '1s:5c', '--stage', '1s:5', 'URL'],
        code: 2,
        says: /--stage: mixes rates and virtual users/,
      },
      { what: 'one result', args: ['compare', 'a.json'], code: 2, says: /usage: bench-rest compare .*<base> <new>/ },
      { what: 'a third result', args: ['compare', 'a', 'b', 'c'], code: 2, says: /got 3; usage: bench-rest compare/ },
      {
        what: '--config-file',
        args: ['--config-file', 'bench.yaml', 'URL'],
        code: 2,
        says: /write --config <file>; \.bench-restrc\.yaml.* are found by themselves, in this folder and above it/,
      },
      {
        what: 'names of other tools, all at once',
        args: ['--max-vus', '100', '--tcp', 'URL'],
        code: 2,
        says: /unknown options\n {2}k6's --max-vus is -c, --concurrency here\n {2}loadtest's --tcp is not an option here/,
      },
      {
        what: 'unknown flags and invalid values, all at once',
        args: ['--max-vus', '100', '-c', 'x', '-n', '5', '--timeout', '5', 'URL'],
        code: 2,
        says: /invalid options\n {2}k6's --max-vus is -c.*\n {2}option '-c.*' argument 'x' is invalid.*\n {2}option '--timeout.*5s or 5ms\?/,
      },
      { what: 'seconds without their unit', args: ['-t', '20', 'URL'], code: 2, says: /20s or 20ms\?/ },
      {
        what: 'a number of requests in -a',
        args: ['-a', '1000', 'URL'],
        code: 2,
        says: /for 1000 iterations write -n 1000\nsee bench-rest --help/,
      },
      {
        what: 'a flag of a subcommand',
        args: ['report', 'x.json', '--foo'],
        code: 2,
        says: /see bench-rest report --help/,
      },
      { what: 'a lack of arguments', args: ['compare', 'a.json'], code: 2, says: /see bench-rest compare --help/ },
      { what: 'a port of serve', args: ['serve', '--port', '-1'], code: 2, says: /see bench-rest serve --help/ },
      {
        what: 'a limit of compare',
        args: ['compare', 'a.json', 'b.json', '--max-regression', 'p98=1%'],
        code: 2,
        says: /unknown figure[^]*see bench-rest compare --help/,
      },
      {
        what: 'a malformed number',
        args: ['-n', 'many', 'URL'],
        code: 2,
        says: /--iterations.*'many'.*whole number from 1, such as 1000 or 10k/,
      },
      { what: 'zero virtual users', args: ['-c', '0', 'URL'], code: 2, says: /--concurrency/ },
      { what: 'an empty number', args: ['-n', '', 'URL'], code: 2, says: /--iterations/ },
      { what: 'a header without a name', args: ['-H', 'nothing', 'URL'], code: 2, says: /'Name: value'/ },
      { what: 'a flow and -e', args: ['URL', '-e', 'URL'], code: 2, says: /use either a flow .* or -e/ },
      {
        what: '--serve with --base-url',
        args: ['--serve', '--base-url', 'URL'],
        code: 2,
        says: /--serve or --base-url/,
      },
      {
        what: '--serve-delay without --serve',
        args: ['URL', '--serve-delay', '5ms'],
        code: 2,
        says: /--serve-delay is an option of --serve/,
      },
      {
        what: 'a host without a scheme',
        args: ['localhost:8000'],
        code: 2,
        says: /did you mean http:\/\/localhost:8000\//,
      },
      {
        what: 'two flow files',
        args: ['examples/simple.js', 'examples/hooks.js'],
        code: 2,
        says: /simple\.js is a file; several arguments must be URLs/,
      },
      {
        what: 'a file that does not exist',
        args: ['./nothing.js'],
        code: 2,
        says: /flow file does not exist: \/.*nothing\.js/,
      },
      {
        what: 'all problems of a flow together',
        args: ['-e', "{ get: 'URL', haeders: {}, afterHooks: ['verify2xx'] }"],
        code: 2,
        says: /nothing was sent\n {2}flow\.main\[0\]\.haeders: .*did you mean headers\?\n {2}flow\.main\[0\]\.afterHooks\[0\]: .*did you mean verify2XX\?\n$/,
      },
      { what: 'a flow without main', args: ['-e', '{ before: [] }'], code: 2, says: /missing flow\.main\?/ },
    ];
    for (const { what, args, code, says } of rows) {
      it(`${what}: exit ${code}`, () =>
        serving(ok, async (url, seen) => {
          const result = await command(args.map((arg) => arg.replace('URL', url)));
          expect(result.stderr)
            .to.match(says)
            .and.match(/^bench-rest: /)
            .and.not.match(/\n {4}at /);
          expect(result).to.include({ code, stdout: '' });
          expect(seen).to.have.lengthOf(0);
        }));
    }

    itSlow('a syntax error in a flow, with its location: exit 2', async () => {
      const file = flowFile('broken.js', 'export default {\n  main: [{ get: }],\n};\n');
      const { code, stderr } = await command([file]);
      expect(code).to.equal(2);
      expect(stderr).to.include(`${file}:2`).and.include('main: [{ get: }],');
    });
  });

  itSlow('a run stops when no connection succeeds, unless --keep-going is set', async () => {
    const stopped = await command(['-n', '1000', '--json', REFUSED_URL]);
    expect(stopped.code).to.equal(1);
    expect(stopped.stderr).to.match(/no connection succeeded.*--keep-going/);
    expect(JSON.parse(stopped.stdout).errors.count).to.be.within(100, 150);
    const going = await command(['-n', '1000', '--json', '--keep-going', REFUSED_URL]);
    expect(going.code).to.equal(1);
    expect(JSON.parse(going.stdout).errors.count).to.equal(1000);
  });

  it('a failed before phase is reported, and no iteration runs', async () => {
    const { code, stderr, stdout } = await command([
      '--serve',
      '--json',
      '-e',
      "{ before: [{ get: '/status/500' }], main: ['/'] }",
    ]);
    expect(code).to.equal(1);
    expect(stderr).to.include('no iterations were run, because before failed');
    expect(JSON.parse(stdout).iterations.started).to.equal(0);
  });

  describe('signals', () => {
    const flow = (url) => `{ main: ['${url}/slow'], afterMain: ['${url}/afterMain'], after: ['${url}/after'] }`;

    it('T1 after Ctrl-C running iterations finish, teardown runs and the result is printed: exit 100', () =>
      holding('/slow', async ({ url, seen, arrived, release }) => {
        const { code, stdout, stderr } = await command(['-n', '1000', '-c', '1', '--json', '-e', flow(url)], {
          async act(child, heard) {
            await arrived;
            child.kill('SIGINT');
            await heard(/again to abort/);
            release();
          },
        });
        expect(code).to.equal(100);
        const { started, completed, cancelled } = JSON.parse(stdout).iterations;
        expect({ completed, cancelled }).to.deep.equal({ completed: started, cancelled: 0 });
        expect(started).to.be.below(1000);
        expect(seen.slice(-3).map((request) => request.url)).to.deep.equal(['/slow', '/afterMain', '/after']);
        expect(stderr).to.include('Stopping');
      }));

    it('T2 Ctrl-C twice aborts the run and prints the last result: exit 100', () =>
      holding('/slow', async ({ url, seen, arrived }) => {
        const { code, stdout } = await command(['-n', '1000', '-c', '1', '--json', '-e', flow(url)], {
          async act(child, heard) {
            await arrived;
            child.kill('SIGINT');
            await heard(/again to abort/);
            child.kill('SIGINT');
          },
        });
        expect(code).to.equal(100);
        expect(JSON.parse(stdout).iterations).to.include({ started: 1, completed: 0, cancelled: 1 });
        expect(seen.map((request) => request.url)).to.deep.equal(['/slow']);
      }));

    it('T2 a process that was suspended after Ctrl-C twice still reads the end of its run', async () => {
      const abortSuspended = () =>
        holding('/slow', ({ url, arrived }) =>
          commandHere(['-n', '1000', '-c', '1', '--json', '-e', flow(url)], {
            async act(child, heard) {
              await arrived;
              child.kill('SIGINT');
              await heard(/again to abort/);
              child.kill('SIGINT');
              // timers run before messages are read
              setImmediate(() => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1200));
            },
          }),
        );
      // a busy machine may not let the run end in its half second: then once more
      for (let isComplete = false; !isComplete;) {
        const { code, stdout } = await abortSuspended();
        expect(code).to.equal(100);
        isComplete = !missingIn(JSON.parse(stdout)).join().includes('last known state');
      }
    });

    itSlow('T2 Ctrl-C twice aborts a run whose hook blocks forever', async () => {
      const mark = join(folder, 'blocked');
      const file = flowFile(
        'blocking.js',
        `import { writeFileSync } from 'node:fs'; export default { main: [{ get: '/', afterHooks: [() => { writeFileSync('${mark}', ''); ${COMPUTE_FOREVER} }] }] };`,
      );
      const { code, stderr } = await command(['--serve', file], {
        engine: 'thread',
        async act(child, heard) {
          await until(() => existsSync(mark));
          child.kill('SIGINT');
          await heard(/again to abort/);
          child.kill('SIGINT');
        },
      });
      expect(code).to.equal(100);
      expect(stderr).to.include('aborted');
    });

    itSlow('T4 SIGTERM ends a run whose server never answers, and prints the stats: exit 100', () =>
      holding('/slow', async ({ url, seen, arrived }) => {
        const { code, signal, stdout } = await command(['-n', '1000', '-c', '2', '--json', '-e', flow(url)], {
          async act(child) {
            await arrived;
            child.kill('SIGTERM');
          },
        });
        expect({ code, signal }).to.deep.equal({ code: 100, signal: null });
        expect(JSON.parse(stdout).iterations.cancelled).to.be.within(1, 2);
        expect(seen.at(-1).url).to.equal('/after');
      }),
    );

    itSlow('T3 a signal while the flow is loading aborts before the first request', async () => {
      const file = flowFile(
        'loading.js',
        "console.log('loading'); await new Promise((resolve) => setTimeout(resolve, 600_000)); export default '/';",
      );
      const { code, stdout, stderr } = await command([file], {
        engine: 'thread',
        async act(child, heard) {
          await heard(/loading/);
          child.kill('SIGINT');
        },
      });
      expect({ code, stdout }).to.deep.equal({ code: 100, stdout: '' });
      expect(stderr).to.include('aborted before the first result');
    });
  });

  describeSlow('C16 a flow that ends or blocks its thread', () => {
    const rows = [
      {
        what: 'process.exit in a hook',
        hook: 'process.exit(0)',
        code: 1,
        says: 'the flow ended its process with code 0',
      },
      {
        what: 'an internal error',
        head: `import { Recorder } from '${new URL('../lib/core/measure/recorder.js', import.meta.url)}';`,
        hook: "Recorder.prototype.main = () => { throw new Error('a fault'); }",
        code: 70,
        says: 'Error: a fault',
      },
    ];
    for (const { what, head = '', hook, code, says } of rows) {
      it(`${what}: the result so far is printed, exit ${code}`, async () => {
        const file = flowFile(
          'breaking.mjs',
          `${head} export default { main: [{ get: '/', afterHooks: [(all) => { if (all.env.index === 240) { ${hook}; } }] }] };`,
        );
        const result = await command(['--serve', '-r', '200', '-n', '1m', '--json', file], { engine: 'thread' });
        expect(result.code).to.equal(code);
        expect(result.stderr).to.include('the run was lost').and.include(says);
        const { started, completed, failed, cancelled } = JSON.parse(result.stdout).iterations;
        expect(started)
          .to.be.above(0)
          .and.equal(completed + failed + cancelled);
      });
    }
  });

  describe('serve', () => {
    itSlow('serves until Ctrl-C and prints the number of requests: exit 0', async () => {
      const { code, stdout } = await spawned(['serve', '0'], {
        async act(child, heard) {
          let said = '';
          child.stdout.on('data', (text) => (said += text));
          await heard(/redirect/);
          const [, url] = /REST target at (\S+)/.exec(said);
          expect(await (await fetch(url)).text()).to.equal('hello');
          child.kill('SIGINT');
        },
      });
      expect(code).to.equal(0);
      expect(stdout).to.match(/\n1 requests?\n$/);
    });

    it('B22 a port in use is refused: exit 2', () =>
      serving(ok, async (url) => {
        const { port } = new URL(url);
        for (const args of [
          ['serve', '--port', port],
          ['--serve', '--serve-port', port],
        ]) {
          const { code, stderr } = await command(args);
          expect(code).to.equal(2);
          expect(stderr).to.include(`port ${port} of 127.0.0.1 is`);
        }
      }));
  });

  itSlow(
    'a command that ends without a result, because nothing is pending any more, fails in one sentence',
    async () => {
      const main = 'data:text/javascript,export const main = () => new Promise(() => {})';
      const resolve = `export const resolve = (name, context, next) =>
      name.endsWith('/cli/main.js') ? { url: '${main}', shortCircuit: true } : next(name, context);`;
      const hooks = JSON.stringify(`data:text/javascript,${encodeURIComponent(resolve)}`);
      const file = flowFile('lost.mjs', `import { register } from 'node:module'; register(${hooks});`);
      const { code, stdout, stderr } = await saidBy(process.execPath, ['--import', pathToFileURL(file).href, PROGRAM]);
      expect([code, stdout]).to.deep.equal([70, '']);
      expect(stderr).to.match(/^bench-rest: Error: the command ended without a result\n/m);
    },
  );
});

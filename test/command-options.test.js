import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect } from 'chai';

import { loadCommands } from '../lib/core/cli/commands/index.js';
import { readArguments } from '../lib/core/cli/options.js';
import { RUN_OPTIONS } from '../lib/core/run/options/index.js';
import { ROOT } from './support/command.js';
import { itSlow } from './support/slow.js';

const commands = await loadCommands();

const read = (line, env = {}) =>
  readArguments(Array.isArray(line) ? line : line.split(' '), {
    version: '1.2.3',
    commands,
    env,
    columns: 80,
    cwd: () => ROOT,
  });

describe('cli/options', () => {
  for (const line of ['--profile 0s x.js', '--profile 10s,5s x.js', '--profile= x.js'])
    it(`${line} is refused`, () => expect(() => read(line)).to.throw('--profile'));

  const rows = [
    ['no options without flags', 'http://h/', {}],
    ['counts with k and m', '-n 1m -c 10k -a 2k x.js', { iterations: 1_000_000, limit: 10_000, prealloc: 2000 }],
    ['counts written as 1e3', '-n 1e3 x.js', { iterations: 1000 }],
    [
      'times with a unit',
      '--timeout 2s --graceful-stop 1m -d 250ms x.js',
      { timeout: 2000, gracefulStop: 60_000, progress: 250 },
    ],
    ['0 as none', '-d 0 --timeout 0 -a 0 x.js', { progress: 0, timeout: 0, prealloc: 0 }],
    ['flags', '--insecure --keep-going x.js', { insecure: true, keepGoing: true }],
    ['a profile without a value before the flow', '--profile x.js', { profile: { kinds: ['cpu'] } }],
    ['a profile with its kinds and time', '--profile heap,10s x.js', { profile: { kinds: ['heap'], lastMs: 10_000 } }],
    ['a profile of the last part', '--profile 10s x.js', { profile: { kinds: ['cpu'], lastMs: 10_000 } }],
    ['options after the flow', 'x.js --iterations=5 --base-url=http://h', { iterations: 5, baseUrl: 'http://h' }],
  ];
  for (const [what, line, given] of rows) it(`reads ${what}`, () => expect(read(line).runOptions).to.deep.equal(given));

  it('collects headers, including repeated ones', () => {
    const { headers } = read(['-H', 'A: 1', '-H', 'b:2', '-H', 'A: 3', '-H', '__proto__: 4', 'x.js']).runOptions;
    expect(Object.entries(headers)).to.deep.equal([
      ['A', ['1', '3']],
      ['b', '2'],
      ['__proto__', '4'],
    ]);
    expect(Object.keys(Object.prototype)).to.deep.equal([]);
  });

  for (const [variable, value, reason] of [
    ['BENCH_REST_SHARD', '1', 'expected a shard such as 1/3, the first of three, got "1"'],
    ['BENCH_REST_QUEUE', 'host', 'expected the URL of Redis or Valkey'],
  ]) {
    it(`a wrong value of ${variable} is refused with its name`, () =>
      expect(() => read('x.js', { [variable]: value })).to.throw(`${variable} in the environment: ${reason}`));
  }

  it('reads user and password from the environment; flags win', () => {
    const env = { BENCH_REST_USER: 'ann', BENCH_REST_PASSWORD: 'one' };
    expect(read('x.js', env).runOptions).to.deep.equal({ user: 'ann', password: 'one' });
    expect(read('-u bea:three:x x.js').runOptions).to.deep.equal({ user: 'bea', password: 'three:x' });
    expect(read('-u bea:three x.js', env).runOptions).to.deep.equal({ user: 'bea', password: 'three' });
    expect(() => read('-u bea:three -p two x.js')).to.throw(/^-u user:password has a password/);
    expect(read('-p two x.js', env).runOptions).to.deep.equal({ user: 'ann', password: 'two' });
  });

  describe('refuses what has another meaning in other tools, with the answer:', () => {
    const refused = [
      ['-t 10 x.js', /10s or 10ms\? A time needs a unit/],
      ['--duration=20 x.js', /20s or 20ms\?/],
      ['-t12 -c400 -d30s x.js', /-t 12 and -d 30s are the threads and the duration of wrk: write -w 12 -t 30s$/],
      ['-t2 -c5 -d2 x.js', /-t 2 and -d 2 are the threads and the duration of wrk: write -w 2 -t 2s$/],
      ['-t 2 -c5 x.js', /2s or 2ms\? A time needs a unit; 2 threads, as in wrk, are -w 2/],
      ['-T title x.js', /a title is --title/],
      [
        '-c 100 -d 40 -p 10 localhost:3000',
        /^invalid options\n {2}-p is .*\n {2}-d 40 .* -t 40s\n {2}localhost:3000 .* http:\/\/localhost:3000\/ \?$/,
      ],
      ['-k https//a/b', /--insecure.*\n {2}https\/\/a\/b is neither .* https:\/\/a\/b \?$/s],
      ['-I x.js', /#\{uuid\} with --seed random differs in every run/],
      ['-t soon x.js', /Expected a time above 0, such as 500ms or 1m30s/],
      ['-W 1.5 x.js', /1\.5s or 1\.5ms\?/],
      ['-w 1025 x.js', /Expected a whole number from 1 to 1024, or auto$/],
      ['agent --queue redis://h -w 1025', /Expected a whole number from 1 to 1024, or auto$/],
      ['k8s --pods 10001 x.js', /Expected a whole number from 1 to 10000, such as 1000 or 10k$/],
      ['-W 5:2c x.js', /5s:2c or 5ms:2c\?/],
      ['-t 1:30 x.js', /argument '1:30' is invalid\. Expected a time above 0, such as 500ms or 1m30s$/],
      ['--pause 1:2 x.js', /argument '1:2' is invalid\. Expected (?!.*\?)/],
      ['--stage 30:100 x.js', /30s:100 or 30ms:100\?/],
      ['--stage 30s:10 --stage 30:100 x.js', /30s:100 or 30ms:100\?/],
      ['--ramp-up 5 x.js', /5s or 5ms\?/],
      ['-d 10s x.js', /to run for 10s write -t 10s/],
      ['-c 5 -d 1.5m x.js', /write -t 1\.5m/],
      ['--timeout 10 x.js', /10s or 10ms\?/],
      ['--timeout 30000 x.js', /30000s or 30000ms\?/],
      ['--graceful-stop 500 x.js', /500s or 500ms\?/],
      ['--pause 500,2s x.js', /500s or 500ms\?/],
      ['--expected-interval 20 x.js', /20s or 20ms\?/],
      ['--serve --serve-delay 20ms,1%:500 x.js', /500s or 500ms\?/],
      ['-p 10 x.js', /-p is the password of a user: add -u <user>; .* --pipelining <n>/],
      ['ab -p 10 x.js y.js', /--pipelining/],
      ['-u body.json x.js', /-u body\.json is a user, .* BENCH_REST_USER/],
      ['--max-seconds 5 -z 5s x.js', /unknown options\n {2}.*--max-seconds .*\n {2}.*-z /],
      ['-a body.json -n 5 x.js', /-m PATCH -b @body\.json sends the body/],
      ['-a ann:secret x.js', /user and password are -u and -p/],
      ['-u body.json x.js', /write -m PUT -b @body\.json/],
      ['-m POST -d {"a":1} x.js', /a body is -b, --body/],
      ['-r http://h/', /errors never end a run: leave -r out/],
      ['-s TLSv1_2_method x.js', /--tls-min \(loadtest\)/],
      ['-s script.lua x.js', /a flow with hooks \(wrk\)/],
      ['-R gen.js x.js', /a hook that changes requests \(loadtest\)/],
      ['-R setup.js x.js', /-r, --rate/],
      ['-P body x.js', /-b 'text' \(loadtest\)/],
      ['-A body x.js', /-m PATCH -b 'text' \(loadtest\)/],
      ['-l x.js', /may differ in length \(ab\)/],
      ['-q x.js', /--quiet \(ab, bombardier, k6\)/],
      ['-g out.tsv x.js', /-o result\.csv/],
      ['-X host:80 x.js', /-x, --proxy \(ab\)/],
      ['-Z x.js', /--ciphers/],
      ['-B 127.0.0.2 x.js', /localAddress in the operation \(ab\)/],
      ['-U me x.js', /-H 'User-Agent: name'/],
      ['-h2 x.js', /write --http2/],
      ['--redirect 3 x.js', /maxRedirects/],
      ['--burst-delay 2s x.js', /--stage/],
      ['--qps 10 --cores 2 --requests 5 x.js', /--rate here\n.*--workers here\n.*--iterations here/],
      ['--max-vus 10 -i 5 x.js', /--concurrency here\n.*-n \(k6\)/],
      ['-rate=100 -duration=5s x.js', /-rate=100: .* --rate\n.*-duration=5s: .* --duration/],
      ['--keepalive=false x.js', /--no-keep-alive/],
      ['--insecure=false x.js', /--insecure takes no value: write --no-insecure$/],
      ['--no-keep-alive=false x.js', /--no-keep-alive takes no value: write --keep-alive$/],
      ['ab x.js y.js --versus http://h', /a second flow cannot be used with --versus/],
      ['--nonsense x.js -- node app.js --help', /unknown option '--nonsense'/],
      ['--insecure=true x.js', /--insecure takes no value: write --insecure alone, or leave it out$/],
    ];
    for (const [line, says] of refused)
      it(line, () =>
        expect(() => read(line))
          .to.throw(says)
          .with.property('code', 'E_USAGE'),
      );

    it('a password is not repeated', () => expect(() => read('-p CANARY x.js')).to.throw(/^((?!CANARY)[^])*$/));

    it('times that cannot be misread are accepted', () => {
      const line =
        '-t 500ms -W 5s:2c --stage 30s:100 --stage 1.5m:10 --ramp-up 0 --pause 500ms,2s -d 500 --timeout 100ms x.js';
      expect(read(line).runOptions).to.deep.include({
        duration: 500,
        warmup: { duration: 5000, limit: 2 },
        rampUp: 0,
        progress: 500,
        timeout: 100,
      });
    });
  });

  it('an empty path of a file is refused', () =>
    expect(() => read(['--dotenv', '', 'x.js'])).to.throw("option '--dotenv"));

  it('reads flags in camelCase', () => {
    expect(read('x.js --maxRequestsPerUser 5 --baseUrl=http://h').runOptions).to.deep.equal({
      maxRequestsPerUser: 5,
      baseUrl: 'http://h',
    });
  });

  it('takes no flow for the value of a flag that may have none, however the flag is written', () => {
    for (const flag of ['--trace-context', '--traceContext', '--trace_context', '--Http2', '--dashboard'])
      expect(read(`${flag} x.js`).source, flag).to.deep.equal(read('x.js').source);
  });

  itSlow('warns of a body of JSON without a Content-Type', () => {
    const isWarned = (...args) =>
      read(['-n', '1', ...args, 'http://h/']).warnings.some((text) => text.includes('-T json'));
    expect(isWarned('-b', '{"a":1}')).to.equal(true);
    for (const args of [
      ['-b', '{a}'],
      ['-b', '{"a":1}', '-T', 'json'],
      ['-b', '{}', '-H', 'content-type: x/y'],
    ])
      expect(isWarned(...args)).to.equal(false);
  });

  it('warns of certificates that are not verified unless every URL is an http: URL', () => {
    const isWarned = (line) => read(line).warnings.some((text) => text.includes('TLS'));
    for (const line of ['https://h/', 'x.js', '-e "https://h/"', 'http://h/ --base-url https://h', 'ab http://h/ x.js'])
      expect(isWarned(`${line} --insecure`), line).to.equal(true);
    for (const line of ['http://h/', '-e "http://h/"', 'x.js --serve', 'ab http://h/ --versus http://i'])
      expect(isWarned(`${line} --insecure`), line).to.equal(false);
    expect(isWarned('https://h/')).to.equal(false);
  });

  it('reads the options of serve', () => {
    expect(read('serve')).to.deep.equal({ command: 'serve', options: { port: 8000 } });
    expect(read('serve --port 0 --delay 1s --error 503 --percent 2.5').options).to.deep.equal({
      port: 0,
      delay: '1s',
      error: 503,
      percent: 2.5,
    });
    expect(read('serve 3000').options).to.deep.equal({ port: 3000 });
    expect(read('serve --seed 7 --delay 10ms,50ms,1%:1s --body hello').options).to.include({
      seed: 7,
      delay: '10ms,50ms,1%:1s',
      body: 'hello',
    });
    expect(read('serve --body 10k').options.body).to.equal(10_000);
    const { companions } = read('x.js --serve --serve-delay 20ms,1%:1s --seed 2');
    expect(companions[0].settings).to.include({ delay: '20ms,1%:1s', seed: 2 });
  });

  it('has a flag for every run option that names one', () => {
    const { text } = read('--help-all');
    const flags = RUN_OPTIONS.flatMap(({ flag }) => flag ?? []);
    expect(flags).to.have.length.above(10);
    for (const flag of flags) expect(text).to.include(flag);
  });

  it('--help-all lists the flags in groups', () => {
    const { text } = read('--help-all');
    const headings = ['Load:', 'Requests:', 'Connections:', 'Checks:', 'Results:', 'Server:'];
    const places = headings.map((heading) => text.indexOf(`\n${heading}\n`));
    expect(places.every((place) => place > 0)).to.equal(true);
    expect(places).to.deep.equal([...places].sort((a, b) => a - b));
    expect(text.indexOf('--rate')).to.be.within(places[0], places[1]);
    expect(text.indexOf('--threshold <test>')).to.be.within(places[3], places[4]);
  });

  it('--help has 80 lines at most: the commands, and common flags by group, most of them in one line', () => {
    const { text } = read('--help');
    expect(text.split('\n').length).to.be.at.most(80);
    for (const flag of ['--concurrency', '--stage', '--threshold', '--start', '--agents'])
      expect(text).to.include(flag);
    expect(text).to.not.include('--keep-going');
    expect(text).to.match(/^ {2}-r, --rate <rate> +arrival rate: iterations started per second$/m);
    for (const { name } of commands.filter((one) => one.name !== 'run'))
      expect(text).to.match(new RegExp(`^ {2}${name} `, 'm'));
  });

  it('the help of a command has its own flags, and the common ones of a run', () => {
    const { text } = read('ab --help');
    expect(text).to.include('--versus').and.include('--concurrency').and.not.include('--keep-going');
    expect(text).to.include('bench-rest --help-all');
  });

  it('--help-all names no default for a flag without a value', () => {
    expect(read('--help-all').text).to.not.match(/default:\s+(true|false)/);
  });

  it('-h prints the thirteen most used flags and two examples on one page', () => {
    const { text } = read('-h');
    expect(text.match(/^ {2}(-\w, )?--/gm)).to.have.lengthOf(13);
    expect(text.match(/^ {2}bench-rest /gm)).to.have.lengthOf(2);
    expect(text).to.include('bench-rest --help').and.include('--concurrency').and.not.include('--keep-going');
    expect(text.split('\n').length).to.be.below(35);
  });

  it('-h of a subcommand prints its own help', () => {
    expect(read('serve -h').text).to.include('Usage: bench-rest serve').and.include('--port');
  });

  const misspelled = [
    ['sevre', 'command', 'serve'],
    ['sevre --port 8000', 'command', 'serve'],
    ['sevre --runs 3', 'command', 'serve'],
    ['compar a.json b.json', 'command', 'compare'],
    ['Serve', 'command', 'serve'],
  ];
  for (const [line, what, name] of misspelled) {
    it(`suggests a name for the misspelled ${what} in ${line}`, () => {
      expect(() => read(line))
        .to.throw(`unknown ${what}`)
        .with.property('message')
        .that.matches(new RegExp(`did you mean ${name}\\?`));
    });
  }

  it('URLs and paths that end like files of flows are loads', () => {
    const { source } = read('-r 1 -t 5s http://a/items.json + -c 4 -t 5s /users.yaml');
    expect(source.paths).to.deep.equal(['http://a/items.json', '/users.yaml']);
  });

  for (const line of ['compare a.json, b.json', 'compare a.json ,b.json'])
    it(`${line} is refused: an empty path would be the working folder`, () => {
      expect(() => read(line)).to.throw('a path is missing beside a comma');
    });

  for (const line of [[''], ['-n', '1', ''], ['history', ''], ['report', ''], ['compare', 'a.json', '']])
    it(`${JSON.stringify(line)} is refused: an empty path would be the working folder`, () => {
      expect(() => read(line)).to.throw('an argument is empty: is a variable of the shell not set?');
    });

  for (const line of [
    ['compare', 'a', 'b', '--history', ''],
    ['ab', 'a', 'b', '--save-runs', ''],
    ['mcp', '--folder='],
  ])
    it(`${JSON.stringify(line)} is refused: it would be the working folder`, () => {
      expect(() => read(line)).to.throw(/<folder>' is empty: write \. for the working folder/);
    });

  it('a file is a flow although its name resembles a command', () => {
    const folder = mkdtempSync(join(tmpdir(), 'bench-rest-'));
    writeFileSync(join(folder, 'sevre'), '');
    try {
      const options = { version: '1.2.3', commands, env: {}, columns: 80, cwd: () => folder };
      expect(readArguments(['sevre'], options)).to.deep.include({ source: { argument: 'sevre' } });
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  for (const flow of ['./sevre', 'sevre.js', 'http://sevre', 'sevre:80', 'flow', 'localhost']) {
    it(`reads ${flow} as a flow`, () => expect(read(flow)).to.deep.include({ source: { argument: flow } }));
  }

  const wrong = [
    '-n 0',
    '-n -1',
    '-n 1.5',
    '-n NaN',
    '-n Infinity',
    '-n 9007199254740993',
    '-n 10g',
    '-c 0',
    '-c x',
    '-a -1',
    '-d -1',
    '-d x',
    '--timeout 5x',
    '--timeout -1',
    '--graceful-stop soon',
    '-H nothing',
    '-H :x',
    '--serve-port 70000 --serve',
    '--serve-percent 101 --serve',
    '--serve-error 42 --serve',
    '--serve-delay -1 --serve',
    '--serve-delay 50ms,10ms --serve',
    '--serve-delay 1%:20ms --serve',
    '--bogus',
    '-n',
  ];
  for (const line of wrong) {
    it(`refuses ${line}`, () => {
      expect(() => read(`x.js ${line}`))
        .to.throw()
        .with.property('code', 'E_USAGE');
    });
  }

  for (const line of ['serve 70000', 'serve 8000 --port 8001', 'serve 8000 8001']) {
    it(`refuses ${line}`, () => {
      expect(() => read(line))
        .to.throw()
        .with.property('code', 'E_USAGE');
    });
  }

  for (const [line, corrected] of [
    ['-c 7 ab x.js y.js', 'bench-rest ab -c'],
    ['--seed=8001 serve', 'bench-rest serve --seed'],
    ['-e / list tokens', 'bench-rest list -e'],
  ])
    it(`refuses flags before the name of a command, which would have no effect: ${line}`, () => {
      expect(() => read(line))
        .to.throw(`after the name of the command: ${corrected}`)
        .with.property('command', corrected.split(' ')[1]);
    });
});

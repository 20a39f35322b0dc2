import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';

import { expect } from 'chai';

import benchrest from '../index.js';
import { commandHere, PROGRAM, saidBy } from './support/command.js';
import { recorded, recording } from './support/har.js';
import { scaled } from './support/scale.js';
import { ok, serving } from './support/serve.js';
import { describeSlow, itSlow } from './support/slow.js';

const paths = (seen) => seen.map(({ url }) => url);
const run = (args, options = {}) => commandHere(args, { ...options, env: { PORT: '', ...options.env } });

describe('several URLs', () => {
  it('are requested in turn, one per iteration, each measured by itself', () =>
    serving(ok, async (url, seen) => {
      const { code, stdout } = await run(['--json', '-n', '5', `${url}/a`, `${url}/b?#{INDEX}`]);
      expect(code).to.equal(0);
      expect(paths(seen)).to.deep.equal(['/a', '/b?1', '/a', '/b?3', '/a']);
      const { operations, run: about } = JSON.parse(stdout);
      expect(operations.map(({ name, count }) => [name, count])).to.deep.equal([
        ['GET /a', 3],
        ['GET /b?#{INDEX}', 2],
      ]);
      expect(about.flow.source).to.equal(`${url}/a ${url}/b?#{INDEX}`);
    }));

  it('are shared by workers, and flags may stand between them', () =>
    serving(ok, async (url, seen) => {
      const { code } = await run([`${url}/a`, '-n', '40', `${url}/b`, '-w', '2', '-c', '2']);
      expect(code).to.equal(0);
      expect(paths(seen).filter((path) => path === '/a')).to.have.lengthOf(20);
      expect(seen).to.have.lengthOf(40);
    }));

  it('all have the request that options describe; a file is relative to the current folder', () =>
    serving(ok, async (url, seen) => {
      const folder = mkdtempSync(join(tmpdir(), 'bench-rest-'));
      try {
        writeFileSync(join(folder, 'x.json'), '{}');
        const args = ['--json', '-n', '2', '-m', 'PUT', '-b', '@x.json', `${url}/a`, '/b', '--base-url', url];
        const { code, stderr } = await run(args, { cwd: folder });
        expect([code, stderr]).to.deep.equal([0, '']);
        expect(
          seen.map(({ method, url, headers }) => [method, url, headers['content-type'], headers['content-length']]),
        ).to.deep.equal([
          ['PUT', '/a', 'application/json', '2'],
          ['PUT', '/b', 'application/json', '2'],
        ]);
      } finally {
        rmSync(folder, { recursive: true });
      }
    }));

  it('of several hosts have names with their origins', () =>
    serving(ok, (one) =>
      serving(ok, async (two) => {
        const { operations } = JSON.parse((await run(['--json', '-n', '2', one, two])).stdout);
        expect(operations.map(({ name }) => name)).to.deep.equal([`GET ${one}`, `GET ${two}`]);
      }),
    ));

  const refusals = [
    [['http://a/', 'README.md'], /README\.md is a file; several arguments must be URLs/, 'a file among them'],
    [['http://a/', '{"a":1}'], /is not a URL; a body is -b, --body, and a flow -e/, 'a body'],

    [['http://a/', 'nowhere'], /nowhere is not a URL; several arguments must be URLs/, 'a word'],
    [['http://a/', 'localhost:80'], /did you mean http:\/\/localhost:80\/ \?/, 'a host without http://'],
    [['run', 'flow.js'], /leave out run, the default command: bench-rest flow\.js/, 'the name of the default command'],
    [['http://a/', '-'], /- is not a URL/, 'standard input among them'],
    [['http://a/', '/b'], /\/b is neither a URL nor a file; .* --base-url or --serve/, 'a path without a base URL'],
    [['-e', 'http://a/', 'http://b/'], /use either a flow \(http:\/\/b\/\) or -e, not both/, '-e and a URL'],
  ];
  for (const [args, message, what] of refusals) {
    it(`refuse ${what}`, async () => {
      const { code, stderr } = await run(args);
      expect(code).to.be.greaterThan(0);
      expect(stderr).to.match(message);
    });
  }
});

describe('a path as URL', () => {
  it('is a path of the embedded target, even if a folder has the same path', async () => {
    const { code, stdout } = await run(['--serve', '--json', '-n', '3', '/']);
    expect(code).to.equal(0);
    expect(JSON.parse(stdout).operations[0]).to.include({ name: 'GET /', count: 3 });
  });

  it('needs a base URL: --base-url, or that of the configuration', () =>
    serving(ok, async (url, seen) => {
      const folder = mkdtempSync(join(tmpdir(), 'bench-rest-'));
      try {
        expect((await run(['/no/such?a=1', '--base-url', url])).code).to.equal(0);
        writeFileSync(join(folder, '.bench-restrc.yaml'), `baseUrl: ${url}\n`);
        expect((await run(['-n', '2', '/x', '/y'], { cwd: folder })).code).to.equal(0);
        expect(paths(seen)).to.deep.equal(['/no/such?a=1', '/x', '/y']);
      } finally {
        rmSync(folder, { recursive: true });
      }
    }));

  it('is on the PORT of the environment, unless another base URL is given', () =>
    serving(ok, async (url, seen) => {
      const env = { PORT: new URL(url).port };
      expect((await run(['/tmp/no/such'], { env })).code).to.equal(0);
      expect((await run(['--print-config', '/x'], { env })).stdout).to.match(
        new RegExp(`baseUrl +"http://localhost:${env.PORT}" +\\(PORT in the environment\\)`),
      );
      expect((await run(['/x', '--base-url', url], { env: { PORT: '1' } })).code).to.equal(0);
      expect(paths(seen)).to.deep.equal(['/tmp/no/such', '/x']);
    }));

  it('a file with that path is the flow', () =>
    serving(ok, async (url, seen) => {
      const folder = mkdtempSync(join(tmpdir(), 'bench-rest-'));
      try {
        const file = join(folder, 'flow.yaml');
        writeFileSync(file, 'main: [/in-file]\n');
        expect((await run([file, '--base-url', url])).code).to.equal(0);
        expect(paths(seen)).to.deep.equal(['/in-file']);
      } finally {
        rmSync(folder, { recursive: true });
      }
    }));

  const refusals = [
    [
      '/no-such',
      {},
      /flow file does not exist: \/no-such; check the path; for a path of the server add --base-url or --serve/,
    ],
    ['/', {}, /\/: is a directory; use a file in it; for a path of the server add --base-url or --serve, or set PORT/],
    ['/no-such.json', {}, /flow file does not exist: \/no-such\.json; check the path\n/],
    ['/no-such', { PORT: 'eighty' }, /PORT in the environment is not a port: eighty/],
    ['/no-such', { PORT: '70000' }, /PORT in the environment is not a port: 70000/],
  ];
  for (const [path, env, message] of refusals) {
    it(`${path} with ${JSON.stringify(env)} is refused with a remedy`, async () => {
      const { code, stderr } = await run([path], { env });
      expect(code).to.be.greaterThan(0);
      expect(stderr).to.match(message);
    });
  }
});

describe('a flow on standard input', () => {
  const texts = [
    ['a URL', (url) => `${url}/a\n`],
    ['JSON', (url) => JSON.stringify({ main: [{ get: `${url}/a` }] })],
    ['JSON with a URL as url', (url) => JSON.stringify({ main: [{ method: 'GET', url: `${url}/a` }] })],
    ['YAML', (url) => `# a flow\nbaseUrl: ${url}\nmain:\n  - /a\n`],
    ['a list in YAML', (url) => `- get: ${url}/a\n`],
    ['YAML in flow style', (url) => `{ get: ${url}/a }`],
    ['a JavaScript literal', (url) => `{ get: '${url}' + '/a', afterHooks: [(all) => all], }`],
  ];
  for (const [what, text] of texts) {
    it(`may be ${what}`, () =>
      serving(ok, async (url, seen) => {
        const { code, stdout, stderr } = await run(['-', '-n', '2', '--json'], { input: text(url) });
        expect([code, stderr]).to.deep.equal([0, '']);
        expect(paths(seen)).to.deep.equal(['/a', '/a']);
        expect(JSON.parse(stdout).run.flow.source).to.equal('standard input');
      }));
  }

  it('is read once, for all workers; /dev/stdin is the same', () =>
    serving(ok, async (url, seen) => {
      const input = `{ get: '${url}/a', beforeHooks: [(all) => { all.requestOptions.headers.a = 'b'; }] }`;
      expect((await run(['/dev/stdin', '-n', '10', '-c', '2', '-w', '2'], { input })).code).to.equal(0);
      expect(seen).to.have.lengthOf(10);
    }));

  it('may be a HAR recording, whose options hold', () =>
    serving(ok, async (url, seen) => {
      const input = JSON.stringify(recording(recorded('GET https://shop.example/a?b=1')));
      const args = ['-', '--json', '-n', '1', '--base-url', url, '--har-timing'];
      const { code, stderr } = await run(args, { input });
      expect([code, stderr]).to.deep.equal([0, '']);
      expect(paths(seen)).to.deep.equal(['/a?b=1']);
    }));

  it('as a URL has the request that options describe', () =>
    serving(ok, async (url, seen) => {
      expect((await run(['-', '-n', '1', '-b', 'x'], { input: `${url}/a` })).code).to.equal(0);
      expect(seen[0]).to.include({ method: 'POST', url: '/a' });
    }));

  const refusals = [
    ['', /standard input: is empty; write a flow to it, as in: cat flow\.yaml \| bench-rest -/, 'nothing'],
    ['main:\n  - get: [\n', /standard input:\d+:\d+: /, 'malformed YAML'],
    [
      '{ "get": [ }',
      /standard input: the text is neither a JavaScript literal nor YAML; .*\n +JavaScript: .*\n +YAML: .* at \d+:\d+/,
      'a malformed literal',
    ],
    [
      '[{ get: ) }]',
      /JavaScript: SyntaxError: .*\n +YAML: unexpected \); .* at 1:9/,
      'a bracket where a text is expected',
    ],
    ['42', /standard input: contains a number; write a URL, an array or an object/, 'a number'],
    ['{ get: x.y }', /standard input: ReferenceError: x is not defined; put text in quotes/, 'JavaScript that throws'],
    ['export default []', /standard input: is no URL and no flow; .*a module must be a file/, 'a module'],
    [Buffer.from([0x61, 0xff]), /standard input: is not UTF-8; save it as UTF-8/, 'bytes that are no UTF-8'],
  ];
  for (const [input, message, what] of refusals) {
    it(`refuses ${what}`, async () => {
      const { code, stderr } = await run(['-'], { input });
      expect(code).to.be.greaterThan(0);
      expect(stderr).to.match(message);
    });
  }

  it('a terminal is refused, with a remedy', async () => {
    const input = Object.assign(new PassThrough(), { isTTY: true });
    const { code, stderr } = await run(['-'], { input });
    expect(code).to.be.greaterThan(0);
    expect(stderr).to.match(/standard input is a terminal: pipe a flow into it/);
  });

  itSlow('works in a shell, also with process substitution', function () {
    if (process.platform === 'win32') this.skip();
    return serving(ok, async (url, seen) => {
      // each command has a process of its own
      const ways = {
        '/substituted': `"$0" "$1" <(echo "- ${url}/substituted")`,
        ...scaled({}, { '/piped': `echo "- ${url}/piped" | "$0" "$1" -`, '/redirected': '"$0" "$1" - < flow.yaml' }),
      };
      const script = Object.values(ways).join(' && ');
      const folder = mkdtempSync(join(tmpdir(), 'bench-rest-'));
      try {
        mkdirSync(folder, { recursive: true });
        writeFileSync(join(folder, 'flow.yaml'), `main: ['${url}/redirected']\n`);
        const { code, stderr } = await saidBy('bash', ['-c', `cd '${folder}' && ${script}`, process.execPath, PROGRAM]);
        expect(code, stderr).to.equal(0);
        expect(paths(seen)).to.deep.equal(Object.keys(ways));
      } finally {
        rmSync(folder, { recursive: true });
      }
    });
  });
});

describeSlow('files that a flow names', () => {
  it('are relative to the flow, wherever it is run, with workers too; a missing one is refused before the run', () =>
    serving(ok, async (url, seen) => {
      const folder = mkdtempSync(join(tmpdir(), 'bench-rest-'));
      try {
        mkdirSync(join(folder, 'flows'));
        writeFileSync(join(folder, 'flows/item.json'), '{"a":1}');
        writeFileSync(
          join(folder, 'flows/flow.yaml'),
          `baseUrl: ${url}\nmain:\n  - { put: /own, body: { file: item.json }, headers: { content-type: a/b } }\n  - { post: /form, formData: { f: { file: item.json } } }\n`,
        );
        for (const more of [[], ['-w', '2', '-c', '2', '-n', '2']]) {
          const { code, stderr } = await run(['flows/flow.yaml', '--quiet', ...more], { cwd: folder });
          expect([code, stderr]).to.deep.equal([0, '']);
        }
        expect(seen).to.have.lengthOf(6);
        const [own] = seen;
        expect([own.body, own.headers['content-type']]).to.deep.equal(['{"a":1}', 'a/b']);
        const text = `[{ post: '${url}/x', body: { file: 'flows/item.json' } }, { put: '/y', body: { file: 'none' } }]`;
        const { stderr } = await run(['-e', text, '--base-url', url], { cwd: folder });
        expect(stderr).to.match(/nothing was sent\n +flow\.main\[1\]\.body: .*none does not exist; check the path\n/);
        const inline = await run(['-e', `{ post: '${url}/x', body: { file: 'flows/item.json' } }`], { cwd: folder });
        expect([inline.code, seen.at(-1).headers['content-type']]).to.deep.equal([0, 'application/json']);
        expect(seen).to.have.lengthOf(7);
      } finally {
        rmSync(folder, { recursive: true });
      }
    }));
});

describe('arguments of a flow', () => {
  const FUNCTION = `export default ({ args }) => ({
    main: [{ get: '/' + args.kind, headers: { 'x-names': Object.keys(args).join() } }, '/#{args.kind}/#{INDEX}'],
    runOptions: { args: { other: 'of the flow' } },
  });`;
  let folder;
  beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'bench-rest-'))));
  afterEach(() => rmSync(folder, { recursive: true, force: true }));
  const write = (name, text) => writeFileSync(join(folder, name), text);

  it('--arg gives values to tokens, encoded like the text around them, in before and after too', () =>
    serving(ok, async (url, seen) => {
      write(
        'flow.yaml',
        [
          `baseUrl: ${url}`,
          "headers: { x-user: '#{args.user}' }",
          "before: ['/before/#{args.user}']",
          "main: [{ put: '/#{args.user}', qs: { q: '#{args.text}' }, json: { t: '#{args.text}' } }]",
          'runOptions: { args: { user: ann, text: none } }',
          '',
        ].join('\n'),
      );
      const { code, stdout } = await run(['--json', 'flow.yaml', '--arg', 'text="é&', '--arg', 'apikey=CANARY'], {
        cwd: folder,
      });
      expect(code).to.equal(0);
      expect(paths(seen)).to.deep.equal(['/before/ann', '/ann?q=%22%C3%A9%26']);
      expect([seen[1].body, seen[1].headers['x-user']]).to.deep.equal(['{"t":"\\"é&"}', 'ann']);
      const { operations, run: about } = JSON.parse(stdout);
      expect(operations.map(({ name }) => name)).to.deep.equal(['GET /before/#{args.user}', 'PUT /#{args.user}']);
      expect(about.options.args).to.include({ user: 'ann', text: '"é&' });
      expect(stdout).to.not.include('CANARY');
    }));

  itSlow('a flow that is a function gets { args }, in workers too; those of the configuration are weaker', () =>
    serving(ok, async (url, seen) => {
      write('flow.mjs', FUNCTION);
      write('.bench-restrc.yaml', `baseUrl: ${url}\nargs: { kind: config, more: 1 }\n`);
      for (const args of [[], ['--arg', 'kind=flag', '-w', '2', '-c', '2', '-n', '2']])
        expect((await run(['flow.mjs', ...args], { cwd: folder })).code).to.equal(0);
      expect(paths(seen).slice(0, 2)).to.deep.equal(['/config', '/config/0']);
      expect(paths(seen).slice(2).sort()).to.deep.equal(['/flag', '/flag', '/flag/0', '/flag/1']);
      expect(seen.map(({ headers }) => headers['x-names']).filter(Boolean)).to.deep.equal(Array(3).fill('kind,more'));
      const { stdout } = await run(['--print-config', 'flow.mjs', '--arg', 'token=CANARY'], { cwd: folder });
      expect(stdout)
        .to.match(/args +\{"kind":"config","more":"1","other":"of the flow",.*\}/)
        .and.not.include('CANARY');
    }),
  );

  it('a program passes them as the option args', () =>
    serving(ok, async (url, seen) => {
      write('flow.mjs', FUNCTION);
      await benchrest(join(folder, 'flow.mjs'), { baseUrl: url, limit: 1, iterations: 1, args: { kind: 7 } });
      await benchrest('/#{args.kind}', { baseUrl: url, limit: 1, iterations: 1, args: { kind: 8 } });
      expect(paths(seen)).to.deep.equal(['/7', '/7/0', '/8']);
    }));

  const refusals = [
    [
      ['http://a/#{args.usr}', '--arg', 'user=x'],
      /flow\.main\[0\]\.get: #\{args\.usr\} \(column 10\) has no value\. Did you mean #\{args\.user\}\?\n$/,
    ],
    [['http://a/#{args.user}'], /has no value\. Pass it: --arg user=<value>/],
    [['http://a/', '--arg', 'user'], /--arg <name=value>' is invalid\. Expected name=value/],
    [['http://a/', '--arg', '=x'], /Expected name=value/],
    [['http://a/', '-H', 'x: #{args.a}'], /--header\.x: #\{args\.a\} \(column 1\) has no value/],
  ];
  for (const [args, message] of refusals) {
    it(`${args.join(' ')} is refused`, async () => {
      const { code, stderr } = await run(args);
      expect(code).to.be.greaterThan(0);
      expect(stderr).to.match(message);
    });
  }

  it('a request generator of loadtest as flow is refused with the way to write it here', async () => {
    write(
      'generator.cjs',
      'module.exports = function (params, options, client, callback) { return client(options, callback); };',
    );
    const { code, stderr } = await run(['generator.cjs'], { cwd: folder });
    expect(code).to.equal(2);
    expect(stderr).to.match(
      /the exported function takes 4 arguments, but it is called once, with \{ args \}.*is a beforeHook/,
    );
  });
});

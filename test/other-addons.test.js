import { copyFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';

import { expect } from 'chai';

import { ROOT, saidBy, spawned } from './support/command.js';
import { inFolder, linkPackage } from './support/in-folder.js';
import { describeSlow } from './support/slow.js';

/** Answers `ping …` with pong, and other lines with an error. */
async function answering(story) {
  const server = createServer((socket) => {
    socket.on('error', () => {});
    socket.setEncoding('utf8').on('data', (text) => socket.write(text.startsWith('ping') ? 'pong\n' : 'ERR what\n'));
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    return await story(`line://127.0.0.1:${server.address().port}`);
  } finally {
    server.close();
  }
}

/** An add-on with some names. */
const addon = (name, rows) => `export default { door: 1, name: '${name}', about: 'mine', ${rows} }`;
const HELLO = addon(
  'hello',
  `options: [{ group: 'Load', load: () => [{ name: 'hello', flag: '--hello', about: 'greets', type: 'boolean', schema: {},
    check: () => true, expected: 'true' }] }],
  formats: [{ name: 'greeting', about: 'greets', extension: '.hello', load: async () => ({ render: () => 'hello' }) }],
  commands: [{ name: 'greet', about: 'greet', topic: 'words', load: async () => ({ default: {
    declare: (command, { submit }) => command.action(() => submit({ command: 'greet' })),
    run: (_, io) => (io.stdout.write('good morning'), []) } }) }],`,
);

/** What rows have beside their names. */
const VALUE = "about: 'a', type: 'string', schema: {}, expected: 'a', check: () => true";
const LOADED = "about: 'a', load: async () => ({})";
const PROTOCOL = `about: 'a', urlKey: null, noun: { one: 'a', many: 'a' }, example: 'a', mutable: [], computed: {},
  keepsEmpty: true, refusals: {}, refuse: () => [], fromUrl: () => ({}), compile: () => []`;

/** A protocol with a required property, whose calls return what they got. */
const KEY_VALUE = `import { count, defineAddon, defineProtocol, text } from 'bench-rest/addon';
  export default defineAddon({ door: 1, name: 'kv', about: 'keys', protocols: [defineProtocol({
    key: 'kv', scheme: 'kv', tls: true, about: 'keys', noun: { one: 'a command', many: 'commands' },
    takes: ['headers', 'user'],
    properties: { message: { ...text, about: 'the message', isRequired: true }, ttl: { ...count, about: 'seconds' } },
    refuse: ({ message, ttl }) => [
      ...(message === 'get' && ttl ? [{ key: 'ttl', reason: 'is for set' }, { key: 'ttl', reason: 'is old' }] : []),
      ...(message === 'set' && !ttl ? [{ key: 'ttl', reason: 'is needed for set' }] : []),
      ...(message === 'odd' ? ['note', 'nonsense'].map((key) => ({ key, reason: 'is refused' })) : [])],
    open: ({ href }, { user, password, headers }) => ({ url: href, user, password, headers }),
    call: (connection, { message }) => ({ ...connection, message }) })] });`;

/** Runs a story in a folder with the add-on of the examples, `line.js`, and others. */
const inProject = (story, files = {}) =>
  inFolder(
    (cwd) => {
      linkPackage(cwd);
      copyFileSync(join(ROOT, 'examples/addon.js'), join(cwd, 'line.mjs'));
      return story(cwd, (...args) => spawned(args, { cwd }));
    },
    { 'package.json': '{}', 'hello.mjs': HELLO, ...files },
  );

describeSlow('add-ons of other packages', () => {
  it('a protocol is measured in all threads, with its check and its error', () =>
    answering((url) =>
      inProject(async (_, run) => {
        const main = [
          { line: url, say: 'ping #{INDEX}', expect: { reply: 'pong' }, capture: { answer: '$.reply' } },
          { line: url, say: 'ping #{answer}', expect: { json: { '$.reply': 'pong' } } },
        ];
        const flow = JSON.stringify({ main });
        const args = ['--addon', './line.mjs', '-n', '20', '-c', '4', '-w', '2', '-o', 'result.json', '-e', flow];
        const { code, stderr } = await run(...args, '--format', 'json');
        expect(code, stderr).to.equal(0);
        expect((await run('report', 'result.json')).stdout).to.include('40 requests');
        expect((await run('--print-plan', ...args)).stdout).to.include('nothing is sent');
        const wrong = JSON.stringify({ main: [{ line: url, say: 'pang' }] });
        const { stdout } = await run('--addon', './line.mjs', '-n', '1', '-e', wrong, '--format', 'json');
        expect(JSON.parse(stdout).errors.details[0]).to.include({ kind: 'protocol', code: 'E_LINE' });
      }),
    ));

  it('a property that an operation leaves out has its default', () =>
    inProject(
      async (_, run) => {
        const flow = JSON.stringify({ main: [{ echo: 'echo://h:1', expect: { json: { '$.word': 'hi' } } }] });
        const { code, stdout } = await run('--addon', './echo.mjs', '-n', '2', '-e', flow);
        expect(code, stdout).to.equal(0);
      },
      {
        'echo.mjs': `import { defineAddon, defineProtocol, text } from 'bench-rest/addon';
          export default defineAddon({ door: 1, name: 'echo', about: 'echoes', protocols: [defineProtocol({
            key: 'echo', scheme: 'echo', about: 'echoes', noun: { one: 'an echo', many: 'echoes' },
            properties: { word: { ...text, about: 'the word', default: 'hi' } },
            open: () => ({}), call: (_, { word }) => ({ word }) })] });`,
      },
    ));

  it('a connection that the server closes, in a call or between two, is an error, and the next call opens another', () =>
    inProject(async (_, run) => {
      const server = createServer((socket) => {
        socket.on('error', () => {});
        socket.once('data', () => {
          socket.write('pong\n');
          socket.once('data', () => socket.resetAndDestroy());
        });
      });
      await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
      const { port } = server.address();
      const args = ['--addon', './line.mjs', '-n', '6', '-c', '1', '--timeout', '5s', '--json', '-b', 'ping'];
      const { stdout, stderr } = await run(...args, `line://127.0.0.1:${port}`);
      server.close();
      const { iterations, errors } = JSON.parse(stdout);
      expect(iterations, stderr).to.include({ completed: 3, failed: 3 });
      expect(errors.details.map(({ kind }) => kind)).not.to.include('timeout');
    }));

  it('--debug prints the URL of its call once', () =>
    inProject(
      async (_, run) => {
        const { stdout, stderr } = await run(
          '--addon',
          './kv.mjs',
          '--debug',
          '-e',
          "[{ kv: 'kv://h:1/a', message: 'x' }]",
        );
        expect(stdout + stderr).to.match(/> CALL kv:\/\/h:1\/a$/m);
      },
      { 'kv.mjs': KEY_VALUE },
    ));

  it('its checks get the values of tokens', () =>
    answering((url) =>
      inProject(async (_, run) => {
        const of = (reply) => JSON.stringify({ main: [{ line: url, say: 'ping #{INDEX}', expect: { reply } }] });
        const args = ['--addon', './line.mjs', '-n', '2', '-c', '1', '--json', '-e'];
        const { checks } = JSON.parse((await run(...args, of('pong'))).stdout);
        expect(checks.details[0]).to.include({ name: 'reply pong', passed: 2 });
        const wrong = await run(...args, of('pong #{INDEX}'));
        expect(JSON.parse(wrong.stdout).errors.details[0].message).to.match(/expected "pong 0", received "pong"$/);
      }),
    ));

  it('a missing property, one that does not fit, and options that it does not take are refused before a request', () =>
    inProject(
      async (_, run) => {
        const refused = async (...args) => (await run('--addon', './kv.mjs', '-n', '1', ...args)).stderr;
        const flow = [
          { kv: 'kv://h:1' },
          { kv: 'kv://h:1', message: 'get', ttl: 5 },
          { kv: 'kv://h:1', message: 'set' },
          { kv: 'kv://h:1', message: 'odd', note: 1 },
          { kv: 'kv://h:1', message: 'a', expect: { jsn: 1 } },
          { nats: 'nats://h:1' },
          { note: 'http://h:1' },
        ];
        const malformed = await refused('-e', JSON.stringify(flow));
        expect(malformed).to.include('flow.main[0].kv: needs message beside it: the message');
        expect(malformed).to.include('flow.main[1].ttl: is for set').and.to.include('flow.main[1].ttl: is old');
        expect(malformed).to.match(/main\[6\]: has no URL: write \{ get: 'http:\/\/…' \}, or method and uri$/m);
        expect(malformed).to.include('flow.main[2]: ttl is needed for set');
        expect(malformed)
          .to.include('flow.main[3]: note is refused')
          .and.to.include('flow.main[3]: nonsense is refused');
        expect(malformed).to.include('flow.main[4].expect: has the unknown check jsn, did you mean json?');
        expect(malformed.replace(/\s+/g, ' ')).to.include('method and uri, or load the add-on of nats: --addon NAME');
        for (const [flag, value] of [
          ['-m', 'PUT'],
          ['-T', 'text/plain'],
          ['-F', 'a=b'],
          ['-b', 'text'],
        ]) {
          const stderr = await refused(flag, value, 'kv://h:1');
          expect(stderr).to.include(`${flag} has no meaning for a command (kv://h:1): write an operation in a flow`);
        }
        const options = await refused(
          '-H',
          'a: b',
          '-C',
          'a=b',
          '-e',
          JSON.stringify([{ kv: 'kv://h:1', message: 'a' }]),
        );
        expect(options).to.include('--cookie: has no meaning for commands').and.not.to.include('--header');
        expect(await refused('foo://h:1')).to.match(/grpcs:\/\/, kv:\/\/, kvs:\/\/ or\s+unix:/);
      },
      { 'kv.mjs': KEY_VALUE },
    ));

  it('it has what it takes: the text of -b, headers, user and password, and a URL with TLS', () =>
    inProject(
      async (_, run) => {
        const seen = {
          '$.message': 'a',
          '$.headers.x': 'y0',
          '$.user': 'u',
          '$.password': 'p',
          '$.url': 'kvs://c:d@h:1',
        };
        const flow = JSON.stringify({ main: [{ kv: 'kvs://c:d@h:1/path', message: 'a', expect: { json: seen } }] });
        const args = ['--addon', './kv.mjs', '-n', '1', '-H', 'x: y#{INDEX}', '-u', 'u:p'];
        const { code, stdout } = await run(...args, '-e', flow);
        expect(code, stdout).to.equal(0);
      },
      { 'kv.mjs': KEY_VALUE },
    ));

  it('its properties may have names of another protocol', () =>
    inProject(
      async (_, run) => {
        const flow = JSON.stringify([
          { kv: 'kv://h:1', message: 'a' },
          { kv2: 'kv2://h:1', message: 'b' },
        ]);
        const { code, stderr } = await run('--addon', './kv.mjs', '--addon', './kv2.mjs', '-n', '1', '-e', flow);
        expect(code, stderr).to.equal(0);
        const wrong = JSON.stringify([{ kv: 'kv://h:1', message: { user: 'a' } }]);
        const { stderr: refusal } = await run('--addon', './kv.mjs', '-n', '1', '-e', wrong);
        expect(refusal).to.include('flow.main[0].message: expected a string, got an object');
      },
      { 'kv.mjs': KEY_VALUE, 'kv2.mjs': KEY_VALUE.replaceAll("'kv'", "'kv2'") },
    ));

  it('its names are in help, completion and lists, and are suggested', () =>
    inProject(
      async (_, run) => {
        expect((await run('greet')).stdout).to.equal('good morning');
        expect((await run('--help-all')).stdout).to.match(/--hello +greets/);
        expect((await run('completion', 'bash')).stdout).to.match(/greet\b.*\n/);
        expect((await run('list', 'formats')).stdout).to.match(/greeting +greets/);
        expect((await run('list', 'checks', '--addon=./line.mjs')).stdout).to.match(/reply +the line/);
        const protocols = (await run('list', 'protocols', '--addon=./line.mjs')).stdout;
        expect(protocols)
          .to.match(/line +a server that/)
          .and.to.match(/line say +the line that is sent/);
        expect((await run('--helo', '-n', '1', 'http://localhost:1')).stderr).to.include('did you mean --hello?');
        expect((await run('gret')).stderr).to.include('did you mean greet?');
        const flow = '[{ line: "line://localhost:1", says: "a" }]';
        const { stderr } = await run('--addon', './line.mjs', '-n', '1', '-e', flow);
        expect(stderr).to.include('flow.main[0].says: unknown property, did you mean say?');
      },
      { '.bench-restrc.yaml': 'addons: [./hello.mjs]' },
    ));

  for (const [what, rows] of [
    ['option rate', `options: [{ group: 'Load', load: () => [{ name: 'rate', ${VALUE} }] }]`],
    ['flag --rate', `options: [{ group: 'Load', load: () => [{ name: 'own', flag: '--rate <n>', ${VALUE} }] }]`],
    ['command list', `commands: [{ name: 'list', topic: 'words', ${LOADED} }]`],
    ['format json', `formats: [{ name: 'json', extension: '.a', ${LOADED} }]`],
    ['check status', `checks: [{ load: () => [{ name: 'status', reads: 'body', compile: () => [], ${VALUE} }] }]`],
    ['error E_TIMEOUT_CALL', "errors: [{ codes: { E_TIMEOUT_CALL: { message: 'a' } } }]"],
    [
      'property timeout',
      `protocols: [{ load: () => ({ name: 'a', key: 'a', properties: { timeout: { ${VALUE} } }, ${PROTOCOL} }) }]`,
    ],
    [
      'scheme grpcs',
      "protocols: [{ scheme: 'grpcs', load: () => ({ name: 'g', key: 'g', properties: {}, " + PROTOCOL + ' }) }]',
    ],
    [
      'property measure',
      `protocols: [{ load: () => ({ name: 'a', key: 'a', properties: { measure: { ${VALUE} } }, ${PROTOCOL} }) }]`,
    ],
    ['protocol grpc', `protocols: [{ load: () => ({ name: 'grpc', key: 'g', properties: {}, ${PROTOCOL} }) }]`],
  ])
    it(`refuses the ${what}, which bench-rest has`, () =>
      inProject(
        async (_, run) => {
          const { code, stderr } = await run('list', '--addon', './same.mjs');
          expect(stderr.replace(/\s+/g, ' ')).to.include(
            `the add-on same has the ${what}, which bench-rest has, too; rename it in the add-on`,
          );
          expect(code).to.equal(2);
        },
        { 'same.mjs': addon('same', rows) },
      ));

  it('refuses a name that an add-on has twice', () =>
    inProject(
      async (_, run) => {
        const { stderr } = await run('list', '--addon', './twice.mjs');
        expect(stderr.replace(/\s+/g, ' ')).to.include(
          'the add-on twice has the scheme q in two protocols, put and take; write one protocol, with optional properties',
        );
        const { stderr: checks } = await run('list', '--addon', './checks.mjs');
        expect(checks.replace(/\s+/g, ' ')).to.include('the add-on checks has the check a twice; rename one of them');
      },
      {
        'twice.mjs': addon(
          'twice',
          `protocols: ['put', 'take'].map((name) => ({ scheme: 'q', isPlain: true,
            load: () => ({ name, key: name, properties: {}, ${PROTOCOL} }) }))`,
        ),
        'checks.mjs': addon(
          'checks',
          `checks: [{ load: () => ['a', 'a'].map((name) => ({ name, reads: 'body', compile: () => [], ${VALUE} })) }]`,
        ),
      },
    ));

  it('refuses a malformed row in one sentence, without a stack', () =>
    inProject(
      async (_, run) => {
        for (const args of [['list'], ['-n', '1', 'http://localhost:1']]) {
          const { code, stderr } = await run(...args, '--addon', './malformed.mjs');
          expect(code).to.equal(2);
          expect(stderr.replace(/\s+/g, ' ')).to.match(
            /^bench-rest: the add-on \.\/malformed\.mjs has formats\[0\] \(own\) without extension; write a text see \S+/,
          );
        }
      },
      { 'malformed.mjs': addon('malformed', `formats: [{ name: 'own', ${LOADED} }]`) },
    ));

  it('refuses two add-ons with one name for a command, or for themselves', () =>
    inProject(
      async (_, run) => {
        const { stderr } = await run('list', '--addon', './hello.mjs', '--addon', './other.mjs');
        expect(stderr.replace(/\s+/g, ' ')).to.include(
          'the add-on hello has the command greet, which other has, too; use one of them',
        );
        const same = await run('list', '--addon', './hello.mjs', '--addon', './copy.mjs');
        expect(same.stderr.replace(/\s+/g, ' ')).to.match(/has the same name as \S+hello\.mjs: hello; use one of them/);
      },
      { 'other.mjs': addon('other', `commands: [{ name: 'greet', topic: 'words', ${LOADED} }]`), 'copy.mjs': HELLO },
    ));

  it('a flow that names one is refused, as code and as data; so are agents', () =>
    inProject(
      async (_, run) => {
        const { stderr } = await run('-n', '1', 'flow.mjs');
        expect(stderr).to.match(/addons: is an option of the command: write it as a flag/);
        const data = await run('-n', '1', 'flow.json');
        expect(data.stderr.replace(/\s+/g, ' ')).to.include(
          'flow.runOptions.addons: runs code, which only a flow that is a module can do',
        );
        const agents = ['--agents', '1', '--agents-queue', 'redis://localhost:1'];
        const sent = await run('--addon', './hello.mjs', ...agents, '-n', '1', 'http://localhost:1');
        expect(sent.stderr.replace(/\s+/g, ' ')).to.include('--addon and --agents cannot be combined: it is code of');
      },
      Object.fromEntries(
        ['flow.mjs', 'flow.json'].map((name) => [
          name,
          `${name.endsWith('js') ? 'export default ' : ''}{ "main": ["http://localhost:1"], "runOptions": { "addons": "./hello.mjs" } }`,
        ]),
      ),
    ));

  it('a program joins one before it loads bench-rest; later it is refused', () =>
    answering((url) =>
      inProject(
        async (cwd) => {
          const { stdout, stderr } = await saidBy(process.execPath, ['program.mjs', url], { cwd });
          expect(stderr).to.equal('');
          expect(stdout).to.equal('10 0\n');
          const late = await saidBy(process.execPath, ['late.mjs'], { cwd });
          expect(late.stdout).to.include('the add-on ./line.mjs offers protocols, and bench-rest was loaded');
        },
        {
          'program.mjs': `import { join } from 'bench-rest/addon';
            await join('./line.mjs', import.meta.url);
            const { benchrest } = await import('bench-rest');
            const flow = { main: [{ line: process.argv[2], say: 'ping', expect: { reply: 'pong' } }] };
            const { stats, errorCount } = await benchrest(flow, { iterations: 10, limit: 2, addons: './line.mjs' });
            console.log(stats.main.meter.count, errorCount);`,
          'late.mjs': `import benchrest from 'bench-rest';
            try { benchrest('http://localhost:1', { iterations: 1, limit: 1, addons: ['./line.mjs'] }); }
            catch (error) { console.log(error.message); }`,
        },
      ),
    ));
});

import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

import { expect } from 'chai';

import { ROOT, command } from './support/command.js';
import { inFolder } from './support/in-folder.js';
import { describeSlow } from './support/slow.js';

const PEERS = join(ROOT, 'bench/node_modules');
const { resolve } = createRequire(import.meta.url);

/** Programs that run the files of a suite: the arguments of Node. */
const RUNNERS = {
  mocha: [join(dirname(resolve('mocha/package.json')), 'bin/mocha.js')],
  jest: [join(PEERS, 'jest/bin/jest.js'), '--runTestsByPath'],
  'jest in one process': [join(PEERS, 'jest/bin/jest.js'), '--runInBand', '--runTestsByPath'],
  vitest: [join(PEERS, 'vitest/vitest.mjs'), 'run', '--globals', '--pool', 'forks'],
  'vitest in threads': [join(PEERS, 'vitest/vitest.mjs'), 'run', '--globals', '--pool', 'threads'],
  'the runner of Node': ['--test'],
};

/** Records a suite in a folder of its own, and resolves with what was printed, and the written flows. */
async function recorded(files, words, { args = [], packages = PEERS } = {}) {
  return inFolder(async (cwd) => {
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(dirname(join(cwd, name)), { recursive: true });
      writeFileSync(join(cwd, name), text);
    }
    writeFileSync(join(cwd, 'package.json'), '{}');
    if (existsSync(packages)) symlinkSync(packages, join(cwd, 'node_modules'), 'dir');
    const { code, stderr } = await command(['record', ...args, '--', process.execPath, ...words], { cwd });
    const flows = ['flow.mjs', 'flow-2.mjs', 'flow.json'].filter((name) => existsSync(join(cwd, name)));
    return { code, stderr, flows: flows.map((name) => readFileSync(join(cwd, name), 'utf8')) };
  });
}

/** @type {(test: any, missing: string[]) => void} skips a test whose packages are not installed */
const need = (test, ...paths) => paths.every((path) => existsSync(path)) || test.skip();

const STORY = (request) => `
const test_ = globalThis.it ?? require('node:test').it;
test_('items', async () => {
  const send = ${request};
  const { token } = await send('POST', '/login', { user: 'ann', password: 'pw-of-ann' });
  const { id } = await send('POST', '/items', { name: 'lamp' }, token);
  await send('GET', '/items/' + id, undefined, token);
  await send('POST', '/items', { name: 'refused' });
});`;

/** An application without a package: a listener. */
const LISTENER = `
let last = 4710;
module.exports = (req, res) => {
  const answer = (status, value) => res.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
  if (req.url === '/login') return answer(200, { token: 'eyJhbGciOiJIUzI1NiJ9.eyJ1c2VyIjoiYW5uIn0.c2lnbmF0dXJl' });
  // Before the body has come.
  if (!req.headers.authorization) return answer(401, {});
  return req.resume().on('end', () => answer(req.method === 'POST' ? 201 : 200, { id: req.method === 'POST' ? ++last : last }));
};`;

const BY_HTTP = `async (method, path, body, token) => {
    const server = require('node:http').createServer(require('../app')).listen(0, '127.0.0.1');
    await require('node:events').once(server, 'listening');
    const headers = { 'content-type': 'application/json', connection: 'close', ...(token && { authorization: 'Bearer ' + token }) };
    const response = await fetch('http://127.0.0.1:' + server.address().port + path, { method, headers, body: JSON.stringify(body) });
    const value = await response.json();
    server.close();
    return value;
  }`;

const BY_SUPERTEST = `async (method, path, body, token) => {
    const app = require('../app');
    const request = require('supertest');
    const one = request(app)[method.toLowerCase()](path);
    return (await (token ? one.set('Authorization', 'Bearer ' + token) : one).send(body)).body;
  }`;

function expectStory({ code, stderr, flows: [flow] }, app = './app.js') {
  expect(code, stderr).to.equal(0);
  expect(stderr, flow).to.contain('wrote flow.mjs: 4 operations');
  expect(flow).to.contain(`runOptions: { start: { app: '${app}' } }`);
  expect(flow).to.contain("json: { user: 'ann', password: '#{env.PASSWORD}' }");
  expect(flow).to.contain("get: '/items/#{itemId}'");
  expect(flow).to.contain("{ post: '/items', json: { name: 'refused' }, expect: { status: 401 } }");
  expect(flow).not.to.match(/baseUrl|pw-of-ann|eyJ|127\.0\.0\.1/);
}

describeSlow('a suite with an application of its own is recorded', () => {
  for (const [name, words] of Object.entries(RUNNERS)) {
    it(`in ${name}, by a client that finds the port`, async function () {
      need(this, words[0] === '--test' ? ROOT : words[0]);
      expectStory(
        await recorded({ 'app.js': LISTENER, 'test/a.test.js': STORY(BY_HTTP) }, [...words, 'test/a.test.js']),
      );
    });

    it(`in ${name}, by supertest`, async function () {
      need(this, words[0] === '--test' ? ROOT : words[0], join(PEERS, 'supertest'));
      expectStory(
        await recorded({ 'app.js': LISTENER, 'test/a.test.js': STORY(BY_SUPERTEST) }, [...words, 'test/a.test.js']),
      );
    });
  }

  const FASTIFY = `
    import fastify from 'fastify';
    export async function build() {
      const app = fastify();
      app.post('/things', async (request, reply) => reply.code(201).send({ thingId: 4711 }));
      app.get('/things/:id', async () => ({}));
      app.post('/refused', { onRequest: async (request, reply) => reply.code(401).send({}) }, async () => ({}));
      return app;
    }`;
  const INJECTS = `
    import { test } from 'node:test';
    import { build } from '../src/app.mjs';
    test('things', async () => {
      const app = await build();
      const { thingId } = (await app.inject({ method: 'POST', url: '/things', payload: { a: 1 } })).json();
      await app.inject('/things/' + thingId);
      await app.inject({ method: 'POST', url: '/refused', payload: { b: 1 } });
    });`;

  it('by inject() of Fastify, which uses no socket', async function () {
    need(this, join(PEERS, 'fastify'));
    const { flows, stderr } = await recorded({ 'src/app.mjs': FASTIFY, 'test/a.test.mjs': INJECTS }, [
      '--test',
      'test/a.test.mjs',
    ]);
    expect(flows.length, stderr).to.equal(1);
    expect(flows[0], stderr + flows).to.contain("start: { app: './src/app.mjs#build' }");
    expect(flows[0], stderr + flows)
      .to.contain("get: '/things/#{thingId}'")
      .and.contain('json: { b: 1 }');
  });

  const HONO = `
    export const app = new Hono();
    app.post('/notes', (c) => c.json({ noteId: 4711 }, 201));
    app.get('/notes/:id', (c) => c.json({}));`;
  const REQUESTS = `
    test('notes', async () => {
      const { noteId } = await (await app.request('/notes', { method: 'POST', body: '{"a":1}', headers: { 'content-type': 'application/json' } })).json();
      await app.request('/notes/' + noteId);
    });`;

  for (const [kind, files] of [
    [
      'a module',
      {
        'app.mjs': `import { Hono } from 'hono';${HONO}`,
        'a.test.mjs': `import { test } from 'node:test';\nimport { app } from './app.mjs';${REQUESTS}`,
      },
    ],
    [
      'CommonJS',
      {
        'app.cjs': `const { Hono } = require('hono');${HONO.replace('export const app', 'const app = exports.app')}`,
        'a.test.cjs': `const { test } = require('node:test');\nconst { app } = require('./app.cjs');${REQUESTS}`,
      },
    ],
  ])
    it(`by request() of Hono, whose application is ${kind}`, async function () {
      need(this, join(PEERS, 'hono'));
      const [app, test] = Object.keys(files);
      const { flows, stderr } = await recorded(files, ['--test', test]);
      expect(flows.length, stderr).to.equal(1);
      expect(flows[0], stderr + flows).to.contain(`start: { app: './${app}`);
      expect(flows[0], stderr + flows)
        .to.contain('json: { a: 1 }')
        .and.contain("get: '/notes/#{noteId}'");
    });

  const TWO = (name) => `
    const { test } = require('node:test');
    const send = ${BY_HTTP.replaceAll('../app', name)};
    test('x', () => send('GET', '/of-${name.slice(2)}', undefined, 'x'));`;

  it('with two applications, which have a flow each, or one by --merge', async () => {
    const files = { 'one.js': LISTENER, 'two.js': LISTENER, 'one.test.js': TWO('./one'), 'two.test.js': TWO('./two') };
    const each = await recorded(files, ['--test', 'one.test.js', 'two.test.js']);
    expect(each.flows.length, each.stderr).to.equal(2);
    expect(each.stderr).to.contain('2 applications got requests: each has a flow; --merge writes one for all');
    const { flows, stderr } = await recorded(files, ['--test', 'one.test.js', 'two.test.js'], {
      args: ['--merge', '-o', 'flow.mjs'],
    });
    expect(stderr.replace(/\s+/g, ' ')).to.match(/the requests to .\/(one|two).js are sent to .\/(one|two).js, too/);
    expect(flows.length).to.equal(1);
    expect(flows[0]).to.contain('/of-one').and.contain('/of-two');
  });

  it('a flow that is data, and an application that no module exports, get a sentence', async () => {
    const own = `require('node:test').test('x', async () => {
      const server = require('node:http').createServer((req, res) => res.end('{}')).listen(0);
      await require('node:events').once(server, 'listening');
      await (await fetch('http://localhost:' + server.address().port + '/a')).text();
      server.close().closeAllConnections();
    });`;
    const unknown = await recorded({ 'a.test.cjs': own }, ['--test', 'a.test.cjs']);
    expect(unknown.stderr.replace(/\s+/g, ' ')).to.contain(
      'no module that exports the application was found: run the flow with --start-app MODULE, or start your server by --start',
    );
    expect(unknown.stderr).to.contain('  bench-rest --debug --start-app MODULE flow.mjs ');
    expect(unknown.flows[0]).to.contain("main: [{ get: '/a' }]");
    const words = ['--test', 'test/a.test.js'];
    const data = await recorded({ 'app.js': LISTENER, 'test/a.test.js': STORY(BY_HTTP) }, words, {
      args: ['-o', 'flow.json'],
    });
    expect(data.stderr.replace(/\s+/g, ' ')).to.contain('run the flow with --start-app ./app.js, or start');
    expect(data.stderr).to.contain('  bench-rest --debug --start-app ./app.js flow.json ');
    expect(JSON.parse(data.flows[0])).not.to.have.property('runOptions');
  });

  it('a function that the suite passes arguments to is not started, and gets a sentence', async () => {
    const files = {
      'app.js': `exports.build = ({ answer }) => (req, res) => res.end(answer);`,
      'a.test.cjs': STORY(BY_HTTP).replace("require('../app')", "require('./app').build({ answer: '{}' })"),
    };
    const { flows, stderr } = await recorded(files, ['--test', 'a.test.cjs']);
    expect(flows[0], stderr).not.to.contain('start');
    expect(stderr.replace(/\s+/g, ' ')).to.contain(
      'the suite passes arguments to build of ./app.js: let a module export an application that is ready, and run the flow with --start-app MODULE, or start your server by --start',
    );
  });

  it('files in another order are compared as in the first recording', async () => {
    const send = (name) => `(${BY_HTTP.replace('../app', './app')})('POST', '/items', { title: '${name}' }, 'x')`;
    const files = {
      'app.js': LISTENER,
      'one.js': `module.exports = async () => { await null; await ${send('one')}; };`,
      'two.js': `module.exports = async () => { await null; await ${send('two')}; };`,
      'run.cjs': `
        const { existsSync, writeFileSync } = require('node:fs');
        const names = existsSync('again') ? ['./two.js', './one.js'] : ['./one.js', './two.js'];
        writeFileSync('again', '');
        const next = () => names.length > 0 && require(names.shift())().then(next);
        next();`,
    };
    const { flows, stderr } = await recorded(files, ['run.cjs'], { args: ['--again'] });
    expect(flows.length, stderr).to.equal(1);
    expect(stderr).not.to.contain('differs between');
  });

  it('the exit code is that of the suite; one without a request has no flow', async () => {
    const failing = await recorded(
      {
        'app.js': LISTENER,
        'a.cjs': `(${BY_HTTP.replace('../app', './app')})('GET', '/a').then(() => process.exit(3));`,
      },
      ['a.cjs'],
    );
    expect([failing.code, failing.flows.length], failing.stderr).to.deep.equal([3, 1]);
    const broken = await recorded({}, ['-e', 'process.exit(4)']);
    expect(broken.code).to.equal(4);
    expect(broken.stderr.replace(/\s+/g, ' ')).to.contain('the command ended with code 4 before a request');
    const none = await recorded({}, ['-e', '0']);
    expect([none.code, none.flows]).to.deep.equal([1, []]);
    expect(none.stderr.replace(/\s+/g, ' ')).to.contain('did the suite send requests to an application of its own?');
  });
});

it('record without a target refuses the flags of a proxy', async () => {
  const { code, stderr } = await command(['record', '--port', '0', '--', 'npm', 'test']);
  expect([code, stderr]).to.satisfy(([exit, text]) => exit === 2 && text.includes('--port belongs to a proxy'));
});

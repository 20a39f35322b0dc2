import { existsSync, linkSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect } from 'chai';

import { importFlow } from '../../../lib/addons/import/import-flow.js';
import { SOURCES, sourceOf } from '../../../lib/addons/import/sources.js';
import { ROOT, command } from '../../support/command.js';
import { blocksOf, documentsIn, textOf } from '../../support/documents.js';
import { ok, serving } from '../../support/serve.js';

const GUIDE = readFileSync(join(ROOT, 'docs/guide/importing.md'), 'utf8');
const PAGES = documentsIn('docs/coming-from').map(textOf);

describe('bench-rest import', () => {
  let folder;
  beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'bench-rest-'))));
  afterEach(() => rmSync(folder, { recursive: true, force: true }));
  const importing = (args, options) => command(['import', ...args], { cwd: folder, ...options });

  it('counts the comments on what is left out', async () => {
    const get = { url: '/', ifTrue: 'x', beforeRequest: 'f', expect: [{ hasProperty: 'a' }] };
    const script = { config: { target: 'http://a', phases: [] }, scenarios: [{ flow: [{ get }] }] };
    writeFileSync(join(folder, 'a.json'), JSON.stringify(script));
    const { stderr } = await importing(['a.json', '-o', 'flow.mjs']);
    expect(stderr).to.match(/wrote flow\.mjs: 1 operation; 3 comments on what is left out\n/);
  });

  it('recommends no target of a flow whose address is a variable', async () => {
    writeFileSync(join(folder, 'a.http'), 'GET {{host}}/x\n');
    const { stderr } = await importing(['a.http', '-o', 'flow.mjs']);
    expect(stderr)
      .to.match(/wrote flow\.mjs/)
      .and.not.include('--allow-target');
  });

  it('refuses a flag of another kind of source', async () => {
    const { code, stderr } = await importing(['-e', 'curl http://localhost/', '--tag', 'users']);
    expect(code).to.equal(2);
    expect(stderr).to.include('--tag <name> is for openapi, and the source is curl: leave it out');
  });

  it('writes a file, and says what to run next', async () => {
    const { code, stdout, stderr } = await importing([
      '-e',
      "curl -H 'Accept: text/html' http://localhost:8000/items",
      '-o',
      'flow.mjs',
    ]);
    expect({ code, stdout }).to.deep.equal({ code: 0, stdout: '' });
    expect(stderr)
      .to.match(/wrote flow\.mjs: 1 operation\n/)
      .and.match(/bench-rest --debug flow\.mjs/)
      .and.match(/\nWith --allow-target localhost:8000 a run sends to no other\s+host/);
    expect(readFileSync(join(folder, 'flow.mjs'), 'utf8')).to.equal(`import { defineFlow } from 'bench-rest';

// Made from 1 curl command by bench-rest import.
export default defineFlow({
  baseUrl: 'http://localhost:8000',
  main: [{ get: '/items', headers: { Accept: 'text/html' }, followRedirect: false }],
});
`);
  });

  for (const [title, code, expected] of [
    [
      'says how to run a flow that has a load with this load',
      "export default () => { http.get('http://a.example'); };",
      /\n {2}bench-rest flow\.mjs +measure with the load of the flow/,
    ],
    [
      'says that a flow without operations has none, and not how to run it',
      '',
      /^(?![^]*Next:)[^]*\nThe flow has no operation that is sent: write its requests before you run it\.\n$/,
    ],
  ])
    it(title, async () => {
      const script = `import http from 'k6/http';\nexport const options = { iterations: 9 };\n${code}`;
      writeFileSync(join(folder, 'load.js'), script);
      let printed = '';
      const stderr = { write: (text, done) => ((printed += text), done(), true) };
      const request = { sources: ['load.js'], output: 'flow.mjs', format: 'mjs', force: true, options: {} };
      await importFlow(request, { cwd: () => folder, stderr });
      expect(printed).to.match(expected);
    });

  for (const [baseUrl, problem] of [
    [
      'localhost:3000',
      '"localhost:3000" is not an http://, https://, ws://, wss://, grpc://, grpcs:// or unix: URL, did you mean http://localhost:3000?',
    ],
    ['/api', '"/api" is not an http://'],
    ['http://', '"http://" is not an http://'],
  ])
    it(`refuses the base URL ${baseUrl}`, async () => {
      const request = {
        sources: [],
        evaluate: 'curl http://localhost/',
        format: 'mjs',
        force: false,
        options: { baseUrl },
      };
      const error = await importFlow(request, { cwd: () => folder }).catch((refused) => refused);
      expect(error.message).to.include(`the base URL ${problem}`);
    });

  it('names files outside of the folder of the flow', async () => {
    const curl = 'curl -d @../secret http://localhost/\ncurl -F a=@/etc/hosts -F b=@own http://localhost/';
    const body = { mode: 'file', file: { src: 'own/../../other' } };
    const schema = 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json';
    const item = [{ name: 'a', request: { method: 'POST', url: 'http://localhost/', body } }];
    for (const [evaluate, files] of [
      [curl, '../secret, /etc/hosts'],
      [JSON.stringify({ info: { name: 'x', schema }, item }), 'own/../../other'],
    ]) {
      let printed = '';
      const write = (text, done) => ((printed += text), done(), true);
      const request = { sources: [], evaluate, format: 'mjs', force: false, options: {} };
      const stdout = { write: (_, done) => (done(), true) };
      await importFlow(request, { cwd: () => folder, stderr: { write }, stdout });
      expect(printed.replace(/\s+/g, ' ')).to.contain(`The flow reads files outside of its folder: ${files}.`);
    }
  });

  it('prints the flow without -o, and the remarks on stderr', async () => {
    const { code, stdout, stderr } = await importing(['--format', 'yaml', '-'], {
      input: 'curl http://localhost:8000/items',
    });
    expect(code).to.equal(0);
    expect(stdout).to.equal(
      '# Made from 1 curl command by bench-rest import.\nbaseUrl: http://localhost:8000\nmain:\n  - get: /items\n    followRedirect: false\n',
    );
    expect(stderr).to.match(/converted 1 operation/);
  });

  it('joins several sources in their order', async () => {
    writeFileSync(join(folder, 'a.sh'), 'curl http://localhost:1/a');
    writeFileSync(join(folder, 'b.sh'), 'curl http://localhost:2/b\n');
    const { stdout } = await importing(['a.sh', 'b.sh', '--format', 'json']);
    expect(JSON.parse(stdout)).to.deep.include({
      baseUrl: 'http://localhost:1',
      main: [
        { get: '/a', followRedirect: false },
        { get: 'http://localhost:2/b', followRedirect: false },
      ],
    });
  });

  it('replaces secrets by tokens of the environment, lists them, and keeps them with --keep-secrets', async () => {
    const line = `curl -u joe:geheim1 -H 'X-Api-Key: geheim2' -b 'sid=geheim3' -H 'X-Jwt: eyJhbGciOiJIUzI1.eyJzdWIiOiIx.geheim4' -d '{"password":"geheim5","a":1}' -H 'Content-Type: application/json' 'http://localhost/?token=geheim6' --proxy http://u:geheim7@proxy:1`;
    for (const format of ['mjs', 'yaml', 'json']) {
      const { stdout, stderr } = await importing(['-e', line, '--format', format]);
      expect(stdout + stderr).to.not.contain('geheim');
      for (const name of ['PASSWORD', 'API_KEY', 'SID', 'TOKEN']) {
        expect(stdout).to.contain(`#{env.${name}}`);
        expect(stderr).to.contain(`  ${name}: `);
      }
    }
    const weak = await importing([
      '-e',
      `curl -d '{"password":"password"}' -H 'Content-Type: application/json' http://localhost/`,
    ]);
    expect(weak.stdout).to.contain("password: '#{env.PASSWORD}'");
    const named = `curl --proxy-pass geheim8 -H 'geheim9' http://localhost/; curl -u joe:geheim "http://localhost/$(date)"`;
    const said = await importing(['-e', named]);
    expect(said.stdout + said.stderr).to.not.match(/geheim\d/);
    expect(said.stderr).to.contain('curl http://localhost/$(date)');
    const { stdout } = await importing(['-e', line, '--keep-secrets']);
    for (let i = 1; i <= 7; i++) expect(stdout).to.contain(`geheim${i}`);
  });

  it('the list of variables is whole if an operation is named Digest', async () => {
    const request = (key) => ({ method: 'POST', url: `http://localhost/?${key}=geheim1` });
    const item = ['password', 'secret_key'].map((key) => ({ name: 'My Digest', request: request(key) }));
    const schema = 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json';
    const { stderr } = await importing(['-'], { input: JSON.stringify({ info: { schema }, item }) });
    expect(stderr).to.match(/PASSWORD: password of My Digest\.\n {2}SECRET_KEY: secret_key of My Digest\./);
  });

  it('does not replace its source, whatever is set', async () => {
    writeFileSync(join(folder, 'api.json'), '{}');
    linkSync(join(folder, 'api.json'), join(folder, 'same.json'));
    for (const output of ['./api.json', 'same.json']) {
      const { code, stderr } = await importing(['api.json', '-o', output, '--force']);
      expect(code).to.equal(2);
      expect(stderr).to.include(`${output} is the source: write the flow to another file`);
    }
  });

  it('does not replace a file, unless --force is set', async () => {
    writeFileSync(join(folder, 'flow.mjs'), 'mine');
    const refused = await importing(['-e', 'curl http://localhost/', '-o', 'flow.mjs']);
    expect(refused).to.include({ code: 2 });
    expect(refused.stderr).to.contain('flow.mjs exists').and.contain('--force');
    expect(readFileSync(join(folder, 'flow.mjs'), 'utf8')).to.equal('mine');
    expect(await importing(['-e', 'curl http://localhost/', '-o', 'flow.mjs', '--force'])).to.include({ code: 0 });
    expect(readFileSync(join(folder, 'flow.mjs'), 'utf8')).to.contain('defineFlow');
  });

  for (const [title, args, code, part] of [
    ['no source', [], 2, 'a source is missing'],
    ['both a source and -e', ['a.sh', '-e', 'curl x'], 2, 'not both'],
    ['an output of another kind', ['-e', 'curl x', '-o', 'flow.txt'], 2, '.mjs, .yaml or .json'],
    ['a missing file', ['missing.sh'], 2, 'missing.sh'],
    ['a URL', ['https://example.com/openapi.json'], 2, 'is not downloaded'],
    ['an unknown text', ['-e', 'hello'], 2, 'no known source'],
    ['a text without a command that can be sent', ['-e', 'curl ftp://host/file'], 2, 'ftp: is not HTTP'],
    ['the form for cmd of Windows', ['-e', 'curl "http://localhost/" ^\n  -H "a: b"'], 2, 'Copy as cURL (bash)'],
    [
      'the form for PowerShell',
      ['--from', 'curl', '-e', 'Invoke-WebRequest -UseBasicParsing -Uri "http://localhost/"'],
      2,
      'PowerShell',
    ],
  ])
    it(`refuses ${title}`, async () => {
      const said = await importing(args);
      expect(said.code, said.stderr).to.equal(code);
      expect(said.stderr).to.contain(part);
    });

  it('refuses a text that is not UTF-8', async () => {
    writeFileSync(join(folder, 'a.sh'), Buffer.from([0x63, 0xff, 0xfe]));
    expect((await importing(['a.sh'])).stderr).to.contain('is not UTF-8');
  });

  it('names what it does not understand', async () => {
    const { stdout, stderr } = await importing([
      '-e',
      'curl --http3 --retry 3 --wrong http://localhost/a; wget http://localhost/b; curl "http://localhost/$(date)"; curl -d @- http://localhost/c',
    ]);
    for (const part of [
      '--http3 has no equivalent',
      '--retry 3 has no equivalent',
      '--wrong is not understood',
      'standard input',
    ])
      expect(stdout).to.contain(part);
    expect(stderr).to.contain('wget').and.contain('$(date) is computed by the shell');
    expect(stderr)
      .to.match(/2 operations, 2 skipped; 4 notes/)
      .and.contain('GET /a: --retry 3 has no equivalent.');
  });

  it('variables of the shell are read from the environment, unless the script sets them', async () => {
    const { stdout } = await importing([
      '-e',
      `HOST=http://localhost:3000\ncurl -H "Authorization: Bearer $TOKEN" "$HOST/\${ID}/'$x'"`,
      '--format',
      'json',
    ]);
    expect(JSON.parse(stdout)).to.deep.include({
      baseUrl: 'http://localhost:3000',
      main: [
        { get: "/#{env.ID}/'#{env.x}'", headers: { Authorization: 'Bearer #{env.TOKEN}' }, followRedirect: false },
      ],
    });
  });

  describe('without a file in between', () => {
    const lines = (seen) => seen.map(({ line }) => line);

    it('-e runs a curl command, with its secrets', () =>
      serving(ok, async (url, seen) => {
        const { code, stderr } = await command([
          '-n',
          '1',
          '-e',
          `curl -X POST -H 'X-Api-Key: secret' -d a=1 ${url}/form`,
        ]);
        expect(code, stderr).to.equal(0);
        expect(lines(seen)).to.deep.equal(['POST /form']);
        expect(seen[0]).to.deep.include({ body: 'a=1' });
        expect(seen[0].headers).to.include({ 'x-api-key': 'secret' });
      }));

    it('a file of curl commands and standard input are run', () =>
      serving(ok, async (url, seen) => {
        writeFileSync(join(folder, 'requests.sh'), `#!/bin/sh\ncurl ${url}/a\ncurl ${url}/b | jq .\n`);
        expect((await command(['-n', '1', 'requests.sh'], { cwd: folder })).code).to.equal(0);
        expect((await command(['-n', '1', '-'], { input: `curl ${url}/c` })).code).to.equal(0);
        expect(lines(seen)).to.deep.equal(['GET /a', 'GET /b', 'GET /c']);
      }));

    it('HTTP files, targets of vegeta and lists of URLs are run, from files and standard input', () =>
      serving(ok, async (url, seen) => {
        writeFileSync(join(folder, 'a.http'), `### one\nGET ${url}/a\n`);
        writeFileSync(join(folder, 'body.txt'), 'hello');
        writeFileSync(
          join(folder, 'targets.txt'),
          `# two targets\nPOST ${url}/b\nX-Own: 1\n@body.txt\n\nGET ${url}/c\n`,
        );
        for (const args of [
          ['-n', '1', 'a.http'],
          ['-n', '2', '-c', '1', 'targets.txt'],
        ])
          expect((await command(args, { cwd: folder })).code).to.equal(0);
        expect((await command(['-n', '2', '-c', '1', '-'], { input: `${url}/d\n${url}/e\n` })).code).to.equal(0);
        expect(lines(seen)).to.deep.equal(['GET /a', 'POST /b', 'GET /c', 'GET /d', 'GET /e']);
        expect(seen[1]).to.deep.include({ body: 'hello' });
      }));

    it('an OpenAPI document is run, against the server of --base-url', () =>
      serving(ok, async (url, seen) => {
        const document = { openapi: '3.0.0', paths: { '/a': { get: { responses: { 200: {} } }, delete: {} } } };
        writeFileSync(join(folder, 'api.json'), JSON.stringify(document));
        const { code, stderr } = await command(['-n', '1', '--base-url', url, 'api.json'], { cwd: folder });
        expect(code, stderr).to.equal(0);
        expect(lines(seen)).to.deep.equal(['GET /a']);
        expect(stderr).to.contain('left out').and.contain('DELETE /a');
      }));
  });

  const request = (url) => ({ method: 'GET', url: `${url}/list` });
  const exchange = (url) => ({
    startedDateTime: '2026-01-01T00:00:00.000Z',
    time: 1,
    request: { ...request(url), headers: [] },
    response: { status: 200, headers: [], content: { mimeType: 'application/json', text: '{}' } },
  });
  const operations = { '/list': { get: { responses: { 200: {} } } } };
  const schema = 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json';
  const documents = [
    ['curl commands', 'a.sh', (url) => `curl ${url}/list`],
    ['an OpenAPI document', 'a.json', (url) => ({ openapi: '3.0.0', servers: [{ url }], paths: operations })],
    [
      'a collection of Postman',
      'a.json',
      (url) => ({ info: { schema }, item: [{ name: 'l', request: request(url) }] }),
    ],
    [
      'an export of Insomnia',
      'a.json',
      (url) => ({
        _type: 'export',
        __export_format: 4,
        resources: [
          { _id: 'w', _type: 'workspace' },
          { _type: 'request', parentId: 'w', ...request(url) },
        ],
      }),
    ],
    [
      'a script of Artillery',
      'a.yaml',
      (url) => ({ config: { target: url }, scenarios: [{ flow: [{ get: { url: '/list' } }] }] }),
    ],
    ['a HAR', 'a.har', (url) => ({ log: { version: '1.2', entries: [exchange(url)] } })],
    ['an HTTP file', 'a.http', (url) => `GET ${url}/list\n`],
    ['targets of vegeta', 'a.txt', (url) => `GET ${url}/list\n`],
    ['a list of URLs', 'a.txt', (url) => `${url}/list\n`],
  ];
  for (const [what, name, make] of documents)
    it(`${what}: is run as it is, and passes --debug as the flow that it becomes`, () =>
      serving(ok, async (url, seen) => {
        const source = make(url);
        writeFileSync(join(folder, name), typeof source === 'string' ? source : JSON.stringify(source));
        const runs = [
          ['-n', '1', name],
          ['import', name, '-o', 'flow.yaml'],
          ['--debug', 'flow.yaml'],
        ];
        for (const args of runs) {
          const { code, stderr } = await command(args, { cwd: folder });
          expect(code, stderr).to.equal(0);
        }
        expect(seen.map(({ line }) => line)).to.deep.equal(['GET /list', 'GET /list']);
      }));

  it('passes --debug with a flow that it wrote', () =>
    serving(ok, async (url, seen) => {
      await importing(['-e', `curl ${url}/a; curl -H 'Authorization: Bearer abc' ${url}/b`, '-o', 'flow.yaml']);
      writeFileSync(join(folder, '.env'), 'TOKEN=value-of-the-test\n');
      const { code, stderr } = await command(['--debug', '--dotenv', join(folder, '.env'), 'flow.yaml'], {
        cwd: folder,
      });
      expect(code, stderr).to.equal(0);
      expect(seen.map(({ headers }) => headers.authorization)).to.deep.equal([undefined, 'Bearer value-of-the-test']);
    }));

  it('a flow from OpenAPI creates, reads and deletes what its requests share', async () => {
    const document = /```json imported\n(\{\s*"openapi"[^]*?)^```$/m.exec(GUIDE)[1];
    const todos = new Set();
    const service = (request, response) => {
      const id = Number(/^\/v1\/todos\/(\d+)$/.exec(request.url)?.[1]);
      if (request.method === 'POST') todos.add(todos.size + 1);
      else if (!todos.has(id)) response.statusCode = 404;
      else if (request.method === 'DELETE') response.statusCode = 204;
      if (request.method === 'POST') response.statusCode = 201;
      response.setHeader('Content-Type', 'application/json');
      response.end(response.statusCode === 204 ? undefined : JSON.stringify({ id: todos.size }));
    };
    await serving(service, async (url, seen) => {
      writeFileSync(join(folder, 'api.json'), document);
      await importing(['api.json', '--base-url', url, '-o', 'flow.yaml']);
      const { code, stderr } = await command(['-n', '2', 'flow.yaml'], { cwd: folder });
      expect(code, stderr).to.equal(0);
      expect(seen.map(({ line }) => line)).to.have.members([
        ...['POST /v1/todos', 'POST /v1/todos', 'GET /v1/todos/1', 'GET /v1/todos/2'],
        ...['DELETE /v1/todos/1', 'DELETE /v1/todos/2'],
      ]);
    });
  });

  describe('the guide, and the pages about other tools', () => {
    const blocks = [GUIDE, ...PAGES].flatMap(blocksOf).filter(({ kind }) => kind === 'imported');

    it('has a before and an after of each source', () => {
      expect(blocks.length % 2).to.equal(0);
      const shown = new Set(blocks.filter((_, i) => i % 2 === 0).map(({ code }) => sourceOf(code, '')?.name));
      for (const { name } of SOURCES) expect([...shown], name).to.include(name);
    });

    for (let i = 0; i < blocks.length; i += 2)
      it(`block ${i / 2 + 1} becomes the one after it`, async () => {
        writeFileSync(join(folder, 'source'), blocks[i].code);
        const { stdout, stderr } = await importing(['source']);
        expect(stdout, stderr).to.equal(blocks[i + 1].code);
      });
  });

  it('every source tells what it supports', async () => {
    for (const { name, load } of SOURCES) expect((await load()).supported, name).to.not.have.lengthOf(0);
    expect(existsSync(join(ROOT, 'docs/reference/importing.md'))).to.equal(true);
  });
});

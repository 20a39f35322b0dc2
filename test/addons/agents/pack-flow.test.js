import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect } from 'chai';

import { hashFlow, loadFlow } from '../../../lib/core/flow/source/load.js';
import { MAX_FLOW_BYTES } from '../../../lib/addons/agents/flow-packet.js';
import { packFlow } from '../../../lib/addons/agents/pack-flow.js';
import { CERTIFICATES } from '../../support/certificate.js';

describe('a flow that is packed for agents', () => {
  let cwd;
  before(() => {
    cwd = mkdtempSync(join(tmpdir(), 'bench-rest-pack-'));
    for (const name of ['flows', 'data', 'lib']) mkdirSync(join(cwd, name));
  });
  after(() => rmSync(cwd, { recursive: true }));

  const write = (name, content) =>
    writeFileSync(join(cwd, name), typeof content === 'object' ? JSON.stringify(content) : content);
  const pack = async (source, options) => {
    const packet = await packFlow(source, { cwd, ...options });
    expect(JSON.parse(JSON.stringify(packet))).to.deep.equal(packet);
    return packet;
  };
  const failure = (source, options) =>
    pack(source, options).then(
      () => expect.fail('nothing thrown'),
      (error) => error,
    );
  const names = ({ files }) => files.map(({ name }) => name);

  describe('data', () => {
    it('a URL needs no file', async () => {
      const { kind, name, source, files } = await pack({ argument: 'http://a.test/' });
      expect({ kind, name, source, files }).to.deep.equal({
        kind: 'data',
        name: 'http://a.test/',
        source: { kind: 'urls', urls: ['http://a.test/'] },
        files: [],
      });
    });

    it('a property that is unknown is refused, which a notice would list elsewhere', async () => {
      write('own.json', { main: ['http://a/'], owner: 'x' });
      expect(await failure({ argument: 'own.json' })).to.include({ code: 'E_FLOW' });
    });

    it('a file in a folder with the name of a host is no URL', async () => {
      mkdirSync(join(cwd, 'release-1.2'));
      write('release-1.2/flow.json', ['http://a/']);
      expect(names(await pack({ argument: 'release-1.2/flow.json' }))).to.deep.equal(['flow.json']);
    });

    it('several URLs stay several', async () => {
      expect((await pack({ urls: ['http://a/', 'http://b/'] })).source.urls).to.have.length(2);
    });

    it('the files of a request travel, also those with an absolute path', async () => {
      write('data/body.txt', 'x');
      const request = {
        method: 'POST',
        formData: { a: { file: join(cwd, 'data/body.txt') }, b: { file: 'data/body.txt' } },
      };
      const packet = await pack({ urls: ['http://a/'], request });
      expect(packet.source.request.formData).to.deep.equal({
        a: { file: 'data/body.txt' },
        b: { file: 'data/body.txt' },
      });
      expect(names(packet)).to.deep.equal(['data/body.txt']);
    });

    it('a file travels with its feeders, bodies and schemas, also from folders beside its own', async () => {
      write('data/users.csv', 'id\n1\n');
      write('data/body.bin', Buffer.from([255, 0]).toString('latin1'));
      write('flows/item.schema.json', '{ "type": "object" }');
      write('flows/users.ndjson', '{"a":1}\n');
      const main = [
        { get: 'http://a/#{rows.a}', expect: { schema: 'item.schema.json' } },
        { post: 'http://a/', body: { file: '../data/body.bin' } },
        { post: 'http://a/', formData: { file: { file: '../data/users.csv' } } },
      ];
      write('flows/flow.json', { data: { rows: 'users.ndjson' }, main });
      const packet = await pack({ argument: 'flows/flow.json' });
      expect(packet.source).to.deep.equal({ kind: 'file', file: 'flows/flow.json' });
      expect(names(packet).sort()).to.deep.equal([
        'data/body.bin',
        'data/users.csv',
        'flows/flow.json',
        'flows/item.schema.json',
        'flows/users.ndjson',
      ]);
    });

    it('the hash is that of the flow in results', async () => {
      write('flow.yaml', 'main: [{ get: "http://a/" }]');
      const { flow } = await loadFlow({ argument: 'flow.yaml' }, { cwd });
      expect((await pack({ argument: 'flow.yaml' })).hash).to.equal(hashFlow(flow));
    });

    it('a literal in JavaScript is evaluated before it travels', async () => {
      const { kind, name, files } = await pack({ evaluate: "{ get: 'http://a/' + 2 * 3 }" });
      expect({ kind, name, content: files[0].content }).to.deep.equal({
        kind: 'data',
        name: '-e',
        content: '{"get":"http://a/6"}',
      });
    });

    it('standard input in YAML travels as JSON', async () => {
      const { files, source } = await pack({
        bytes: Buffer.from('main:\n  - get: http://a/\n'),
        from: 'standard input',
      });
      expect(source).to.deep.equal({ kind: 'file', file: 'standard-input.json' });
      expect(files[0].content).to.equal('{"main":[{"get":"http://a/"}]}');
    });

    it('a URL in standard input is a URL', async () => {
      expect((await pack({ bytes: Buffer.from('http://a/\n'), from: 'standard input' })).source).to.deep.equal({
        kind: 'urls',
        urls: ['http://a/'],
      });
    });

    it('files that only hooks would read are included by name', async () => {
      write('flow.json', { main: ['http://a/'] });
      write('data/more.txt', 'x');
      expect(names(await pack({ argument: 'flow.json' }, { include: ['data/more.txt'] }))).to.include('data/more.txt');
    });

    it('arguments of the command are used', async () => {
      write('args.json', { main: [{ get: 'http://a/#{args.item}' }] });
      const commandLine = [{ name: 'command line', options: { args: { item: 5 } } }];
      expect((await pack({ argument: 'args.json' }, { commandLine })).kind).to.equal('data');
    });
  });

  describe('secrets', () => {
    it('no value of the environment is in a packet', async () => {
      write('env.json', {
        main: [{ get: '#{env.PACK_URL}/a', headers: { authorization: 'Bearer #{env.PACK_TOKEN}' } }],
      });
      Object.assign(process.env, { PACK_URL: 'http://pack.test', PACK_TOKEN: 'geheim-5' });
      const text = JSON.stringify(await pack({ argument: 'env.json' }));
      delete process.env.PACK_URL;
      delete process.env.PACK_TOKEN;
      expect(text)
        .to.include('#{env.PACK_TOKEN}')
        .and.not.to.match(/geheim-5|pack\.test/);
    });

    it('a variable that only agents have is no problem', async () => {
      write('env.json', { main: [{ get: '#{env.PACK_NONE}/a' }] });
      expect((await pack({ argument: 'env.json' })).kind).to.equal('data');
    });

    it('a password in a flow is refused, with its place', async () => {
      write('auth.json', { main: [{ get: 'http://a/', auth: { user: 'me', pass: 'geheim' } }] });
      const error = await failure({ argument: 'auth.json' });
      expect(error.code).to.equal('E_NOT_SENT');
      expect(error.message)
        .to.match(/flow\.main\[0\]\.auth\.pass: a password is not sent/)
        .and.not.include('geheim');
    });

    it('a unix socket is refused, as a URL and as a property; a text in a body is none', async () => {
      const main = [{ get: 'unix:/run/a.sock:/x' }, { post: 'http://a/', body: 'unix:/run/b.sock' }];
      write('socket.json', { main: [...main, { get: 'http://a/', socketPath: '/run/c.sock' }] });
      const error = await failure({ argument: 'socket.json' });
      expect(error.code).to.equal('E_NOT_SENT');
      expect(error.problems.map(({ path }) => path)).to.deep.equal(['flow.main[0].get', 'flow.main[2].socketPath']);
      expect(error.message).to.include('is a socket of this machine: pass a URL that agents can reach');
      expect((await failure({ argument: 'unix:/run/a.sock:/x' })).message).to.include('is a socket of this machine');
    });

    it('a private key of an operation is refused', async () => {
      write('client.key', CERTIFICATES.client.key);
      write('client.pem', CERTIFICATES.client.cert);
      write('key.json', { main: [{ get: 'https://a/', key: 'client.key', cert: 'client.pem' }] });
      const error = await failure({ argument: 'key.json' });
      expect(error.code).to.equal('E_NOT_SENT');
      expect(error.message).to.match(/client\.key: has secrets, which are not sent to agents/);
    });

    it('options of a flow that are of this machine are refused', async () => {
      write('options.json', { main: ['http://a/'], runOptions: { password: 'x', limit: 1 } });
      expect((await failure({ argument: 'options.json' })).message).to.match(/--password: its value is not sent/);
      write('socket.json', { socketPath: '/run/app.sock', main: ['http://a/'] });
      expect((await failure({ argument: 'socket.json' })).message).to.match(/--socket-path: is a socket of this/);
    });
  });

  describe('refusals', () => {
    it('more bytes than the limit', async () => {
      write('data/large.csv', `id\n${'x'.repeat(MAX_FLOW_BYTES)}\n`);
      write('large.json', { data: { rows: 'data/large.csv' }, main: ['http://a/#{rows.id}'] });
      const error = await failure({ argument: 'large.json' });
      expect(error.code).to.equal('E_FLOW_TOO_LARGE');
      expect(error.message).to.match(/at most 8,388,608.*data\/large\.csv \(8,388,612\)/);
    });

    it('an absolute path in a flow', async () => {
      write('data/users.csv', 'id\n1\n');
      const path = join(cwd, 'data/users.csv');
      write('absolute.json', { data: { rows: path }, main: ['http://a/#{rows.id}'] });
      const error = await failure({ argument: 'absolute.json' });
      expect(error.message).to.match(/flow\.data\.rows: .*users\.csv is a path of this machine: write it relative/);
    });

    it('a flow with a problem, before anything is sent', async () => {
      write('bad.json', { main: [{ gett: 'http://a/' }] });
      expect((await failure({ argument: 'bad.json' })).code).to.equal('E_FLOW');
    });

    it('a file that is missing', async () => {
      write('none.json', { data: { rows: 'none.csv' }, main: ['http://a/'] });
      expect((await failure({ argument: 'none.json' })).message).to.match(/none\.csv does not exist/);
    });
  });

  describe('code', () => {
    before(() => {
      write('lib/hook.js', 'export const hook = (all) => all;');
      write(
        'flow.js',
        "import { hook } from './lib/hook.js'; export default { data: { rows: 'data/rows.json' }, main: [{ get: 'http://a/#{rows.a}', beforeHooks: [hook] }] };",
      );
      write('data/rows.json', '[{ "a": 1 }]');
    });

    it('a module travels as a bundle, with its own files and data', async () => {
      const packet = await pack({ argument: 'flow.js' });
      expect({ kind: packet.kind, source: packet.source }).to.deep.equal({
        kind: 'code',
        source: { kind: 'file', file: 'flow.bundle.mjs' },
      });
      expect(names(packet)).to.deep.equal(['flow.bundle.mjs', 'flow.js', 'lib/hook.js', 'data/rows.json']);
    });

    it('has digests of the files that an agent needs on its own disk', async () => {
      const { disk } = await pack({ argument: 'flow.js' });
      expect(disk.map(({ name }) => name)).to.deep.equal(['flow.js', 'lib/hook.js', 'data/rows.json']);
    });

    it('if no agent allows code, nothing but digests travels', async () => {
      const { kind, source, files, disk } = await pack({ argument: 'flow.js' }, { bundle: false });
      expect({ kind, source, files }).to.deep.equal({
        kind: 'disk',
        source: { kind: 'file', file: 'flow.js' },
        files: [],
      });
      expect(disk).to.have.length(3);
    });

    it('a module in TypeScript travels, also if this Node does not read it', async () => {
      write('typed.ts', "const url: string = 'http://a/'; export default [url];");
      const { kind, name, source } = await pack({ argument: 'typed.ts' });
      expect({ kind, name, source }).to.deep.equal({
        kind: 'code',
        name: 'typed.ts',
        source: { kind: 'file', file: 'typed.bundle.mjs' },
      });
    });

    it('-e with a function is code', async () => {
      const { kind, disk, source } = await pack({ evaluate: "{ get: 'http://a/', beforeHooks: [(all) => all] }" });
      expect({ kind, disk, source }).to.deep.equal({
        kind: 'code',
        disk: null,
        source: { kind: 'file', file: '-e.bundle.mjs' },
      });
    });

    it('-e with a function cannot run from the disk of an agent', async () => {
      const source = { evaluate: "{ get: 'http://a/', beforeHooks: [(all) => all] }" };
      expect((await failure(source, { bundle: false })).message).to.match(/-e is code.*--allow-code/);
    });

    it('a module outside of the working directory cannot, either', async () => {
      write('lib/flow.mjs', "export default ['http://a/'];");
      const error = await failure({ argument: '../flow.js' }, { cwd: join(cwd, 'lib'), bundle: false });
      expect(error.code).to.equal('E_CODE');
      expect(error.message).to.match(/is not in the working directory.*start the command in the folder of the flow/);
      expect((await pack({ argument: '../flow.js' }, { cwd: join(cwd, 'lib') })).disk).to.equal(null);
    });
  });
});

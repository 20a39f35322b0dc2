import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect } from 'chai';

import { Engine } from '../../../lib/core/cli/engine/engine.js';
import { confine } from '../../../lib/core/process/confinement.js';
import { PrivateFolder } from '../../../lib/addons/processes/private-folder.js';
import { openFlow } from '../../../lib/core/run/flow-source.js';
import { programLayers } from '../../../lib/core/run/options/layers.js';
import { prepare } from '../../../lib/core/run/prepare.js';
import { unpackFlow } from '../../../lib/addons/agents/flow-packet.js';
import { packFlow } from '../../../lib/addons/agents/pack-flow.js';
import { suiteHere } from '../../support/threads-here.js';

const DATA = {
  kind: 'data',
  name: 'flow.json',
  hash: 'x',
  source: { kind: 'file', file: 'flow.json' },
  folder: '',
  files: [{ name: 'flow.json', encoding: 'utf8', content: '["http://a/"]' }],
  disk: null,
};
const withFiles = (...files) => ({
  ...DATA,
  files: files.map(([name, content]) => ({ name, content, encoding: 'utf8' })),
});

describe('a packet that becomes a flow', () => {
  suiteHere('engine');
  suiteHere('workers');
  let cwd; // of the command
  let disk; // of the agent
  let folder;
  let server;
  let url;
  let received;
  before(async () => {
    server = http.createServer((request, response) => {
      const chunks = [];
      request.on('data', (chunk) => chunks.push(chunk));
      request.on('end', () => {
        received.push({ path: request.url, body: Buffer.concat(chunks).toString(), header: request.headers.x });
        response.end('{}');
      });
    });
    await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${server.address().port}`;
  });
  after(() => server.close());
  beforeEach(async () => {
    received = [];
    cwd = mkdtempSync(join(tmpdir(), 'bench-rest-command-'));
    disk = mkdtempSync(join(tmpdir(), 'bench-rest-agent-'));
    for (const name of ['lib', 'data']) for (const at of [cwd, disk]) mkdirSync(join(at, name));
    folder = await PrivateFolder.open();
  });
  afterEach(async () => {
    await folder.remove();
    for (const one of [cwd, disk]) rmSync(one, { recursive: true });
  });

  const write = (at, name, content) =>
    writeFileSync(join(at, name), typeof content === 'object' ? JSON.stringify(content) : content);
  const unpack = (packet, { allowCode = false, variables = [], targets = null, disk: at = disk } = {}) =>
    unpackFlow(packet, { allowed: { code: allowCode, variables, targets }, folder: folder.path, disk: at });
  const failure = (packet, options) =>
    unpack(packet, options).then(
      () => expect.fail('nothing thrown'),
      (error) => error,
    );

  /** Runs a flow once as an agent does. */
  const run = async ({ cwd: at, ...source }, options = {}) => {
    const engine = new Engine(
      {
        source,
        cwd: at,
        config: { name: 'configuration', options: {} },
        commandLine: [{ name: 'command line', options: { iterations: 1, limit: 1, ...options } }],
        debug: false,
      },
      { log: process.stdout, onBegin() {}, onProgress() {}, onExchange() {} },
    );
    const outcome = await engine.outcome;
    await engine.close();
    return outcome;
  };
  const runPacked = async (source, { allowCode = false, ...options } = {}) =>
    run(await unpack(await packFlow(source, { cwd }), { allowCode }), options);

  /** Plans the run of a flow in this thread. */
  const planning = async (packet) => {
    const { cwd: at, ...source } = await unpack(packet);
    const { read, origin } = await openFlow(source, [], { cwd: at });
    try {
      return prepare(read, programLayers(read.flow, { iterations: 1, limit: 1 }), origin);
    } catch (error) {
      return error;
    }
  };

  describe('data', () => {
    it('a flow runs with the files that came with it', async () => {
      write(cwd, 'data/users.csv', 'id\n42\n');
      write(cwd, 'data/body.txt', 'hello');
      write(cwd, 'lib/flow.json', {
        data: { users: { file: join('users.csv') } },
        main: [{ post: `${url}/#{users.id}`, body: { file: '../data/body.txt' } }],
      });
      write(cwd, 'lib/users.csv', 'id\n42\n');
      const outcome = await runPacked({ argument: 'lib/flow.json' }, { workers: 2, limit: 2, iterations: 2 });
      expect(outcome.stats?.errors.count, JSON.stringify(outcome)).to.equal(0);
      expect(received[0]).to.include({ path: '/42', body: 'hello' });
    });

    it('a URL runs with the properties of its request', async () => {
      write(cwd, 'data/body.txt', 'hello');
      await runPacked({ urls: [`${url}/a`], request: { method: 'POST', body: { file: 'data/body.txt' } } });
      expect(received).to.deep.equal([{ path: '/a', body: 'hello', header: undefined }]);
    });

    it('variables are those of the agent', async () => {
      write(cwd, 'flow.json', { main: [{ get: `${url}/`, headers: { x: '#{env.UNPACK_X}' } }] });
      const packet = await packFlow({ argument: 'flow.json' }, { cwd });
      process.env.UNPACK_X = 'of the agent';
      await run(await unpack(packet, { variables: ['UNPACK_X'] }));
      delete process.env.UNPACK_X;
      expect(received[0].header).to.equal('of the agent');
    });

    it('files can be read by this user alone', async () => {
      const { argument } = await unpack(withFiles(['flow.json', '["http://a/"]'], ['a/b.txt', 'x']));
      expect(statSync(argument).mode & 0o777).to.equal(0o600);
      expect(statSync(join(folder.path, 'a')).mode & 0o777).to.equal(0o700);
    });

    for (const [what, content] of [
      ['a body', { main: [{ post: 'http://a/', body: { file: '/etc/passwd' } }] }],
      ['a body above its folder', { main: [{ post: 'http://a/', body: { file: '../../../../../etc/passwd' } }] }],
      ['rows', { data: { rows: '/etc/hosts.csv' }, main: [{ get: 'http://a/#{rows.a}' }] }],
      ['variables', { main: ['http://a/'], runOptions: { envFiles: '/etc/environment' } }],
      ['a schema', { main: [{ get: 'http://a/', expect: { schema: '/etc/passwd' } }] }],
      ['a certificate', { main: [{ get: 'https://a/', ca: '/etc/passwd' }] }],
    ])
      it(`a flow cannot read ${what} from the disk of the agent`, async () => {
        const error = await planning(withFiles(['flow.json', JSON.stringify(content)]));
        expect(error.message).to.include('is outside of the folder that the flow may read');
      });

    it('a flow cannot start a command', async () => {
      const flow = { main: ['http://a/'], runOptions: { start: 'touch /tmp/x' } };
      const error = await planning(withFiles(['flow.json', JSON.stringify(flow)]));
      expect(error.message).to.include('runs a command, which only a flow that is a module can do');
    });

    for (const [about, flow] of [
      ['a URL', { main: [{ get: 'unix:/run/x.sock:/' }] }],
      ['a property', { main: [{ get: 'http://a/', socketPath: '/run/x.sock' }] }],
      ['a base URL', { baseUrl: 'unix:/run/x.sock:/', main: [{ get: '/a' }] }],
      ['a base URL, with a path that is known later', { baseUrl: 'unix:/run/x.sock', main: [{ get: '#{path}' }] }],
    ])
      it(`A15 a flow cannot reach a socket of the agent by ${about}`, async () => {
        const error = await planning(withFiles(['flow.json', JSON.stringify(flow)]));
        expect(error.message).to.include('it sends to the socket /run/x.sock of this machine');
      });

    it('a file of code is not run', async () => {
      const packet = { ...withFiles(['flow.mjs', 'globalThis.x = 1']), source: { kind: 'file', file: 'flow.mjs' } };
      for (const allowCode of [false, true])
        expect((await failure(packet, { allowCode })).message).to.include('flow.mjs is code');
    });

    it('two files of one name are refused', async () => {
      expect((await failure(withFiles(['a', 'x'], ['a', 'y']))).message).to.include('it has a twice');
      expect((await failure(withFiles(['b', 'x'], ['b/c', 'y']))).code).to.equal('E_PACKET');
    });

    it('names that no file or folder can have are refused', async () => {
      const long = 'x'.repeat(300);
      expect((await failure(withFiles([long, 'x']))).code).to.equal('E_PACKET');
      expect((await failure({ ...DATA, folder: long })).code).to.equal('E_PACKET');
    });

    it('a name elsewhere is refused, and nothing is written', async () => {
      expect((await failure(withFiles(['../../x', 'x']))).code).to.equal('E_PACKET');
    });
  });

  describe('code', () => {
    const FLOW = "import { hook } from './lib/hook.js';\n\nexport default [{ get: 'URL/', beforeHooks: [hook] }];\n";
    const HOOK =
      "// a comment\nexport function hook(all) {\n  all.requestOptions.headers.x = 'hooked';\n  return all;\n}\n";
    beforeEach(() => {
      write(cwd, 'flow.js', FLOW.replace('URL', url));
      write(cwd, 'lib/hook.js', HOOK);
    });

    it('runs on an agent that allows code', async () => {
      await runPacked({ argument: 'flow.js' }, { allowCode: true });
      expect(received).to.deep.equal([{ path: '/', body: '', header: 'hooked' }]);
    });

    it('an error has its place in the file of the user, in the first thread and in workers', async () => {
      write(cwd, 'lib/hook.js', HOOK.replace('return all', "throw new Error('broken')"));
      for (const options of [{}, { workers: 2, limit: 2, iterations: 2 }]) {
        const { stats } = await runPacked({ argument: 'flow.js' }, { allowCode: true, ...options });
        expect(stats.errors.details[0].location).to.deep.equal({
          file: join('lib', 'hook.js'),
          line: 4,
          column: 9,
          source: "  throw new Error('broken');",
        });
        await folder.remove();
        folder = await PrivateFolder.open();
      }
    });

    it('imports bench-rest of the agent', async () => {
      write(cwd, 'flow.js', `import { defineFlow } from 'bench-rest'; export default defineFlow(['${url}/own']);`);
      await runPacked({ argument: 'flow.js' }, { allowCode: true });
      expect(received.map(({ path }) => path)).to.deep.equal(['/own']);
    });

    it('runs from the disk of an agent that does not allow code, if its files are the same', async () => {
      write(disk, 'flow.js', FLOW.replace('URL', url));
      write(disk, 'lib/hook.js', HOOK);
      for (const bundle of [true, false]) {
        const packet = await packFlow({ argument: 'flow.js' }, { cwd, bundle });
        const source = await unpack(packet);
        confine(undefined);
        expect(source).to.deep.equal({ argument: join(disk, 'flow.js'), cwd: disk });
      }
      await run(await unpack(await packFlow({ argument: 'flow.js' }, { cwd })));
      expect(received[0].header).to.equal('hooked');
    });

    it('is refused if they are not, with both remedies', async () => {
      write(disk, 'flow.js', FLOW.replace('URL', url));
      write(disk, 'lib/hook.js', `${HOOK}\n`);
      const error = await failure(await packFlow({ argument: 'flow.js' }, { cwd }));
      expect(error.code).to.equal('E_CODE');
      expect(error.message).to.equal(
        `flow.js is code, which this agent does not run when it is sent; lib/hook.js is different in ${disk}; ` +
          `start the agent with --allow-code, or put the files of the command into ${disk}`,
      );
    });

    it('a file that is missing is named', async () => {
      const { message } = await failure(await packFlow({ argument: 'flow.js' }, { cwd, bundle: false }), {
        allowCode: true,
      });
      expect(message).to.match(
        /flow\.js is code, which was not sent; flow\.js is missing, lib\/hook\.js is missing in .*/,
      );
    });

    it('-e has one remedy', async () => {
      const packet = await packFlow({ evaluate: "{ get: 'http://a/', beforeHooks: [(all) => all] }" }, { cwd });
      expect((await failure(packet)).message).to.match(/--allow-code, or write the flow to a file/);
    });

    it('files in node_modules, hidden files and links to other folders do not run', async () => {
      const packet = await packFlow({ argument: 'flow.js' }, { cwd, bundle: false });
      for (const name of ['node_modules/a/index.js', '.hidden/flow.js'])
        expect((await failure({ ...packet, disk: [{ ...packet.disk[0], name }] })).message).to.include(
          'hidden or in node_modules',
        );
      symlinkSync(join(cwd, 'flow.js'), join(disk, 'flow.js'));
      expect((await failure(packet)).message).to.include('flow.js is a link to another folder');
      mkdirSync(join(disk, 'node_modules'));
      write(disk, 'node_modules/flow.js', readFileSync(join(cwd, 'flow.js'), 'utf8'));
      rmSync(join(disk, 'flow.js'));
      symlinkSync(join(disk, 'node_modules', 'flow.js'), join(disk, 'flow.js'));
      expect((await failure(packet)).message).to.include(
        'flow.js is a link to a file that is hidden or in node_modules',
      );
    });

    it('runs from the root folder of the agent, as in a container', async () => {
      write(cwd, 'flow.js', "export default ['http://a/'];");
      const packet = await packFlow({ argument: 'flow.js' }, { cwd, bundle: false });
      const name = join(cwd, 'flow.js').slice(1);
      const { argument } = await unpack({ ...packet, disk: [{ ...packet.disk[0], name }] }, { disk: '/' });
      expect(argument).to.equal(join(cwd, 'flow.js'));
    });

    it('data in files beside the flow is found by import.meta.url', async () => {
      write(cwd, 'data/a.txt', '/from-a-file');
      write(
        cwd,
        'flow.js',
        `import { readFileSync } from 'node:fs'; export default ['${url}' + readFileSync(new URL('data/a.txt', import.meta.url))];`,
      );
      const packet = await packFlow({ argument: 'flow.js' }, { cwd, include: ['data/a.txt'] });
      await run(await unpack(packet, { allowCode: true }));
      expect(received[0].path).to.equal('/from-a-file');
      expect(readFileSync(join(folder.path, 'data/a.txt'), 'utf8')).to.equal('/from-a-file');
    });
  });
});

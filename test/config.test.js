import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect } from 'chai';

import { loadCommands } from '../lib/core/cli/commands/index.js';
import { readConfig } from '../lib/core/cli/config.js';
import { readArguments } from '../lib/core/cli/options.js';
import { RUN_OPTIONS } from '../lib/core/run/options/index.js';
import { oppositeFlag } from '../lib/core/run/options/row.js';
import { command } from './support/command.js';
import { ok, serving } from './support/serve.js';
import { itSlow } from './support/slow.js';

const commands = await loadCommands();

const PROGRAM = { version: '', commands, env: {}, columns: 80, cwd: () => import.meta.dirname };

describe('the configuration file', () => {
  let folder;
  beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'bench-rest-'))));
  afterEach(() => rmSync(folder, { recursive: true, force: true }));
  const write = (name, text) => writeFileSync(join(folder, name), text);
  const run = (...args) => command(args, { cwd: folder });
  const runs = async (url, ...args) => JSON.parse((await run('--json', ...args, url)).stdout).run.options;

  const files = [
    ['.bench-restrc.json', '{ "limit": 3, "iterations": "1e1" }'],
    ['.bench-restrc.yaml', 'limit: 3\niterations: 10\n'],
    ['.bench-restrc', 'limit: 3\niterations: 10\n'],
    ['.bench-restrc.js', 'module.exports = { limit: 3, iterations: 10 };'],
    ['.bench-restrc.mjs', 'export default { limit: 3, iterations: 10 };'],
    ['package.json', '{ "name": "x", "bench-rest": { "limit": 3, "iterations": 10 } }'],
  ];
  for (const [name, text] of files) {
    it(`${name} is read`, () =>
      serving(ok, async (url, seen) => {
        write(name, text);
        expect((await runs(url)).limit).to.equal(3);
        expect(seen).to.have.lengthOf(10);
      }));
  }

  it('is found in a parent folder of the project; the command line wins over the flow, the flow over the file', () =>
    serving(ok, async (url) => {
      write('.bench-restrc.json', '{ "limit": 3, "iterations": 10, "timeout": 1000 }');
      write('package.json', '{}');
      mkdirSync(join(folder, 'below'));
      write('below/flow.mjs', `export default { main: ['${url}'], runOptions: { limit: 4, iterations: 12 } };`);
      const { stdout } = await command(['--json', '-c', '5', 'flow.mjs'], { cwd: join(folder, 'below') });
      expect(JSON.parse(stdout).run.options).to.include({ limit: 5, iterations: 12, timeout: 1000 });
      const shown = (
        await command(['--print-config', '-c', '5', '-H', 'authorization: Bearer CANARY', 'flow.mjs'], {
          cwd: join(folder, 'below'),
        })
      ).stdout;
      expect(shown)
        .to.match(/limit +5 +\(command line/)
        .and.match(/iterations +12 +\(.*flow\.mjs\)/)
        .and.match(/timeout +1000 +\(.*\.bench-restrc\.json\)/)
        .and.match(/seed +1 +\(default\)/);
      expect(shown).not.to.include('CANARY');
    }));

  it('each option that is true or false can be set the other way round by the command line', async () => {
    const rows = RUN_OPTIONS.filter(({ flag, type }) => flag && type === 'boolean');
    expect(rows.map(({ name }) => name)).to.include.members(['insecure', 'forever', 'keepGoing', 'keepAlive']);
    const { stdout: help } = await command(['--help-all']);
    for (const row of rows) {
      write('.bench-restrc.json', JSON.stringify({ [row.name]: !row.flag.startsWith('--no-') }));
      const { options } = await readConfig(folder);
      const commandLine = readArguments([oppositeFlag(row), 'x.js'], PROGRAM).runOptions;
      expect({ ...options, ...commandLine }).to.deep.equal({ [row.name]: row.flag.startsWith('--no-') });
      expect(help).not.to.match(new RegExp(`^ +${oppositeFlag(row)} `, 'm'));
    }
  });

  it('an end that the command line switches off is none', () =>
    serving(ok, async (url, seen) => {
      write('.bench-restrc.json', '{ "forever": true, "limit": 1 }');
      expect((await run('--no-forever', url)).code).to.equal(0);
      expect(seen).to.have.lengthOf(1);
    }));

  it('is overridden by thresholds and baseUrl of the flow', () =>
    serving(ok, async (url, seen) => {
      write('.bench-restrc.json', '{ "thresholds": "p50<8s", "baseUrl": "http://127.0.0.1:9/" }');
      write('flow.json', JSON.stringify({ baseUrl: url, main: ['/x'], thresholds: { p99: '<9s' } }));
      const { thresholds } = JSON.parse((await run('--json', 'flow.json')).stdout);
      expect(thresholds.map(({ expression }) => expression)).to.deep.equal(['p99<9s']);
      expect(seen).to.have.lengthOf(1);
      expect((await run('--print-config', 'flow.json')).stdout)
        .to.match(/thresholds +\{"p99":"<9s"\} +\(.*flow\.json\)/)
        .and.match(/baseUrl +".*" +\(.*flow\.json\)/);
    }));

  it('its headers are weaker than those of the flow, and stay beside those of the command line', () =>
    serving(ok, async (url, seen) => {
      write('.bench-restrc.json', '{ "headers": { "X-A": "file", "x-b": "file", "x-c": "file" } }');
      write('flow.json', JSON.stringify({ headers: { 'x-a': 'flow', 'x-b': 'flow' }, main: [url] }));
      expect((await run('-n', '1', '-H', 'X-B: flag', 'flow.json')).code).to.equal(0);
      expect(seen[0].headers).to.include({ 'x-a': 'flow', 'x-b': 'flag', 'x-c': 'file' });
      expect((await run('--print-config', '-H', 'X-B: flag', 'flow.json')).stdout).to.match(
        /headers +\{.*\} +\(.*\.bench-restrc\.json, .*flow\.json, command line or environment\)/,
      );
    }));

  it('--print-config prints the default of one iteration, and the options that --debug sets', () =>
    serving(ok, async (url) => {
      expect((await run('--print-config', url)).stdout).to.match(/iterations +1 +\(default\)/);
      expect((await run('--print-config', '-t', '5s', url)).stdout).not.to.match(/iterations/);
      const { stdout } = await run('--print-config', '--debug', '-r', '5', '-t', '5s', '-c', '3', url);
      expect(stdout)
        .to.match(/limit +1 +\(--debug\)/)
        .and.not.match(/^(rate|duration)/m);
    }));

  it('sets the format and the output files, unless the command line does', () =>
    serving(ok, async (url) => {
      write('.bench-restrc.json', '{ "format": "csv", "outputs": "kept.json", "thresholds": { "p99": "<10s" } }');
      const { stdout, code } = await run('-n', '3', url);
      expect([code, stdout.split(',')[0]]).to.deep.equal([0, 'type']);
      expect((await run('report', 'kept.json')).stdout).to.match(/^ {2}✓ p99<10s/m);
      expect((await run('-n', '3', '--format', 'text', url)).stdout).to.match(/^[✓✗!] .* iterations\/s/);
    }));

  it('its time without a unit is refused in the words of the command; a time of a flag has a unit', () =>
    serving(ok, async (url) => {
      write('.bench-restrc.json', '{ "duration": "20" }');
      const refused = await run(url);
      expect(refused.code).to.equal(2);
      expect(refused.stderr).to.include('20s or 20ms? A time needs a unit');
      expect((await run('-t', '20ms', '--timeout', '90ms', url)).stderr).not.to.include('A time needs a unit');
      expect((await run('-t', '20', url)).stderr).to.include('20s or 20ms? A time needs a unit');
    }));

  itSlow('names the flow of a run without an argument, relative to the file', () =>
    serving(ok, async (url, seen) => {
      write('package.json', '{}');
      mkdirSync(join(folder, 'flows/below'), { recursive: true });
      write('flows/smoke.yaml', `main: ['${url}/smoke']\n`);
      write('flows/load.mjs', `export default '${url}/load';`);
      write('.bench-restrc', 'flow: flows/smoke.yaml\niterations: 2\n');
      expect((await command([], { cwd: join(folder, 'flows/below') })).code).to.equal(0);
      expect((await run('--print-config')).stdout).to.match(/iterations +2 /);
      write('.bench-restrc', 'flow: flows/load.mjs\n');
      expect((await run('-n', '1')).code).to.equal(0);
      write('.bench-restrc', `flow: ${url}/direct\n`);
      expect((await run('-n', '1')).code).to.equal(0);
      write('.bench-restrc', `flow: /path\nbaseUrl: ${url}\n`);
      expect((await run('-n', '1')).code).to.equal(0);
      expect((await run('-n', '1', `${url}/argument`)).code).to.equal(0);
      expect(seen.map((request) => request.url)).to.deep.equal([
        '/smoke',
        '/smoke',
        '/load',
        '/direct',
        '/path',
        '/argument',
      ]);
      write('.bench-restrc', 'flow: flows/smok.yaml\n');
      const { code, stderr } = await run();
      expect([code, stderr]).to.deep.equal([
        2,
        `bench-rest: flow file does not exist: ${join(folder, 'flows/smok.yaml')}; did you mean ${join(folder, 'flows/smoke.yaml')}?\n`,
      ]);
    }),
  );

  const wrong = [
    [
      '.bench-restrc.json',
      '{ "limti": 3, "rate": "fast" }',
      [
        /bench-restrc\.json:1:3: limti: unknown option, did you mean limit\?/,
        /bench-restrc\.json:1:15: rate: expected a rate above 0.*got "fast"/,
      ],
    ],
    [
      '.bench-restrc',
      'vus: 10\nconcurrency: 5\nkeepalive: true',
      [
        /bench-restrc:1:1: vus: .* is limit here/,
        /bench-restrc:2:1: concurrency: .*limit here/,
        /bench-restrc:3:1: keepalive: .*did you mean keepAlive/,
      ],
    ],
    ['.bench-restrc.json', '{ "limit": 3,, }', [/bench-restrc\.json:1:14: /]],
    ['.bench-restrc.yaml', 'limit: [', [/bench-restrc\.yaml:\d+:\d+: /]],
    ['.bench-restrc.js', 'throw new Error("ouch")', [/bench-restrc\.js: ouch/]],
    ['.bench-restrc.json', '[1]', [/expected an object of options/]],
    [
      '.bench-restrc.json',
      '{ "format": "pdf", "outputs": 5 }',
      [/json:1:3: format: expected one of text/, /json:1:20: outputs: expected a path/],
    ],
    ['.bench-restrc.js', 'module.exports = { limti: 3 };', [/bench-restrc\.js: limti: unknown option/]],
    [
      'package.json',
      '{\n  "limti": 1,\n  "bench-rest": {\n    "limti": 3\n  }\n}',
      [/package\.json:4:5: limti: unknown option, did you mean limit\?/],
    ],
    ['.bench-restrc', '{\n\t"rate": "fast"\n}', [/bench-restrc:2:2: rate: expected a rate/]],
    ['.bench-restrc.yaml', 'flow: [a.js]', [/yaml:1:1: flow: expected a path or a URL, got \["a\.js"\]/]],
  ];
  it('a file of comments alone is like an empty one', async () => {
    write('.bench-restrc.yaml', '# options: later\n');
    expect((await readConfig(folder)).path).to.equal(null);
  });

  for (const [name, text, messages] of wrong) {
    it(`${name}: ${JSON.stringify(text)} is refused with its file, place and key`, async () => {
      write(name, text);
      const { code, stderr, stdout } = await run('-n', '1', 'http://127.0.0.1:9/');
      expect([code, stdout]).to.deep.equal([2, '']);
      for (const message of messages) expect(stderr).to.match(message);
    });
  }
});

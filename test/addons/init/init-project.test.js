import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect } from 'chai';
import { parse } from 'yaml';

import { command } from '../../support/command.js';

const WORKFLOW = '.github/workflows/bench.yml';

describe('bench-rest init', () => {
  let cwd;
  beforeEach(() => (cwd = mkdtempSync(join(tmpdir(), 'bench-rest-'))));
  afterEach(() => rmSync(cwd, { recursive: true }));

  const init = (...args) => command(['init', ...args], { cwd });
  const write = (name, text) => writeFileSync(join(cwd, name), text);
  const read = (name) => readFileSync(join(cwd, name), 'utf8');
  const has = (name) => existsSync(join(cwd, name));

  it('writes a flow to an empty folder, which runs at once', async () => {
    const { code, stdout, stderr } = await init();
    expect({ code, stderr }).to.deep.equal({ code: 0, stderr: '' });
    expect(stdout).to.match(/^wrote flow\.mjs\nno npm script: there is no package\.json\nno workflow: .*\n\nNext:\n/);
    expect([has('package.json'), has('.github')]).to.deep.equal([false, false]);
    const [, next] = /^ {2}npx bench-rest (.*--serve flow\.mjs) {2}measure/m.exec(stdout);
    const args = next.replace('-t 10s', '-n 20').split(' ');
    // its own threshold for p95 depends on the machine
    const run = await command([...args, '--json', '--threshold', 'errors<1%'], { cwd });
    expect(run.code, run.stderr).to.equal(0);
    expect(JSON.parse(run.stdout).requests.statusCodes).to.deep.equal({ 200: 20, 201: 20, 204: 20 });
  });

  it('adds a script to package.json, and a workflow at the root of a git repository', async () => {
    write('package.json', '{\n\t"name": "shop"\n}\n');
    mkdirSync(join(cwd, '.git'));
    const { code, stdout } = await init();
    expect(code).to.equal(0);
    expect(stdout).to.include(`wrote the script bench to package.json\nwrote ${WORKFLOW}\n`);
    expect(read('package.json')).to.equal(
      '{\n\t"name": "shop",\n\t"scripts": {\n\t\t"bench": "bench-rest -t 10s -c 10 flow.mjs"\n\t}\n}\n',
    );
    expect(parse(read(WORKFLOW)).jobs.bench.steps.at(-1).with).to.include({ flow: 'flow.mjs' });
  });

  it('overwrites nothing, names what it left alone, and ends with 2', async () => {
    write('package.json', '{ "scripts": { "bench": "mine" } }');
    write('flow.mjs', 'mine');
    mkdirSync(join(cwd, '.github/workflows'), { recursive: true });
    write(WORKFLOW, 'mine');
    const { code, stdout, stderr } = await init('--workflow');
    expect(code).to.equal(2);
    expect(stdout).to.include(
      `left alone: flow.mjs exists\nleft alone: package.json has a script bench\nleft alone: ${WORKFLOW} exists\n`,
    );
    expect(stderr).to.include('exit code 2: ');
    expect([read('package.json'), read('flow.mjs'), read(WORKFLOW)]).to.deep.equal([
      '{ "scripts": { "bench": "mine" } }',
      'mine',
      'mine',
    ]);
  });

  it('--workflow writes the workflow anywhere, --no-workflow nowhere', async () => {
    await init('--workflow');
    expect(has(WORKFLOW)).to.equal(true);
    rmSync(cwd, { recursive: true });
    mkdirSync(join(cwd, '.git'), { recursive: true });
    expect((await init('--no-workflow')).stdout).to.include('\nno workflow\n');
    expect(has(WORKFLOW)).to.equal(false);
  });

  it('--url is what the flow requests; the embedded target is not in what to do next', async () => {
    const { stdout } = await init('--url', 'http://localhost:3000/health');
    expect(read('flow.mjs')).to.include("baseUrl: 'http://localhost:3000',").and.include("{ get: '/health' },");
    expect(stdout).not.to.include('--serve');
    expect(stdout).to.include('npx bench-rest --debug flow.mjs ');
  });

  it('names the installation only where bench-rest is not installed', async () => {
    expect((await init()).stdout).to.include('npm install --save-dev bench-rest');
    mkdirSync(join(cwd, 'node_modules/bench-rest'), { recursive: true });
    write('node_modules/bench-rest/package.json', '{}');
    expect((await init()).stdout).not.to.include('npm install');
  });

  it('writes flow.ts beside a tsconfig.json, or with --typescript, with what Node needs to read it', async () => {
    await init('--typescript');
    expect([has('flow.ts'), has('flow.mjs')]).to.deep.equal([true, false]);
    rmSync(join(cwd, 'flow.ts'));
    write('tsconfig.json', '{}');
    write('package.json', '{}');
    const { stdout } = await init('--workflow');
    expect(stdout)
      .to.match(/^wrote flow\.ts\n/)
      .and.include('npx bench-rest --debug --serve flow.ts ');
    expect(stdout.includes('install --save-dev bench-rest@next tsx')).to.equal(!process.features.typescript);
    expect(read('package.json')).to.include('bench-rest -t 10s -c 10 flow.ts');
    expect(parse(read(WORKFLOW)).jobs.bench.steps.at(-1).with).to.include({ flow: 'flow.ts' });
    await init('--no-typescript');
    expect(has('flow.mjs')).to.equal(true);
  });

  it('refuses a URL that is none, or has credentials, without repeating it', async () => {
    for (const url of ['localhost:3000', 'ftp://h/', 'http://ann:CANARY@h/']) {
      const { code, stderr } = await init('--url', url);
      expect(code, url).to.equal(2);
      expect(stderr).to.include("the argument of option '--url <url>' is invalid").and.not.include('CANARY');
    }
    expect(has('flow.mjs')).to.equal(false);
  });

  it('reports a package.json that cannot get a script before anything is written, and a folder that is a file', async () => {
    for (const [text, reason] of [
      ['{ "a": ', /package\.json cannot get a script: .*JSON/s],
      ['{ "scripts": [] }', /package\.json cannot get a script: its scripts are not an object; correct it/],
    ]) {
      write('package.json', text);
      const { code, stderr } = await init();
      expect([code, has('flow.mjs')]).to.deep.equal([2, false]);
      expect(stderr.replace(/\s+/g, ' ')).to.match(reason);
    }
    rmSync(join(cwd, 'package.json'));
    write('.github', '');
    const { code, stderr } = await init('--workflow');
    expect(code).to.equal(2);
    expect(stderr).to.match(/cannot write to .*bench\.yml: .*(is not a folder|a file or a link has this name)/s);
  });
});

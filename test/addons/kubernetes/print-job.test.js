import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect } from 'chai';
import { parse, parseAllDocuments } from 'yaml';

import { CERTIFICATES } from '../../support/certificate.js';
import { ROOT, command } from '../../support/command.js';
import { ok, serving } from '../../support/serve.js';

const LOAD = ['--pods', '3', '-c', '30', '-t', '60s'];
const read = (path) => readFileSync(join(ROOT, path), 'utf8');

describe('k8s prints a Job', () => {
  let folder;
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'bench-rest-k8s-'));
    mkdirSync(join(folder, 'inner'));
    writeFileSync(join(folder, 'rows.json'), '{ "data": { "users": "none.csv" }, "main": ["http://a/#{users.id}"] }');
    writeFileSync(join(folder, 'flow.json'), JSON.stringify({ main: [{ get: 'http://x.test/#{INDEX}' }] }));
    writeFileSync(join(folder, 'inner', 'data.csv'), 'a\n1\n');
    writeFileSync(join(folder, 'client.p12'), CERTIFICATES.pfx);
    writeFileSync(join(folder, 'my.env'), 'A=1\n');
    mkdirSync(join(folder, 'node_modules/yaml'), { recursive: true });
    const yaml = join(folder, 'node_modules/yaml');
    writeFileSync(join(yaml, 'package.json'), '{ "name": "yaml", "exports": "./index.js", "type": "module" }');
    writeFileSync(join(yaml, 'index.js'), 'export default 1;');
    writeFileSync(join(folder, 'package.mjs'), "import path from 'yaml'; export default [`http://a/${path}`];");
    writeFileSync(
      join(folder, 'module.cjs'),
      "module.exports = { main: [{ get: 'http://a/', afterHooks: [() => require('yaml/index')] }] };",
    );
    writeFileSync(join(folder, 'inner', 'data.mjs'), 'export default 1;');
    writeFileSync(
      join(folder, 'outer.mjs'),
      "import path from './inner/data.mjs'; export default [`http://a/${path}`];",
    );
    writeFileSync(join(folder, 'large.txt'), 'x'.repeat(1_000_000));
    writeFileSync(join(folder, 'there.mjs'), "export const path = 'x';");
    writeFileSync(
      join(folder, 'computed.mjs'),
      "const { path } = await import(`./${'there'}.mjs`); export default [`http://a/${path}`];",
    );
    writeFileSync(join(folder, 'users.txt'), 'a');
    writeFileSync(
      join(folder, 'reads.mjs'),
      "import fs from 'node:fs'; export default [`http://a/${fs.readFileSync(new URL('./users.txt', import.meta.url))}`];",
    );
    writeFileSync(
      join(folder, 'late.mjs'),
      "export default { main: [{ get: 'http://a/', afterHooks: [async (all) => (await import('./nothere.mjs')).default(all)] }] };",
    );
    writeFileSync(join(folder, 'fl\u00f6w.json'), JSON.stringify(['http://a/']));
    writeFileSync(
      join(folder, 'aborts.json'),
      JSON.stringify({ main: ['http://a/'], runOptions: { abortOnFail: true, thresholds: ['p99<1s'] } }),
    );
  });
  after(() => rmSync(folder, { recursive: true }));
  const k8s = (...args) => command(['k8s', ...args], { cwd: folder });

  it('a module of more than half of a ConfigMap fits, as it is counted once', async () => {
    const flow = `// ${'x'.repeat(600_000)}\nexport default ['http://x.test/'];`;
    writeFileSync(join(folder, 'half.mjs'), flow);
    const { code, stdout, stderr } = await k8s('--pods', '3', '-n', '9', './half.mjs');
    expect([code, stdout.length > flow.length]).to.deep.equal([0, true]);
    expect(stderr).to.include('use kubectl apply --server-side');
  });

  it('prints the flow, its options and the job', async () => {
    const { code, stdout, stderr } = await k8s(...LOAD, '-r', '300', 'flow.json');
    expect({ code, stderr }).to.deep.equal({ code: 0, stderr: '' });
    const [configMap, job] = parseAllDocuments(stdout).map((document) => document.toJS());
    expect(JSON.parse(configMap.data['flow.json'])).to.have.property('main');
    expect(JSON.parse(configMap.data['.bench-restrc.json'])).to.deep.equal({ limit: 30, duration: 60_000, rate: 300 });
    expect(job.metadata.name).to.equal('bench-rest-flow');
    expect(job.spec.completions).to.equal(3);
  });

  it('a URL needs no file', async () => {
    const { stdout } = await k8s(...LOAD, 'http://x.test/');
    const [configMap, job] = parseAllDocuments(stdout).map((document) => document.toJS());
    expect(Object.keys(configMap.data)).to.deep.equal(['.bench-restrc.json']);
    expect(job.spec.template.spec.containers[0].args.at(-1)).to.equal('http://x.test/');
  });

  it('a flow in a folder with the name of a host is no URL', async () => {
    mkdirSync(join(folder, 'release-1.2'));
    writeFileSync(join(folder, 'release-1.2/flow.json'), JSON.stringify(['http://a/']));
    const { stdout } = await k8s(...LOAD, 'release-1.2/flow.json');
    expect(stdout).to.include('\n  flow.json: ');
  });

  it('the options of the job are those that a run reads', async () => {
    const { stdout } = await k8s(
      '--pods',
      '3',
      '-c',
      '30',
      '-W',
      '5s:10c',
      '--stage',
      '10s:100',
      '--threshold',
      'p99<1s',
      'flow.json',
    );
    const [{ contents }] = parseAllDocuments(stdout);
    const config = contents.toJSON().data['.bench-restrc.json'];
    writeFileSync(join(folder, 'inner', '.bench-restrc.json'), config);
    const { code, stderr } = await command(['--print-config', '../flow.json'], { cwd: join(folder, 'inner') });
    expect(code, stderr).to.equal(0);
  });

  it('files that the flow imports or reads come with it', async () => {
    writeFileSync(
      join(folder, 'import.mjs'),
      "import { path } from './path.mjs'; export default [`http://a/${path}`];",
    );
    writeFileSync(join(folder, 'path.mjs'), "export const path = 'x';");
    writeFileSync(join(folder, 'users.csv'), 'id\n1\n');
    writeFileSync(join(folder, 'data.json'), '{ "data": { "users": "users.csv" }, "main": ["http://a/#{users.id}"] }');
    const filesOf = async (flow) => Object.keys(parseAllDocuments((await k8s(...LOAD, flow)).stdout)[0].toJS().data);
    expect(await filesOf('import.mjs')).to.deep.equal(['import.mjs', 'path.mjs', '.bench-restrc.json']);
    expect(await filesOf('data.json')).to.deep.equal(['data.json', 'users.csv', '.bench-restrc.json']);
  });

  it('--include has one file, so that the flow can follow it', async () => {
    const args = ['--include', 'rows.json', '--include', 'my.env', 'flow.json'];
    const { stdout, stderr } = await k8s(...LOAD, ...args);
    const files = Object.keys(parseAllDocuments(stdout)[0]?.toJS().data ?? {});
    expect(files, stderr).to.include.members(['flow.json', 'rows.json', 'my.env']);
  });

  it('thresholds are judged by the job that merges alone, also those of the flow', async () => {
    writeFileSync(
      join(folder, 'judged.json'),
      JSON.stringify({ main: ['http://a/'], runOptions: { thresholds: { 'iterations.started': '>100' } } }),
    );
    for (const all of [
      [...LOAD, '--threshold', 'iterations.started>100', 'flow.json'],
      [...LOAD, 'judged.json'],
    ]) {
      const [, { spec }] = parseAllDocuments((await k8s(...all)).stdout).map((document) => document.toJS());
      expect(spec.template.spec.containers[0].args).not.to.include('iterations.started>100');
      const job = parse((await k8s('--merge', ...all)).stdout);
      expect(job.spec.template.spec.containers[0].args).to.include('iterations.started>100');
    }
  });

  it('a shard with thresholds of the flow is not judged by them', () =>
    serving(ok, async (url) => {
      const flow = { main: [url], runOptions: { thresholds: ['iterations.started>100'] } };
      writeFileSync(join(folder, 'part.json'), JSON.stringify(flow));
      const [, { spec }] = parseAllDocuments(
        (await k8s('--pods', '2', '-c', '2', '-n', '4', '--no-claim', 'part.json')).stdout,
      ).map((document) => document.toJS());
      const { args } = spec.template.spec.containers[0];
      const own = args.map((word) => (word === 'auto/2' ? '1/2' : word.replace('$(JOB_UID)', 'a')));
      const options = own.filter((word, i) => word !== '--config' && own[i - 1] !== '--config');
      const { code, stdout, stderr } = await command(['-n', '4', '-c', '2', ...options], { cwd: folder });
      expect(code, stderr).to.equal(0);
      // as the documents read it from the log of a pod, which has both streams
      const lines = `${stderr}\n${stdout}`.split('\n').filter((line) => line.startsWith('{'));
      writeFileSync(join(folder, 'pod.ndjson'), lines.join('\n'));
      const merged = await command(['merge', '--partial', 'pod.ndjson'], { cwd: folder });
      expect(merged.stdout, merged.stderr).to.include('2 iterations');
    }));

  it('a variable of a secret need not be set on this machine', async () => {
    const flow = { main: [{ get: 'http://a/', headers: { 'x-key': '#{env.BENCH_REST_TEST_KEY}' } }] };
    writeFileSync(join(folder, 'variable.json'), JSON.stringify(flow));
    expect((await k8s(...LOAD, '--secret', 'keys', 'variable.json')).code).to.equal(0);
    expect((await k8s(...LOAD, 'variable.json')).stderr).to.match(/BENCH_REST_TEST_KEY.*has no value/);
  });

  it('the pods start after the warm-up and a `before` of the flow', async () => {
    writeFileSync(join(folder, 'login.json'), JSON.stringify({ before: ['http://a/'], main: ['http://a/'] }));
    const leadOf = async (...args) => {
      const [, job] = parseAllDocuments((await k8s(...LOAD, ...args)).stdout).map((document) => document.toJS());
      const [{ command: words }] = job.spec.template.spec.initContainers;
      return Number(/\.\.\.times\) \+ (\d+)/.exec(words[2])[1]);
    };
    expect(await leadOf('flow.json')).to.equal(15_000);
    expect(await leadOf('-W', '30s', 'login.json')).to.equal(60_000);
  });

  for (const [what, args, says] of [
    ['a package that pods do not have', [...LOAD, 'package.mjs'], /imports the package yaml, .*--image/],
    ['a module of such a package', [...LOAD, 'module.cjs'], /imports the package\s+yaml,/],
    ['a neighbour in another folder', [...LOAD, 'outer.mjs'], /data\.mjs is not in the folder of the flow/],
    ['a name without room for the number of a pod', [...LOAD, '--name', 'x'.repeat(58), 'flow.json'], /up to 57 /],
    [
      'thresholds that would end one shard',
      [...LOAD, '--abort-on-fail', '--threshold', 'p99<1s', 'flow.json'],
      /judge one shard/,
    ],
    ['merging without a volume', [...LOAD, '--merge', '--no-claim', 'flow.json'], /--merge needs the volume/],
    ['a load that cannot be divided', ['--pods', '3', '-c', '2', '-t', '1s', 'flow.json'], /cannot be divided by 3/],
    ['no end', ['--pods', '3', '-r', '5', 'flow.json'], /needs an end|-n|-t/],
    ['a flow that is missing', [...LOAD, 'none.json'], /none\.json/],
    ['a password', [...LOAD, '-u', 'me', '-p', 'x', 'flow.json'], /would be readable in the job.*--secret/],
    [
      'the password of a proxy',
      [...LOAD, '-x', 'http://me:x@proxy:3128', 'flow.json'],
      /--proxy: its password.*--secret/,
    ],
    ['a file of this machine', [...LOAD, '--socket-path', '/run/x', 'flow.json'], /socket of this machine/],
    ['variables of a file', [...LOAD, '--dotenv', 'my.env', 'flow.json'], /keep its variables in a secret.*--secret/],
    ['rows that are missing', [...LOAD, 'rows.json'], /flow\.data\.users: .*none\.csv does not exist/],
    [
      'a module that the flow imports by a computed name',
      [...LOAD, 'computed.mjs'],
      /in a pod, .*there\.mjs.*--include/,
    ],
    ['a file that code reads', [...LOAD, 'reads.mjs'], /in a pod, .*users\.txt.*--include/],
    ['a module that a hook imports late', [...LOAD, 'late.mjs'], /late\.mjs:1:\d+: .*nothere\.mjs/],
    [
      'a start while the pods agree on one',
      [...LOAD, '--start-at', '2030-01-01T00:00:00Z', 'flow.json'],
      /--start-at: the pods agree .*--no-claim/,
    ],
    ['a file name that a ConfigMap refuses', [...LOAD, 'fl\u00f6w.json'], /fl\u00f6w\.json: a ConfigMap allows/],
    ['a claim that Kubernetes refuses', [...LOAD, '--claim', 'Bad Claim', 'flow.json'], /--claim Bad Claim is not/],
    ['a secret that Kubernetes refuses', [...LOAD, '--secret', 'Bad_S', 'flow.json'], /--secret Bad_S is not valid/],
    ['no image', [...LOAD, '--image', 'not an image', 'flow.json'], /--image not an image is not valid/],
    ['limits of the flow that would end one shard', [...LOAD, 'aborts.json'], /judge one shard/],
    ['a shard', [...LOAD, '--shard', '1/3', 'flow.json'], /each pod has its own/],
    [
      'a file of another folder',
      [...LOAD, 'flow.json', '--include', 'inner/data.csv'],
      /not in the folder of the flow/,
    ],
    ['more than a ConfigMap holds', [...LOAD, 'flow.json', '--include', 'large.txt'], /1,000,000 bytes/],
    ['a name that Kubernetes refuses', [...LOAD, '--name', 'My_Job', 'flow.json'], /--name My_Job is not valid/],
    [
      'a file with the name of that of the options',
      [...LOAD, 'flow.json', '--include', '.bench-restrc.json'],
      /bench-restrc\.json: the job has a file of this name/,
    ],
    ['no number of pods', ['-t', '1s', 'flow.json'], /--pods/],
  ])
    it(`refuses ${what}`, async () => {
      const { code, stdout, stderr } = await k8s(...args);
      expect({ code: code > 0, stdout }).to.deep.equal({ code: true, stdout: '' });
      expect(stderr).to.match(says);
    });

  const AUTHORIZATION = { headers: { authorization: 'Bearer CANARY' } };
  for (const [what, file, text] of [
    ['a field', 'secret.json', JSON.stringify({ ...AUTHORIZATION, main: ['http://a/'] })],
    [
      'a field of code',
      'secret.mjs',
      `export default { main: [{ get: 'http://a/', headers: { 'x-key': 'CANARY' } }] };`,
    ],
    ['a query', 'query.json', JSON.stringify({ main: ['http://a/?sig=CANARY'] })],
    [
      'the options of a flow',
      'options.json',
      JSON.stringify({ main: ['http://a/'], runOptions: { password: 'CANARY' } }),
    ],
    [
      'the arguments of a flow of code',
      'args.mjs',
      `export default { main: ['http://a/'], runOptions: { args: { token: 'CANARY' } } };`,
    ],
    ['an included file', 'key.pem', '-----BEGIN PRIVATE KEY-----\nCANARY'],
    [
      'a key of PKCS #12',
      'pfx.json',
      JSON.stringify({ main: [{ get: 'https://a/', pfx: 'client.p12', passphrase: '#{env.P}' }] }),
    ],
  ])
    it(`X66 refuses a secret in ${what}`, async () => {
      writeFileSync(join(folder, file), text);
      const args = file === 'key.pem' ? ['flow.json', '--include', file] : ['--secret', 'keys', file];
      const { code, stdout, stderr } = await k8s(...LOAD, ...args);
      expect({ code, stdout }, stderr).to.deep.equal({ code: 2, stdout: '' });
      expect(stderr)
        .to.match(/would be readable in the job: write #\{env\.NAME\}.*--secret/)
        .and.not.include('CANARY');
    });

  it('X66 allows a secret that code reads from its environment, and drops recorded cookies', async () => {
    const options = "{ user: process.env.PATH, password: process.env.PATH, headers: { 'x-key': process.env.PATH } }";
    const code = `export default { main: [{ get: 'http://a/', headers: { 'x-key': process.env.PATH } }], runOptions: ${options} };`;
    writeFileSync(join(folder, 'env.mjs'), code);
    expect((await k8s(...LOAD, 'env.mjs')).code).to.equal(0);
    const request = {
      ...{ method: 'GET', url: 'http://a/', httpVersion: 'HTTP/1.1', queryString: [], cookies: [] },
      headers: [{ name: 'Cookie', value: 'a=CANARY' }],
    };
    // more than a ConfigMap holds, and not sent
    const response = { status: 200, content: { text: 'x'.repeat(1_000_000) } };
    const entries = [{ startedDateTime: '2026-01-01T00:00:00Z', time: 1, request, response }];
    writeFileSync(join(folder, 'site.har'), JSON.stringify({ log: { version: '1.2', entries } }));
    const { code: exit, stdout, stderr } = await k8s(...LOAD, 'site.har');
    expect(exit, stderr).to.equal(0);
    expect(stdout).to.include('site.har').and.not.include('CANARY');
  });

  it('deploy/kubernetes/job.yaml is what the command in its README prints', async () => {
    const line = /^bench-rest k8s (.*) > job\.yaml$/m.exec(read('deploy/kubernetes/README.md'))[1];
    const { stdout } = await command(['k8s', ...line.split(' ')]);
    expect(stdout).to.equal(read('deploy/kubernetes/job.yaml'));
  });

  it('deploy/kubernetes/merge.yaml is what the command in its README prints', async () => {
    const [, quoted] = /^bench-rest k8s (--merge .*) > merge\.yaml$/m.exec(read('deploy/kubernetes/README.md'));
    const line = quoted.replaceAll("'", '');
    const { stdout } = await command(['k8s', ...line.split(' ')]);
    expect(stdout).to.equal(read('deploy/kubernetes/merge.yaml'));
  });

  it('the commands of the documents put the id of the job everywhere into the job that merges', () => {
    const merge = read('deploy/kubernetes/merge.yaml').split('\n');
    for (const path of ['docs/recipes/kubernetes.md', 'deploy/kubernetes/README.md']) {
      const [, flags] = /s\/JOB_UID\/[^/]+\/(g?)/.exec(read(path));
      const lines = merge.map((line) => line.replace(new RegExp('JOB_UID', flags), 'id'));
      expect(lines.join('\n'), path).not.to.include('JOB_UID');
    }
  });

  it('the job that merges reads the files that the shards write', () => {
    const [, job] = parseAllDocuments(read('deploy/kubernetes/job.yaml')).map((document) => document.toJS());
    const { args } = job.spec.template.spec.containers[0];
    const [written] = args[args.indexOf('-o') + 1].split('$');
    const merge = parse(read('deploy/kubernetes/merge.yaml')).spec.template.spec;
    expect(merge.containers[0].command[2]).to.include(`${written}JOB_UID-*.json`);
    expect(merge.volumes.at(-1).persistentVolumeClaim.claimName).to.equal(
      parse(read('deploy/kubernetes/results.yaml')).metadata.name,
    );
  });
});

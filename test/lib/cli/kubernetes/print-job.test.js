import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect } from 'chai';
import { parse, parseAllDocuments } from 'yaml';

import { ROOT, command } from '../../../support/command.js';

const LOAD = ['--agents', '3', '-c', '30', '-t', '60s'];
const read = (path) => readFileSync(join(ROOT, path), 'utf8');

describe('cli/kubernetes/print-job', () => {
  let folder;
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'bench-rest-k8s-'));
    mkdirSync(join(folder, 'inner'));
    writeFileSync(join(folder, 'rows.json'), '{ "data": { "users": "none.csv" }, "main": ["http://a/#{users.id}"] }');
    writeFileSync(join(folder, 'flow.json'), JSON.stringify({ main: [{ get: 'http://x.test/#{INDEX}' }] }));
    writeFileSync(join(folder, 'inner', 'data.csv'), 'a\n1\n');
    writeFileSync(join(folder, 'my.env'), 'A=1\n');
    writeFileSync(join(folder, 'large.txt'), 'x'.repeat(1_000_000));
  });
  after(() => rmSync(folder, { recursive: true }));
  const k8s = (...args) => command(['k8s', ...args], { cwd: folder });

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

  it('the options of the job are those that a run reads', async () => {
    const { stdout } = await k8s(
      '--agents',
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

  for (const [what, args, says] of [
    ['a load that cannot be divided', ['--agents', '3', '-c', '2', '-t', '1s', 'flow.json'], /cannot be divided by 3/],
    ['no end', ['--agents', '3', '-r', '5', 'flow.json'], /needs an end|-n|-t/],
    ['a flow that is missing', [...LOAD, 'none.json'], /none\.json/],
    ['a password', [...LOAD, '-u', 'me', '-p', 'x', 'flow.json'], /would be readable in the job.*--secret/],
    [
      'the password of a proxy',
      [...LOAD, '-x', 'http://me:x@proxy:3128', 'flow.json'],
      /--proxy: its password.*--secret/,
    ],
    ['a file of this machine', [...LOAD, '--socket-path', '/run/x', 'flow.json'], /socket of this machine/],
    ['variables of a file', [...LOAD, '--env-file', 'my.env', 'flow.json'], /keep its variables in a secret.*--secret/],
    ['rows that are missing', [...LOAD, 'rows.json'], /flow\.data\.users: .*none\.csv does not exist/],
    ['a shard', [...LOAD, '--shard', '1/3', 'flow.json'], /each pod has its own/],
    [
      'a file of another folder',
      [...LOAD, 'flow.json', '--include', 'inner/data.csv'],
      /not in the folder of the flow/,
    ],
    ['more than a ConfigMap holds', [...LOAD, 'flow.json', '--include', 'large.txt'], /1,000,000 bytes/],
    ['a name that Kubernetes refuses', [...LOAD, '--name', 'My_Job', 'flow.json'], /--name My_Job is not valid/],
    ['no number of pods', ['-t', '1s', 'flow.json'], /--agents/],
  ])
    it(`refuses ${what}`, async () => {
      const { code, stdout, stderr } = await k8s(...args);
      expect({ code: code > 0, stdout }).to.deep.equal({ code: true, stdout: '' });
      expect(stderr).to.match(says);
    });

  it('deploy/kubernetes/job.yaml is what the command in its README prints', async () => {
    const line = /^bench-rest k8s (.*) > job\.yaml$/m.exec(read('deploy/kubernetes/README.md'))[1];
    const { stdout } = await command(['k8s', ...line.split(' ')]);
    expect(stdout).to.equal(read('deploy/kubernetes/job.yaml'));
  });

  it('the job that merges reads the files that the shards write', () => {
    const [, job] = parseAllDocuments(read('deploy/kubernetes/job.yaml')).map((document) => document.toJS());
    const { args } = job.spec.template.spec.containers[0];
    const [written] = args[args.indexOf('-o') + 1].split('$');
    const merge = parse(read('deploy/kubernetes/merge.yaml')).spec.template.spec;
    expect(merge.containers[0].args[0]).to.include(`${written}*.json`);
    expect(merge.volumes[0].persistentVolumeClaim.claimName).to.equal(
      parse(read('deploy/kubernetes/results.yaml')).metadata.name,
    );
  });
});

import { expect } from 'chai';

import { jobOf, mergeJobOf } from '../../../lib/addons/kubernetes/job.js';

const SETTINGS = {
  name: 'load',
  flow: 'flow.mjs',
  files: { 'flow.mjs': Buffer.from('export default []'), '.bench-restrc.json': Buffer.from('{}') },
  leadMs: 15_000,
  hasThresholds: false,
  pods: 20,
  version: '2.0.0',
  claim: 'results',
  lastingMs: 60_000,
};
const containerOf = (settings) => jobOf({ ...SETTINGS, ...settings })[1].spec.template.spec.containers[0];
const podOf = (settings) => jobOf({ ...SETTINGS, ...settings })[1].spec.template.spec;

describe('a Job of Kubernetes', () => {
  it('has a pod for each shard', () => {
    const [, { spec }] = jobOf(SETTINGS);
    expect(spec).to.include({ completionMode: 'Indexed', completions: 20, parallelism: 20 });
    expect(containerOf({}).args.slice(0, 2)).to.deep.equal(['--shard', 'auto/20']);
  });

  it('the files are in the folder in which the flow runs', () => {
    const [configMap, { spec }] = jobOf(SETTINGS);
    expect(configMap.data).to.deep.equal({ 'flow.mjs': 'export default []', '.bench-restrc.json': '{}' });
    expect(configMap).not.to.have.property('binaryData');
    const [{ workingDir, volumeMounts, args }] = spec.template.spec.containers;
    expect(volumeMounts).to.deep.include({ name: 'flow', mountPath: workingDir, readOnly: true });
    expect(args.at(-1)).to.equal('flow.mjs');
  });

  it('files that are no text keep their bytes, and texts their byte order mark', () => {
    const mark = Buffer.from('\ufeffa');
    const image = Buffer.from([0x89, 0x50, 0xff, 0]);
    const [{ data, binaryData }] = jobOf({ ...SETTINGS, files: { 'bom.txt': mark, 'a.png': image } });
    expect(Buffer.from(data['bom.txt'])).to.deep.equal(mark);
    expect(Buffer.from(binaryData['a.png'], 'base64')).to.deep.equal(image);
  });

  it('thresholds of the flow are replaced in the pods by one that is always true', () => {
    const { args } = containerOf({ hasThresholds: true });
    expect(args.slice(args.indexOf('--threshold'), -1)).to.include('iterations.started>=0');
    expect(containerOf({}).args).not.to.include('--threshold');
  });

  it('runs the version that wrote it, or an image', () => {
    expect(containerOf({})).to.deep.include({ image: 'node:22-alpine', command: ['npx', '--yes', 'bench-rest@2.0.0'] });
    expect(containerOf({ image: 'mine:1' }))
      .to.deep.include({ image: 'mine:1' })
      .and.not.have.property('command');
  });

  it('Kubernetes expands nothing in a flow and a threshold', () => {
    const flow = 'http://h/$(JOB_UID)/$$(A)/$5$';
    const wanted = 'http://h/$$(JOB_UID)/$$$$(A)/$5$';
    // The rule of Kubernetes: $$ is $, and $(NAME) is a variable.
    const expanded = (text) => text.replace(/\$\$|\$\((\w+)\)/g, (_, name) => (name ? 'EXPANDED' : '$'));
    const { args } = containerOf({ flow });
    expect(args.at(-1)).to.equal(wanted);
    expect(expanded(args.at(-1))).to.equal(flow);
  });

  it('run and result have the id of the job, which is new each time', () => {
    const { args, env } = containerOf({});
    expect(args).to.include('load-$(JOB_UID)').and.include('/results/load-$(JOB_UID)-$(SHARD_INDEX).json');
    const { valueFrom } = env.find(({ name }) => name === 'JOB_UID');
    expect(valueFrom.fieldRef.fieldPath).to.equal("metadata.labels['batch.kubernetes.io/controller-uid']");
  });

  it('pods follow Pod Security "restricted", end, and are removed', () => {
    const [, { spec }] = jobOf(SETTINGS);
    expect(spec).to.include({ activeDeadlineSeconds: 660, ttlSecondsAfterFinished: 86_400 });
    const { securityContext, automountServiceAccountToken, containers, initContainers } = spec.template.spec;
    expect(automountServiceAccountToken).to.equal(false);
    expect(securityContext).to.deep.include({ runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } });
    for (const container of [...containers, ...initContainers]) {
      expect(container.securityContext).to.deep.equal({
        allowPrivilegeEscalation: false,
        capabilities: { drop: ['ALL'] },
      });
      expect(container.resources).to.have.keys('requests', 'limits');
      // a limit would stop the load generator for parts of each period
      expect(container.resources.limits).not.to.have.property('cpu');
    }
  });

  it('without a volume results are printed, and pods start on their own', () => {
    const pod = podOf({ claim: false });
    expect(pod).not.to.have.property('initContainers');
    expect(pod.volumes.map(({ name }) => name)).to.deep.equal(['flow', 'tmp']);
    expect(pod.containers[0].args.join(' ')).to.include('--format ndjson').and.not.include(' -o ');
  });

  it('the job that merges reads the results of one job, and has the thresholds', () => {
    const merge = (settings) =>
      mergeJobOf({ name: 'load', version: '2.0.0', claim: 'results', thresholds: ['p99<1s'], ...settings });
    const [{ command, args }] = merge({}).spec.template.spec.containers;
    expect(command[2]).to.equal(
      'rm -rf /results/.start-load-JOB_UID; exec npx --yes bench-rest@2.0.0 merge "$@" /results/load-JOB_UID-*.json',
    );
    expect(args.slice(0, 2)).to.deep.equal(['--threshold', 'p99<1s']);
    expect(merge({ image: 'mine:1' }).spec.template.spec.containers[0].command[2]).to.match(/; exec bench-rest merge/);
  });

  it('a secret becomes environment variables', () => {
    expect(containerOf({ secret: 'mine' }).envFrom).to.deep.equal([{ secretRef: { name: 'mine' } }]);
    expect(containerOf({})).not.to.have.property('envFrom');
  });
});

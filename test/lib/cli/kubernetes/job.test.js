import { expect } from 'chai';

import { jobOf } from '../../../../lib/cli/kubernetes/job.js';

const SETTINGS = {
  name: 'load',
  flow: 'flow.mjs',
  files: { 'flow.mjs': 'export default []', '.bench-restrc.json': '{}' },
  agents: 20,
  version: '2.0.0',
  claim: 'results',
};
const containerOf = (settings) => jobOf({ ...SETTINGS, ...settings })[1].spec.template.spec.containers[0];
const runIdOf = (settings) => containerOf(settings).args[3];

describe('cli/kubernetes/job', () => {
  it('has a pod for each shard', () => {
    const [, { spec }] = jobOf(SETTINGS);
    expect(spec).to.include({ completionMode: 'Indexed', completions: 20, parallelism: 20 });
    expect(containerOf({}).args.slice(0, 2)).to.deep.equal(['--shard', 'auto/20']);
  });

  it('the files are in the folder in which the flow runs', () => {
    const [configMap, { spec }] = jobOf(SETTINGS);
    expect(configMap.data).to.equal(SETTINGS.files);
    const [{ workingDir, volumeMounts, args }] = spec.template.spec.containers;
    expect(volumeMounts[0]).to.deep.include({ name: 'flow', mountPath: workingDir });
    expect(args.at(-1)).to.equal('flow.mjs');
  });

  it('runs the version that wrote it, or an image', () => {
    expect(containerOf({})).to.deep.include({ image: 'node:22-alpine', command: ['npx', '--yes', 'bench-rest@2.0.0'] });
    expect(containerOf({ image: 'mine:1' }))
      .to.deep.include({ image: 'mine:1' })
      .and.not.have.property('command');
  });

  it('the name of the run is that of its flow and options', () => {
    expect(runIdOf({})).to.match(/^load-[0-9a-f]{12}$/);
    expect(runIdOf({})).to.equal(runIdOf({ image: 'mine:1' }));
    expect(runIdOf({})).not.to.equal(runIdOf({ files: { 'flow.mjs': 'export default 1' } }));
  });

  it('a secret becomes environment variables', () => {
    expect(containerOf({ secret: 'mine' }).envFrom).to.deep.equal([{ secretRef: { name: 'mine' } }]);
    expect(containerOf({})).not.to.have.property('envFrom');
  });
});

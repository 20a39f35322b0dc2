import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect } from 'chai';

import { startScript } from '../../../lib/addons/kubernetes/job.js';
import { itSlow } from '../../support/slow.js';

describe('the script of a pod', () => {
  let folder;
  beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'bench-rest-start-'))));
  afterEach(() => rmSync(folder, { recursive: true }));
  const at = (name) => join(folder, name);

  itSlow('all pods agree on one start, which is the only change of their configuration', async () => {
    writeFileSync(at('config.json'), '{"limit":30}');
    const pods = [0, 1, 2].map((index) => {
      const settings = {
        of: 3,
        leadMs: 15_000,
        packageName: null,
        config: at('config.json'),
        folder: at('.start'),
        out: at(`${index}`),
      };
      const env = { ...process.env, JOB_UID: 'u-1', SHARD_INDEX: String(index) };
      return spawn(process.execPath, ['-e', startScript(settings)], { env, stdio: 'ignore' });
    });
    for (const pod of pods) if (pod.exitCode === null) await once(pod, 'exit');
    const configs = [0, 1, 2].map((index) => JSON.parse(readFileSync(at(`${index}`), 'utf8')));
    for (const config of configs) expect(config).to.deep.equal(configs[0]);
    expect(configs[0]).to.have.all.keys('limit', 'startAt');
    expect(Date.parse(configs[0].startAt)).to.be.above(Date.now());
  });

  it('downloads bench-rest before it waits, unless the image has it', () => {
    const settings = { of: 3, leadMs: 15_000, config: 'c', folder: 'f', out: 'o' };
    expect(startScript({ ...settings, packageName: 'bench-rest@2.0.0' })).to.match(/^[^;]+'bench-rest@2\.0\.0'/);
    expect(startScript({ ...settings, packageName: null })).not.to.include('npx');
  });
});

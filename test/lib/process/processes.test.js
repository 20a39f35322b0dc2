import { spawn } from 'node:child_process';
import { once } from 'node:events';

import { expect } from 'chai';

import { groupMembers, processTree, usageOf } from '../../../lib/process/processes.js';

describe('measure/processes', function () {
  before(function () {
    if (process.platform !== 'linux') this.skip();
  });

  it('a group and the descendants that left it are one tree', async () => {
    const child = spawn('/bin/sh', ['-c', 'sleep 100 & setsid sleep 100 & echo ready; wait'], {
      detached: true,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    try {
      await once(child.stdout, 'data');
      expect(groupMembers(child.pid)).to.include(child.pid);
      expect(processTree(child.pid)).to.include.members(groupMembers(child.pid));
      expect(processTree(child.pid)).to.have.lengthOf.at.least(3);
    } finally {
      for (const pid of processTree(child.pid)) process.kill(pid, 'SIGKILL');
    }
  });

  it('CPU time and memory of a process are those that it sees itself', () => {
    const { cpuMs, bytes } = usageOf([process.pid]);
    const { user, system } = process.cpuUsage();
    expect(cpuMs).to.be.at.most((user + system) / 1000 + 1e6);
    expect(bytes).to.be.within(process.memoryUsage.rss() / 2, process.memoryUsage.rss() * 2);
  });

  it('a process that does not exist uses nothing and has no group', () => {
    expect(usageOf([2 ** 22 + 1])).to.deep.equal({ cpuMs: 0, bytes: 0 });
    expect(groupMembers(2 ** 22 + 1)).to.deep.equal([]);
  });
});

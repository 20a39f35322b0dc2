import { spawn } from 'node:child_process';
import { once } from 'node:events';

import { expect } from 'chai';

import { groupMembers, processesFrom } from '../../../lib/addons/processes/processes.js';

describe('processes of this machine', function () {
  before(function () {
    if (process.platform !== 'linux') this.skip();
  });

  it('a group and the descendants that left it are one tree', async () => {
    const child = spawn('/bin/sh', ['-c', 'sleep 100 & setsid sleep 100 & echo ready; wait'], {
      detached: true,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const tree = () => processesFrom(({ group }) => group === child.pid).map(({ pid }) => pid);
    try {
      await once(child.stdout, 'data');
      expect(groupMembers(child.pid)).to.include(child.pid);
      expect(tree()).to.include.members(groupMembers(child.pid));
      expect(tree()).to.have.lengthOf.at.least(3);
    } finally {
      for (const pid of tree()) process.kill(pid, 'SIGKILL');
    }
  });

  it('a process that does not exist has no group', () => {
    expect(groupMembers(2 ** 22 + 1)).to.deep.equal([]);
  });
});

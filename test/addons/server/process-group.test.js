import { spawn } from 'node:child_process';
import { once } from 'node:events';

import { expect } from 'chai';

import { endGroup, guardGroup, isGroupAlive, signalGroup } from '../../../lib/addons/server/process-group.js';
import { until } from '../../support/until.js';

/** A script of the shell that leads a group; resolves when it has printed something. */
async function grouped(script) {
  const child = spawn('/bin/sh', ['-c', script], { detached: true, stdio: ['ignore', 'pipe', 'ignore'] });
  await once(child.stdout, 'data');
  return child.pid;
}

const MODULE = new URL('../../../lib/addons/server/process-group.js', import.meta.url).href;

describe('the process group of a server', () => {
  it('SIGTERM ends the leader and what it started', async () => {
    const pid = await grouped('sleep 100 & echo ready; wait');
    await endGroup(pid, 60_000);
    expect(isGroupAlive(pid)).to.equal(false);
  });

  it('a group whose leader has ended is alive until the others have', async () => {
    const pid = await grouped('sleep 100 & echo ready');
    await until(() => isGroupAlive(pid));
    await endGroup(pid, 60_000);
    expect(isGroupAlive(pid)).to.equal(false);
  });

  it('F102 a process that ignores SIGTERM is killed after the grace period', async () => {
    const pid = await grouped('trap "" TERM; echo ready; sleep 100; sleep 100');
    await endGroup(pid, 20);
    await until(() => !isGroupAlive(pid));
  });

  it('on Windows any signal ends the tree of processes, which has no group', () => {
    const commands = [];
    signalGroup(4711, 'SIGTERM', { isWindows: true, run: (...command) => commands.push(command.slice(0, 2).flat()) });
    expect(commands).to.deep.equal([['taskkill', '/pid', '4711', '/T', '/F']]);
  });

  it('a signal to a group that is gone does nothing', async () => {
    const pid = await grouped('echo ready');
    await until(() => !isGroupAlive(pid));
    signalGroup(pid, 'SIGTERM');
    await endGroup(pid, 60_000);
  });

  it('F103 a group ends with the process that guards it, even if that one is killed', async () => {
    const pid = await grouped('echo ready; sleep 100');
    const program = `(await import('${MODULE}')).guardGroup(${pid}); setTimeout(() => process.kill(process.pid, 'SIGKILL'), 50)`;
    const guarding = spawn(process.execPath, ['--input-type=module', '-e', program], { stdio: 'ignore' });
    await once(guarding, 'exit');
    await until(() => !isGroupAlive(pid));
  });

  it('a guard that is released leaves the group alone', async () => {
    const pid = await grouped('echo ready; sleep 100');
    const release = guardGroup(pid);
    release();
    expect(isGroupAlive(pid)).to.equal(true);
    await endGroup(pid, 60_000);
  });
});

import { spawn } from 'node:child_process';
import { once } from 'node:events';

import { expect } from 'chai';

import { endGroup, guardGroup, isGroupAlive, signalGroup } from '../../../lib/addons/server/process-group.js';
import { freePort } from '../../../lib/addons/server/run-with-server.js';
import { ServerMark } from '../../../lib/addons/server/server-mark.js';
import { until } from '../../support/until.js';

/** A script of the shell that leads a group; resolves when it has printed something. */
async function grouped(script) {
  const child = spawn('/bin/sh', ['-c', script], { detached: true, stdio: ['ignore', 'pipe', 'ignore'] });
  await once(child.stdout, 'data');
  return child.pid;
}

const MODULE = new URL('../../../lib/addons/server/process-group.js', import.meta.url).href;

describe('run/server/process-group', () => {
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

  describe('a server without marks', () => {
    before(function () {
      if (process.platform !== 'linux') this.skip();
    });

    // addresses differ, as the port alone tells where a server listens
    const listener = (port, host) =>
      `require('net').createServer().listen(${port}, '${host}', () => console.log('listens'))`;
    const MARK = new URL('../../../lib/addons/server/server-mark.js', import.meta.url).href;

    /** Starts a listener, in the session of the test or in one of its own. */
    async function listens(port, host, { isDaemon = false } = {}) {
      const child = spawn(process.execPath, ['-e', listener(port, host)], {
        detached: isDaemon,
        stdio: ['ignore', 'pipe', 'ignore'],
      });
      await once(child.stdout, 'data');
      return child;
    }

    /** Ends a server at the port of a process that listened before; resolves with those that still run. */
    async function survivors(end) {
      const port = await freePort();
      const earlier = await listens(port, '127.0.0.2', { isDaemon: true });
      await new Promise((done) => setTimeout(done, 30));
      const others = await end(port, async () => {
        const [daemon, innocent] = await Promise.all([
          listens(port, '127.0.0.3', { isDaemon: true }),
          listens(port, '127.0.0.4'),
        ]);
        return { daemon, innocent };
      });
      const all = { earlier, ...others };
      await until(() => all.daemon.signalCode !== null);
      const result = Object.keys(all).filter((name) => all[name].exitCode === null && all[name].signalCode === null);
      for (const child of Object.values(all)) child.kill('SIGKILL');
      return result;
    }

    it('is ended at its port, and neither an earlier listener nor one of our own session', async () => {
      const result = await survivors(async (port, start) => {
        const mark = new ServerMark({ ports: [port] });
        const leader = mark.withFile(() => spawn('sleep', ['100'], { detached: true, stdio: 'ignore' }));
        const others = await start();
        await endGroup(leader.pid, 60_000, mark);
        return others;
      });
      expect(result).to.deep.equal(['earlier', 'innocent']);
    });

    it('is ended so by the guard, when bench-rest is killed', async () => {
      const result = await survivors(async (port, start) => {
        const program = `
          const { guardGroup } = await import('${MODULE}');
          const { ServerMark } = await import('${MARK}');
          const { spawn } = await import('node:child_process');
          const mark = new ServerMark({ ports: [${port}] });
          const leader = mark.withFile(() => spawn('sleep', ['100'], { detached: true, stdio: 'ignore' }));
          guardGroup(leader.pid, mark);
          console.log(leader.pid);
          setTimeout(() => {}, 60_000);`;
        const guarding = spawn(process.execPath, ['--input-type=module', '-e', program], {
          stdio: ['ignore', 'pipe', 'ignore'],
        });
        const [pid] = await once(guarding.stdout, 'data');
        const others = await start();
        guarding.kill('SIGKILL');
        await until(() => !isGroupAlive(Number(pid)));
        return others;
      });
      expect(result).to.deep.equal(['earlier', 'innocent']);
    });

    it('leaves the next server at its port alone', async () => {
      const port = await freePort();
      const mark = new ServerMark({ ports: [port] });
      const leader = mark.withFile(() => spawn('sleep', ['100'], { detached: true, stdio: 'ignore' }));
      const known = mark.processes();
      const next = await listens(port, '127.0.0.1', { isDaemon: true });
      expect(mark.signalOutside('SIGKILL', leader.pid, known)).to.deep.equal([]);
      expect(mark.processes().map(({ pid }) => pid)).to.include(next.pid);
      next.kill('SIGKILL');
      await endGroup(leader.pid, 60_000);
    });
  });
});

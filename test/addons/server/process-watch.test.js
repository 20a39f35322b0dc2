import { spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { once } from 'node:events';
import { cpus } from 'node:os';

import { expect } from 'chai';

import { ProcessWatch } from '../../../lib/addons/server/process-watch.js';
import { processesFrom } from '../../../lib/addons/processes/processes.js';

const state = (pid, cpuMs, { parent = 1, startedAt = '1', awaitedMs = 0 } = {}) => ({
  ...{ pid, parent, group: pid, session: 1, name: `p${pid}`, startedAt, isRunning: true, cpuMs, awaitedMs },
});
/** A number that no process has. */
const NONE = 2 ** 22;

describe('processes that are watched', () => {
  before(function () {
    if (process.platform !== 'linux') this.skip();
  });

  it('a process has CPU time, memory, threads, open files and context switches', async () => {
    const script = 'const end = Date.now() + 60000; const f = () => { if (Date.now() < end) setImmediate(f); }; f()';
    const child = spawn(process.execPath, ['-e', script]);
    await once(child, 'spawn');
    try {
      const watch = new ProcessWatch(
        () =>
          ({ pid }) =>
            pid === child.pid,
      );
      watch.begin();
      let sample = null;
      while (!sample || sample.cpuTime === 0 || sample.threads < 2) {
        await new Promise((resolve) => setTimeout(resolve, 50));
        sample = watch.sample();
      }
      expect(sample).to.include({ processes: 1 });
      expect(sample.memory).to.be.above(1e6);
      expect(sample.threads).to.be.above(1);
      expect(sample.openFiles).to.be.above(2);
      expect(sample.busiestThread + sample.busiestThreadWait).to.be.above(0);
      expect(sample.network).to.equal(null);
      expect(sample.cores).to.be.within(1, cpus().length);
      expect(watch.rows()).to.have.lengthOf(1);
    } finally {
      child.kill('SIGKILL');
    }
  });

  it('open files are those of the moment', () => {
    // without the processes of other tests, which may end meanwhile
    const list = () => processesFrom(({ pid }) => pid === process.pid).filter(({ pid }) => pid === process.pid);
    const watch = new ProcessWatch(() => () => true, { list, now: () => performance.now() });
    watch.begin();
    const before = watch.sample().openFiles;
    const files = Array.from({ length: 20 }, () => openSync('/dev/null'));
    const after = watch.sample().openFiles;
    files.forEach(closeSync);
    expect(after - before).to.be.within(10, 30);
  });

  it('the load generator, and what it starts, are no part of a process that has started it', async () => {
    const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)']);
    await once(child, 'spawn');
    try {
      const found = processesFrom(({ pid }) => pid === process.ppid).map(({ pid }) => pid);
      expect(found).to.include(process.ppid);
      expect(found).not.to.include.members([process.pid]);
      expect(found).not.to.include.members([child.pid]);
      const own = processesFrom(({ pid }) => pid === process.pid).map(({ pid }) => pid);
      expect(own).to.include.members([process.pid, child.pid]);
    } finally {
      child.kill('SIGKILL');
    }
  });

  it('processes that are not there have no figures', () => {
    const watch = new ProcessWatch(
      () =>
        ({ pid }) =>
          pid === NONE + 1,
    );
    watch.begin();
    expect(watch.sample()).to.equal(null);
    expect(watch.rows()).to.deep.equal([]);
  });

  describe('CPU time', () => {
    /** Returns the CPU time of each sample, by lists of processes. */
    const cpuTimes = (...lists) => {
      let ms = 0;
      const list = (isRoot) => lists.shift().filter(isRoot);
      const watch = new ProcessWatch(() => () => true, { list, now: () => (ms += 1) });
      watch.begin();
      return Array.from({ length: lists.length }, () => {
        ms += 1000;
        return watch.sample()?.cpuTime ?? null;
      });
    };

    it('counts from the begin', () => {
      expect(cpuTimes([state(NONE, 500)], [state(NONE, 520)], [state(NONE, 560)])).to.deep.equal([20, 40]);
    });

    it('of a process that starts later counts as a whole', () => {
      const parent = state(NONE, 100);
      const child = state(NONE + 1, 30, { parent: NONE });
      expect(cpuTimes([parent], [parent, child])).to.deep.equal([30]);
    });

    const [A, B, C] = [NONE, NONE + 1, NONE + 2];
    const child = state(B, 30, { parent: A });

    it('of a child that ended counts once, though its parent has awaited it then', () => {
      expect(cpuTimes([state(A, 100), child], [state(A, 105, { awaitedMs: 40 })])).to.deep.equal([15]);
    });

    it('of a child that is awaited long after its end counts once', () => {
      const later = [[state(A, 105)], [state(A, 108)], [state(A, 110, { awaitedMs: 40 })]];
      expect(cpuTimes([state(A, 100), child], ...later)).to.deep.equal([5, 3, 12]);
    });

    it('of a child that ended before it was seen counts when it is awaited', () => {
      expect(cpuTimes([state(A, 100)], [state(A, 100, { awaitedMs: 70 })])).to.deep.equal([70]);
    });

    it('of a child that is never awaited takes nothing from its parent', () => {
      expect(cpuTimes([state(A, 100), child], [state(A, 110)], [state(A, 130)])).to.deep.equal([10, 20]);
    });

    it('of processes that end together with their parents counts once', () => {
      const grandchild = state(C, 50, { parent: B });
      const after = state(A, 100, { awaitedMs: 30 + 50 + 4 });
      expect(cpuTimes([state(A, 100), child, grandchild], [after])).to.deep.equal([4]);
    });

    it('of an orphan counts once, though the first process has awaited it', () => {
      const orphan = state(C, 50, { parent: B });
      const lists = [[state(1, 0), orphan], [state(1, 0, { awaitedMs: 60 })]];
      expect(cpuTimes(...lists)).to.deep.equal([10]);
    });

    it('of another process with the same number is its own', () => {
      const [before, after] = [state(NONE, 900), state(NONE, 20, { startedAt: '2' })];
      expect(cpuTimes([before], [after])).to.deep.equal([20]);
    });
  });

  it('processes that take the place of all that ran are a restart', () => {
    let ms = 0;
    const [A, B] = [state(NONE, 0), state(NONE + 1, 0, { parent: NONE })];
    const again = state(NONE + 2, 0);
    const lists = [[A, B], [B], [], [again], [again, A]];
    const list = (isRoot) => lists.shift().filter(isRoot);
    const watch = new ProcessWatch(() => () => true, { list, now: () => (ms += 1) });
    watch.begin();
    const restarts = Array.from({ length: 4 }, () => {
      ms += 1000;
      return watch.sample()?.restarts ?? null;
    });
    expect(restarts).to.deep.equal([0, null, 1, 1]);
  });

  it('of thousands of processes that ended a few are kept', () => {
    let [pid, ms] = [NONE, 0];
    const list = () => Array.from({ length: 1000 }, () => state(pid++, 10));
    const watch = new ProcessWatch(() => () => true, { list, now: () => (ms += 1000) });
    watch.begin();
    for (let i = 0; i < 3; i++) watch.sample();
    expect(watch.rows()).to.have.lengthOf(20);
  });
});

import { spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { once } from 'node:events';

import { expect } from 'chai';

import { ProcessWatch } from '../../../lib/process/process-watch.js';

const state = (pid, cpuMs, { parent = 1, startedAt = '1' } = {}) => ({
  ...{ pid, parent, group: pid, session: 1, name: `p${pid}`, startedAt, isRunning: true, cpuMs },
});
/** A number that no process has. */
const NONE = 2 ** 22;

describe('process/process-watch', function () {
  before(function () {
    if (process.platform !== 'linux') this.skip();
  });

  it('a process has CPU time, memory, threads, open files and context switches', async function () {
    this.timeout(20_000);
    const script = 'const end = Date.now() + 60000; const f = () => { if (Date.now() < end) setImmediate(f); }; f()';
    const child = spawn(process.execPath, ['-e', script]);
    await once(child, 'spawn');
    try {
      const watch = new ProcessWatch(({ pid }) => pid === child.pid);
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
      expect(watch.rows()).to.have.lengthOf(1);
    } finally {
      child.kill('SIGKILL');
    }
  });

  it('open files are those of the moment', () => {
    const watch = new ProcessWatch(({ pid }) => pid === process.pid);
    watch.begin();
    const before = watch.sample().openFiles;
    const files = Array.from({ length: 20 }, () => openSync('/dev/null'));
    const after = watch.sample().openFiles;
    files.forEach(closeSync);
    expect(after - before).to.be.within(10, 30);
  });

  it('processes that are not there have no figures', () => {
    const watch = new ProcessWatch(({ pid }) => pid === NONE + 1);
    watch.begin();
    expect(watch.sample()).to.equal(null);
    expect(watch.rows()).to.deep.equal([]);
  });

  describe('CPU time', () => {
    /** Returns the CPU time of each sample, by lists of processes. */
    const cpuTimes = (...lists) => {
      let ms = 0;
      const list = (isRoot) => lists.shift().filter(isRoot);
      const watch = new ProcessWatch(() => true, { list, now: () => (ms += 1) });
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

    it('of a child that ended counts once, though its parent has it as its own then', () => {
      const child = state(NONE + 1, 30, { parent: NONE });
      expect(cpuTimes([state(NONE, 100), child], [state(NONE, 145)])).to.deep.equal([15]);
    });

    it('of another process with the same number is its own', () => {
      const [before, after] = [state(NONE, 900), state(NONE, 20, { startedAt: '2' })];
      expect(cpuTimes([before], [after])).to.deep.equal([20]);
    });
  });

  it('of thousands of processes that ended a few are kept', () => {
    let [pid, ms] = [NONE, 0];
    const list = () => Array.from({ length: 1000 }, () => state(pid++, 10));
    const watch = new ProcessWatch(() => true, { list, now: () => (ms += 1000) });
    watch.begin();
    for (let i = 0; i < 3; i++) watch.sample();
    expect(watch.rows()).to.have.lengthOf(20);
  });
});

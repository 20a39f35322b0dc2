import { expect } from 'chai';

import { Recorder } from '../../../../lib/core/measure/recorder.js';
import { indexMemory, startedCounts } from '../../../../lib/core/run/load/arrivals.js';
import { WorkerProgress } from '../../../../lib/core/run/workers/worker-handle.js';

const report = (counts, inFlight) => ({
  state: { counters: { iterations: { started: 0, completed: 0, failed: 0, cancelled: 0, ...counts } } },
  traffic: null,
  thread: null,
  inFlight,
});

describe('the progress of workers', () => {
  it('iterations and requests that a lost worker did not report are counted as cancelled', () => {
    const memory = indexMemory(2);
    const progress = new WorkerProgress(1, memory, { now: () => 0 });
    const recorder = new Recorder();
    // 12 started: the reports contain 10 starts and 8 ends
    startedCounts(memory)[1] = 12;
    progress.add(report({ started: 6, completed: 3, failed: 1 }, 2));
    progress.add(report({ started: 4, completed: 3, cancelled: 1 }, 3));
    progress.cancelUnreported(recorder.requests, (_, counts) => recorder.cancelled(counts));
    expect(recorder.iterations).to.include({ started: 2, cancelled: 4 });
    expect(recorder.requests).to.include({ count: 3, sent: 3, cancelled: 3 });
    expect(progress.inFlight).to.equal(0);
    recorder.close();
  });

  it('those of several loads are counted for each', () => {
    const memory = indexMemory(2, 2);
    const progress = new WorkerProgress(1, memory, { now: () => 0 }, 2);
    startedCounts(memory, 2).set([99, 99, 12, 5]);
    const counters = (counts) => report(counts, 0).state;
    progress.add({ ...report({}, 0), loads: [counters({ started: 10, completed: 8 }), counters({})] });
    const cancelled = [];
    progress.cancelUnreported(new Recorder().requests, (place, counts) => void (cancelled[place] = counts));
    expect(cancelled).to.deep.equal([
      { started: 2, cancelled: 4 },
      { started: 5, cancelled: 5 },
    ]);
  });

  it('silence is the time since the last report, or since the start', () => {
    let now = 1000;
    const progress = new WorkerProgress(0, indexMemory(1), { now: () => now });
    now = 1500;
    expect(progress.silentMs).to.equal(500);
    progress.begin();
    now = 1700;
    expect(progress.silentMs).to.equal(200);
    progress.add(report({}, 0));
    expect(progress.silentMs).to.equal(0);
  });
});

import { EventEmitter } from 'node:events';
import { syncBuiltinESMExports } from 'node:module';
import threads from 'node:worker_threads';

import { expect } from 'chai';

import { WorkerHandle } from '../../../../lib/core/run/workers/worker-handle.js';
import { workerReport } from '../../../support/worker-report.js';

/** A worker whose events come in the order of the test. */
class FakeWorker extends EventEmitter {
  static last;
  isTerminated = false;

  constructor() {
    super();
    FakeWorker.last = this;
  }

  postMessage() {}

  async terminate() {
    this.isTerminated = true;
  }
}

const ANSWER = ['message', { type: 'answer', result: null }];
const REPORT = ['message', workerReport()];

/** What the listener of a handle hears of a worker that emits `events`, after `act(handle)`. */
async function heardOf(events, act = () => {}) {
  const { Worker } = threads;
  threads.Worker = FakeWorker;
  syncBuiltinESMExports();
  try {
    const heard = [];
    const handle = new WorkerHandle(
      { worker: 0, workers: 2, options: {} },
      { onReport: () => heard.push('report'), onLost: ({ message }) => heard.push(message.split(';')[0]) },
    );
    FakeWorker.last.emit(...ANSWER);
    await handle.ready;
    act(handle);
    for (const event of events) FakeWorker.last.emit(...event);
    await handle.close();
    return heard;
  } finally {
    threads.Worker = Worker;
    syncBuiltinESMExports();
  }
}

describe('run/workers/worker-handle', () => {
  it('a report that arrives after the error of its worker is counted before the worker is lost', async () => {
    expect(await heardOf([['error', new Error('ouch')], REPORT, ['exit', 1]])).to.deep.equal([
      'report',
      'worker 1 of 2 was lost: ouch',
    ]);
    expect(FakeWorker.last.isTerminated).to.equal(true);
  });

  it('a worker that ends on its own is lost, whatever it throws', async () => {
    expect(await heardOf([['exit', 3]])).to.deep.equal(['worker 1 of 2 was lost: it ended with code 3']);
    expect(
      await heardOf([
        ['error', undefined],
        ['exit', 1],
      ]),
    ).to.deep.equal(['worker 1 of 2 was lost: no error']);
  });

  it('a report of a terminated worker is ignored: its iterations count as cancelled', async () => {
    const giveUp = (handle) => {
      handle.startAt(0);
      handle.terminateStuck();
    };
    expect(await heardOf([REPORT, ['exit', 1]], giveUp)).to.deep.equal(['worker 1 of 2 was lost: it did not stop']);
  });
});

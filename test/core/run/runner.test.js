import { EventEmitter } from 'node:events';
import { syncBuiltinESMExports } from 'node:module';
import threads from 'node:worker_threads';

import { expect } from 'chai';

import { RunnerThread } from '../../../lib/core/run/runner.js';

/** A thread whose events come in the order of the test. */
class FakeWorker extends EventEmitter {
  posted = [];

  postMessage(message) {
    this.posted.push(message);
  }

  async terminate() {
    this.posted.push('terminate');
  }
}

/** A runner whose thread emits `events`, before and after it has a listener. */
function running(events, early = []) {
  const { Worker } = threads;
  const worker = new FakeWorker();
  threads.Worker = function Fake() {
    return worker;
  };
  syncBuiltinESMExports();
  try {
    const log = [];
    const runner = new RunnerThread(new URL('file:///entry.js'));
    for (const event of early) worker.emit(...event);
    runner.listen({
      read(message) {
        if (typeof message !== 'object') throw new Error('message: expected an object');
        return message;
      },
      onMessage: ({ type }) => log.push(type),
      onLost: (loss) => log.push(loss),
    });
    for (const event of events) worker.emit(...event);
    return { runner, worker, log };
  } finally {
    threads.Worker = Worker;
    syncBuiltinESMExports();
  }
}

const REPORT = ['message', { type: 'report' }];

describe('run/runner', () => {
  it('orders have one form for all threads', () => {
    const { runner, worker } = running([]);
    runner.startAt(5);
    runner.stop('SIGINT', { within: 7 });
    runner.abort();
    expect(worker.posted).to.deep.equal([
      { type: 'start', at: 5 },
      { type: 'stop', reason: 'SIGINT', within: 7 },
      { type: 'abort' },
    ]);
  });

  it('a thread that throws is lost when it has ended: reports that it posted before are read', () => {
    const error = new Error('ouch');
    const { worker, log } = running([['error', error], REPORT, ['exit', 1]]);
    expect(log).to.deep.equal(['report', { error }]);
    expect(worker.posted).to.deep.equal(['terminate']);
  });

  it('a thread that exits is lost with its code', () =>
    expect(running([['exit', 3]]).log).to.deep.equal([{ code: 3 }]));

  it('A84 a thread is lost once by a message of other code, and what it posts later is not read', () => {
    const { worker, log } = running([['message', 'hi'], REPORT, ['exit', 1]]);
    expect(log).to.have.lengthOf(1);
    expect(log[0].reason).to.include('code of the flow posted a message').and.include('message: expected an object');
    expect(worker.posted).to.deep.equal(['terminate']);
  });

  it('a thread that was lost before it had a listener is reported to it', () => {
    const error = new Error('no memory');
    expect(
      running(
        [],
        [
          ['error', error],
          ['exit', 1],
        ],
      ).log,
    ).to.deep.equal([{ error }]);
  });
});

import { expect } from 'chai';

import { onAbort } from '../../../lib/run/benchmark.js';

describe('run/abort-signal', () => {
  /** A signal that counts its listeners. */
  const watched = () => {
    const controller = new AbortController();
    const { signal } = controller;
    const listeners = { count: 0 };
    const { addEventListener, removeEventListener } = signal;
    signal.addEventListener = (...args) => (listeners.count++, addEventListener.apply(signal, args));
    signal.removeEventListener = (...args) => (listeners.count--, removeEventListener.apply(signal, args));
    return { controller, signal, listeners };
  };

  it('an abort stops every run of the signal through one listener', () => {
    const { controller, signal, listeners } = watched();
    const stopped = [];
    for (const run of [1, 2, 3]) onAbort(signal, () => stopped.push(run));
    expect(listeners.count).to.equal(1);
    controller.abort();
    expect(stopped).to.deep.equal([1, 2, 3]);
  });

  it('a run that unsubscribed is not stopped, and the last one removes the listener', () => {
    const { controller, signal, listeners } = watched();
    const stopped = [];
    const unsubscribe = [1, 2].map((run) => onAbort(signal, () => stopped.push(run)));
    unsubscribe[0]();
    expect(listeners.count).to.equal(1);
    unsubscribe[1]();
    expect(listeners.count).to.equal(0);
    controller.abort();
    expect(stopped).to.deep.equal([]);
  });

  it('a signal that is already aborted stops a run at once', () => {
    let isStopped = false;
    onAbort(AbortSignal.abort(), () => (isStopped = true));
    expect(isStopped).to.equal(true);
  });

  it('a run without a signal has nothing to unsubscribe', () =>
    expect(onAbort(undefined, () => {})()).to.equal(undefined));
});

import { getEventListeners } from 'node:events';

import { expect } from 'chai';

import { onAbort } from '../../../lib/core/run/benchmark.js';

describe('the signal of a program', () => {
  const listenersOf = (signal) => getEventListeners(signal, 'abort').length;

  it('an abort stops every run of the signal through one listener', () => {
    const controller = new AbortController();
    const { signal } = controller;
    const stopped = [];
    for (const run of [1, 2, 3]) onAbort(signal, () => stopped.push(run));
    expect(listenersOf(signal)).to.equal(1);
    controller.abort();
    expect(stopped).to.deep.equal([1, 2, 3]);
  });

  it('a run that unsubscribed is not stopped, and the last one removes the listener', () => {
    const controller = new AbortController();
    const { signal } = controller;
    const stopped = [];
    const unsubscribe = [1, 2].map((run) => onAbort(signal, () => stopped.push(run)));
    unsubscribe[0]();
    expect(listenersOf(signal)).to.equal(1);
    unsubscribe[1]();
    expect(listenersOf(signal)).to.equal(0);
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

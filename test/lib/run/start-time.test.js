import { expect } from 'chai';

import { clock, startInstant } from '../../../lib/run/clock.js';

/** An ending that can be told to stop. */
function ending() {
  const listeners = new Set();
  return {
    isOver: false,
    onStop(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    stop() {
      this.isOver = true;
      for (const listener of listeners) listener();
    },
    listeners,
  };
}

describe('run/start-time', () => {
  it('waits until shortly before the time, and returns its instant', async () => {
    const over = ending();
    const time = Date.now() + 60;
    const at = await startInstant(time, { leadMs: 10, ending: over });
    expect(Date.now()).to.be.at.least(time - 11);
    expect(at - clock.now()).to.be.at.most(11);
    expect(over.listeners.size).to.equal(0);
  });

  it('a time in the past is now', async () => {
    const before = clock.now();
    const at = await startInstant(Date.now() - 1e6, { leadMs: 10, ending: ending() });
    expect(at).to.be.within(before, clock.now());
  });

  it('a stop ends the wait', async () => {
    const over = ending();
    const waiting = startInstant(Date.now() + 1e9, { leadMs: 10, ending: over });
    over.stop();
    expect(await waiting).to.be.at.most(clock.now());
  });

  it('a run that is over does not wait', async () => {
    const over = ending();
    over.stop();
    expect(await startInstant(Date.now() + 1e9, { leadMs: 10, ending: over })).to.be.at.most(clock.now());
  });
});

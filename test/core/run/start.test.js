import { expect } from 'chai';

import { clock, commonNow, fromCommonTime } from '../../../lib/core/run/clock.js';
import { startInstant } from '../../../lib/core/run/start.js';

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

describe('the start of the measured iterations', () => {
  it('waits until shortly before the time, and returns its instant', async () => {
    const over = ending();
    const time = Date.now() + 60;
    const at = await startInstant(time, { leadMs: 10, ending: over });
    expect(Date.now()).to.be.at.least(time - 15);
    expect(at - clock.now()).to.be.at.most(15);
    expect(over.listeners.size).to.equal(0);
  });

  it('does not wait for a time in the past', async () => {
    const at = await startInstant(Date.now() - 1e6, { leadMs: 10, ending: ending() });
    expect(clock.now() - at).to.be.at.least(1e6 - 1);
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

  it('waits for an agreement, and until shortly before the start that it has', async () => {
    const start = commonNow() + 60;
    const at = await startInstant(Promise.resolve(start), { leadMs: 10, ending: ending() });
    expect(at).to.equal(fromCommonTime(start));
    expect(commonNow()).to.be.at.least(start - 15);
  });

  it('a stop ends the wait for an agreement', async () => {
    const over = ending();
    const waiting = startInstant(new Promise(() => {}), { leadMs: 10, ending: over });
    over.stop();
    expect(await waiting).to.be.at.most(clock.now());
  });
});

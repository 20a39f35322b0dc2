import { expect } from 'chai';

import { KEYS } from '../../../lib/addons/agents/protocol.js';
import { RunControl } from '../../../lib/addons/agents/run-control.js';
import { connectionOf, jsonIn } from '../../support/seal.js';
import { until } from '../../support/until.js';

const TIMING = { renewMs: 1, controlMs: 2500 };

/** A Redis in memory whose `failure` is thrown. */
function memory() {
  const state = { writes: [], failure: null };
  const redis = {
    async set(...args) {
      if (state.failure) throw state.failure;
      state.writes.push(args);
    },
  };
  return { state, queue: connectionOf(redis) };
}

describe('the control of a run on agents', () => {
  it('is renewed, and expires without it', async () => {
    const { state, queue } = memory();
    const control = new RunControl('r1', TIMING);
    await control.open(queue);
    await until(() => state.writes.length > 3);
    control.close();
    const [key, text, ...expiry] = state.writes.at(-1);
    expect(key).to.equal(KEYS.control('r1'));
    expect(jsonIn(text)).to.deep.equal(control.value);
    expect(expiry).to.deep.equal(['PX', 2500]);
  });

  it('a change is written at once', async () => {
    const { state, queue } = memory();
    const control = new RunControl('r1', { ...TIMING, renewMs: 60_000 });
    await control.open(queue);
    control.change({ order: 'start', startAt: 5 });
    await until(() => state.writes.length > 1);
    expect(jsonIn(state.writes[1][1])).to.include({ order: 'start', startAt: 5 });
    expect(control.isStopped).to.equal(false);
    control.change({ order: 'stop' });
    await until(() => state.writes.length > 2);
    expect(jsonIn(state.writes[2][1])).to.include({ order: 'stop', startAt: 5 });
    expect(control.isStopped).to.equal(true);
    control.close();
  });

  for (const order of ['stop', 'abort']) {
    it(`a start does not replace ${order}, which came while the start was agreed on`, async () => {
      const { state, queue } = memory();
      const control = new RunControl('r1', { ...TIMING, renewMs: 60_000 });
      await control.open(queue);
      control.change({ order, reason: 'SIGINT' });
      control.change({ order: 'start', startAt: 5 });
      await until(() => state.writes.length > 1);
      expect(jsonIn(state.writes.at(-1)[1])).to.include({ order, startAt: null, reason: 'SIGINT' });
      control.close();
    });
  }

  it('keeps a change until it is open, and writes none when it is closed', async () => {
    const { state, queue } = memory();
    const control = new RunControl('r1', TIMING);
    control.change({ order: 'stop' });
    expect(control.isOpen).to.equal(false);
    control.close();
    await control.open(queue);
    control.change({ order: 'abort' });
    expect(state.writes).to.have.lengthOf(1);
    expect(control.value.order).to.equal('abort');
  });

  it('has the error of the last renewal, until one succeeds', async () => {
    const { state, queue } = memory();
    const control = new RunControl('r1', TIMING);
    await control.open(queue);
    state.failure = new Error('OOM');
    await until(() => control.error === state.failure);
    state.failure = null;
    await until(() => control.error === null);
    control.close();
  });

  it('a later stop shortens the grace period, and the first reason counts', () => {
    const control = new RunControl('r1', TIMING);
    const stopped = (reason, within) => {
      control.stop(reason, within);
      const { order, reason: why, within: graceMs } = control.value;
      return [order, why, graceMs];
    };
    expect(stopped('threshold', null)).to.deep.equal(['stop', 'threshold', null]);
    expect(stopped('SIGTERM', 3000)).to.deep.equal(['stop', 'threshold', 3000]);
    expect(stopped('agent', null)).to.deep.equal(['stop', 'threshold', 3000]);
    control.change({ order: 'abort' });
    expect(stopped('SIGTERM', 1)).to.deep.equal(['abort', 'threshold', 3000]);
  });
});

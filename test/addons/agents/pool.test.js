import { expect } from 'chai';

import { PoolLock, confirmPool, lockPool } from '../../../lib/addons/agents/pool.js';
import { until } from '../../support/until.js';

/** A queue in memory with the key of a lock, which expires when `expire()` is called. */
function memory() {
  const state = { owner: null, renewals: 0 };
  const redis = {
    getrange: async () => state.owner,
    async eval(script, _keys, _key, owner) {
      if (script.includes('PX')) {
        if (state.owner !== null && state.owner !== owner) return 0;
        state.owner = owner;
        state.renewals++;
      } else if (state.owner === owner) state.owner = null;
      return 1;
    },
  };
  return { state, queue: { redis, address: 'redis://memory:6379' } };
}

describe('the agents of a pool', () => {
  const lockOf = (queue, owner) => new PoolLock(queue, 'p', { owner, expiryMs: 4000 });

  it('a lock is renewed until it is released, however long a flow is packed', async () => {
    const { state, queue } = memory();
    const lock = lockOf(queue, 'host:1 a');
    await lock.renew();
    lock.keep(1);
    await until(() => state.renewals > 3);
    await lock.release();
    expect(state.owner).to.equal(null);
  });

  it('a run whose lock has gone to another one is refused', async () => {
    const { state, queue } = memory();
    const [first, second] = [lockOf(queue, 'host:1 a'), lockOf(queue, 'host:2 b')];
    await first.renew();
    await confirmPool(first, { queue, pool: 'p' });
    state.owner = null; // it has expired
    await second.renew();
    const error = await confirmPool(first, { queue, pool: 'p' }).catch((thrown) => thrown);
    expect(error).to.include({ code: 'E_POOL_BUSY' });
    expect(error.message).to.match(/the pool p at redis:\/\/memory:6379 is used by another run, of host:2/);
  });

  it('a run waits for the pool, and says so once', async () => {
    const { queue } = memory();
    const [first, second] = [lockOf(queue, 'host:1 a'), lockOf(queue, 'host:2 b')];
    await first.renew();
    const lines = [];
    let pauses = 0;
    await lockPool(second, {
      ...{ queue, pool: 'p', notify: (text) => lines.push(text), isStopped: () => false, until: Infinity, pollMs: 1 },
      pause: async () => void (++pauses === 3 && (await first.release())),
    });
    expect(lines).to.deep.equal(['waiting: the pool p is used by another run, of host:1']);
  });
});

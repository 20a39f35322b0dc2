import { expect } from 'chai';

import { TIMING, unpack } from '../../../lib/addons/agents/protocol.js';
import { ShardRun } from '../../../lib/addons/agents/shard-run.js';
import { connectionOf, contentOf } from '../../support/seal.js';
import { turns } from '../../support/until.js';

describe('a shard that an agent runs', () => {
  it('a shard that ends while the clock of the queue is measured reports its end', async () => {
    const stored = [];
    const first = later();
    const redis = {
      getrange: async () => '',
      // The first report waits until the clock is measured.
      eval: async (_script, _count, _control, _report, message) => {
        stored.push(message);
        if (stored.length === 1) await first.promise;
        return 1;
      },
    };
    const time = later();
    const outcome = later();
    let listener;
    const shard = new ShardRun({
      queue: { ...connectionOf(redis), time: () => time.promise },
      shard: { run: 'r', number: 1, of: 1 },
      work: { flow: { kind: 'data' }, config: { options: {} }, commandLine: [] },
      secrets: { options: {} },
      presence: () => ({}),
      createEngine: (_request, own) => {
        listener = own;
        return { outcome: outcome.promise, stop() {}, close: async () => {} };
      },
      timing: TIMING,
    });
    const end = shard.run();
    listener.onReady();
    outcome.resolve({ kind: 'ended', why: 'SIGINT' });
    await turns(5);
    time.resolve(0);
    await turns(20);
    first.resolve();
    await end;
    const { state, outcome: reported } = await unpack(contentOf(stored.at(-1)));
    expect({ state, reported }).to.deep.equal({ state: 'ended', reported: { kind: 'ended', why: 'SIGINT' } });
  });

  it('a later stop shortens the grace period, and none is repeated', () => {
    const stops = [];
    const shard = new ShardRun({
      work: { flow: { kind: 'data' }, config: { options: {} }, commandLine: [] },
      shard: { run: 'r', number: 1, of: 1 },
      createEngine: () => ({ stop: (...given) => stops.push(given) }),
      timing: TIMING,
    });
    shard.stop('threshold');
    shard.stop('threshold');
    for (const within of [3000, 3000, 500, 900]) shard.stop('SIGTERM', { within });
    expect(stops).to.deep.equal([
      ['threshold', {}],
      ['SIGTERM', { within: 3000 }],
      ['SIGTERM', { within: 500 }],
    ]);
  });
});

function later() {
  let resolve;
  const promise = new Promise((settle) => (resolve = settle));
  return { promise, resolve };
}

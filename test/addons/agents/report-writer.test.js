import { expect } from 'chai';

import { KEYS } from '../../../lib/addons/agents/protocol.js';
import { TRAILER_BYTES, removeReport, writeReport } from '../../../lib/addons/agents/report.js';
import { Seal } from '../../../lib/addons/agents/seal.js';

const SHARD = { run: 'r', number: 2 };

describe('reports of shards that are written', () => {
  const calls = [];
  let isStored = 1;
  const redis = { eval: async (...args) => (calls.push(args), isStored) };
  const queue = { redis, seal: new Seal({ secret: null, pool: 'p' }), sealTime: async () => 0 };
  beforeEach(() => calls.splice(0));

  it('writes a report that expires, and returns its last bytes', async () => {
    isStored = 1;
    const trailer = await writeReport(queue, SHARD, { sequence: 1, lease: 'l:1' }, 60_000);
    const [[, count, ...args]] = calls;
    const [control, key, message, lease, lifeMs] = args;
    expect({ count, control, key }).to.deep.equal({ count: 2, control: KEYS.control('r'), key: KEYS.report('r', 2) });
    expect({ lease, lifeMs }).to.deep.equal({ lease: '"l:1"', lifeMs: 60_000 });
    expect(trailer).to.have.lengthOf(TRAILER_BYTES);
    expect(message.subarray(-TRAILER_BYTES)).to.deep.equal(trailer);
  });

  it('returns null for a report that its run does not want', async () => {
    isStored = 0;
    expect(await writeReport(queue, SHARD, { sequence: 1, lease: 'l:1' }, 60_000)).to.equal(null);
  });

  it('removes a report by these bytes alone, so that one of another agent stays', async () => {
    const trailer = Buffer.from('12345678');
    await removeReport(queue, SHARD, trailer);
    const [[script, count, ...args]] = calls;
    expect({ count, args }).to.deep.equal({
      count: 1,
      args: [KEYS.report('r', 2), trailer, -TRAILER_BYTES],
    });
    expect(script).to.match(/getrange.*== ARGV\[1\] then return redis\.call\('del'/);
  });
});

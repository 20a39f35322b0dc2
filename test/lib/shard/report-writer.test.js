import { expect } from 'chai';

import { KEYS } from '../../../lib/shard/protocol.js';
import { TRAILER_BYTES, removeReport, writeReport } from '../../../lib/shard/report.js';
import { Seal } from '../../../lib/shard/seal.js';

const SHARD = { run: 'r', number: 2 };

describe('shard/report-writer', () => {
  const calls = [];
  const redis = Object.fromEntries(
    ['set', 'eval'].map((name) => [name, async (...args) => void calls.push([name, ...args])]),
  );
  const queue = { redis, seal: new Seal({ secret: null, pool: 'p' }), sealTime: async () => 0 };
  beforeEach(() => calls.splice(0));

  it('writes a report that expires, and returns its last bytes', async () => {
    const trailer = await writeReport(queue, SHARD, { sequence: 1 }, 60_000);
    const [[, key, message, ...expiry]] = calls;
    expect(key).to.equal(KEYS.report('r', 2));
    expect(expiry).to.deep.equal(['PX', 60_000]);
    expect(trailer).to.have.lengthOf(TRAILER_BYTES);
    expect(message.subarray(-TRAILER_BYTES)).to.deep.equal(trailer);
  });

  it('removes a report by these bytes alone, so that one of another agent stays', async () => {
    const trailer = await writeReport(queue, SHARD, { sequence: 1 }, 60_000);
    await removeReport(queue, SHARD, trailer);
    const [, [name, script, count, ...args]] = calls;
    expect({ name, count, args }).to.deep.equal({
      name: 'eval',
      count: 1,
      args: [KEYS.report('r', 2), trailer, -TRAILER_BYTES],
    });
    expect(script).to.match(/getrange.*== ARGV\[1\] then return redis\.call\('del'/);
  });
});

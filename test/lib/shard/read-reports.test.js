import { expect } from 'chai';

import { KEYS, MAX_PACKED, PROTOCOL, pack } from '../../../lib/shard/protocol.js';
import { readReports } from '../../../lib/shard/read-reports.js';

const AGENT = { protocol: PROTOCOL, id: 'a1', name: 'box-1', version: '2.0.0', cores: 2, roundTripMs: 0.5 };
const REPORT = {
  ...{
    protocol: PROTOCOL,
    lease: 'l1',
    sequence: 1,
    state: 'running',
    clockOffsetMs: 0,
    startDelayMs: null,
    inFlight: 0,
  },
  ...{ begun: null, tick: null, stats: null, outcome: null, error: null },
  agent: { ...AGENT, allowsCode: false, isBusy: true },
};

/** A Redis in memory, and the most bytes of one value that were read from it. */
function memory(values, error = null) {
  const most = { bytes: 0 };
  const results = [];
  const pipeline = {
    getrangeBuffer(key, start, end) {
      const bytes = (values.get(key) ?? Buffer.alloc(0)).subarray(start, end + 1);
      most.bytes = Math.max(most.bytes, bytes.length);
      results.push([error, bytes]);
      return pipeline;
    },
    exec: async () => results,
  };
  return { most, redis: { pipeline: () => pipeline } };
}

describe('shard/read-reports', () => {
  it('reads the shards that have reported', async () => {
    const { redis } = memory(new Map([[KEYS.report('r', 2), await pack(REPORT)]]));
    expect([...(await readReports(redis, 'r', [1, 2]))]).to.deep.equal([[2, REPORT]]);
  });

  it('reads no more of a value than the longest report has, and it is none', async () => {
    const { redis, most } = memory(new Map([[KEYS.report('r', 1), Buffer.alloc(MAX_PACKED + 1000)]]));
    expect([...(await readReports(redis, 'r', [1]))]).to.deep.equal([[1, null]]);
    expect(most.bytes).to.equal(MAX_PACKED + 1);
  });

  it('an error of Redis is thrown', async () => {
    const { redis } = memory(new Map(), new Error('LOADING'));
    expect((await readReports(redis, 'r', [1]).catch((thrown) => thrown)).message).to.equal('LOADING');
  });
});

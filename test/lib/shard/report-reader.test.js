import { expect } from 'chai';

import { KEYS, MAX_PACKED, PROTOCOL, pack } from '../../../lib/shard/protocol.js';
import { ReportReader } from '../../../lib/shard/report-reader.js';

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

/** A Redis in memory, and how many bytes of its values were read. */
function memory(values, error = null) {
  const read = { most: 0, total: 0 };
  const pipelined = () => {
    const results = [];
    const pipeline = {
      getrangeBuffer(key, start, end) {
        const value = values.get(key) ?? Buffer.alloc(0);
        const bytes = start < 0 ? value.subarray(start) : value.subarray(start, end + 1);
        read.most = Math.max(read.most, bytes.length);
        read.total += bytes.length;
        results.push([error, bytes]);
        return pipeline;
      },
      exec: async () => results,
    };
    return pipeline;
  };
  return { read, reader: new ReportReader({ pipeline: pipelined }, 'r') };
}

describe('shard/report-reader', () => {
  it('reads the shards that have reported', async () => {
    const { reader } = memory(new Map([[KEYS.report('r', 2), await pack(REPORT)]]));
    expect([...(await reader.read([1, 2]))]).to.deep.equal([[2, REPORT]]);
  });

  it('reads each report once', async () => {
    const values = new Map([[KEYS.report('r', 1), await pack(REPORT)]]);
    const { reader, read } = memory(values);
    await reader.read([1]);
    const before = read.total;
    expect([...(await reader.read([1]))]).to.deep.equal([]);
    expect(read.total - before).to.equal(8);
    const next = { ...REPORT, sequence: 2 };
    values.set(KEYS.report('r', 1), await pack(next));
    expect([...(await reader.read([1]))]).to.deep.equal([[1, next]]);
  });

  it('reads no more of a value than the longest report has, and it is none', async () => {
    const { reader, read } = memory(new Map([[KEYS.report('r', 1), Buffer.alloc(MAX_PACKED + 1000)]]));
    expect([...(await reader.read([1]))]).to.deep.equal([[1, null]]);
    expect(read.most).to.equal(MAX_PACKED + 1);
  });

  it('an error of Redis is thrown', async () => {
    const { reader } = memory(new Map(), new Error('LOADING'));
    expect((await reader.read([1]).catch((thrown) => thrown)).message).to.equal('LOADING');
  });
});

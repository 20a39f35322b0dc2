import { expect } from 'chai';

import { KEYS, MAX_PACKED, PROTOCOL, pack } from '../../../lib/addons/agents/protocol.js';
import { ReportReader, reportName } from '../../../lib/addons/agents/report.js';
import { Seal } from '../../../lib/addons/agents/seal.js';
import { SECRET, connectionOf } from '../../support/seal.js';

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

/** A report as an agent writes it. */
const written = async (report, { secret = null, number = 1, lifeMs = 1000 } = {}) => {
  const options = { now: 0, lifeMs, sequence: report.sequence };
  return new Seal({ secret, pool: 'p' }).write('report', reportName('r', number), await pack(report), options);
};

/** A Redis in memory, and how many bytes of its values were read. */
function memory(values, { error = null, secret = null, clock, now } = {}) {
  const read = { most: 0, mostAtOnce: 0, total: 0 };
  const pipelined = () => {
    const results = [];
    let bytesAtOnce = 0;
    const pipeline = {
      getrangeBuffer(key, start, end) {
        const value = values.get(key) ?? Buffer.alloc(0);
        const bytes = start < 0 ? value.subarray(start) : value.subarray(start, end + 1);
        read.most = Math.max(read.most, bytes.length);
        read.total += bytes.length;
        bytesAtOnce += bytes.length;
        read.mostAtOnce = Math.max(read.mostAtOnce, bytesAtOnce);
        results.push([error, bytes]);
        return pipeline;
      },
      strlen(key) {
        results.push([error, values.get(key)?.length ?? 0]);
        return pipeline;
      },
      exec: async () => results,
    };
    return pipeline;
  };
  const refused = [];
  const queue = connectionOf({ pipeline: pipelined }, { secret, clock });
  return {
    read,
    refused,
    reader: new ReportReader(queue, 'r', (number, reason) => refused.push([number, reason]), now),
  };
}

describe('reports of shards that are read', () => {
  it('reads the shards that have reported', async () => {
    const { reader } = memory(new Map([[KEYS.report('r', 2), await written(REPORT)]]));
    expect([...(await reader.read([1, 2]))]).to.deep.equal([[2, REPORT]]);
  });

  it('leaves reports for the next time that take too long, and reads them first then', async () => {
    let time = 0;
    const numbers = [1, 2, 3, 4, 5, 6];
    const report = await written(REPORT);
    const values = new Map(numbers.map((number) => [KEYS.report('r', number), report]));
    // some of them take more than the time
    const { reader } = memory(values, { now: () => (time += 1001) });
    expect([...(await reader.read(numbers)).keys()]).to.deep.equal([1, 2, 3, 4]);
    expect([...reader.unread]).to.deep.equal([5, 6]);
    values.set(KEYS.report('r', 1), await written({ ...REPORT, sequence: 2 }));
    expect([...(await reader.read(numbers)).keys()]).to.deep.equal([5, 6, 1]);
    expect([...reader.unread]).to.deep.equal([]);
  });

  it('reads each report once', async () => {
    const values = new Map([[KEYS.report('r', 1), await written(REPORT)]]);
    const { reader, read } = memory(values);
    await reader.read([1]);
    const before = read.total;
    expect([...(await reader.read([1]))]).to.deep.equal([]);
    expect(read.total - before).to.equal(8);
    const next = { ...REPORT, sequence: 2 };
    values.set(KEYS.report('r', 1), await written(next));
    expect([...(await reader.read([1]))]).to.deep.equal([[1, next]]);
  });

  it('reads no more of a value than the longest report has, and it is none', async () => {
    const { reader, read } = memory(new Map([[KEYS.report('r', 1), Buffer.alloc(MAX_PACKED + 1000)]]));
    expect((await reader.read([1])).get(1)).to.have.keys('fault');
    expect(read.most).to.equal(MAX_PACKED + 1);
  });

  it('A61 reads signed reports, and refuses others without dropping their shard', async () => {
    const other = 'another secret of 16 characters';
    const changed = await written(REPORT, { secret: SECRET });
    changed[changed.length - 20] ^= 1;
    const values = new Map([
      [KEYS.report('r', 1), await written(REPORT, { secret: SECRET })],
      [KEYS.report('r', 2), await written(REPORT, { number: 2 })],
      [KEYS.report('r', 3), await written(REPORT, { secret: other, number: 3 })],
      [KEYS.report('r', 4), await written(REPORT, { secret: SECRET, number: 1 })],
      [KEYS.report('r', 5), changed],
      [KEYS.report('r', 6), await written(REPORT, { secret: SECRET, number: 6, lifeMs: 50 })],
    ]);
    const { reader, refused } = memory(values, { secret: SECRET, clock: { now: 100 } });
    expect([...(await reader.read([1, 2, 3, 4, 5, 6])).keys()]).to.deep.equal([1]);
    expect(refused.map(([number]) => number)).to.deep.equal([2, 3, 4, 5, 6]);
    expect(refused[0][1]).to.match(
      /^the report of an agent from the queue is not signed; set the same BENCH_REST_QUEUE_SECRET/,
    );
    for (const i of [1, 2, 3]) expect(refused[i][1]).to.include('was changed, or is signed with another secret');
    expect(refused[4][1]).to.include('has expired');
  });

  it('keeps no more than the longest report of values that were not read yet', async () => {
    const numbers = [1, 2, 3, 4, 5, 6];
    const values = new Map(numbers.map((number) => [KEYS.report('r', number), Buffer.alloc(MAX_PACKED / 2)]));
    const { reader, read } = memory(values);
    expect([...(await reader.read(numbers)).keys()]).to.deep.equal(numbers);
    expect(read.mostAtOnce).to.equal(MAX_PACKED);
  });

  it('an error of Redis is thrown', async () => {
    const { reader } = memory(new Map(), { error: new Error('LOADING') });
    expect((await reader.read([1]).catch((thrown) => thrown)).message).to.equal('LOADING');
  });
});

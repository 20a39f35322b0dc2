import { expect } from 'chai';

import {
  PROTOCOL,
  isReport,
  isShard,
  isWork,
  pack,
  readControl,
  readPresence,
  reportedError,
  reportedOutcome,
  unpack,
} from '../../../lib/shard/protocol.js';

const agent = {
  protocol: PROTOCOL,
  id: 'a1',
  name: 'box-1',
  version: '2.0.0',
  cores: 2,
  allowsCode: false,
  isBusy: false,
  roundTripMs: 0.5,
};
const control = { protocol: PROTOCOL, order: 'start', startAt: 5, reason: null, within: null, dropped: [] };
const report = {
  protocol: PROTOCOL,
  lease: 'l1',
  sequence: 1,
  state: 'running',
  agent,
  clockOffsetMs: 0,
  startDelayMs: null,
  begun: null,
  tick: null,
  stats: {},
  inFlight: 0,
  outcome: null,
  error: null,
};
const LAYER = { name: 'layer', options: {} };
const shard = { protocol: PROTOCOL, run: 'r1', number: 1, of: 2 };
const work = { protocol: PROTOCOL, run: 'r1', flow: { kind: 'data' }, config: LAYER, commandLine: [LAYER] };

describe('shard/protocol', () => {
  it('accepts messages as they are sent', () => {
    expect(readPresence(JSON.stringify(agent))).to.deep.equal(agent);
    expect(readControl(JSON.stringify(control))).to.deep.equal(control);
    expect(isReport(report)).to.equal(true);
    expect(isShard(shard)).to.equal(true);
    expect(isWork(work)).to.equal(true);
  });

  it('reads an agent of another protocol, so that it can be named', () => {
    expect(readPresence(JSON.stringify({ ...agent, protocol: 99 }))).to.include({ protocol: 99, name: 'box-1' });
  });

  it('refuses other messages of another protocol', () => {
    const protocol = PROTOCOL + 1;
    expect(readControl(JSON.stringify({ ...control, protocol }))).to.equal(null);
    expect(isReport({ ...report, protocol })).to.equal(false);
    expect(isShard({ ...shard, protocol })).to.equal(false);
    expect(isWork({ ...work, protocol })).to.equal(false);
  });

  for (const [what, change] of [
    ['an agent with a name that could control a terminal', { agent: { ...agent, name: 'a\u001b[2J' } }],
    ['an agent without a name', { agent: { ...agent, name: undefined } }],
    ['a state that does not exist', { state: 'sleeping' }],
    ['a sequence that is no number', { sequence: '1' }],
    ['stats that are a list', { stats: [] }],
    ['an error without a message', { error: {} }],
    ['an error with a code that is no text', { error: { message: 'x', code: {} } }],
    ['a plan without options', { begun: { plan: {}, from: 'x', hash: 'x', notices: [], hints: [] } }],
    ['hints that are no texts', { begun: { plan: { options: {} }, from: 'x', hash: 'x', notices: [], hints: [{}] } }],
    [
      'a tick without numbers',
      { tick: { phase: 'main', elapsedMs: null, share: '1', ended: 0, inFlight: 0, errors: 0 } },
    ],
    ['a reason for its end that is no text', { outcome: { kind: 'ended', why: ['done'] } }],
    ['a lease of any length', { lease: 'x'.repeat(1e6) }],
    ['a clock without a time', { clockOffsetMs: NaN }],
  ])
    it(`refuses a report with ${what}`, () => expect(isReport({ ...report, ...change })).to.equal(false));

  it('agents report what coordinators accept, however long a message is', () => {
    const long = 'x'.repeat(1e6);
    for (const thrown of [
      Object.assign(new Error(long), { code: 20 }),
      long,
      undefined,
      { message: null, code: 'E_X' },
    ])
      expect(isReport({ ...report, error: reportedError(thrown) })).to.equal(true);
    for (const outcome of [{ kind: 'lost', message: long }, { kind: 'ended', why: long }, { kind: 'aborted' }])
      expect(isReport({ ...report, outcome: reportedOutcome(outcome) })).to.equal(true);
    expect(reportedError(Object.assign(new Error('m'), { code: 'E_X' }))).to.deep.equal({ code: 'E_X', message: 'm' });
  });

  for (const text of [null, '', '{', '[]', '5', '"x"'])
    it(`refuses ${text} as presence and as control`, () => {
      expect(readPresence(text)).to.equal(null);
      expect(readControl(text)).to.equal(null);
    });

  it('packs a message, and gets it back', async () => {
    expect(await unpack(await pack(report))).to.deep.equal(report);
  });

  it('refuses packed bytes that are no message', async () => {
    for (const bytes of [Buffer.from('x'), Buffer.alloc(40 * 1024 * 1024)]) {
      const error = await unpack(bytes).catch((thrown) => thrown);
      expect(error).to.be.an('error');
    }
  });
});

import { expect } from 'chai';

import { PROTOCOL, readMessage, readStranger, readValue, writeMessage } from '../../../lib/addons/agents/protocol.js';
import { PREPARE } from '../../../lib/addons/agents/run-control.js';
import { Seal } from '../../../lib/addons/agents/seal.js';
import { SECRET, contentOf } from '../../support/seal.js';

const sealOf = (secret, pool = 'p') => new Seal({ secret, pool });
const [signing, open] = [sealOf(SECRET), sealOf(null)];
const AGENT = {
  ...{ protocol: PROTOCOL, id: 'a1', name: 'box-1', version: '2.0.0', cores: 2 },
  ...{ allowsCode: false, isBusy: false, roundTripMs: 0.5 },
};
const CONTROL = { ...PREPARE, order: 'start', startAt: 5 };
const refusal = (seal, message, { purpose = 'control', name = 'r1', now = 0 } = {}) => {
  try {
    seal.read(purpose, name, Buffer.from(message), now);
  } catch ({ code, message: text }) {
    expect(code).to.equal('E_MESSAGE');
    return text;
  }
  return null;
};
const read = (purpose, message) => {
  const given = writeMessage(open, purpose, 'x', message, { now: 0, lifeMs: 1 });
  try {
    return readMessage(open, purpose, 'x', { given, now: 0 }).message;
  } catch (error) {
    return error.message;
  }
};

describe('A61 shard/seal', () => {
  const options = { now: 100, lifeMs: 50, sequence: 7 };
  const message = signing.write('control', 'r1', 'content', options);

  it('a message is read by the one that has the secret, with its sequence', () => {
    const { content, sequence } = signing.read('control', 'r1', Buffer.from(message), 150);
    expect([content.toString(), sequence]).to.deep.equal(['content', 7]);
    expect(String(contentOf(message))).to.equal('content');
  });

  it('bytes stay bytes', () => {
    const bytes = Buffer.from([0, 255, 10, 13]);
    const sealed = signing.write('report', 'r1', bytes, options);
    expect(signing.read('report', 'r1', sealed, 0).content).to.deep.equal(bytes);
  });

  for (const [what, change] of [
    ['another secret', { seal: sealOf(`${SECRET}x`) }],
    ['another pool', { seal: sealOf(SECRET, 'q') }],
    ['another purpose', { purpose: 'work' }],
    ['another name', { name: 'r2' }],
    ['another content', { message: message.replace('content', 'contend') }],
    ['a later expiry', { message: message.replace('150', '151') }],
    ['another sequence', { message: message.replace(' 7 ', ' 8 ') }],
    ['another signature', { message: message.replace(/.(?=\n)/, (last) => (last === 'A' ? 'Q' : 'A')) }],
  ])
    it(`is refused with ${what}`, () => {
      const { seal = signing, message: given = message, ...of } = change;
      expect(refusal(seal, given, of)).to.match(/was changed, or is signed with another secret or for another pool/);
    });

  it('is refused when it has expired', () => {
    expect(refusal(signing, message, { now: 150 })).to.equal(null);
    expect(refusal(signing, message, { now: 151 })).to.include('has expired');
  });

  it('a message without a signature, and one that need not have one, name the remedy', () => {
    const unsigned = open.write('control', 'r1', 'content', options);
    expect(refusal(signing, unsigned)).to.match(/is not signed; set the same BENCH_REST_QUEUE_SECRET/);
    expect(refusal(open, message)).to.match(/is signed, and BENCH_REST_QUEUE_SECRET is not set here; set the same/);
    expect(refusal(open, unsigned, { now: 1e9 })).to.equal(null);
  });

  for (const text of [
    '',
    '\n',
    '{}',
    '1 1 -',
    '1 1 x\n{}',
    '1 -1 -\n',
    '1 1 - \n',
    '٣ 1 -\n',
    `${'1'.repeat(17)} 1 -\n`,
    'x'.repeat(1e6),
  ])
    it(`${JSON.stringify(text.slice(0, 20))} is no message`, () => {
      for (const seal of [open, signing]) expect(refusal(seal, text)).to.include('of another version');
    });
});

describe('A60 shard/messages', () => {
  it('are rebuilt as they are sent', () => {
    expect(read('control', CONTROL)).to.deep.equal(CONTROL);
    expect(read('presence', AGENT)).to.deep.equal(AGENT);
  });

  for (const [purpose, message, reason] of [
    ['control', { ...CONTROL, evil: 1 }, 'control.evil: unknown property'],
    ['control', { ...CONTROL, order: 'run' }, 'control.order: expected prepare or start or stop or abort'],
    ['control', { ...CONTROL, startAt: -1 }, 'control.startAt: expected a finite number from 0'],
    ['control', { ...CONTROL, dropped: [{}] }, 'control.dropped[0]: expected a text'],
    ['control', { ...CONTROL, dropped: 'all' }, 'control.dropped: expected an array'],
    ['control', { ...CONTROL, reason: 'x'.repeat(2000) }, 'control.reason: expected a text of at most 1000'],
    ['control', { ...CONTROL, protocol: PROTOCOL + 1 }, 'control.protocol: expected'],
    ['presence', { ...AGENT, name: 'a\u001b[2J' }, 'presence.name: expected the name of an agent'],
    ['presence', { ...AGENT, roundTripMs: 1e300 }, 'presence.roundTripMs: expected'],
    ['presence', [AGENT], 'presence: expected an object'],
    ['shard', { protocol: PROTOCOL, run: '/../../r', number: 1, of: 2 }, 'shard.run: expected the id of a run'],
    ['shard', { protocol: PROTOCOL, run: 'r', number: 3, of: 2 }, 'shard: expected a number up to'],
    ['shard', { protocol: PROTOCOL, run: 'r', number: 1e308, of: 2 }, 'shard.number: expected a whole number'],
    ['work', { protocol: PROTOCOL, run: 'r', flow: {}, config: {}, commandLine: [] }, 'work.flow.kind: expected'],
  ])
    it(`refuse ${reason}`, () => expect(read(purpose, message)).to.include(reason));

  it('a text that is no JSON is refused', () => {
    const given = open.write('control', 'x', '{', { now: 0, lifeMs: 1 });
    expect(() => readMessage(open, 'control', 'x', { given, now: 0 })).to.throw(/is malformed: it is no JSON/);
  });

  it('a message that is longer than any of ours is refused before it is parsed', () => {
    for (const purpose of ['shard', 'control', 'presence']) {
      const given = open.write(purpose, 'x', ' '.repeat(17 * 1024 * 1024), { now: 0, lifeMs: 1 });
      const read = () => readMessage(open, purpose, 'x', { given, now: 0 });
      expect(read, purpose).to.throw(/is malformed: \w+: expected at most \d+ bytes/);
    }
  });

  it('a value of the queue is read up to one byte more than its message may have', async () => {
    const value = open.write('presence', 'x', JSON.stringify(AGENT).padEnd(1e6), { now: 0, lifeMs: 1 });
    const redis = { getrange: async (_key, from, to) => value.slice(from, to + 1) };
    const given = await readValue(redis, 'presence', 'k');
    expect(given.length).to.be.below(20_000);
    expect(() => readMessage(open, 'presence', 'x', { given, now: 0 })).to.throw(
      /is malformed: \w+: expected at most \d+ bytes/,
    );
    expect(await readValue({ getrange: async () => '' }, 'presence', 'k')).to.equal(null);
  });

  it('an agent of another version can be named', () => {
    const { protocol, name, version } = { ...AGENT, protocol: 1 };
    for (const text of [
      JSON.stringify({ ...AGENT, protocol }),
      open.write('presence', 'x', JSON.stringify({ ...AGENT, protocol, more: 1 }), { now: 0, lifeMs: 1 }),
    ])
      expect(readStranger(text)).to.deep.equal({ protocol, name, version });
    for (const text of ['', '{', 'x\n5', '{"name":"\u001b"}']) expect(readStranger(text)).to.equal(null);
  });
});

import { gzipSync } from 'node:zlib';

import { expect } from 'chai';

import { StreamDecoder } from '../../../../lib/addons/streams/iteration/stream-decoder.js';
import { BodyMemory } from '../../../../lib/core/process/body-memory.js';

/** Their memory is that of the process, which other tests share. */
const accounts = [];

/** A decoder with what it has called. */
function decoder(options = {}) {
  const account = new BodyMemory(2 ** 24).open();
  accounts.push(account);
  const seen = { texts: [], at: [], errors: [] };
  const one = new StreamDecoder({
    coding: 'gzip',
    account,
    most: 2 ** 20,
    onData(bytes, at) {
      seen.texts.push(bytes.toString());
      seen.at.push(at);
    },
    onError: ({ code }) => seen.errors.push(code),
    ...options,
  });
  return { one, seen, account };
}
const write = (one, bytes, now) => one.write(bytes, 0, bytes.length, now);
const ended = (one) => new Promise((resolve) => one.end(resolve));

describe('encoded streams', () => {
  afterEach(() => accounts.splice(0).forEach((account) => account.release()));

  it('decoded bytes have the time at which their piece arrived', async () => {
    const { one, seen } = decoder();
    const bytes = gzipSync('hello');
    for (let i = 0; i < bytes.length; i++) write(one, bytes.subarray(i, i + 1), i);
    await ended(one);
    expect(seen.texts.join('')).to.equal('hello');
    expect(seen.at[0]).to.be.within(10, bytes.length - 1);
    expect(seen.errors).to.deep.equal([]);
  });

  it('nothing is decoded after a release, which its end does not wait for', async () => {
    const all = decoder({ onData: () => all.one.release() });
    write(all.one, gzipSync('a'), 1);
    write(all.one, Buffer.alloc(100, 'x'), 2);
    await ended(all.one);
    write(all.one, Buffer.alloc(100, 'x'), 3);
    expect(all.seen.errors).to.deep.equal([]);
  });

  it('a response that is cut, or another one, is an error, and its end is called', async () => {
    for (const bytes of [gzipSync('hello').subarray(0, -4), Buffer.from('data: a\n\n'), Buffer.from('x')]) {
      const { one, seen } = decoder();
      write(one, bytes, 1);
      await ended(one);
      expect(seen.errors).to.deep.equal(['E_DECODE']);
    }
  });

  it('the bytes that wait to be decoded are bounded', () => {
    const { one } = decoder({ most: 100 });
    write(one, gzipSync('hello'), 1);
    expect(() => write(one, Buffer.alloc(101), 2))
      .to.throw()
      .with.property('code', 'E_BODY_TOO_LARGE');
    one.release();
  });

  it('an empty response has an end', () => ended(decoder().one));
});

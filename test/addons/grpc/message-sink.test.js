import { gzipSync } from 'node:zlib';

import { expect } from 'chai';

import { MessageSink } from '../../../lib/addons/grpc/transport/message-sink.js';

const frame = (content, flag = 0, length = content.length) => {
  const head = Buffer.alloc(5);
  head[0] = flag;
  head.writeUInt32BE(length, 1);
  return Buffer.concat([head, Buffer.from(content)]);
};

/** The messages of bytes that arrive in pieces of a size. */
function messagesIn(bytes, { size = bytes.length, encoding = 'identity', limit = 100 } = {}) {
  const messages = [];
  const sink = new MessageSink(encoding, limit, (message) => messages.push(message.toString()));
  for (let at = 0; at < bytes.length; at += size) sink.add(bytes, at, Math.min(bytes.length, at + size));
  return { messages, sink };
}

describe('gRPC: messages of a body', () => {
  const all = Buffer.concat([frame('ab'), frame(''), frame('a longer one'), frame('c')]);
  for (let size = 1; size <= all.length; size++)
    it(`are found in pieces of ${size} bytes`, () => {
      const { messages, sink } = messagesIn(all, { size });
      expect(messages).to.deep.equal(['ab', '', 'a longer one', 'c']);
      expect([sink.count, sink.isCut]).to.deep.equal([4, false]);
    });

  it('a body that ends within one is cut', () => {
    for (const bytes of [all.subarray(0, 3), all.subarray(0, 6)]) expect(messagesIn(bytes).sink.isCut).to.equal(true);
  });

  it('compressed ones are decompressed', () => {
    const bytes = Buffer.concat([frame(gzipSync('ab'), 1), frame('c')]);
    expect(messagesIn(bytes, { encoding: 'gzip' }).messages).to.deep.equal(['ab', 'c']);
  });

  for (const [what, bytes, options, reason] of [
    ['a length above the limit', frame('', 0, 101), {}, /larger than 100 bytes/],
    ['a compression bomb', frame(gzipSync(Buffer.alloc(5000)), 1), { encoding: 'gzip' }, /larger than 100 bytes/],
    ['an unknown flag', frame('a', 2), {}, /begins with 2, not with 0 or 1/],
    [
      'a message compressed without grpc-encoding',
      frame('a', 1),
      {},
      /a compressed message, and grpc-encoding identity/,
    ],
    ['bytes that are no gzip', frame('abc', 1), { encoding: 'gzip' }, /cannot be decompressed/],
  ])
    it(`${what} is refused`, () => expect(() => messagesIn(bytes, options)).to.throw(reason));
});

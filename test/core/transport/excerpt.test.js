import { expect } from 'chai';

import { Excerpt, excerptFor } from '../../../lib/core/transport/exchange-parts.js';

describe('excerpts of bodies', () => {
  it('is of a status of 400 or more, if the receiver reads it', () => {
    const receiver = { readsExcerpt: (status) => status !== 404 };
    expect([200, 399, 400, 404, 503].map((status) => excerptFor(status, receiver) !== null)).to.deep.equal([
      false,
      false,
      true,
      false,
      true,
    ]);
    expect(excerptFor(503, {})).to.equal(null);
    expect(excerptFor(503, undefined)).to.equal(null);
  });

  it('keeps 4 KiB, in pieces of any size, as copies', () => {
    for (const piece of [1, 1000, 4096, 4097, 9000]) {
      const excerpt = new Excerpt();
      for (let at = 0; at < 9000; at += piece) {
        const shared = Buffer.alloc(piece + 2, 'x');
        excerpt.add(shared, 1, 1 + piece);
        shared.fill('y');
      }
      expect(excerpt.take().latin1Slice()).to.equal('x'.repeat(4096));
    }
  });
});

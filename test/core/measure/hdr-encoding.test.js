import { expect } from 'chai';

import { HdrCounts, decodeHdr, encodeHdr } from '../../../lib/core/measure/hdr-counts.js';
import fc from '../../support/fast-check.js';

describe('encoded histograms', () => {
  it('counts are the same after encoding and decoding', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 3_600_000_000 })), (values) => {
        const counts = new HdrCounts();
        for (const value of values) counts.record(value);
        expect(Buffer.compare(decodeHdr(encodeHdr(counts)), counts.toBytes())).to.equal(0);
      }),
      { numRuns: 30 },
    );
  });

  it('a text of another kind is refused', () => {
    for (const text of ['', 'AAAA', Buffer.from('no histogram at all').toString('base64')])
      expect(() => decodeHdr(text)).to.throw('not an HdrHistogram');
  });

  it('damage behind the cookie is refused', () => {
    const bytes = Buffer.from(encodeHdr(new HdrCounts()), 'base64');
    expect(() => decodeHdr(bytes.subarray(0, 12).toString('base64'))).to.throw();
  });
});

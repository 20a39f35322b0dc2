import { expect } from 'chai';

import { framedBody, isFramingField, refuseFraming } from '../../../lib/core/flow/request-fields.js';

describe('fields of framing', () => {
  for (const [fields, body] of [
    [['a', '1'], 'abc'],
    [['Content-Length', '0'], null],
    [['content-LENGTH', ' 3 '], 'abc'],
    [['Content-Length', '2'], 'é'],
    [['Content-Length', '3'], Buffer.from('abc')],
    [['Transfer-Encoding', 'chunked'], null],
    [['Transfer-Encoding', 'gzip, Chunked'], 'abc'],
  ])
    it(`${JSON.stringify(fields)} describe ${JSON.stringify(body)}`, () =>
      expect(refuseFraming(fields, body)).to.equal(null));

  for (const [fields, body, key, reason] of [
    [['Content-Length', '5'], null, 'Content-Length', 'is 5, and the body has 0 bytes'],
    [['Content-Length', '1'], 'é', 'Content-Length', 'is 1, and the body has 2 bytes'],
    [['Content-Length', ''], null, 'Content-Length', 'is empty, and the body has 0 bytes'],
    [['Content-Length', '+0'], null, 'Content-Length', 'is +0'],
    [['Content-Length', '0', 'content-length', '0'], null, 'Content-Length', 'is there twice'],
    [['Content-Length', '3', 'Transfer-Encoding', 'chunked'], 'abc', 'Content-Length', 'contradict each other'],
    [['Transfer-Encoding', 'gzip'], 'abc', 'Transfer-Encoding', 'does not end with chunked'],
    [['Transfer-Encoding', 'chunked, gzip'], 'abc', 'Transfer-Encoding', 'does not end with chunked'],
    [['Transfer-Encoding', 'chunked, chunked'], 'abc', 'Transfer-Encoding', 'does not end with chunked'],
  ])
    it(`${JSON.stringify(fields)} break the framing of ${JSON.stringify(body)}`, () => {
      const problem = refuseFraming(fields, body);
      expect(problem.key).to.equal(`headers.${key}`);
      expect(problem.reason).to.include(reason);
    });

  it('a body in chunks is one chunk, and the end', () => {
    const fields = ['Transfer-Encoding', 'chunked'];
    expect(framedBody(fields, 'é'.repeat(8))).to.equal(`10\r\n${'é'.repeat(8)}\r\n0\r\n\r\n`);
    expect(String(framedBody(fields, Buffer.from('abc')))).to.equal('3\r\nabc\r\n0\r\n\r\n');
    for (const empty of [null, '', Buffer.alloc(0)]) expect(framedBody(fields, empty)).to.equal('0\r\n\r\n');
    expect(framedBody(['a', 'b'], 'abc')).to.equal('abc');
  });

  it('fields of framing are recognized in any case', () => {
    expect(['CONTENT-length', 'Transfer-Encoding'].every(isFramingField)).to.equal(true);
    expect(['Content-Type', 'X-Transfer-Encode'].some(isFramingField)).to.equal(false);
  });
});

import zlib from 'node:zlib';

import { expect } from 'chai';

import { linesOfFailure, recordOf } from '../../../lib/core/iteration/exchange-record.js';
import { requestTo } from '../../support/transports.js';

const request = requestTo('http://localhost:1/x?a=1', {
  method: 'POST',
  fields: ['a', '1', 'authorization', 'Bearer abc'],
  body: 'sent',
});
const response = (changes) => ({ statusCode: 500, headers: { b: '2' }, body: null, bodyBytes: 0, ...changes });

describe('iteration/exchange-record', () => {
  it('a request has all its fields, those of one request too', () => {
    const { method, url, headers, body } = recordOf({ ...request, extra: ['cookie', 'c=3'] });
    expect({ method, url, body }).to.deep.equal({ method: 'POST', url: 'http://localhost:1/x?a=1', body: 'sent' });
    expect(headers.slice(-3)).to.deep.equal([
      ['a', '1'],
      ['authorization', 'Bearer abc'],
      ['cookie', 'c=3'],
    ]);
  });

  it('a failure without a response is its request and the error, without secrets', () => {
    const lines = linesOfFailure(request, undefined, 'it was closed');
    expect(lines.join('\n'))
      .to.match(/^> POST .*\/x\?a=1/)
      .and.include('! it was closed')
      .and.not.include('abc');
  });

  const bodies = [
    ['kept', { body: Buffer.from('kept') }, 'kept'],
    ['whose beginning was kept', { excerpt: Buffer.from('begin'), bodyBytes: 900 }, 'begin'],
    ['that was compressed', { excerpt: zlib.gzipSync('plain'), bodyBytes: 25, contentEncoding: 'gzip' }, 'plain'],
  ];
  for (const [what, changes, shown] of bodies)
    it(`a failure shows a body ${what}`, () => {
      const text = linesOfFailure(request, response(changes), 'HTTP 500').join('\n');
      expect(text)
        .to.include(shown)
        .and.match(/^< .*500/m);
      expect(/900/.test(text)).to.equal(changes.bodyBytes === 900);
    });
});

import { expect } from 'chai';

import { beginningOf, exchangeLines } from '../../../lib/text/exchange-lines.js';

const request = { method: 'PUT', url: 'http://h/x?token=abc', headers: [['cookie', 'a=b']], body: null };

describe('text/exchange-lines', () => {
  it('the request begins with >, the response with <, without secrets and control characters', () => {
    const body = beginningOf('a\u001b[2J {"password":"x"}');
    const response = { statusCode: 200, headers: { 'set-cookie': ['a=1', 'b=2'] }, body };
    expect(exchangeLines({ request, response })).to.deep.equal([
      '> PUT http://h/x?token=***',
      '> cookie: ***',
      '< 200',
      '< set-cookie: ***',
      '< set-cookie: ***',
      '<',
      '< a\\x1b[2J {"password":"***"}',
    ]);
  });

  it('an error begins with !', () =>
    expect(exchangeLines({ request, error: 'failed, token=abc' }).at(-1)).to.equal('! failed, token=***'));

  it('a body is as long as it was, whatever is kept of it', () => {
    const { bytes, size } = beginningOf('x'.repeat(100_000));
    expect([bytes.length, size]).to.deep.equal([65_536, 100_000]);
    expect(beginningOf(null)).to.equal(null);
  });
});

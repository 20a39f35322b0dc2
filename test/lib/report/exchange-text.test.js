import { expect } from 'chai';

import { exchangeText } from '../../../lib/report/exchange-text.js';

const request = {
  method: 'PUT',
  url: 'http://h/x?token=abc',
  headers: [
    ['cookie', 'a=b'],
    ['x', '1'],
  ],
  body: 'line 1\nline 2',
};

describe('report/exchange-text', () => {
  it('shows what was sent and what came back, secrets masked', () => {
    const response = {
      statusCode: 200,
      headers: { etag: '"1"', 'set-cookie': ['a=1', 'b=2'] },
      body: Buffer.from('{"password":"x"}'),
    };
    expect(exchangeText({ where: 'flow.main[0]', request, response, ms: 1.26 })).to.equal(`flow.main[0] (1.3 ms)
> PUT http://h/x?token=***
> cookie: ***
> x: 1
>
> line 1
> line 2
< 200
< etag: "1"
< set-cookie: ***
< set-cookie: ***
<
< {"password":"***"}

`);
  });

  it('shows an error, what is no text by its size, and the beginning of a long body', () => {
    const long = { ...request, headers: [], body: 'y'.repeat(3000) };
    const failed = exchangeText({ where: 'w', request: long, error: 'it broke\u001b[2J', ms: 0 });
    expect(failed).to.include('\n! it broke\\x1b[2J\n').and.include('> (1000 more characters)\n');
    const binary = { statusCode: 200, headers: {}, body: Buffer.from([0xff, 0xfe, 0]) };
    expect(exchangeText({ where: 'w', request, response: binary, ms: 0 })).to.include('< (3 bytes that are no text)\n');
  });
});

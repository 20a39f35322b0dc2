import { expect } from 'chai';

import { beginningOf, exchangeLines, exchangeText } from '../../../lib/core/text/exchange-lines.js';

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
    expect(beginningOf('€'.repeat(100_000)).bytes.length, 'bytes, not characters').to.equal(65_535);
    expect(beginningOf(null)).to.equal(null);
  });

  it('the printed part of a body ends with a whole character, and a whole line break', () => {
    const start = 'a'.repeat(1999);
    for (const next of ['😀', '\r\n']) {
      const lines = exchangeLines({ request: { ...request, body: beginningOf(start + next + 'b') } });
      expect(lines.slice(3, 5)).to.deep.equal([`> ${start}`, `> (${next.length + 1} more characters)`]);
    }
  });
});

describe('text/exchange-lines for people', () => {
  const request = {
    method: 'PUT',
    url: 'http://h/x?token=abc',
    headers: [
      ['cookie', 'a=b'],
      ['x', '1'],
    ],
    body: beginningOf('line 1\nline 2'),
  };

  it('prints request and response with secrets masked', () => {
    const response = {
      statusCode: 200,
      headers: { etag: '"1"', 'set-cookie': ['a=1', 'b=2'] },
      body: beginningOf(Buffer.from('{"password":"x"}')),
    };
    expect(exchangeText({ secrets: [], where: 'flow.main[0]', request, response, ms: 1.26 })).to
      .equal(`flow.main[0] (1.3 ms)
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

  it('prints an error, the size of binary data, and the beginning of a long body', () => {
    const long = { ...request, headers: [], body: beginningOf('y'.repeat(3000)) };
    const failed = exchangeText({ secrets: [], where: 'w', request: long, error: 'it broke\u001b[2J', ms: 0 });
    expect(failed).to.include('\n! it broke\\x1b[2J\n').and.include('> (1000 more characters)\n');
    const binary = { statusCode: 200, headers: {}, body: beginningOf(Buffer.from([0xff, 0xfe, 0])) };
    expect(exchangeText({ secrets: [], where: 'w', request, response: binary, ms: 0 })).to.include(
      '< (3 bytes of binary data)\n',
    );
  });

  for (const [what, character] of [
    ['ASCII', 'y'],
    ['2 bytes', 'ü'],
    ['3 bytes', '€'],
    ['4 bytes', '😀'],
  ]) {
    it(`N11 reads only the beginning of a large body, cut between characters (${what})`, () => {
      for (const body of [Buffer.from(`x${character.repeat(1e6)}`), `x${character.repeat(1e6)}`]) {
        const beginning = beginningOf(body);
        const { bytes, size } = beginning;
        expect(bytes.length).to.be.within(60_000, 270_000);
        expect(size).to.equal(1 + 1e6 * Buffer.byteLength(character));
        const response = { statusCode: 200, headers: {}, body: beginning };
        expect(exchangeText({ secrets: [], where: 'w', request, response, ms: 0 })).to.include(
          `(cut off; the body has ${size} bytes)`,
        );
      }
    });
  }
});

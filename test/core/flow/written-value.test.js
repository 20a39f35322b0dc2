import { expect } from 'chai';

import { converterOf, inPart, letterOf, writerOf } from '../../../lib/core/flow/written-value.js';

describe('flow/written-value', () => {
  const write = (place, value) => writerOf(letterOf(place))(value);

  for (const [place, value, written] of [
    ['text', 5, '5'],
    ['text', { a: [1] }, '{"a":[1]}'],
    ['json', 'a"\n', 'a\\"\\n'],
    ['json', 5, '5'],
    ['value', 'a"', '"a\\""'],
    ['value', 5, '5'],
    ['value', null, 'null'],
    ['value', 12345678901234567890n, '12345678901234567890'],
    ['url', 'é /', '%C3%A9%20%2F'],
    ['address', '\ud800', '%EF%BF%BD'],
    ['part', 'a"\r\n', 'a%22%0D%0A'],
  ])
    it(`${typeof value === 'bigint' ? value : JSON.stringify(value)} in a place of ${place} is ${written}`, () =>
      expect(write(place, value)).to.equal(written));

  it('an object that JSON cannot express is an error of its token', () => {
    for (const place of ['text', 'value', 'url'])
      expect(() => write(place, [1n])).to.throw(/^the value of a token cannot/);
    expect(write('text', { toJSON() {} })).to.equal('null');
    expect(() => converterOf({ name: 'a', conversion: 'number' })(Symbol('b'))).to.throw('cannot be converted');
  });

  for (const [conversion, value, converted] of [
    ['number', '5', 5],
    ['number', ' 1e3 ', 1000],
    ['number', 7, 7],
    ['number', true, 1],
    ['text', 5, '5'],
    ['text', null, 'null'],
    ['text', [1], '[1]'],
    ['json', '{"a":1}', { a: 1 }],
    ['json', 'null', null],
    ['json', 5, 5],
  ])
    it(`${JSON.stringify(value)} as ${conversion} is ${JSON.stringify(converted)}`, () =>
      expect(converterOf({ name: 'a', conversion })(value)).to.deep.equal(converted));

  for (const [conversion, value, reason] of [
    ['number', 'five', 'cannot be converted: it is "five"'],
    ['number', '', 'cannot be converted: it is ""'],
    ['number', null, 'cannot be converted: it is null'],
    ['number', {}, 'cannot be converted: it is an object'],
    ['number', 'Infinity', 'cannot be converted: it is "Infinity"'],
    ['json', '{', 'cannot be converted: it is "{"'],
  ])
    it(`${JSON.stringify(value)} is no ${conversion}`, () =>
      expect(() => converterOf({ name: 'a', member: 'b', conversion })(value)).to.throw(
        `#{a.b:${conversion}} ${reason}`,
      ));

  it('a token without a conversion has no converter', () => expect(converterOf({ name: 'a' })).to.equal(null));

  it('quotes and line ends of a part are escaped as browsers do', () => expect(inPart('"\n')).to.equal('%22%0D%0A'));
});

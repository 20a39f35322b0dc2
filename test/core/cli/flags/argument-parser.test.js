import { expect } from 'chai';
import { InvalidArgumentError } from 'commander';

import { argumentParser, collect, wholeNumber } from '../../../../lib/core/cli/flags/argument-parser.js';
import { readCount, readMs } from '../../../../lib/core/ground/units.js';

describe('cli/flags/argument-parser', () => {
  const positive = (value) => value > 0;

  it('the argument is read and checked', () =>
    expect(argumentParser(readCount, positive, 'a count')('10k')).to.equal(10_000));

  for (const [read, text, message] of [
    [readCount, '0', 'Expected a count, such as 1000 or 10k.'],
    [readMs, 'x', 'Expected a count, such as 500ms or 1m30s.'],
    [Number, ' ', 'Expected a count.'],
  ]) {
    it(`${JSON.stringify(text)} is refused: ${message}`, () =>
      expect(() => argumentParser(read, positive, 'a count')(text)).to.throw(InvalidArgumentError, message));
  }

  it('an empty text is a text', () => expect(argumentParser(String, () => true, 'a text')('')).to.equal(''));

  it('a whole number has bounds', () => {
    expect(wholeNumber(0, 9)('9')).to.equal(9);
    for (const text of ['10', '-1', '1.5', '']) expect(() => wholeNumber(0, 9)(text)).to.throw('from 0 to 9');
  });

  it('the arguments of a repeatable flag are collected', () =>
    expect(collect('b', collect('a'))).to.deep.equal(['a', 'b']));
});

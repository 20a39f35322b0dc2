import { expect } from 'chai';

import { losesDigits } from '../../../lib/core/text/lost-digits.js';
import { parseJson } from '../../../lib/core/text/parse-json.js';
import { parseYaml } from '../../../lib/core/text/parse-yaml.js';
import fc from '../../support/fast-check.js';

describe('numbers that lose digits', () => {
  for (const text of [
    '12345678901234567890',
    '9007199254740993',
    '0.12345678901234567890',
    '1e-400',
    '0xFFFFFFFFFFFFFFFF',
  ])
    it(`${text} does`, () => expect(losesDigits(text)).to.equal(true));

  for (const text of [
    '9007199254740992',
    '1e22',
    '1.10000000000000000000',
    '-0.0000000000000000',
    '1E5',
    '0x1F',
    '100000000000000000000',
    '1200000000000000000.0',
    '0.0012e21',
  ])
    it(`${text} does not`, () => expect(losesDigits(text)).to.equal(false));

  it('no number does that a program has written', () =>
    fc.assert(fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (n) => !losesDigits(String(n)))));

  it('each integer does that is read as another one', () =>
    fc.assert(
      fc.property(fc.bigInt(-(2n ** 80n), 2n ** 80n), (n) => BigInt(Number(n)) === n || losesDigits(String(n))),
    ));

  it('JSON and YAML report the first one and how many follow', async () => {
    const text = '{ "a": [1, 12345678901234567890], "b": "12345678901234567890", "c": 9007199254740993 }';
    const lost = { offset: text.indexOf('123'), written: '12345678901234567890', more: 1 };
    expect(parseJson(text).lost).to.deep.equal(lost);
    expect((await parseYaml(text)).lost).to.deep.equal(lost);
  });
});

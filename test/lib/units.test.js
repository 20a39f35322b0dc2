import { expect } from 'chai';

import { readCount, readMs } from '../../lib/units.js';

describe('units', () => {
  for (const [text, value] of [['1', 1], ['10k', 10000], ['1.5m', 1500000], ['1e3', 1000], ['0', 0]]) {
    it(`the count ${text} is ${value}`, () => expect(readCount(text)).to.equal(value));
  }
  for (const text of ['-1', '1.5', 'abc', '', '10g', 'Infinity', '9007199254740993', '1k k']) {
    it(`'${text}' is no count`, () => expect(readCount(text)).to.be.NaN);
  }
  for (const [text, ms] of [['500', 500], ['500ms', 500], ['30s', 30000], ['2m', 120000], ['1.5s', 1500]]) {
    it(`${text} is ${ms} ms`, () => expect(readMs(text)).to.equal(ms));
  }
  for (const text of ['5x', '-1', '', 's']) {
    it(`'${text}' is no length of time`, () => expect(readMs(text)).to.be.NaN);
  }
});

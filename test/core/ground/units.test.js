import { expect } from 'chai';

import {
  perSecond,
  readCount,
  readLimit,
  readMs,
  readMsRange,
  readPercent,
  readRate,
  readTime,
  writeRate,
} from '../../../lib/core/ground/units.js';
import { readStages } from '../../../lib/core/run/options/stages.js';
import { scaled } from '../../support/scale.js';
import { itSlow } from '../../support/slow.js';

describe('units', () => {
  for (const [text, value] of [
    ['1', 1],
    ['10k', 10000],
    ['1.5m', 1500000],
    ['1e3', 1000],
    ['0', 0],
  ]) {
    it(`the count ${text} is ${value}`, () => expect(readCount(text)).to.equal(value));
  }
  for (const text of ['-1', '1.5', 'abc', '', '10g', 'Infinity', '9007199254740993', '1k k']) {
    it(`'${text}' is not a count`, () => expect(readCount(text)).to.be.NaN);
  }
  for (const [text, ms] of [
    ['500', 500],
    ['500ms', 500],
    ['30s', 30000],
    ['2m', 120000],
    ['1.5s', 1500],
    ['1.005s', 1005],
    ['1.1m', 66_000],
    ['1m30s', 90_000],
    ['1h2m3s', 3_723_000],
    ['1.5s500us', 1500.5],
    ['30s1m', 90_000],
    ['1d', 86_400_000],
  ]) {
    it(`${text} is ${ms} ms`, () => expect(readMs(text)).to.equal(ms));
  }
  for (const [text, ms] of [
    ['500us', 0.5],
    ['1.3 us', 0.0013],
    [' 1.005s ', 1005],
    ['1m30s', 90_000],
  ])
    it(`the bound ${text} is ${ms} ms`, () => expect(readTime(text)).to.equal(ms));
  for (const text of ['500', 'us', '0x10us', '1e3us', 'Infinityus', '-1ms'])
    it(`'${text}' is no bound of times`, () => expect(readTime(text)).to.be.NaN);
  it('a time or a rate with more digits than a number can have is none', () => {
    const digits = '9'.repeat(320);
    for (const text of [digits, `${digits}s`]) expect(readMs(text)).to.be.NaN;
    for (const text of [digits, '1e999']) expect(readRate(text)).to.be.NaN;
    expect(readMsRange(`1,${digits}`)).to.equal(null);
  });
  for (const [text, written] of [
    ['2k', '2,000/s'],
    ['30/m', '0.5/s'],
    ['3/m', '3/m'],
    ['1/h', '1/h'],
    ['0.05/h', '0.05/h'],
    ['0', '0/s'],
  ])
    it(`the rate ${text} is written as ${written}`, () => expect(writeRate(readRate(text))).to.equal(written));
  it('a rate in thousands is the number that is written', () => expect(readRate('1.001k')).to.equal(1001));
  it('a percentage is the same share as a quotient of counts', () => {
    const wrong = (_, errors) => (readPercent(String(errors / 100)) === errors / 10_000 ? [] : [errors]);
    expect(Array.from({ length: 10_001 }).flatMap(wrong)).to.deep.equal([]);
  });
  it('a pause that a function computes may be smaller than a millionth of a ms', () =>
    expect([readMs(9e-7), readMsRange([0, 1e-300]), readMs(-9e-7), readMs(Infinity)]).to.deep.equal([
      9e-7,
      [0, 1e-300],
      NaN,
      NaN,
    ]));
  for (const text of ['5x', '-1', '', 's', '1m30', '1m 30s', '30 1m', '1m-3s', '1mm']) {
    it(`'${text}' is not a duration`, () => expect(readMs(text)).to.be.NaN);
  }

  for (const given of [
    null,
    undefined,
    {},
    Object.create(null),
    [Symbol('x')],
    Symbol('x'),
    1n,
    true,
    () => '1',
    new Number(1),
  ]) {
    it(`${typeof given === 'object' ? 'an object' : String(given)} is neither a count nor a duration`, () => {
      for (const read of [readCount, readMs, readRate]) expect(read(given)).to.be.NaN;
      expect(readLimit(given)).to.equal(null);
      expect(readMsRange(given)).to.equal(null);
    });
  }

  it('a rate is no number with m: per minute, or a million', () => {
    expect(['1m', '0.5m/s'].map(readRate)).to.deep.equal([NaN, NaN]);
    expect(['30/m', '10k', '2k/m'].map(readRate)).to.deep.equal([0.5, 10_000, 2000 / 60]);
  });

  itSlow('X10 reading takes linear time', () => {
    const length = scaled(1e5, 1e6);
    // backtracking over a million characters would take hours
    for (const before of ['', '1', '1e', '1.', '1:', 'http://']) {
      for (const piece of ['1', ' ', '\t', '.', ':', '/', 'e', ' c', ': ', '1 ']) {
        const text = before + piece.repeat(length / piece.length) + 'x';
        for (const read of [readCount, readMs, readRate]) expect(read(text)).to.be.NaN;
        expect(readLimit(text)).to.equal(null);
        expect(readStages([text])).to.equal(null);
      }
    }
  });

  it('a rate is events per second of a time in ms, and 0 over no time', () => {
    expect(perSecond(3, 1500)).to.equal(2);
    expect(perSecond(3, 0)).to.equal(0);
  });
});

import { expect } from 'chai';

import { completeStats } from '../../../lib/measure/complete.js';
import { COUNTERS, FIGURES, HISTOGRAMS } from '../../../lib/measure/figures.js';
import { judgeThresholds, readThreshold } from '../../../lib/measure/thresholds.js';
import { valueAt } from '../../../lib/measure/value-at.js';
import { recorded, resultOf } from '../../support/recorded.js';

const stats = () => resultOf(recorded([{ at: 0, ms: 2, status: 200, waited: 1 }]), { planned: 1 });

describe('measure/figures', () => {
  it('paths and names in thresholds are unique', () => {
    const names = FIGURES.flatMap(({ threshold }) => threshold ?? []);
    for (const all of [FIGURES.map(({ path }) => path), names]) expect(new Set(all).size).to.equal(all.length);
  });

  for (const { path, isOptional } of FIGURES.filter(({ path }) => path !== 'main.corrected')) {
    it(`${path} is in the result${isOptional ? ', and may be missing' : ''}`, () => {
      expect(valueAt(stats(), path)).to.not.equal(undefined);
    });
  }

  for (const { path, threshold, kind } of FIGURES.filter((row) => row.threshold)) {
    const metric = kind === 'histogram' ? `${threshold}.max` : threshold;
    it(`a threshold can name ${metric}`, () => {
      const text = kind === 'histogram' ? `${metric}<1h` : `${metric}>=0`;
      const result = stats();
      const [{ actual }] = judgeThresholds([readThreshold(text).threshold], result);
      expect(actual).to.equal(kind === 'histogram' ? valueAt(result, path).max : valueAt(result, path));
    });
  }

  it('counters and histograms are recorded under their names', () => {
    expect(COUNTERS.every(({ path, group, name }) => path === `${group}.${name}`)).to.equal(true);
    expect(
      HISTOGRAMS.filter(({ isRecorded }) => isRecorded).every(({ key, path }) => path.endsWith(`.${key}`)),
    ).to.equal(true);
  });

  describe('errors.allowed', () => {
    const rows = [
      ['no errors are allowed', 0, [], true],
      ['errors without a threshold are not', 1, [], false],
      ['an errors threshold decides', 1, ['errors<5'], true],
      ['so does one of a share', 1, [' errors < 5%'], true],
      ['a threshold of an operation does not decide', 1, ['GET / errors<5'], false],
      ['other thresholds do not decide', 1, ['p99<1s', 'status.500<9'], false],
    ];
    for (const [title, count, expressions, isAllowed] of rows) {
      it(title, () => {
        const result = stats();
        result.errors.count = count;
        result.thresholds = expressions.map((expression) => ({ expression }));
        expect(completeStats(result).errors.allowed).to.equal(isAllowed);
      });
    }
  });
});

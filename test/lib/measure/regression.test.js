import { expect } from 'chai';

import {
  COMPARED,
  readRegressionLimits,
  refuseUntestedIn,
  regressionsOf,
} from '../../../lib/measure/compared-figures.js';

describe('measure/regression', () => {
  it('a limit is a figure and a share', () =>
    expect(readRegressionLimits(' p99 = 10% ')).to.deep.equal([{ figure: 'p99', share: 0.1, expression: 'p99=10%' }]));

  it('a share alone is a limit of every compared figure', () => {
    const limits = readRegressionLimits('10%');
    expect(limits.map(({ figure }) => figure)).to.deep.equal(COMPARED);
    expect(limits.every(({ share }) => share === 0.1)).to.equal(true);
  });

  for (const [text, message] of [
    ['p51=5%', 'did you mean p50?'],
    ['p99', 'expected a percentage'],
    ['p99 over 10s=5%', 'unknown figure'],
    ['p99=5', 'expected a percentage, as in p99=10%'],
    ['p99=-5%', 'expected a percentage'],
    ['iterations.completedRate=100%', 'a rate cannot be worse by 100 % or more'],
    ['rate=5%', 'did you mean iterations.completedRate?'],
  ]) {
    it(`${text} is refused: ${message}`, () =>
      expect(() => readRegressionLimits(text))
        .to.throw(message)
        .with.property('code', 'E_USAGE'));
  }

  it('a limit can be above 100 %, of times', () => {
    expect(readRegressionLimits('p99=150%')[0].share).to.equal(1.5);
    expect(readRegressionLimits('2400%').map(({ figure }) => figure)).to.deep.equal(COMPARED.slice(1));
  });

  it('a limit of a figure that is not tested is refused, with a cure', () => {
    const comparison = { figures: [row({ verdict: 'unknown' })], why: 'each side has one run' };
    expect(() => refuseUntestedIn(comparison, readRegressionLimits('p99=10%')))
      .to.throw(
        /--max-regression p99=10%: cannot tell noise from change, because each side has one run; .*bench-rest ab.*--noise/,
      )
      .with.property('code', 'E_USAGE');
    refuseUntestedIn({ ...comparison, figures: [row({})] }, readRegressionLimits('p99=10%'));
  });

  const RATE = 'iterations.completedRate';
  const row = (given) => ({ figure: 'p99', unit: 'ms', change: 0.2, verdict: 'worse', ...given });
  const broken = (given, figure = 'p99') => regressionsOf({ figures: [row(given)] }, [{ figure, share: 0.1 }]);
  for (const [title, found, count] of [
    ['worse by more than the limit is a regression', broken({}), 1],
    ['worse by less is none', broken({ change: 0.05 }), 0],
    ['a change that is noise is none', broken({ verdict: 'noise' }), 0],
    ['a figure that too few runs have is one', broken({ verdict: 'unknown' }), 1],
    ['a lower rate is worse', broken({ figure: RATE, unit: '/s', change: -0.2 }, RATE), 1],
    ['a higher rate is better', broken({ figure: RATE, unit: '/s', change: 0.2 }, RATE), 0],
    [
      "a change that is perhaps the load generator's is one, which says so",
      broken({ verdict: 'unknown', doubt: 'ours' }),
      1,
    ],
    ['what cannot be compared is a regression', broken({ change: null }), 1],
  ]) {
    it(title, () => expect(found).to.have.lengthOf(count));
  }

  it('more failures are a regression if there is any limit', () => {
    const comparison = { figures: [row({ verdict: 'noise' })], failures: [{ problem: '40 % failed' }, {}] };
    expect(regressionsOf(comparison, readRegressionLimits('p99=10%'))).to.deep.equal(['40 % failed']);
    expect(regressionsOf(comparison, [])).to.deep.equal([]);
  });

  for (const [text, change, message] of [
    ['10%', 0.2, 'p99 is worse by 20.0 %, more than 10 %'],
    ['2.5%', 0.027, 'p99 is worse by 2.7 %, more than 2.5 %'],
    ['2.5%', 0.0252, 'p99 is worse by 2.52 %, more than 2.5 %'],
    ['7%', 0.0701, 'p99 is worse by 7.01 %, more than 7 %'],
  ]) {
    it(message, () => {
      const limits = readRegressionLimits(`p99=${text}`);
      expect(regressionsOf({ figures: [row({ change })] }, limits)).to.deep.equal([message]);
    });
  }
});

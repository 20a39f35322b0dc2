import { expect } from 'chai';

import { COMPARED_FIGURES, judgedLimit } from '../../../../lib/addons/compare/measure/compared-figures.js';
import { readRegressionLimits, refuseUntestedIn } from '../../../../lib/addons/compare/measure/compared-figures.js';
import { withRegressions } from '../../../../lib/addons/compare/report/index.js';

const COMPARED = COMPARED_FIGURES.map(({ figure }) => figure);
const P99 = 'responseTime.p99';

describe('limits of regressions', () => {
  it('a limit is a figure, by its path or its short name, and a share', () => {
    for (const name of ['p99', P99])
      expect(readRegressionLimits(` ${name} = 10% `)).to.deep.equal([
        { figure: P99, share: 0.1, expression: `${name}=10%`, isNamed: true },
      ]);
  });

  it('a share alone is a limit of every compared figure', () => {
    const limits = readRegressionLimits('10%');
    expect(limits.map(({ figure }) => figure)).to.deep.equal(COMPARED);
    expect(limits.every(({ share }) => share === 0.1)).to.equal(true);
  });

  for (const [text, message] of [
    ['p51=5%', 'did you mean p50?'],
    ['p-99=10%', 'unknown figure, did you mean p99?'],
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
    const untested = { code: 'singleRuns', message: 'each side has one run' };
    const comparison = { figures: [row({ verdict: 'unknown' })], untested };
    expect(() => refuseUntestedIn(comparison, readRegressionLimits('p99=10%')))
      .to.throw(
        /--max-regression p99=10%: cannot tell noise from change, because each side has one run; .*bench-rest ab.*--noise/,
      )
      .with.property('code', 'E_USAGE');
    refuseUntestedIn({ ...comparison, figures: [row({})] }, readRegressionLimits('p99=10%'));
  });

  const RATE = 'iterations.completedRate';
  const row = (given) => ({ figure: P99, unit: 'ms', change: 0.2, verdict: 'worse', ...given });
  const isBroken = (given, figure = P99) => !judgedLimit({ figures: [row(given)] }, { figure, share: 0.1 }).passed;
  for (const [title, found, expected] of [
    ['worse by more than the limit is a regression', isBroken({}), true],
    ['worse by less is none', isBroken({ change: 0.05 }), false],
    ['a change that is noise is none', isBroken({ verdict: 'noise' }), false],
    ['a figure that too few runs have is one', isBroken({ verdict: 'unknown' }), true],
    ['a lower rate is worse', isBroken({ figure: RATE, unit: '/s', change: -0.2 }, RATE), true],
    ['a higher rate is better', isBroken({ figure: RATE, unit: '/s', change: 0.2 }, RATE), false],
    [
      "a change that is perhaps the load generator's is one, which says so",
      isBroken({ verdict: 'unknown', reason: { code: 'loadGeneratorInFigures', message: 'ours' } }),
      true,
    ],
    ['what cannot be compared is a regression', isBroken({ change: null }), true],
  ]) {
    it(title, () => expect(found).to.equal(expected));
  }

  it('a limit that only the part of the load generator exceeds is undecided', () => {
    const reason = {
      code: 'loadGeneratorInFigures',
      message: "up to 9 ms of the p99 of B (10 ms) are the load generator's",
    };
    const limit = judgedLimit(
      { figures: [row({ verdict: 'unknown', change: 0.5, reason })] },
      { figure: P99, share: 0.1 },
    );
    expect(limit).to.include({ passed: false, undecided: true });
    const comparison = { figures: [], failures: [], outcome: { reasons: [] } };
    const { outcome } = withRegressions(comparison, [limit]);
    expect([outcome.exitCode, outcome.reasons[0].code, outcome.reasons[0].message]).to.deep.equal([
      98,
      'undecided',
      `p99 may be worse by 50.0 %, more than 10 %: ${reason.message}`,
    ]);
  });

  it('more failures are a regression if there is any limit', () => {
    const failures = [
      { figure: 'iterations.failedShare', unit: 'ratio', base: 0.01, new: 0.4, verdict: 'worse' },
      { figure: 'iterations.unsentShare', unit: 'ratio', base: 0, new: 0, verdict: 'noise' },
    ];
    const comparison = { figures: [], failures, outcome: { reasons: [] } };
    const limit = judgedLimit({ figures: [row({ verdict: 'noise' })] }, readRegressionLimits('p99=10%')[0]);
    const { reasons, ...outcome } = withRegressions(comparison, [limit]).outcome;
    expect(outcome).to.deep.equal({ passed: false, exitCode: 99 });
    expect(reasons).to.deep.equal([
      {
        ...{ code: 'regression', message: '40 % of the iterations failed, before 1 %' },
        ...{ figure: 'iterations.failedShare', bound: 0.01, actual: 0.4, unit: 'ratio' },
      },
    ]);
    expect(withRegressions(comparison, []).outcome.passed).to.equal(true);
  });

  for (const [text, change, message] of [
    ['10%', 0.2, 'p99 is worse by 20.0 %, more than 10 %'],
    ['2.5%', 0.027, 'p99 is worse by 2.7 %, more than 2.5 %'],
    ['2.5%', 0.0252, 'p99 is worse by 2.52 %, more than 2.5 %'],
    ['10%', 0.1000004, 'p99 is worse by 10.00004 %, more than 10 %'],
    ['7%', 0.0701, 'p99 is worse by 7.01 %, more than 7 %'],
  ]) {
    it(message, () => {
      const [limit] = readRegressionLimits(`p99=${text}`);
      expect(judgedLimit({ figures: [row({ change })] }, limit)).to.include({ actual: change, passed: false, message });
    });
  }
});

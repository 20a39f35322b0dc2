import { expect } from 'chai';

import { baselineOf } from '../../../../lib/addons/compare/measure/compare.js';
import { differencesTo } from '../../../../lib/addons/compare/report/objections.js';
import { noiseOf } from '../../../../lib/addons/compare/measure/comparison-method.js';
import { literalResult } from '../../../support/literal-result.js';

const run = { flow: { sha256: 'a' }, loads: [{ text: '10 iterations' }] };

describe('a baseline', () => {
  it('figures and operations have their change, which is tested by the noise that is known', () => {
    const base = literalResult();
    const result = literalResult();
    result.main.completed.p99 *= 2;
    const limits = ['p99', 'p50'].map((name) => ({
      ...{ figure: `responseTime.${name}`, share: 0.1, expression: `${name}=10%` },
    }));
    const baseline = baselineOf(
      result,
      { ...base, run },
      { from: 'base.json', limits, warnings: [], noise: noiseOf(['5%']) },
    );
    expect(baseline).to.include({ from: 'base.json', id: base.id, startedAt: base.startedAt, method: 'noise' });
    expect(baseline).not.to.have.property('untested');
    const p99 = baseline.figures.find(({ figure }) => figure === 'responseTime.p99');
    expect(p99.verdict).to.equal('worse');
    expect(p99.change).to.be.closeTo(1, 1e-9);
    expect(baseline.operations.map(({ figures }) => figures.length)).to.deep.equal(result.operations.map(() => 3));
    const bound = { bound: 0.1, unit: 'ratio' };
    expect(baseline.regressions).to.deep.equal([
      {
        ...{ expression: 'p99=10%', figure: 'responseTime.p99', ...bound, actual: p99.change, passed: false },
        message: 'p99 is worse by 100.0 %, more than 10 %',
      },
      { expression: 'p50=10%', figure: 'responseTime.p50', ...bound, actual: 0, passed: true },
    ]);
  });

  it('without noise that is known, no figure has a verdict', () => {
    const { figures, untested } = baselineOf(literalResult(), literalResult(), {
      from: '',
      limits: [],
      warnings: [],
      noise: new Map(),
    });
    expect([new Set(figures.map(({ verdict }) => verdict)), untested]).to.deep.equal([
      new Set(['unknown']),
      { code: 'singleRuns', message: 'each side has one run' },
    ]);
  });

  it('an operation that the baseline lacks is left out', () => {
    const base = literalResult();
    base.operations = [];
    expect(
      baselineOf(literalResult(), base, { from: '', limits: [], warnings: [], noise: new Map() }).operations,
    ).to.deep.equal([]);
  });

  it('another flow, another load and a baseline without a run are named', () => {
    expect(differencesTo({ run }, run)).to.deep.equal([]);
    const other = { flow: { sha256: 'b' }, loads: [{ text: '20 iterations' }] };
    expect(differencesTo({ run }, other)).to.deep.equal([
      { code: 'otherFlow', message: 'the baseline is of another flow' },
      { code: 'otherLoad', message: 'the load of the baseline was 10 iterations' },
    ]);
    expect(differencesTo({}, run)).to.deep.equal([
      { code: 'flowUnknown', message: 'the baseline does not name its flow' },
    ]);
  });
});

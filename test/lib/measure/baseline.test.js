import { expect } from 'chai';

import { baselineOf, differencesTo } from '../../../lib/measure/compare.js';
import { noiseOf } from '../../../lib/measure/comparison-method.js';
import { literalResult } from '../../support/literal-result.js';

const run = { flow: { sha256: 'a' }, loads: [{ text: '10 iterations' }] };

describe('measure/baseline', () => {
  it('figures and operations have their change, which is tested by the noise that is known', () => {
    const base = literalResult();
    const result = literalResult();
    result.main.completed.p99 *= 2;
    const limits = ['p99', 'p50'].map((figure) => ({ figure, share: 0.1, expression: `${figure}=10%` }));
    const baseline = baselineOf(
      result,
      { ...base, run },
      { from: 'base.json', limits, notes: [], noise: noiseOf({ noise: ['5%'] }) },
    );
    expect(baseline).to.include({ from: 'base.json', startedAt: base.startedAt, method: 'noise', why: null });
    const p99 = baseline.figures.find(({ figure }) => figure === 'p99');
    expect(p99.verdict).to.equal('worse');
    expect(p99.change).to.be.closeTo(1, 1e-9);
    expect(baseline.operations.map(({ figures }) => figures.length)).to.deep.equal(result.operations.map(() => 3));
    expect(baseline.limits).to.deep.equal([
      { expression: 'p99=10%', passed: false, problem: 'p99 is worse by 100.0 %, more than 10 %' },
      { expression: 'p50=10%', passed: true },
    ]);
  });

  it('without noise that is known, no figure has a verdict', () => {
    const { figures, why } = baselineOf(literalResult(), literalResult(), {
      from: '',
      limits: [],
      notes: [],
      noise: new Map(),
    });
    expect([new Set(figures.map(({ verdict }) => verdict)), why]).to.deep.equal([
      new Set(['unknown']),
      'each side has one run',
    ]);
  });

  it('an operation that the baseline lacks is left out', () => {
    const base = literalResult();
    base.operations = [];
    expect(
      baselineOf(literalResult(), base, { from: '', limits: [], notes: [], noise: new Map() }).operations,
    ).to.deep.equal([]);
  });

  it('another flow, another load and a baseline without a run are named', () => {
    expect(differencesTo({ run }, { hash: 'a', shape: '10 iterations' })).to.deep.equal([]);
    expect(differencesTo({ run }, { hash: 'b', shape: '20 iterations' })).to.deep.equal([
      'the baseline is of another flow',
      'the load of the baseline was 10 iterations',
    ]);
    expect(differencesTo({}, { hash: 'a', shape: '' })).to.deep.equal(['the baseline does not name its flow']);
  });
});

import { expect } from 'chai';

import { historyNotes, noiseOf } from '../../../lib/measure/comparison-method.js';
import { literalResult } from '../../support/literal-result.js';

const run = (level) => ({
  iterations: { completedRate: 1000 / level },
  main: { completed: { mean: level, median: level, p90: level, p95: level, p99: null } },
});

describe('measure/noise', () => {
  it('a share is the noise of a figure, or of every figure', () => {
    const noise = noiseOf({ noise: ['4%', 'p99=8%'] });
    expect([
      noise.get('responseTime.p95').deviation,
      noise.get('responseTime.p99').deviation,
      noise.get('iterations.completedRate').df,
    ]).to.deep.equal([0.04, 0.08, Infinity]);
    expect(noiseOf({}).size).to.equal(0);
  });

  it('a history shows the deviation of each figure that three runs or more have', () => {
    const noise = noiseOf({ history: [9, 10, 11].map(run) });
    expect(noise.get('responseTime.p95').deviation).to.be.closeTo(0.1, 0.01);
    expect(noise.get('responseTime.p95').df).to.equal(2);
    expect([noise.has('responseTime.p99'), noiseOf({ history: [run(1), run(2)] }).size]).to.deep.equal([false, 0]);
  });

  it('a share replaces what the history shows', () =>
    expect(noiseOf({ noise: ['p95=1%'], history: [9, 10, 11].map(run) }).get('responseTime.p95').deviation).to.equal(
      0.01,
    ));

  it('a history of another flow or load, or of runs that failed, is named', () => {
    const errors = { ...literalResult().errors, count: 0 };
    const of = (run, more = {}) => ({ ...literalResult(), errors, thresholds: [], outcome: undefined, run, ...more });
    const base = of({ flow: { sha256: 'a' }, loads: [{ text: '3 s' }] });
    const history = [
      base,
      of({ flow: { sha256: 'b' }, loads: [{ text: '3 s' }] }),
      of({ flow: { sha256: 'a' }, loads: [{ text: '9 s' }] }),
      of(base.run, { errors: { ...literalResult().errors, count: 1 } }),
    ];
    expect(historyNotes(history, { names: ['1', '2', '3', '4'], base })).to.deep.equal([
      { code: 'historyOfOtherFlow', message: 'results of the history are of another flow: 2' },
      { code: 'historyOfOtherLoad', message: 'results of the history are of another load: 3' },
      { code: 'historyFailed', message: 'results of the history are of runs that failed: 4' },
      {
        code: 'historySuspect',
        message: 'results of the history are of suspect measurements: 1, 2, 3 and 1 more',
      },
    ]);
  });

  it('no noise is refused', () =>
    expect(() => noiseOf({ noise: ['p95=0%'] })).to.throw('runs always differ; expected a percentage above 0'));

  it('a share that cannot be read names the option', () =>
    expect(() => noiseOf({ noise: ['p95'] }))
      .to.throw('--noise "p95": expected a percentage')
      .with.property('code', 'E_USAGE'));
});

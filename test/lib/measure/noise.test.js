import { expect } from 'chai';

import { noiseOf } from '../../../lib/measure/comparison-method.js';

const run = (level) => ({
  iterations: { rate: 1000 / level },
  main: { ok: { mean: level, median: level, p90: level, p95: level, p99: null } },
});

describe('measure/noise', () => {
  it('a share is the noise of a figure, or of every figure', () => {
    const noise = noiseOf({ noise: ['4%', 'p99=8%'] });
    expect([noise.get('p95').deviation, noise.get('p99').deviation, noise.get('rate').df]).to.deep.equal([
      0.04,
      0.08,
      Infinity,
    ]);
    expect(noiseOf({}).size).to.equal(0);
  });

  it('a history shows the deviation of each figure that three runs or more have', () => {
    const noise = noiseOf({ history: [9, 10, 11].map(run) });
    expect(noise.get('p95').deviation).to.be.closeTo(0.1, 0.01);
    expect(noise.get('p95').df).to.equal(2);
    expect([noise.has('p99'), noiseOf({ history: [run(1), run(2)] }).size]).to.deep.equal([false, 0]);
  });

  it('a share replaces what the history shows', () =>
    expect(noiseOf({ noise: ['p95=1%'], history: [9, 10, 11].map(run) }).get('p95').deviation).to.equal(0.01));

  it('a share that cannot be read names the option', () =>
    expect(() => noiseOf({ noise: ['p95'] }))
      .to.throw('--noise "p95": expected a percentage')
      .with.property('code', 'E_USAGE'));
});

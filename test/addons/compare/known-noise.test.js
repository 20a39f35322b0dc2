import { expect } from 'chai';

import { knownNoise } from '../../../lib/addons/compare/baseline.js';
import { noiseOf } from '../../../lib/addons/compare/measure/comparison-method.js';
import { literalResult } from '../../support/literal-result.js';

/** A result whose times are all the same. */
const result = (id, level, more = {}) => {
  const one = { ...literalResult(), id, thresholds: [], outcome: undefined, ...more };
  one.errors = { ...one.errors, count: 0 };
  one.validity = { status: 'valid', reasons: [] };
  for (const key of ['mean', 'median', 'p90', 'p95', 'p99']) one.main.completed[key] = level;
  return one;
};
const names = (history) => history.map((_, i) => `${i + 1}.json`);
const known = (history, base = result('base', 10), noise = []) =>
  knownNoise({ noise, history, names: names(history) }, [base]);

describe('cli/result/baseline, known noise', () => {
  it('a share is the noise of a figure, or of every figure', () => {
    const noise = noiseOf(['4%', 'p99=8%']);
    expect([
      noise.get('responseTime.p95').deviation,
      noise.get('responseTime.p99').deviation,
      noise.get('iterations.completedRate').df,
    ]).to.deep.equal([0.04, 0.08, Infinity]);
    expect(noiseOf([]).size).to.equal(0);
  });

  it('a history shows the deviation of each figure that three runs or more have', () => {
    const without = (id, level) => {
      const one = result(id, level);
      one.main.completed.p99 = null;
      return one;
    };
    const { noise, history } = known([9, 10, 11].map((level) => without(`${level}`, level)));
    expect(noise.get('responseTime.p95').deviation).to.be.closeTo(0.1, 0.01);
    expect([noise.get('responseTime.p95').df, noise.has('responseTime.p99'), history]).to.deep.equal([2, false, 3]);
    expect(known([result('1', 1), result('2', 2)]).noise.size).to.equal(0);
  });

  it('a history shows the noise between its changes, so the service may have changed', () => {
    const levels = [10, 10.1, 9.9, 10, 10.1, 9.9, 20, 20.2, 19.8, 20, 20.2, 19.8];
    const history = levels.map((level, i) =>
      result(`${i}`, level, { startedAt: new Date(Date.UTC(2030, 0, i + 1)).toISOString() }),
    );
    const { deviation, df } = known(history).noise.get('responseTime.p95');
    expect(deviation).to.be.closeTo(0.009, 0.001);
    expect(df).to.equal(10);
  });

  it('a share replaces what the history shows', () => {
    const history = [9, 10, 11].map((level) => result(`${level}`, level));
    expect(known(history, undefined, ['p95=1%']).noise.get('responseTime.p95').deviation).to.equal(0.01);
  });

  it('results of another flow, load, option or machine are left out of a history, and named', () => {
    const { run, loadGenerators } = literalResult();
    const machine = { ...loadGenerators[0].machine, cores: 96 };
    const history = [
      result('1', 9),
      result('2', 90, { run: { ...run, flow: { ...run.flow, sha256: 'other' } } }),
      result('3', 90, { run: { ...run, loads: [{ ...run.loads[0], text: '9 s' }] } }),
      result('4', 90, { run: { ...run, options: { ...run.options, pipelining: 9 } } }),
      result('5', 90, { loadGenerators: [{ ...loadGenerators[0], machine }] }),
      result('6', 10, { run: { ...run, origins: ['http://other'] } }),
      result('7', 11),
      result('8', 10, { validity: { status: 'suspect', reasons: [] } }),
    ];
    history[6].errors.count = 1;
    history[7].validity.status = 'suspect';
    const { warnings, noise } = known(history);
    expect(warnings.map(({ code, message }) => `${code}: ${message}`)).to.deep.equal([
      'historyOfOtherFlow: results of the history are left out, because of another content of the flow: 2.json',
      'historyOfOtherLoad: results of the history are left out, because of another load: 3.json',
      'historyOfOtherOptions: results of the history are left out, because of another option pipelining: 4.json',
      'historyOfOtherMachine: results of the history are left out, because of another machine: 5.json',
      'historyFailed: results of the history are of runs that failed: 7.json',
      'historySuspect: results of the history are of figures that are ranges: 8.json',
    ]);
    expect(noise.get('responseTime.p95').df).to.equal(3);
  });

  it('no noise is refused', () =>
    expect(() => noiseOf(['p95=0%'])).to.throw('runs always differ; expected a percentage above 0'));

  it('a share that cannot be read names the option', () =>
    expect(() => noiseOf(['p95']))
      .to.throw('--noise "p95": expected a percentage')
      .with.property('code', 'E_USAGE'));
});

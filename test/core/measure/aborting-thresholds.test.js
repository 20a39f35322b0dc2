import { expect } from 'chai';

import { Histogram } from '../../../lib/core/measure/histogram.js';
import {
  failuresOfWindow,
  failuresSoFar,
  judgementOf,
  withEarlierFailures,
} from '../../../lib/core/measure/judge-thresholds.js';
import { Series } from '../../../lib/core/measure/series.js';
import { Transactions } from '../../../lib/core/measure/transactions.js';
import { ANY_NAMES, failsByThreshold, readThreshold } from '../../../lib/core/measure/thresholds.js';

const histogramOf = (times) => {
  const histogram = new Histogram();
  for (const ms of times) histogram.update(ms);
  return histogram;
};

/** The failures of one threshold beside iterations that completed within 10 ms. */
function failures(text, { running = [], scenario = '', completed = Array(100).fill(10), judged, ...state } = {}) {
  const { threshold } = readThreshold(text, ANY_NAMES);
  const times = histogramOf(completed);
  return failuresSoFar([threshold], [judged ?? judgementOf(threshold, threshold.operator.startsWith('<') ? 0 : 1e9)], {
    histograms: { completed: times, serviceTime: new Histogram() },
    series: new Series(),
    running: { response: running, service: running.map((ms) => ms / 2), scenario: running.map(() => scenario) },
    scenarios: new Transactions('scenarios'),
    iterations: { started: 200, slowest: 10, furtherErrors: 0 },
    errorCount: 0,
    nowMs: 10_000,
    graceMs: 500,
    isRamped: false,
    ...state,
  });
}

describe('thresholds that abort a run', () => {
  it('an iteration that has run for 5 s counts as 5 s', () => {
    const [failure] = failures('p99<200ms', { running: [5000, 5000] });
    expect(failure).to.deep.include({ expression: 'p99<200ms', passed: false, unit: 'ms', running: 2 });
    expect(failure.actual).to.be.closeTo(5000, 10);
  });

  for (const [what, text, options] of [
    ['too few of them to reach the percentile', 'p90<200ms', { running: [5000] }],
    ['young ones', 'p99<200ms', { running: Array(50).fill(1) }],
    ['none', 'p99<200ms', {}],
    ['a lower bound, which a longer time cannot break', 'p99>200ms', { running: [1] }],
    ['a spread, which they may raise or lower', 'stddev<1ms', { running: [5000, 5000] }],
    ['a figure of an operation', 'GET / p99<1ms', { running: [5000, 5000] }],
    ['a metric of hooks', 'mine.p99<1ms', { running: [5000, 5000] }],
    ['times of other histograms', 'ttfb.p99<1ms', { running: [5000, 5000] }],
  ])
    it(`${what}: no failure`, () => expect(failures(text, options)).to.deep.equal([]));

  it('the service time counts without the wait for a virtual user', () => {
    const [failure] = failures('serviceTime.max<1s', { running: [5000] });
    expect(failure.actual).to.equal(2500);
  });

  it('a server that never answers fails the mean and each percentile', () => {
    for (const text of ['mean<1s', 'p50<1s', 'p99.9<1s', 'max<1s'])
      expect(failures(text, { completed: [], running: [5000, 6000] })).to.have.lengthOf(1);
  });

  it('iterations that have ended fail by themselves, unless it was not measured yet', () => {
    const judged = { expression: 'errors<1', passed: false, actual: 3, unit: '' };
    expect(failures('errors<1', { judged })).to.deep.equal([judged]);
    expect(failures('errors<1', { judged: { ...judged, actual: null } })).to.deep.equal([]);
  });

  describe('a figure that rises while the run goes on', () => {
    const failing = (expression, actual, ramped = false) =>
      failsByThreshold(
        { thresholds: [{ expression, passed: false, actual, unit: '' }], ramped },
        { abortOnFail: true },
      );

    for (const expression of [
      ...[
        'iterations.started>300',
        'iterations.started>=300',
        'iterations.started==300',
        'iterations.started!=100',
        'status.200>300',
        'cancelled>300',
        'errors>300',
      ],
      ...['GET / count>300', 'GET / status.200>300', 'hits>300', 'marks.count>300'],
    ])
      it(`${expression} fails at the end only`, () => {
        expect(failing(expression, 100)).to.equal(false);
        const judged = { expression, passed: false, actual: 100, unit: '' };
        expect(failures(expression, { judged })).to.deep.equal([]);
      });

    for (const expression of [
      'iterations.started<300',
      'iterations.started==300',
      'status.500<=300',
      'errors<300',
      'GET / errors<300',
    ])
      it(`${expression} fails as soon as there are more`, () => expect(failing(expression, 301)).to.equal(true));

    it('a rate may rise in a ramp, and is judged at any time of a steady load', () => {
      expect([failing('requests.rate>40', 10, true), failing('iterations.completedRate>40', 10, true)]).to.deep.equal([
        false,
        false,
      ]);
      expect([failing('requests.rate>40', 10), failing('requests.rate<40', 50, true)]).to.deep.equal([true, true]);
    });

    it('a time, a share and a window are no such figures', () => {
      for (const expression of ['p50>1s', 'checks>99%', 'errors>1%', 'errors>5 over 1s'])
        expect(failing(expression, 0.5)).to.equal(true);
    });
  });

  describe('errors of a server that does not answer any more', () => {
    it('iterations older than the slowest completed one and the grace period count, as they would at the end', () => {
      const running = [400, 2000, 3000].map((ms) => 2 * ms);
      const [failure] = failures('errors<1%', { running });
      expect(failure).to.deep.include({ passed: false, actual: 0.01, unit: 'ratio', running: 2 });
      expect(failures('errors<10', { running, errorCount: 9 })[0].actual).to.equal(11);
      expect(failures('errors<1% over 1s', { running })[0]).to.deep.include({ actual: 1, running: 2 });
    });

    it('they are compared with those of their scenario', () => {
      const scenarios = new Transactions('scenarios');
      for (const [name, ms] of [
        ['slow', 1900],
        ['fast', 20],
      ])
        scenarios.add(name).took(ms, 0);
      const iterations = { started: 200, slowest: 1900, furtherErrors: 0 };
      const failing = (scenario) => failures('errors<1', { iterations, scenarios, scenario, running: [3000] });
      expect([failing('fast').length, failing('slow').length]).to.deep.equal([1, 0]);
    });

    it('no failure, if they are not older', () => {
      expect(failures('errors<1%', { running: [900, 900, 900] })).to.deep.equal([]);
      const iterations = { started: 200, slowest: 5000, furtherErrors: 0 };
      expect(failures('errors<1%', { running: [6000, 6000, 6000], iterations })).to.deep.equal([]);
    });
  });

  it('windows on times are judged although they do not end the run', () => {
    const read = (text) => readThreshold(text).threshold;
    const state = {
      histograms: { completed: histogramOf([10]), serviceTime: new Histogram() },
      series: new Series(),
      ...{ running: { response: [5000], service: [5000], scenario: [''] }, nowMs: 10_000, graceMs: 0, errorCount: 0 },
      ...{ iterations: { started: 2, slowest: 10, furtherErrors: 0 }, isRamped: false },
    };
    const failed = failuresOfWindow(['p99<1s over 2s', 'p99<1s', 'errors<1 over 2s'].map(read), state);
    expect(failed.map(({ expression }) => expression)).to.deep.equal(['p99<1s over 2s']);
  });

  it('a window has to be over, and running iterations count in the last one', () => {
    expect(failures('p99<1s over 20s', { running: [5000] })).to.deep.equal([]);
    const [failure] = failures('p99<1s over 10s', { running: [5000] });
    expect(failure.window).to.deep.equal({ from: 0, to: 10_000, count: 1 });
  });

  it('a threshold that failed by running iterations stays failed when the end has cut them off', () => {
    const early = { expression: 'p99<1s', passed: false, actual: 5000, unit: 'ms', running: 4 };
    const passed = { ...early, passed: true, actual: 12, running: undefined };
    expect(withEarlierFailures([passed], [early])).to.deep.equal([early]);
    const worse = { ...early, actual: 9000, running: undefined };
    expect(withEarlierFailures([worse], [early])).to.deep.equal([worse]);
    // the parts of a sum are judged together
    expect(withEarlierFailures([passed], [worse])).to.deep.equal([passed]);
  });
});

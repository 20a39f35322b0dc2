import { expect } from 'chai';

import { Histogram } from '../../../lib/measure/histogram.js';
import { failuresSoFar, judgementOf, withEarlierFailures } from '../../../lib/measure/judge-thresholds.js';
import { Series } from '../../../lib/measure/series.js';
import { readThreshold } from '../../../lib/measure/thresholds.js';

const histogramOf = (times) => {
  const histogram = new Histogram();
  for (const ms of times) histogram.update(ms);
  return histogram;
};

/** The failures of one threshold beside iterations that completed within 10 ms. */
function failures(text, { running = [], completed = Array(100).fill(10), judged } = {}) {
  const { threshold } = readThreshold(text, undefined, { names: [], hasFunctions: true });
  const ok = histogramOf(completed);
  return failuresSoFar(
    [threshold],
    [judged ?? judgementOf(threshold, threshold.comparison.startsWith('<') ? 0 : 1e9)],
    {
      histograms: { ok, serviceTime: new Histogram() },
      series: new Series(),
      running: { response: running, service: running.map((ms) => ms / 2) },
      nowMs: 10_000,
    },
  );
}

describe('measure/abort-judge', () => {
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

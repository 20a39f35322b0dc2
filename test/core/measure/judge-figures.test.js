import { expect } from 'chai';

import { Histogram } from '../../../lib/core/measure/histogram.js';
import { decidingOf, doubtOfFigures, judgeFigures } from '../../../lib/core/measure/judge-figures.js';
import { judgeThresholds } from '../../../lib/core/measure/judge-thresholds.js';
import { measuredBeside } from '../../../lib/core/measure/outcome-reasons.js';
import { rangeOfJudged } from '../../../lib/core/measure/own-time.js';
import { figureText } from '../../../lib/core/measure/threshold-figures.js';
import { readThreshold } from '../../../lib/core/measure/thresholds.js';
import { noStop } from '../../../lib/core/process/stops.js';
import { noStops } from '../../support/no-stops.js';

/** A run of 1,000 iterations of 1 to 1,000 ms / 100, of which a share is the load generator's. */
function resultOf({ ownShare = 0, count = 1000, rate = null, operations = 1 } = {}) {
  const [all, least] = [new Histogram(), new Histogram()];
  for (let i = 1; i <= count; i++) {
    all.update((10 * i) / count);
    least.update(((10 * i) / count) * (1 - ownShare));
  }
  const [completed, without] = [all.summary(true), least.summary(true)];
  return {
    main: { completed, least: without, serviceTime: completed, serviceLeast: without },
    iterations: rate ? { plannedRate: rate.asked } : {},
    loadGenerator: { saturated: false, stops: noStops() },
    operations: Array.from({ length: operations }, (_, i) => ({
      name: `GET /${i}`,
      phase: 'main',
      count,
      times: { serviceTime: completed, least: without },
    })),
  };
}
const thresholds = (...texts) => texts.map((text) => readThreshold(text).threshold);
const named = (figures) => figures.map(figureText);
const idle = { eventLoopUtilization: 0.3, workers: 1, stops: noStops() };

describe('measure/judge-figures', () => {
  it('a figure is a range from a twentieth on, and suspect from a tenth on', () => {
    const [p50] = judgeFigures(resultOf({ ownShare: 0.04 }), []);
    expect(p50).to.deep.include({ figure: 'responseTime.p50', of: {}, status: 'valid' });
    expect(p50.actual).to.be.closeTo(5, 0.01);
    expect(p50.loadGeneratorTime).to.be.closeTo(0.2, 0.01);
    expect(rangeOfJudged(p50)).to.equal(null);
    const [more] = judgeFigures(resultOf({ ownShare: 0.06 }), []);
    expect([more.status, rangeOfJudged(more)?.high]).to.deep.equal(['valid', more.actual]);
    expect(judgeFigures(resultOf({ ownShare: 0.11 }), [])[0].status).to.equal('suspect');
    // The lowest time of a histogram is no bound.
    expect(rangeOfJudged(judgeFigures(resultOf({ ownShare: 1 }), [])[0])?.low).to.equal(0);
  });

  it('p50 and p95 of the run, and figures of thresholds, decide about its validity', () => {
    const figures = judgeFigures(resultOf({ ownShare: 0.5, operations: 2 }), thresholds('p99<1s'));
    expect(named(decidingOf(figures, []))).to.deep.equal(['p50', 'p95']);
    expect(named(decidingOf(figures, thresholds('p99<1s', 'GET /1 p95<1s')))).to.deep.equal([
      'p50',
      'p95',
      'p99',
      'GET /1 p95',
    ]);
  });

  it('parts below 0.1 ms are what an event loop cannot tell from its own time', () => {
    const result = resultOf({ ownShare: 0.9 });
    result.main.completed = { ...result.main.completed, median: 0.2 };
    result.main.least = { ...result.main.least, median: 0.11 };
    expect(judgeFigures(result, [])[0]).to.include({ figure: 'responseTime.p50', status: 'valid' });
  });

  it('judges percentiles of the run, of several operations, of options and of thresholds', () => {
    const own = ['p50', 'p75', 'p90', 'p95', 'p99', 'p99.9'];
    expect(named(judgeFigures(resultOf(), []))).to.deep.equal(own);
    const open = judgeFigures(resultOf({ rate: { asked: 1, reached: 1 } }), []);
    expect(named(open).slice(6)).to.deep.equal(own.map((label) => `serviceTime.${label}`));
    const two = judgeFigures(resultOf({ operations: 2 }), []);
    expect(named(two).slice(6, 9)).to.deep.equal(['GET /0 p50', 'GET /0 p95', 'GET /0 p99']);
    const asked = judgeFigures(
      { ...resultOf({ ownShare: 0.5 }), percentiles: [{ percentile: 97 }] },
      thresholds('p42<1ms', 'mean<1ms', 'GET /0 p60<1ms', 'requests.rate>1'),
    );
    expect(named(asked).slice(6)).to.deep.equal(['p97', 'p42', 'mean', 'GET /0 p60']);
    expect(asked.at(-1).loadGeneratorTime).to.be.closeTo(3, 0.01);
  });

  it('judges scenarios and groups, also by their thresholds', () => {
    const result = resultOf({ ownShare: 0.5 });
    const { completed: time, least } = result.main;
    result.groups = [{ name: 'checkout', count: 1000, errors: 0, times: { duration: time, least } }];
    const judged = judgeFigures(result, thresholds('checkout p60<1ms'));
    expect(judged.at(-1)).to.deep.include({ figure: 'p60', of: { group: 'checkout' } });
    expect(named(judged).filter((name) => name.startsWith('checkout'))).to.deep.equal([
      'checkout p50',
      'checkout p95',
      'checkout p99',
      'checkout p60',
    ]);
    expect(judged.at(-1).loadGeneratorTime).to.be.closeTo(3, 0.01);
  });

  it('leaves out percentiles of too few values, and results without the second histogram', () => {
    expect(named(judgeFigures(resultOf({ count: 10 }), []))).to.deep.equal(['p50', 'p75', 'p90']);
    const earlier = resultOf();
    delete earlier.main.least;
    expect(judgeFigures(earlier, [])).to.deep.equal([]);
    const mixed = resultOf();
    mixed.main.least = { ...mixed.main.least, count: 500 };
    expect(judgeFigures(mixed, [])).to.deep.equal([]);
  });

  it('a sentence names the ranges and the cause that took the most time', () => {
    const figures = judgeFigures(resultOf({ ownShare: 0.5 }), []);
    const deciding = decidingOf(figures, []);
    const text = (generator) => doubtOfFigures(deciding, { ...idle, ...generator }, 10_000);
    expect(doubtOfFigures(judgeFigures(resultOf(), []), idle, 10_000)).to.equal(null);
    expect(text({})).to.equal('p50 and p95 are ranges: the event loop of the load generator was busy 30 % of the time');
    expect(doubtOfFigures(deciding, { ...idle, eventLoopUtilization: 1 }, 280)).to.match(
      /: 280 ms are mostly the start of the load generator$/,
    );
    const stops = { blocked: noStop(), noCpu: noStop(), suspended: noStop(), gc: noStop() };
    stops.blocked = { count: 12, longest: 98, total: 900 };
    expect(text({ stops })).to.match(/: hooks, listeners or other work blocked the event loop for 0\.9 of 10\.0 s$/);
    stops.gc = { count: 1, longest: 60, total: 800 };
    expect(text({ stops })).to.match(/: garbage collection of the load generator ran for 0\.8 of 10\.0 s$/);
    stops.noCpu = { count: 900, longest: 2, total: 1600 };
    expect(text({ stops })).to.match(/: other programs used the CPU for 1\.6 of 10\.0 s$/);
    expect(text({ stops, eventLoopUtilization: 0.99 })).to.match(
      /: the event loop of the load generator was busy 99 %/,
    );
  });

  it('of many figures it names three', () => {
    const figures = judgeFigures(resultOf({ ownShare: 0.5, operations: 9 }), []).filter((one) =>
      /^GET/.test(figureText(one)),
    );
    expect(doubtOfFigures(figures, idle, 1000)).to.match(
      /^GET \/0 p50, GET \/0 p95, GET \/0 p99 and 24 other figures are ranges: /,
    );
  });

  it('a threshold inside the range of its figure is undecided; outside, the range does not matter', () => {
    const result = { ...resultOf({ ownShare: 0.5 }), measuredElapsed: 10_000, loadGenerator: idle };
    const all = thresholds('p50<4ms', 'p50<2ms', 'p50<6ms', 'p50>4ms', 'GET /0 p50<4ms');
    const judged = judgeThresholds(all, result, { figures: judgeFigures(result, all) });
    expect(judged.map(({ passed, undecided }) => [passed, undecided])).to.deep.equal([
      [false, true],
      [false, undefined],
      [true, undefined],
      [false, true],
      [false, true],
    ]);
    expect(judged[0].doubt).to.match(/^2\.50–5\.00 ms: the event loop .* busy 30 % of the time; use more cores/);
    expect(judged.slice(1, 3).map(measuredBeside)).to.deep.equal(['2.50–5.00 ms', '2.50–5.00 ms']);
  });

  it('the end of a range next to the bound has the digits that tell them apart', () => {
    const judged = {
      operator: '<',
      bound: 21,
      passed: false,
      actual: 22.9,
      unit: 'ms',
      range: { low: 21.04, high: 22.9 },
    };
    expect(measuredBeside(judged)).to.equal('21.04–22.9 ms');
  });

  it('a rate of a closed run that had no CPU for a part of the time is a range, too', () => {
    const { main } = resultOf({ ownShare: 0.5 });
    const stop = (total) => ({ count: 1, longest: total, total });
    const stops = { noCpu: stop(6000), suspended: stop(0), gc: stop(0), blocked: stop(0) };
    const run = { main, measuredElapsed: 10_000, loadGenerator: { ...idle, stops } };
    const result = { ...run, iterations: { completedRate: 8 }, requests: { rate: 8 } };
    const [one, other] = judgeThresholds(thresholds('requests.rate>10', 'requests.rate>20'), result);
    expect(one).to.deep.include({ passed: false, undecided: true });
    expect(one.doubt).to.match(/^8\.00–16\.0 \/s: /);
    expect(other).to.not.have.property('undecided');
    expect(measuredBeside(other)).to.equal('8.00–16.0 /s');
  });
});

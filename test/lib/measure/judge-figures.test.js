import { expect } from 'chai';

import { Histogram } from '../../../lib/measure/histogram.js';
import { doubtOfFigures, judgeFigures } from '../../../lib/measure/judge-figures.js';
import { judgeThresholds } from '../../../lib/measure/judge-thresholds.js';
import { figureText } from '../../../lib/measure/threshold-figures.js';
import { readThreshold } from '../../../lib/measure/thresholds.js';
import { noStop } from '../../../lib/process/stops.js';

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
    loadGenerator: { saturated: false },
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
const idle = { eventLoopUtilization: 0.3 };

describe('measure/judge-figures', () => {
  it('a figure is suspect from a tenth on', () => {
    const [p50] = judgeFigures(resultOf({ ownShare: 0.08 }), []);
    expect(p50).to.deep.include({ figure: 'responseTime.p50', of: {}, status: 'valid' });
    expect(p50.actual).to.be.closeTo(5, 0.01);
    expect(p50.loadGeneratorTime).to.be.closeTo(0.4, 0.01);
    expect(judgeFigures(resultOf({ ownShare: 0.12 }), [])[0].status).to.equal('suspect');
  });

  it('a part of more than 1 ms makes a figure suspect from a twentieth on', () => {
    const statusOf = (ms, own) => {
      const result = resultOf();
      result.main.completed = { ...result.main.completed, median: ms };
      result.main.least = { ...result.main.least, median: ms - own };
      return judgeFigures(result, [])[0].status;
    };
    expect([statusOf(100, 9), statusOf(100, 6), statusOf(12, 1.1)]).to.deep.equal(['suspect', 'suspect', 'suspect']);
    expect([statusOf(100, 4), statusOf(12, 0.9), statusOf(1000, 30)]).to.deep.equal(['valid', 'valid', 'valid']);
  });

  it('one other figure is one figure', () => {
    const figures = judgeFigures(resultOf({ ownShare: 0.5, operations: 4 }), []).filter((one) =>
      / p95$/.test(figureText(one)),
    );
    expect(doubtOfFigures(figures, idle)).to.include(' and parts of 1 other figure are the load');
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

  it('a sentence says how much, and why', () => {
    const figures = judgeFigures(resultOf({ ownShare: 0.5 }), []);
    expect(doubtOfFigures(judgeFigures(resultOf(), []), idle)).to.equal(null);
    expect(doubtOfFigures(figures, idle)).to.equal(
      "of p50 (5.00 ms) up to 2.50 ms, of p95 (9.50 ms) up to 4.75 ms and of p99 (9.90 ms) up to 4.95 ms are the load generator's: its event loop was busy 30 % of the time",
    );
    const only = figures.map((one) => (one.figure === 'responseTime.p99' ? one : { ...one, status: 'valid' }));
    const stops = { blocked: noStop(), noCpu: noStop(), suspended: noStop(), gc: noStop() };
    stops.blocked = { count: 12, longest: 98, total: 900 };
    expect(doubtOfFigures(only, { ...idle, stops })).to.equal(
      "p50 and p95 are valid; of p99 (9.90 ms) up to 4.95 ms are the load generator's: a hook, a listener or other work blocked it 12 times for up to 98.0 ms",
    );
    stops.gc = { count: 1, longest: 60, total: 800 };
    expect(doubtOfFigures(only, { ...idle, stops })).to.match(
      /: garbage collection stopped it once for up to 60\.0 ms$/,
    );
    stops.suspended = { count: 2, longest: 1, total: 9000 };
    expect(doubtOfFigures(only, { ...idle, stops })).to.match(/: garbage collection/);
  });

  it('of many operations names three', () => {
    const figures = judgeFigures(resultOf({ ownShare: 0.5, operations: 9 }), []).filter((one) =>
      /^GET/.test(figureText(one)),
    );
    expect(doubtOfFigures(figures, idle)).to.match(
      /^of GET \/0 p50 .*, of GET \/0 p99 .* and parts of 24 other figures are/,
    );
  });

  it('a threshold that fails or passes only because of the load generator is named', () => {
    const result = resultOf({ ownShare: 0.5 });
    const all = thresholds('p50<4ms', 'p50<2ms', 'p50<6ms', 'p50>4ms', 'GET /0 p50<4ms');
    const judged = judgeThresholds(all, result, { figures: judgeFigures(result, all) });
    expect(judged.map(({ passed, doubt }) => [passed, doubt])).to.deep.equal([
      [false, "up to 2.50 ms are the load generator's: without them it would pass"],
      [false, undefined],
      [true, undefined],
      [true, "up to 2.50 ms are the load generator's: without them it would fail"],
      [false, "up to 2.50 ms are the load generator's: without them it would pass"],
    ]);
    const limited = { ...result, loadGenerator: { saturated: true }, requests: { rate: 9 } };
    expect(judgeThresholds(thresholds('requests.rate>10'), limited)[0].doubt).to.equal(
      'the load generator was the limit',
    );
  });
});

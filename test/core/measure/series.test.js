import { expect } from 'chai';

import { HdrCounts } from '../../../lib/core/measure/hdr-counts.js';
import { RecentPoints, Series } from '../../../lib/core/measure/series.js';
import fc from '../../support/fast-check.js';
import { scaled } from '../../support/scale.js';
import { itSlow } from '../../support/slow.js';

const point = (from, { to = from + 1000, times = [], errors = 0, area = 0, utilization = 0, bytes = 0 } = {}) => {
  const counts = new HdrCounts();
  for (const ms of times) counts.record(ms * 1000);
  return {
    from,
    to,
    count: times.length,
    errors,
    failed: errors,
    max: Math.max(0, ...times),
    area,
    utilization,
    bytes,
    counts: counts.toBytes(),
  };
};
const completedIn = ({ points }) => points.reduce((sum, { iterations }) => sum + iterations.completed, 0);
const errorsIn = ({ points }) => points.reduce((sum, { errors }) => sum + errors, 0);
const encodedOf = (series) =>
  series.summary({ withCounts: true }).points.map(({ responseTime }) => responseTime.hdrPayload);

describe('measure/series', () => {
  it('a point has percentiles and mean concurrency, and null if no iteration ended', () => {
    const series = new Series();
    series.add(point(0, { times: [1, 2, 3, 4, 100], errors: 1, area: 2500, utilization: 0.5 }));
    series.add(point(1000));
    const [first, second] = series.summary().points;
    const { median, p99, max } = first.responseTime;
    expect(first).to.deep.include({
      at: 0,
      iterations: { completed: 5, completedRate: 5, failed: 1 },
      errors: 1,
      concurrency: 2.5,
      loadGenerator: { eventLoopUtilization: 0.5 },
    });
    expect(median).to.be.closeTo(3, 0.003);
    expect(p99).to.be.closeTo(100, 0.1);
    expect(max).to.equal(100);
    expect(second).to.deep.equal({
      at: 1000,
      iterations: { completed: 0, completedRate: 0, failed: 0 },
      errors: 0,
      responseTime: { median: null, p95: null, p99: null, max: null },
      concurrency: 0,
      bytes: { received: 0, receivedRate: 0 },
      loadGenerator: { eventLoopUtilization: 0 },
    });
  });

  it('the counts in base64 are those of the points so far', () => {
    const bytesOf = (...times) => Buffer.from(point(0, { times }).counts).toString('base64');
    const series = new Series({ most: 4 });
    series.add(point(0, { times: [1] }));
    series.add(point(1000, { times: [2] }));
    expect(encodedOf(series)).to.deep.equal([bytesOf(1), bytesOf(2)]);
    series.add(point(1000, { times: [3] }));
    expect(encodedOf(series)).to.deep.equal([bytesOf(1), bytesOf(2, 3)]);
    series.add(point(4000, { times: [4] }));
    expect(encodedOf(series)).to.deep.equal([bytesOf(1, 2, 3), '', bytesOf(4)]);
  });

  it('rates are spread over the whole intervals: iterations and bytes per second', () => {
    const series = new Series({ interval: 500 });
    [1, 2, 3, 2].forEach((n, i) =>
      series.add(point(i * 500, { to: i * 500 + (i < 3 ? 500 : 10), times: Array(n).fill(1), bytes: 100 * n })),
    );
    const { interval, points, spread } = series.summary();
    const { 'iterations.completedRate': rates, 'bytes.receivedRate': bytesRates } = spread;
    expect(interval).to.equal(500);
    expect(points.map(({ bytes }) => [bytes.received, bytes.receivedRate])).to.deep.equal([
      [100, 200],
      [200, 400],
      [300, 600],
      [200, 20_000],
    ]);
    expect(rates).to.deep.include({ min: 2, p1: 2, p2_5: 2, median: 4, p97_5: 6, max: 6, mean: 4 });
    expect(rates.stddev).to.be.closeTo(Math.sqrt(8 / 3), 1e-9);
    expect(bytesRates).to.deep.include({ min: 200, median: 400, max: 600, mean: 400 });
  });

  it('points of several threads are merged in any order', () => {
    const [one, other] = [new Series(), new Series()];
    const all = [
      point(0, { times: [1, 2], area: 10, utilization: 0.2 }),
      point(1000, { times: [3] }),
      point(0, { times: [50], area: 5, utilization: 0.9 }),
      point(2000, { to: 2300, times: [4], area: 300 }),
    ];
    for (const each of all) one.add(each);
    for (const each of [...all].reverse()) other.add(each);
    expect(one.summary()).to.deep.equal(other.summary());
    const [joined] = one.summary().points;
    expect([joined.iterations.completed, joined.responseTime.max]).to.deep.equal([3, 50]);
    expect(joined.loadGenerator).to.deep.equal({ eventLoopUtilization: 0.9 });
    expect(one.summary().points[2].concurrency).to.equal(1);
    expect(one.area).to.equal(315);
  });

  it('the interval doubles at the maximum number of points, and nothing is lost', () => {
    const series = new Series({ most: 8 });
    for (let i = 0; i < 100; i++) series.add(point(i * 1000, { times: [i + 1], errors: 1, area: 1000 }));
    const shown = series.summary();
    expect(shown.interval).to.equal(16_000);
    expect(shown.points).to.have.lengthOf(7);
    expect([completedIn(shown), errorsIn(shown)]).to.deep.equal([100, 100]);
    expect(shown.points.map(({ at }) => at)).to.deep.equal([0, 16_000, 32_000, 48_000, 64_000, 80_000, 96_000]);
    const [{ iterations, responseTime, concurrency }] = shown.points;
    expect([iterations.completed, responseTime.max, concurrency]).to.deep.equal([16, 16, 1]);
    expect(responseTime.median).to.be.closeTo(8, 0.01);
  });

  it('the shorter points of the beginning are joined, when and in whatever order they arrive', () => {
    const pointAt = (from, to) => point(from, { to, times: [1 + (from % 7)], errors: 1, area: to - from });
    const points = [];
    for (let from = 0; from < 2000; from += 125) points.push(pointAt(from, from + 125), pointAt(from, from + 125));
    for (let from = 2000; from < 4000; from += 250) points.push(pointAt(from, from + 250));
    const seriesOf = (some) => {
      const series = new Series();
      for (const one of some) series.add(one);
      return [series.summary(), encodedOf(series)];
    };
    const [early] = seriesOf(points.slice(0, 32));
    expect([early.interval, early.points.length, early.points[3].iterations.completed]).to.deep.equal([125, 16, 2]);
    const all = seriesOf(points);
    expect([all[0].interval, all[0].points.length, completedIn(all[0])]).to.deep.equal([250, 16, 40]);
    fc.assert(
      fc.property(fc.shuffledSubarray(points, { minLength: points.length }), (shuffled) => {
        expect(seriesOf(shuffled)).to.deep.equal(all);
      }),
      { numRuns: 20 },
    );
  });

  for (const [interval, length] of [
    [250, 1000],
    [300, 900],
    [600, 600],
    [1000, 1000],
  ])
    it(`intervals of ${interval} ms have recent points of ${length} ms, all of them alike`, () => {
      const recent = new RecentPoints({ interval });
      for (let from = 0; from < 18_000; from += interval)
        recent.add(point(from, { to: from + interval, times: [1], area: interval }));
      const { interval: shown, points } = recent.summary({ interval: 2 * length }).recent;
      expect([shown, points.length]).to.deep.equal([length, 18_000 / length]);
      for (const { iterations, concurrency } of points)
        expect([iterations.completed, concurrency]).to.deep.equal([length / interval, 1]);
    });

  it('a run with intervals above a second has no recent points, even if its last one is short', () => {
    const recent = new RecentPoints({ interval: 2000 });
    for (const to of [2000, 4000, 4500]) recent.add(point(to - (to % 2000 || 2000), { to, times: [1] }));
    expect(recent.summary({ interval: 4000 })).to.deep.equal({});
  });

  itSlow('a day is at most 10,000 points', () => {
    const seconds = scaled(30_000, 86_400);
    const series = new Series();
    const one = point(0, { times: [1] });
    for (let second = 0; second < seconds; second++)
      series.add({ ...one, from: second * 1000, to: (second + 1) * 1000 });
    expect(series.summary().points.length).to.be.within(5000, 10_000);
    expect(completedIn(series.summary())).to.equal(seconds);
  });

  it('a series is as coarse as its longest points', () => {
    const series = new Series();
    for (let i = 0; i < 4; i++) series.add(point(i * 4000, { to: (i + 1) * 4000, times: [1] }));
    series.add(point(0, { times: [9] }));
    expect(series.summary()).to.deep.include({ interval: 4000 });
    expect(series.summary().points.map(({ iterations }) => iterations.completed)).to.deep.equal([2, 1, 1, 1]);
  });
});

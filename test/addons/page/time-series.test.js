import { expect } from 'chai';

import { operationSeriesOf, timeSeriesOf } from '../../../lib/addons/page/chart-data.js';

const point = (at, { rate = 10, p99 = 9 } = {}) => ({
  at,
  iterations: { completed: rate, completedRate: rate, failed: 0 },
  errors: 0,
  responseTime: { median: 5, p99, max: 10 },
  concurrency: 1,
  loadGenerator: { eventLoopUtilization: 0.5 },
});
const series = (points) => ({ interval: 1000, points });

describe('the series of a chart', () => {
  it('points are at the middle of their intervals; a short last interval is left out', () => {
    const three = series([point(0), point(1000), point(2000)]);
    expect(timeSeriesOf({ series: three, measuredElapsed: 2800 }).at).to.deep.equal([0.5, 1.5, 2.4]);
    expect(timeSeriesOf({ series: three, measuredElapsed: 2100 }).at).to.deep.equal([0.5, 1.55]);
  });

  it('the p95 of operations is that of their interval, which may be longer', () => {
    const points = [5, null].map((p95, i) => ({ at: i * 2000, count: 1, serviceTime: { median: 1, p95 } }));
    const operations = ['GET /', 'GET /a'].map((name) => ({ name, phase: 'main', interval: 2000, points }));
    expect(operationSeriesOf({ series: { operations } }, [0.5, 1.5, 2.5, 4.5])).to.deep.equal(
      ['GET /', 'GET /a'].map((name) => ({ name, phase: 'main', values: [5, 5, null, null] })),
    );
    expect(operationSeriesOf({ series: { operations: operations.slice(1) } }, [0.5])).to.deep.equal([]);
    expect(operationSeriesOf({ series: {} }, [0.5])).to.deep.equal([]);
  });

  it('a long run has at most 1,200 points: rates are averaged, the highest times stay', () => {
    const points = Array.from({ length: 2400 }, (_, i) =>
      point(i * 1000, { rate: i % 2 ? 20 : 10, p99: i === 7 ? 99 : 9 }),
    );
    const time = timeSeriesOf({ series: series(points), measuredElapsed: 2_400_000 });
    expect(time.at).to.have.lengthOf(1200);
    expect(time.rate.every((rate) => rate === 15)).to.equal(true);
    expect(time.p99.indexOf(99)).to.equal(3);
  });
});

import { expect } from 'chai';

import { chartsOf } from '../../../../lib/addons/page/client/page-charts.js';

const time = { at: [0.5, 1.5], p50: [1, 2], p99: [3, 4], rate: [5, 6], errorRate: [0, 0], concurrency: [1, 1] };
const model = {
  ...{ time: { ...time, utilization: [0.1, 0.2] }, whole: { p50: 1.5, p99: 3.5, rate: 5.5 } },
  ...{ byOperation: [], byLoad: [], byStream: [], server: null },
};
const seriesOf = (more, id) =>
  chartsOf({ ...model, ...more })
    .find((chart) => chart.id === id)
    ?.series.map(({ name, values, whole }) => [name, values, whole]);

describe('charts of a page', () => {
  it('every page has the times, the rates, the concurrency and the event loop of the run', () => {
    expect(chartsOf(model).map(({ id }) => id)).to.deep.equal(['latency-over-time', 'rate', 'running', 'event-loop']);
    expect(seriesOf({}, 'latency-over-time')).to.deep.equal([
      ['p50', [1, 2], 1.5],
      ['p99', [3, 4], 3.5],
    ]);
    expect(seriesOf({}, 'running')).to.deep.equal([['running', [1, 1], null]]);
  });

  it('a load has its planned rate beside the measured one, unless it is closed', () => {
    const byLoad = [
      { name: 'a', values: [1, 2], whole: 1.5, planned: [2, 2], wholePlanned: 2 },
      { name: 'b', values: [3, 3], whole: 3, planned: null, wholePlanned: null },
    ];
    expect(seriesOf({ byLoad }, 'by-load')).to.deep.equal([
      ['a', [1, 2], 1.5],
      ['a, planned', [2, 2], 2],
      ['b', [3, 3], 3],
    ]);
  });

  it('a server has only the series that were measured', () => {
    const server = { points: { memory: [1, null], heap: [null, null] }, whole: { memory: 1, heap: null } };
    expect(seriesOf({ server }, 'server-memory')).to.deep.equal([['memory', [1, null], 1]]);
    expect(seriesOf({ server }, 'server-cpu')).to.equal(undefined);
  });

  it('each operation has a color of its own, and a stream a line for each of its times', () => {
    const byOperation = ['x', 'y'].map((name) => ({ name, values: [1, 1], whole: 1 }));
    const stream = { rate: [1, 1], firstEvent: [2, 2], gap: [3, 3], whole: { rate: 1, firstEvent: 2, gap: 3 } };
    const byStream = [{ name: 'x', ...stream }];
    const [one, other] = chartsOf({ ...model, byOperation }).at(-1).series;
    expect(one.color).not.to.equal(other.color);
    expect(seriesOf({ byStream }, 'stream-times').map(([name]) => name)).to.deep.equal([
      'x, first event p95',
      'x, gap p99',
    ]);
  });
});

import { expect } from 'chai';

import { HdrCounts } from '../../../../lib/core/measure/hdr-counts.js';
import { Recorder } from '../../../../lib/core/measure/recorder.js';
import { OperationSeries } from '../../../../lib/core/measure/series.js';

describe('the series of an operation with streams', () => {
  it('a single operation with streams has points: of its events as they arrive, and of threads that are added', () => {
    const whole = new Recorder({ interval: 1000 });
    for (let thread = 0; thread < 2; thread++) {
      const part = new Recorder({ isDrained: true, interval: 1000 });
      const streams = part.operations.add('chat', 'main').figures('stream');
      part.points.begin(0);
      streams.firstEvent(100);
      for (let i = 0; i < 9; i++) streams.gap(20);
      part.points.advance(1000);
      for (let i = 0; i < 5; i++) streams.gap(40);
      part.points.advance(2000);
      for (let i = 0; i < 5; i++) streams.gap(40);
      part.points.close(2500);
      whole.add(part.drain());
      part.close();
    }
    const [{ name, points }] = whole.operationSeries.summary().operations;
    expect([name, points.map(({ count, stream }) => [count, stream.eventRate])]).to.deep.equal([
      'chat',
      [
        [0, 20],
        [0, 10],
        [0, 20],
      ],
    ]);
    expect(points[0].stream.firstEvent.p95).to.be.closeTo(100, 0.2);
    expect(points[1].stream.firstEvent.p95).to.equal(null);
    expect(points.map(({ stream }) => Math.round(stream.gap.p99))).to.deep.equal([20, 40, 40]);
    whole.close();
  });

  it('streams that begin late have the points of the operation', () => {
    const series = new OperationSeries({ interval: 1000 });
    const hdr = new HdrCounts();
    hdr.record(5000);
    const point = (of) => ({
      name: 'a',
      phase: 'main',
      ...(of && { figures: 'stream', of }),
      count: 1,
      max: 5,
      counts: hdr.toBytes(),
    });
    for (let from = 0; from < 500_000; from += 1000)
      series.add({ from, to: from + 1000 }, [point(), ...(from < 400_000 ? [] : [point('gap')])]);
    const [{ interval, points }] = series.summary().operations;
    expect([interval, points.length]).to.deep.equal([2000, 250]);
    expect(points.map(({ stream }) => stream.eventRate)).to.deep.equal([...Array(200).fill(0), ...Array(50).fill(1)]);
  });

  it('rare events of a long run count per second of their whole point, also in the last one', () => {
    const series = new OperationSeries({ interval: 1000 });
    const hdr = new HdrCounts();
    hdr.record(5000);
    const counts = hdr.toBytes();
    const event = { name: 'a', phase: 'main', figures: 'stream', of: 'gap', count: 1, max: 5, counts };
    for (let from = 0; from < 1000_000; from += 1000)
      series.add({ from, to: from + 1000 }, from % 8000 === 0 ? [event] : []);
    series.add({ from: 1_000_000, to: 1_001_000 }, [event]);
    series.add({ from: 1_001_000, to: 1_002_000 }, []);
    const [{ interval, points }] = series.summary().operations;
    expect([interval, points.length]).to.deep.equal([4000, 251]);
    const rates = points.map(({ stream }) => stream.eventRate);
    expect(rates).to.deep.equal([...Array(125).fill([0.25, 0]).flat(), 0.5]);
  });
});

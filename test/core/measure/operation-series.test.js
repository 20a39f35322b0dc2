import { expect } from 'chai';

import { HdrCounts } from '../../../lib/core/measure/hdr-counts.js';
import { OperationRows } from '../../../lib/core/measure/operations.js';
import { Recorder } from '../../../lib/core/measure/recorder.js';
import { OperationSeries } from '../../../lib/core/measure/series.js';

/** The number of values in encoded counts. */
const totalOf = (bytes) => {
  const counts = new HdrCounts();
  counts.addBytes(bytes);
  let total = 0;
  counts.forEach((_, times) => (total += times));
  return total;
};

describe('the series of operations', () => {
  it('a point of an operation has the responses since the last point, whether they were drained or not', () => {
    const operations = new OperationRows();
    const [one, two] = ['one', 'two'].map((name) => operations.add(name, 'main'));
    const counted = () =>
      Object.fromEntries(operations.points().map(({ name, count, counts }) => [name, [count, totalOf(counts)]]));
    expect(counted()).to.deep.equal({});
    one.answered(200, 5);
    expect(counted()).to.deep.equal({ one: [1, 1] });
    one.answered(200, 5);
    one.answered(200, 7);
    operations.drain();
    one.answered(200, 5);
    two.answered(200, 5);
    const points = operations.points().map(({ name, count }) => [name, count]);
    expect(points).to.deep.equal([
      ['one', 3],
      ['two', 1],
    ]);
    expect(counted()).to.deep.equal({});
  });

  it('a long interval that is drained often keeps few parts, and all responses', () => {
    const operations = new OperationRows();
    const [one] = ['one', 'two'].map((name) => operations.add(name, 'main'));
    operations.points();
    for (let i = 0; i < 100; i++) {
      one.answered(200, 5);
      operations.drain();
    }
    const points = operations.points();
    expect(points.length).to.be.below(20);
    expect(points.reduce((sum, { counts }) => sum + totalOf(counts), 0)).to.equal(100);
    expect(points.reduce((sum, { count }) => sum + count, 0)).to.equal(100);
  });

  it('a single operation has no points, nor have those of before and after, and at most 20 have', () => {
    const operations = new OperationRows();
    operations.add('first', 'before').answered(200, 1);
    expect(operations.points()).to.deep.equal([]);
    const all = Array.from({ length: 25 }, (_, i) => operations.add(`GET /${i}`, 'main'));
    for (const one of all) one.answered(200, 1);
    expect(operations.points().map(({ name }) => name)).to.deep.equal(all.slice(0, 20).map(({ name }) => name));
  });

  it('threads are added up, by name and phase', () => {
    const whole = new Recorder();
    for (const part of [new Recorder({ isDrained: true }), new Recorder({ isDrained: true })]) {
      const [a, b] = ['a', 'b'].map((name) => part.operations.add(name, 'main'));
      part.points.begin(0);
      for (let i = 0; i < 10; i++) a.answered(200, 10);
      b.answered(500, 20);
      b.answered(200, 40);
      part.points.close(50);
      whole.add(part.drain());
      part.close();
    }
    const [a, b] = whole.operationSeries.summary().operations;
    expect([a.name, a.phase, a.points.length]).to.deep.equal(['a', 'main', 1]);
    expect([a.points[0].count, b.points[0].count]).to.deep.equal([20, 4]);
    expect(a.points[0].serviceTime.median).to.be.closeTo(10, 0.02);
    expect(b.points[0].serviceTime.p95).to.be.closeTo(40, 0.1);
    whole.close();
  });

  it('a long run has at most 300 points of each operation, and every response', () => {
    const series = new OperationSeries({ interval: 1000 });
    const hdr = new HdrCounts();
    hdr.record(5000);
    const point = (name) => ({ name, phase: 'main', count: 1, max: 5, counts: hdr.toBytes() });
    for (let from = 0; from < 1_000_000; from += 1000) series.add({ from, to: from + 1000 }, [point('a'), point('b')]);
    const [{ interval, points }] = series.summary().operations;
    expect([interval, points.length]).to.deep.equal([4000, 250]);
    expect(points.reduce((sum, { count }) => sum + count, 0)).to.equal(1000);
  });
});

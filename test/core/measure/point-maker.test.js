import { expect } from 'chai';

import { Histogram } from '../../../lib/core/measure/histogram.js';
import { PointMaker } from '../../../lib/core/measure/point-maker.js';
import fc from '../../support/fast-check.js';

const making = (options) => {
  const points = [];
  const times = new Histogram();
  const maker = new PointMaker((point) => points.push(point), { interval: 100, times, ...options });
  const completes = (now, ms) => {
    maker.completes(now, ms);
    times.update(ms);
  };
  return { points, maker, completes };
};

describe('measure/point-maker', () => {
  it('S14 an iteration belongs to the interval in which it ended; an end on the boundary belongs to the next', () => {
    const { maker, points, completes } = making();
    maker.begin(1000);
    for (const now of [1000, 1099.9, 1100, 1250]) completes(now, 5);
    maker.close(1270);
    expect(points.map(({ from, to, count }) => [from, to, count])).to.deep.equal([
      [0, 100, 2],
      [100, 200, 1],
      [200, 270, 1],
    ]);
  });

  it('a stall leaves empty intervals that count the waiting iterations', () => {
    const { maker, points, completes } = making();
    maker.begin(0);
    maker.started(50);
    maker.ended(350);
    completes(350, 300);
    maker.close(400);
    expect(points.map(({ count, area }) => [count, area])).to.deep.equal([
      [0, 50],
      [0, 100],
      [0, 100],
      [1, 50],
    ]);
  });

  it('an end that is older than the interval before leaves no negative time', () => {
    const { maker, points } = making();
    maker.begin(0);
    maker.started(50);
    maker.advance(100);
    maker.ended(90);
    maker.advance(200);
    maker.started(220);
    maker.close(250);
    expect(points.map(({ area }) => area)).to.deep.equal([50, 0, 20]);
  });

  it('errors are counted in their interval, earlier ones in the first', () => {
    const { maker, points } = making();
    maker.addError(0);
    maker.begin(10);
    maker.addError(150);
    maker.close(160);
    expect(points.map(({ errors }) => errors)).to.deep.equal([1, 1]);
  });

  it('bytes received belong to the interval before they are read; those of a stall are shared among its intervals', () => {
    let received = 7;
    const { maker, points, completes } = making({ received: () => received });
    maker.begin(0);
    received = 107;
    completes(150, 1);
    received = 407;
    completes(420, 1);
    received = 410;
    maker.close(430);
    expect(points.map(({ bytes }) => bytes)).to.deep.equal([100, 100, 100, 100, 3]);
  });

  it('without an interval, the points of the first seconds are shorter, and a stall loses no bytes', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 3000 }), { minLength: 1, maxLength: 20 }), (steps) => {
        let received = 0;
        const { maker, points, completes } = making({ interval: undefined, received: () => received });
        maker.begin(0);
        let now = 0;
        for (const step of steps) {
          received += 1000;
          completes((now += step), 1);
        }
        maker.close(now);
        expect(points.reduce((sum, { bytes }) => sum + bytes, 0)).to.equal(received);
        expect(points.slice(1).map(({ from }) => from)).to.deep.equal(points.slice(0, -1).map(({ to }) => to));
        for (const { from, to } of points.slice(0, -1))
          expect(to - from).to.equal(from < 4000 ? 125 : from < 8000 ? 250 : from < 16_000 ? 500 : 1000);
      }),
    );
  });

  it('event loop utilization is read once per interval, for that interval', () => {
    const shares = [0, 0.3, 0.7];
    const { maker, points, completes } = making({ utilization: () => shares.shift() });
    maker.begin(0);
    completes(120, 1);
    maker.close(150);
    expect(points.map(({ utilization }) => utilization)).to.deep.equal([0.3, 0.7]);
  });

  it('a series that never began has no point', () => {
    const { maker, points } = making();
    maker.close(100);
    expect(points).to.deep.equal([]);
  });

  it('S14 counts and areas add up for any sequence of events', () => {
    const event = fc.record({ after: fc.integer({ min: 0, max: 250 }), lasts: fc.integer({ min: 1, max: 400 }) });
    fc.assert(
      fc.property(fc.array(event, { maxLength: 40 }), (events) => {
        const { maker, points, completes } = making();
        let now = 0;
        const changes = events
          .flatMap(({ after, lasts }) => [
            { at: (now += after), by: 1 },
            { at: now + lasts, by: -1, lasts },
          ])
          .sort((a, b) => a.at - b.at);
        maker.begin(0);
        for (const { at, by, lasts } of changes) {
          if (by === 1) maker.started(at);
          else {
            completes(at, lasts);
            maker.ended(at);
          }
        }
        maker.close((changes.at(-1)?.at ?? 0) + 1);
        const sum = (name) => points.reduce((total, point) => total + point[name], 0);
        expect(sum('count')).to.equal(events.length);
        expect(sum('area')).to.be.closeTo(
          events.reduce((total, { lasts }) => total + lasts, 0),
          1e-6,
        );
        points.forEach(({ from }, i) => expect(from).to.equal(i * 100));
      }),
    );
  });
});

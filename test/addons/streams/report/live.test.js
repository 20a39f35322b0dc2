import { expect } from 'chai';

import { LiveFigures } from '../../../../lib/core/report/live/live-figures.js';

const tick = (given) => ({ phase: 'main', elapsedMs: 1000, share: 0.5, ended: 100, inFlight: 7, errors: 0, ...given });

const point = ({ at = 0, count = 100, p50 = 50, p99 = 99 } = {}) => ({
  ...{ at, iterations: { completed: count } },
  responseTime: { median: p50, p99, max: 100 },
});

describe('texts of a run in progress with streams', () => {
  it('operations with streams have a text each: events per second and the first event of the last interval', () => {
    const figures = new LiveFigures();
    const at = (stream) => [{ at: 0, count: 1, serviceTime: { median: 1, p95: 1 }, stream }];
    const gap = { median: 10, p95: 15, p99: 20 };
    const operation = (name, points) => ({ name, phase: 'main', interval: 1000, points });
    const operations = [
      operation('chat', at({ eventRate: 4950, firstEvent: { median: 400, p95: 812, p99: 900 }, gap })),
      operation('news', at({ eventRate: 50, firstEvent: { median: null, p95: null, p99: null }, gap })),
      operation('plain', [{ at: 0, count: 1, serviceTime: { median: 1, p95: 1 } }]),
    ];
    figures.state({ series: { interval: 1000, points: [point()], operations } });
    expect(figures.textsOf(tick()).parts).to.deep.equal([
      'chat 4,950 events/s, first event p95 812 ms',
      'news 50.0 events/s, gap p99 20.0 ms',
    ]);
    figures.state({ series: { interval: 1000, points: [point({ at: 10_000 })], operations } });
    expect(figures.textsOf(tick()).parts).to.deep.equal(['chat -', 'news -']);
  });

  it('control characters in names of operations and loads are escaped', () => {
    const figures = new LiveFigures();
    const name = 'a\u001b[2J\r';
    const stream = { eventRate: 1, firstEvent: { p95: 2 }, gap: { p99: 3 } };
    const operations = [{ name, phase: 'main', interval: 1000, points: [{ at: 0, stream }] }];
    const loads = [{ name, series: { interval: 1000, points: [] } }];
    figures.state({ series: { interval: 1000, points: [point()], operations }, loads });
    expect(figures.textsOf(tick()).parts).to.deep.equal([
      'a\\x1b[2J\\r -',
      'a\\x1b[2J\\r 1.00 events/s, first event p95 2.00 ms',
    ]);
  });
});

import { expect } from 'chai';

import benchrest from '../index.js';
import { reasonsFor } from '../lib/core/measure/outcome-reasons.js';
import { reasonsOf } from '../lib/core/measure/outcome.js';
import { ok, serving } from './support/serve.js';
import { describeSlow } from './support/slow.js';

const LOAD = { rate: 180, duration: '2s', limit: 360 };

/** The series of a service that can do 100 per second, of the length of another: a real one depends on the machine. */
function queueing({ interval, points }) {
  const ended = interval / 10;
  return {
    interval,
    points: points.map((point, i) => ({
      ...point,
      concurrency: (i * interval * 80) / 1000 + 1,
      iterations: { ...point.iterations, completed: ended, failed: 0 },
    })),
  };
}

const backlogsOf = (stats) => (reasonsOf(stats).includes('backlog') ? reasonsFor('backlog', stats) : []);

describeSlow('a service that does not keep up', () => {
  it('fails a run of a planned rate, although nothing was dropped, unless a threshold on backlog allows it', () =>
    serving(ok, async (url) => {
      const { stats } = await benchrest({ main: [{ get: url }] }, { ...LOAD, thresholds: ['errors<1%'] });
      const iterations = { ...stats.iterations, backlog: 160 };
      const slow = { ...stats, iterations, series: { ...stats.series, ...queueing(stats.series) } };
      const [{ message }] = backlogsOf(slow);
      expect(message).to.match(/ did not keep up: 100\.0 of 180\/s; 160 iterations waited at the end/);
      const allowed = { ...stats.thresholds[0], expression: 'backlog<500', figure: 'iterations.backlog', passed: true };
      expect(backlogsOf({ ...slow, thresholds: [allowed] })).to.deep.equal([]);
    }));

  it('is judged by the running iterations of all threads', () => {
    const waiting = [];
    const answerAll = () => waiting.splice(0).forEach((response) => response.end('ok'));
    return serving(
      (_request, response) => waiting.push(response) === 40 && setTimeout(answerAll, 500),
      async (url) => {
        const { stats } = await benchrest({ main: [{ get: url }] }, { limit: 40, iterations: 40, workers: 2 });
        const highest = Math.max(...stats.series.points.map(({ concurrency }) => concurrency));
        expect(highest).to.be.above(20);
      },
    );
  });

  it('is named by its load if a run has several', () =>
    serving(ok, async (url) => {
      const scenarios = {
        steep: { load: LOAD, main: [{ get: url }] },
        still: { load: { rate: 10, duration: '2s', limit: 20 }, main: [() => new Promise(setImmediate)] },
      };
      const { stats } = await benchrest({ scenarios });
      const loads = stats.loads.map((load) =>
        load.name === 'steep' ? { ...load, series: { ...load.series, ...queueing(load.series) } } : load,
      );
      expect(backlogsOf({ ...stats, loads }).map(({ of }) => of?.load)).to.deep.equal(['steep']);
    }));
});

import { expect } from 'chai';

import benchrest from '../index.js';
import { serving } from './support/serve.js';

/** A service with one worker, which needs 10 ms for each request: it can do 100 per second. */
function oneWorker() {
  let freeAt = 0;
  return (_request, response) => {
    freeAt = Math.max(Date.now(), freeAt) + 10;
    setTimeout(() => response.end('ok'), freeAt - Date.now());
  };
}

const OVERLOAD = { rate: 180, duration: '2s', limit: 360, gracefulStop: '10s' };

describe('a service that does not keep up', () => {
  for (const [where, options] of [
    ['in one thread', {}],
    ['in two threads', { workers: 2 }],
  ])
    it(`fails a run of a planned rate, ${where}, although nothing was dropped`, () =>
      serving(oneWorker(), async (url) => {
        const { stats } = await benchrest({ main: [{ get: url }] }, { ...OVERLOAD, ...options });
        const { outcome, iterations } = stats;
        expect(iterations.dropped).to.equal(0);
        expect(iterations.backlog).to.be.above(50);
        expect(outcome).to.include({ passed: false, exitCode: 96 });
        expect(outcome.reasons.map(({ code }) => code)).to.deep.equal(['backlog']);
        expect(outcome.reasons[0].message).to.match(/ did not keep up: .* of 180\/s; \d+ iterations waited at the end/);
      }));

  it('passes if a threshold on backlog allows it', () =>
    serving(oneWorker(), async (url) => {
      const options = { ...OVERLOAD, thresholds: ['backlog<500'] };
      const { stats } = await benchrest({ main: [{ get: url }] }, options);
      expect(stats.outcome).to.include({ passed: true, exitCode: 0 });
    }));

  it('is named by its load if a run has several', () =>
    serving(oneWorker(), async (url) => {
      const { gracefulStop, ...load } = OVERLOAD;
      const scenarios = {
        steep: { load, main: [{ get: url }] },
        still: { load: { rate: 10, duration: '2s', limit: 20 }, main: [() => new Promise(setImmediate)] },
      };
      const { stats } = await benchrest({ scenarios }, { gracefulStop });
      expect(stats.outcome.reasons.map(({ code, of }) => [code, of?.load])).to.deep.equal([['backlog', 'steep']]);
    }));
});

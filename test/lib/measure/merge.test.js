import { expect } from 'chai';
import fc from 'fast-check';

import { mergeStats } from '../../../lib/measure/merge.js';
import { Recorder } from '../../../lib/measure/recorder.js';
import { summarize } from '../../../lib/measure/summary.js';
import { readThreshold } from '../../../lib/measure/thresholds.js';

const THREAD = { utilization: 0.5, delay: { mean: 0, p99: 1, max: 2 }, cpu: 100, gc: 1 };

/** The result of a run in which so many iterations ended, each a tenth of a second after the last. */
const resultOf = (iterations, traffic = 1) => {
  const recorder = new Recorder();
  const lane = { isUnderWay: false };
  const operation = recorder.operations.add('GET /', 'main');
  recorder.points.begin(0);
  for (const { at, ms, status } of iterations) {
    const outcome = status < 400 ? 'completed' : 'failed';
    recorder.started(lane, at);
    recorder.answered(status, 'count');
    operation.answered(status, ms);
    recorder.timers.timer('mine').update(ms * 2);
    recorder.main(ms, NaN, outcome, at);
    recorder.ended(lane, outcome, at, 0);
    recorder.exemplars.addSlow({ index: at, operation: 'a', ms });
    if (outcome === 'failed')
      recorder.failure({
        kind: 'status',
        code: 'E_STATUS',
        context: 'main',
        operation: 'GET /',
        index: at,
        now: at,
        message: () => 'failed',
      });
  }
  recorder.points.close(10_000);
  const stats = summarize(recorder, {
    elapsedMs: 10_000,
    measuredMs: 10_000,
    isOver: true,
    planned: null,
    client: THREAD,
    server: null,
    sharesLoop: false,
    workers: 1,
    warmup: null,
    traffic: {
      opened: traffic,
      reused: 0,
      closedByServer: 0,
      discarded: 0,
      bytesSent: 10 * traffic,
      bytesReceived: 20 * traffic,
    },
  });
  recorder.close();
  return JSON.parse(JSON.stringify(stats));
};

/** Equal but for the last digits of sums. */
const expectNear = (one, other, path = '') => {
  if (typeof one === 'number' && typeof other === 'number')
    expect(one, path).to.be.closeTo(other, Math.abs(other) * 1e-12);
  else if (typeof one !== 'object' || one === null) expect(one, path).to.equal(other);
  else {
    expect(one, path).to.satisfy((value) => Object.keys(value).join() === Object.keys(other).join());
    for (const [key, value] of Object.entries(one)) expectNear(value, other[key], `${path}.${key}`);
  }
};

describe('measure/merge', () => {
  const iteration = fc.record({
    ms: fc.double({ min: 0.001, max: 5000, noNaN: true }),
    status: fc.constantFrom(200, 503),
    side: fc.boolean(),
  });

  it('S8 two results add up to that of one run, histograms, seconds and all', () => {
    fc.assert(
      fc.property(fc.array(iteration, { maxLength: 60 }), (all) => {
        const timed = all.map((one, i) => ({ ...one, at: i * 100 }));
        const merged = mergeStats([
          resultOf(timed.filter(({ side }) => side)),
          resultOf(timed.filter(({ side }) => !side)),
        ]);
        const whole = resultOf(timed, 2);
        const exact = ({ iterations, requests, main, mine, series, errors, operations, histograms, exemplars }) =>
          JSON.parse(
            JSON.stringify({
              iterations,
              requests,
              errors,
              histograms,
              times: main.histogram,
              ok: main.ok,
              mine: mine?.histogram,
              exemplars: exemplars.slowest.map(({ ms }) => ms),
              operations: operations.map(({ serviceTimeByStatus: _left, ...operation }) => operation),
              series: series.points.map(({ concurrency: _float, ...point }) => point),
            }),
          );
        expectNear(exact(merged), exact(whole));
      }),
      { numRuns: 60, seed: 3 },
    );
  }).timeout(20_000);

  it('thresholds are judged by what came of all', () => {
    const at = (ms) => [{ at: 0, ms, status: 200 }];
    const [{ passed, actual }] = mergeStats(
      [resultOf(at(1)), resultOf(at(9))],
      [readThreshold('max<5ms').threshold],
    ).thresholds;
    expect({ passed, actual }).to.deep.equal({ passed: false, actual: 9 });
  });

  it('clients are told together: the busiest, and the sum of what they used', () => {
    const { client } = mergeStats([resultOf([]), resultOf([])]);
    expect(client).to.deep.include({ workers: 2, cpu: 200, utilization: 0.5 });
  });
});

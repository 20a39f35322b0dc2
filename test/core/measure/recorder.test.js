import { expect } from 'chai';

import { Recorder, accountingErrors } from '../../../lib/core/measure/recorder.js';
import fc from '../../support/fast-check.js';
import { failure } from '../../support/recorded-failure.js';
import { scaled } from '../../support/scale.js';

/** Runs `story` with a recorder, and closes it. */
const recording = (story, options) => {
  const recorder = new Recorder(options);
  try {
    return story(recorder);
  } finally {
    recorder.close();
  }
};
const idle = () => ({ isRunning: false });
const iteration = (recorder, n, ms, waited, outcome) => {
  const lane = idle();
  recorder.started(lane, n);
  recorder.main(ms, waited, outcome, n + ms);
  recorder.ended(lane, outcome, n + ms, ms);
};

describe('measure/recorder', () => {
  it('close stops each interval that was started', () => {
    const { setInterval, clearInterval } = globalThis;
    const running = new Set();
    globalThis.setInterval = (...args) => {
      const timer = setInterval(...args);
      running.add(timer);
      return timer;
    };
    globalThis.clearInterval = (timer) => {
      running.delete(timer);
      clearInterval(timer);
    };
    try {
      recording((recorder) => {
        recorder.metrics.forHooks.meter('hits').mark();
        expect(running.size).to.be.above(1);
      });
      expect([...running]).to.deep.equal([]);
    } finally {
      Object.assign(globalThis, { setInterval, clearInterval });
    }
  });

  it('hooks read the times of completed and failed iterations so far, as in bench-rest 1', () =>
    recording((recorder) => {
      iteration(recorder, 0, 5, NaN, 'completed');
      iteration(recorder, 1, 7, NaN, 'failed');
      const { main, totalElapsed } = recorder.metrics.forHooks.toJSON();
      expect([main.histogram.count, main.histogram.sum, main.meter.count]).to.deep.equal([2, 12, 2]);
      expect([totalElapsed.histogram.count, totalElapsed.histogram.max]).to.deep.equal([0, null]);
    }));

  it('the time of iterations that began when they were due is a sum of its own', () =>
    recording((recorder) => {
      iteration(recorder, 0, 5, 0, 'completed');
      iteration(recorder, 1, 7, 3, 'completed');
      iteration(recorder, 2, 9, 0, 'failed');
      expect(recorder.iterations.promptTime).to.equal(5);
    }));

  it('S7 the accounting check reports counters that do not add up', () =>
    recording((recorder) => {
      expect(accountingErrors(recorder)).to.deep.equal([]);
      recorder.started(idle(), 0);
      recorder.requests.sent++;
      expect(accountingErrors(recorder)).to.deep.equal([
        'accounting: 1 iterations started, but 0 completed + 0 failed + 0 cancelled',
        'accounting: 1 requests sent, but 0 answered + 0 unanswered + 0 cancelled',
      ]);
    }));

  it('S9 an iteration that begins or ends twice is an internal error', () =>
    recording((recorder) => {
      const lane = idle();
      expect(() => recorder.ended(lane, 'completed', 0, 0)).to.throw(/ended twice, or never began/);
      recorder.started(lane, 0);
      expect(() => recorder.started(lane, 0)).to.throw(/began before the previous/);
      recorder.ended(lane, 'failed', 1, 1);
      expect(() => recorder.ended(lane, 'completed', 1, 1)).to.throw(/ended twice/);
      expect(recorder.iterations).to.include({ started: 1, completed: 0, failed: 1, cancelled: 0 });
    }));

  it('S9 a request counts once, by its role and its outcome', () =>
    recording((recorder) => {
      recorder.unanswered(false, 'count');
      recorder.answered(200, 'retries');
      recorder.answered(302, 'count');
      recorder.answered(500, 'redirects');
      recorder.unanswered(true, 'count');
      expect(recorder.requests).to.deep.equal({
        skipped: 0,
        count: 3,
        sent: 5,
        answered: 3,
        unanswered: 1,
        cancelled: 1,
        retries: 1,
        redirects: 1,
        authChallenges: 0,
        reconnects: 0,
        throttled: 0,
        throttledTime: 0,
        waitsCut: 0,
        exhausted: 0,
      });
      expect(recorder.statusCodes()).to.deep.equal({ 200: 1, 302: 1, 500: 1 });
    }));

  it('a cancelled main is in no histogram, and a failed one has its own', () =>
    recording((recorder) => {
      recorder.main(1, NaN, 'completed', 0);
      recorder.main(2, NaN, 'failed', 0);
      recorder.main(3, NaN, 'cancelled', 0);
      const { completed, failed, serviceTime } = recorder.histograms;
      expect([completed.count, failed.count, serviceTime.count]).to.deep.equal([1, 1, 0]);
    }));

  it('S42 a failed main is in no interval, so that a server that fails fast does not look faster', () =>
    recording((recorder) => {
      recorder.points.begin(0);
      recorder.main(1, NaN, 'completed', 0);
      recorder.main(2, NaN, 'failed', 0);
      recorder.points.close(10);
      expect(
        recorder.series
          .summary()
          .points.map(({ iterations, responseTime }) => [iterations.completed, responseTime.max]),
      ).to.deep.equal([[1, 1]]);
    }));

  it('the response time includes the wait, the service time does not', () =>
    recording((recorder) => {
      recorder.main(1, 9, 'completed', 0);
      const { completed, serviceTime } = recorder.histograms;
      expect([completed.toJSON().max, serviceTime.toJSON().max]).to.deep.equal([10, 1]);
    }));

  /** The events of a run, for a recorder. */
  const EVENTS = [
    (recorder, n, ms) => iteration(recorder, n, ms, NaN, 'completed'),
    (recorder, n, ms) => iteration(recorder, n, ms, 3, 'failed'),
    (recorder, n) => recorder.failure(failure({ code: `E${n % 3}`, index: n, now: n })),
    (recorder, n, ms) => (
      recorder.answered(200 + (n % 2), 'count'),
      recorder.operations.summary(),
      recorder.histograms.ttfb.update(ms)
    ),
    (recorder, n) => recorder.unanswered(n % 2 === 0, 'retries'),
    (recorder, n, ms) => recorder.metrics.forHooks.timer(`t${n % 2}`).update(ms),
    (recorder, n, ms) => recorder.metrics.forHooks.histogram(`h${n % 2}`).update(ms),
    (recorder, n) => recorder.metrics.forHooks.meter('m').mark(1 + (n % 3)),
    (recorder, n) => recorder.metrics.forHooks.counter('c').inc((n % 3) - 1),
    (recorder, n, ms) =>
      recorder.exemplars.addSlow({ index: n, path: 'flow.main[0]', operation: 'a', serviceTime: ms }),
  ];

  it('S8 states that are drained at any time and added up equal one recorder', () => {
    const event = fc.record({
      what: fc.nat(EVENTS.length - 1),
      who: fc.nat(2),
      ms: fc.double({ min: 0.001, max: 500, noNaN: true }),
      taken: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(event, { maxLength: 40 }), (events) =>
        recording((whole) =>
          recording((sum) => {
            const parts = [0, 1, 2].map(() => new Recorder({ isDrained: true }));
            for (const recorder of [whole, ...parts]) recorder.points.begin(0);
            events.forEach(({ what, who, ms, taken }, i) => {
              const now = i * 600;
              EVENTS[what](whole, now, ms);
              EVENTS[what](parts[who], now, ms);
              if (taken) sum.add(structuredClone(parts[who].drain()));
            });
            for (const part of parts) {
              part.points.close(30_000);
              sum.add(structuredClone(part.drain()));
              part.close();
            }
            whole.points.close(30_000);
            expect(figures(sum)).to.deep.equal(figures(whole));
          }),
        ),
      ),
      { numRuns: scaled(20, 60) },
    );
  });

  const figures = (recorder) => ({
    iterations: recorder.iterations,
    requests: recorder.requests,
    histograms: mapped(recorder.histograms, (histogram) => histogram.toJSON()),
    metrics: mapped(recorder.metrics.summary(), (metric) =>
      metric?.meter ? { count: metric.meter.count, histogram: metric.histogram } : (metric?.count ?? metric),
    ),
    slowest: recorder.exemplars.toJSON().slowest.map(({ serviceTime }) => serviceTime),
    series: recorder.series.summary().points.map(({ loadGenerator: _loop, ...point }) => point),
    marks: recorder.meter.toJSON().count,
    statusCodes: recorder.statusCodes(),
    errors: recorder.errors().details.sort((a, b) => a.code.localeCompare(b.code)),
  });
  const mapped = (values, change) =>
    Object.fromEntries(
      Object.entries(values)
        .map(([name, value]) => [name, change(value)])
        .sort(),
    );
});

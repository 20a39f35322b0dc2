import { expect } from 'chai';

import { HdrCounts } from '../../../lib/core/measure/hdr-counts.js';
import { judgeThresholds } from '../../../lib/core/measure/judge-thresholds.js';
import { areErrorsAllowed } from '../../../lib/core/measure/outcome.js';
import { readThreshold } from '../../../lib/core/measure/thresholds.js';
import { lastWindow, worstWindow } from '../../../lib/core/measure/windows.js';
import { recorded, resultOf } from '../../support/recorded.js';

/** Points of a second each: the times that iterations took, and how many failed. */
const pointsOf = (...seconds) =>
  seconds.map(({ times = [], failed = 0, errors = failed }, i) => {
    const hdr = new HdrCounts();
    for (const ms of times) hdr.record(ms * 1000);
    const span = { from: i * 1000, to: (i + 1) * 1000 };
    return { ...span, count: times.length, errors, failed, max: Math.max(0, ...times), counts: hdr.toBytes() };
  });
const times = (...all) => ({ times: all });
const SECOND = { interval: 1000 };
const worst = (text, points, options = SECOND) => worstWindow(readThreshold(text).threshold, points, options);

describe('measure/windows', () => {
  it('of all windows, the worst one is judged: it slides by a point of the series', () => {
    const points = pointsOf(times(10), times(10, 80), times(90), times(10));
    expect(worst('max<50ms over 2s', points)).to.deep.equal({ actual: 90, window: { from: 1000, to: 3000, count: 3 } });
  });

  it('a stall of some seconds shows in a window, though it does not in the whole run', () => {
    const quick = { times: Array(100).fill(5) };
    const points = pointsOf(...Array(60).fill(quick), times(900, 900), times(900, 900), ...Array(60).fill(quick));
    const all = worst('p99<200ms over 200s', points);
    expect(all.actual).to.be.closeTo(5, 0.01);
    expect(all.window).to.deep.equal({ from: 0, to: 122_000, count: 12_004 });
    expect(worst('p99<200ms over 2s', points).actual).to.equal(900);
  });

  it('a window is made of whole points: as many as cover it, and one if a point is longer', () => {
    const points = pointsOf(times(1), times(2), times(3));
    expect(worst('max<1s over 1500ms', points).window).to.include({ from: 1000, to: 3000 });
    expect(worst('max<1s over 2s', points, { interval: 4000 }).window).to.include({ from: 2000, to: 3000 });
  });

  it('a run that is shorter is one window, which is judged when the run is over', () => {
    const points = pointsOf(times(1), times(2));
    expect(worst('max<1s over 10s', points).window).to.deep.equal({ from: 0, to: 2000, count: 2 });
    expect(worst('max<1s over 10s', points, { ...SECOND, isOver: false })).to.equal(null);
  });

  it('windows in which nothing ended have no times; a run without any has no value', () => {
    const points = pointsOf(times(5), {}, {}, times(7));
    expect(worst('p95<1s over 1s', points).actual).to.be.closeTo(7, 0.01);
    expect(worst('p95<1s over 1s', pointsOf({}, {}))).to.equal(null);
  });

  it('errors are a number, or the share of the iterations of the window that failed', () => {
    const points = pointsOf({ times: [1, 1, 1], failed: 1 }, { times: [1], failed: 1, errors: 3 }, times(1, 1));
    expect(worst('errors<2 over 1s', points).actual).to.equal(3);
    expect(worst('errors<10% over 1s', points).actual).to.equal(0.5);
    expect(worst('errors<10% over 2s', points).actual).to.equal(1 / 3);
  });

  it('of a lower bound, the least window is the worst one', () => {
    expect(worst('p50>1ms over 1s', pointsOf(times(5), times(2), times(7))).actual).to.be.closeTo(2, 0.01);
  });

  it('sliding over many points gives what each window would give by itself', () => {
    const seconds = Array.from({ length: 50 }, (_, i) => times(1 + ((i * 37) % 101), 3 + ((i * 53) % 97)));
    const points = pointsOf(...seconds);
    const own = points.slice(0, -4).map((_, i) => worst('p90<1ms over 5s', points.slice(i, i + 5)).actual);
    expect(worst('p90<1ms over 5s', points).actual).to.equal(Math.max(...own));
  });

  describe('at the end of a run that cut off iterations', () => {
    /** Ten iterations of 10 ms in the first second, and others that the end after 10 s cut off. */
    function resultWith(...cut) {
      const recorder = recorded(Array.from({ length: 10 }, (_, i) => ({ at: 100 * i, ms: 10, status: 200 })));
      for (const ms of cut) {
        recorder.started({ isRunning: false }, 1);
        recorder.cutOff(ms);
      }
      recorder.iterations.cancelled = cut.length;
      return resultOf(recorder);
    }
    const judged = (text, stats) => judgeThresholds([readThreshold(text).threshold], stats)[0];

    it('they count with their age in the last window, so one in which nothing completed fails', () => {
      for (const text of ['p99<1s over 2s', 'max<1s over 2s', 'p50<1s over 2s'])
        expect(judged(text, resultWith(8000, 8000))).to.deep.include({
          passed: false,
          cutOff: 2,
          window: { from: 8000, to: 10_000, count: 2 },
        });
      expect(judged('p99<1s over 2s', resultWith(20, 20))).to.deep.include({ passed: true, actual: 20, cutOff: 2 });
    });

    it('overdue ones are errors of the last window', () => {
      const stats = resultWith(8000, 8000, 5);
      expect(judged('errors<1% over 1s', stats)).to.deep.include({ passed: false, actual: 1, cutOff: 2 });
      expect(judged('errors<2 over 1s', stats)).to.deep.include({ passed: false, actual: 2 });
    });

    it('a lower bound is judged by what has completed', () =>
      expect(judged('p50>5ms over 1s', resultWith(1, 1))).to.deep.include({ passed: true }));

    it('errors are allowed by windows only if these contain them', () => {
      const thresholds = [{ expression: 'errors<90% over 1s' }];
      const isAllowed = (change) => {
        const stats = resultWith(8000);
        change(stats);
        return areErrorsAllowed({ ...stats, thresholds });
      };
      expect(isAllowed(() => {})).to.equal(true);
      // an error of `after`, for example
      expect(isAllowed(({ errors }) => errors.count++)).to.equal(false);
    });
  });

  describe('while the run goes on', () => {
    const last = (text, points, state) => lastWindow(readThreshold(text).threshold, points, state);

    it('running iterations count in the last window', () => {
      const points = pointsOf(times(900), times(1), times(1, 1));
      const state = { nowMs: 3000, running: [400, 500] };
      expect(last('max<200ms over 2s', points, state)).to.deep.equal({
        actual: 500,
        window: { from: 1000, to: 3000, count: 5 },
      });
    });

    it('a server that answers nothing any more leaves running iterations alone', () => {
      const state = { nowMs: 9000, running: [8000] };
      expect(last('p50<200ms over 2s', pointsOf(times(1)), state).actual).to.equal(8000);
    });

    it('nothing is judged before the first window is over', () =>
      expect(last('p50<200ms over 10s', pointsOf(times(1)), { nowMs: 9000, running: [8000] })).to.equal(null));
  });
});

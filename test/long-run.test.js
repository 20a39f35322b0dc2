import { expect } from 'chai';

import { Sampler } from '../lib/core/cli/run/run-view.js';
import { Recorder } from '../lib/core/measure/recorder.js';
import { timeSeriesOf } from '../lib/addons/page/chart-data.js';
import { pointLine } from '../lib/core/report/formats/json.js';
import { dataOf } from '../lib/addons/page/index.js';
import { literalResult } from './support/literal-result.js';
import { describeSlow } from './support/slow.js';

const HOUR = 3600;
const seriesOf = ({ series, recentPoints }) => ({ ...series.summary(), ...recentPoints.summary(series) });

describeSlow('a run of eight hours', () => {
  const sampler = new Sampler();
  const written = { lines: 0, bytes: 0 };
  /** The series after some hours. */
  const after = {};

  /** The clock is that of the test; an iteration ends in each second. */
  before(() => {
    const recorder = new Recorder();
    const lane = { isRunning: false };
    recorder.points.begin(0);
    for (let second = 0; second <= 8 * HOUR; second++) {
      if (second % 600 === 0) {
        for (const point of sampler.finished({ series: recorder.series.summary() })) {
          written.bytes += pointLine(point).length;
          written.lines++;
        }
      }
      if (second === 600 || second % (3 * HOUR) === 0) after[second] = seriesOf(recorder);
      if (second === 8 * HOUR) break;
      const now = second * 1000 + 500;
      const ms = 1 + (second % 50);
      recorder.started(lane, now - ms);
      recorder.main(ms, NaN, 'completed', now);
      recorder.ended(lane, 'completed', now, ms);
    }
    recorder.points.close(8 * HOUR * 1000);
    recorder.close();
    after[8 * HOUR] = seriesOf(recorder);
  });

  it('has the last 15 minutes by second, and points of a few seconds before', () => {
    const series = after[8 * HOUR];
    expect([series.interval, series.points.length]).to.deep.equal([4000, 7200]);
    expect([series.recent.interval, series.recent.points.length]).to.deep.equal([1000, 900]);
    expect(series.recent.points[0].at).to.equal((8 * HOUR - 900) * 1000);
    expect(series.recent.points.every(({ iterations }) => iterations.completed === 1)).to.equal(true);
    const { at, p50 } = timeSeriesOf({ series, measuredElapsed: 8 * HOUR * 1000 });
    expect(at.length).to.be.at.most(1200 + 900);
    expect(at.slice(-3)).to.deep.equal([28_797.5, 28_798.5, 28_799.5]);
    expect(p50.at(-1)).to.be.closeTo(50, 0.1);
    expect(at.every((value, i) => i === 0 || value > at[i - 1])).to.equal(true);
  });

  it('has no more points, and no larger live page, than one of three hours may have', () => {
    for (const hours of [3, 6, 8]) {
      const series = after[hours * HOUR];
      expect(series.points.length + series.recent.points.length).to.be.at.most(10_900);
      const result = { ...literalResult(), series, measuredElapsed: hours * HOUR * 1000 };
      expect(dataOf(result, () => [], { isRunning: true, share: 0 }).length).to.be.at.most(200_000);
    }
  });

  it('writes lines that become longer intervals: a few megabytes in all', () => {
    expect(written.lines).to.be.within(15_000, 18_000);
    expect(written.bytes).to.be.at.most(8_000_000);
  });

  it('had its points alone after ten minutes, as they were that short', () =>
    expect(after[600]).not.to.have.property('recent'));
});

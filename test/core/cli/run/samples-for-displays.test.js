import { expect } from 'chai';

import { Sampler } from '../../../../lib/core/cli/run/run-view.js';
import { HdrCounts } from '../../../../lib/core/measure/hdr-counts.js';
import { Intervals } from '../../../../lib/core/measure/point-maker.js';
import { Series } from '../../../../lib/core/measure/series.js';

const counts = new HdrCounts().toBytes();
const nothing = { count: 0, errors: 0, failed: 0, max: 0, area: 0, utilization: 0, bytes: 0, counts };

describe('samples for a display', () => {
  for (const interval of [undefined, 100])
    it(`returns points that follow each other without a gap, with ${interval ?? 'growing'} intervals`, () => {
      const sampler = new Sampler();
      const series = new Series({ interval });
      const intervals = new Intervals(interval);
      const seen = [];
      const take = (points) => {
        const { interval: length } = series.summary();
        for (const { at } of points) seen.push([at, at + length]);
      };
      for (let from = 0; from < 10_000; from += intervals.lengthAt(from)) {
        series.add({ from, to: from + intervals.lengthAt(from), ...nothing });
        if (from % 375 === 0) take(sampler.finished({ series: series.summary() }));
      }
      expect(seen.length).to.be.above(0);
      take(sampler.all({ series: series.summary() }));
      const ends = seen.map(([, end]) => end);
      expect(seen.map(([at]) => at)).to.deep.equal([0, ...ends.slice(0, -1)]);
      expect(ends.at(-1)).to.equal(10_000);
    });
});

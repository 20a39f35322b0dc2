import { expect } from 'chai';

import { silhouettes, silhouettesOf } from '../../../lib/addons/page/chart-data.js';
import { literalResult } from '../../support/literal-result.js';

/** 1 to 100 ms, each once. */
const points = Array.from({ length: 100 }, (_, i) => ({ ms: i + 1, upTo: i + 1 }));
const summary = { count: 100, min: 1, max: 100, median: 50, p95: 95, p99: 99 };

describe('silhouettes of distributions', () => {
  it('an open run has service times below its response times, a closed one has not', () => {
    const result = literalResult();
    const open = silhouettesOf(result, () => points);
    expect(open.below.name).to.match(/^service time/);
    const closed = silhouettesOf(
      { ...result, iterations: { ...result.iterations, plannedRate: undefined } },
      () => points,
    );
    expect(closed).to.include({ below: null, low: 1, high: 100 });
    expect(closed.above.marks).to.deep.equal([
      { label: 'p50', ms: 50 },
      { label: 'p95', ms: 95 },
      { label: 'p99', ms: 99 },
    ]);
  });

  it('both sides share one axis, and the shares of each add up to 1', () => {
    const slow = points.map(({ ms, upTo }) => ({ ms: ms * 10, upTo }));
    const { low, high, above, below } = silhouettes([
      { name: 'A', points, summary, hasMarks: true },
      { name: 'B', points: slow, summary: { ...summary, min: 10, max: 1000, p99: null }, hasMarks: true },
    ]);
    expect([low, high]).to.deep.equal([1, 1000]);
    for (const { shares } of [above, below])
      expect(shares.reduce((sum, share) => sum + share, 0)).to.be.closeTo(1, 0.01);
    expect(below.marks.map(({ label }) => label)).to.deep.equal(['p50', 'p95']);
  });

  it('nothing, or a single value, has no shape', () => {
    const none = { count: 0, min: null, max: null, median: null, p95: null, p99: null };
    expect(silhouettes([{ name: 'A', points: [], summary: none }])).to.equal(null);
    expect(silhouettes([{ name: 'A', points: points.slice(0, 1), summary }])).to.equal(null);
    const [a, b] = [
      { points, summary },
      { points: [], summary: none },
    ].map((one) => ({ name: 'A', ...one }));
    expect(silhouettes([a, b])).to.include({ below: null, low: 1, high: 100 });
    expect(silhouettes([b, a])).to.equal(null);
  });
});

import { expect } from 'chai';

import { Histogram } from '../../../lib/measure/histogram.js';
import { MAX_SAMPLES, withOverdue, withoutOverdue } from '../../../lib/measure/samples.js';

const recorded = () => ({
  count: 2,
  kinds: { timeout: 2 },
  samples: [{ code: 'E_TIMEOUT', kind: 'timeout', count: 2 }],
});
function histogramOf(...times) {
  const histogram = new Histogram();
  for (const ms of times) histogram.update(ms);
  return histogram;
}

describe('measure/overdue', () => {
  for (const [title, slowest, times, overdue] of [
    ['S41 iterations that ran longer than the slowest completed one', 100, [50, 99, 150, 2000], 2],
    ['iterations that were cut off early', 100, [1, 2, 99], 0],
    ['S41 all that waited, if none completed', 0, [5, 2000], 2],
    ['none, if none was cut off', 100, [], 0],
  ])
    it(`${title}: ${overdue} count as errors`, () => {
      const judged = withOverdue(recorded(), { cut: histogramOf(...times), slowest });
      expect([judged.overdue, judged.errors.count, judged.errors.kinds.timeout]).to.deep.equal([
        overdue,
        2 + overdue,
        2 + overdue,
      ]);
    });

  it('the message says how long the slowest completed one took, and that none completed', () => {
    const messageOf = (slowest) =>
      withOverdue(recorded(), { cut: histogramOf(2000, 2000, 2000), slowest }).errors.samples[0].message;
    expect(messageOf(100)).to.match(/it had run longer than the slowest completed iteration \(100 ms\)$/);
    expect(messageOf(0)).to.match(/no iteration completed$/);
  });

  it('a result that has all samples already keeps theirs, and no more than before', () => {
    const samples = Array.from({ length: MAX_SAMPLES }, (_, i) => ({ code: `E_${i}`, kind: 'http', count: 9 }));
    const { errors } = withOverdue({ count: 180, kinds: { http: 180 }, samples }, { cut: histogramOf(5), slowest: 1 });
    expect(errors.samples).to.have.lengthOf(MAX_SAMPLES);
    expect(withoutOverdue(errors)).to.deep.include({ count: 180, kinds: { http: 180 } });
  });

  it('a sum counts them anew: the recorded errors come back', () => {
    const { errors } = withOverdue(recorded(), { cut: histogramOf(2000), slowest: 100 });
    expect(withoutOverdue(errors)).to.deep.equal(recorded());
    expect(withoutOverdue(recorded())).to.deep.equal(recorded());
  });
});

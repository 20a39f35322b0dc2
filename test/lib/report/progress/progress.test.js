import { expect } from 'chai';

import { startLines } from '../../../../lib/report/progress/lines.js';
import { progressFigures } from '../../../../lib/report/progress/progress-figures.js';
import { literalResult } from '../../../support/literal-result.js';

const progress = (percent) => ({ stats: literalResult(), percent, concurrent: 7, ips: 1234 });

describe('report/progress', () => {
  it('figures are those of the moment, percentiles of the last second', () => {
    expect(progressFigures(progress(5))).to.deep.equal({
      percent: '5',
      concurrent: '7',
      ips: '1,234',
      rps: '32.7',
      p50: '50.0',
      p99: '99.0',
      errors: '8',
    });
    const { p50 } = progressFigures({
      ...progress(5),
      stats: { ...literalResult(), series: { interval: 1000, points: [] } },
    });
    expect(p50).to.equal('-');
  });

  it('without a terminal a plain line comes every ten seconds', () => {
    let now = 0;
    let text = '';
    const lines = startLines({ write: (more) => (text += more) }, () => now);
    for (now = 1000; now <= 25_000; now += 1000) lines.update(progress(now / 1000));
    lines.stop();
    expect(text).to.equal(
      '10 s: 10 %, 1,234 iterations/s, 32.7 requests/s, p50 50.0 ms, p99 99.0 ms, 7 under way, 8 errors\n20 s: 20 %, 1,234 iterations/s, 32.7 requests/s, p50 50.0 ms, p99 99.0 ms, 7 under way, 8 errors\n',
    );
  });
});

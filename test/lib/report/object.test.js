import { expect } from 'chai';

import object from '../../../lib/report/object.js';
import { literalStats } from '../../support/literal-stats.js';

describe('report/object', () => {
  it('prints errors and stats as 1.2.4 did', () => {
    expect(object.render(literalStats(), { colour: false })).to.equal(`errors: 3
  2 x status in main, flow.main[0] GET /items, first in iteration 4
      error statusCode: 503
  1 x reset in after, flow.after[0] GET /bye
      connection closed by the server before a response
tear-down: afterMain failed in 1 iteration; what they made may be left behind
cancelled: 2 iterations cut off when the run ended
suspect:
  errors: 3 in 10 iterations
operations              count  errors  median      p99      max
main        GET /items      8       2  1.3 ms  10.0 ms  12.3 ms
after       GET /bye        1       1       -        -        -
stats: {
  totalElapsed: 1234.568,
  main: { histogram: { min: 0.5, max: null, count: 10 } },
  iterations: {
    started: 10,
    completed: 6,
    failed: 2,
    cancelled: 2,
    teardownFailed: 1
  },
  errors: { count: 3, kinds: { status: 2, reset: 1 } }
}
`);
  });

  it('uses colours only when told to', () => {
    expect(object.render(literalStats(), { colour: true })).to.match(/\u001b\[33m1234\.568/);
  });

  it('says how many errors are not listed', () => {
    const stats = literalStats();
    stats.errors.count = 10;
    expect(object.render(stats, { colour: false })).to.include('\n  and 7 more of other kinds\n');
  });

  it('shows text of servers harmless, masked and short', () => {
    const stats = literalStats();
    stats.errors.samples[0].message = `\u001b[2J\r\n\u202e http://ann:CANARY@host/?token=CANARY ${'x'.repeat(1000)}`;
    const text = object.render(stats, { colour: false });
    expect(text).to.include('\\x1b[2J\\r\\n\\u202e http://***@host/?token=***');
    expect(text).not.to.include('CANARY').and.not.include('x'.repeat(501));
  });
});

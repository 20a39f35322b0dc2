import { expect } from 'chai';

import { REPORTERS } from '../../../lib/core/report/formats/index.js';
import { literalStats as withoutRequests } from '../../support/literal-stats.js';

const object = await REPORTERS.find(({ name }) => name === 'object').load();

const literalStats = () => ({ ...withoutRequests(), requests: { answered: 7 } });

describe('the result of a program', () => {
  it('prints errors and stats as 1.2.4 did', () => {
    expect(object.render(literalStats(), { color: false })).to.equal(`errors: 3
  2 x status in flow.main[0] GET /items, first in iteration 4
      error statusCode: 503
  1 x reset in flow.after[0] GET /bye
      connection closed by the server before a response
  teardown: afterMain failed in 1 iteration, which may have left data on the server
Errors: 3 in 10 iterations.
latency, ms  phase  mean   p50   p90   p95   p99   max  errors
GET /items   main   1.81  1.25  3.10  5.00  10.0  12.3       2
GET /bye     after     -     -     -     -     -     -       1
stats: {
  totalElapsed: 1234.568,
  main: { completed: { min: 0.5, max: null, count: 10 } },
  iterations: {
    started: 10,
    completed: 6,
    failed: 2,
    cancelled: 2,
    teardownFailed: 1
  },
  requests: { answered: 7 },
  errors: { count: 3, kinds: { status: 2, reset: 1 } }
}
`);
  });

  it('uses colors only on request', () => {
    expect(object.render(literalStats(), { color: true })).to.match(/\u001b\[33m1234\.568/);
  });

  it('prints the number of errors that are not listed', () => {
    const stats = literalStats();
    stats.errors.count = 10;
    expect(object.render(stats, { color: false })).to.include('\n  and 7 more in other groups\n');
  });

  it('prints text from servers escaped, masked and truncated', () => {
    const stats = literalStats();
    stats.errors.details[0].message = `\u001b[2J\r\n\u202e http://ann:CANARY@host/?token=CANARY ${'x'.repeat(1000)}`;
    const text = object.render(stats, { color: false });
    expect(text).to.include('\\x1b[2J\\r\\n\\u202e http://***@host/?token=***');
    expect(text).not.to.include('CANARY').and.not.include('x'.repeat(501));
  });
});

import { expect } from 'chai';

import '../../../lib/addons.js';
import { mayRetry } from '../../../lib/core/iteration/failure.js';
import { NO_TRAFFIC, addTotals, subtractTotals } from '../../../lib/core/transport/traffic.js';

describe('connections of HTTP/2 that are closed', () => {
  for (const [code, what] of [
    ['E_HTTP2_CLOSED', 'was closed'],
    ['E_GOAWAY', 'was ended with GOAWAY'],
  ])
    it(`a request is sent once more if its connection ${what}`, () => {
      const connection = { wasReused: true, sawBytes: false };
      expect(mayRetry({ method: 'GET' }, connection, { code }, false)).to.equal(true);
      expect(mayRetry({ method: 'POST' }, connection, { code }, false)).to.equal(false);
    });

  it('reasons why streams ended are added and subtracted by event and code', () => {
    const totals = (...http2Codes) => ({ ...NO_TRAFFIC, http2Codes });
    const reset = (count) => ({ event: 'reset', code: 'CANCEL', count });
    const goAway = { event: 'goAway', code: 'NO_ERROR', count: 1, message: 'bye' };
    const sum = addTotals([totals(reset(2)), totals(goAway, reset(3)), NO_TRAFFIC]);
    expect(sum.http2Codes).to.deep.equal([reset(5), goAway]);
    expect(subtractTotals(sum, totals(reset(2), goAway)).http2Codes).to.deep.equal([reset(3)]);
    expect(subtractTotals(sum, sum)).to.deep.equal(NO_TRAFFIC);
  });
});

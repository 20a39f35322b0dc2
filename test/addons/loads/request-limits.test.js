import { expect } from 'chai';

import benchrest from '../../../index.js';
import { limitLoad } from '../../../lib/core/run/load/request-limits.js';
import { ok, serving } from '../../support/serve.js';

describe('the most requests of a run', () => {
  it('end one with several loads', () =>
    serving(ok, async (url, seen) => {
      limitLoad({ rate: 1e6, requests: 50, bytes: 1e9 });
      try {
        const load = { iterations: 300, limit: 1 };
        const flow = { scenarios: { a: { main: ['/0'], load }, b: { main: ['/0'], load } } };
        const { endReason } = await benchrest(flow, { baseUrl: url });
        expect(endReason).to.equal('limit');
        expect(seen.length).to.be.within(10, 50);
      } finally {
        limitLoad(undefined);
      }
    }));
});

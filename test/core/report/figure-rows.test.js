import { expect } from 'chai';

import { counterRows, latencyRows } from '../../../lib/core/report/rows.js';
import { recorded, resultOf } from '../../support/recorded.js';

const stats = () => resultOf(recorded([{ at: 0, ms: 2, status: 200, waited: 1 }]), { planned: 1 });

describe('report/rows: figures', () => {
  it('rows of the latency table are in the order of the table, without empty histograms', () => {
    expect(latencyRows(stats()).map(({ label }) => label)).to.deep.equal([
      'response time',
      'service time',
      'first byte',
    ]);
  });

  it('counters with a label that are not zero are in the order of the table, group by group', () => {
    const { iterations, requests, connections, ...rest } = stats();
    const some = {
      ...rest,
      iterations: { ...iterations, cancelled: 2, failed: 3, maxBacklog: 5 },
      requests: { ...requests, retries: 4 },
      connections: { ...connections, closedByServer: 6 },
    };
    expect(counterRows(some, 'iterations')).to.deep.equal([
      { label: 'failed', value: 3 },
      { label: 'cancelled', value: 2 },
    ]);
    expect(counterRows(some, 'requests')).to.deep.equal([{ label: 'retries', value: 4 }]);
    expect(counterRows(some, 'connections')).to.deep.equal([{ label: 'closed by the server', value: 6 }]);
  });
});

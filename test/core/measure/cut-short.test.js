import { expect } from 'chai';

import { cutShort, lastKnownState, teardownIncomplete, workerLost } from '../../../lib/core/measure/incomplete.js';
import { literalStats } from '../../support/literal-stats.js';

const known = () => {
  const stats = literalStats();
  stats.iterations = { ...stats.iterations, started: 10, completed: 6, failed: 1, cancelled: 0 };
  stats.requests = { ...stats.requests, count: 20, sent: 20, answered: 19, failed: 1, cancelled: 0 };
  stats.validity = { status: 'valid', reasons: [] };
  return stats;
};

describe('N10 measure/cut-short', () => {
  it('counts running iterations and requests in flight as cancelled', () => {
    const { iterations, requests } = cutShort(known(), { inFlight: 2, missing: ['lost: for a test'] });
    expect(iterations).to.include({ started: 10, completed: 6, failed: 1, cancelled: 3 });
    expect(requests).to.include({ count: 22, sent: 22, answered: 19, failed: 1, cancelled: 2 });
  });

  it('counts the running iterations of each load as cancelled', () => {
    const counts = { started: 5, completed: 3, failed: 1, cancelled: 0 };
    const loads = [
      { name: 'a', iterations: counts },
      { name: 'b', iterations: { ...counts, completed: 4 } },
    ];
    const cut = cutShort({ ...known(), loads }, { inFlight: 0, missing: [] });
    expect(cut.loads.map(({ name, iterations }) => [name, iterations.cancelled])).to.deep.equal([
      ['a', 1],
      ['b', 0],
    ]);
  });

  it('is suspect, with a reason', () =>
    expect(cutShort(known(), { inFlight: 0, missing: ['lost: for a test'] }).validity).to.deep.equal({
      status: 'suspect',
      reasons: [
        { code: 'stillRunning', message: 'cancelled: 3 iterations were still running when the run ended' },
        { code: 'incomplete', message: 'lost: for a test' },
      ],
    }));

  it('stays invalid if the state was invalid', () => {
    const stats = known();
    stats.validity = { status: 'invalid', reasons: ['accounting: …'] };
    expect(cutShort(stats, { inFlight: 0, missing: [] }).validity.status).to.equal('invalid');
  });

  for (const [flow, cancelled, said] of [
    [{ afterMain: [], after: [] }, 3, []],
    [{ afterMain: ['/a'], after: [] }, 0, []],
    [{ afterMain: [], after: ['/b'] }, 0, ['teardown incomplete: after did not finish']],
    [{ afterMain: ['/a'], after: [] }, 1, ['teardown incomplete: afterMain of 1 iteration did not finish']],
    [{ afterMain: ['/a'], after: [] }, 3, ['teardown incomplete: afterMain of 3 iterations did not finish']],
    [
      { afterMain: ['/a'], after: ['/b'] },
      3,
      ['teardown incomplete: afterMain of 3 iterations and after did not finish'],
    ],
  ])
    it(`names the missing teardown: ${JSON.stringify(flow)}, ${cancelled} cancelled`, () =>
      expect(teardownIncomplete(flow, cancelled)).to.deep.equal(said));

  it('states how much is not counted', () => {
    expect(workerLost('worker 1 of 2', 240)).to.equal(
      'worker 1 of 2 was lost: its requests of the last 0.2 s are not counted',
    );
    expect(lastKnownState(1500)).to.match(/^last known state: 1\.5 s before/);
    expect(lastKnownState(40)).to.include('0.0 s before');
  });
});

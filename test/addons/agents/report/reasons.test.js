import { expect } from 'chai';

import { outcomeOfResult } from '../../../../lib/core/measure/outcome-reasons.js';
import { judgedStats } from '../../../support/judged-stats.js';

const lost = { code: 'noSignal', message: 'x' };
const reasonsOf = (agents, ...loadGenerators) => outcomeOfResult({ ...judgedStats(), agents, loadGenerators }).reasons;

describe('reasons of agents', () => {
  it('more lost agents than are tolerated fail the run, with the number and the limit', () => {
    const [reason] = reasonsOf({ lost: 2, maxLost: 1 }, { name: 'vm-1', lost });
    expect(reason).to.deep.include({ message: 'agent of vm-1 was lost', figure: 'agents.lost', bound: 1, actual: 2 });
    expect(reasonsOf({ lost: 1, maxLost: 1 }, { name: 'vm-1', lost })).to.deep.equal([]);
  });

  it('agents that were lost or stopped have a sentence with their names', () => {
    const [stopped, whole] = [{ name: 'vm 1', toolVersion: '2.0.0', stoppedBy: 'SIGTERM' }, { name: 'vm 3' }];
    const reasons = reasonsOf({ lost: 1, maxLost: 0 }, stopped, { name: 'shard 2', lost }, whole);
    expect(reasons.map(({ message }) => message)).to.deep.equal([
      'agent of shard 2 was lost',
      'agent vm 1 was stopped',
    ]);
  });
});

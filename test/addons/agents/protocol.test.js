import { expect } from 'chai';

import { reportedError, reportedOutcome } from '../../../lib/addons/agents/protocol.js';

describe('messages of the queue', () => {
  it('bounds the errors and the ends that agents report', () => {
    const long = 'x'.repeat(1e6);
    const most = long.slice(0, 10_000);
    expect(reportedError(Object.assign(new Error(long), { code: 20 }))).to.deep.equal({ message: most });
    expect(reportedError(undefined)).to.deep.equal({ message: 'undefined' });
    expect(reportedError(Object.assign(new Error('m'), { code: 'E_X' }))).to.deep.equal({ code: 'E_X', message: 'm' });
    expect(reportedOutcome({ kind: 'ended', why: long })).to.deep.equal({ kind: 'ended', why: most });
    expect(reportedOutcome({ kind: 'aborted' })).to.deep.equal({ kind: 'aborted' });
  });
});

import { expect } from 'chai';

import { SIGNALS } from '../../../lib/core/cli/exit-process.js';
import { END_REASONS, endReasonRow } from '../../../lib/core/ground/end-reasons.js';

describe('ground/end-reasons', () => {
  it('each signal that stops a command is a reason', () => expect(END_REASONS).to.include.keys(SIGNALS));

  it('the reason that a program passes to stop() is neither planned nor a limit, and nothing is printed', () => {
    for (const reason of ['enough', 'constructor', '']) expect(endReasonRow(reason)).to.have.all.keys('about');
  });

  it('a run is planned to end by its load, a hook or a precision', () => {
    const planned = Object.keys(END_REASONS).filter((reason) => endReasonRow(reason).isPlanned);
    expect(planned).to.deep.equal(['completed', 'hook', 'precision']);
  });
});

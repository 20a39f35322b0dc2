import { expect } from 'chai';

import { createErrorLimits } from '../../../../lib/core/run/load/ending.js';

/** A recorder of failed connections: `own` of them for lack of local resources. */
const recorded = ({ completed = 0, failed = 0, errorCount = failed, own = 0, answered = 0 }) => ({
  errorCount,
  requests: { answered },
  iterations: { completed, failed },
  errors: () => ({ details: own > 0 ? [{ kind: 'connect', code: 'EMFILE', count: own }] : [] }),
});

describe('limits of errors', () => {
  const rows = [
    ['a run without limits continues', { keepGoing: true }, { failed: 10_000 }, 0, null],
    ['fewer errors than the limit', { bailout: 20, keepGoing: true }, { failed: 19 }, 1, null],
    ['as many errors as the limit', { bailout: 20, keepGoing: true }, { failed: 20 }, 1, 'bailout'],
    ['a limit with a suffix', { bailout: '1k', keepGoing: true }, { failed: 1000 }, 1, 'bailout'],
    ['a share is not judged before 100 iterations', { bailout: '5%', keepGoing: true }, { failed: 99 }, 1, null],
    ['a share below the limit', { bailout: '5%', keepGoing: true }, { completed: 96, failed: 4 }, 1, null],
    ['a share that reaches the limit', { bailout: '5%', keepGoing: true }, { completed: 95, failed: 5 }, 1, 'bailout'],
    ['a share of 0 needs one failure', { bailout: '0%', keepGoing: true }, { completed: 200 }, 1, null],
    ['99 failures without a connection', { keepGoing: false }, { failed: 99 }, 0, null],
    ['100 failures without a connection', { keepGoing: false }, { failed: 100 }, 0, 'unreachable'],
    ['100 failures with one connection', { keepGoing: false }, { failed: 100 }, 1, null],
    ['100 responses on connections of the warm-up', { keepGoing: false }, { failed: 100, answered: 100 }, 0, null],
    ['failures for lack of local files do not count', { keepGoing: false }, { failed: 150, own: 51 }, 0, null],
    ['other failures count', { keepGoing: false }, { failed: 150, own: 50 }, 0, 'unreachable'],
    ['the limit of errors comes first', { bailout: 5, keepGoing: false }, { failed: 100 }, 0, 'bailout'],
  ];
  for (const [title, options, counts, opened, reason] of rows) {
    it(`${title}: ${reason ?? 'the run continues'}`, () => {
      expect(createErrorLimits(options)(recorded(counts), () => opened)).to.equal(reason);
    });
  }
});

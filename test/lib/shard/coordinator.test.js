import { expect } from 'chai';

import { whyOf } from '../../../lib/shard/coordinator.js';

describe('shard/coordinator', () => {
  for (const [why, says] of [
    ['SIGTERM', 'agent'],
    ['SIGINT', 'agent'],
    ['done', 'done'],
    ['before', 'before'],
  ])
    it(`a shard that ended by ${why} ends the run by ${says}`, () =>
      expect(whyOf({ outcome: { kind: 'ended', why } })).to.equal(says));

  it('a shard that runs has no reason', () => expect(whyOf({ outcome: null })).to.equal(undefined));
});

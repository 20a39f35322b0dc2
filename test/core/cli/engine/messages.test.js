import { expect } from 'chai';

import { readFromEngine } from '../../../../lib/core/cli/engine/engine.js';

describe('messages of the thread of a run', () => {
  for (const [message, reason] of [
    ['hi', 'message: expected an object'],
    [{ type: 'tock' }, 'message.type: expected planned or progress'],
    [{ type: 'planned' }, 'message.plan: expected a value'],
    [{ type: 'report', stats: null, inFlight: -1, phase: 'main' }, 'message.inFlight: expected a whole number'],
    [{ type: 'ended', stats: {}, why: 'completed', exitCode: 0 }, 'message.exitCode: unknown property'],
    [{ type: 'refused', error: null }, 'message.error: expected an object'],
  ])
    it(`a message that only code of a flow can have posted is refused by name: ${JSON.stringify(message)}`, () =>
      expect(() => readFromEngine(message)).to.throw(reason));
});

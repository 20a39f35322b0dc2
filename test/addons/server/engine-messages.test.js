import { expect } from 'chai';

import { readFromEngine } from '../../../lib/core/cli/engine/engine.js';

describe('messages to a server', () => {
  for (const [message, reason] of [
    [{ type: 'toKeeper', name: 'none', message: {} }, 'message.name: expected server'],
    [{ type: 'toKeeper', name: 'server', message: 'hi' }, 'message: expected an object'],
  ])
    it(`one that only code of a flow can have posted is refused by name: ${JSON.stringify(message)}`, () =>
      expect(() => readFromEngine(message)).to.throw(reason));
});

import { expect } from 'chai';

import { readFromEngine } from '../../../../lib/core/cli/engine/engine.js';

const SETTINGS = {
  command: 'x',
  env: {},
  cwd: '.',
  timeout: 1,
  origins: ['http://a'],
  tls: {},
  isPortFree: true,
  hasPreload: false,
};

describe('cli/engine/messages', () => {
  it('the settings of a server are rebuilt without undefined ones', () => {
    const message = { type: 'startServer', settings: { ...SETTINGS, ready: undefined } };
    expect(readFromEngine(message)).to.deep.equal({ type: 'startServer', settings: SETTINGS });
  });

  for (const [message, reason] of [
    ['hi', 'message: expected an object'],
    [{ type: 'tock' }, 'message.type: expected planned or progress'],
    [{ type: 'startServer', settings: { ...SETTINGS, shell: '/bin/sh' } }, 'message.settings.shell: unknown property'],
    [{ type: 'startServer', settings: { ...SETTINGS, env: { A: 1 } } }, 'message.settings.env.A: expected a text'],
    [{ type: 'planned' }, 'message.plan: expected a value'],
    [{ type: 'report', stats: null, inFlight: -1, phase: 'main' }, 'message.inFlight: expected a whole number'],
    [{ type: 'ended', stats: {}, why: 'completed', exitCode: 0 }, 'message.exitCode: unknown property'],
    [{ type: 'refused', error: null }, 'message.error: expected an object'],
  ])
    it(`a message that only code of a flow can have posted is refused by name: ${JSON.stringify(message)}`, () =>
      expect(() => readFromEngine(message)).to.throw(reason));
});

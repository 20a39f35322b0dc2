import { expect } from 'chai';

import { read } from '../../../lib/addons/server/server-keeper.js';

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

describe('server/server-keeper', () => {
  it('the settings of a server are rebuilt without undefined ones', () => {
    const message = { type: 'start', settings: { ...SETTINGS, ready: undefined } };
    expect(read(message)).to.deep.equal({ type: 'start', settings: SETTINGS });
  });

  for (const [message, reason] of [
    [{ type: 'start', settings: { ...SETTINGS, shell: '/bin/sh' } }, 'message.settings.shell: unknown property'],
    [{ type: 'start', settings: { ...SETTINGS, env: { A: 1 } } }, 'message.settings.env.A: expected a text'],
  ])
    it(`a message that only code of a flow can have posted is refused by name: ${JSON.stringify(message)}`, () =>
      expect(() => read(message)).to.throw(reason));
});

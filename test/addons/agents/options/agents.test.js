import { expect } from 'chai';

import benchrest from '../../../../index.js';
import { AGENT_OPTIONS, isName } from '../../../../lib/addons/agents/options/agents.js';

describe('options of a run on agents', () => {
  it('names of agents and pools cannot control a terminal or leave their key', () => {
    for (const name of ['box-1', 'a.b@c', 'x'.repeat(60)]) expect(isName(name), name).to.equal(true);
    for (const name of ['', 'a b', 'a:b', '\u001b[2J', 'x'.repeat(61), 5, null])
      expect(isName(name), name).to.equal(false);
  });

  it('a program and a flow cannot run on agents: only the command can', () => {
    const options = {
      limit: 1,
      iterations: 1,
      agents: 2,
      agentsQueue: 'redis://host',
      agentsPool: 'p',
      agentsTimeout: 1,
      agentsMaxLost: 0,
      agentsInclude: 'data.json',
    };
    for (const run of [
      () => benchrest('http://127.0.0.1:1/', options),
      () => benchrest({ main: [{ get: 'http://127.0.0.1:1/' }], runOptions: options }, { limit: 1 }),
    ]) {
      let error;
      try {
        run();
      } catch (thrown) {
        error = thrown;
      }
      expect(error.code).to.equal('E_RUN_OPTIONS');
      for (const name of AGENT_OPTIONS)
        expect(error.message).to.include(`runOptions.${name}: is an option of the command`);
    }
  });
});

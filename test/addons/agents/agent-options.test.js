import { expect } from 'chai';

import { agentOptionsOf } from '../../../lib/addons/agents/agent-options.js';
import { ofCommand as SERVE } from '../../../lib/addons/serve/addon.js';

describe('the options of an agent', () => {
  const URL = 'redis://host:6379';
  const ofFlags = (runOptions, { env = {}, options = {} } = {}) => agentOptionsOf({ runOptions }, { options }, env);

  for (const [flag, runOptions] of [
    ['--agents-queue', { agentsQueue: URL }],
    ['--agents-pool', { agentsPool: 'a' }],
    ['--agents-timeout', { agentsTimeout: 1000 }],
  ]) {
    it(`${flag} without --agents is refused: the run would be on this machine`, () =>
      expect(() => ofFlags(runOptions)).to.throw(`${flag} needs --agents, the number of agents`));
  }

  it('a queue of the environment or of the configuration allows runs on this machine', () => {
    expect(ofFlags({ agentsQueue: URL }, { env: { BENCH_REST_QUEUE: URL } })).to.equal(null);
    expect(ofFlags({}, { options: { agentsQueue: URL } })).to.equal(null);
  });

  it('a run on agents has their options from flags and the configuration, and needs a queue', () => {
    expect(ofFlags({ agents: 3 }, { options: { agentsQueue: URL } })).to.deep.equal({ agents: 3, agentsQueue: URL });
    expect(() => ofFlags({ agents: 3 })).to.throw('--agents needs --agents-queue');
  });

  it('--debug and --serve are refused on agents', () => {
    for (const [key, given] of Object.entries({ debug: { debug: true }, serve: { companions: SERVE.companions } })) {
      const request = { runOptions: { agents: 1, agentsQueue: URL }, ...given };
      expect(() => agentOptionsOf(request, { options: {} }, {})).to.throw(`--${key} and --agents cannot be combined`);
    }
  });
});

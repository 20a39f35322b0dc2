import { expect } from 'chai';

import { AGENT_COLUMNS, agentRows, agentsLine } from '../../../lib/report/agents.js';
import { REPORTERS } from '../../../lib/report/formats/index.js';
import { literalResult } from '../../support/literal-result.js';

const agent = {
  ...{
    shard: 1,
    name: 'box-1',
    version: '2.0.0',
    cores: 8,
    workers: 8,
    iterations: 5000,
    rate: 500,
    p99: 12.3,
    cpu: 1.5,
  },
  ...{ loopDelay: 0.4, saturated: false, startDelay: 0.12, clockOffset: -3_600_000, roundTrip: 0.3 },
};
const nobody = {
  ...{ shard: 2, name: '', version: '', cores: 0, workers: 0, iterations: 0, rate: 0, p99: null, cpu: null },
  ...{ loopDelay: null, saturated: false, startDelay: null, clockOffset: null, roundTrip: null },
  lost: 'its agent does not respond',
};
const agents = { each: [agent, nobody], lost: 1, tolerated: 1, startSkew: 0.35 };

describe('report/agents', () => {
  it('has a row for each agent, with as many cells as columns', () => {
    const rows = agentRows({ agents });
    expect(rows.map(({ cells }) => cells)).to.deep.equal([
      ['box-1', '500.0', '12.3', '1.50', '0.400', '+0.120', '-3,600,000', 'not saturated'],
      ['shard 2', '0.00', '-', '-', '-', '-', '-', 'lost: its agent does not respond'],
    ]);
    for (const { cells } of rows) expect(cells).to.have.lengthOf(AGENT_COLUMNS.length);
    expect(agentRows({})).to.deep.equal([]);
  });

  it('sums up the agents in one line', () => {
    expect(agentsLine(agents)).to.equal('2 agents, started within 0.350 ms, 1 lost (1 tolerated)');
    expect(agentsLine({ each: [agent], lost: 0, tolerated: 0, startSkew: 0 })).to.equal('1 agent');
  });

  for (const name of ['text', 'markdown', 'html', 'json'])
    it(`${name} has the agents`, async () => {
      const { render } = await REPORTERS.find((one) => one.name === name).load();
      const text = render({ ...literalResult(), agents }, { width: 120 });
      expect(text).to.include('box-1').and.include('its agent does not respond');
    });
});

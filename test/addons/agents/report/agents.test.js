import { expect } from 'chai';

import { AGENT_COLUMNS, agentRows, agentsLine } from '../../../../lib/addons/agents/report/agents.js';
import { REPORTERS } from '../../../../lib/core/report/formats/index.js';
import { literalResult } from '../../../support/literal-result.js';

const sender = (change) => ({
  ...{ saturated: false, eventLoopUtilization: 0.5, cpuTime: 15_000, cpuCores: 1.5 },
  eventLoopDelay: { mean: 0.1, p99: 0.4, max: 1 },
  ...change,
});
const agent = {
  ...{ name: 'box-1', shard: { number: 1, of: 2 }, toolVersion: '2.0.0', workers: 8, machine: { cores: 8 } },
  ...{ startOffset: 0.12, clockOffset: -3_600_000, roundTrip: 0.3 },
  iterations: { started: 5000, completedRate: 500 },
  responseTime: { p99: 12.3 },
  loadGenerator: sender({}),
};
const nobody = {
  ...{ name: 'shard 2', shard: { number: 2, of: 2 }, workers: 0 },
  lost: { code: 'noSignal', message: 'its agent does not respond' },
};
const agents = { lost: 1, maxLost: 1 };
const withAgents = (...loadGenerators) => ({ agents, loadGenerators });

describe('the table of agents', () => {
  it('has a row for each agent, with as many cells as columns', () => {
    const rows = agentRows(withAgents(agent, nobody));
    expect(rows.map(({ cells }) => cells)).to.deep.equal([
      ['box-1', '500.0', '12.3', '1.50', '0.400', '+0.120', '-3,600,000', 'not saturated'],
      ['shard 2', '-', '-', '-', '-', '-', '-', 'lost: its agent does not respond'],
    ]);
    for (const { cells } of rows) expect(cells).to.have.lengthOf(AGENT_COLUMNS.length);
    expect(agentRows({})).to.deep.equal([]);
  });

  it('names the state of an agent', () => {
    const stateOf = (change) => agentRows(withAgents({ ...agent, ...change }))[0].cells.at(-1);
    const saturatedOf = (change) => stateOf({ loadGenerator: sender({ saturated: true, ...change }) });
    expect(stateOf({ stoppedBy: 'SIGTERM' })).to.equal('stopped by SIGTERM');
    expect(saturatedOf({ eventLoopUtilization: 0.99 })).to.equal('saturated');
    expect(saturatedOf({ eventLoopUtilization: 0.05, eventLoopDelay: { mean: 1, p99: 40, max: 50 } })).to.equal(
      'slow loop',
    );
    expect(saturatedOf({ eventLoopUtilization: 0.05 })).to.equal('missed its load');
  });

  it('of many agents shows those that differ, and the range of the others', () => {
    const each = Array.from({ length: 1000 }, (_, i) => ({
      ...agent,
      name: `vm ${i + 1}`,
      responseTime: { p99: 1 + i / 1000 },
    }));
    each[6] = { ...each[6], lost: { code: 'noSignal', message: 'killed' } };
    each[7] = { ...each[7], stoppedBy: 'SIGTERM' };
    each[99] = { ...each[99], iterations: { started: 0, completedRate: 0 } };
    each[199] = { ...each[199], iterations: { started: 120, completedRate: 12 } };
    each[299] = { ...each[299], startOffset: 2500 };
    each[399] = { ...each[399], loadGenerator: sender({ eventLoopDelay: { mean: 1, p99: 900, max: 950 } }) };
    const rows = agentRows(withAgents(...each));
    expect(rows.length).to.be.at.most(24);
    const names = rows.map(({ cells: [name] }) => name);
    expect(names).to.include.members(['vm 7', 'vm 8', 'vm 100', 'vm 200', 'vm 300', 'vm 400']);
    expect(rows.at(-1).cells[0]).to.equal(`${1001 - rows.length} others`);
    expect(rows.at(-1).cells[1]).to.equal('500.0');
  });

  it('of many lost agents shows two for each reason, and counts the others', () => {
    const each = Array.from({ length: 1000 }, (_, i) => ({
      ...agent,
      name: `vm ${i + 1}`,
      ...(i < 400 && { lost: { code: 'noSignal', message: i % 2 ? 'killed' : 'silent' } }),
    }));
    const rows = agentRows(withAgents(...each));
    expect(rows.map(({ cells: [name] }) => name)).to.deep.equal(['vm 1', 'vm 2', 'vm 3', 'vm 4', '996 others']);
    expect(rows.at(-1).cells.at(-1)).to.equal('600 not saturated; 198 lost: silent; 198 lost: killed');
    const stopped = Array.from({ length: 30 }, () => ({ ...agent, stoppedBy: 'SIGTERM' }));
    expect(agentRows(withAgents(...stopped)).map(({ isLost }) => isLost)).to.deep.equal([true, true, true]);
  });

  it('sums up the agents in one line', () => {
    const loadGenerator = { startSkew: 0.35 };
    expect(agentsLine({ ...withAgents(agent, nobody), loadGenerator })).to.equal(
      '2 agents, started within 0.350 ms, 1 lost (1 tolerated)',
    );
    const one = { agents: { lost: 0, maxLost: 0 }, loadGenerators: [agent], loadGenerator: { startSkew: 0 } };
    expect(agentsLine(one)).to.equal('1 agent');
  });

  for (const name of ['text', 'markdown', 'html', 'json'])
    it(`${name} has the agents`, async () => {
      const { render } = await REPORTERS.find((one) => one.name === name).load();
      const text = render({ ...literalResult(), ...withAgents(agent, nobody) }, { width: 120 });
      expect(text).to.include('box-1').and.include('its agent does not respond');
    });
});

import { expect } from 'chai';

import { AGENT_COLUMNS, agentRows, machinesLine } from '../../../lib/report/agents.js';
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

  it('names the state of an agent', () => {
    const stateOf = (change) => agentRows({ agents: { each: [{ ...agent, ...change }] } })[0].cells.at(-1);
    expect(stateOf({ stoppedBy: 'SIGTERM' })).to.equal('stopped by SIGTERM');
    expect(stateOf({ saturated: true, utilization: 0.99 })).to.equal('saturated');
    expect(stateOf({ saturated: true, utilization: 0.05, loopDelay: 40 })).to.equal('slow loop');
    expect(stateOf({ saturated: true, utilization: 0.05 })).to.equal('missed its load');
    expect(stateOf({ saturated: true })).to.equal('saturated');
  });

  it('of many agents shows those that differ, and the range of the others', () => {
    const each = Array.from({ length: 1000 }, (_, i) => ({
      ...agent,
      shard: i + 1,
      name: `vm ${i + 1}`,
      p99: 1 + i / 1000,
    }));
    each[6] = { ...each[6], lost: 'killed' };
    each[7] = { ...each[7], stoppedBy: 'SIGTERM' };
    each[99] = { ...each[99], rate: 0, iterations: 0 };
    each[199] = { ...each[199], rate: 12 };
    each[299] = { ...each[299], startDelay: 2500 };
    each[399] = { ...each[399], loopDelay: 900 };
    const rows = agentRows({ agents: { each } });
    expect(rows.length).to.be.at.most(24);
    const names = rows.map(({ cells: [name] }) => name);
    expect(names).to.include.members(['vm 7', 'vm 8', 'vm 100', 'vm 200', 'vm 300', 'vm 400']);
    expect(rows.at(-1).cells[0]).to.equal(`${1001 - rows.length} others`);
    expect(rows.at(-1).cells[1]).to.equal('500.0');
  });

  it('of many lost agents shows two for each reason, and counts the others', () => {
    const each = Array.from({ length: 1000 }, (_, i) => ({
      ...agent,
      shard: i + 1,
      name: `vm ${i + 1}`,
      ...(i < 400 && { lost: i % 2 ? 'killed' : 'silent' }),
    }));
    const rows = agentRows({ agents: { each } });
    expect(rows.map(({ cells: [name] }) => name)).to.deep.equal(['vm 1', 'vm 2', 'vm 3', 'vm 4', '996 others']);
    expect(rows.at(-1).cells.at(-1)).to.equal('600 not saturated; 198 lost: silent; 198 lost: killed');
  });

  it('sums up the agents in one line', () => {
    expect(machinesLine({ agents })).to.equal('2 agents, started within 0.350 ms, 1 lost (1 tolerated)');
    expect(machinesLine({ agents: { each: [agent], lost: 0, tolerated: 0, startSkew: 0 } })).to.equal('1 agent');
  });

  for (const [shards, startSkew, line] of [
    [{ merged: 3, of: 3 }, 1.2, '3 of 3 shards, started within 1.20 ms'],
    [{ merged: 2, of: 3 }, undefined, '2 of 3 shards, started at unknown times'],
    [{ merged: 1, of: 2 }, 0, '1 of 2 shards'],
  ])
    it(`merged shards have a line: ${line}`, () => expect(machinesLine({ run: { shards, startSkew } })).to.equal(line));

  for (const name of ['text', 'markdown', 'html'])
    it(`${name} has the line of merged shards`, async () => {
      const { render } = await REPORTERS.find((one) => one.name === name).load();
      const result = literalResult();
      result.run = { ...result.run, shards: { merged: 3, of: 3 }, startSkew: 1.2 };
      expect(render(result, { width: 120 })).to.include('3 of 3 shards, started within 1.20 ms');
    });

  for (const name of ['text', 'markdown', 'html', 'json'])
    it(`${name} has the agents`, async () => {
      const { render } = await REPORTERS.find((one) => one.name === name).load();
      const text = render({ ...literalResult(), agents }, { width: 120 });
      expect(text).to.include('box-1').and.include('its agent does not respond');
    });
});

import { expect } from 'chai';

import { isStartDue, wholePlan } from '../../../lib/addons/agents/run-course.js';

const agent = { name: 'box-1' };
const tableOf = (states, lost = []) => ({
  all: [1, 2],
  lost,
  reports: states.map((state) => ({ state, agent, error: null })),
});

describe('the start of a run on agents', () => {
  for (const [about, states, isDue] of [
    ['one has not reported', ['ready'], false],
    ['one prepares', ['ready', 'preparing'], false],
    ['all are ready', ['ready', 'ready'], true],
    ['one has ended', ['preparing', 'ended'], true],
  ])
    it(`the wait for the start ${isDue ? 'is over when' : 'goes on while'} ${about}`, () =>
      expect(isStartDue(tableOf(states))).to.equal(isDue));

  it('an agent that refuses its shard ends the wait with its name and code', () => {
    const refused = { state: 'refused', agent, error: { code: 'E_PACKET', message: 'malformed' } };
    const table = { ...tableOf(['ready']), reports: [refused] };
    expect(() => isStartDue(table))
      .to.throw('agent box-1: malformed')
      .with.property('code', 'E_PACKET');
  });

  for (const code of ['EACCES', undefined])
    it(`an agent that cannot run the flow by ${code ?? 'an error without a code'} is no internal error of this process`, () => {
      const refused = { state: 'refused', agent, error: { ...(code && { code }), message: 'disk' } };
      expect(() => isStartDue({ ...tableOf([]), reports: [refused] }))
        .to.throw('agent box-1 cannot run the flow: disk')
        .with.property('code', 'E_AGENT_REFUSED');
    });

  it('a lost agent ends the wait', () => {
    const lost = [{ number: 1, report: { agent }, lost: 'killed' }];
    expect(() => isStartDue(tableOf(['ready'], lost))).to.throw('agent box-1 was lost before the start: killed');
  });

  it('the plan of the whole run is that of a shard, without its number', () => {
    const plan = { shape: '10 iterations', shard: {}, runId: 'r', options: { limit: 2, shard: {}, runId: 'r' } };
    expect(wholePlan({ plan, from: 'a', hash: 'h' }, 3)).to.deep.equal({
      plan: { shape: '10 iterations, by 3 agents', options: { limit: 2, agents: 3 } },
      ...{ from: 'a', hash: 'h' },
    });
  });
});

import { expect } from 'chai';

import { earlyEndOf, endOf } from '../../../lib/addons/agents/run-course.js';

const STATS = { iterations: {} };
const ended = (why) => ({ outcome: { kind: 'ended', why } });
const tableOf = ({ reports = [], lost = [] }) => ({ reports, lost });
const known = ({ stats = STATS, isAborted = false, reason = null } = {}) => ({ stats, isAborted, reason });

describe('the end of a run on agents', () => {
  for (const [why, says] of [
    ['SIGTERM', 'agent'],
    ['SIGINT', 'agent'],
    ['before', 'before'],
    ['completed', null],
    [undefined, 'agent'],
  ])
    it(`a shard that ended by ${why} stops the others by ${says}`, () =>
      expect(earlyEndOf([ended('completed'), { outcome: null }, ended(why)])).to.equal(says));

  for (const [about, reports, given, why] of [
    ['completed', [ended('completed'), ended('completed')], {}, 'completed'],
    ['the end of a shard that was not planned', [ended('completed'), ended('SIGTERM')], {}, 'agent'],
    ['the reason of a stop before that of a shard', [ended('before')], { reason: 'SIGINT' }, 'SIGINT'],
  ])
    it(`a run ends by ${about}`, () =>
      expect(endOf(tableOf({ reports }), known(given))).to.deep.equal({ kind: 'ended', stats: STATS, why }));

  it('an aborted run has what is known', () =>
    expect(endOf(tableOf({}), known({ isAborted: true }))).to.deep.equal({ kind: 'aborted', stats: STATS }));

  it('a run that was stopped before anything was measured is aborted', () =>
    expect(endOf(tableOf({}), known({ stats: null }))).to.deep.equal({ kind: 'aborted', stats: null }));

  it('A67 a run without results whose agent was ready, and could not run, says why', () => {
    const refused = (error) => ({ state: 'refused', outcome: null, agent: { name: 'box-1' }, error });
    const lost = [{ number: 1, report: null, lost: 'x' }];
    const end = (error) => () => endOf(tableOf({ reports: [refused(error)], lost }), known({ stats: null }));
    expect(end({ message: 'no memory' }))
      .to.throw(/agent box-1 cannot run the flow: no memory/)
      .with.property('code', 'E_AGENT_REFUSED');
    expect(end({ code: 'E_FLOW', message: 'flow.main: bad' }))
      .to.throw(/^agent box-1: flow\.main: bad/)
      .with.property('code', 'E_FLOW');
  });

  it('a run without results whose agent was lost names the agent', () => {
    const lost = [{ number: 2, report: null, lost: 'killed' }];
    expect(() => endOf(tableOf({ lost }), known({ stats: null }))).to.throw(/agent of shard 2 was lost.*killed/);
  });
});

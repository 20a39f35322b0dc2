import { expect } from 'chai';

import { createScenarios, operationListsOf, readScenarios } from '../../../lib/core/flow/scenarios.js';
import { createProblems } from '../../../lib/core/ground/problems.js';

const read = (value) => {
  const problems = createProblems('E_FLOW');
  const scenarios = readScenarios(value, (operations = []) => operations, problems);
  return { scenarios, problems: problems.list.map(({ path }) => path) };
};

describe('scenarios of a flow', () => {
  it('are read in their order; every problem is reported with its place', () => {
    const { scenarios, problems } = read({ a: { main: [1] }, b: { weight: 2, main: [2], afterMain: [3] } });
    expect(problems).to.deep.equal([]);
    expect(scenarios.map(({ name, where, weight }) => [name, where, weight])).to.deep.equal([
      ['a', 'flow.scenarios.a', undefined],
      ['b', 'flow.scenarios.b', 2],
    ]);
    expect(read(undefined)).to.deep.equal({ scenarios: [], problems: [] });
    expect(read({ a: { weight: -1, mian: [1] }, b: 1 }).problems).to.deep.equal([
      'flow.scenarios.a.mian',
      'flow.scenarios.a.weight',
      'flow.scenarios.a',
      'flow.scenarios.b',
    ]);
  });

  it('begin after the operations of the flow, and end before them', () => {
    const { scenarios } = read({ a: { main: [1] }, b: { main: [2] } });
    const places = (phase) => operationListsOf(phase, { phases: {}, scenarios }).map(({ where }) => where);
    expect(places('beforeMain')[0]).to.equal('flow.beforeMain');
    expect(places('afterMain')).to.deep.equal([
      'flow.scenarios.a.afterMain',
      'flow.scenarios.b.afterMain',
      'flow.afterMain',
    ]);
    expect(operationListsOf('main', { phases: {}, scenarios }).map(({ at }) => at)).to.deep.equal([null, 0, 1]);
  });

  it('are chosen in turn, or by weight with a seed', () => {
    const chosen = (value, seed) => {
      const [{ choose }] = createScenarios(read(value).scenarios, seed);
      return Array.from({ length: 1000 }, (_, index) => choose(index));
    };
    expect(chosen({ a: { main: [1] }, b: { main: [1] } }, 1).slice(0, 4)).to.deep.equal([0, 1, 0, 1]);
    const weighted = { a: { weight: 9, main: [1] }, b: { main: [1] } };
    expect(chosen(weighted, 1)).to.deep.equal(chosen(weighted, 1));
    expect(chosen(weighted, 1)).to.not.deep.equal(chosen(weighted, 2));
    expect(chosen(weighted, 1).filter((at) => at === 1).length).to.be.within(50, 200);
  });

  it('have names with secrets masked, as operations have', () => {
    expect(createScenarios(read({ 'see?token=abc': { main: [1] } }).scenarios, 1)[0].name).to.equal('see?token=***');
  });
});
